"""Themes, quality and likeness of problems for the commands. numba is imported only when they are needed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from generator.problem import Problem
from tsume.warmup import Part, warm_up
from tsume_rules.moves import Move
from tsume_rules.position import Position


def theme_names() -> tuple[str, ...]:
    """The names of all themes."""
    from generator.themes import THEMES

    return tuple(THEMES)


def appraised(problem: Problem) -> Problem:
    """A problem with its themes and quality."""
    from generator.quality import appraise

    found = appraise(problem.position, problem.line)
    return replace(problem, themes=found.themes, quality=found.quality)


def appraisal_fields(position: Position | None, line: tuple[Move, ...]) -> dict[str, Any]:
    """Themes, quality and likeness of any position with a line that mates, as JSON fields.

    Without a position or a line there are no themes; quality and likeness are null.
    """
    if position is None or not line:
        return {"themes": [], "quality": None, "likeness": None}
    warm_up(Part.LIKENESS)
    from generator.likeness.measure import likeness_of
    from generator.quality import appraise

    found = appraise(position, line)
    return {
        "themes": sorted(found.themes), "quality": found.quality, "likeness": likeness_of(position, line),
    }  # fmt: skip
