# SPDX-License-Identifier: GPL-3.0-or-later
"""Explanations and reply trees as data: why the other checks fail, and the mate after each answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, IntEnum, auto

from tsume_rules.moves import Move
from tsume_rules.position import Hand, Kind, Square


class Proof(Enum):
    """The kind of proof that an answer refutes a check."""

    NO_CHECK = "no_check"
    """The attacker has no further check."""
    ANY_LENGTH = "any_length"
    """After the answer there is no mate at any length."""
    BOUNDED = "bounded"
    """After the answer there is no mate within some number of plies; longer mates are possible."""


class CauseKind(Enum):
    """What decides that an answer refutes a check, or that a check mates."""

    PAWN_DROP_MATE = "pawn_drop_mate"
    """The attacker would mate if a dropped pawn might (打歩詰)."""
    REPETITION = "repetition"
    """The attacker can give check for ever, but the position repeats (連続王手の千日手)."""
    COUNTER_CHECK = "counter_check"
    """The answer checks the attacker's king (逆王手)."""
    PIN = "pin"
    """A piece that could answer the check is pinned."""
    DOUBLE_CHECK = "double_check"
    """Two pieces check; an answer to one of them does not help (両王手)."""


@dataclass(frozen=True)
class Cause:
    """What decides: ``line``, from the answer to a forbidden drop; ``squares``, those of pinned pieces."""

    kind: CauseKind
    line: tuple[Move, ...] = ()
    squares: tuple[Square, ...] = ()


@dataclass(frozen=True)
class Try:
    """A check that fails (紛れ).

    ``answer`` is a clear refutation, ``proof`` the kind of its proof; with `Proof.BOUNDED` there is no mate
    within ``within`` plies after it. ``refutations`` are the answers proved to refute at any length, the
    clearest first; there may be several only if all others were examined (``asked``). ``settled`` means
    that all others are then proved to lose. ``lasting`` counts the answers without a quick mate, ``work``
    the nodes searched. ``cause``: a rule that decides, if one does and it was looked for.
    """

    check: Move
    answer: Move
    proof: Proof
    within: int | None = None
    refutations: tuple[Move, ...] = ()
    asked: bool = False
    settled: bool = False
    lasting: int = 0
    work: int = 0
    cause: Cause | None = None

    @property
    def is_only_refutation(self) -> bool | None:
        """Whether no other answer refutes the check; None if that was not asked, False if a limit left it open."""
        return self.settled and len(self.refutations) == 1 if self.asked else None


@dataclass(frozen=True)
class OtherMate:
    """A check other than the key that mates, in ``length`` plies (None: unknown)."""

    check: Move
    length: int | None


@dataclass(frozen=True)
class Variation:
    """An answer to the key and the shortest mate after it (変化).

    ``answers`` has several moves if drops of several kinds on one square lead to the same line. ``line``
    follows the answer and takes ``length`` plies; ``leftover`` stays in the attacker's hand after the first
    of the answers. ``counter_check``: the answer checks the attacker's king (逆王手).
    """

    answers: tuple[Move, ...]
    line: tuple[Move, ...]
    length: int
    leftover: Hand
    counter_check: bool = False


@dataclass(frozen=True)
class FutileDrops:
    """Futile drops on one square (無駄合): the capture ``take`` mates within the same bound."""

    drops: tuple[Move, ...]
    take: Move


@dataclass(frozen=True)
class ExplainedTurn:
    """One of the attacker's turns on the line, after the moves of ``path``.

    ``key`` mates in ``length`` plies; both are None if the position has no mate. ``forbidden`` is a pawn drop
    that would be mate (打歩詰). ``causes``: what decides that the last key is mate.
    """

    path: tuple[Move, ...]
    length: int | None
    key: Move | None
    variations: tuple[Variation, ...] = ()
    futile: tuple[FutileDrops, ...] = ()
    tries: tuple[Try, ...] = ()
    others: tuple[OtherMate, ...] = ()
    forbidden: Move | None = None
    causes: tuple[Cause, ...] = ()


@dataclass(frozen=True)
class Explanation:
    """Every turn of a line explained; not ``complete`` if a limit was reached."""

    line: tuple[Move, ...]
    turns: tuple[ExplainedTurn, ...]
    complete: bool = True


# --- ways to answer a check: capture, king move, interposition -------------------------------------


class AnswerManner(IntEnum):
    """Kinds of answer, in the order in which people consider them."""

    TAKES_CHECKER = auto()
    """The king or another piece takes the checking piece."""
    MOVES_KING = auto()
    """The king goes to another square, or takes a piece that does not check."""
    MOVES_BETWEEN = auto()
    """A piece on the board comes between (移動合)."""
    DROPS_BETWEEN = auto()
    """A piece in hand is dropped between (合駒)."""


# --- the reply tree used by all players: every check, with its result and the answer to it --------


class MateRank(Enum):
    """How a mating check compares with the key of its turn."""

    KEY = "key"
    """The check of the best line."""
    FORM = "form"
    """As soon as the key, differing from it by promotion or distance only (成・不成, 非限定)."""
    AS_SOON = "as_soon"
    """As soon as the shortest mate of the turn."""
    LATER = "later"
    """Later than the shortest mate of the turn: a longer line or a detour."""


@dataclass(frozen=True)
class AnswerResult:
    """A legal answer to a mating check, and the mate after it.

    ``length`` is that of the shortest mate after the answer. ``line`` is such a mate; it is empty if
    ``turn`` is the id of the next turn. For a futile drop (無駄合), ``take`` is the capture that proves it
    futile. ``best`` marks the answer played against a person.
    """

    move: Move
    length: int
    line: tuple[Move, ...] = ()
    turn: int | None = None
    take: Move | None = None
    best: bool = False


@dataclass(frozen=True)
class MatingCheck:
    """A check that mates in exactly ``length`` plies, and all legal answers to it, the best one first.

    No answer is the best if the check mates at once: then all answers, if any, are futile drops.
    """

    check: Move
    length: int
    rank: MateRank
    answers: tuple[AnswerResult, ...] = ()

    @property
    def best(self) -> AnswerResult | None:
        """Return the answer that is played; None after mate."""
        return next((answer for answer in self.answers if answer.best), None)


@dataclass(frozen=True)
class FailingCheck:
    """A check that does not mate, and the clearest answer that refutes it.

    ``proof`` is the kind of proof; with `Proof.BOUNDED` there is no mate within ``within`` plies after the
    answer. ``manner`` is the kind of answer, ``piece`` the piece moved or dropped, ``taken`` the piece
    captured; ``cause``: a rule that decides, if one does and it was looked for.
    """

    check: Move
    answer: Move
    proof: Proof
    manner: AnswerManner
    piece: Kind
    taken: Kind | None = None
    within: int | None = None
    cause: Cause | None = None


@dataclass(frozen=True)
class OpenCheck:
    """A check without a result, because a limit was reached.

    ``mates`` means that it mates in an unknown number of plies.
    """

    check: Move
    mates: bool = False


CheckResult = MatingCheck | FailingCheck | OpenCheck


@dataclass(frozen=True)
class TreeTurn:
    """A turn of the attacker; ``id`` is its index in the tree, ``path`` the first path to it.

    Transpositions share a turn. ``length`` is that of its shortest mate, ``key`` the check of the best
    line; both are None if there is no mate or none is known. ``checks`` are all legal checks: those that
    mate, the key first; open ones; those that fail. ``forbidden`` is a pawn drop that would be mate (打歩詰).
    """

    id: int
    path: tuple[Move, ...]
    length: int | None
    key: Move | None
    checks: tuple[CheckResult, ...]
    forbidden: Move | None = None

    @property
    def key_check(self) -> MatingCheck | None:
        """Return the result of the key; None if there is none."""
        return next((one for one in self.checks if isinstance(one, MatingCheck) and one.check == self.key), None)


@dataclass(frozen=True)
class ReplyTree:
    """All turns that a player can reach against the best answers; the first is the start.

    ``line`` is the best line; ``no_mate`` means that there is provably no mate. If not ``complete``, a
    limit cut the tree: some checks are `OpenCheck`, or some answers that should lead to a turn do not.
    """

    line: tuple[Move, ...]
    turns: tuple[TreeTurn, ...]
    complete: bool
    no_mate: bool = False

    @property
    def length(self) -> int | None:
        """Return the plies of the shortest mate; None if there is none or none is known."""
        return self.turns[0].length

    def line_turns(self) -> Iterator[TreeTurn]:
        """Yield the attacker's turns along the best line, as far as the tree has them."""
        turn = self.turns[0]
        for ply in range(0, len(self.line), 2):
            yield turn
            key = turn.key_check
            after = (
                next((one.turn for one in key.answers if one.move in self.line[ply + 1 : ply + 2]), None)
                if key
                else None
            )
            if after is None:
                return
            turn = self.turns[after]

    @property
    def open_checks(self) -> Iterator[tuple[TreeTurn, OpenCheck]]:
        """Return the open checks, each with its turn."""
        return ((turn, check) for turn in self.turns for check in turn.checks if isinstance(check, OpenCheck))
