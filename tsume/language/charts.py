# SPDX-License-Identifier: GPL-3.0-or-later
"""The words on the picture of `tsume stats --plot`."""

from __future__ import annotations

PHRASES: dict[str, tuple[str, str]] = {
    "title": ("{problems}題、候補{candidates}", "{problems} problems, {candidates} candidates examined"),
    "scores": ("手数別の難易度", "scores by length"),
    "moves": ("手数", "moves"),
    "score": ("難易度", "score"),
    "quality": ("質", "quality"),
    "quality_range": ("質（0から100）", "quality, 0 to 100"),
    "problems": ("題数", "problems"),
    "themes": ("手筋", "themes"),
    "reasons": ("不採用の理由", "reasons for rejection"),
    "most_frequent": ("{title}（多い順に{number}）", "{title} (the {number} most frequent)"),
    "none": ("なし", "none"),
}
