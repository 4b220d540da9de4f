# SPDX-License-Identifier: GPL-3.0-or-later
"""The phrases of `tsume merge`."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "looking": ("{store} を調べています", "reading {store}"),
    "writing": ("{store} に書いています", "writing to {store}"),
    "other": (
        "{number}題は {made} で作られたもので、この版（{this}）とは採点が異なることがあります",
        "{number} problems were made by {made}; this is {this}, whose scores may differ",
    ),
    "recipe": ("tsume {version}、創作エンジン版 {recipe}", "tsume {version}, generator version {recipe}"),
    "no_recipe": ("tsume {version}", "tsume {version}"),
    "done": (
        "{store}: {copies}題のうち{new}題を登録、{replaced}題を先に見つかったものと置き換え、"
        "{noted}題にメモを追加しました",
        "{store}: {copies} problems read, {new} new, {replaced} replaced later finds, {noted} "
        "added notes to stored problems",
    ),
}
