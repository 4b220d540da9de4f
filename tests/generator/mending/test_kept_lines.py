# SPDX-License-Identifier: GPL-3.0-or-later
"""What becomes of a line when its position is changed."""

from __future__ import annotations

import pytest

from generator.changes import ChangeKind, Improvement, PositionChange, improvement_of_changes
from generator.mending.changed_positions import (
    exchanges_captured_piece,
    line_course,
    lines_after_change,
    suits_improvement,
)
from tsume_rules.moves import parse_move
from tsume_rules.position import Kind, Piece, Side, parse_square

LINE = tuple(map(parse_move, ["3e4d", "1a1b", "2d2c+"]))
DEFENDER, ATTACKER = Side.DEFENDER, Side.ATTACKER
ALL = frozenset(Improvement)


def moved(kind: Kind, start: str, end: str) -> PositionChange:
    return PositionChange(ChangeKind.MOVED, Piece(ATTACKER, kind), parse_square(start), parse_square(end))


def usi(lines: tuple[tuple[object, ...], ...]) -> list[str]:
    return [" ".join(map(str, line)) for line in lines]


def test_a_moved_piece_goes_from_its_new_square() -> None:
    assert usi(lines_after_change(LINE, moved(Kind.LANCE, "2d", "2f"))) == ["3e4d 1a1b 2f2c+"]
    assert usi(lines_after_change(LINE, moved(Kind.SILVER, "3b", "9i"))) == ["3e4d 1a1b 2d2c+"]


def test_a_piece_that_is_taken_first_moves_nothing() -> None:
    taking = tuple(map(parse_move, ["3e4d", "1a1b", "4d2b", "1b1c", "2b1a+"]))
    piece = Piece(DEFENDER, Kind.ROOK)
    change = PositionChange(ChangeKind.MOVED, piece, parse_square("2b"), parse_square("5b"))
    assert lines_after_change(taking, change) == (taking,)


@pytest.mark.parametrize(
    ("side", "kind", "square", "is_captured"),
    [
        (DEFENDER, Kind.ROOK, "2b", True),  # stands there to be taken
        (ATTACKER, Kind.ROOK, "3c", True),  # goes where it is taken
        (DEFENDER, Kind.ROOK, "5b", False),
        (ATTACKER, Kind.BISHOP, "4d", False),  # takes, and stays
        (DEFENDER, Kind.DRAGON, "2b", False),  # may become plain
    ],
)
def test_another_kind_for_a_piece_that_is_captured(
    side: Side, kind: Kind, square: str, is_captured: bool
) -> None:
    line = tuple(map(parse_move, ["3c3b", "2a3b", "4d2b", "1a1b", "G*1c"]))
    change = PositionChange(
        ChangeKind.EXCHANGED, Piece(side, kind), parse_square(square), other=Piece(side, Kind.GOLD)
    )
    assert exchanges_captured_piece(change, line) is is_captured


def test_everything_shifted() -> None:
    assert usi(lines_after_change(LINE, PositionChange(ChangeKind.SHIFTED, step=(1, 2)))) == [
        "4g5f 2c2d 3f3e+"
    ]
    assert lines_after_change(LINE, PositionChange(ChangeKind.SHIFTED, step=(-1, 0))) == ()


def test_a_piece_made_plain_may_promote() -> None:
    line = tuple(map(parse_move, ("3b2a",)))
    change = PositionChange(
        ChangeKind.EXCHANGED,
        Piece(ATTACKER, Kind.HORSE),
        parse_square("3b"),
        other=Piece(ATTACKER, Kind.BISHOP),
    )
    assert usi(lines_after_change(line, change)) == ["3b2a", "3b2a+"]


def test_a_course_is_of_squares_and_dropped_kinds() -> None:
    one, other, third = (line_course([parse_move(text)]) for text in ("3b2a", "1b2a+", "G*2a"))
    assert one == other != third


@pytest.mark.parametrize(
    ("change", "suited"),
    [
        (PositionChange(ChangeKind.ADDED, Piece(DEFENDER, Kind.LANCE), 3), True),
        (PositionChange(ChangeKind.ADDED, Piece(DEFENDER, Kind.TOKIN), 3), False),
        (PositionChange(ChangeKind.ADDED, Piece(ATTACKER, Kind.LANCE), 3), False),
        (PositionChange(ChangeKind.ADDED, Piece(ATTACKER, Kind.LANCE)), False),
        (PositionChange(ChangeKind.TAKEN_OFF, Piece(ATTACKER, Kind.LANCE), 3), True),
        (PositionChange(ChangeKind.TAKEN_OFF, Piece(ATTACKER, Kind.LANCE)), False),
        (PositionChange(ChangeKind.MOVED, Piece(DEFENDER, Kind.KING), 3, 4), False),
        (
            PositionChange(
                ChangeKind.EXCHANGED, Piece(ATTACKER, Kind.TOKIN), 3, other=Piece(ATTACKER, Kind.GOLD)
            ),
            True,
        ),
        (
            PositionChange(
                ChangeKind.EXCHANGED, Piece(ATTACKER, Kind.GOLD), 3, other=Piece(ATTACKER, Kind.TOKIN)
            ),
            False,
        ),
        (
            PositionChange(
                ChangeKind.EXCHANGED, Piece(ATTACKER, Kind.GOLD), 3, other=Piece(DEFENDER, Kind.GOLD)
            ),
            False,
        ),
        (
            PositionChange(
                ChangeKind.EXCHANGED, Piece(DEFENDER, Kind.GOLD), 3, other=Piece(DEFENDER, Kind.PAWN)
            ),
            True,
        ),
    ],
)
def test_which_changes_suit(change: PositionChange, suited: bool) -> None:
    assert suits_improvement(change, ALL) is suited


def test_defenders_are_added_only_where_that_is_wished() -> None:
    added = PositionChange(ChangeKind.ADDED, Piece(DEFENDER, Kind.LANCE), 3)
    assert not suits_improvement(added, frozenset({Improvement.NATURAL}))
    assert improvement_of_changes((added,)) is Improvement.DEFENDERS
    assert improvement_of_changes((PositionChange(ChangeKind.SHIFTED, step=(1, 0)),)) is Improvement.NATURAL
