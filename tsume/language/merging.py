"""The phrases of `tsume merge`."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "looking": ("{store} を調べています", "looking at {store}"),
    "writing": ("{store} に書いています", "writing to {store}"),
    "other": (
        "{number}題は {made} によるもので、この版（{this}）の創作と同じ尺度ではありません",
        "{number} problems were made by {made}; this is {this}, whose scores may differ",
    ),
    "recipe": ("tsume {version} のレシピ {recipe}", "tsume {version}, recipe {recipe}"),
    "no_recipe": ("tsume {version}", "tsume {version}"),
    "done": (
        "{store}: {copies}題のうち{new}題を登録、{replaced}題を先の創作に置き換え、"
        "{noted}題に書き込みを追加しました",
        "{store}: of {copies} problems {new} are new, {replaced} took the place of later finds, {noted} "
        "brought notes to stored ones",
    ),
}
