# SPDX-License-Identifier: GPL-3.0-or-later
"""Patterns of lines: how they are written, and which moves they fit."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.constraints.line_pattern import (
    ConstraintError,
    PlayedMove,
    nearness_of_any,
    parse_line_pattern,
    parse_move_patterns,
    played_moves,
)
from tests.positions import position_of
from tsume_rules.moves import parse_move
from tsume_rules.position import Kind

SFEN = "1p7/ks+R6/9/1P7/9/9/9/9/9 b r2b4g3s4n4l16p 1"
LINE = tuple(map(parse_move, ("8d8c+", "9b9a", "7b8b", "8a8b", "S*9b")))
MOVES, END = played_moves(position_of(SFEN), LINE)
"""A pawn promotes, the king moves, a dragon takes a silver and is taken by a pawn, a silver is dropped."""


def test_moves_are_replayed() -> None:
    assert [move.kind for move in MOVES] == [Kind.PAWN, Kind.KING, Kind.DRAGON, Kind.PAWN, Kind.SILVER]
    assert [move.captures for move in MOVES] == [False, False, True, True, False]
    assert sum(piece is not None for piece in END) == 4


@pytest.mark.parametrize(("text", "fitting"), [
    ("x", "12345"), ("P", "4"), ("P+", "1"), ("P,P+", "14"), ("+", "1"), ("K", "2"), ("+R", "3"), ("R", ""), ("*", "5"),
    ("S*", "5"), ("S*9b", "5"), ("Ｓ＊９二", "5"), ("*92", "5"), ("9b", "5"), ("8b", "34"), ("82", "34"), ("x8b", "34"),
    ("Px8二", "4"), ("Px", "4"), ("P-8b", ""), ("-", "12"), ("8d8c", ""), ("8d8c+", "1"), ("8483+", "1"),
    ("P8d-8c+", "1"), ("S", ""), ("S9b", ""), ("G*,S*9b", "5"), ("K-9a", "2"), ("Kx9a", ""), ("+P", ""),
])  # fmt: skip
def test_what_a_move_is_written_as(text: str, fitting: str) -> None:
    patterns = parse_move_patterns(text)
    found = [number for number, move in enumerate(MOVES, 1) if nearness_of_any(patterns, move) == 1]
    assert "".join(map(str, found)) == fitting


@pytest.mark.parametrize(
    "text",
    ["", "k", "y", "K*", "G+", "+G", "+K", "+R*", "+R+", "S*2b+", "S*2b3c", "0a", "2j", "x,", "xx", "S**", "2b-"],
)
def test_what_is_no_move(text: str) -> None:
    with pytest.raises(ConstraintError):
        parse_move_patterns(text)


@pytest.mark.parametrize(("text", "fits"), [
    ("x x x x x", True), ("x x x x", False), ("x x x x x x", False), ("...", True), ("... x", True),
    ("P+ K +Rx8b Px8b S*", True), ("P+ ... S*", True), ("... x8b x8b ...", True), ("... K S* ...", False),
    ("x x ... x x ... x", True), ("x x x ... x x x", False), ("… *92", True), ("P+ ... P+", False),
])  # fmt: skip
def test_which_lines_fit(text: str, fits: bool) -> None:
    pattern = parse_line_pattern(text)
    assert (pattern.found(MOVES) == pattern.asked) is fits


@given(st.lists(st.sampled_from(["x", "...", "P", "K", "*", "x8b"]), min_size=1, max_size=5), st.integers(0, 5))
def test_a_slow_twin_finds_as_many(words: list[str], unknown: int) -> None:
    """By all numbers of moves for each `...`."""
    pattern = parse_line_pattern(" ".join(words))
    line: list[PlayedMove | None] = [None] * unknown + list(MOVES[unknown:])
    best = -1.0
    for numbers in product(range(6), repeat=words.count("...")):
        left = list(numbers)
        spread = [one for word in words for one in (["x"] * left.pop() if word == "..." else [word])]
        if len(spread) == len(line):
            best = max(best, sum(
                (word != "x") * (1 if move is None else nearness_of_any(parse_move_patterns(word), move))
                for word, move in zip(spread, line, strict=True)
            ))  # fmt: skip
    assert pattern.found(line) == pytest.approx(best)


def test_the_length_of_a_pattern() -> None:
    assert parse_line_pattern("x K ...").shortest == 2
    assert not parse_line_pattern("x K ...").has_length
    assert parse_line_pattern("x K x").has_length
    with pytest.raises(ConstraintError):
        parse_line_pattern("x " * 600)
