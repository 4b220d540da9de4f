# SPDX-License-Identifier: GPL-3.0-or-later
"""The words on flash cards."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "deck": ("詰将棋", "Tsume-shogi"),
    "subdeck": ("{length:02}手詰", "Mate in {length:02}"),
    # the question
    "side": ("攻方（手前）の手番です", "Attacker (below) to move"),
    "start": ("{caption}の図面。{words}", "{caption}. {words}"),
    # the answer
    "end": ("詰上り図。{words}", "The final position. {words}"),
    "ply": ("{number}手目", "{number}."),
    "last": ("{move} まで{number}手詰", "{number}. {move} mate"),
    "variations": ("変化", "Variations"),
    "answer": ("{answer}は", "{answer}"),
    "last_of_variation": ("{move} まで{number}手", "{number}. {move} mate"),
    # about the problem
    "difficulty": ("難易度", "Difficulty"),
    "stars": ("{most}段階の{stars}", "{stars} of {most}"),
    "themes": ("手筋", "Themes"),
    "title": ("作品名", "Title"),
    "author": ("作者", "Author"),
    "source": ("出典", "Source"),
}
