# SPDX-License-Identifier: GPL-3.0-or-later
"""A main line replayed: themes and heuristics are predicates on it.

Pieces keep their identity while they move: a piece that
stands on the board at the start is known by its cell there, a dropped one by a
negative number.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from generator.replay.board import CELL_OF, Cells, attackers_of_cell, cells_of
from solver.scoring.check_kinds import is_sacrifice
from tsume_rules.kernel.tables import ATT, DEF, KING, OURS, PROMOTION
from tsume_rules.moves import Move
from tsume_rules.position import Position

_DEFENDERS_KING = KING + OURS


class ReplayedPly(NamedTuple):
    """One move, and the board and king before it."""

    piece: int
    """The identity of the piece."""
    kind: int
    """What it was before a promotion."""
    origin: int
    """Its cell before; 0 for a drop."""
    target: int
    """Its cell after."""
    promotes: bool
    captured: int
    """The code of the piece taken; 0 for none."""
    king: int
    """The cell of the defender's king before the move."""
    checkers: tuple[int, ...]
    """The cells from which the king is attacked after an attacker's move; empty after an answer."""
    before: Cells
    """The board before the move."""

    @property
    def piece_after(self) -> int:
        """The kind that stands on the target afterwards."""
        return self.kind + PROMOTION if self.promotes else self.kind

    def cells_after(self, code: int) -> Cells:
        """The board after the move, with this piece code on its target."""
        cells = self.before.copy()
        if self.origin:
            cells[self.origin] = 0
        cells[self.target] = code
        return cells

    @property
    def is_drop(self) -> bool:
        """Whether the piece came from the hand."""
        return not self.origin


class ReplayedTurn(NamedTuple):
    """A move of the attacker and the answer to it, None after the mating move."""

    check: ReplayedPly
    answer: ReplayedPly | None

    @property
    def answer_cell(self) -> int:
        """The cell that the answer goes to; 0 if there is none."""
        return 0 if self.answer is None else self.answer.target

    @property
    def is_sacrifice(self) -> bool:
        """Whether the very next answer takes the piece that moved (捨駒)."""
        return is_sacrifice(self.check, self.answer_cell)

    @property
    def king_takes(self) -> bool:
        """Whether the king takes the sacrificed piece."""
        return self.is_sacrifice and self.answer is not None and self.answer.kind == KING


@dataclass(frozen=True)
class ReplayedLine:
    """A position, its main line ply by ply, and the final position."""

    position: Position
    plies: tuple[ReplayedPly, ...]
    end: Cells
    """The board at the mate."""
    pieces: dict[int, int]
    """The identity of the piece on each occupied cell at the mate."""

    @cached_property
    def turns(self) -> tuple[ReplayedTurn, ...]:
        """The attacker's moves, each with its answer."""
        answers = (*self.plies[1::2], None)
        return tuple(
            ReplayedTurn(check, answer) for check, answer in zip(self.plies[::2], answers, strict=False)
        )

    @cached_property
    def sacrifices(self) -> tuple[ReplayedTurn, ...]:
        """The turns at which the attacker gives a piece away."""
        return tuple(turn for turn in self.turns if turn.is_sacrifice)

    @cached_property
    def hands(self) -> tuple[tuple[int, ...], ...]:
        """What the attacker holds before each of its moves and at the end: counts by kind."""
        held = [0, *self.position.attacker_hand.counts]
        found = [tuple(held)]
        for check, _ in self.turns:
            if check.is_drop:
                held[check.kind] -= 1
            elif check.captured:
                kind = check.captured & 15
                held[kind - PROMOTION if kind > KING else kind] += 1
            found.append(tuple(held))
        return tuple(found)

    def hand_after(self, number: int) -> tuple[int, ...]:
        """What the attacker holds after its move ``number`` and the answer: counts by kind."""
        return self.hands[number + 1]

    @cached_property
    def answers(self) -> tuple[ReplayedPly, ...]:
        """The defender's moves."""
        return self.plies[1::2]

    @cached_property
    def start(self) -> Cells:
        """The board before the first move."""
        return self.plies[0].before

    @cached_property
    def mated_king(self) -> int:
        """The cell of the defender's king at the mate."""
        return self.plies[-1].king

    @cached_property
    def final_attackers(self) -> list[int]:
        """The cells of the attacker's pieces at the mate, its king apart."""
        return [cell for cell in self.pieces if self.end[cell] < OURS and self.end[cell] != KING]


def replay_line(position: Position, line: tuple[Move, ...]) -> ReplayedLine:
    """Replay a line of at least one ply from a position, the attacker moving first."""
    cells = cells_of(position)
    pieces = {cell: cell for cell in CELL_OF if cells[cell]}
    king = cells.index(_DEFENDERS_KING)
    plies = []
    for number, move in enumerate(line):
        ply = _replayed_ply(cells, pieces, king, move, number)
        if ply.kind == KING and number % 2 == DEF:
            king = ply.target
        plies.append(ply)
    return ReplayedLine(position, tuple(plies), cells, pieces)


def _replayed_ply(cells: Cells, pieces: dict[int, int], king: int, move: Move, number: int) -> ReplayedPly:
    """Play the move on ``cells`` and ``pieces`` and describe it."""
    before, side, target = cells.copy(), number % 2, CELL_OF[move.target]
    captured = cells[target]
    if move.drop is not None:
        origin, name, kind = 0, -1 - number, int(move.drop)
    else:
        assert move.origin is not None
        origin = CELL_OF[move.origin]
        name, kind = pieces.pop(origin), cells[origin] & 15
        cells[origin] = 0
    cells[target] = kind + OURS * side + (PROMOTION if move.promotes else 0)
    pieces[target] = name
    checkers = tuple(attackers_of_cell(cells, king, ATT)) if side == ATT else ()
    return ReplayedPly(name, kind, origin, target, move.promotes, captured, king, checkers, before)
