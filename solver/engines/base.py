"""What the rest of the solver asks an engine."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

from solver.limits import LimitReached
from solver.results import Interposition, Limits
from tsume_rules.packing import Record
from tsume_rules.pieces import Side
from tsume_rules.record_play import played

T = TypeVar("T")


class MateEngine(Protocol):
    """An engine that answers "mate within n plies?" for a position record.

    It may keep what it has learned; the answers do not depend on it. All questions
    raise `solver.limits.LimitReached` when the limits in force are used up; the
    record is then as it was.
    """

    @property
    def nodes(self) -> int:
        """Positions searched since the engine was made."""

    @property
    def mode(self) -> int:
        """The kernels' number of the reading of interpositions in force."""

    @property
    def length(self) -> int:
        """The length the last answer came with: of a mate, or without one."""

    @property
    def refuted_for_good(self) -> bool:
        """Whether the last answer was no, at any length."""

    def forget(self) -> None:
        """Be as good as new."""

    def reading(self, interposition: Interposition) -> AbstractContextManager[None]:
        """Answer by another reading of futile interpositions for a while."""

    def within(self, limits: Limits) -> AbstractContextManager[None]:
        """Hold to the limits' nodes and seconds for a while; inside others the tighter ones hold."""

    def check_limits(self) -> None:
        """Raise if the limits in force are used up."""

    def barring(self, positions: list[Record]) -> AbstractContextManager[None]:
        """Count as failures of the attacker all ways back to these positions, for a while."""

    def raise_bound(self, record: Record, last: int) -> tuple[int, bool | None]:
        """Ask for a mate within 1, 3, ... plies, to ``last`` at most, for a few milliseconds.

        Returns the last bound asked for and the answer, None if there was no time for it.
        """

    def mates(self, record: Record, n: int) -> bool:
        """A(p, n): whether the attacker, to move, mates within n plies (n odd)."""

    def is_mated(self, record: Record, n: int) -> bool:
        """D(q, n): whether the defender, in check and to move, is mated within n plies (n even)."""

    def mates_after(self, record: Record, move: int, n: int) -> bool:
        """Whether a check (a kernels' move code) mates within n plies, itself counted."""

    def known_after(self, record: Record, move: int, n: int) -> bool:
        """Whether it is known without a search that a check mates within n plies."""

    def mating(self, record: Record, checks: list[int], bound: int) -> list[int]:
        """Those of the checks that mate within ``bound`` plies, themselves counted."""

    def refute_each(self, record: Record, checks: list[int], bound: int) -> tuple[int | None, list[int]]:
        """Ask of each check, in order, whether it mates within ``bound`` plies, itself counted.

        Returns the first that does (None: none does) and the checks that are still open: not
        asked, or refuted for this bound only.
        """

    def mates_ever(self, record: Record, *, attacker: bool = True) -> bool:
        """Whether the attacker mates at any length; ``attacker`` tells whose turn it is."""


def answered_within(engine: MateEngine, nodes: int, question: Callable[[], T]) -> T | None:
    """The answer to a question; None if it takes more nodes.

    Raises `solver.limits.LimitReached` only for limits set outside.
    """
    try:
        with engine.within(Limits(nodes=nodes)):
            return question()
    except LimitReached:
        engine.check_limits()
        return None


def mates_ever_after(engine: MateEngine, record: Record, check: int) -> bool:
    """Whether a check leads to mate at any length. Raises `LimitReached`."""
    with played(record, check, Side.ATTACKER):
        return engine.mates_ever(record, attacker=False)
