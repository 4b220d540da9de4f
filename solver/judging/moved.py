# SPDX-License-Identifier: GPL-3.0-or-later
"""The length if moved interpositions that are only captured do not count (移動合, docs/rules.md).

A piece of the board that moves between is left out if the only checking piece takes it and, with the captured
piece back in the defender's hand, mates no later than after every other answer. A larger hand mates as soon,
so what mates within n plies by this reading mates by the narrow one within two more for each piece left out.
At most two in a line are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from solver.engines.base import MateEngine
from solver.judging.grey import PURIST_CALLS, Purist
from solver.limits import LimitReached
from solver.results import Reason
from solver.solving.tree import Turn, deeper_recursion
from tsume_rules.kernel.attacks import find_checkers, in_check
from tsume_rules.kernel.play import do
from tsume_rules.kernel.state import packed_hand
from tsume_rules.kernel.tables import ATT, DEF
from tsume_rules.packing import (
    Record,
    cells_between,
    dropped,
    origin_of,
    pack,
    target_of,
    unpack,
    unpack_move,
)
from tsume_rules.pieces import Side
from tsume_rules.record_moves import legal_checks, legal_evasions
from tsume_rules.record_play import Moves, line_played, played

_MOST_POSITIONS = 10_000
"""Positions with the defender to move that one walk looks at, besides the engine's."""
_BEYOND = 4
"""Plies by which the narrow mate may be longer: two for each moved interposition left out in a line."""


@dataclass(frozen=True)
class WithoutMoved:
    """A line by this reading and a line to one of the moves left out; empty if it is not shorter."""

    line: Moves = ()
    example: Moves = ()


def without_moved(engine: MateEngine, record: Record, root: Turn) -> WithoutMoved:
    """A line by this reading, if it is shorter than the mate of a main tree.

    Searches nothing if no longest defence along the main line is an interposition that the only checking
    piece can take. Raises `LimitReached`.
    """
    suspects = list(_suspects(record, root))
    reading, least = MovedReading(engine), root.n
    with deeper_recursion(PURIST_CALLS * root.n):
        while suspects and reading.mates(record, least - 2):
            least -= 2
        left_out = (path for path in suspects if reading.leaves_out(record, path, least))
        example = next(left_out, None) if least < root.n else None
        line = tuple(reading.line(record.copy(), least)) if example else ()
    return WithoutMoved(line, example) if example and len(line) == least else WithoutMoved()


def _suspects(record: Record, root: Turn) -> Iterator[Moves]:
    """Lines to the longest defences that the only checking piece can take between itself and the king."""
    there = record.copy()
    path: Moves = ()
    for turn in root.best_turns():
        do(there, turn.key, ATT)
        for reply in turn.replies:
            if _captures(there, reply.moves[0]):
                yield (*path, turn.key, reply.moves[0])
        for ply, move in enumerate(turn.key_and_defence[1:], 1):
            do(there, move, ATT if ply % 2 == 0 else DEF)
        path += turn.key_and_defence


def _captures(record: Record, answer: int) -> list[int]:
    """The checks by which the only checking piece takes a piece moved between; none for another answer."""
    if dropped(answer) or origin_of(answer) == int(record.king[DEF]):
        return []
    count, checker = find_checkers(record, DEF)
    if count != 1 or target_of(answer) not in cells_between(checker, int(record.king[DEF])):
        return []
    with played(record, answer, Side.DEFENDER):
        if in_check(record, ATT):
            return []
        return [
            check
            for check in legal_checks(record)
            if origin_of(check) == checker and target_of(check) == target_of(answer)
        ]


def _after(record: Record, answer: int, capture: int) -> Record:
    """The position after an answer and its capture, the captured piece in the defender's hand."""
    with played(record, answer, Side.DEFENDER):
        taken = unpack(record).board[unpack_move(capture).target]
        with played(record, capture, Side.ATTACKER):
            after = unpack(record)
    assert taken is not None
    hands = after.attacker_hand.plus(taken.kind, -1), after.defender_hand.plus(taken.kind)
    return pack(replace(after, attacker_hand=hands[0], defender_hand=hands[1]))


class MovedReading(Purist):
    """Mate within n plies by this reading."""

    def __init__(self, engine: MateEngine) -> None:
        super().__init__(engine)
        self._left = _MOST_POSITIONS

    def mates(self, record: Record, n: int) -> bool:
        """Whether the attacker, to move, mates within n plies."""
        if n < 1 or self._engine.mates(record, n):
            return n > 0
        return self._engine.mates(record, n + _BEYOND) and super().mates(record, n)

    def is_mated(self, record: Record, n: int) -> bool:
        """Whether the defender, in check, is mated within n plies."""
        name = (int(record.key), int(packed_hand(record)), n)
        if name not in self._known:
            self._known[name] = self._engine.is_mated(record, n) or (
                self._engine.is_mated(record, n + _BEYOND) and self._is_mated_without(record, n)
            )
        return self._known[name]

    def _is_mated_without(self, record: Record, n: int) -> bool:
        self._left -= 1
        if self._left < 0:
            raise LimitReached(Reason.NODES)
        taken = self._taken(record)
        longest = self._longest_other(record, taken, n)
        return longest is not None and all(
            self._is_futile(record, answer, captures, longest) or self.mates_against(record, answer, n)
            for answer, captures in taken.items()
        )

    def _taken(self, record: Record) -> dict[int, list[int]]:
        """The moved interpositions that the only checking piece can take, with the captures."""
        found = {answer: _captures(record, answer) for answer in legal_evasions(record)}
        return {answer: captures for answer, captures in found.items() if captures}

    def _longest_other(self, record: Record, taken: dict[int, list[int]], n: int) -> int | None:
        """The plies, at most n, within which all answers but those taken are met; None if they are not.

        Where none is taken, n itself.
        """
        ordinary, cells = self.answers(record)
        others = [answer for answer in ordinary if answer not in taken]
        bounds = range(0, n + 1, 2) if taken else [n]
        return next((m for m in bounds if self.all_mated(record, others, cells, m)), None)

    def _is_futile(self, record: Record, answer: int, captures: list[int], m: int) -> bool:
        """Whether the attacker, having taken a piece moved between, mates within m plies without it."""
        return any(self.is_mated(_after(record, answer, capture), m) for capture in captures)

    def leaves_out(self, record: Record, path: Moves, n: int) -> bool:
        """Whether a path, from a position that mates in n plies, ends with an answer that does not count."""
        left, answer = n - len(path) + 1, path[-1]
        with line_played(record, path[:-1]):
            return left >= 0 and answer in self._left_out(record, left)

    def _left_out(self, record: Record, n: int) -> list[int]:
        """The answers that do not count where the defender is mated within n plies."""
        taken = self._taken(record)
        longest = self._longest_other(record, taken, n)
        if longest is None:
            return []
        return [answer for answer, by in taken.items() if self._is_futile(record, answer, by, longest)]

    def line(self, record: Record, n: int) -> Iterator[int]:
        """The moves of a shortest mate, n plies, against a longest defence; changes the record.

        Fewer than n where only a futile drop lasts so long.
        """
        while True:
            check = next(check for check in legal_checks(record) if self.mates_after(record, check, n))
            yield check
            do(record, check, ATT)
            left_out = self._left_out(record, n - 1)
            answers = [answer for answer in legal_evasions(record) if answer not in left_out]
            longest = next((answer for answer in answers if self._lasts(record, answer, n - 1)), 0)
            if n == 1 or not longest:
                return
            yield longest
            do(record, longest, DEF)
            n -= 2
