"""The words on flash cards."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "deck": ("詰将棋", "Tsume-shogi"),
    "subdeck": ("{length:02}手詰", "Mate in {length:02}"),
    # the question
    "side": ("攻方（下）の番です", "The attacker, below, moves first"),
    "start": ("{caption}の図面。{words}", "{caption}. {words}"),
    # the answer
    "end": ("詰上り図。{words}", "The final position. {words}"),
    "mate": ("まで{length}手詰", "mate"),
    "move": ("{move}", "{number}. {move}"),
    "variations": ("変化", "Variations"),
    "at": ("{number}手目 {text}", "{text}"),
    "answer": ("{answer}は", "{answer}"),
    "variation_mate": ("まで{length}手", "mate"),
    # about the problem
    "difficulty": ("難度", "Difficulty"),
    "stars": ("星{stars}つ", "{stars} of {most} stars"),
    "themes": ("手筋", "Themes"),
    "title": ("作品名", "Title"),
    "author": ("作者", "Author"),
    "source": ("出典", "Source"),
}
