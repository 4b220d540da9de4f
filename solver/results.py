"""What the solver answers: results as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, Flag, auto

from tsume_rules.moves import Move


@dataclass(frozen=True)
class Limits:
    """How far a search may go; None: without limit.

    ``nodes``: positions searched; ``seconds``: wall-clock time; ``max_length``: the longest
    mate searched for, in plies.
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
class Known:
    """What is known of a mate: there is none within ``none_within`` plies.

    ``within``: there is one within so many plies; None: that is not known.
    """

    none_within: int = 0
    within: int | None = None


class Interposition(Enum):
    """The reading: which interpositions are futile (無駄合); see docs/glossary.md."""

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
    MIRROR_KEY = auto()

    @property
    def names(self) -> list[str]:
        """The names of the defects, in the order of definition."""
        return [flag.name for flag in self if flag.name]


class Grade(Enum):
    """What people mean by correct (docs/rules.md, "Grades")."""

    PERFECT = "perfect"
    """All nine conditions hold (完全作)."""
    SOUND = "sound"
    """The judged line is the only solution; there are blemishes (キズ)."""
    UNSOUND = "unsound"
    """A fault spoils the problem (不完全作)."""


class Fault(Enum):
    """What makes a problem unsound, with the words editors use."""

    ILLEGAL_START = "不正な初形"
    NO_MATE = "不詰"
    EARLY_MATE = "早詰"
    WRONG_LENGTH = "手数違い"
    COOK = "余詰"
    LEFTOVER = "駒余り"


class Blemish(Enum):
    """What a sound problem is marked down for (キズ), with the words editors use."""

    FORM = "非限定"
    MIRROR_KEY = "左右対称"
    EQUAL_DEFENCES = "変同"
    COOK_IN_EQUAL_DEFENCE = "変同余詰"
    DETOUR = "迂回手順"
    UNNECESSARY_PIECE = "不要駒"
    GREY_INTERPOSITION = "無駄合の解釈"
    LEFTOVER_IN_VARIATION = "同手数駒余り"
    LONGER_WITH_LEFTOVER = "変長"
    STARTS_IN_CHECK = "初形王手"


@dataclass(frozen=True)
class GivenLine:
    """What a line given with a problem is worth (作意).

    ``reading`` names the first reading of futile interpositions by which it is a shortest mate
    against longest defences: ``narrow``, ``purist`` or ``wide``; ``longer`` where the only
    longer defences, by two plies, leave pieces in hand (変長); None if it is none of these. Then
    ``wrong_at`` is the index of its first move that is not best, and ``better`` what should
    follow from there (empty if nothing mates from there in time).
    """

    moves: tuple[Move, ...]
    reading: str | None = None
    wrong_at: int | None = None
    better: tuple[Move, ...] = ()


class Remark(Flag):
    """What is reported of a problem without being a defect (docs/rules.md)."""

    NONE = 0
    LEFTOVER_IN_VARIATION = auto()
    EQUAL_DEFENCES = auto()
    LAST_MOVE_ALTERNATIVES = auto()
    DETOUR = auto()
    VARIATION_COOK = auto()
    STARTS_IN_CHECK = auto()

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
    "STARTS_IN_CHECK": "the attacker's king is in check at the start (初形王手)",
}


@dataclass(frozen=True)
class Finding:
    """Evidence of one defect or remark; `solver.judging.findings` has a kind for each.

    ``line`` starts at the problem's start. It is empty if there is no line to show or a
    limit ended the search for it.
    """

    of: Verdict | Remark
    line: tuple[Move, ...] = ()


@dataclass(frozen=True)
class Choices:
    """One of the attacker's turns by one reading.

    ``length``: of the mate from there (None: there is none within the plies searched);
    ``moves``: those that mate within the plies the main line has left.
    """

    length: int | None
    moves: tuple[Move, ...]


@dataclass(frozen=True)
class Parting:
    """The first of the attacker's turns at which the readings differ.

    It comes after the moves of ``path``; by the narrow reading ``plies`` are left there.
    """

    path: tuple[Move, ...]
    plies: int
    narrow: Choices
    purist: Choices
    wide: Choices


@dataclass(frozen=True)
class Readings:
    """The problem's length by each reading of futile interpositions (docs/rules.md).

    ``purist`` is None if there is no mate by that reading within ``searched`` plies, or a
    limit was reached. ``parting`` is None if all readings agree at every turn of the main
    line. ``drop_played``: the main line is longer than the mate, as only a futile drop
    lasts to the end.
    """

    narrow: int
    purist: int | None
    wide: int
    searched: int
    parting: Parting | None = None
    drop_played: bool = False

    @property
    def agree(self) -> bool:
        """Whether the problem is outside the grey zone."""
        return self.parting is None and not self.drop_played


@dataclass(frozen=True)
class Judgement:
    """A verdict and its grounds.

    ``length`` and ``line`` are those of the shortest mate (None and empty if none was
    found). ``cooks`` holds a line for each second solution: the main line up to the turn,
    then the other check and its mate. Second solutions were searched for up to ``searched``
    plies from the first move (None: at any length). ``faults`` says what is illegal in the
    start, or which piece is unnecessary. ``unresolved``: some search reached a limit, so
    the problem is not known to be correct, whatever the ``verdict``. ``remarks`` do not
    affect the verdict. ``findings`` show each defect and remark; ``readings`` are None if
    no mate was found or a limit was reached first. ``grade`` is None if a limit was reached
    before it was settled; ``graded_faults`` and ``blemishes`` say what it rests on; ``given``
    is what a line given with the problem is worth. A judge that stops at the first defect
    gives none of these. ``complete``: everything was examined, not only what the grade needs.
    """

    verdict: Verdict
    unresolved: bool = False
    length: int | None = None
    line: tuple[Move, ...] = ()
    cooks: tuple[tuple[Move, ...], ...] = ()
    searched: int | None = 0
    remarks: Remark = Remark.NONE
    faults: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    readings: Readings | None = None
    grade: Grade | None = None
    graded_faults: tuple[Fault, ...] = ()
    blemishes: tuple[Blemish, ...] = ()
    given: GivenLine | None = None
    complete: bool = True

    @property
    def correct(self) -> bool:
        """Whether the problem is proved correct."""
        return not self.verdict and not self.unresolved and self.complete

    def is_a(self, grade: Grade, length: int | None = None) -> bool:
        """Whether the problem is of a grade and, where a length is given, of that length."""
        return self.grade is grade and length in (None, self.length)


@dataclass(frozen=True)
class Difficulty:
    """How hard a problem is: features, a score, a star rating.

    ``features`` maps names (see docs/difficulty.md) to numbers; ``score`` is an estimate
    on an open scale; ``stars``, 1 to 5, are documented steps of the score.
    """

    features: Mapping[str, float]
    score: float
    stars: int
