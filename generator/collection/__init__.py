# SPDX-License-Identifier: GPL-3.0-or-later
"""Choosing the problems of a collection, those of one length after those of another.

`scripts/fit rating` fits the weights to ratings of composed problems (``scripts/fitting/ratings.tsv``). A language
model gave them, asked to read each problem with its variations and tries as a strict editor does (docs/composing.md).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from pathlib import Path

import numpy as np

from generator.constraints.options import ComposingOptions, Style
from generator.likeness import (
    Features,
    fitted_for_length,
    placement_features,
    shape_and_line,
    trees_for_length,
    write_arrays,
)
from generator.problem import tail_key
from generator.problem_keys import key_hash, problem_keys
from generator.quality import has_two_last_moves
from generator.replay import ReplayedPly, replay_line
from generator.resemblance import Placement, ResemblanceIndex
from tsume_rules.kernel.tables import SQUARE
from tsume_rules.moves import Move
from tsume_rules.packed import pack, pack_move
from tsume_rules.position import LETTERS, LETTERS_IN_HAND, Kind, Position, file_of, mirrored, rank_of
from tsume_rules.sfen import canonical_sfen

# --- how an editor would rate a problem among others of its length ---------------------------------

NAMES = (
    "themes", "published", "two_last_moves", "captures", "distant_drops", "non_promotions", "pieces",
    "surprise", "tries",
)  # fmt: skip
"""What counts apart from the features that published problems have on average.

``themes`` is their number and ``published`` the logarithm of how much likelier the problem is among published
ones than among composed ones (`generator.likeness`); ``two_last_moves`` is 1 if another last move
mates too (`generator.quality`); the others are features of `solver.scoring.difficulty`.
"""
_RATING_FILE = Path(__file__).with_name("rating.npz")


@dataclass(frozen=True)
class RatingModel:
    """What one more of each feature adds to a rating from 1 to 5; arrays [feature]. ``weights`` are those of `NAMES`,
    ``deviation_weights`` those of the features of `generator.collection`, for one spread."""

    weights: np.ndarray
    deviation_weights: np.ndarray

    def relative_rating(self, features: Mapping[str, float], deviations: np.ndarray) -> float:
        """Return the rating of a problem, up to a number that is the same for all problems of its length."""
        row = np.array([features[name] for name in NAMES])
        return math.fsum([*(self.weights * row).tolist(), *(self.deviation_weights * deviations).tolist()])


@cache
def stored_rating_model() -> RatingModel:
    """Return the model that collections are chosen by."""
    with _RATING_FILE.open("rb") as file, np.load(file) as data:
        return RatingModel(data["weights"].astype(np.float64), data["deviations"].astype(np.float64))


def write_rating_model(model: RatingModel, path: Path | None = None) -> None:
    """Write a model to a file, by default to the one it is read from."""
    weights, deviations = model.weights.astype(np.float32), model.deviation_weights.astype(np.float32)
    write_arrays({"weights": weights, "deviations": deviations}, path or _RATING_FILE)


def rating_features(
    position: Position, line: tuple[Move, ...], themes: Sequence[str], difficulty: Mapping[str, float], shape: Features
) -> dict[str, float]:
    """Return what counts for the rating of a problem. ``difficulty`` has features of its difficulty; those that are
    missing count as 0. ``shape`` are the features of `generator.likeness.shape_and_line`."""
    trees = trees_for_length(len(line))
    published = 0.0 if trees is None else trees.log_ratio(shape | placement_features(position))
    found = {
        "themes": float(len(set(themes))),
        "published": published,
        "two_last_moves": float(has_two_last_moves(pack(position), tuple(map(pack_move, line)))),
    }
    return found | {name: difficulty.get(name, 0.0) for name in NAMES if name not in found}


# --- what published problems have on average, which a collection shall have too --------------------
#
# The features are those of the first view of `generator.likeness`; `scripts/fit collection` counts them.

_PUBLISHED_FILE = Path(__file__).with_name("published.npz")
_RARE_VARIANCE = 0.03
"""Added to every variance, so that a feature which hardly any published problem has does not count too much."""


@dataclass(frozen=True)
class PublishedFeatures:
    """The means and spreads of the features of published problems of one length; arrays [``names``]."""

    names: tuple[str, ...]
    means: np.ndarray
    spreads: np.ndarray

    @classmethod
    def of(cls, problems: Sequence[Features]) -> PublishedFeatures:
        """Return those of some problems, at least one."""
        names = tuple(sorted(problems[0]))
        table = np.array([[one[name] for name in names] for one in problems], dtype=np.float64)
        return cls(names, table.mean(axis=0), np.sqrt(table.var(axis=0) + _RARE_VARIANCE))

    def deviations(self, features: Features) -> np.ndarray:
        """Return how far a problem is from the means, in spreads."""
        row = np.array([features[name] for name in self.names], dtype=np.float64)
        found: np.ndarray = (row - self.means) / self.spreads
        return found


def deviations_from_published(features: Features, length: int) -> np.ndarray:
    """Return how far the features of a problem are from those of published ones of its length, in spreads. ``features``
    are those of `generator.likeness.shape_and_line`; a length that nobody counted has those of the nearest."""
    return fitted_for_length(published_features(), length).deviations(features)


@cache
def published_features() -> dict[int, PublishedFeatures]:
    """Return the features of published problems by length in plies."""
    with _PUBLISHED_FILE.open("rb") as file, np.load(file) as data:
        names = tuple(data["names"].tolist())
        lengths = sorted(int(name.split()[0]) for name in data.files if name.endswith(" means"))
        return {n: PublishedFeatures(names, data[f"{n} means"], data[f"{n} spreads"]) for n in lengths}


def write_published_features(counted: Mapping[int, PublishedFeatures], path: Path | None = None) -> None:
    """Write the features of published problems to a file, by default to the one they are read from."""
    arrays = {"names": np.array(next(iter(counted.values())).names)}
    for n, one in sorted(counted.items()):
        arrays |= {f"{n} means": one.means.astype(np.float32), f"{n} spreads": one.spreads.astype(np.float32)}
    write_arrays(arrays, path or _PUBLISHED_FILE)


# --- what a problem adds to a collection: its themes, its key, its mate, its king, its pieces ------

FEATURE_POINTS = {
    "theme": 20.0, "key": 15.0, "key_square": 10.0, "ending": 20.0, "mate": 15.0, "mate_square": 10.0,
    "king": 10.0, "hand": 10.0, "pieces": 5.0, "level": 10.0,
}  # fmt: skip
"""Points of merit that the first problem with a feature is worth, by the kind of the feature.

The second one is worth 0.41 of them, the hundredth 0.05 (`generator.collection`).
"""
LEVELS = 5
"""Levels of difficulty over which every collection is spread (``level``), if only by points."""
_PIECES_AT_ONCE = 3

Feature = tuple[str, str]
"""The kind of a feature, and what the problem shows."""
Shares = tuple[tuple[Feature, float], ...]
"""Features of a problem; those of one kind have a share of 1 together."""


def collection_features(position: Position, line: tuple[Move, ...], themes: Sequence[str]) -> Shares:
    """Return the features of a problem but its level; they are those of its mirror image too."""
    shown = sorted(set(themes)) or ["none"]
    replayed = replay_line(position, line)
    key, mate = replayed.turns[0], replayed.plies[-1]
    others: tuple[Feature, ...] = (
        ("ending", tail_key(line, only_targets=True)),
        ("key", f"{_move_text(key.check)}{'!' * key.is_sacrifice}"),
        ("key_square", _offset_text(key.check)),
        ("mate", f"{_move_text(mate)} {_offset_text(mate)}"),
        ("mate_square", _square_text(mate.king)),
        ("king", _square_text(replayed.plies[0].king)),
        ("hand", "".join(LETTERS_IN_HAND[kind - 1] for kind in position.attacker_hand)),
        ("pieces", str(position.piece_count() // _PIECES_AT_ONCE)),
    )
    return (*((("theme", theme), 1 / len(shown)) for theme in shown), *((one, 1.0) for one in others))


def _move_text(ply: ReplayedPly) -> str:
    """A move without its squares: what it is that moves, and whether it is dropped, captures or promotes."""
    kind = Kind(ply.kind)
    piece = f"{'+' * kind.is_promoted}{LETTERS[kind.base]}"
    return f"{piece}{'*' * ply.is_drop}{'x' * bool(ply.captured)}{'=' * ply.promotes}"


def _offset_text(ply: ReplayedPly) -> str:
    one, other = int(SQUARE[ply.target]), int(SQUARE[ply.king])
    return f"{abs(file_of(one) - file_of(other))},{rank_of(one) - rank_of(other)}"


def _square_text(cell: int) -> str:
    sq = int(SQUARE[cell])
    return str(min(sq, mirrored(sq)))


# --- the problems of which some are chosen, and which of them are alike ----------------------------

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
    """`generator.collection.deviations_from_published`."""
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


# --- the greedy choice of a set that is good, diverse, and on average like published problems ------
#
# A set is worth the merits of its problems and, for each feature, its points times the square root of the
# share that the problems have of it: the more problems show a feature, the less another one adds. Such a
# function is submodular and monotone (Lin, Bilmes 2011, concave functions over modular ones), and taking the
# best problem again and again makes a set worth at least 1 - 1/e of the best one, or half of it where levels
# have a number of problems each (Nemhauser, Wolsey, Fisher 1978; Fisher, Nemhauser, Wolsey 1978).
#
# From this the squared distance of the mean features from those of published problems (`generator.collection`)
# is taken, times the number of problems: of all differences from what people compose, a set keeps those that pay. The
# distance is that between two distributions, estimated without bias (as the maximum mean discrepancy of Gretton et al.
# 2012, with products of features): pairs of problems count, not how unusual one is by itself. This part is not
# submodular; to choose so that a mean comes near a given one is herding (Welling 2009).

DISTANCE_POINTS = 24.0
"""Points of merit that the squared distance costs, for each problem."""
FEW = 20
"""Added to the number of problems that the distance is divided by: the mean of a few says little."""
_DIGITS = 6
"""What problems add is compared to so many digits, whatever the order in which a machine sums."""


class DiverseChoice:
    """A choice from candidates; the result does not depend on their order. ``levels`` has the level of each candidate,
    ``accepts`` says of one that would be chosen next whether it may be, and ``choose`` is called with each that is."""

    def __init__(
        self,
        candidates: Sequence[CollectionCandidate],
        levels: Sequence[int],
        accepts: Callable[[CollectionCandidate], bool],
        choose: Callable[[CollectionCandidate], None],
    ) -> None:
        self._candidates = candidates
        self._order = sorted(range(len(candidates)), key=lambda index: candidates[index].sfen)
        ordered = [candidates[index] for index in self._order]
        self._levels = np.array([levels[index] for index in self._order], dtype=np.int64)
        self._accepts, self._choose = accepts, choose
        self._worth = SetWorth(ordered)
        self._is_free = np.ones(len(candidates), dtype=np.bool_)
        self.chosen: list[int] = []
        """The indices of the chosen candidates, in the order of their choice."""

    def take(self, quotas: Mapping[int, int]) -> None:
        """Choose so many candidates of each level; those that are missing are chosen from any level."""
        left = dict(quotas)
        wanted = len(self.chosen) + sum(left.values())
        while (level := self._take_of([level for level, number in left.items() if number > 0])) is not None:
            left[level] -= 1
        while len(self.chosen) < wanted and self._take_of(sorted(set(self._levels.tolist()))) is not None:
            pass

    def _take_of(self, levels: Sequence[int]) -> int | None:
        """Choose the best candidate of these levels that is accepted; its level, or None if there is none."""
        may_be = np.flatnonzero(self._is_free & np.isin(self._levels, levels))
        gains = self._worth.gains()[may_be]
        for place in may_be[np.argsort(-gains, kind="stable")].tolist():
            index = self._order[place]
            self._is_free[place] = False
            if self._accepts(self._candidates[index]):
                self.chosen.append(index)
                self._worth.add(place)
                self._choose(self._candidates[index])
                return int(self._levels[place])
        return None


class SetWorth:
    """The worth of a set of candidates that grows, and what each of them would add to it."""

    def __init__(self, candidates: Sequence[CollectionCandidate]) -> None:
        numbers: dict[Feature, int] = {}
        for one in candidates:
            for feature, _ in one.shares:
                numbers.setdefault(feature, len(numbers))
        self._points = np.array([*(FEATURE_POINTS[kind] for kind, _ in numbers), 0.0])
        width = max((len(one.shares) for one in candidates), default=0)
        self._features = np.full((len(candidates), width), len(numbers))  # the last one is none
        self._shares = np.zeros((len(candidates), width))
        for row, one in enumerate(candidates):
            for column, (feature, share) in enumerate(one.shares):
                self._features[row, column], self._shares[row, column] = numbers[feature], share
        self._merits = np.array([one.merit for one in candidates])
        self._deviations = np.array([one.deviations for one in candidates], ndmin=2)
        self._taken = np.zeros(len(numbers) + 1)
        self._sum = np.zeros(self._deviations.shape[1])
        self._number = 0

    def gains(self) -> np.ndarray:
        """What each candidate adds to the set, up to a number that is the same for all; float64 [n]."""
        taken, points = self._taken[self._features], self._points[self._features]
        diversity = (points * (np.sqrt(taken + self._shares) - np.sqrt(taken))).sum(axis=1)
        distance = 2 * (self._deviations @ self._sum) / (self._number + 1 + FEW)
        gains: np.ndarray = np.round(self._merits + diversity - DISTANCE_POINTS * distance, _DIGITS)
        return gains

    def add(self, place: int) -> None:
        """Add a candidate to the set."""
        np.add.at(self._taken, self._features[place], self._shares[place])
        self._sum += self._deviations[place]
        self._number += 1


def level_quotas(number: int, shares: Sequence[float]) -> list[int]:
    """How many of ``number`` problems each level gets by its share; the largest remainders are rounded up."""
    exact = [number * share / sum(shares) for share in shares]
    quotas = [int(one) for one in exact]
    remainders = sorted(range(len(shares)), key=lambda level: (quotas[level] - exact[level], level))
    for level in remainders[: number - sum(quotas)]:
        quotas[level] += 1
    return quotas


def quantile_levels(scores: Sequence[tuple[float, str]], number: int) -> list[int]:
    """The level of each problem by its score and SFEN, from 0 on: as many in each, lower scores first."""
    order = sorted(range(len(scores)), key=lambda index: scores[index])
    levels = [0] * len(scores)
    for place, index in enumerate(order):
        levels[index] = place * number // len(order)
    return levels


# --- choosing the problems of a collection ---------------------------------------------------------


@dataclass(frozen=True)
class LevelledProblem:
    """A chosen problem with its level of difficulty, from 0 on."""

    problem: CollectionCandidate
    level: int


@dataclass(frozen=True)
class ChosenGroup:
    """What was chosen of ``candidates`` problems, by difficulty. ``alike`` counts the problems that are like chosen
    ones, by `generator.collection.LIKENESSES`; ``known`` those that would have been chosen but are known."""

    candidates: int
    chosen: tuple[LevelledProblem, ...]
    alike: Counter[str]
    known: int


class CollectionChooser:
    """Chooses from several groups of problems, such as those of a length, no two of them alike: to an editor
    (`generator.problem_keys`), or by their pieces. ``is_known`` says of a problem whether it is left out as a known
    one."""

    def __init__(
        self, groups: Sequence[Sequence[CollectionCandidate]], is_known: Callable[[CollectionCandidate], bool]
    ) -> None:
        self._is_known = is_known
        self._known: set[int] = set()
        self._ids: list[int] = []
        self._by_key: defaultdict[int, list[int]] = defaultdict(list)
        self._index = ResemblanceIndex()
        self._alike: dict[int, str] = {}
        """The ids of those that are like chosen ones, and why."""
        for candidate in chain.from_iterable(groups):
            self._ids.append(candidate.id)
            for key in candidate.keys:
                self._by_key[key_hash(key)].append(candidate.id)
            self._index.add(Placement(candidate.position, candidate.line))

    def choose(
        self, group: Sequence[CollectionCandidate], number: int, shares: Sequence[float] = (1.0,)
    ) -> ChosenGroup:
        """Choose ``number`` problems of a group; each level of difficulty has its share of them. The levels are
        quantiles of the score. Fewer are chosen if the others are alike or known."""
        scores = [(one.score, one.sfen) for one in group]
        levels = quantile_levels(scores, len(shares))
        # The level is among their features, so that every choice is spread over levels.
        with_levels = [
            replace(one, shares=(*one.shares, (("level", str(level)), 1.0)))
            for one, level in zip(group, quantile_levels(scores, LEVELS), strict=True)
        ]
        choice = DiverseChoice(with_levels, levels, self._accepts, self._exclude_like)
        choice.take(dict(enumerate(level_quotas(number, shares))))
        chosen = [LevelledProblem(group[index], levels[index]) for index in choice.chosen]
        chosen.sort(key=lambda one: (one.problem.score, one.problem.sfen))
        ids = {candidate.id for candidate in group}
        reasons = Counter(reason for number, reason in self._alike.items() if number in ids)
        taken = {one.problem.id for one in chosen}
        return ChosenGroup(len(group), tuple(chosen), reasons, len(ids & self._known - taken))

    def _accepts(self, candidate: CollectionCandidate) -> bool:
        if candidate.id in self._alike:
            return False
        if self._is_known(candidate):
            self._known.add(candidate.id)
            return False
        return True

    def _exclude_like(self, chosen: CollectionCandidate) -> None:
        """Exclude all that are like a chosen one."""
        like = [(number, LIKENESSES[key[0]]) for key in chosen.keys for number in self._by_key[key_hash(key)]]
        found = self._index.find(Placement(chosen.position, chosen.line))
        for number, reason in (*like, *((self._ids[one.number], LIKENESSES["p"]) for one in found)):
            if number != chosen.id:
                self._alike.setdefault(number, reason)
