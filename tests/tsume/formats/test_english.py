# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest

from tests.tsume.formats.positions import random_record
from tsume.formats.english import kind_name, line_texts, move_text
from tsume_rules.moves import ImpossibleMove, parse_move
from tsume_rules.position import Kind
from tsume_rules.sfen import parse_sfen


@pytest.mark.parametrize(
    ("board", "usi", "expected"),
    [
        ("8k/9/9/9/9/9/9/9/9", "S*2b", "S*2b"),
        ("8k/9/7P1/9/9/9/9/9/9", "2c2b+", "P-2b+"),
        ("8k/9/7P1/9/9/9/9/9/9", "2c2b", "P-2b="),
        ("8k/7p1/7P1/9/9/9/9/9/9", "2c2b+", "Px2b+"),
        ("8k/9/9/9/9/9/9/7R1/9", "2h2b", "R-2b="),
        ("8k/9/9/9/9/9/9/7R1/9", "2h2g", "R-2g"),
        ("8k/9/6+S2/6G2/9/9/9/9/9", "3c2b", "+S-2b"),
        ("8k/9/9/6GG1/9/9/9/9/9", "3d2c", "G3d-2c"),
        ("8k/9/9/6GG1/9/9/9/9/9", "3d4c", "G-4c"),
        ("8k/7r1/6G1G/9/9/9/9/9/9", "1c2b", "G1cx2b"),
    ],
)
def test_moves_in_western_notation(board: str, usi: str, expected: str) -> None:
    position = parse_sfen(f"{board} b S").position
    assert move_text(position, parse_move(usi)) == expected


def test_a_line_alternates_the_sides() -> None:
    position = parse_sfen("9/8k/6+S2/6G2/9/9/9/9/9 b - 1").position
    assert line_texts(position, map(parse_move, ["3d2c", "1b1a", "2c2b"])) == ["G-2c", "K-1a", "G-2b"]


def test_what_cannot_be_played_has_no_text() -> None:
    with pytest.raises(ImpossibleMove):
        move_text(parse_sfen("8k/9/9/9/9/9/9/9/9 b - 1").position, parse_move("3d2c"))


def test_any_line_has_texts_and_kinds_have_names() -> None:
    for seed in range(30):
        record = random_record(seed)
        assert len(line_texts(record.position, record.line)) == len(record.line)
    assert kind_name(Kind.PROMOTED_SILVER) == "promoted silver"
    assert kind_name(Kind.TOKIN) == "tokin"
