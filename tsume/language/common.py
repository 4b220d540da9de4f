# SPDX-License-Identifier: GPL-3.0-or-later
"""The phrases that several areas share."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "seconds": ("{number}秒", "{number} s"),
    "minutes": ("{number}分", "{number} min"),
    "hours": ("{number}時間", "{number} h"),
    "one_move": ("{number}手", "{number} move"),
    "moves": ("{number}手", "{number} moves"),
    # boards and lines
    "length": ("{length}手詰", "mate in {length}"),
    "solution": ("{line}  まで{length}手詰", "{line}  mate in {length}"),
    "end": ("  まで{length}手詰", "  mate in {length}"),
    "attacker_hand": ("攻方の持駒：{hand}", "in hand: {hand}"),
    "defender_hand": ("玉方の持駒：{hand}", "defender's hand: {hand}"),
    # pieces
    "on_board": ("{side}{square}{piece}", "the {side}'s {piece} on {square}"),
    "in_hand": ("持駒の{piece}", "the {piece} in hand"),
    "attacker": ("攻方", "attacker"),
    "defender": ("玉方", "defender"),
    # numbers that judge a problem
    "quality": ("質 {quality:.1f}", "quality {quality:.1f}"),
    "likeness": ("作品らしさ {likeness}", "likeness {likeness}"),
    "resistance": ("紛れの深さ {resistance:.1f}", "resistance {resistance:.1f}"),
    "surprise": ("意外さ {surprise:.1f}", "surprise {surprise:.1f}"),
}
