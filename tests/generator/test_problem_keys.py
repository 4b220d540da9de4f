# SPDX-License-Identifier: GPL-3.0-or-later
"""What an editor calls the same problem again has a key in common, and other problems have none."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from generator.constraints.options import ComposingOptions, Style
from generator.constraints.problem import ProblemConstraints
from generator.line_keys import key_of_steps, line_key
from generator.problem_keys import (
    SQUARES_FROM,
    TAIL_SQUARES_FROM,
    TAILS_FROM,
    natural_problem_keys,
    problem_keys,
)
from tests.grown import grown
from tsume_rules.moves import Move, parse_move
from tsume_rules.position import (
    SQUARES,
    Piece,
    Position,
    Side,
    Square,
    file_of,
    rank_of,
    square,
    structural_faults,
)
from tsume_rules.sfen import parse_sfen

Line = tuple[Move, ...]
Solved = tuple[Position, Line]
SEEDS = {1: 3, 3: 3, 5: 3, 7: 4}
"""A seed of `tests.grown` for each length."""
NATURAL = ComposingOptions(3, style=Style.NATURAL)


def solved(board: str, moves: str, hand: str = "-") -> Solved:
    line = tuple(parse_move(usi) for usi in moves.split())
    return parse_sfen(f"{board} b {hand} 1").position, line


@cache
def examples() -> list[Solved]:
    return [candidate.readable for n, seed in SEEDS.items() for candidate in grown(n, 60, seed=seed)[:40]]


def shares(one: Solved, other: Solved) -> tuple[bool, bool]:
    """Whether two problems have the key of the squares in common, and that of key and mate."""
    (to, finish), (other_to, other_finish) = natural_problem_keys(*one), natural_problem_keys(*other)
    return to == other_to, finish == other_finish


def moved(case: Solved, across: int, down: int) -> Solved | None:
    """A problem somewhere else on the board; None if a piece would leave it or have no move there."""
    position, line = case

    def place(sq: Square) -> Square | None:
        file, rank = file_of(sq) + across, rank_of(sq) + down
        return square(file, rank) if 1 <= file <= 9 and 1 <= rank <= 9 else None

    board: list[Piece | None] = [None] * SQUARES
    for sq, piece in enumerate(position.board):
        if piece is not None:
            target = place(sq)
            if target is None:
                return None
            board[target] = piece
    moves = []
    for move in line:
        target, origin = place(move.target), None if move.origin is None else place(move.origin)
        if target is None or (move.origin is not None and origin is None):
            return None
        moves.append(Move(target, origin, move.promotes, move.drop))
    shifted = Position.completed(tuple(board), position.attacker_hand)
    return None if structural_faults(shifted) else (shifted, tuple(moves))


def touches_edge(case: Solved) -> bool:
    """Whether the mated king stands at the edge."""
    position, line = case
    king = position.king(Side.DEFENDER)
    for move in line[1::2]:
        king = move.target if move.origin == king else king
    assert king is not None
    return not (2 <= file_of(king) <= 8 and 2 <= rank_of(king) <= 8)


def test_mirror_images_are_the_same() -> None:
    for position, line in examples():
        image = position.mirrored, tuple(move.mirrored for move in line)
        assert natural_problem_keys(*image) == natural_problem_keys(position, line)


def test_so_is_a_problem_somewhere_else_if_no_edge_helps_to_mate() -> None:
    inside = [case for case in examples() if not touches_edge(case)]
    tried = 0
    for case in inside:
        for across, down in ((1, 0), (-1, 0), (0, 1)):
            there = moved(case, across, down)
            if there is not None and not touches_edge(there):
                assert shares(case, there) == (True, True)
                tried += 1
    assert tried > 5


def test_at_the_edge_a_mate_is_another_one() -> None:
    corner = solved("8k/9/7G1/9/9/9/9/9/9", "G*1b", "G")
    edge = solved("5k3/9/4G4/9/9/9/9/9/9", "G*4b", "G")
    assert shares(corner, edge) == (False, False)


GOLDS = "8k/9/6G2/6G2/9/9/9/9/9"


@pytest.mark.parametrize(
    ("other", "same"),
    [
        ("8k/9/6G2/6+P2/9/9/9/9/9", True),  # a piece that moves like a gold
        ("8k/9/6G2/6S2/9/9/9/9/9", False),  # one that covers other squares
        ("8k/9/6+N2/6+S2/9/9/9/9/9", True),
    ],
)
def test_like_pieces_make_no_new_problem(other: str, same: bool) -> None:
    moves = "3d2c 1a1b 3c2b"
    assert shares(solved(GOLDS, moves), solved(other, moves))[0] == same


def test_of_the_defender_only_the_squares_count() -> None:
    moves = "G*1b"
    one, other = (solved(f"7{piece}k/9/7P1/9/9/9/9/9/9", moves, "G") for piece in "gs")
    assert shares(one, other) == (True, True)
    assert shares(one, solved("8k/9/7P1/9/9/9/9/9/9", moves, "G")) == (False, False)


def test_a_slider_counts_alike_wherever_it_stands_on_its_line() -> None:
    near, far = (solved(board, "2c1b") for board in ("8k/9/7G1/9/8L/9/9/9/9", "8k/9/7G1/9/9/9/9/9/8R"))
    assert shares(near, far) == (True, True)
    assert shares(near, solved("8k/9/7GP/9/9/9/9/9/9", "2c1b")) == (False, False)


@pytest.mark.parametrize("other", ["2b1b", "2c1b+", "S*1b"])
def test_another_key_to_the_same_square_is_another_key(other: str) -> None:
    one = solved("8k/7G1/7S1/9/9/9/9/9/9", "2c1b", "S")
    assert natural_problem_keys(*one)[1] != natural_problem_keys(one[0], (parse_move(other),))[1]


def test_long_lines_to_the_same_squares_are_the_same_whatever_the_mate() -> None:
    found = {length: set[str]() for length in (5, 7)}
    for position, line in examples():
        if len(line) in found:
            found[len(line)].add(natural_problem_keys(position, line)[0])
    assert all("#" in key or "." in key for key in found[5])
    assert found[7]
    assert not any("#" in key for key in found[7])
    assert SQUARES_FROM == 7


def test_long_lines_that_are_the_same_go_to_the_same_squares() -> None:
    """So that natural problems of these lengths have distinct lines in any case."""
    by_line: dict[str, set[str]] = {}
    for position, line in examples():
        if len(line) >= SQUARES_FROM:
            by_line.setdefault(line_key(line), set()).add(natural_problem_keys(position, line)[0])
    assert by_line
    assert all(len(keys) == 1 for keys in by_line.values())


def test_free_problems_are_known_by_their_lines() -> None:
    for position, line in examples()[:5]:
        assert problem_keys(ComposingOptions(3), position, line) == (line_key(line),)
        keys = problem_keys(NATURAL, position, line)
        assert keys[:2] == natural_problem_keys(position, line)
        assert len(keys) == (3 if len(line) >= TAILS_FROM else 2)
        both = ComposingOptions(3, ProblemConstraints(distinct_lines=True), style=Style.NATURAL)
        assert problem_keys(both, position, line) == (*keys, line_key(line))


def share_a_key(one: Solved, other: Solved, options: ComposingOptions = NATURAL) -> bool:
    return not set(problem_keys(options, *one)).isdisjoint(problem_keys(options, *other))


def test_lines_that_end_alike_are_the_same_problem() -> None:
    """The last two thirds decide: four moves of five, ten of fifteen."""
    one = solved("7lS/7Rb/7sk/9/8K/9/9/9/9", "G*2d 2c2d 2b2d+ 2a2d S*1d", "G")
    assert share_a_key(one, solved("7lB/7Rr/7sk/9/8K/9/9/9/9", "G*2d 2c2d 2b2d+ 2a2d S*1d", "G"))
    long = solved(
        "5+B2k/6+p1+n/6GP1/7N1/6N2/9/9/9/9",
        "2c2b+ 3b2b 2d1b+ 2b1b N*2c 1b2c 3e2c 1a1b 2c1a+ 1b1a P*1b 1a1b 4a2c 1b1a 2c2b",
    )
    other = solved(
        "5B2n/8k/6GN+p/9/6N2/9/9/9/9",
        "2c1a+ 1b1a P*1b 1c1b N*2c 1b2c 3e2c 1a1b 2c1a+ 1b1a P*1b 1a1b 4a2c+ 1b1a 2c2b",
        "P",
    )
    assert len(long[1]) >= TAIL_SQUARES_FROM
    assert share_a_key(long, other)
    assert natural_problem_keys(*long)[0] != natural_problem_keys(*other)[0]


EXTENDED = ComposingOptions(5, starts=("7nk/7sl/9/6N2/8N/9/9/9/9 b G 1",), style=Style.NATURAL)
TO_A_FINAL = ComposingOptions(5, final="7nk/7Gl/8N/6N2/9/9/9/9/9 w - 1", style=Style.NATURAL)


@pytest.mark.parametrize("options", [EXTENDED, TO_A_FINAL])
def test_where_the_mate_was_given_it_is_no_repetition(options: ComposingOptions) -> None:
    silver = solved("6snk/7gl/9/6N2/8N/9/9/7L1/9", "2h2b+ 3a2b 1e2c 2b2c G*2b")
    nearer = solved("6snk/7gl/9/6N2/8N/7R1/9/9/9", "2f2b+ 3a2b 1e2c 2b2c G*2b")
    other = solved("6snk/6Ggl/9/6N2/8N/9/9/2b6/9", "3b2b 3a2b 1e2c 2b2c G*2b")
    assert share_a_key(silver, nearer, options)  # a slider from farther off is nothing new
    assert share_a_key(silver, other)  # elsewhere the same mate, and the same squares, are
    if options is EXTENDED:
        assert not share_a_key(silver, other, options)


def test_keys_of_different_sorts_never_meet() -> None:
    for position, line in examples():
        to, finish = natural_problem_keys(position, line)
        assert len({to[:2], finish[:2], line_key(line)[:2]}) == 3
        assert "\n" not in to + finish  # the store keeps one a line
    assert not key_of_steps([("S", 1, 1, 1, 1)]).startswith(("s ", "m "))


# --- where something is asked for -----------------------------------------------------------------

ASKED = ComposingOptions(3, style=Style.NATURAL, wishes=ProblemConstraints(max_pieces=12))
CLONES = [
    (solved("4G2nl/5Pgk1/7p1/7N1/7N1/9/9/9/9", "S*1c 2a1c 2d3b+ 2b3b G*3c 3b2a G*2b", "GS"),
     solved("4G2nl/5P1k1/6gp1/7N1/7N1/9/9/9/9", "S*1c 2a1c G*2a 2b2a 2e3c 2a2b G*3b", "GS")),
    (solved("9/1k7/gN1B5/P8/K8/9/9/9/9", "9d9c+ 8b9c G*8d 9c8b G*9c", "G"),
     solved("9/1k7/gNsB5/P8/K8/9/9/9/9", "9d9c+ 8b9c G*9d 9c8b G*9c", "G")),
    # the first check and its answer are others
    (solved("7nl/8k/9/7N1/6R2/9/9/9/9", "3e3b+ 2a3c G*2b 1b1c 2b2c", "2G"),
     solved("4g2nl/8k/7S1/7N1/9/9/9/9/9", "2c1d 5a4a G*2b 1b1c 2b2c", "2G")),
]  # fmt: skip
"""Pairs of problems that a walk gave with a piece more, on another square, or exchanged."""


@pytest.mark.parametrize(("one", "other"), CLONES)
def test_problems_that_differ_by_a_piece_are_the_same_where_something_is_asked(
    one: Solved, other: Solved
) -> None:
    def keys(options: ComposingOptions, case: Solved) -> set[str]:
        return set(problem_keys(options, *case))

    assert keys(ASKED, one) & keys(ASKED, other)
    mirror = (other[0].mirrored, tuple(move.mirrored for move in other[1]))
    assert keys(ASKED, other) == keys(ASKED, mirror)
    assert not keys(NATURAL, one) & keys(NATURAL, other)


def test_problems_of_different_roots_are_different_where_something_is_asked() -> None:
    """Few pairs of grown problems have a key in common only because something is asked."""
    cases = examples()
    asked = [set(problem_keys(ASKED, *case)) for case in cases]
    plain = [set(problem_keys(NATURAL, *case)) for case in cases]
    pairs = [(i, j) for i in range(len(cases)) for j in range(i)]
    only = sum(bool(asked[i] & asked[j]) and not plain[i] & plain[j] for i, j in pairs)
    assert only < len(pairs) / 50


FINAL = "7nk/7bp/7N1/9/9/9/9/9/9 w - 1"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # a gold captured and dropped, or a silver, by a bishop from the other side
        (solved("7nk/8p/b8/1B5L1/9/3g5/9/9/9", "8d6f 9c6f G*2b 6f2b N*2c", "N"),
         solved("7nk/8p/b8/7L1/9/3s5/4B4/9/9", "5g6f 9c6f S*2b 6f2b N*2c", "N")),
        # the same sacrifices by bishops of other squares
        (solved("7nk/8p/6g2/7L1/4B3N/3b5/9/9/9", "5e3c+ 6f3c G*2b 3c2b 1e2c"),
         solved("4b2nk/5B2p/6g2/7L1/8N/9/9/9/9", "4b3c+ 5a3c G*2b 3c2b 1e2c")),
        # of three moves
        (solved("7nk/8p/9/7L1/9/3b5/9/9/9", "G*2b 6f2b N*2c", "GN"),
         solved("7nk/8p/9/7L1/9/3b5/9/9/9", "S*2b 6f2b N*2c", "SN")),
        # the same first move, a knight dropped or on the board
        (solved("7nk/8p/9/7L1/9/3b5/9/9/9", "G*2b 6f2b N*2c", "GN"),
         solved("7nk/8p/9/7L1/8N/3b5/9/9/9", "G*2b 6f2b 1e2c", "G")),
    ],
)  # fmt: skip
def test_to_a_given_final_position_an_exchanged_piece_makes_no_new_problem(
    one: Solved, other: Solved
) -> None:
    assert share_a_key(one, other, replace(NATURAL, length=len(one[1]), final=FINAL))


def test_to_a_given_final_position_other_ways_are_new() -> None:
    one = solved("7nk/8p/b8/1B5L1/9/3g5/9/9/9", "8d6f 9c6f G*2b 6f2b N*2c", "N")
    other = solved("4B2nk/8p/6g2/7L1/8N/3b5/9/9/9", "5a3c+ 6f3c G*2b 3c2b 1e2c")
    assert not share_a_key(one, other, replace(NATURAL, length=5, final=FINAL))


def test_with_very_few_pieces_all_of_them_count() -> None:
    bare = [solved(f"{board}/9/9/9/9/9/9/9", "G*1b", "G") for board in ("8k/9", "8k/7S1")]
    asked = [set(problem_keys(ASKED, *case)) for case in bare]
    assert not {key for key in asked[0] & asked[1] if key.startswith("n ")}
