# SPDX-License-Identifier: GPL-3.0-or-later
"""Places and distances of cells, and the pieces on them."""

from __future__ import annotations

from generator.replay.board import CELL_OF, Cells
from tsume_rules.kernel.tables import GOLD, KING, KNIGHT, LANCE, OURS, SILVER
from tsume_rules.position import file_of, rank_of

KINDS = (*range(1, KING), *range(KING + 1, 15))
"""The kinds of piece except the king."""

HOME = {LANCE: (1, 9), KNIGHT: (2, 8), SILVER: (3, 7), GOLD: (4, 6)}
"""The files on which the defender's pieces stand on rank 1 when a game begins."""
_PLACE = {cell: (file_of(sq), rank_of(sq)) for sq, cell in enumerate(CELL_OF)}


def file_and_rank(cell: int) -> tuple[int, int]:
    """File and rank, 1 to 9 each."""
    return _PLACE[cell]


def king_distance(a: int, b: int) -> int:
    """How many steps of a king lead from one cell to another."""
    (file, rank), (other_file, other_rank) = _PLACE[a], _PLACE[b]
    return max(abs(file - other_file), abs(rank - other_rank))


def cells_of_pieces(cells: Cells, side: int) -> list[int]:
    """The cells of a side's pieces, its king apart."""
    return [cell for cell in CELL_OF if cells[cell] and cells[cell] >> 4 == side and cells[cell] & 15 != KING]


def is_piece_of_side(code: int, side: int) -> bool:
    """Whether the code of a cell is a piece of a side."""
    return code != 0 and code >> 4 == side


def is_on_home_square(cells: Cells, cell: int) -> bool:
    """Whether a piece of the defender stands where one of its kind stands when a game begins (`HOME`)."""
    file, rank = _PLACE[cell]
    return rank == 1 and file in HOME.get(cells[cell] - OURS, ())
