# SPDX-License-Identifier: GPL-3.0-or-later
"""The replay of a main line: its moves, boards and pieces, from which themes and heuristics are read."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from solver.scoring import is_sacrifice
from tsume_rules.kernel import tables
from tsume_rules.kernel.tables import DIST as _DIST
from tsume_rules.kernel.tables import LINE as _LINE
from tsume_rules.kernel.tables import STEP as _STEP
from tsume_rules.moves import Move
from tsume_rules.position import Position, file_of, rank_of

# --- who attacks a cell, on a plain list of piece codes --------------------------------------------
#
# A line of a few plies is replayed faster on a list than on a packed position of the kernels,
# because no call crosses into compiled code. Cells, codes and directions are those of
# `tsume_rules.kernel.tables`, and so are the moves of the pieces.

Cells = list[int]
"""A piece code for each of the 128 cells; 0 is empty, `WALL` is off the board."""

CELL_OF: tuple[int, ...] = tuple(tables.CELL.tolist())
"""The cell of each square."""
STEP: tuple[int, ...] = tuple(_STEP.tolist())
"""From a cell to its neighbour in each direction."""
LINE: list[list[int]] = _LINE.tolist()
"""The direction in which cell b lies from cell a; -1 if none."""
DIST: list[list[int]] = _DIST.tolist()
"""How many steps in that direction; 1 for a neighbour and for a knight's jump."""

_NEAR: list[int] = tables.REACH.tolist()
_FAR: list[int] = tables.SLIDES.tolist()
_KNIGHTS = {tables.ATT: ((8, -STEP[8]), (9, -STEP[9])), tables.DEF: ((10, -STEP[10]), (11, -STEP[11]))}
_LINES = tuple((7 - d, STEP[d]) for d in range(8))
_EMPTY: Cells = [0 if cell in CELL_OF else tables.WALL for cell in range(tables.SIZE)]


def cells_of(position: Position) -> Cells:
    """Return the cells of a readable position."""
    cells = _EMPTY.copy()
    for cell, piece in zip(CELL_OF, position.board, strict=True):
        if piece is not None:
            cells[cell] = piece[1] + tables.OURS * piece[0]
    return cells


def attackers_of_cell(cells: Cells, cell: int, side: int) -> list[int]:
    """Return the cells of a side's pieces that attack a cell, whatever stands on it."""
    found = []
    for direction, step in _LINES:
        at = cell + step
        reach = _NEAR
        while not cells[at]:
            at += step
            reach = _FAR
        code = cells[at]
        if code != tables.WALL and code >> 4 == side and reach[code] >> direction & 1:
            found.append(at)
    for direction, step in _KNIGHTS[side]:
        code = cells[cell + step]
        if code != tables.WALL and code >> 4 == side and _NEAR[code] >> direction & 1:
            found.append(cell + step)
    return found


def are_adjacent_cells(a: int, b: int) -> bool:
    """Return whether two cells are neighbours (a knight's jump is not)."""
    return DIST[a][b] == 1 and LINE[a][b] < 8


def cells_around(cell: int) -> list[int]:
    """Return the eight cells around one, walls among them."""
    return [cell + step for step in STEP[:8]]


def is_strictly_between(a: int, b: int, cell: int) -> bool:
    """Return whether a cell lies strictly between two others on a line."""
    line = LINE[a][b]
    return 0 <= line < 8 and LINE[a][cell] == line and DIST[a][cell] < DIST[a][b]


# --- places and distances of cells, and the pieces on them -----------------------------------------

KINDS = (*range(1, tables.KING), *range(tables.KING + 1, 15))
"""The kinds of piece except the king."""

HOME = {tables.LANCE: (1, 9), tables.KNIGHT: (2, 8), tables.SILVER: (3, 7), tables.GOLD: (4, 6)}
"""The files on which the defender's pieces stand on rank 1 when a game begins."""
_PLACE = {cell: (file_of(sq), rank_of(sq)) for sq, cell in enumerate(CELL_OF)}


def file_and_rank(cell: int) -> tuple[int, int]:
    """File and rank, 1 to 9 each."""
    return _PLACE[cell]


def king_distance(a: int, b: int) -> int:
    """Return how many steps of a king lead from one cell to another."""
    (file, rank), (other_file, other_rank) = _PLACE[a], _PLACE[b]
    return max(abs(file - other_file), abs(rank - other_rank))


def cells_of_pieces(cells: Cells, side: int) -> list[int]:
    """Return the cells of a side's pieces, its king apart."""
    return [cell for cell in CELL_OF if cells[cell] and cells[cell] >> 4 == side and cells[cell] & 15 != tables.KING]


def is_piece_of_side(code: int, side: int) -> bool:
    """Return whether the code of a cell is a piece of a side."""
    return code != 0 and code >> 4 == side


def is_on_home_square(cells: Cells, cell: int) -> bool:
    """Whether a piece of the defender stands where one of its kind stands when a game begins (`HOME`)."""
    file, rank = _PLACE[cell]
    return rank == 1 and file in HOME.get(cells[cell] - tables.OURS, ())


# --- a main line replayed: themes and heuristics are predicates on it ------------------------------
#
# Pieces keep their identity while they move: a piece that stands on the board at the start is known by its cell there,
# a dropped one by a negative number.

_DEFENDERS_KING = tables.KING + tables.OURS


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
        return self.kind + tables.PROMOTION if self.promotes else self.kind

    def cells_after(self, code: int) -> Cells:
        """Return the board after the move, with this piece code on its target."""
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
        return self.is_sacrifice and self.answer is not None and self.answer.kind == tables.KING


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
        return tuple(ReplayedTurn(check, answer) for check, answer in zip(self.plies[::2], answers, strict=False))

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
                held[kind - tables.PROMOTION if kind > tables.KING else kind] += 1
            found.append(tuple(held))
        return tuple(found)

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
        return [cell for cell in self.pieces if self.end[cell] < tables.OURS and self.end[cell] != tables.KING]


def replay_line(position: Position, line: tuple[Move, ...]) -> ReplayedLine:
    """Replay a line of at least one ply from a position, the attacker moving first."""
    cells = cells_of(position)
    pieces = {cell: cell for cell in CELL_OF if cells[cell]}
    king = cells.index(_DEFENDERS_KING)
    plies = []
    for number, move in enumerate(line):
        # Play the move on ``cells`` and ``pieces`` and describe it.
        before, side, target = cells.copy(), number % 2, CELL_OF[move.target]
        captured = cells[target]
        if move.drop is not None:
            origin, name, kind = 0, -1 - number, int(move.drop)
        else:
            assert move.origin is not None
            origin = CELL_OF[move.origin]
            name, kind = pieces.pop(origin), cells[origin] & 15
            cells[origin] = 0
        cells[target] = kind + tables.OURS * side + (tables.PROMOTION if move.promotes else 0)
        pieces[target] = name
        checkers = tuple(attackers_of_cell(cells, king, tables.ATT)) if side == tables.ATT else ()
        ply = ReplayedPly(name, kind, origin, target, move.promotes, captured, king, checkers, before)
        if ply.kind == tables.KING and number % 2 == tables.DEF:
            king = ply.target
        plies.append(ply)
    return ReplayedLine(position, tuple(plies), cells, pieces)
