"""Why no problem can be as it is wished."""

from __future__ import annotations

from generator.constraints.problem import Wishes


def fault_of_wishes(wishes: Wishes, moves: int) -> str | None:
    """Why no problem of ``moves`` moves can be as wished; None if that is not plain at once.

    Raises `generator.constraints.problem.WishError` for a wish that cannot be read.
    """
    return wishes.contradiction(moves) or _fault_of_stars(wishes, moves)


def _fault_of_stars(wishes: Wishes, moves: int) -> str | None:
    if wishes.stars is None or (wishes.min_score is None and wishes.max_score is None):
        return None
    from solver.scoring.stars import star_steps

    bounds = (float("-inf"), *star_steps(moves), float("inf"))
    low, high = bounds[wishes.stars - 1 : wishes.stars + 1]
    too_high = wishes.min_score is not None and wishes.min_score >= high
    if too_high or (wishes.max_score is not None and wishes.max_score < low):
        return f"{wishes.stars} stars of {moves} moves are for scores from {low:g} up to {high:g}"
    return None
