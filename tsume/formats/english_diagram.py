# SPDX-License-Identifier: GPL-3.0-or-later
"""The board as an English diagram in plain text: SFEN letters, files 9 to 1, ranks a to i.

Capitals are the attacker's, small letters the defender's, ``+`` stands before promoted pieces.
"""

from __future__ import annotations

from tsume.language.catalogue import phrase
from tsume_rules.position import HAND_ORDER, LETTERS, Hand, Piece, Position, square
from tsume_rules.sfen import piece_letter

FILES = "  9  8  7  6  5  4  3  2  1"
BORDER = "+---------------------------+"
_RANKS = "abcdefghi"


def english_diagram(position: Position) -> str:
    """The board and the attacker's hand below it; no final newline."""
    ranks = (_rank_line(position, rank) for rank in range(1, 10))
    hand = phrase("en", "common.attacker_hand", hand=hand_text(position.attacker_hand))
    return "\n".join([FILES, BORDER, *ranks, BORDER, hand])


def hand_text(hand: Hand) -> str:
    """A hand as diagrams write it: ``G, 2P``, or ``nothing`` when it is empty."""
    items = (f"{hand[kind] if hand[kind] > 1 else ''}{LETTERS[kind]}" for kind in HAND_ORDER if hand[kind])
    return ", ".join(items) or "nothing"


def _rank_line(position: Position, rank: int) -> str:
    cells = (_diagram_cell(position.board[square(file, rank)]) for file in range(9, 0, -1))
    return f"|{''.join(cells)}|{_RANKS[rank - 1]}"


def _diagram_cell(piece: Piece | None) -> str:
    return f"{'.' if piece is None else piece_letter(piece):>2} "
