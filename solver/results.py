# SPDX-License-Identifier: GPL-3.0-or-later
"""What the solver answers: results and defects as data; the limits of nodes and time that a search keeps."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, Flag, auto
from functools import reduce
from math import inf
from operator import or_
from typing import TypeVar

from tsume_rules.moves import Move

# --- the one list of what the judge reports of a problem, and how much each item weighs ------------
#
# A *fault* makes a problem unsound, a *blemish* (キズ) leaves it sound; the others are only reported
# (docs/rules.md, "Grades"). The terms and sentences are in `tsume.language.terms`.


class Defect(Flag):
    """What is wrong with a problem; no flag set means nothing."""

    NONE = 0
    ILLEGAL_START = auto()
    NO_MATE = auto()
    EARLY_MATE = auto()
    WRONG_LENGTH = auto()
    COOK = auto()
    LEFTOVER = auto()
    UNDETERMINED_FORM = auto()
    UNNECESSARY_PIECE = auto()
    GREY_INTERPOSITION = auto()
    MIRROR_KEY = auto()
    COOK_IN_EQUAL_DEFENCE = auto()
    LONGER_WITH_LEFTOVER = auto()
    LEFTOVER_IN_VARIATION = auto()
    EQUAL_DEFENCES = auto()
    LAST_MOVE_ALTERNATIVES = auto()
    DETOUR = auto()
    VARIATION_COOK = auto()
    STARTS_IN_CHECK = auto()
    MERGING = auto()
    ORDER = auto()
    ENDING = auto()
    SAME_POSITION = auto()

    @classmethod
    def union(cls, defects: Iterable[Defect]) -> Defect:
        """Return all of these together."""
        return reduce(or_, defects, cls.NONE)

    @property
    def names(self) -> list[str]:
        """Return the names of the flags set, in the order of definition."""
        return [flag.name for flag in self if flag.name]

    @property
    def blemishes(self) -> Defect:
        """Return the flags set that are blemishes."""
        return self & Defect.union(BLEMISHES.values())

    @property
    def blemish_names(self) -> list[str]:
        """Return the names of the blemishes set, in the order of `BLEMISHES`."""
        return [name for name, flag in BLEMISHES.items() if flag in self]


FAULTS = (
    Defect.ILLEGAL_START | Defect.NO_MATE | Defect.EARLY_MATE | Defect.WRONG_LENGTH
    | Defect.COOK | Defect.LEFTOVER
)  # fmt: skip
"""What makes a problem unsound (不完全作)."""
BLEMISHES = {
    "FORM": Defect.UNDETERMINED_FORM,
    "MIRROR_KEY": Defect.MIRROR_KEY,
    "EQUAL_DEFENCES": Defect.EQUAL_DEFENCES,
    "COOK_IN_EQUAL_DEFENCE": Defect.COOK_IN_EQUAL_DEFENCE,
    "DETOUR": Defect.DETOUR,
    "MERGING": Defect.MERGING,
    "ORDER": Defect.ORDER,
    "ENDING": Defect.ENDING,
    "UNNECESSARY_PIECE": Defect.UNNECESSARY_PIECE,
    "GREY_INTERPOSITION": Defect.GREY_INTERPOSITION,
    "LEFTOVER_IN_VARIATION": Defect.LEFTOVER_IN_VARIATION,
    "LONGER_WITH_LEFTOVER": Defect.LONGER_WITH_LEFTOVER,
    "STARTS_IN_CHECK": Defect.STARTS_IN_CHECK,
}
"""What a sound problem is marked down for (キズ), by the names stored and shown, in their order."""
CONDITIONS = (
    FAULTS & ~Defect.EARLY_MATE
    | Defect.UNDETERMINED_FORM | Defect.UNNECESSARY_PIECE | Defect.GREY_INTERPOSITION | Defect.MIRROR_KEY
)  # fmt: skip
"""What breaks one of the nine conditions of a correct problem (完全作)."""
WITHOUT_FAULT = Defect.GREY_INTERPOSITION | Defect.UNNECESSARY_PIECE
"""The conditions whose examination is expensive and that no fault depends on."""
REMARKS = (
    Defect.LEFTOVER_IN_VARIATION | Defect.EQUAL_DEFENCES | Defect.LAST_MOVE_ALTERNATIVES
    | Defect.DETOUR | Defect.VARIATION_COOK | Defect.STARTS_IN_CHECK | Defect.SAME_POSITION
)  # fmt: skip
"""What is reported without breaking a condition; some of it is a blemish."""
IMPERFECT = (
    CONDITIONS & ~FAULTS | Defect.COOK_IN_EQUAL_DEFENCE | Defect.LONGER_WITH_LEFTOVER
    | Defect.MERGING | Defect.ORDER | Defect.ENDING
)  # fmt: skip
"""The blemishes that keep a problem from being perfect."""


# --- what the solver answers -----------------------------------------------------------------------


@dataclass(frozen=True)
class Limits:
    """How far a search may go; None: without limit.

    ``nodes``: positions searched; ``seconds``: wall-clock time; ``max_length``: the longest mate searched
    for, in plies.
    """

    nodes: int | None = None
    seconds: float | None = None
    max_length: int | None = None


class Reason(Enum):
    """Why a search ended without an answer."""

    NODES = "nodes"
    SECONDS = "seconds"
    LENGTH = "length"
    MEMORY = "memory"


@dataclass(frozen=True)
class Mate:
    """The shortest mate has ``length`` plies; ``line`` is the best line.

    ``line`` is longer than ``length`` only where the longest defence is a futile
    interposition that the mate cannot do without (a case of the grey zone).
    """

    length: int
    line: tuple[Move, ...] = ()


@dataclass(frozen=True)
class NoMate:
    """There is no mate at any length."""


@dataclass(frozen=True)
class Unresolved:
    """A limit was reached; it is known that there is no mate within ``no_mate_within`` plies.

    ``mate_within``: the length of a mate that was found; a shorter one is not ruled out. None: none was.
    """

    reason: Reason
    no_mate_within: int = 0
    mate_within: int | None = None


SearchResult = Mate | NoMate | Unresolved


@dataclass(frozen=True)
class MateBounds:
    """Bounds of the length of a mate: there is none within ``none_within`` plies.

    ``within``: there is one within this many plies; None: unknown.
    """

    none_within: int = 0
    within: int | None = None


class Interposition(Enum):
    """The reading: which interpositions are futile (無駄合); see docs/glossary.md."""

    NARROW = 0
    COUNT_ALL = 1
    WIDE = 2


class Grade(Enum):
    """What people mean by correct (docs/rules.md, "Grades")."""

    PERFECT = "perfect"
    """All nine conditions hold (完全作)."""
    SOUND = "sound"
    """The judged line is the only solution; there are blemishes (キズ)."""
    UNSOUND = "unsound"
    """A fault spoils the problem (不完全作)."""


@dataclass(frozen=True)
class GivenLine:
    """What a line given with a problem is worth (作意).

    ``reading`` names the first reading of futile interpositions by which it is a shortest mate against longest
    defences: ``narrow``, ``purist`` or ``wide``; ``longer`` where the only longer defences, by two plies, leave pieces
    in hand (変長); None if it is none of these. Then ``wrong_at`` is the index of its first move that is not best, and
    ``better`` what should follow from there (empty if nothing mates from there in time); in a position without a mate,
    the index of the first move that cannot be played or gives no check, None if there is none. A line without such a
    move that breaks off is the beginning of one of ``beginning_of`` plies; ``better`` is then the rest of that line
    (empty if it is best by the purist or the wide reading alone).
    """

    moves: tuple[Move, ...]
    reading: str | None = None
    wrong_at: int | None = None
    better: tuple[Move, ...] = ()
    beginning_of: int | None = None

    @property
    def best_line(self) -> tuple[Move, ...]:
        """Return the best line that was given, or of which the beginning was; empty if there is none."""
        if self.reading:
            return self.moves
        return (*self.moves, *self.better) if self.beginning_of and self.better else ()


@dataclass(frozen=True)
class Finding:
    """Evidence of one defect; `solver.judging.findings` has a kind for each.

    ``line`` starts at the problem's start. It is empty if there is no line to show or a limit ended the search for it.
    """

    of: Defect
    line: tuple[Move, ...] = ()


@dataclass(frozen=True)
class ReadingChoices:
    """One of the attacker's turns by one reading.

    ``length``: of the mate from there (None: there is none within the plies searched); ``moves``: those that
    mate within the plies the main line has left.
    """

    length: int | None
    moves: tuple[Move, ...]


@dataclass(frozen=True)
class ReadingsDifference:
    """The first of the attacker's turns at which the readings differ.

    It comes after the moves of ``path``; by the narrow reading ``plies`` are left there.
    """

    path: tuple[Move, ...]
    plies: int
    narrow: ReadingChoices
    purist: ReadingChoices
    wide: ReadingChoices


@dataclass(frozen=True)
class Readings:
    """The problem's length by each reading of futile interpositions (docs/rules.md).

    ``purist`` is None if there is no mate by that reading within ``searched`` plies, or a limit was reached.
    ``parting`` is None if all readings agree at every turn of the main line. ``drop_played``: the main line is longer
    than the mate, as only a futile drop lasts to the end. ``restoring`` is the length by the reading that also leaves
    out drops after which the position only comes back; None if a limit was reached. Where it is shorter,
    ``restoring_line`` is its line and ``restoring_drop`` a line to one of these drops. It is no part of `agree`.
    """

    narrow: int
    purist: int | None
    wide: int
    searched: int
    parting: ReadingsDifference | None = None
    drop_played: bool = False
    restoring: int | None = None
    restoring_line: tuple[Move, ...] = ()
    restoring_drop: tuple[Move, ...] = ()

    @property
    def agree(self) -> bool:
        """Whether the problem is outside the grey zone."""
        return self.parting is None and not self.drop_played


@dataclass(frozen=True)
class Judgement:
    """What is wrong with a problem, and the grounds.

    ``defects`` break one of the nine conditions, ``remarks`` break none. ``length`` and ``line`` are those of the
    shortest mate (None and empty if none was found). ``cooks`` holds a line for each second solution: the main line up
    to the turn, then the other check and its mate. Second solutions were searched for up to ``searched`` plies from the
    first move (None: at any length). ``unresolved``: some search reached a limit, so the problem is not known to be
    correct, whatever its ``defects``. ``findings`` show each defect; ``readings`` are None if no mate was found or a
    limit was reached first. ``grade`` is None if a limit was reached before it was settled; it rests on ``faults`` and
    ``blemishes``. ``given`` is what a given line is worth. A judge that stops at the first defect gives none of these.
    ``complete``: everything was examined, not only what the grade needs. ``no_mate_within``: without a length, it is
    known that there is no mate within so many plies. ``not_settled``: the defects that no fault depends on and that
    were not searched for to the end, as their own budgets, or those of the judgement, ran out. ``without_longer``:
    where all longest defences leave pieces, a line two plies shorter, best if they do not count (変長).
    ``without_moved``: a shorter line, best if moved interpositions that are only captured do not count (移動合), and
    ``moved_between``, a line to one of these; both empty if there is none or a limit was reached.
    """

    defects: Defect
    unresolved: bool = False
    length: int | None = None
    line: tuple[Move, ...] = ()
    cooks: tuple[tuple[Move, ...], ...] = ()
    searched: int | None = 0
    remarks: Defect = Defect.NONE
    findings: tuple[Finding, ...] = ()
    readings: Readings | None = None
    grade: Grade | None = None
    faults: Defect = Defect.NONE
    blemishes: Defect = Defect.NONE
    given: GivenLine | None = None
    complete: bool = True
    no_mate_within: int = 0
    not_settled: Defect = Defect.NONE
    without_longer: tuple[Move, ...] = ()
    without_moved: tuple[Move, ...] = ()
    moved_between: tuple[Move, ...] = ()

    @property
    def settled(self) -> bool:
        """Whether no search ran out of its limits."""
        return not self.unresolved and not self.not_settled

    @property
    def correct(self) -> bool:
        """Whether the problem is proved correct."""
        return not self.defects and self.settled and self.complete

    @property
    def strictly_perfect(self) -> bool:
        """Whether it is perfect, and no second form of a check mates, even one that changes nothing."""
        return self.grade is Grade.PERFECT and not self.remarks & Defect.SAME_POSITION

    def is_a(self, grade: Grade, length: int | None = None) -> bool:
        """Return whether the problem is of a grade and, where a length is given, of that length."""
        return self.grade is grade and length in (None, self.length)


FEATURES = (
    "length", "pieces", "log_proof_tree", "decided_positions", "variations", "log_peak_proof_number",
    "log_refutation_work", "hardest_try", "refutation_depth", "checks_per_turn", "answers_per_check", "king_freedom",
    "open_squares", "sacrifices", "material_given", "quiet_moves", "non_promotions", "distant_drops", "captures",
    "attackers", "king_from_edges", "resistance", "tries", "surprise",
)  # fmt: skip
"""The features of difficulty (docs/difficulty.md), in the order of columns and files: fixed, so that all agree."""


@dataclass(frozen=True)
class Difficulty:
    """How hard a problem is.

    ``features`` maps names (see docs/difficulty.md) to numbers; ``score`` is an estimate
    on an open scale, which people see as a rating (`rating_of_score`).
    """

    features: Mapping[str, float]
    score: float

    @property
    def rating(self) -> float:
        """Return the rating of a problem that nobody has solved yet."""
        return rating_of_score(self.score)

    @property
    def stars(self) -> int:
        """Return the stars of this rating, 1 to 5."""
        return stars_of_rating(self.rating)

    @property
    def proof_tree(self) -> int:
        """Return the positions of the proof tree (`proof_tree_size`)."""
        return proof_tree_size(self.features)

    def scale_fields(self, length: int, rating: float | None = None) -> dict[str, int | None]:
        """Return what people see of a problem of ``length`` plies, by names of JSON; None for an unknown proof tree.

        ``rating`` is that by results, if there are any.
        """
        shown = self.rating if rating is None else rating
        return {
            "rating": round(shown),
            "stars": stars_of_rating(shown),
            "rank_in_length": fifth_of_length(score_of_rating(shown) if rating is not None else self.score, length),
            "proof_tree": self.proof_tree or None,
        }


def proof_tree_size(features: Mapping[str, float]) -> int:
    """Return the positions of the proof tree: two for each turn, up to 2^62; 0 if the features do not say it.

    The feature is rounded: above 20,000 positions the number may be off by one in 10,000.
    """
    log = features.get("log_proof_tree")
    return 0 if log is None else 2 * round(2 ** min(log - 1, 61))


# --- the scale of difficulty that people see, one for all lengths (docs/difficulty.md) -------------

_RATING_OF_0, _POINT = 600.0, 20.0
"""The rating of a score of 0 and of each point of it: chosen, not measured."""
RATING_BOUNDS = (600.0, 2600.0)
"""Ratings by scores beyond these would be guesses: hardly anybody is so much weaker or stronger."""
STAR_STEPS = (1000.0, 1400.0, 1800.0, 2200.0)
"""The ratings from which a problem has two stars, three, four, five: a word each (`tsume.language`)."""
MAX_STARS = 5


def rating_of_score(score: float) -> float:
    """Return the rating of the problems with a score: never lower for a higher score."""
    return min(max(_RATING_OF_0 + _POINT * score, RATING_BOUNDS[0]), RATING_BOUNDS[1])


def score_of_rating(rating: float) -> float:
    """Return the score of the problems whose rating this is; beyond `RATING_BOUNDS` as if there were none."""
    return (rating - _RATING_OF_0) / _POINT


def stars_of_rating(rating: float) -> int:
    """Return the stars of a rating, 1 to 5."""
    return 1 + sum(rating >= step for step in STAR_STEPS)


def scores_of_stars(stars: int) -> tuple[float, float]:
    """Return the score from which problems have this many stars, 1 to 5, and that from which they have more."""
    steps = (-inf, *map(score_of_rating, STAR_STEPS), inf)
    return steps[stars - 1], steps[stars]


STEPS_OF_LENGTH: dict[int, tuple[float, float, float, float]] = {
    1: (15.0, 16.7, 18.3, 19.9),
    3: (26.4, 28.9, 31.5, 33.8),
    5: (40.3, 42.6, 45.2, 47.9),
    7: (49.3, 53.0, 56.3, 59.8),
    9: (58.8, 61.7, 65.2, 68.7),
    11: (64.8, 68.3, 71.2, 75.2),
    13: (70.5, 74.7, 78.7, 83.6),
    15: (72.9, 77.6, 80.5, 83.4),
}
"""Quintiles of the scores of published problems by length in plies.

Fitted by ``scripts/fit difficulty`` on 300 problems of each length (254 of 13 plies, 49 of 15) from
a daily column and from books.
"""
_FAR = 6
"""Beyond the table all steps rise as on average over this many of its last plies."""


def steps_of_length(length: int) -> tuple[float, ...]:
    """Return the four scores that part problems of ``length`` plies into fifths.

    Between two lengths of the table the steps are interpolated; beyond the longest they are extrapolated.
    """
    lengths = sorted(STEPS_OF_LENGTH)
    longest = lengths[-1]
    if length > longest:
        before, last = steps_of_length(longest - _FAR), STEPS_OF_LENGTH[longest]
        rise = (sum(last) - sum(before)) / len(last) * (length - longest) / _FAR
        return tuple(round(step + rise, 2) for step in last)
    low = max((n for n in lengths if n <= length), default=lengths[0])
    high = min(n for n in lengths if n >= length)
    share = (length - low) / (high - low) if high > low else 0.0
    pairs = zip(STEPS_OF_LENGTH[low], STEPS_OF_LENGTH[high], strict=True)
    return tuple(round(a + (b - a) * share, 2) for a, b in pairs)


def fifth_of_length(score: float, length: int) -> int:
    """Return in which fifth of published problems of ``length`` plies a score is: 1, the easiest, to 5."""
    return 1 + sum(score >= step for step in steps_of_length(length))


RESISTANCE_NODES = 100_000
"""Resistance is measured up to this number of nodes (docs/difficulty.md)."""


# --- limits of nodes and time, tested between slices of a search -----------------------------------

Number = TypeVar("Number", int, float)


class LimitReached(Exception):  # not an error: the search reached a limit
    """A search reached a limit; ``reason`` says which."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason


class LimitMeter:
    """The current limits of a search; ``count`` returns the nodes used.

    ``look``, if set, is called whenever the limits are tested; it may raise.
    """

    def __init__(self, count: Callable[[], int]) -> None:
        self._count = count
        self.look: Callable[[], None] | None = None
        self._node_limit: int | None = None
        self._deadline: float | None = None

    @contextmanager
    def within(self, limits: Limits) -> Iterator[None]:
        """Apply the limits' nodes and seconds inside the block; of nested limits the tighter ones hold."""
        before = self._node_limit, self._deadline
        if limits.nodes is not None:
            self._node_limit = _lower_limit(self._node_limit, self._count() + limits.nodes)
        if limits.seconds is not None:
            self._deadline = _lower_limit(self._deadline, time.monotonic() + limits.seconds)
        try:
            yield
        finally:
            self._node_limit, self._deadline = before

    @property
    def seconds_left(self) -> float | None:
        """Return the seconds until the current deadline, not negative; None: there is none."""
        return None if self._deadline is None else max(0.0, self._deadline - time.monotonic())

    def next_slice(self, most: int) -> int:
        """Nodes that may be searched before the limits are tested again, at most ``most``."""
        return most if self._node_limit is None else max(0, min(most, self._node_limit - self._count()))

    def check(self) -> None:
        """Raise `LimitReached` if a current limit is reached."""
        if self.look is not None:
            self.look()
        if self._node_limit is not None and self._count() >= self._node_limit:
            raise LimitReached(Reason.NODES)
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise LimitReached(Reason.SECONDS)


def _lower_limit(limit: Number | None, other: Number) -> Number:
    return other if limit is None else min(limit, other)
