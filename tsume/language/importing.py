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
    "unsound": ("不完全作: {reasons}", "unsound: {reasons}"),
}
