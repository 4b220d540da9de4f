# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys of final positions that are alike, wherever they are on the board and mirrored or not."""

from __future__ import annotations

from tsume_rules.pieces import Kind, Piece, Side
from tsume_rules.position import Position
from tsume_rules.squares import Square, file_of, rank_of, square

Offset = tuple[int, int]
_GOLD_LIKE = (Kind.TOKIN, Kind.PROMOTED_LANCE, Kind.PROMOTED_KNIGHT, Kind.PROMOTED_SILVER)
_EDGE = "#"
_AROUND = [(file, rank) for rank in (-1, 0, 1) for file in (-1, 0, 1)]


def final_key(final: Position) -> str:
    """All pieces of a final position, relative to the mated king; mirror images share it."""
    return min(_pieces(final, 1), _pieces(final, -1))


def close_pattern(final: Position) -> str:
    """The three by three squares around the mated king, gold-like pieces alike, edges marked.

    Nine names, file by file in each rank; mirror images share it.
    """
    return min(_close(final, 1), _close(final, -1))


def _king(position: Position) -> Square:
    king = position.king(Side.DEFENDER)
    assert king is not None
    return king


def _offset(sq: Square, king: Square, way: int) -> Offset:
    return way * (file_of(sq) - file_of(king)), rank_of(sq) - rank_of(king)


def _pieces(position: Position, way: int) -> str:
    king = _king(position)
    return " ".join(
        sorted(
            f"{_letter(piece)}{_offset(sq, king, way)}"
            for sq, piece in enumerate(position.board)
            if piece is not None
        )
    )


def _letter(piece: Piece) -> str:
    return f"{'av'[piece.side]}{piece.kind.name}"


def _close(position: Position, way: int) -> str:
    king = _king(position)
    file, rank = file_of(king), rank_of(king)
    return " ".join(_name(position, file + way * aside, rank + below) for aside, below in _AROUND)


def _name(position: Position, file: int, rank: int) -> str:
    if not (1 <= file <= 9 and 1 <= rank <= 9):
        return _EDGE
    piece = position.board[square(file, rank)]
    if piece is None:
        return "."
    return _letter(Piece(piece.side, Kind.GOLD) if piece.kind in _GOLD_LIKE else piece)
