# SPDX-License-Identifier: GPL-3.0-or-later
"""The best next move of a defender in check, or of either side among given moves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from solver.engines.base import MateEngine
from solver.limits import LimitReached
from solver.results import Limits, Mate, NoMate, Reason, SearchResult, Unresolved
from solver.solving.deepening import FIRST_NODES, LAST_RAISED, suited_to
from solver.solving.tree import TreeBuilder
from tsume_rules.packing import Record, unpack_move
from tsume_rules.pieces import Side
from tsume_rules.record_play import Moves, played

OnBound = Callable[[int], None]
"""Called when there is no mate within so many plies."""
_TURNS_FOR_A_LINE = 400
_NODES_FOR_AN_ESCAPE = 1_000, 30_000, 1_000_000
"""Nodes for each defence, if the smaller numbers find none after which there is no mate."""


def solve_next(engine: MateEngine, root: Root, limits: Limits, on_bound: OnBound) -> SearchResult:
    """Return the shortest mate with its best line, no mate at any length, or unresolved.

    As `solver.solving.solve.solve`, for a root that has only some of the moves or the defender to move.
    """
    engine.forget()
    none_within = root.first - 2
    try:
        with engine.within(Limits(limits.nodes, limits.seconds)):
            found = _length(engine, root, limits.max_length, on_bound)
            if not isinstance(found, int):
                return found
            none_within = found - 2
            with suited_to(engine, found):
                return Mate(found, tuple(map(unpack_move, root.line(found))))
    except LimitReached as limit:
        return Unresolved(limit.reason, max(0, none_within))


def _length(engine: MateEngine, root: Root, last: int | None, on_bound: OnBound) -> int | NoMate | Unresolved:
    """The plies of the shortest mate: the bound is raised, for a long mate lowered. Raises `LimitReached`."""
    nodes, n = FIRST_NODES, root.first
    while n <= LAST_RAISED and (last is None or n <= last):
        if root.mates_within(n):
            return n
        on_bound(n)
        if engine.answered_within(nodes, lambda: root.mate_ever() is None):
            return NoMate()
        nodes *= 2
        n += 2
    if last is not None and n > last:
        return Unresolved(Reason.LENGTH, max(0, n - 2))
    with engine.for_long_works():
        if last is None:
            found = root.mate_ever()
            if found is None:
                return NoMate()
        else:
            found = last - (last - root.first) % 2
            if not root.mates_within(found):
                return Unresolved(Reason.LENGTH, found)
        while found > n and root.mates_within(found - 2):
            found -= 2
    return found


class Root(ABC):
    """The first turn of a search; ``first`` is the least number of plies of a mate there."""

    first: int

    def __init__(self, engine: MateEngine, record: Record, moves: Sequence[int]) -> None:
        self._engine = engine
        self._record = record
        self._moves = moves
        """The moves that the side to move has, the most sensible first."""

    @abstractmethod
    def mates_within(self, n: int) -> bool:
        """Whether the attacker mates within n plies."""

    @abstractmethod
    def mate_ever(self) -> int | None:
        """Plies within which the attacker mates; None if there is no mate at any length."""

    @abstractmethod
    def line(self, n: int) -> Moves:
        """The best line of a mate in exactly n plies."""

    def _builder(self) -> TreeBuilder:
        return TreeBuilder(self._engine, most_turns=_TURNS_FOR_A_LINE, complete=False)


class SomeChecks(Root):
    """The attacker to move, who begins with one of these checks."""

    first = 1

    def mates_within(self, n: int) -> bool:
        """As `Root.mates_within`."""
        return any(self._engine.mates_after(self._record, check, n) for check in self._moves)

    def mate_ever(self) -> int | None:
        """As `Root.mate_ever`."""
        found = (check for check in self._moves if self._engine.mates_ever_after(self._record, check))
        return None if next(found, None) is None else self._engine.length + 1

    def line(self, n: int) -> Moves:
        """As `Root.line`."""
        key = next(check for check in self._moves if self._engine.mates_after(self._record, check, n))
        return self._builder().after(self._record, key, n).line()


class Defence(Root):
    """The defender to move, in check or not, who plays one of these moves; none of their drops is futile."""

    first = 2

    def mates_within(self, n: int) -> bool:
        """As `Root.mates_within`."""
        return all(self._is_mated_after(move, n) for move in self._moves)

    def mate_ever(self) -> int | None:
        """As `Root.mate_ever`."""
        most = 0
        for move in self._moves:
            with played(self._record, move, Side.DEFENDER):
                if not self._engine.mates_ever(self._record):
                    return None
                most = max(most, self._engine.length + 1)
        return most

    def line(self, n: int) -> Moves:
        """As `Root.line`."""
        move = self.lasting(n - 2)
        assert move is not None
        with played(self._record, move, Side.DEFENDER):
            return (move, *self._builder().line(self._record, n - 1))

    def lasting(self, n: int) -> int | None:
        """A move after which there is no mate within n plies, this move included."""
        return next((move for move in self._moves if n < 2 or not self._is_mated_after(move, n)), None)

    def escape(self) -> int | None:
        """A move after which there is no mate at any length; None if a few million nodes find none.

        Raises `LimitReached` only for outer limits.
        """
        for nodes in _NODES_FOR_AN_ESCAPE:
            for move in self._moves:
                with played(self._record, move, Side.DEFENDER):
                    mates = self._engine.answered_within(nodes, lambda: self._engine.mates_ever(self._record))
                if mates is False:
                    return move
        return None

    def _is_mated_after(self, move: int, n: int) -> bool:
        with played(self._record, move, Side.DEFENDER):
            return self._engine.mates(self._record, n - 1)


class InCheck(Defence):
    """The defender in check, with all legal answers; futile drops count by the engine's reading."""

    first = 0

    def mates_within(self, n: int) -> bool:
        """As `Root.mates_within`."""
        return self._engine.is_mated(self._record, n)

    def mate_ever(self) -> int | None:
        """As `Root.mate_ever`."""
        return self._engine.length if self._engine.mates_ever(self._record, attacker=False) else None

    def line(self, n: int) -> Moves:
        """As `Root.line`: a longest defence, if possible one after which nothing is left in hand."""
        replies = self._builder().replies(self._record, n) if n else []
        if not replies:
            return ()
        fitting = (reply for reply in replies if reply.turn is None or not reply.turn.leftover)
        best = next(fitting, replies[0])
        return best.moves + (best.turn.line() if best.turn else ())

    def lasting(self, n: int) -> int | None:
        """As `Defence.lasting`; no futile drop."""
        defences = self._engine.defences(self._record, n)
        return next((move for move in defences if n < 2 or not self._is_mated_after(move, n)), None)
