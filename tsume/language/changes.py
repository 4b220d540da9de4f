# SPDX-License-Identifier: GPL-3.0-or-later
"""The phrases of `tsume mend` and `tsume enrich`: changes of a problem, what they are worth."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    # changes
    "shift": ("全体を{steps}移動", "shift everything by {steps}"),
    "left": ("左へ{number}", "{number} to the left"),
    "right": ("右へ{number}", "{number} to the right"),
    "down": ("下へ{number}", "{number} down"),
    "up": ("上へ{number}", "{number} up"),
    "and": ("、", " and "),
    "add_in_hand": ("持駒に{kind}を追加", "add a {kind} in hand"),
    "add": ("{piece}を追加", "add {piece}"),
    "move": ("{piece}を{square}に移動", "move {piece} to {square}"),
    "take_in_hand": ("{piece}を持駒に変更", "take {piece} into the hand"),
    "put_on_board": ("{piece}を{square}に配置", "put {piece} on {square}"),
    "exchange": ("{piece}を{other}に変更", "exchange {piece} for {other}"),
    "take_off": ("{piece}を除去", "remove {piece}"),
    "nothing": ("空き升", "nothing"),
    "same_side": ("{kind}", "a {kind}"),
    "other_side": ("{side}の{kind}", "the {side}'s {kind}"),
    "clauses": ("、", "; "),
    "begin_with": ("冒頭に {line} を追加", "begin with {line}"),
    # what came of them
    "worth": (
        "質 {quality:.1f}、作品らしさ {likeness}%、使用駒 {material}点",
        "quality {quality:.1f}, likeness {likeness}%, material {material}",
    ),
    "gain": ("{worth}: {gain:+.1f}", "{worth}: {gain:+.1f}"),
    "nothing_to_mend": ("修正すべき点はありません", "nothing to mend"),
    "alternatives": ("（または {changes}）", " (or {changes})"),
    "or": ("、または ", ", or "),
    "more": ("…", ", …"),
    "none_legal": (
        "修正案は見つかりませんでした。一箇所の変更では正しい初形になりません{cut}",
        "no repair found: no single change makes a legal start{cut}",
    ),
    "none_mates": (
        "修正案は見つかりませんでした。変更した{tried}局面のうち、詰むと分かったものがありません{cut}",
        "no repair found: of {tried} changed positions none was seen to mate{cut}",
    ),
    "none_correct": (
        "修正案は見つかりませんでした。変更した{tried}局面のうち{mating}局面は詰みますが、条件に合うものがありません{cut}",
        "no repair found: of {tried} changed positions {mating} mate, but none as required{cut}",
    ),
    "cut_short": ("（時間切れ）", " (time ran out)"),
    "nearest": ("最も近い詰む局面: {changes}", "nearest position that mates: {changes}"),
    "nothing_to_suggest": ("改良案はありません", "nothing to suggest"),
}
