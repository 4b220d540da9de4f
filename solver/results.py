"""What the solver answers: results as data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, Flag, auto

from rules.moves import Move


@dataclass(frozen=True)
class Limits:
    """How far a search may go; None is no limit.

    ``nodes`` positions expanded, ``seconds`` of wall clock, ``max_length`` plies
    of mate looked for.
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
    """The attacker mates in ``length`` plies at the shortest; ``line`` is the best line.

    ``line`` is longer than ``length`` only where the longest defence is a futile
    interposition that the mate cannot do without (a case of the grey zone).
    """

    length: int
    line: tuple[Move, ...] = ()


@dataclass(frozen=True)
class NoMate:
    """There is no mate, at any length."""


@dataclass(frozen=True)
class Unresolved:
    """A limit was reached; ``no_mate_within`` plies are known to hold no mate."""

    reason: Reason
    no_mate_within: int = 0


SearchResult = Mate | NoMate | Unresolved


class Interposition(Enum):
    """Which interpositions count for nothing (無駄合); see docs/glossary.md."""

    NARROW = 0
    COUNT_ALL = 1
    WIDE = 2


class Verdict(Flag):
    """The defects of a problem; no flag set means correct (完全作)."""

    CORRECT = 0
    ILLEGAL_START = auto()
    NO_MATE = auto()
    WRONG_LENGTH = auto()
    COOK = auto()
    LEFTOVER = auto()
    UNDETERMINED_FORM = auto()
    UNNECESSARY_PIECE = auto()
    GREY_INTERPOSITION = auto()

    @property
    def names(self) -> list[str]:
        """The names of the defects, in the order of definition."""
        return [flag.name for flag in self if flag.name]


class Remark(Flag):
    """What is reported of a problem but is no defect by docs/rules.md."""

    NONE = 0
    LEFTOVER_IN_VARIATION = auto()
    EQUAL_DEFENCES = auto()
    LAST_MOVE_ALTERNATIVES = auto()
    DETOUR = auto()
    VARIATION_COOK = auto()

    @property
    def texts(self) -> list[str]:
        """A sentence for each remark."""
        return [_REMARKS[flag.name] for flag in self if flag.name]


_REMARKS = {
    "LEFTOVER_IN_VARIATION": "a defence as long leaves pieces in hand",
    "EQUAL_DEFENCES": "the defender has more than one longest defence (変同)",
    "LAST_MOVE_ALTERNATIVES": "the last move has alternatives (最終手余詰)",
    "VARIATION_COOK": "in a variation another check mates as late as the main line (変化別詰)",
    "DETOUR": "another check mates, but only by coming back to the main line (迂回手順)",
}


@dataclass(frozen=True)
class Judgement:
    """A verdict with what it rests on.

    ``length`` and ``line`` are those of the shortest mate (None and empty when
    there is none or it was not found). ``cooks`` holds a line for each second
    solution: the main line up to the turn, then the other check and its mate.
    ``searched`` is how many plies from the first move on second solutions were
    looked for (None: to the end, no bound was needed). ``faults`` says what is wrong
    with an illegal start, or which piece is unnecessary. ``unresolved`` says that
    some search ran into a limit: then the problem is not known to be correct,
    whatever ``verdict`` says. ``remarks`` are reported but refuse nothing.
    """

    verdict: Verdict
    unresolved: bool = False
    length: int | None = None
    line: tuple[Move, ...] = ()
    cooks: tuple[tuple[Move, ...], ...] = ()
    searched: int | None = 0
    remarks: Remark = Remark.NONE
    faults: tuple[str, ...] = ()

    @property
    def correct(self) -> bool:
        """Whether the problem is proved correct."""
        return not self.verdict and not self.unresolved


@dataclass(frozen=True)
class Difficulty:
    """How hard a problem is: a vector of features, one score, a star rating.

    ``features`` maps names (see docs/difficulty.md) to numbers; ``score`` is a
    proxy on an open scale, ``stars`` 1 to 5 on its documented steps.
    """

    features: dict[str, float]
    score: float
    stars: int
