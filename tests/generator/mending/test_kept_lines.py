"""What becomes of a line when its position is changed."""

from __future__ import annotations

import pytest

from generator.changes import Change, ChangeKind
from generator.mending.kept_lines import carried, course, suits
from generator.mending.kinds import Improvement, kind_of
from tsume_rules.moves import parse_move
from tsume_rules.pieces import Kind, Piece, Side
from tsume_rules.squares import parse_square

LINE = tuple(map(parse_move, ["3e4d", "1a1b", "2d2c+"]))
DEFENDER, ATTACKER = Side.DEFENDER, Side.ATTACKER
ALL = frozenset(Improvement)


def moved(kind: Kind, start: str, end: str) -> Change:
    return Change(ChangeKind.MOVED, Piece(ATTACKER, kind), parse_square(start), parse_square(end))


def usi(lines: tuple[tuple[object, ...], ...]) -> list[str]:
    return [" ".join(map(str, line)) for line in lines]


def test_a_moved_piece_goes_from_its_new_square() -> None:
    assert usi(carried(LINE, moved(Kind.LANCE, "2d", "2f"))) == ["3e4d 1a1b 2f2c+"]
    assert usi(carried(LINE, moved(Kind.SILVER, "3b", "9i"))) == ["3e4d 1a1b 2d2c+"]


def test_a_piece_that_is_taken_first_moves_nothing() -> None:
    taking = tuple(map(parse_move, ["3e4d", "1a1b", "4d2b", "1b1c", "2b1a+"]))
    piece = Piece(DEFENDER, Kind.ROOK)
    change = Change(ChangeKind.MOVED, piece, parse_square("2b"), parse_square("5b"))
    assert carried(taking, change) == (taking,)


def test_everything_shifted() -> None:
    assert usi(carried(LINE, Change(ChangeKind.SHIFTED, step=(1, 2)))) == ["4g5f 2c2d 3f3e+"]
    assert carried(LINE, Change(ChangeKind.SHIFTED, step=(-1, 0))) == ()


def test_a_piece_made_plain_may_promote() -> None:
    line = tuple(map(parse_move, ("3b2a",)))
    change = Change(
        ChangeKind.EXCHANGED,
        Piece(ATTACKER, Kind.HORSE),
        parse_square("3b"),
        other=Piece(ATTACKER, Kind.BISHOP),
    )
    assert usi(carried(line, change)) == ["3b2a", "3b2a+"]


def test_a_course_is_of_squares_and_dropped_kinds() -> None:
    one, other, third = (course([parse_move(text)]) for text in ("3b2a", "1b2a+", "G*2a"))
    assert one == other != third


@pytest.mark.parametrize(
    ("change", "suited"),
    [
        (Change(ChangeKind.ADDED, Piece(DEFENDER, Kind.LANCE), 3), True),
        (Change(ChangeKind.ADDED, Piece(DEFENDER, Kind.TOKIN), 3), False),
        (Change(ChangeKind.ADDED, Piece(ATTACKER, Kind.LANCE), 3), False),
        (Change(ChangeKind.ADDED, Piece(ATTACKER, Kind.LANCE)), False),
        (Change(ChangeKind.TAKEN_OFF, Piece(ATTACKER, Kind.LANCE), 3), True),
        (Change(ChangeKind.TAKEN_OFF, Piece(ATTACKER, Kind.LANCE)), False),
        (Change(ChangeKind.MOVED, Piece(DEFENDER, Kind.KING), 3, 4), False),
        (
            Change(ChangeKind.EXCHANGED, Piece(ATTACKER, Kind.TOKIN), 3, other=Piece(ATTACKER, Kind.GOLD)),
            True,
        ),
        (
            Change(ChangeKind.EXCHANGED, Piece(ATTACKER, Kind.GOLD), 3, other=Piece(ATTACKER, Kind.TOKIN)),
            False,
        ),
        (
            Change(ChangeKind.EXCHANGED, Piece(ATTACKER, Kind.GOLD), 3, other=Piece(DEFENDER, Kind.GOLD)),
            False,
        ),
        (Change(ChangeKind.EXCHANGED, Piece(DEFENDER, Kind.GOLD), 3, other=Piece(DEFENDER, Kind.PAWN)), True),
    ],
)
def test_which_changes_suit(change: Change, suited: bool) -> None:
    assert suits(change, ALL) is suited


def test_defenders_are_added_only_where_that_is_wished() -> None:
    added = Change(ChangeKind.ADDED, Piece(DEFENDER, Kind.LANCE), 3)
    assert not suits(added, frozenset({Improvement.NATURAL}))
    assert kind_of((added,)) is Improvement.DEFENDERS
    assert kind_of((Change(ChangeKind.SHIFTED, step=(1, 0)),)) is Improvement.NATURAL
