# SPDX-License-Identifier: GPL-3.0-or-later
"""A moving picture shows the position after each move."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from tests.tsume.diagrams.test_svg import SVG, position
from tests.tsume.problems import CORRECT, CORRECT_LINE
from tsume.diagrams.look import DiagramLook, DiagramScene
from tsume.diagrams.svg import animated_svg
from tsume_rules.moves import ImpossibleMove, parse_move
from tsume_rules.sfen import parse_sfen

LINE = [parse_move(usi) for usi in CORRECT_LINE]


def frames(text: str) -> list[ElementTree.Element]:
    picture = ElementTree.fromstring(text)
    return [one for one in picture.iter(f"{SVG}g") if one.attrib.get("class", "").startswith("f ")]


def test_there_is_a_frame_for_the_start_and_each_move() -> None:
    found = frames(animated_svg(DiagramScene(position(CORRECT), "３手詰"), LINE, DiagramLook()))
    assert [one.attrib["class"] for one in found] == ["f f0", "f f1", "f f2", "f f3"]
    kings = [[u.attrib["href"] for u in one.iter(f"{SVG}use")].count("#kanji-king-turned") for one in found]
    assert kings == [1, 1, 1, 1]


def test_without_motion_the_start_is_seen() -> None:
    text = animated_svg(DiagramScene(position(CORRECT)), LINE, DiagramLook())
    assert ".f{opacity:0;" in text
    assert ".f0{opacity:1}" in text
    assert "prefers-reduced-motion" in text


def test_the_words_tell_the_moves() -> None:
    text = animated_svg(DiagramScene(position(CORRECT)), LINE, DiagramLook(language="en"))
    told = ElementTree.fromstring(text).findtext(f"{SVG}desc")
    assert told is not None
    assert told.endswith("G-2c K-1a G-2b")


def test_every_rule_has_its_keyframes() -> None:
    text = animated_svg(DiagramScene(position(CORRECT)), LINE, DiagramLook())
    named = set(re.findall(r"animation(?:-name)?:([fm]\d+)", text))
    assert (
        named == set(re.findall(r"@keyframes ([fm]\d+)", text)) == {"f0", "f1", "f2", "f3", "m1", "m2", "m3"}
    )


def test_a_drop_of_the_attacker_comes_from_his_hand_and_of_the_defender_from_above() -> None:
    start = parse_sfen("8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1").position
    text = animated_svg(DiagramScene(start), [parse_move("2d2a+"), parse_move("R*2b")], DiagramLook())
    assert len(frames(text)) == 3


def test_a_line_that_cannot_be_played_is_refused() -> None:
    with pytest.raises(ImpossibleMove):
        animated_svg(DiagramScene(position(CORRECT)), [parse_move("9i9h")], DiagramLook())
