# SPDX-License-Identifier: GPL-3.0-or-later
"""Which problems are one, and which are near: all pairs by the definition, and the index that finds them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.line_keys import line_key
from generator.resemblance import Placement, Resemblance, ResemblanceIndex, resemblance
from tests.places import DATA
from tests.sampling import attacks
from tsume_rules.moves import parse_move
from tsume_rules.position import Board, Hand, Kind, Piece, Position, Side, file_of, rank_of, square
from tsume_rules.sfen import parse_sfen

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
    here, there = (
        naive_pieces(one, mirror=False, kinds=False),
        naive_pieces(other, mirror=mirror, kinds=False),
    )
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


def test_a_position_is_the_same_as_itself() -> None:
    assert compared(DROPS, DROPS) is Resemblance.SAME


def test_a_mirror_image() -> None:
    assert compared(DROPS, "lBl6/1k1g5/9/1S7/9/9/9/9/9 b GN 1") is Resemblance.MIRRORED


def test_all_pieces_moved_alike() -> None:
    assert compared(INNER, "9/9/9/9/9/3pk4/3L1s3/4P4/9 b G 1") is Resemblance.SHIFTED


@pytest.mark.parametrize(
    ("line", "other", "kind"),
    [
        ("", "", Resemblance.EDGE),
        (INNER_LINE, "", Resemblance.EDGE),
        (INNER_LINE, "G*3b 3a2a 3b2b", Resemblance.SHIFTED),
        (INNER_LINE, "G*3b 3a2a 3b3a", Resemblance.EDGE),
    ],
)
def test_at_an_edge_only_the_same_line_makes_it_the_same(line: str, other: str, kind: Resemblance) -> None:
    assert compared(INNER, "5pk2/5L1s1/6P2/9/9/9/9/9/9 b G 1", line, other) is kind


def test_kinds_of_defenders_make_no_difference() -> None:
    assert compared(DROPS, "6pBn/5s1k1/9/7S1/9/9/9/9/9 b GN 1") is Resemblance.IDLE


def test_kinds_of_defenders_matter_if_the_lines_are_known_and_differ() -> None:
    other = "6pBn/5s1k1/9/7S1/9/9/9/9/9 b GN 1"
    assert compared(DROPS, other, DROPS_LINE, DROPS_LINE) is Resemblance.IDLE
    assert compared(DROPS, other, DROPS_LINE, "N*1d 2b1c G*1b") is Resemblance.KINDS


def test_the_side_of_pieces_that_stay_makes_no_difference_in_the_same_line() -> None:
    other = "6+LB+P/5p1k1/9/7S1/9/9/9/9/9 b GN 1"  # two pieces of the attacker that only block
    assert compared(DROPS, other, DROPS_LINE, DROPS_LINE) is Resemblance.IDLE
    assert compared(DROPS, other) is None


def test_captured_pieces_are_not_idle() -> None:
    line = "G*2c 2b1a N*2e"  # captures the lance
    other = "6+LB+P/5p1k1/9/7S1/9/9/9/9/9 b GN 1"
    assert compared(DROPS, other, line, line) is None


@pytest.mark.parametrize(
    "other",
    [
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
    ],
)
def test_one_piece(other: str) -> None:
    assert compared(DROPS, other) is Resemblance.ONE_PIECE


@pytest.mark.parametrize(
    "other",
    [
        "6lB1/5g1k1/9/8S/9/9/9/9/9 b GN 1",
        "6lBl/5g1k1/9/8G/9/9/9/9/9 b GN 1",  # another kind on another square
        "9/6lBl/5g1k1/9/8S/9/9/9/9 b GN 1",  # another square, and moved away from the edge
        "6lBl/5gk2/9/7S1/9/9/9/9/9 b GN 1",  # the king on another square
    ],
)
def test_two_changes_are_another_problem(other: str) -> None:
    assert compared(DROPS, other) is None


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


def test_an_empty_index() -> None:
    assert ResemblanceIndex().nearest(placed(DROPS)) is None


def test_a_position_without_a_king_is_refused() -> None:
    empty = Position.completed((None,) * 81, Hand())
    with pytest.raises(ValueError, match="king"):
        ResemblanceIndex().add(Placement(empty))


def test_the_line_of_a_mirror_image_is_mirrored() -> None:
    one = placed(DROPS, DROPS_LINE)
    other = Placement(one.position.mirrored, tuple(move.mirrored for move in one.line))
    assert other.line_squares == one.mirror_image.line_squares
