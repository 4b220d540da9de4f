# SPDX-License-Identifier: GPL-3.0-or-later
"""Choosing a collection from the problems of a store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from db.errors import StoreError
from db.store import Store
from db.stored_problem import StoredProblem
from generator.collection.choice import ChosenGroup, CollectionCandidate, CollectionChooser, collection_candidate
from tsume.uses.importing import PriorArt


@dataclass(frozen=True)
class ChoiceRequest:
    """How many problems of a length are wanted; None: of all lengths together."""

    number: int
    moves: int | None = None


def choose_collection(
    store: Store,
    problems: Iterable[StoredProblem],
    requests: Sequence[ChoiceRequest],
    shares: Sequence[float],
    prior_art: PriorArt,
) -> list[ChosenGroup]:
    """Return the problems chosen for each request from those of a store, which are read once.

    ``shares`` are those of the levels of difficulty. Raises `db.errors.StoreError`.
    """
    groups: list[list[CollectionCandidate]] = [[] for _ in requests]
    for problem in problems:
        for group, request in zip(groups, requests, strict=True):
            if request.moves in (None, problem.length):
                if not store.playable(problem).line:
                    raise StoreError(f"{store.name}: problem {problem.id} cannot be read: no line")
                difficulty = problem.difficulty
                group.append(
                    collection_candidate(
                        problem.id,
                        problem.position,
                        problem.line,
                        problem.themes,
                        score=difficulty.score,
                        difficulty=difficulty.features,
                    )
                )

    def is_known(candidate: CollectionCandidate) -> bool:
        found = prior_art.resembling(candidate.position, candidate.line)
        return found is not None and found.excludes

    chooser = CollectionChooser(groups, is_known)
    return [chooser.choose(group, request.number, shares) for group, request in zip(groups, requests, strict=True)]
