# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves in western notation (Hodges'): ``S*2b``, ``Kx1b``, ``N-3c+``, ``R3b-2b=``.

The piece, where it comes from if another of its kind could go there too, ``-`` for a move, ``x`` for a capture, ``*``
for a drop, the square, and where the piece could promote ``+`` if it does and ``=`` if it does not.
"""

from __future__ import annotations

from collections.abc import Iterable

from tsume_rules.moves import ImpossibleMove, Move, can_promote, legal_origins, position_after
from tsume_rules.position import Kind, Position, square_name
from tsume_rules.sfen import kind_letter

_NAMES = {Kind.PROMOTED_LANCE: "promoted lance", Kind.PROMOTED_KNIGHT: "promoted knight"} | {
    Kind.PROMOTED_SILVER: "promoted silver"
}


def kind_name(kind: Kind) -> str:
    """Return the name of a kind of piece in words."""
    return _NAMES.get(kind, kind.name.lower())


def move_text(position: Position, move: Move) -> str:
    """Return a move of ``position`` in western notation; raise `ImpossibleMove` if it cannot be played."""
    return line_texts(position, [move])[0]


def line_texts(position: Position, moves: Iterable[Move], start: int = 0) -> list[str]:
    """Return the texts of moves played one after the other from ``position``, without the first ``start``."""
    texts = []
    for number, move in enumerate(moves):
        before, position = position, position_after(position, move)
        if number < start:
            continue
        target = square_name(move.target)
        if move.drop is not None:
            texts.append(f"{kind_letter(move.drop)}*{target}")
            continue
        piece = before.board[move.origin] if move.origin is not None else None
        if piece is None or move.origin is None:
            raise ImpossibleMove(f"{move.usi}: no piece to move")
        rivals = legal_origins(before, piece.kind, move.target, but=move.origin)
        origin = square_name(move.origin) if rivals else ""
        sign = "x" if before.board[move.target] is not None else "-"
        promotion = "+" if move.promotes else "=" * can_promote(piece, move.origin, move.target)
        texts.append(f"{kind_letter(piece.kind)}{origin}{sign}{target}{promotion}")
    return texts
