# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers in one line."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tsume.formats.symbols import stars_text
from tsume.language.catalogue import LANGUAGES
from tsume.language.voice import LANG_VARIABLE, MIXED, Voice
from tsume.reports.notation import move_writer
from tsume_rules.moves import ImpossibleMove, parse_move
from tsume_rules.sfen import parse_sfen


def voice_of_environment() -> Voice:
    """The voice in which notebooks are written to: ``TSUME_LANG``, as for the commands."""
    language = os.environ.get(LANG_VARIABLE)
    return next((Voice.of(name) for name in LANGUAGES if name == language), MIXED)


def headline(answer: Any, voice: Voice) -> str:
    """What an answer says, in a few words."""
    return voice.listed(text for part in _PARTS for text in part(answer, voice) if text)


def line_text(sfen: str, line: Sequence[str], voice: Voice) -> str:
    """A line as people write it; in USI if it cannot be played."""
    parsed = parse_sfen(sfen)
    moves = tuple(parsed.outward(parse_move(usi)) for usi in line)
    try:
        return move_writer(voice, parsed, moves).line(moves)
    except ImpossibleMove:
        return " ".join(line)


def _error(answer: Any, _voice: Voice) -> Iterator[str]:
    yield getattr(answer, "error", None) or ""


def _mate(answer: Any, voice: Voice) -> Iterator[str]:
    if (length := getattr(answer, "length", None)) is not None:
        yield voice("common.length", length=length)
    elif (result := getattr(answer, "result", None)) is not None:
        yield voice(f"solving.{result}")


def _grade(answer: Any, voice: Voice) -> Iterator[str]:
    if hasattr(answer, "grade"):
        yield voice(f"grades.{answer.grade or 'unresolved'}")
    faults = getattr(answer, "faults", ()) or getattr(answer, "blemishes", ())
    yield from (voice.known(f"blemishes.{name}", voice.known(f"terms.{name}", name)) for name in faults)


def _numbers(answer: Any, voice: Voice) -> Iterator[str]:
    if getattr(answer, "score", None) is not None:
        yield voice("notebooks.score", score=answer.score, stars=stars_text(answer.stars))
    if getattr(answer, "quality", None) is not None:
        yield voice("common.quality", quality=answer.quality)
    for name in ("turns", "repairs", "suggestions"):
        found = getattr(answer, name, None)
        if found is not None and (name != "turns" or not hasattr(answer, "grade")):
            yield voice(f"notebooks.{name}", number=len(found))


def _themes(answer: Any, voice: Voice) -> Iterator[str]:
    yield from map(voice.theme, getattr(answer, "themes", ()))


_PARTS: tuple[Callable[[Any, Voice], Iterator[str]], ...] = (_error, _mate, _grade, _numbers, _themes)
