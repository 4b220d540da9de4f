"""Themes and quality of problems for the commands. numba is imported only when they are needed."""

from __future__ import annotations

from dataclasses import replace

from generator.problem import Problem


def theme_names() -> tuple[str, ...]:
    """The names of all themes."""
    from generator.themes import THEMES

    return tuple(THEMES)


def appraised(problem: Problem) -> Problem:
    """A problem with its themes and quality."""
    from generator.quality import appraise

    found = appraise(problem.position, problem.line)
    return replace(problem, themes=found.themes, quality=found.quality)
