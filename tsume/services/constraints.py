# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether any problem can meet a set of constraints."""

from __future__ import annotations

from dataclasses import replace

from generator.constraints.problem import ConstraintError, ProblemConstraints
from generator.theme_names import ThemeDetailError, is_figure, read_figure, split_themes


class ContradictionError(ValueError):
    """No problem can meet all constraints."""


def checked_constraints(wishes: ProblemConstraints, moves: int) -> ProblemConstraints:
    """The constraints on problems of ``moves`` moves; a picture with a name is a theme too.

    ``themes`` may ask for pieces and numbers (`generator.theme_names`), which are split off. Raises
    `ContradictionError` if no problem can meet them, as far as that is known without a search, and
    `generator.constraints.problem.ConstraintError` for one that cannot be read.
    """
    try:
        tags, details = split_themes((*wishes.themes, *wishes.theme_details))
    except ThemeDetailError as error:
        raise ConstraintError(str(error)) from None
    wishes = replace(wishes, themes=tags, theme_details=details)
    if wishes.picture is not None and is_figure(wishes.picture):
        try:
            wishes = replace(wishes, picture=read_figure(wishes.picture))
        except ValueError as error:
            raise ConstraintError(f"picture: {error}") from None
    elif wishes.picture is not None:
        wishes = replace(wishes, themes=tuple(dict.fromkeys((*wishes.themes, "picture"))))
    fault = wishes.contradiction(moves) or _contradiction_of_stars(wishes, moves)
    if fault is not None:
        raise ContradictionError(f"the conditions contradict each other: {fault}")
    return wishes


def _contradiction_of_stars(wishes: ProblemConstraints, moves: int) -> str | None:
    if wishes.stars is None or (wishes.min_score is None and wishes.max_score is None):
        return None
    from solver.scoring.difficulty import star_steps

    bounds = (float("-inf"), *star_steps(moves), float("inf"))
    low, high = bounds[wishes.stars - 1 : wishes.stars + 1]
    too_high = wishes.min_score is not None and wishes.min_score >= high
    if too_high or (wishes.max_score is not None and wishes.max_score < low):
        return f"{wishes.stars} stars at {moves} moves need a score from {low:g} to {high:g}"
    return None
