# SPDX-License-Identifier: GPL-3.0-or-later
"""What-if queries to an engine about a line: without a piece, or with another choice."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from generator.replay.board import Cells, attackers_of_cell
from generator.replay.line import ReplayedLine, ReplayedTurn
from solver.solving.tree import TreeBuilder
from tsume_rules.kernel.tables import ATT, CELL, KING, OURS, PROMOTION, SET
from tsume_rules.packed import Moves, Record, legal_checks, pack, pack_codes, pack_move, record_after

if TYPE_CHECKING:
    from solver.engines.dfpn.engine import DfPnEngine
    from tsume_rules.moves import Move

_SQUARES = [int(cell) for cell in CELL]


class LineProbe:
    """A replayed line and the engine that answers queries about it.

    Turns are numbered from 0. All queries are bounded in plies, so the answers do not depend on the engine's
    table. Every method raises `LimitReached`.
    """

    def __init__(self, engine: DfPnEngine, replayed: ReplayedLine, line: tuple[Move, ...]) -> None:
        self.engine = engine
        self.replayed = replayed
        self.moves: Moves = tuple(map(pack_move, line))

    @property
    def turns(self) -> tuple[ReplayedTurn, ...]:
        """The attacker's moves, each with its answer."""
        return self.replayed.turns

    def plies_left(self, turn: int) -> int:
        """Plies to the mate when the attacker is to move at a turn."""
        return len(self.moves) - 2 * turn

    @cached_property
    def _start(self) -> Record:
        return pack(self.replayed.position)

    def record_before(self, turn: int) -> Record:
        """The position before a turn's check; after the last turn the final one."""
        return record_after(self._start, self.moves[: 2 * turn])

    def record_after_check(self, turn: int) -> Record:
        """The position after a turn's check."""
        return record_after(self._start, self.moves[: 2 * turn + 1])

    def board_before(self, turn: int) -> Cells:
        """The board before a turn's check; after the last turn the final one."""
        return self.replayed.turns[turn].check.before if turn < len(self.turns) else self.replayed.end

    def record_with_changes(self, turn: int, changes: dict[int, int]) -> Record | None:
        """The position before a turn with the codes of some cells changed.

        The missing pieces go to the defender's hand; the attacker's hand stays. None if the king would be in
        check already.
        """
        cells = self.board_before(turn).copy()
        for cell, code in changes.items():
            cells[cell] = code
        if turn < len(self.turns) and attackers_of_cell(cells, cells.index(KING + OURS), ATT):
            return None
        return _record_of_cells(cells, self.replayed.hands[turn])

    def mates(self, record: Record | None, n: int) -> bool | None:
        """Whether the attacker mates within n plies (n below 1: no); None without a position."""
        if record is None:
            return None
        return n >= 1 and self.engine.mates(record, n)

    def mates_by(self, record: Record, check: int, n: int) -> bool:
        """Whether a move is legal, gives check and mates within n plies."""
        return n >= 1 and check in legal_checks(record) and self.engine.mates_after(record, check, n)

    def is_mate_without(self, cell: int) -> bool:
        """Whether the final position is mate without the piece on a cell."""
        record = self.record_with_changes(len(self.turns), {cell: 0})
        return record is not None and self.engine.is_mated(record, 0)

    def longest_answers(self, turn: int) -> list[int] | None:
        """The answers to a turn's check that last longest and leave the attacker nothing in hand.

        None if the line's length is not that of the longest defence (by the engine's reading).
        """
        n = self.plies_left(turn) - 1
        record = self.record_after_check(turn)
        if not self.engine.is_mated(record, n) or (n > 2 and self.engine.is_mated(record, n - 2)):
            return None
        longest = list(self.engine.longest_defences(record, n))
        if len(longest) == 1:
            return longest
        return [
            move
            for move in longest
            if move == self.moves[2 * turn + 1] or not self._leaves_pieces(turn, move)
        ]

    def _leaves_pieces(self, turn: int, answer: int) -> bool:
        """Whether the best line after another answer leaves pieces in the attacker's hand."""
        record = record_after(self._start, (*self.moves[: 2 * turn + 1], answer))
        return TreeBuilder(self.engine, order=int).turn(record, self.plies_left(turn) - 2).leftover


def _record_of_cells(cells: Cells, hand: tuple[int, ...]) -> Record:
    """The record of a board and the attacker's hand."""
    codes = [int(cells[cell]) for cell in _SQUARES]
    used = Counter(_kind_in_hand(code & 15) for code in codes if code)
    rest = [int(SET[kind]) - used[kind] - hand[kind] if kind else 0 for kind in range(KING)]
    return pack_codes(np.array(codes, dtype=np.int8), np.array((hand, rest), dtype=np.int8))


def _kind_in_hand(kind: int) -> int:
    return kind - PROMOTION if kind > KING else kind
