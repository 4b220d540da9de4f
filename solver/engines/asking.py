"""What engines that answer A(p, n) and D(q, n) share: the forms of the questions, not the search."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager

from solver.limits import Meter
from solver.results import Limits
from tsume_rules.packing import Record
from tsume_rules.pieces import Side
from tsume_rules.record_play import played


class Asking(ABC):
    """Questions put to one search, ``_answer``, under the limits of ``_meter`` (`solver.engines.base`)."""

    _meter: Meter

    @abstractmethod
    def _answer(self, record: Record, n: int, attacker: bool) -> bool:
        """A(p, n) with the attacker to move, else D(q, n). Raises `LimitReached`."""

    @contextmanager
    def within(self, limits: Limits) -> Iterator[None]:
        """Stop with `LimitReached` when the limits' nodes or seconds are used up.

        Inside other limits the tighter ones hold.
        """
        with self._meter.within(limits):
            yield

    def check_limits(self) -> None:
        """Raise `LimitReached` if the limits in force are used up."""
        self._meter.check()

    def mates(self, record: Record, n: int) -> bool:
        """A(p, n): whether the attacker, to move, mates within n plies (n odd). Raises `LimitReached`."""
        return self._answer(record, n, True)

    def is_mated(self, record: Record, n: int) -> bool:
        """D(q, n): whether the defender, in check and to move, is mated within n plies (n even).

        Raises `LimitReached`.
        """
        return self._answer(record, n, False)

    def mates_after(self, record: Record, move: int, n: int) -> bool:
        """Whether a check (a kernels' move code) mates within n plies, itself counted."""
        with played(record, move, Side.ATTACKER):
            return self.is_mated(record, n - 1)


class AskingOneByOne(Asking):
    """An engine with no kernel for many questions at once, and no search without a bound."""

    @property
    @abstractmethod
    def refuted_for_good(self) -> bool:
        """Whether the last answer was no, at any length."""

    def mating(self, record: Record, checks: list[int], bound: int) -> list[int]:
        """Those of the checks that mate within ``bound`` plies. Raises `LimitReached`."""
        return [check for check in checks if self.mates_after(record, check, bound)]

    def refute_each(self, record: Record, checks: list[int], bound: int) -> tuple[int | None, list[int]]:
        """The first check that mates within ``bound`` plies, and those still open. Raises `LimitReached`."""
        still = list(checks)
        for check in checks:
            mates = self.mates_after(record, check, bound)
            if mates or self.refuted_for_good:
                still.remove(check)
            if mates:
                return check, still
        return None, still

    def mates_ever(self, record: Record, *, attacker: bool = True) -> bool:
        """Whether the attacker mates at any length, by raising the bound until it is known.

        Where he can go on checking for ever only the limits end this. Raises `LimitReached`.
        """
        n = 1 if attacker else 0
        while not self._answer(record, n, attacker):
            if self.refuted_for_good:
                return False
            self.check_limits()
            n += 2
        return True
