# SPDX-License-Identifier: GPL-3.0-or-later
"""The fields, tags and pictures of a card."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from db.notebook import Notebook
from tests.tsume.stored_cards import (
    MIRRORED,
    MIRRORED_LINE,
    SEVEN,
    SEVEN_LINE,
    explained,
    fields,
    made,
    stored,
)
from tsume.cards import FIELDS, Card
from tsume.diagrams.look import COLOURS, DiagramLook, PieceStyle
from tsume.language.catalogue import LANGUAGES, Language
from tsume.reports.explanation import ExplanationText

LINE = ["▲３三桂成", "△１一玉", "▲１二角成", "△同玉", "▲２三成桂上", "△１一玉", "▲２二成桂直"]
ODD = "a <b>&\"' [sound:x.mp3] {{Name}}"
EACH = [(language,) for language in LANGUAGES] + [LANGUAGES]


@pytest.fixture(scope="module")
def seven() -> ExplanationText:
    return explained(stored(SEVEN, SEVEN_LINE))


def words(html: str) -> str:
    """What a reader reads, in one row."""
    return " ".join("".join(ElementTree.fromstring(f"<div>{html}</div>").itertext()).split())


def images(card: Card) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(f"<div>{''.join(card.fields)}</div>").iter("img"))


def test_a_card_asks_and_answers_in_japanese(seven: ExplanationText) -> None:
    found = fields(made(stored(SEVEN, SEVEN_LINE), text=seven))
    assert found["Position"] == SEVEN
    assert words(found["Caption"]) == "７手詰"
    assert words(found["Side"]) == "攻方（手前）の手番です"
    assert (
        words(found["Line"]) == "▲３三桂成 △１一玉 ▲１二角成 △同玉 ▲２三成桂上 △１一玉 ▲２二成桂直 まで７手詰"
    )
    assert words(found["Other notation"]).endswith("5. +N2d-2c 6. K-1a 7. +N2c-2b mate")
    told = words(found["Variations"])
    assert told.startswith("変化２手目 △２一玉は ▲２二角成 まで３手２手目 無駄合: △２三合は▲同角成、")
    assert told.endswith("６手目 △２一玉は ▲２二成桂直 まで７手（変同）")
    assert words(found["About"]) == "難易度 ★★☆☆☆ 27.50手筋 大駒捨て、捨駒No. 12"


def test_a_card_asks_and_answers_in_english(seven: ExplanationText) -> None:
    found = fields(made(stored(SEVEN, SEVEN_LINE), "en", text=seven))
    assert words(found["Caption"]) == "Mate in 7"
    assert words(found["Line"]).startswith("1. N-3c+ 2. Kx1a")
    assert words(found["Other notation"]).startswith("▲３三桂成 △１一玉")
    assert words(found["Variations"]).startswith(
        "Variations2. K-2a 3. B-2b+ mate2. Futile: drops on 2c (Bx2c+),"
    )
    assert "Themes big-piece sacrifice, sacrifice" in words(found["About"])


@pytest.mark.parametrize("languages", EACH)
def test_every_variation_of_the_explanation_is_there(
    languages: tuple[Language, ...], seven: ExplanationText
) -> None:
    told = sum(len(turn.variations) + bool(turn.futile) for turn in seven.explanation.turns)
    found = fields(made(stored(SEVEN, SEVEN_LINE), *languages, text=seven))["Variations"]
    assert found.count("<li>") == told * len(languages)


def test_without_an_explanation_there_are_no_variations() -> None:
    assert fields(made(stored()))["Variations"] == ""


@pytest.mark.parametrize("languages", EACH)
@pytest.mark.parametrize("piece_style", PieceStyle)
def test_both_positions_are_pictures_that_are_told_in_words(
    languages: tuple[Language, ...], piece_style: PieceStyle
) -> None:
    card = made(stored(), *languages, look=DiagramLook(piece_style, languages[0]))
    start, end = images(card)
    assert [one.attrib["src"] for one in (start, end)] == list(card.pictures)
    assert len(set(card.pictures.values())) == 2
    if "ja" in languages:
        assert start.attrib["alt"].startswith("３手詰の図面。玉方は１二玉。攻方は")
        assert "最終手は２二。" in end.attrib["alt"]
    if "en" in languages:
        assert "Mate in 3. Defender: king 1b." in start.attrib["alt"]
        assert "Last move to 2b." in end.attrib["alt"]


def test_a_picture_is_called_by_what_it_shows() -> None:
    again, other = made(stored()), made(stored(), look=DiagramLook(colours=COLOURS["wood"]))
    assert made(stored()).pictures == again.pictures
    assert not set(again.pictures) & set(other.pictures)
    assert all(re.fullmatch(r"tsume-(start|end)-[0-9a-f]{20}\.svg", name) for name in again.pictures)


@pytest.mark.parametrize("notebook", [Notebook(title=ODD), Notebook(author=ODD), Notebook(source=ODD)])
def test_a_text_of_a_person_is_no_html_and_no_sound(notebook: Notebook) -> None:
    card = made(stored(notebook=notebook))
    assert ODD in words(fields(card)["About"])
    assert not any("<b>&" in field or "[sound" in field for field in card.fields)


def test_a_card_is_named_by_its_title_or_its_number() -> None:
    assert words(fields(made(stored()))["Name"]) == "No. 12"
    assert words(fields(made(stored(notebook=Notebook(title=ODD))))["Name"]) == ODD


@pytest.mark.parametrize("languages", EACH)
def test_fields_are_whole_html_without_addresses(
    languages: tuple[Language, ...], seven: ExplanationText
) -> None:
    for field in made(stored(SEVEN, SEVEN_LINE), *languages, text=seven).fields:
        words(field)
        assert "http" not in field
        assert "\n" not in field


def test_tags_are_single_words() -> None:
    tags = made(stored(notebook=Notebook(tags=("好形", "to do", "a\u3000b")))).tags
    assert tags == (
        "tsume::3",
        "tsume::stars::2",
        "tsume::theme::big-piece-sacrifice",
        "tsume::theme::sacrifice",
        "好形",
        "to_do",
        "a_b",
    )


def test_the_mirror_image_is_the_same_problem() -> None:
    one, other = made(stored()), made(stored(MIRRORED, MIRRORED_LINE))
    assert one.canonical == other.canonical
    assert one.fields != other.fields


def test_all_fields_are_filled_in_order(seven: ExplanationText) -> None:
    card = made(stored(SEVEN, SEVEN_LINE), text=seven)
    assert len(card.fields) == len(FIELDS)
    assert all(card.fields)
