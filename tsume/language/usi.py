# SPDX-License-Identifier: GPL-3.0-or-later
"""The phrases of `tsume usi`: its ``info string`` lines."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "shorter_open": (
        "{length}手の詰みです。より短い詰みの有無は確認していません",
        "mate in {length}; a shorter mate is not ruled out",
    ),
    "any_mate": (
        "{length}手の詰みです。最短とは限りません",
        "mate in {length}, any mate: it may not be the shortest",
    ),
    "futile_end": (
        "最終手の後の合駒はどれも無駄合です",
        "every interposition after the last move is futile (無駄合)",
    ),
    "unresolved": ("制限に達しました（{limit}）", "limit reached: {limit}"),
    "none_within": ("{length}手以内の詰みはありません", "no mate within {length} moves"),
    "no_mate": ("不詰", "no mate"),
    "no_mate_among": ("searchmoves の手では詰みません", "none of searchmoves mates"),
    "escapes": ("玉方の手番で、詰みません", "the defender is to move and is not mated"),
    "no_check": (
        "王手がかかっていません。玉方は自由に指せます",
        "the defender is to move and not in check: any move is an answer",
    ),
    "mated": ("玉方は詰んでいます", "the defender is to move and is mated"),
    "no_find_all": (
        "FindAll は攻方の手番で searchmoves がないときだけ働きます",
        "FindAll needs the attacker to move, without searchmoves",
    ),
    "first_mate": ("初手の王手のうち{number}通りが詰みます", "{number} first checks mate"),
    "more_lines": ("MultiPV により{number}通りを省きました", "{number} more are left out by MultiPV"),
    "first_open": ("詰むかどうか未解決の初手: {moves}", "first checks not resolved: {moves}"),
    "length_open": (
        "初手 {move}: より短い詰みの有無は確認していません",
        "first check {move}: a shorter mate is not ruled out",
    ),
    "narrow_only": (
        "判定は Reading にかかわらず狭義の解釈によります",
        "the judgement is by the narrow reading, whatever Reading is",
    ),
}
