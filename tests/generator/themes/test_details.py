# SPDX-License-Identifier: GPL-3.0-or-later
"""Themes with a piece or a number: how they are written, and which lines show them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.constraints.problem import ProblemConstraints
from generator.replay import replay_line
from generator.theme_names import NAMES, OF_THE_WHOLE, ThemeDetail, ThemeDetailError, split_themes
from generator.themes import THEMES
from generator.themes.table import shows_details
from tsume_rules.moves import parse_move
from tsume_rules.sfen import parse_sfen

OF_MOVES = sorted(set(NAMES) - OF_THE_WHOLE)
PIECES = [None, *"PLNSBRG", "+P", "+R"]


@given(st.sampled_from(OF_MOVES), st.sampled_from(PIECES), st.integers(1, 20))
def test_a_theme_is_read_as_it_is_written(tag: str, piece: str | None, least: int) -> None:
    detail = ThemeDetail(tag, piece, least)
    assert ThemeDetail.parse(str(detail)) == detail


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("捨駒>=3", "sacrifice>=3"),
        ("Sacrifice≧2", "sacrifice>=2"),
        ("スイッチバック：ｂ", "switchback:B"),
        ("中合:P", "chuai:P"),
        ("king hunt", "king-hunt"),
        ("sacrifice:+r>=2", "sacrifice:+R>=2"),
    ],
)
def test_names_widths_and_signs_are_read(text: str, written: str) -> None:
    assert str(ThemeDetail.parse(text)) == written


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("nothing", "not a theme"),
        ("sacrifice:X", "not a piece"),
        ("sacrifice>=0", "at least 1"),
        ("sacrifice>=", "not a theme"),
        ("pin-mate:B", "no single move"),
        ("picture>=2", "no single move"),
        ("", "not a theme"),
    ],
)
def test_what_cannot_be_read_is_said(text: str, part: str) -> None:
    with pytest.raises(ThemeDetailError, match=part):
        ThemeDetail.parse(text)


def test_the_themes_of_the_whole_are_those_without_moves() -> None:
    assert {name for name, theme in THEMES.items() if theme.moves is None} == OF_THE_WHOLE


def test_details_are_split_from_tags() -> None:
    assert split_themes(["sacrifice", "sacrifice>=2", "chuai:P", "chuai"]) == (
        ("sacrifice", "chuai"),
        ("sacrifice>=2", "chuai:P"),
    )


def test_a_line_shows_a_theme_by_its_pieces_and_as_often() -> None:
    position = parse_sfen("6Gnl/6pkp/9/7S1/9/9/9/9/9 b GS2r2b2g2s3n3l16p 1").position
    replayed = replay_line(position, tuple(map(parse_move, ("S*3c", "2a3c", "G*2a"))))
    assert shows_details(replayed, ["sacrifice:S", "decoy:N", "sacrifice"])
    assert not shows_details(replayed, ["sacrifice:G"])
    assert not shows_details(replayed, ["sacrifice:+S"])
    assert not shows_details(replayed, ["sacrifice>=2"])
    assert not shows_details(replayed, ["sacrifice:S", "decoy:S"])


@pytest.mark.parametrize(
    ("wishes", "length", "part"),
    [
        (ProblemConstraints(themes=("king-hunt",)), 9, "at least 11 moves"),
        (ProblemConstraints(themes=("pawn-drop-lure",)), 5, "at least 7 moves"),
        (ProblemConstraints(themes=("sacrifice",), theme_details=("sacrifice>=4",)), 5, "3 checks"),
    ],
)
def test_what_no_problem_of_the_length_can_show_is_said_at_once(
    wishes: ProblemConstraints, length: int, part: str
) -> None:
    assert part in (wishes.contradiction(length) or "")
    assert wishes.contradiction(11) is None


def test_constraints_survive_json() -> None:
    wishes = ProblemConstraints(themes=("sacrifice",), theme_details=("sacrifice:B>=2",), picture=".#./###")
    assert ProblemConstraints.from_dict(wishes.to_dict()) == wishes
