# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of themes: every name leads to its tag."""

from __future__ import annotations

import pytest

from generator.theme_names import NAMES, ThemeName, counts_by_theme_name, english_name, japanese_name, tag_of


@pytest.mark.parametrize("name", NAMES.values(), ids=lambda name: name.tag)
def test_a_theme_is_found_by_each_of_its_names(name: ThemeName) -> None:
    for text in (name.tag, name.japanese, name.english, *name.also):
        assert tag_of(text) == tag_of(text.upper()) == tag_of(f" {text} ") == name.tag


def test_no_two_themes_share_a_name() -> None:
    for field in ("tag", "japanese", "english", "meaning"):
        assert len({getattr(name, field) for name in NAMES.values()}) == len(NAMES)


def test_width_case_spaces_and_hyphens_make_no_difference() -> None:
    assert tag_of("Ｔｗｏ　Ｋｉｎｇｓ") == tag_of("two-KINGS") == "double-king"


@pytest.mark.parametrize("text", ["", " ", "quiet-move", "静かな王手", "decoys"])
def test_other_words_are_no_themes(text: str) -> None:
    assert tag_of(text) is None


def test_an_unknown_tag_is_its_own_name() -> None:
    assert japanese_name("quiet-move") == english_name("quiet-move") == "quiet-move"
    assert japanese_name("chuai") == "中合"


def test_numbers_keep_their_order_under_names() -> None:
    assert list(counts_by_theme_name({"king-lure": 3, "old": 2, "block": 1}).items()) == [
        ("king lure", 3), ("old", 2), ("blocked flight", 1),
    ]  # fmt: skip
