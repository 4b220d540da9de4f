# SPDX-License-Identifier: GPL-3.0-or-later
"""The reply tree used by all players: every check, with its result and the answer to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from solver.explaining.explanation import Cause, Proof
from solver.explaining.manner import Manner
from tsume_rules.moves import Move
from tsume_rules.pieces import Kind


class Rank(Enum):
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
class Mates:
    """A check that mates in exactly ``length`` plies, and all legal answers to it, the best one first.

    No answer is the best if the check mates at once: then all answers, if any, are futile drops.
    """

    check: Move
    length: int
    rank: Rank
    answers: tuple[AnswerResult, ...] = ()

    @property
    def best(self) -> AnswerResult | None:
        """The answer that is played; None after mate."""
        return next((answer for answer in self.answers if answer.best), None)


@dataclass(frozen=True)
class Fails:
    """A check that does not mate, and the clearest answer that refutes it.

    ``proof`` is the kind of proof; with `Proof.BOUNDED` there is no mate within ``within`` plies after the
    answer. ``manner`` is the kind of answer, ``piece`` the piece moved or dropped, ``taken`` the piece
    captured; ``cause``: a rule that decides, if one does and it was looked for.
    """

    check: Move
    answer: Move
    proof: Proof
    manner: Manner
    piece: Kind
    taken: Kind | None = None
    within: int | None = None
    cause: Cause | None = None


@dataclass(frozen=True)
class Open:
    """A check without a result, because a limit was reached.

    ``mates`` means that it mates in an unknown number of plies.
    """

    check: Move
    mates: bool = False


CheckResult = Mates | Fails | Open


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


@dataclass(frozen=True)
class ReplyTree:
    """All turns that a player can reach against the best answers; the first is the start.

    ``line`` is the best line; ``no_mate`` means that there is provably no mate. If not ``complete``, a
    limit cut the tree: some checks are `Open`, or some answers that should lead to a turn do not.
    """

    line: tuple[Move, ...]
    turns: tuple[TreeTurn, ...]
    complete: bool
    no_mate: bool = False

    @property
    def length(self) -> int | None:
        """The plies of the shortest mate; None if there is none or none is known."""
        return self.turns[0].length

    @property
    def open_checks(self) -> Iterator[tuple[TreeTurn, Open]]:
        """The open checks, each with its turn."""
        return ((turn, check) for turn in self.turns for check in turn.checks if isinstance(check, Open))
