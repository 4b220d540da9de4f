# SPDX-License-Identifier: GPL-3.0-or-later
"""Suggestions for a run that found nothing: with one constraint less, with a theme alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from generator.theme_names import TIMES, TRIED
from tsume.language.voice import Voice
from tsume.reports.notation import piece_text, problem_line, square_words

if TYPE_CHECKING:
    from generator.problem import Problem
    from generator.run.relaxations import Relaxation

_OPTIONS = {"max_pieces": "--pieces", "themes": "--theme"}
"""The options of wishes with other names than the wishes."""


def option_of_constraint(name: str) -> str:
    """Return the option by which a wish is given on the command line."""
    return _OPTIONS.get(name, f"--{name.replace('_', '-')}")


def nearest_lines(found: Iterable[tuple[Relaxation, Problem]], seconds: float, voice: Voice) -> Iterator[str]:
    """Yield a line for each dropped constraint and the problem found without it, as soon as it is found.

    ``seconds`` is the time limit of each search; if none is found, the line says so.
    """
    head = voice("nearest.head")
    for relaxation, problem in found:
        if head:
            yield head
        head = ""
        yield f"  {relaxation_text(relaxation, voice)}: {problem_line(problem)}"
    if head:
        yield voice("nearest.none", seconds=seconds)


def relaxation_text(relaxation: Relaxation, voice: Voice) -> str:
    """Return the dropped constraints, as options of the command line."""
    name, value = relaxation.name, relaxation.value
    if name == "start_piece":
        piece, square = value
        there = piece_text(voice.words, piece, square_words(voice.words, square))
        return voice("nearest.without_piece", piece=there)
    if name in ("start_hand", "length", "style"):
        return voice(f"nearest.{name}", value=value)
    shown = option_of_constraint(name) if value is True else f"{option_of_constraint(name)} {value}"
    return voice("nearest.without", option=shown)


def time_text(theme: str, voice: Voice) -> str:
    """Return how long a problem with a theme takes without other constraints."""
    taken = TIMES.get(theme)
    if taken is None:
        first, *_, last = TRIED.lengths
        return voice("nearest.seldom", seconds=TRIED.seconds, first=first, last=last)
    return voice("nearest.time", seconds=taken.within, length=taken.length)


def theme_lines(themes: Sequence[str], voice: Voice) -> Iterator[str]:
    """Yield for each theme wished how long it takes."""
    for theme in themes:
        yield f"{voice.theme(theme)}: {time_text(theme, voice)}"
