# SPDX-License-Identifier: GPL-3.0-or-later
"""The phrases of `tsume choose`."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "any_length": ("全手数", "any length"),
    "chosen": (
        "{length}: {candidates}題から{number}題を選びました",
        "{length}: {number} chosen from {candidates}",
    ),
    "alike": ("似たもの{number}題を除外（{reasons}）", "{number} left out as alike ({reasons})"),
    "squares": ("手順の升が同じ{number}", "squares of the line {number}"),
    "mate": ("初手と詰上がりが同じ{number}", "key and mate {number}"),
    "ending": ("収束が同じ{number}", "ending {number}"),
    "pieces": ("配置が同じか1枚違い{number}", "pieces but one {number}"),
    "known": ("既知の作品{number}題を除外", "{number} left out as known"),
    "sentences": ("。", "; "),
    "too_few": (
        "{length}: {wanted}題に{missing}題足りません。ほかに選べるものがありません",
        "{length}: {missing} of {wanted} are missing: no other problem is left",
    ),
    "levels": ("難易度: {levels}", "difficulty: {levels}"),
    "level": ("{low:.0f}〜{high:.0f}が{number}題", "{low:.0f}-{high:.0f} {number}"),
    "written": ("{number}題を書き出しました: {store}", "{number} problems written to {store}"),
}
