# SPDX-License-Identifier: GPL-3.0-or-later
"""The words on pictures, and those that describe a picture to people who do not see it."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "mate_in": ("{length}手詰", "Mate in {length}"),
    "position": ("詰将棋の図面", "A tsume-shogi position"),
    "hand_head": ("持駒", "in hand"),
    "none": ("なし", "none"),
    "nothing": ("なし", "none"),
    "attacker": ("攻方は{pieces}。", "Attacker: {pieces}."),
    "defender": ("玉方は{pieces}。", "Defender: {pieces}."),
    "in_hand": ("持駒は{pieces}。", "In hand: {pieces}."),
    "defender_in_hand": ("玉方の持駒は{pieces}。", "In the defender's hand: {pieces}."),
    "played": ("{number}手目　{move}", "{number}. {move}"),
    "last_played": ("{move}まで{number}手詰", "{number}. {move} mate"),
    "last_move": ("最終手は{square}。", "Last move to {square}."),
}
