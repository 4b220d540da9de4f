# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves in western notation (Hodges'): ``S*2b``, ``Kx1b``, ``N-3c+``, ``R3b-2b=``.

The piece, where it comes from if another of its kind could go there too, ``-`` for a
move, ``x`` for a capture, ``*`` for a drop, the square, and where the piece could
promote ``+`` if it does and ``=`` if it does not.
"""

from __future__ import annotations

from collections.abc import Iterable

from tsume_rules.legality import origins
from tsume_rules.moves import ImpossibleMove, Move, can_promote, position_after
from tsume_rules.position import Kind, Position, square_name
from tsume_rules.sfen import kind_letter

_NAMES = {Kind.PROMOTED_LANCE: "promoted lance", Kind.PROMOTED_KNIGHT: "promoted knight"} | {
    Kind.PROMOTED_SILVER: "promoted silver"
}


def kind_name(kind: Kind) -> str:
    """A kind of piece in words."""
    return _NAMES.get(kind, kind.name.lower())


def move_text(position: Position, move: Move) -> str:
    """A move of ``position`` in western notation.

    Raises `tsume_rules.moves.ImpossibleMove` when the move cannot be played there.
    """
    position_after(position, move)
    return _english_move(position, move)


def _english_move(position: Position, move: Move) -> str:
    target = square_name(move.target)
    if move.drop is not None:
        return f"{kind_letter(move.drop)}*{target}"
    piece = position.board[move.origin] if move.origin is not None else None
    if piece is None or move.origin is None:
        raise ImpossibleMove(f"{move.usi}: no piece to move")
    rivals = origins(position, piece.kind, move.target, but=move.origin)
    origin = square_name(move.origin) if rivals else ""
    sign = "x" if position.board[move.target] is not None else "-"
    promotion = "+" if move.promotes else "=" * can_promote(piece, move.origin, move.target)
    return f"{kind_letter(piece.kind)}{origin}{sign}{target}{promotion}"


def line_texts(position: Position, moves: Iterable[Move], start: int = 0) -> list[str]:
    """The texts of moves played one after the other from ``position``, without the first ``start``."""
    texts = []
    for number, move in enumerate(moves):
        after = position_after(position, move)
        if number >= start:
            texts.append(_english_move(position, move))
        position = after
    return texts
