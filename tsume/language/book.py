# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of booklets."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "title": ("詰将棋集", "Tsume-shogi problems"),
    "subtitle": ("全{number}題", "{number} problems"),
    "contents": ("目次", "Contents"),
    "answers": ("解答", "Answers"),
    "index": ("手筋索引", "Index of themes"),
    "made_by": ("{program}で作成・検討", "Created and checked by {program}"),
    "number": ("第{number}番", "No. {number}"),
    "page": ("{number}ページ", "Page {number}"),
    "final": ("詰上り図", "Final position"),
    "alt": ("第{number}番、{caption}。", "No. {number}, {caption}. "),
    "final_alt": ("第{number}番、{caption}の詰上り図。", "No. {number}, {caption}: final position. "),
    # an answer
    "line": ("{moves}まで{length}手詰", "{moves} mate in {length}."),
    "variations": ("変化", "Variations"),
    "tries": ("紛れ", "Tries"),
    "blemishes": ("キズ", "Blemishes"),
    "themes": ("手筋", "Themes"),
    "difficulty": ("難易度", "Difficulty"),
    "comment": ("解説", "Comment"),
    "source": ("出典", "Source"),
    "variation": (
        "{number}手目{answer}は{line}まで{total}手",
        "Move {number}, {answer} is met by {line}: {total} moves.",
    ),
    "no_check": (
        "{number}手目{check}は{answer}（{manner}）で王手が続かない",
        "Move {number}, {check} fails to {answer} ({manner}): no further check.",
    ),
    "any_length": (
        "{number}手目{check}は{answer}（{manner}）で詰まない",
        "Move {number}, {check} fails to {answer} ({manner}): no mate.",
    ),
}
