# SPDX-License-Identifier: GPL-3.0-or-later
"""The best next move of a defender in check, or of either side among given moves."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence

from solver.engines.base import MateEngine
from solver.results import Limits, SearchResult
from solver.solving.deepening import FirstTurn, OnBound, deepened
from solver.solving.solve import line_builder, with_line
from tsume_rules.packing import Record
from tsume_rules.pieces import Side
from tsume_rules.record_play import Moves, played

_NODES_FOR_AN_ESCAPE = 1_000, 30_000, 1_000_000
"""Nodes for each defence, if the smaller numbers find none after which there is no mate."""


def solve_next(engine: MateEngine, root: Root, limits: Limits, on_bound: OnBound) -> SearchResult:
    """Return the shortest mate with its best line, no mate at any length, or unresolved.

    As `solver.solving.solve.solve`, for a root that has only some of the moves or the defender to move.
    """
    engine.forget()
    with engine.within(Limits(limits.nodes, limits.seconds)):
        return with_line(engine, deepened(engine, root, limits, on_bound=on_bound), root.line)


class Root(FirstTurn):
    """A first turn with some of the moves, or with the defender to move."""

    def __init__(self, engine: MateEngine, record: Record, moves: Sequence[int]) -> None:
        self._engine = engine
        self._record = record
        self._moves = moves
        """The moves that the side to move has, the most sensible first."""

    @abstractmethod
    def line(self, n: int) -> Moves:
        """The best line of a mate in exactly n plies."""


class SomeChecks(Root):
    """The attacker to move, who begins with one of these checks."""

    first = unbounded_from = 1

    def mates_within(self, n: int) -> bool:
        """As `FirstTurn.mates_within`."""
        return any(self._engine.mates_after(self._record, check, n) for check in self._moves)

    def mates_ever(self) -> bool:
        """As `FirstTurn.mates_ever`."""
        return any(self._engine.mates_ever_after(self._record, check) for check in self._moves)

    @property
    def length(self) -> int:
        """As `FirstTurn.length`."""
        return self._engine.length + 1

    def line(self, n: int) -> Moves:
        """As `Root.line`."""
        key = next(check for check in self._moves if self._engine.mates_after(self._record, check, n))
        return line_builder(self._engine).after(self._record, key, n).line()


class Defence(Root):
    """The defender to move, in check or not, who plays one of these moves; none of their drops is futile."""

    first = unbounded_from = 2
    _longest = 0

    def mates_within(self, n: int) -> bool:
        """As `FirstTurn.mates_within`."""
        return self._all_answer_yes(lambda: self._engine.mates(self._record, n - 1))

    def mates_ever(self) -> bool:
        """As `FirstTurn.mates_ever`."""
        return self._all_answer_yes(lambda: self._engine.mates_ever(self._record))

    def _all_answer_yes(self, query: Callable[[], bool]) -> bool:
        """Whether the answer to a query of the engine is yes after each move; notes the longest mate."""
        self._longest = 0
        for move in self._moves:
            with played(self._record, move, Side.DEFENDER):
                if not query():
                    return False
                self._longest = max(self._longest, self._engine.length + 1)
        return True

    @property
    def length(self) -> int:
        """As `FirstTurn.length`."""
        return self._longest

    def line(self, n: int) -> Moves:
        """As `Root.line`."""
        move = self.lasting(n - 2)
        assert move is not None
        with played(self._record, move, Side.DEFENDER):
            return (move, *line_builder(self._engine).line(self._record, n - 1))

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

    first = unbounded_from = 0

    def mates_within(self, n: int) -> bool:
        """As `FirstTurn.mates_within`."""
        return self._engine.is_mated(self._record, n)

    def mates_ever(self) -> bool:
        """As `FirstTurn.mates_ever`."""
        return self._engine.mates_ever(self._record, attacker=False)

    @property
    def length(self) -> int:
        """As `FirstTurn.length`."""
        return self._engine.length

    def line(self, n: int) -> Moves:
        """As `Root.line`: a longest defence, if possible one after which nothing is left in hand."""
        replies = line_builder(self._engine).replies(self._record, n) if n else []
        if not replies:
            return ()
        fitting = (reply for reply in replies if reply.turn is None or not reply.turn.leftover)
        best = next(fitting, replies[0])
        return best.moves + (best.turn.line() if best.turn else ())

    def lasting(self, n: int) -> int | None:
        """As `Defence.lasting`; no futile drop."""
        defences = self._engine.defences(self._record, n)
        return next((move for move in defences if n < 2 or not self._is_mated_after(move, n)), None)
