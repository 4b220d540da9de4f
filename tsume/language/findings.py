# SPDX-License-Identifier: GPL-3.0-or-later
"""The phrases of findings: the sentences that show a defect or a remark."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "starts_in_check": ("初形で攻方の玉に王手がかかっている", "the attacker's king is in check at the start"),
    "in_check": (
        "攻方の手番で玉に王手がかかっています",
        "the defender's king is in check with the attacker to move",
    ),
    "both_in_check": ("両方の玉に王手がかかっています", "both kings are in check"),
    "no_king": ("{side}の玉がありません", "the {side} has no king"),
    "only_attacker_s_king": (
        "{side}の玉がありません。玉があるのは手番の側だけです。"
        "攻方が逆なら手番を変えてください（SFEN の b と w）",
        "the {side} has no king, only the side to move has one;"
        " if the other side attacks, let it move (b or w in an SFEN)",
    ),
    "kings": ("{side}の玉が{number}枚あります（{squares}）", "the {side} has {number} kings: {squares}"),
    "two_pawns": (
        "{side}の歩が同じ筋に{number}枚あります（二歩）: {squares}",
        "the {side} has {number} pawns on one file (二歩): {squares}",
    ),
    "dead_piece": (
        "{side}の{squares}{piece}は行き所のない駒です",
        "the {side}'s {piece} on {squares} can never move (行き所のない駒)",
    ),
    "too_many": (
        "{piece}が{number}枚あります（一組には{full}枚）",
        "there are {number} pieces of the kind {piece}; a set has {full}",
    ),
    # no mate, another length
    "all_fail": ("どの王手でも詰みません（{checks}通り）", "no check mates ({checks} tried)"),
    "no_check": ("王手がありません", "there is no check"),
    "other_length": (
        "{expected}手詰のはずですが{actual}手で詰みます{sooner}",
        "expected mate in {expected}, found mate in {actual}{sooner}",
    ),
    "sooner": ("（早詰）", " (早詰)"),
    "try_no_check": (
        "{check}には{answer}{only}で王手が続きません{cause}",
        "{check} is met by {answer}{only}: no further check{cause}",
    ),
    "try_any_length": (
        "{check}には{answer}{only}で詰みません{cause}",
        "{check} is met by {answer}{only}: no mate afterwards{cause}",
    ),
    "try_bounded": (
        "{check}には{answer}{only}で{moves}以内には詰みません{cause}",
        "{check} is met by {answer}{only}: no mate within {moves} afterwards{cause}",
    ),
    "only": ("の一手", ", the only answer"),
    "more_checks": (
        "… ほかの{number}通りの王手でも詰みません",
        "… and {number} more checks, none of which mates",
    ),
    "pawn_drop_mate": ("（{line}は打歩詰）", " ({line} would be mate by a dropped pawn, 打歩詰)"),
    "repetition": (
        "（王手は続きますが、連続王手の千日手です）",
        " (the checks go on, but only repeat positions, 連続王手の千日手)",
    ),
    "cycle": (
        "（{line}と繰り返すのは連続王手の千日手）",
        " (repeating {line} is perpetual check, 連続王手の千日手)",
    ),
    "counter_check": ("（逆王手）", " (which checks the attacker's king, 逆王手)"),
    "forbidden": (
        "{drop} は打歩詰の禁じ手です",
        "{drop} would be mate by a dropped pawn, which is forbidden (打歩詰)",
    ),
    "more_checks_one": (
        "… ほかの1通りの王手でも詰みません",
        "… and 1 more check, which does not mate either",
    ),
    # second solutions
    "same_effect": (
        "{number}手目、{check} でも {key} と同じことです",
        "move {number}, {check} has the same effect as {key}",
    ),
    "same_position": (
        "{number}手目、{check} でも {key} でもすぐ取られて同じ局面になります",
        "move {number}, {check} leaves the same position as {key}, as the piece is captured at once",
    ),
    "instead": (
        "{number}手目、{key} に代えて {check} でも詰みます",
        "move {number}, {check} instead of {key}",
    ),
    "instead_mates": (
        "{number}手目、{key} に代えて {check} でも{moves}で詰みます（{late}）",
        "move {number}, {check} instead of {key} mates in {moves} ({late})",
    ),
    "classified": ("{text}（{term}{joins}{proved}）", "{text}, {term}{joins}{proved}"),
    "joins": ("、{number}手目から作意と同じ", " that joins the line at move {number}"),
    "comes_back": ("、{number}手目の局面に戻る", " that comes back to move {number}"),
    "as_searched": ("、調べた範囲で", " as far as was searched"),
    "later": ("{number}手長い", "{number} later"),
    "as_soon": ("同手数", "just as soon"),
    "forms": (
        "{number}手目、{key} に代えて {checks} でも同じです",
        "move {number}, instead of {key} also {checks}",
    ),
    # pieces
    "left_in_hand": ("{hand}が余ります", "{hand} left in hand"),
    "number_of": ("{kind}{number}枚", "{number} {kind}s"),
    "needless": ("{piece}は不要です", "{piece} is not needed"),
    "smaller": ("  この駒を除いた図: {sfen}", "  without it: {sfen}"),
    # readings of futile interpositions
    "readings_differ": ("解釈によって答えが変わります", "the readings differ"),
    "futile_drop_lasts": (
        "無駄合 {drop} と同じだけ手数の延びる応手がほかにありません",
        "no other defence lasts as long as the futile drop {drop}",
    ),
    "futile_by": (
        "{drop} を無駄合とするのは{readings}の解釈だけです",
        "the drop {drop} is futile by {readings} only",
    ),
    "and": ("と", " and "),
    "narrow": ("狭義", "narrow"),
    "purist": ("厳格", "purist"),
    "wide": ("広義", "wide"),
    "lengths": (
        "狭義{narrow}手、厳格{purist}、広義{wide}手",
        "narrow {narrow}, purist {purist}, wide {wide}",
    ),
    "purist_length": ("{number}手", "{number}"),
    "none_within": ("{number}手以内になし", "none within {number}"),
    "length": ("手数: {lengths}", "length: {lengths}"),
    "clauses": ("。", "; "),
    "parting": (
        "{number}手目に{plies}手で詰む王手{where}:",
        "checks at move {number} that mate in {plies}{where}:",
    ),
    "parting_after": ("（{line} の後）", " after {line}"),
    "no_moves": ("なし", "none"),
    "mates_in": ("（{length}手で詰む）", " (mates in {length})"),
    # other defences, other mates
    "equal_defence": (
        "{number}手目、{answers} も同手数です",
        "move {number}, also {answers}, equally long",
    ),
    "also": ("（{moves} も同じ）", " (also {moves})"),
    "last_moves": (
        "{number}手目、{key} に代えて {moves} でも詰みます",
        "move {number}, {moves} mates instead of {key}",
    ),
    "last_moves_for": ("{key} に代えて {moves}", "{moves} for {key}"),
    "after": ("{line} の後: ", "after {line}: "),
    "variation_mate": (
        "作意より短い {answer} の変化に、作意と同手数の詰みがあります",
        "after {answer}, a shorter defence, this mate is as long as the main line",
    ),
    # lines
    "branch": ("{moves}進めた局面（{start}）: {rest}", "after {moves} ({start}): {rest}"),
}
