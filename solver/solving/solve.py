# SPDX-License-Identifier: GPL-3.0-or-later
"""Solving a position: the exact shortest length and the best line."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial

from solver.engines.base import MateEngine
from solver.engines.kernel.mate import may_be_futile
from solver.results import LimitReached, Limits, Mate, MateBounds, SearchResult, Unresolved
from solver.solving.deepening import FirstTurnSearch, OnBound, Progress, deepen, search_length, search_suited_to
from solver.solving.tree import TreeBuilder, differs_in_form_only
from tsume_rules.moves import Move
from tsume_rules.packed import (
    Moves,
    PackedPosition,
    legal_checks,
    legal_evasions,
    line_played,
    pack,
    pack_move,
    played,
    target_of,
    unpack_move,
)
from tsume_rules.position import Position, Side

_TURNS_FOR_A_LINE = 400


def solve(
    position: Position,
    limits: Limits,
    engine: MateEngine,
    progress: Progress | None = None,
    since: MateBounds | None = None,
) -> SearchResult:
    """Return the shortest mate with its best line, no mate at any length, or unresolved.

    The table is cleared first, so that a position always has the same line. The start must be legal
    (`tsume_rules.packed.start_faults`). ``progress`` is called after each step of a long search. ``since``,
    the last bounds it received, continues an earlier search with the table as it is.
    """
    if since is None:
        engine.forget()
    packed = pack(position)
    with engine.within(Limits(limits.nodes, limits.seconds)):
        result = search_length(engine, packed, limits, progress, since)
        return with_line(engine, result, partial(best_line, engine, packed))


def with_line(engine: MateEngine, result: SearchResult, line: Callable[[int], Moves]) -> SearchResult:
    """Return a mate with its ``line``; unresolved if a limit is reached before that is found."""
    if not isinstance(result, Mate):
        return result
    try:
        with search_suited_to(engine, result.length):
            return Mate(result.length, tuple(map(unpack_move, line(result.length))))
    except LimitReached as limit:
        return Unresolved(limit.reason, max(0, result.length - 2), result.length)


def best_line(engine: MateEngine, packed: PackedPosition, length: int) -> Moves:
    """Return the best line of a position that mates in exactly ``length`` plies."""
    return line_builder(engine).line(packed, length)


def line_builder(engine: MateEngine) -> TreeBuilder:
    """Return the builder of best lines alone."""
    return TreeBuilder(engine, most_turns=_TURNS_FOR_A_LINE, complete=False)


# --- all checks that mate as soon as the main line's, at each of the attacker's turns --------------


@dataclass(frozen=True)
class EqualSolutions:
    """The checks that mate as soon at one turn.

    They come after ``turn`` moves: the main line's ``key``, those that differ from it by promotion or
    distance only (``form``), and those of ``other`` kinds.
    """

    turn: int
    key: Move
    form: tuple[Move, ...]
    other: tuple[Move, ...]


def equal_solutions(
    engine: MateEngine, position: Position, length: int, line: Sequence[Move]
) -> tuple[EqualSolutions, ...]:
    """Return the answers at each of the attacker's turns of a main line that mates in ``length`` plies.

    Where a futile drop makes the line longer than the mate, those of the first turn only: at the
    others the plies left are not known. Raises `LimitReached`.
    """
    packed, codes, found = pack(position), tuple(map(pack_move, line)), []
    for turn in range(0, length if len(line) == length else 1, 2):
        key = codes[turn]
        with line_played(packed, codes[:turn]):
            others = [check for check in legal_checks(packed) if check != key]
            mating = engine.mating(packed, others, length - turn)
            alike = [check for check in mating if differs_in_form_only(packed, key, check)]
        other = tuple(unpack_move(check) for check in mating if check not in alike)
        found.append(EqualSolutions(turn, line[turn], tuple(map(unpack_move, alike)), other))
    return tuple(found)


# --- the best next move of a defender in check, or of either side among given moves ----------------

_NODES_FOR_AN_ESCAPE = 1_000, 30_000, 1_000_000
"""Nodes for each defence, if the smaller numbers find none after which there is no mate."""


def solve_next(engine: MateEngine, root: Root, limits: Limits, on_bound: OnBound) -> SearchResult:
    """Return the shortest mate with its best line, no mate at any length, or unresolved.

    As `solver.solving.solve.solve`, for a root that has only some of the moves or the defender to move.
    """
    engine.forget()
    with engine.within(Limits(limits.nodes, limits.seconds)):
        return with_line(engine, deepen(engine, root, limits, on_bound=on_bound), root.line)


class Root(FirstTurnSearch):
    """A first turn with some of the moves, or with the defender to move."""

    refuted_for_good = False

    def __init__(self, engine: MateEngine, packed: PackedPosition, moves: Sequence[int]) -> None:
        super().__init__(engine, packed)
        self._moves = moves
        """The moves that the side to move has, the most sensible first."""

    def raise_bound(self, last: int) -> tuple[int, bool | None]:  # noqa: ARG002
        """As `FirstTurnSearch.raise_bound`, without a search."""
        return self.first, None

    @abstractmethod
    def line(self, n: int) -> Moves:
        """Return the best line of a mate in exactly n plies."""


class ChosenChecks(Root):
    """The attacker to move, who begins with one of these checks."""

    first = unbounded_from = 1

    def mates_within(self, n: int) -> bool:
        """As `FirstTurnSearch.mates_within`."""
        return any(self._engine.mates_after(self._packed, check, n) for check in self._moves)

    def mates_ever(self) -> bool:
        """As `FirstTurnSearch.mates_ever`."""
        return any(self._engine.mates_ever_after(self._packed, check) for check in self._moves)

    @property
    def length(self) -> int:
        """As `FirstTurnSearch.length`."""
        return self._engine.length + 1

    def line(self, n: int) -> Moves:
        """As `Root.line`."""
        key = next(check for check in self._moves if self._engine.mates_after(self._packed, check, n))
        return line_builder(self._engine).after(self._packed, key, n).line()


class ChosenDefences(Root):
    """The defender to move, in check or not, who plays one of these moves; none of their drops is futile."""

    first = unbounded_from = 2
    _longest = 0

    def mates_within(self, n: int) -> bool:
        """As `FirstTurnSearch.mates_within`."""
        return self._all_answer_yes(lambda: self._engine.mates(self._packed, n - 1))

    def mates_ever(self) -> bool:
        """As `FirstTurnSearch.mates_ever`."""
        return self._all_answer_yes(lambda: self._engine.mates_ever(self._packed))

    def _all_answer_yes(self, query: Callable[[], bool]) -> bool:
        """Return whether the answer to a query of the engine is yes after each move; notes the longest mate."""
        self._longest = 0
        for move in self._moves:
            with played(self._packed, move, Side.DEFENDER):
                if not query():
                    return False
                self._longest = max(self._longest, self._engine.length + 1)
        return True

    @property
    def length(self) -> int:
        """As `FirstTurnSearch.length`."""
        return self._longest

    def line(self, n: int) -> Moves:
        """As `Root.line`."""
        move = self.lasting(n - 2)
        assert move is not None
        with played(self._packed, move, Side.DEFENDER):
            return (move, *line_builder(self._engine).line(self._packed, n - 1))

    def lasting(self, n: int) -> int | None:
        """Return a move after which there is no mate within n plies, this move included."""
        return next((move for move in self._moves if n < 2 or not self._is_mated_after(move, n)), None)

    def escape(self) -> int | None:
        """Return a move after which there is no mate at any length; None if a few million nodes find none.

        Raises `LimitReached` only for outer limits.
        """
        for nodes in _NODES_FOR_AN_ESCAPE:
            for move in self._moves:
                with played(self._packed, move, Side.DEFENDER):
                    mates = self._engine.answered_within(nodes, lambda: self._engine.mates_ever(self._packed))
                if mates is False:
                    return move
        return None

    def _is_mated_after(self, move: int, n: int) -> bool:
        with played(self._packed, move, Side.DEFENDER):
            return self._engine.mates(self._packed, n - 1)


class DefenderInCheck(ChosenDefences):
    """The defender in check, with all legal answers; futile drops count by the engine's reading."""

    first = unbounded_from = 0

    def mates_within(self, n: int) -> bool:
        """As `FirstTurnSearch.mates_within`."""
        return self._engine.is_mated(self._packed, n)

    def mates_ever(self) -> bool:
        """As `FirstTurnSearch.mates_ever`."""
        return self._engine.mates_ever(self._packed, attacker=False)

    @property
    def length(self) -> int:
        """As `FirstTurnSearch.length`."""
        return self._engine.length

    def line(self, n: int) -> Moves:
        """As `Root.line`: a longest defence, if possible one after which nothing is left in hand."""
        replies = line_builder(self._engine).replies(self._packed, n) if n else []
        if not replies:
            return ()
        fitting = (reply for reply in replies if reply.turn is None or not reply.turn.leftover)
        best = next(fitting, replies[0])
        return best.line()

    def lasting(self, n: int) -> int | None:
        """As `ChosenDefences.lasting`; no futile drop."""
        defences = self._engine.defences(self._packed, n)
        return next((move for move in defences if n < 2 or not self._is_mated_after(move, n)), None)


# --- a line of a mate that is known, but perhaps not the shortest ----------------------------------

_NODES = 200_000
"""Nodes for one line: what the table lacks is searched again."""


def known_line(engine: MateEngine, packed: PackedPosition, n: int, first: int | None = None) -> Moves | None:
    """Return a line of a mate within n plies that the last searches found; None if the table lost it.

    ``first``: the line begins with this check. The defender plays a defence that the table does not have as
    mated sooner, if there is one. Raises `LimitReached` only for outer limits.
    """

    def line() -> Moves:
        moves: list[int] = []
        left = n - 1
        with ExitStack() as made:

            def play(move: int, side: Side) -> None:
                made.enter_context(played(packed, move, side))
                moves.append(move)

            play(first or _mating_check(engine, packed, n), Side.ATTACKER)
            while not engine.is_mated(packed, 0):
                answer, left = _answer(engine, packed, left)
                for move, side in zip(answer, (Side.DEFENDER, Side.ATTACKER), strict=False):
                    play(move, side)
                if len(answer) == 1:
                    play(_mating_check(engine, packed, left - 1), Side.ATTACKER)
                    left -= 2
        return tuple(moves)

    return engine.answered_within(_NODES, line)


def _mating_check(engine: MateEngine, packed: PackedPosition, n: int) -> int:
    """Return a check that mates within n plies, by the table if it has one."""
    checks = legal_checks(packed)
    if check := _known(engine, packed, checks, n):
        return check
    engine.mates(packed, n)
    return _known(engine, packed, checks, n) or next(c for c in checks if engine.mates_after(packed, c, n))


def _known(engine: MateEngine, packed: PackedPosition, checks: list[int], n: int) -> int | None:
    return next((check for check in checks if engine.known_after(packed, check, n)), None)


def _answer(engine: MateEngine, packed: PackedPosition, n: int) -> tuple[Moves, int]:
    """Return the defence that lasts longest by the table, and the plies, even, within which it is mated.

    The table lacks mates in a few plies, and what follows futile drops. If there are only futile drops: one
    with its capture.
    """
    evasions = legal_evasions(packed)
    if known := [move for move in evasions if _is_known_after(engine, packed, move, n - 1)]:
        for bound in range(n, 2, -2):
            for move in known:
                if not _is_known_after(engine, packed, move, bound - 3):
                    return (move,), bound
        return (known[0],), 2
    others = [move for move in evasions if not may_be_futile(packed, move)]
    if not others:
        for drop in evasions:
            if take := engine.futile_by(packed, target_of(drop), n):
                return (drop, take), n
    return ((others or evasions)[0],), n


def _is_known_after(engine: MateEngine, packed: PackedPosition, defence: int, n: int) -> bool:
    with played(packed, defence, Side.DEFENDER):
        return bool(_known(engine, packed, legal_checks(packed), n))
