# SPDX-License-Identifier: GPL-3.0-or-later
"""What `tsume choose` says of its choice."""

from __future__ import annotations

from collections.abc import Iterator

from generator.collection.choice import LIKENESSES, ChosenGroup
from tsume.language.voice import Voice


def chosen_lines(
    wanted: int, moves: int | None, group: ChosenGroup, levels: int, voice: Voice
) -> Iterator[str]:
    """How many problems were chosen and left out, the levels, and how many are missing."""
    length = voice("choosing.any_length") if moves is None else voice.moves(moves)
    number = len(group.chosen)
    sentences = [voice("choosing.chosen", length=length, number=number, candidates=group.candidates)]
    sentences += _left_out(group, voice)
    if levels > 1:
        sentences.append(voice("choosing.levels", levels=voice.listed(_levels(group, levels, voice))))
    yield voice("choosing.sentences").join(sentences)
    if number < wanted:
        yield voice("choosing.too_few", length=length, missing=wanted - number, wanted=wanted)


def _left_out(group: ChosenGroup, voice: Voice) -> Iterator[str]:
    if group.alike:
        kinds = [kind for kind in LIKENESSES.values() if group.alike[kind]]
        reasons = voice.listed(voice(f"choosing.{kind}", number=group.alike[kind]) for kind in kinds)
        yield voice("choosing.alike", number=group.alike.total(), reasons=reasons)
    if group.known:
        yield voice("choosing.known", number=group.known)


def _levels(group: ChosenGroup, levels: int, voice: Voice) -> Iterator[str]:
    """The scores and the number of problems of each level that has any."""
    for level in range(levels):
        scores = [one.problem.score for one in group.chosen if one.level == level]
        if scores:
            yield voice("choosing.level", low=min(scores), high=max(scores), number=len(scores))
