# SPDX-License-Identifier: GPL-3.0-or-later
"""The phrases of reply trees."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    # the tree as a whole
    "head": ("{length}手詰: {line}", "Mate in {length}: {line}"),
    "no_mate": ("不詰です。", "There is no mate."),
    "unresolved": (
        "制限内では詰むかどうか分かりませんでした。",
        "A limit was reached before it was known whether there is a mate.",
    ),
    "rotated": (
        "後手が攻方です。盤の向きを逆にして示します。",
        "White is the attacker: the board is rotated, and squares are named from White's side.",
    ),
    "incomplete": (
        "制限に達したため、調べきれていないところがあります。",
        "A limit was reached: parts of the tree are unknown.",
    ),
    # a turn
    "start": ("初形", "start"),
    "turn": ("［{id}］{path}: あと{length}手で詰み", "[{id}] {path}: mate in {length}"),
    "turn_without_mate": ("［{id}］{path}: 不詰", "[{id}] {path}: no mate"),
    "turn_open": ("［{id}］{path}: 未解明", "[{id}] {path}: open"),
    # a check that mates
    "key": ("{check} 正解、{length}手", "{check} key, mate in {length}"),
    "form": ("{check} 非限定、{length}手", "{check} another form of the key, mate in {length}"),
    "as_soon": ("{check} 同手数で詰み、{length}手", "{check} just as soon, mate in {length}"),
    "later": ("{check} 手数の長い詰み、{length}手", "{check} later, mate in {length}"),
    "mate": ("{mates}（詰上り）", "{mates}: mate"),
    # an answer to it
    "best": ("{answer} 最善、{where}", "{answer} best, {where}"),
    "answer": ("{answer} {where}", "{answer} {where}"),
    "drops": ("△{square}合（{kinds}）", "a drop on {square} ({kinds})"),
    "to_turn": ("［{turn}］へ（あと{length}手）", "to [{turn}] (mate in {length})"),
    "by_line": ("{line}まで{length}手", "{line}, mate in {length}"),
    "futile": ("{answer} 無駄合（{take}）、{where}", "{answer} futile ({take}), {where}"),
    # a check that fails
    "no_check": (
        "{check}には{answer}（{manner}）で王手が続きません{cause}",
        "{check} fails: {answer} {manner}; no further check{cause}",
    ),
    "any_length": (
        "{check}には{answer}（{manner}）で詰みません{cause}",
        "{check} fails: {answer} {manner}; no mate{cause}",
    ),
    "bounded": (
        "{check}には{answer}（{manner}）で{moves}以内の詰みはありません（それ以上は調べきれていません）{cause}",
        "{check} is met: {answer} {manner}; no mate within {moves} (unknown beyond that){cause}",
    ),
    "not_found": (
        "{check}には{answer}（{manner}）で、詰みが見つかりません{cause}",
        "{check} fails: {answer} {manner}; no mate was found{cause}",
    ),
    "searched": (
        "{moves}以内に詰みがないことを確かめました。それより長い詰みがないとは言い切れません。",
        "There is no mate within {moves}; a longer one cannot be excluded.",
    ),
    "takes_checker": ("王手の{taken}を取る", "takes the checking {taken}"),
    "moves_king": ("玉が動く", "moves the king"),
    "moves_king_taking": ("玉で{taken}を取る", "takes the {taken} with the king"),
    "moves_between": ("{piece}の移動合", "moves the {piece} between"),
    "drops_between": ("{piece}合", "drops a {piece} between"),
    "forbidden": ("{drop} 打歩詰の禁じ手", "{drop} forbidden: mate by a dropped pawn (打歩詰)"),
    # an open check
    "open": ("{check} 未解明", "{check} open"),
    "open_mates": ("{check} 詰み（手数は未解明）", "{check} mates (number of moves unknown)"),
}
