"""Themes, quality and likeness of problems for the commands. numba is imported only when they are needed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from generator.problem import Problem
from tsume.warmup import Part, warm_up
from tsume_rules.moves import Move
from tsume_rules.position import Position

if TYPE_CHECKING:
    from solver.engines.dfpn.engine import DfPnEngine


def appraised(problem: Problem, engine: DfPnEngine) -> Problem:
    """A problem with its themes, proved by the engine, and its quality."""
    from generator.quality import appraise
    from generator.themes.proof import Prover

    themes = Prover(engine).themes(problem.position, problem.line)
    return replace(problem, themes=themes, quality=appraise(problem.position, problem.line).quality)


def appraisal_fields(
    position: Position | None, line: tuple[Move, ...], engine: DfPnEngine | None
) -> dict[str, Any]:
    """Themes, quality and likeness of any position with a line that mates, as JSON fields.

    The engine proves the themes. Without a position or a line, or an engine, there are no themes; quality
    and likeness are null.
    """
    if position is None or not line or engine is None:
        return {"themes": [], "quality": None, "likeness": None}
    warm_up(Part.LIKENESS)
    from generator.likeness.measure import likeness_of
    from generator.quality import appraise
    from generator.themes.proof import Prover

    return {
        "themes": sorted(Prover(engine).themes(position, line)),
        "quality": appraise(position, line).quality,
        "likeness": likeness_of(position, line),
    }
