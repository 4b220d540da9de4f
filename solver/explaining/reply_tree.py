"""The tree behind all players: every check a person may give, with its result and the answer to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from solver.explaining.explanation import Proof
from solver.explaining.manner import Manner
from tsume_rules.moves import Move
from tsume_rules.pieces import Kind


class Rank(Enum):
    """How a check that mates compares with the key of its turn."""

    KEY = "key"
    """The check of the best line."""
    FORM = "form"
    """As soon as the key, differing from it by promotion or distance only (成・不成, 非限定)."""
    AS_SOON = "as_soon"
    """As soon as the shortest mate of the turn."""
    LATER = "later"
    """Later than the shortest mate of the turn: a longer way, or a detour that comes back."""


@dataclass(frozen=True)
class AnswerResult:
    """A legal answer to a check that mates, and the mate that follows.

    ``length`` is the plies of the shortest mate after the answer. ``line`` is such a mate; it is empty
    where ``turn`` names the turn that follows. ``take`` is given for a futile drop (無駄合): the capture
    that shows it futile. ``best`` marks the answer that is played against a person.
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

    ``proof`` says how it is known to; with `Proof.BOUNDED` there is no mate within ``within`` plies
    after the answer. ``manner`` is how it answers, ``piece`` what moves or is dropped, ``taken``
    what it captures.
    """

    check: Move
    answer: Move
    proof: Proof
    manner: Manner
    piece: Kind
    taken: Kind | None = None
    within: int | None = None


@dataclass(frozen=True)
class Open:
    """A check whose result is not known, because a limit was reached.

    ``mates`` means that it is known to mate, but not in how many plies.
    """

    check: Move
    mates: bool = False


CheckResult = Mates | Fails | Open


@dataclass(frozen=True)
class TreeTurn:
    """A turn of the attacker, named by its ``id`` (its place in the tree); ``path`` first leads to it.

    Two paths that lead to one position share its turn. ``length`` is the plies of its shortest mate,
    ``key`` the check that the best line gives; both are None if there is no mate or none is known.
    ``checks`` are all legal checks: those that mate, the key first; open ones; those that fail.
    """

    id: int
    path: tuple[Move, ...]
    length: int | None
    key: Move | None
    checks: tuple[CheckResult, ...]


@dataclass(frozen=True)
class ReplyTree:
    """All turns that a person can reach who meets the best answers; the first is the start.

    ``line`` is the best line; ``no_mate`` means that it is proved that there is none. Without ``complete``
    a limit cut the tree: some checks are `Open`, or some answers that should lead to a turn do not.
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
        """The checks whose result is not known, each with its turn."""
        return ((turn, check) for turn in self.turns for check in turn.checks if isinstance(check, Open))
