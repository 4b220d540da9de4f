# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines are the same if mirrored or moved on the board, whichever gold-like piece makes the moves."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.line_keys import frame_key, key_of_steps, line_key
from tsume_rules.moves import Move, parse_move
from tsume_rules.position import HAND_KINDS, SQUARES, file_of, rank_of, square
from tsume_rules.sfen import parse_sfen

squares = st.integers(0, SQUARES - 1)
drops = st.builds(Move, squares, drop=st.sampled_from(HAND_KINDS))
board_moves = st.builds(Move, squares, squares, promotes=st.booleans())
lines = st.lists(drops | board_moves, min_size=1, max_size=7).map(tuple)
Line = tuple[Move, ...]


def line(moves: str) -> Line:
    return tuple(parse_move(usi) for usi in moves.split())


def squares_of(moves: Line) -> list[int]:
    return [sq for move in moves for sq in (move.origin, move.target) if sq is not None]


def each(moves: Line, change: Callable[[int], int]) -> Line:
    """A line with every square exchanged for another."""
    return tuple(
        Move(
            change(move.target),
            None if move.origin is None else change(move.origin),
            move.promotes,
            drop=move.drop,
        )
        for move in moves
    )


@st.composite
def moved(draw: st.DrawFn) -> tuple[Line, Line]:
    """A line, and the same line somewhere else on the board."""
    here = draw(lines)
    files, ranks = [file_of(sq) for sq in squares_of(here)], [rank_of(sq) for sq in squares_of(here)]
    across = draw(st.integers(1 - min(files), 9 - max(files)))
    down = draw(st.integers(1 - min(ranks), 9 - max(ranks)))
    return here, each(here, lambda sq: square(file_of(sq) + across, rank_of(sq) + down))


@given(lines)
def test_mirror_images_are_the_same(moves: Line) -> None:
    assert line_key(tuple(move.mirrored for move in moves)) == line_key(moves)


@given(moved())
def test_so_is_a_line_somewhere_else(pair: tuple[Line, Line]) -> None:
    assert line_key(pair[0]) == line_key(pair[1])


@given(lines)
def test_promotion_makes_no_difference(moves: Line) -> None:
    plain = tuple(Move(move.target, move.origin, drop=move.drop) for move in moves)
    assert line_key(plain) == line_key(moves)


@given(lines, lines)
def test_equal_keys_belong_to_lines_of_one_shape(one: Line, other: Line) -> None:
    """From a key the line can be read again, except where it is and whether it is mirrored."""
    if line_key(one) == line_key(other):
        assert [move.drop for move in one] == [move.drop for move in other]
        assert shape(one) == shape(other)


def shape(moves: Line) -> list[tuple[int, int]]:
    first = moves[0].target
    return [(abs(file_of(sq) - file_of(first)), rank_of(sq) - rank_of(first)) for sq in squares_of(moves)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("3c2c 1b1a 2c2b", "3c2c 1b1a 2c1b"),  # another last move
        ("3c2c 1b1a 2c2b", "3c2c 1b1a G*2b"),  # a drop in its stead
        ("G*2c 1b1a", "S*2c 1b1a"),  # another piece dropped
        ("3c2c 1b1a 2c2b", "3c2c 1b1a"),  # shorter
        ("3c2c 1b1a", "3c2c 3b3a"),  # mirrored in part
        ("3c2c 1b1a", "3c2c 2b2a"),  # moved in part
        ("3c2d", "3d2c"),  # turned upside down
    ],
)
def test_different_lines_differ(one: str, other: str) -> None:
    assert line_key(line(one)) != line_key(line(other))


def test_a_step_to_the_left_is_one_to_the_right_mirrored() -> None:
    assert line_key(line("3c2c")) == line_key(line("2c3c"))


def test_a_line_may_begin_anywhere() -> None:
    assert key_of_steps([("", 3, 3, 2, 3), ("G", 1, 1, 1, 1)]) == key_of_steps(
        [("", 7, 5, 8, 5), ("G", 9, 3, 9, 3)]
    )


def test_a_frame_is_the_first_move_and_the_final_position() -> None:
    drop, slide = line("G*9b"), line("8b9b")
    before_drop = parse_sfen("k8/9/P8/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1").position
    before_slide = parse_sfen("k8/1G7/P8/9/9/9/9/9/9 b 2r2b3g4s4n4l17p 1").position
    assert frame_key(before_drop, drop) != frame_key(before_slide, slide)
    mirrored = (drop[0].mirrored,)
    assert frame_key(before_drop, drop) == frame_key(before_drop.mirrored, mirrored)
