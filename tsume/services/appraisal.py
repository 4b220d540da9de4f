# SPDX-License-Identifier: GPL-3.0-or-later
"""Themes, quality and likeness of lines that mate."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from generator.problem import Problem
from tsume.warmup import KernelPart, warm_up
from tsume_rules.moves import Move
from tsume_rules.position import Position

if TYPE_CHECKING:
    from solver.engines.dfpn.engine import DfPnEngine


@dataclass(frozen=True)
class Appraisal:
    """The tags of the proved themes, sorted; quality and likeness from 0 to 100."""

    themes: tuple[str, ...] = ()
    quality: float | None = None
    likeness: float | None = None


NOT_APPRAISED = Appraisal()
"""Stands for the appraisal of a position without a line that mates."""


def appraise_line(position: Position, line: tuple[Move, ...], engine: DfPnEngine) -> Appraisal:
    """The appraisal of a line that mates; the engine proves the themes."""
    warm_up(KernelPart.LIKENESS)
    from generator.likeness.model import likeness_of
    from generator.quality import appraise
    from generator.themes.table import ThemeProver

    themes = tuple(sorted(ThemeProver(engine).themes(position, line)))
    return Appraisal(themes, appraise(position, line).quality, likeness_of(position, line))


def appraised_problem(problem: Problem, engine: DfPnEngine) -> Problem:
    """A problem with its themes, proved by the engine, and its quality."""
    from generator.quality import appraise
    from generator.themes.table import ThemeProver

    themes = ThemeProver(engine).themes(problem.position, problem.line)
    return replace(problem, themes=themes, quality=appraise(problem.position, problem.line).quality)
