# SPDX-License-Identifier: GPL-3.0-or-later
"""A composed problem and where it comes from."""

from __future__ import annotations

from dataclasses import dataclass

from solver.results import Defect, Difficulty, Grade, Judgement
from tsume_rules.moves import Move
from tsume_rules.position import Position

STORED = (Grade.PERFECT, Grade.SOUND)
"""The grades of problems that are published and stored."""


@dataclass(frozen=True)
class Provenance:
    """What makes a problem reproducible. ``seed`` of the run, ``index`` of the root it grew from, ``version`` of tsume
    and the ``recipe`` (`generator.problem`), None for a problem older than recipes."""

    seed: int
    index: int
    version: str
    recipe: int | None = None


@dataclass(frozen=True)
class Problem:
    """A problem proved to be perfect or sound: the position, the judgement, the difficulty.

    ``provenance`` is None for an imported problem. ``themes`` are the names of the themes in its line
    (`generator.themes`), ``quality`` is from 0 to 100 (`generator.quality`). ``record`` is what the composer's file
    says of an imported problem, as JKF; None where there was no file. ``keys`` are the hashes by which a run knows it
    again (`generator.problem_keys.key_hash`); empty for one of no run. ``same_when_counted``: whether length and main
    line stay the same if every interposition counts; None where that is not known.
    """

    position: Position
    judgement: Judgement
    difficulty: Difficulty
    provenance: Provenance | None = None
    themes: tuple[str, ...] = ()
    quality: float = 0.0
    record: str | None = None
    keys: tuple[int, ...] = ()
    same_when_counted: bool | None = None

    @property
    def grade(self) -> Grade | None:
        """The grade; None if the judgement has none: then the problem cannot be stored."""
        return self.judgement.grade

    @property
    def blemishes(self) -> Defect:
        """What the problem is marked down for."""
        return self.judgement.blemishes

    @property
    def length(self) -> int:
        """Plies of the shortest mate."""
        assert self.judgement.length is not None
        return self.judgement.length

    @property
    def line(self) -> tuple[Move, ...]:
        """The main line."""
        return self.judgement.line


# --- the generator version: it identifies how a seed becomes problems ------------------------------

GENERATOR_VERSION = 16
"""Raised with every change that makes some seed and options give other problems, scores or themes.

Each run and problem keeps the number it began with; a run is resumed only under the same number.
tests/generator/run/test_roots.py fails when a few seeds give something else and the number is as before.
"""
