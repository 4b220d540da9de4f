"""Themes, quality and likeness of problems for the commands. numba is imported only when they are needed."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from generator.problem import Problem
from tsume.warmup import Part, warm_up
from tsume_rules.moves import Move
from tsume_rules.position import Position

if TYPE_CHECKING:
    from generator.themes.proof import Prover


@cache
def _prover() -> Prover:
    from generator.themes.proof import Prover

    return Prover()


def appraised(problem: Problem) -> Problem:
    """A problem with its themes and quality."""
    from generator.quality import appraise

    themes = _prover().themes(problem.position, problem.line)
    return replace(problem, themes=themes, quality=appraise(problem.position, problem.line).quality)


def appraisal_fields(position: Position | None, line: tuple[Move, ...]) -> dict[str, Any]:
    """Themes, quality and likeness of any position with a line that mates, as JSON fields.

    Without a position or a line there are no themes; quality and likeness are null.
    """
    if position is None or not line:
        return {"themes": [], "quality": None, "likeness": None}
    warm_up(Part.ENGINE, Part.LIKENESS)
    from generator.likeness.measure import likeness_of
    from generator.quality import appraise

    return {
        "themes": sorted(_prover().themes(position, line)),
        "quality": appraise(position, line).quality,
        "likeness": likeness_of(position, line),
    }
