# SPDX-License-Identifier: GPL-3.0-or-later
"""The phrases of judgements: what `tsume check` says of a problem."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    # the problem as a whole
    "mate": ("{grade} {length}手詰", "{grade} in {length}"),
    "line": ("{head}: {line}{end}{longer}", "{head}: {line}{end}{longer}"),
    "longer": ("（無駄合を含む手順）", " (a futile interposition is played out)"),
    "faults": ("不完全作の理由: {faults}", "faults (不完全作): {faults}"),
    "blemishes": ("キズ: {blemishes}", "blemishes (キズ): {blemishes}"),
    "not_settled": (
        "制限内では調べ切れなかった条件: {defects}",
        "not settled within the limits: {defects}",
    ),
    "defect": ("  {term}: {head}", "  defect {term}: {head}"),
    "longer_leaves": ("駒の余る2手長い変化があります", "a defence two moves longer leaves pieces"),
    "note": ("  備考: {note}", "  note: {note}"),
    "complete_but_for": ("{classes}を除けば完全です{proved}", "complete but for {classes}{proved}"),
    "class_at": ("{term}（{number}手目）", "{term} (move {number})"),
    "and_class": ("と", " and "),
    "as_searched": ("（調べた範囲で）", ", as far as was searched"),
    "searched_to_the_end": (
        "余詰は手数無制限で検討しました",
        "second solutions were searched for at any length",
    ),
    "searched_within": (
        "余詰は{moves}以内で検討しました",
        "second solutions were searched for within {moves}",
    ),
    "restoring": (
        "  復元型無駄合を除けば{length}手: {line}（{number}手目 {drop} などは取って元の局面に戻るだけ）",
        "  without drops that only restore the position (復元型無駄合) {length}: {line} "
        "(move {number}, {drop}, is one)",
    ),
    "without_moved": (
        "  移動合も無駄合と見れば{length}手: {line}（{number}手目 {move} などは取られるだけ）",
        "  without moved interpositions that are only captured (移動合) {length}: {line} "
        "(move {number}, {move}, is one)",
    ),
    "without_longer": (
        "駒の余る2手長い変化（変長）を除けば{length}手詰とも見られます: {line}",
        "mate in {length} may be meant, if defences two moves longer that leave pieces (変長) do not count: "
        "{line}",
    ),
    "stopped": (
        "判定が決まったところで打ち切りました（--all-findings で全て調べます）",
        "stopped once the grade was settled; --all-findings examines the rest",
    ),
    "readings_agree": (
        "。無駄合のどの解釈でも答えは同じです（狭義・厳格・広義）",
        "; the readings of futile interpositions agree (無駄合: narrow = purist = wide)",
    ),
    # what is said of the position as it was given
    "rotated": (
        "後手が攻方です。盤と指し手は後手の側から示します",
        "White is the attacker; the board and the moves are shown from White's side",
    ),
    "completed_one": (
        "足りない1枚を玉方の持駒に加えました",
        "1 missing piece given to the defender's hand",
    ),
    "completed": (
        "足りない{number}枚を玉方の持駒に加えました",
        "{number} missing pieces given to the defender's hand",
    ),
    # a given line
    "given": ("作意", "GIVEN_LINE (作意)"),
    "given_line": ("{given}: {line}（{moves}）", "{given}: {line} ({moves})"),
    "given_text": ("{given}: {text}", "{given}: {text}"),
    "given_stops": (
        "{moves}のうち{number}手目までの記録です（そこまでは正しい手順です）",
        "the record stops after {number} of {moves}",
    ),
    "given_is_wrong": (
        "{number}手目 {move} は最善ではありません{better}",
        "move {number}, {move}, is not best{better}",
    ),
    "given_is_impossible": (
        "{number}手目 {move} は指せません{better}",
        "move {number}, {move}, cannot be played{better}",
    ),
    "given_is_no_check": (
        "{number}手目 {move} は王手ではありません{better}",
        "move {number}, {move}, gives no check{better}",
    ),
    "given_fails": ("受ける手があるので詰みません", "the defender can escape"),
    "better": ("。正しくは {move}", ": better is {move}"),
    "given_narrow": ("これも最善の手順です", "a best line too"),
    "given_purist": ("厳格な解釈では最善の手順です", "best by the purist reading"),
    "given_wide": ("広義の解釈では最善の手順です", "best by the wide reading"),
    "given_longer": (
        "駒の余る長い変化（変長）を除けば最善の手順です",
        "best except for longer defences that leave pieces (変長)",
    ),
    "given_parts": (
        "。プログラムの解（{length}）とは{number}手目で分かれます",
        "; it leaves the program's line of {length} at move {number}",
    ),
    # a second engine
    "not_heard": (
        "  第二のエンジンは答えませんでした（制限: {limit}）",
        "  the second engine did not answer: {limit} limit reached",
    ),
    "disagree": (
        "  二つのエンジンの答えが一致しません: {differences}",
        "  THE ENGINES DISAGREE: {differences}",
    ),
    "agree": ("  二つのエンジンの答えは一致しました", "  both engines agree"),
    # limits
    "limit_nodes": ("局面数", "nodes"),
    "limit_seconds": ("時間", "seconds"),
    "limit_length": ("手数", "length"),
    "limit_memory": ("メモリー", "memory"),
}
