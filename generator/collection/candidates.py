# SPDX-License-Identifier: GPL-3.0-or-later
"""The problems of which some are chosen, and which of them are alike."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from generator.collection.features import Shares, collection_features
from generator.collection.published import deviations_from_published
from generator.collection.rating import rating_features, stored_rating_model
from generator.constraints.options import ComposingOptions, Style
from generator.likeness.features import shape_and_line
from generator.problem_keys import key_hash, problem_keys
from generator.resemblance.index import ResemblanceIndex
from generator.resemblance.placement import Placement
from tsume_rules.moves import Move
from tsume_rules.position import Position
from tsume_rules.sfen import canonical_sfen

RATING_POINTS = 200.0
"""Points of merit for a step of the expected rating: some 50 between an average problem and a good one."""
LIKENESSES = {"s": "squares", "m": "mate", "t": "ending", "p": "pieces"}
"""Why problems are alike: the initials of `generator.problem_keys`, and the pieces."""


@dataclass(frozen=True, eq=False)
class CollectionCandidate:
    """A problem that may be chosen: its ``id``, and what its choice depends on."""

    id: int
    position: Position
    line: tuple[Move, ...]
    score: float
    merit: float
    shares: Shares
    deviations: np.ndarray
    """`generator.collection.published.deviations_from_published`."""
    keys: tuple[str, ...]
    sfen: str
    """The SFEN that it shares with its mirror image; it decides between equal problems."""

    @property
    def length(self) -> int:
        """Plies of the main line."""
        return len(self.line)


def collection_candidate(
    number: int,
    position: Position,
    line: tuple[Move, ...],
    themes: Sequence[str],
    *,
    score: float,
    difficulty: Mapping[str, float],
) -> CollectionCandidate:
    """A candidate with its merit, features and keys; ``difficulty`` has the features of its difficulty."""
    shape = shape_and_line(position, line)
    deviations = deviations_from_published(shape, len(line))
    rating = stored_rating_model().relative_rating(
        rating_features(position, line, themes, difficulty, shape), deviations
    )
    return CollectionCandidate(
        number, position, line, score, RATING_POINTS * rating, collection_features(position, line, themes),
        deviations,
        problem_keys(ComposingOptions(len(line), style=Style.NATURAL), position, line),
        canonical_sfen(position),
    )  # fmt: skip


class AlikeProblems:
    """Which candidates are like chosen ones: to an editor (`generator.problem_keys`), or by their pieces.

    ``excluded`` has the ids of those that are, and why.
    """

    def __init__(self) -> None:
        self._ids: list[int] = []
        self._by_key: defaultdict[int, list[int]] = defaultdict(list)
        self._index = ResemblanceIndex()
        self.excluded: dict[int, str] = {}

    def add(self, candidate: CollectionCandidate) -> None:
        """Add a candidate; all are added before the first is chosen."""
        self._ids.append(candidate.id)
        for key in candidate.keys:
            self._by_key[key_hash(key)].append(candidate.id)
        self._index.add(Placement(candidate.position, candidate.line))

    def exclude_like(self, chosen: CollectionCandidate) -> None:
        """Exclude all that are like this one."""
        for key in chosen.keys:
            for number in self._by_key[key_hash(key)]:
                self._exclude(number, chosen, LIKENESSES[key[0]])
        for found in self._index.find(Placement(chosen.position, chosen.line)):
            self._exclude(self._ids[found.number], chosen, LIKENESSES["p"])

    def _exclude(self, number: int, chosen: CollectionCandidate, reason: str) -> None:
        if number != chosen.id:
            self.excluded.setdefault(number, reason)
