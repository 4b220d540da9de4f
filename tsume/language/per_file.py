# SPDX-License-Identifier: GPL-3.0-or-later
"""The phrases of commands that answer file by file."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "summary": ("結果を書いたファイル: {files}（{counts}）", "result files written: {files} ({counts})"),
    "skipped": (
        "省略したファイル: {files}（結果の方が新しいため。--force でやり直します）",
        "files skipped: {files} (their results are newer; --force answers them again)",
    ),
    "perfect": ("完全作 {number}", "{number} perfect"),
    "sound": ("キズあり {number}", "{number} sound"),
    "unsound": ("不完全作 {number}", "{number} unsound"),
    "explained": ("解説済み {number}", "{number} explained"),
    "unresolved": ("未解決 {number}", "{number} unresolved"),
    "unreadable": ("読めないもの {number}", "{number} unreadable"),
    "unwritten": ("書けないもの {number}", "{number} not written"),
}
