# SPDX-License-Identifier: GPL-3.0-or-later
"""The phrases of explanations."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    # the problem as a whole
    "head": ("{length}手詰: {line}", "Mate in {length}: {line}"),
    "no_mate": ("不詰です。", "There is no mate."),
    "illegal": ("不正な初形です: {fault}。", "Illegal start: {fault}."),
    "correct": ("完全作です。", "A correct problem."),
    "sound": ("キズのある作品です。", "Sound, but with blemishes."),
    "not_correct": ("完全作ではありません（{defects}）。", "Not a correct problem ({defects})."),
    "stopped": (
        "判定が決まったところで検討を打ち切りました。ほかにも欠陥があるかもしれません。",
        "Examination stopped there; there may be other defects.",
    ),
    "blemishes": ("キズ: {blemishes}", "Blemishes: {blemishes}."),
    "unresolved": (
        "制限内では完全作かどうか分かりませんでした。",
        "A limit was reached before it was known whether the problem is correct.",
    ),
    "incomplete": (
        "制限に達したため、説明はここまでです。",
        "A limit was reached: the explanation stops here.",
    ),
    "rotated": (
        "後手が攻方です。盤の向きを逆にして説明します。",
        "White is the attacker: the board is rotated, and squares are named from White's side.",
    ),
    # a turn
    "turn": ("【{number}手目】{key}", "Move {number}: {key}"),
    "start": ("【初手】", "Move 1"),
    "final": ("これで詰みです。", "This is mate."),
    # the defender's answers
    "variation": (
        "変化: {answers}には{line}まで{total}手詰{remarks}",
        "Variation: {answers} is met by {line}, mate in {total}{remarks}.",
    ),
    "forbidden": (
        "打歩詰: {drop}は禁じ手です",
        "Forbidden: {drop} would be mate by a dropped pawn (打歩詰).",
    ),
    "pin": (
        "詰上り: 玉方の{pieces}はピンされていて動けません",
        "The mate rests on a pin: {pieces} cannot leave the line to the king.",
    ),
    "double_check": (
        "詰上り: 両王手なので、取る手も合駒も利きません",
        "The mate is a double check: no capture or interposition answers both.",
    ),
    "counter_check": ("逆王手", "checks the attacker's king, 逆王手"),
    "as_long": ("変同", "as long as the main line"),
    "leftover": ("駒余り", "leaving pieces in hand"),
    "futile": (
        "無駄合: {drops}（取っても手順は変わりません）",
        "Futile: drops on {drops}; capturing them changes nothing.",
    ),
    "futile_drop": ("△{square}合は{take}", "{square} ({take})"),
    # other checks
    "without_check": ("王手がありません", "There is no check."),
    "no_check": (
        "紛れ: {check}には{answer}{only}で王手が続きません{cause}",
        "Try: {check} fails to {answer}{only}: no further check{cause}.",
    ),
    "any_length": (
        "紛れ: {check}には{answer}{only}で詰みません{cause}",
        "Try: {check} fails to {answer}{only}: no mate{cause}.",
    ),
    "bounded": (
        "紛れ: {check}には{answer}で{moves}以内の詰みはありません（それ以上は調べきれていません）{cause}",
        "Try: {check} is answered by {answer}: no mate within {moves} (unknown beyond that){cause}.",
    ),
    "only": ("の一手", " (the only answer)"),
    "more_tries": (
        "ほかの王手 {checks} でも詰みません（--all で全て表示）",
        "Other checks fail too: {checks} (use --all for details).",
    ),
    "last_move": ("最終手余詰: {checks}でも詰みます", "Also mate: {checks}."),
    "longer": (
        "遠回り: {checks}でも詰みますが、{total}手かかります",
        "Later mate, in {total} moves: {checks}.",
    ),
    "detour": (
        "迂回手順: {checks}でも詰みますが、元の局面に戻るだけです",
        "Detour: also mate by {checks}, but only by returning to the main line.",
    ),
    "merging": (
        "合流: {checks}でも詰みますが、後で作意に合流するだけです",
        "Merging: also mate by {checks}, but only by joining the main line later.",
    ),
    "order": (
        "手順前後: {checks}でも詰みますが、手順を入れ替えて作意に合流するだけです",
        "Change of order: also mate by {checks}, by joining the main line in time.",
    ),
    "ending": ("収束余詰: {checks}でも詰みます", "Cook in the ending: also mate by {checks}."),
    "leaves_pieces": (
        "余詰: {checks}でも駒が余って詰みます",
        "Cook: also mate by {checks}, leaving pieces in hand.",
    ),
    "form": (
        "非限定: {checks}でも{moves}で詰みます",
        "Undetermined form: also mate by {checks}, in {moves}.",
    ),
    "same_position": (
        "同一局面: {checks}でもすぐ取られて同じ局面になります",
        "Same position: {checks} too, as the piece is captured at once.",
    ),
    "cook": ("余詰: {checks}でも{moves}で詰みます", "Cook: also mate by {checks}, in {moves}."),
    "mates_too": ("{checks}でも{moves}で詰みます", "Also mate by {checks}, in {moves}."),
    "mates_somehow": (
        "{checks}でも詰みます（手数は調べきれていません）",
        "Also mate by {checks} (number of moves unknown).",
    ),
}
