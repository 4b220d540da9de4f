# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems with their ratings by results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from db.selection import ProblemSelection
from db.store import Store
from db.stored_problem import StoredProblem
from db.training.records import PlayedRating

RatedProblem = tuple[StoredProblem, PlayedRating | None]


def problems_with_ratings(store: Store, wanted: ProblemSelection) -> Iterator[RatedProblem]:
    """The problems of a selection in its order, read page by page; None for one that was not played."""
    for numbers in store.id_pages(wanted):
        yield from rated_problems(store, numbers)


def rated_problems(store: Store, problem_ids: Sequence[int]) -> Iterator[RatedProblem]:
    """The problems with these ids, in their order; None for one that was not played."""
    ratings = store.training.results.problem_ratings(problem_ids)
    for problem in store.problems_of_ids(problem_ids):
        yield problem, ratings.get(problem.id)


def rating_fields(played: PlayedRating) -> dict[str, int]:
    """A rating by results as JSON fields."""
    rating = played.rating
    return {
        "rating": round(rating.rating),
        "rating_deviation": round(rating.deviation),
        "plays": played.plays,
    }
