# SPDX-License-Identifier: GPL-3.0-or-later
"""An explanation as data: at each turn why the other checks fail, and the mate after each answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tsume_rules.hands import Hand
from tsume_rules.moves import Move
from tsume_rules.squares import Square


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
    def only(self) -> bool | None:
        """Whether the answer is the only one that refutes; None if that was not examined."""
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
