# SPDX-License-Identifier: GPL-3.0-or-later
"""The phrases of `tsume import`."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "stored_one": ("{number}題を登録しました{ids}: {store}", "{number} problem stored{ids} in {store}"),
    "stored": ("{number}題を登録しました{ids}: {store}", "{number} problems stored{ids} in {store}"),
    "ids": ("（No. {span}）", " as No. {span}"),
    "sound": ("キズあり: {remarks}", "sound: {remarks}"),
    "not_settled": (
        "制限に達したため、一部の条件は未確認です",
        "a limit was reached before every condition was checked",
    ),
    "clauses": ("。", "; "),
    "duplicate": ("登録済みです", "already stored"),
    "not_scored": ("採点できません（制限: {limit}）", "not scored: {limit} limit reached"),
    "not_perfect": ("完全作ではありません", "not perfect"),
    "unresolved": ("未解決: 制限に達しました", "unresolved: a limit was reached"),
    "known_read": ("既知の作品{number}題を読みました", "{number} known problems read"),
    "known_counts": (
        "{number}題中、既知の作品の同一作{equal}題、類作{near}題",
        "{number} problems compared: {equal} equal to a known problem, {near} near one",
    ),
    "known_same": ("同一作: {place}と同じ局面です", "known: the same position as {place}"),
    "known_mirrored": ("同一作: {place}と左右対称です", "known: the mirror image of {place}"),
    "known_shifted": ("同一作: {place}を盤上でずらしたものです", "known: {place}, moved on the board"),
    "known_idle": (
        "同一作: {place}と、動かない駒の種類や敵味方だけが違います",
        "known: {place} with other pieces that do not move",
    ),
    "known_kinds": (
        "類作: {place}と、玉方の駒の種類と手順だけが違います",
        "near: {place} with defending pieces of other kinds and another line",
    ),
    "known_edge": (
        "類作: {place}と、盤端からの距離だけが違います",
        "near: {place} at another distance from the edges",
    ),
    "known_one_piece": ("類作: {place}と駒が1枚だけ違います", "near: {place}, one piece differs"),
    "unsound": ("不完全作: {reasons}", "unsound: {reasons}"),
}
