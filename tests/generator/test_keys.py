# SPDX-License-Identifier: GPL-3.0-or-later
"""What an editor calls the same problem again has a key in common, and other problems have none."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.constraints.options import ComposingOptions, Style
from generator.constraints.problem import ProblemConstraints
from generator.problem import frame_key, key_of_steps, line_key
from generator.problem_keys import SQUARES_FROM, TAIL_SQUARES_FROM, TAILS_FROM, natural_problem_keys, problem_keys
from generator.resemblance import Placement, Resemblance, ResemblanceIndex, resemblance
from tests.candidates import grown
from tests.places import DATA
from tests.sampling import attacks
from tsume_rules.moves import Move, parse_move
from tsume_rules.position import (
    HAND_KINDS,
    SQUARES,
    Board,
    Hand,
    Kind,
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
"""A seed of `tests.candidates` for each length."""
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


def test_like_pieces_make_no_new_problem() -> None:
    moves = "3d2c 1a1b 3c2b"
    for other, same in (
        ("8k/9/6G2/6+P2/9/9/9/9/9", True),  # a piece that moves like a gold
        ("8k/9/6G2/6S2/9/9/9/9/9", False),  # one that covers other squares
        ("8k/9/6+N2/6+S2/9/9/9/9/9", True),
    ):
        assert shares(solved("8k/9/6G2/6G2/9/9/9/9/9", moves), solved(other, moves))[0] == same
    # of the defender only the squares count
    one, other_kind = (solved(f"7{piece}k/9/7P1/9/9/9/9/9/9", "G*1b", "G") for piece in "gs")
    assert shares(one, other_kind) == (True, True)
    assert shares(one, solved("8k/9/7P1/9/9/9/9/9/9", "G*1b", "G")) == (False, False)
    # a slider counts alike wherever it stands on its line
    near, far = (solved(board, "2c1b") for board in ("8k/9/7G1/9/8L/9/9/9/9", "8k/9/7G1/9/9/9/9/9/8R"))
    assert shares(near, far) == (True, True)
    assert shares(near, solved("8k/9/7GP/9/9/9/9/9/9", "2c1b")) == (False, False)
    # another key to the same square is another key
    key = solved("8k/7G1/7S1/9/9/9/9/9/9", "2c1b", "S")
    for move in ("2b1b", "2c1b+", "S*1b"):
        assert natural_problem_keys(*key)[1] != natural_problem_keys(key[0], (parse_move(move),))[1], move


def test_long_lines_to_the_same_squares_are_the_same_whatever_the_mate() -> None:
    found = {length: set[str]() for length in (5, 7)}
    for position, line in examples():
        if len(line) in found:
            found[len(line)].add(natural_problem_keys(position, line)[0])
    assert all("#" in key or "." in key for key in found[5])
    assert found[7]
    assert not any("#" in key for key in found[7])
    assert SQUARES_FROM == 7
    # So that natural problems of these lengths have distinct lines in any case.
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
def test_problems_that_differ_by_a_piece_are_the_same_where_something_is_asked(one: Solved, other: Solved) -> None:
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
def test_to_a_given_final_position_an_exchanged_piece_makes_no_new_problem(one: Solved, other: Solved) -> None:
    assert share_a_key(one, other, replace(NATURAL, length=len(one[1]), final=FINAL))


def test_to_a_given_final_position_other_ways_are_new() -> None:
    one = solved("7nk/8p/b8/1B5L1/9/3g5/9/9/9", "8d6f 9c6f G*2b 6f2b N*2c", "N")
    other = solved("4B2nk/8p/6g2/7L1/8N/3b5/9/9/9", "5a3c+ 6f3c G*2b 3c2b 1e2c")
    assert not share_a_key(one, other, replace(NATURAL, length=5, final=FINAL))


def test_with_very_few_pieces_all_of_them_count() -> None:
    bare = [solved(f"{board}/9/9/9/9/9/9/9", "G*1b", "G") for board in ("8k/9", "8k/7S1")]
    asked = [set(problem_keys(ASKED, *case)) for case in bare]
    assert not {key for key in asked[0] & asked[1] if key.startswith("n ")}


# --- lines are the same if mirrored or moved, whichever gold-like piece moves ----------------------

squares = st.integers(0, SQUARES - 1)
drops = st.builds(Move, squares, drop=st.sampled_from(HAND_KINDS))
board_moves = st.builds(Move, squares, squares, promotes=st.booleans())
lines = st.lists(drops | board_moves, min_size=1, max_size=7).map(tuple)


def line(moves: str) -> Line:
    return tuple(parse_move(usi) for usi in moves.split())


def squares_of(moves: Line) -> list[int]:
    return [sq for move in moves for sq in (move.origin, move.target) if sq is not None]


def each(moves: Line, change: Callable[[int], int]) -> Line:
    """A line with every square exchanged for another."""
    origins = [None if move.origin is None else change(move.origin) for move in moves]
    return tuple(
        Move(change(move.target), origin, move.promotes, drop=move.drop)
        for move, origin in zip(moves, origins, strict=True)
    )


@st.composite
def moved_line(draw: st.DrawFn) -> tuple[Line, Line]:
    """A line, and the same line somewhere else on the board."""
    here = draw(lines)
    files, ranks = [file_of(sq) for sq in squares_of(here)], [rank_of(sq) for sq in squares_of(here)]
    across = draw(st.integers(1 - min(files), 9 - max(files)))
    down = draw(st.integers(1 - min(ranks), 9 - max(ranks)))
    return here, each(here, lambda sq: square(file_of(sq) + across, rank_of(sq) + down))


@given(moved_line())
def test_mirrored_moved_and_promoted_lines_are_the_same(pair: tuple[Line, Line]) -> None:
    here, there = pair
    plain = tuple(Move(move.target, move.origin, drop=move.drop) for move in here)
    mirrored = tuple(move.mirrored for move in here)
    assert {line_key(one) for one in (there, mirrored, plain)} == {line_key(here)}


@given(lines, lines)
def test_equal_keys_belong_to_lines_of_one_shape(one: Line, other: Line) -> None:
    """From a key the line can be read again, except where it is and whether it is mirrored."""
    if line_key(one) == line_key(other):
        assert [move.drop for move in one] == [move.drop for move in other]
        assert shape(one) == shape(other)


def shape(moves: Line) -> list[tuple[int, int]]:
    first = moves[0].target
    return [(abs(file_of(sq) - file_of(first)), rank_of(sq) - rank_of(first)) for sq in squares_of(moves)]


def test_different_lines_differ() -> None:
    for one, other in (
        ("3c2c 1b1a 2c2b", "3c2c 1b1a 2c1b"),  # another last move
        ("3c2c 1b1a 2c2b", "3c2c 1b1a G*2b"),  # a drop in its stead
        ("G*2c 1b1a", "S*2c 1b1a"),  # another piece dropped
        ("3c2c 1b1a 2c2b", "3c2c 1b1a"),  # shorter
        ("3c2c 1b1a", "3c2c 3b3a"),  # mirrored in part
        ("3c2c 1b1a", "3c2c 2b2a"),  # moved in part
        ("3c2d", "3d2c"),  # turned upside down
    ):
        assert line_key(line(one)) != line_key(line(other)), (one, other)
    here, there = ([("", 3, 3, 2, 3), ("G", 1, 1, 1, 1)], [("", 7, 5, 8, 5), ("G", 9, 3, 9, 3)])
    assert key_of_steps(here) == key_of_steps(there)


def test_a_frame_is_the_first_move_and_the_final_position() -> None:
    drop, slide = line("G*9b"), line("8b9b")
    before_drop = parse_sfen("k8/9/P8/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1").position
    before_slide = parse_sfen("k8/1G7/P8/9/9/9/9/9/9 b 2r2b3g4s4n4l17p 1").position
    assert frame_key(before_drop, drop) != frame_key(before_slide, slide)
    mirrored = (drop[0].mirrored,)
    assert frame_key(before_drop, drop) == frame_key(before_drop.mirrored, mirrored)


# --- which problems are one, and which are near: all pairs, and the index that finds them ----------

DROPS = "6lBl/5g1k1/9/7S1/9/9/9/9/9 b GN 1"
DROPS_LINE = "G*2c 2b1c N*2e"  # not its solution: any line will do
INNER = "9/9/9/9/2pk5/2L1s4/3P5/9/9 b G 1"
INNER_LINE = "G*6f 6e5e 6f5f"


def placed(sfen: str, line: str = "") -> Placement:
    return Placement(parse_sfen(sfen).position, tuple(map(parse_move, line.split())))


def compared(sfen: str, other: str, line: str = "", other_line: str = "") -> Resemblance | None:
    one, two = placed(sfen, line), placed(other, other_line)
    found = resemblance(one, two)
    assert found == resemblance(two, one) == naive_resemblance(one, two)
    return found


# --- the slow twin ---------------------------------------------------------------------------
Pieces = dict[object, object]
"""What is on each square relative to the king, and each piece in hand under its kind and number."""


def naive_pieces(problem: Placement, *, mirror: bool, kinds: bool) -> Pieces:
    position = problem.position.mirrored if mirror else problem.position
    king = position.king(Side.DEFENDER)
    assert king is not None
    found: Pieces = {}
    for sq, piece in enumerate(position.board):
        if piece is not None and sq != king:
            place = file_of(sq) - file_of(king), rank_of(sq) - rank_of(king)
            found[place] = piece if kinds or piece.side is Side.ATTACKER else "defender"
    numbers: Counter[Kind] = Counter()
    for kind in position.attacker_hand:
        numbers[kind] += 1
        found[f"hand {kind} {numbers[kind]}"] = Piece(Side.ATTACKER, kind)
    return found


def naive_edges(problem: Placement, *, mirror: bool) -> tuple[int, ...]:
    position = problem.position.mirrored if mirror else problem.position
    king = position.king(Side.DEFENDER)
    assert king is not None
    return tuple(
        next((n for n in range(3) if not (1 <= x + n * dx + dx <= 9 and 1 <= y + n * dy + dy <= 9)), 3)
        for x, y in [(file_of(king), rank_of(king))]
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
    )


def naive_line_squares(problem: Placement, *, mirror: bool) -> set[object]:
    king = problem.position.king(Side.DEFENDER)
    assert king is not None
    squares = [sq for move in problem.line for sq in (move.origin, move.target) if sq is not None]
    sign = -1 if mirror else 1
    return {(sign * (file_of(sq) - file_of(king)), rank_of(sq) - rank_of(king)) for sq in squares}


def naive_resemblance(one: Placement, other: Placement) -> Resemblance | None:
    found = (naive_as_placed(one, other, mirror=mirror) for mirror in (False, True))
    return min(filter(lambda kind: kind is not None, found), default=None)  # type: ignore[type-var]


def naive_as_placed(one: Placement, other: Placement, *, mirror: bool) -> Resemblance | None:
    here, there = (naive_pieces(one, mirror=False, kinds=False), naive_pieces(other, mirror=mirror, kinds=False))
    differing = [place for place in {**here, **there} if here.get(place) != there.get(place)]
    same_line = bool(one.line and other.line) and line_key(one.line) == line_key(other.line)
    edges_differ = naive_edges(one, mirror=False) != naive_edges(other, mirror=mirror)
    if edges_differ and not same_line:
        return None if differing else Resemblance.EDGE
    if not differing:
        exact = naive_pieces(one, mirror=False, kinds=True) == naive_pieces(other, mirror=mirror, kinds=True)
        if not exact:
            both = one.line and other.line and not same_line
            return Resemblance.KINDS if both else Resemblance.IDLE
        if one.position == (other.position.mirrored if mirror else other.position):
            return Resemblance.MIRRORED if mirror else Resemblance.SAME
        return Resemblance.SHIFTED
    moved = naive_line_squares(one, mirror=False) | naive_line_squares(other, mirror=mirror)
    if same_line and set(here) == set(there) and not moved & set(differing):
        return Resemblance.IDLE
    if len(differing) == 1:
        return Resemblance.ONE_PIECE
    if len(differing) == 2:
        first, second = differing
        for a, b in ((first, second), (second, first)):
            are_in_hand = str(a).startswith("hand") and str(b).startswith("hand")
            if a not in there and b not in here and (here[a] == there[b] or are_in_hand):
                return Resemblance.ONE_PIECE
    return None


# --- each kind of resemblance ----------------------------------------------------------------
def test_positions_that_are_one() -> None:
    """Mirrored, moved, or with other kinds of defenders, unless the lines are known and differ."""
    kinds = "6pBn/5s1k1/9/7S1/9/9/9/9/9 b GN 1"
    blocking = "6+LB+P/5p1k1/9/7S1/9/9/9/9/9 b GN 1"  # two pieces of the attacker that only block
    capturing = "G*2c 2b1a N*2e"  # captures the lance
    edge = "5pk2/5L1s1/6P2/9/9/9/9/9/9 b G 1"
    for one, other, line, other_line, kind in (
        (DROPS, DROPS, "", "", Resemblance.SAME),
        (DROPS, "lBl6/1k1g5/9/1S7/9/9/9/9/9 b GN 1", "", "", Resemblance.MIRRORED),
        (INNER, "9/9/9/9/9/3pk4/3L1s3/4P4/9 b G 1", "", "", Resemblance.SHIFTED),
        # at an edge only the same line makes it the same
        (INNER, edge, "", "", Resemblance.EDGE),
        (INNER, edge, INNER_LINE, "", Resemblance.EDGE),
        (INNER, edge, INNER_LINE, "G*3b 3a2a 3b2b", Resemblance.SHIFTED),
        (INNER, edge, INNER_LINE, "G*3b 3a2a 3b3a", Resemblance.EDGE),
        (DROPS, kinds, "", "", Resemblance.IDLE),
        (DROPS, kinds, DROPS_LINE, DROPS_LINE, Resemblance.IDLE),
        (DROPS, kinds, DROPS_LINE, "N*1d 2b1c G*1b", Resemblance.KINDS),
        (DROPS, blocking, DROPS_LINE, DROPS_LINE, Resemblance.IDLE),
        (DROPS, blocking, "", "", None),
        (DROPS, blocking, capturing, capturing, None),
    ):
        assert compared(one, other, line, other_line) is kind, (other, line, other_line)


def test_one_piece_or_two() -> None:
    for other in (
        "6lB1/5g1k1/9/7S1/9/9/9/9/9 b GN 1",  # one fewer
        "6lBl/5g1k1/9/7S1/9/6P2/9/9/9 b GN 1",  # one more
        "6lBl/5g1k1/9/7G1/9/9/9/9/9 b GN 1",  # another kind
        "6lBl/5g1k1/9/8S/9/9/9/9/9 b GN 1",  # another square
        "6lBl/5g1k1/9/7s1/9/9/9/9/9 b GN 1",  # the other side
        "6lBl/5g1k1/9/7S1/9/9/9/9/9 b GNP 1",  # one more in hand
        "6lBl/5g1k1/9/7S1/9/9/9/9/9 b G 1",  # one fewer in hand
        "6lBl/5g1k1/9/7S1/9/9/9/9/9 b SN 1",  # another kind in hand
        "6lBl/5g1k1/9/7S1/9/8N/9/9/9 b G 1",  # from the hand to the board
        "1Bl6/1k1g5/9/1S7/9/9/9/9/9 b GN 1",  # one fewer, mirrored
    ):
        assert compared(DROPS, other) is Resemblance.ONE_PIECE, other
    for other in (
        "6lB1/5g1k1/9/8S/9/9/9/9/9 b GN 1",
        "6lBl/5g1k1/9/8G/9/9/9/9/9 b GN 1",  # another kind on another square
        "9/6lBl/5g1k1/9/8S/9/9/9/9 b GN 1",  # another square, and moved away from the edge
        "6lBl/5gk2/9/7S1/9/9/9/9/9 b GN 1",  # the king on another square
    ):
        assert compared(DROPS, other) is None, other


# --- the index -------------------------------------------------------------------------------
def small_boards() -> st.SearchStrategy[Position]:
    """A king and up to four pieces on six files of three ranks: many of these are alike."""
    pieces = [Piece(side, kind) for side in Side for kind in (Kind.GOLD, Kind.SILVER, Kind.TOKIN)]
    squares = [square(file, rank) for file in range(1, 7) for rank in range(2, 5)]

    def position(king: int, others: dict[int, Piece], gold: int, silver: int) -> Position:
        board: list[Piece | None] = [None] * 81
        for sq, piece in others.items():
            board[sq] = piece
        board[king] = Piece(Side.DEFENDER, Kind.KING)
        made: Board = tuple(board)
        return Position.completed(made, Hand.of({Kind.GOLD: gold, Kind.SILVER: silver}))

    others = st.dictionaries(st.sampled_from(squares), st.sampled_from(pieces), max_size=3)
    hand = st.integers(0, 1)
    return st.builds(position, st.sampled_from(squares), others, hand, hand)


LINES = st.sampled_from([(), *(tuple(map(parse_move, line.split())) for line in ("G*2c", "3c2c", "4c3c"))])


@settings(max_examples=150, deadline=None)
@given(st.lists(st.builds(Placement, small_boards(), LINES), min_size=2, max_size=25))
def test_the_index_finds_what_a_comparison_of_all_pairs_finds(problems: list[Placement]) -> None:
    index = ResemblanceIndex()
    for problem in problems:
        index.add(problem)
    for one in problems:
        pairs = [(naive_resemblance(one, other), number) for number, other in enumerate(problems)]
        wanted = [(kind, number) for kind, number in pairs if kind is not None]
        assert sorted(index.find(one)) == sorted(wanted)
        assert index.nearest(one) == min(wanted)


def changed(position: Position, rng: random.Random) -> Iterator[Position]:
    """The mirror image, the same with other idle pieces, and with a piece fewer."""
    yield position.mirrored
    board = position.board
    idle = [
        sq
        for sq, piece in enumerate(board)
        if piece is not None and piece.side is Side.DEFENDER and piece.kind is not Kind.KING
    ]
    for sq in idle[:1]:
        if position.defender_hand[Kind.GOLD]:
            yield position.with_piece(sq, Piece(Side.DEFENDER, Kind.GOLD))
    king = position.king(Side.DEFENDER)
    others = [sq for sq, piece in enumerate(board) if piece is not None and sq != king]
    if others:
        yield position.with_piece(rng.choice(others), None)


def test_changed_positions_are_found_among_many() -> None:
    rng = random.Random(5)
    known = list(attacks(300))
    index = ResemblanceIndex()
    for position in known:
        index.add(Placement(position))
    for number, position in enumerate(known):
        for other in changed(position, rng):
            assert number in {found.number for found in index.find(Placement(other))}


def test_published_problems_are_found_again() -> None:
    """None is like many others, and changed ones are like the ones they were."""
    path = DATA / "published_daily.tsv"
    if not path.exists():
        pytest.skip(f"no {path}: set TSUME_DATA to the folder with the examples")
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    known = [placed(row[0], row[1]) for row in rows]
    index, rng = ResemblanceIndex(), random.Random(6)
    for problem in known:
        index.add(problem)
    for number, problem in enumerate(known):
        found = sorted(index.find(problem))
        assert found[0] == (Resemblance.SAME, number)
        assert len(found) < 4
        for other in changed(problem.position, rng):
            assert number in {one.number for one in index.find(Placement(other))}


def test_an_empty_index_and_a_position_without_a_king() -> None:
    assert ResemblanceIndex().nearest(placed(DROPS)) is None
    empty = Position.completed((None,) * 81, Hand())
    with pytest.raises(ValueError, match="king"):
        ResemblanceIndex().add(Placement(empty))


def test_the_line_of_a_mirror_image_is_mirrored() -> None:
    one = placed(DROPS, DROPS_LINE)
    other = Placement(one.position.mirrored, tuple(move.mirrored for move in one.line))
    assert other.line_squares == one.mirror_image.line_squares
