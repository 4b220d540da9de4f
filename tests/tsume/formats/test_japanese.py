# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import random
import re

import pytest

from tests.tsume.formats.positions import possible_moves, random_record
from tsume.formats.japanese import line_text, move_text
from tsume_rules.legality import in_check
from tsume_rules.moves import ImpossibleMove, parse_move, position_after
from tsume_rules.position import Position, Side, parse_square
from tsume_rules.sfen import parse_sfen


def text(board: str, usi: str, hand: str = "-") -> str:
    return move_text(parse_sfen(f"{board} b {hand}").position, parse_move(usi))


def black_and_white(board: str, usi: str, hand: str = "-") -> tuple[str, str]:
    """The text of a move, and of the same move made by the other side."""
    position, move = parse_sfen(f"{board} b {hand}").position, parse_move(usi)
    return move_text(position, move), move_text(position.sides_exchanged, move.rotated)


@pytest.mark.parametrize(
    ("board", "usi", "expected"),
    [
        ("8k/9/G8/7G1/9/9/9/9/9", "9c9b", "▲９二金"),
        ("8k/G8/2G6/9/9/9/9/9/9", "9b8b", "▲８二金寄"),
        ("8k/G8/2G6/9/9/9/9/9/9", "7c8b", "▲８二金上"),
        ("8k/4G4/6G2/9/9/9/9/9/9", "3c4b", "▲４二金上"),
        ("9/k8/9/4G4/5G3/9/9/9/9", "5d5e", "▲５五金引"),
        ("9/k8/9/4G4/5G3/9/9/9/9", "4e5e", "▲５五金寄"),
        ("8k/9/9/9/9/9/9/1S7/9", "8h7g", "▲７七銀"),
        ("k8/9/9/9/9/9/S8/9/2S6", "7i8h", "▲８八銀上"),
        ("k8/9/9/9/9/9/S8/9/2S6", "9g8h", "▲８八銀引"),
        ("6k2/9/9/9/9/9/9/9/G1G6", "9i8h", "▲８八金左"),
        ("6k2/9/9/9/9/9/9/9/G1G6", "7i8h", "▲８八金右"),
        ("k8/9/9/9/9/9/9/9/3GG4", "5i5h", "▲５八金直"),
        ("k8/9/9/9/9/9/9/9/3GG4", "6i5h", "▲５八金左"),
        ("k8/9/9/9/9/9/9/9/3SS4", "5i6h", "▲６八銀右"),
        ("k8/9/9/9/9/9/9/9/3SS4", "6i6h", "▲６八銀直"),
        ("9/9/3GGG3/9/9/9/9/9/k8", "6c5b", "▲５二金左"),
        ("9/9/3GGG3/9/9/9/9/9/k8", "5c5b", "▲５二金直"),
        ("9/9/3GGG3/9/9/9/9/9/k8", "4c5b", "▲５二金右"),
        ("k8/9/9/9/9/9/2+P6/+P8/+P+P+P6", "7i8h", "▲８八と右"),
        ("k8/9/9/9/9/9/2+P6/+P8/+P+P+P6", "8i8h", "▲８八と直"),
        ("k8/9/9/9/9/9/1+P7/+P8/+P+P+P6", "9i8h", "▲８八と左上"),
        ("k8/9/9/9/9/9/1+P7/+P8/+P+P+P6", "9h8h", "▲８八と寄"),
        ("k8/9/9/9/9/9/1+P7/+P8/+P+P+P6", "8g8h", "▲８八と引"),
        ("k8/9/9/9/9/9/2S1S4/9/2S1S4", "5g6h", "▲６八銀右引"),
        ("k8/9/9/9/9/9/2S1S4/9/2S1S4", "7g6h", "▲６八銀左引"),
        ("k8/9/9/9/9/9/2S1S4/9/2S1S4", "7i6h", "▲６八銀左上"),
        ("k8/9/9/9/9/9/2S1S4/9/2S1S4", "5i6h", "▲６八銀右上"),
        ("+R8/9/9/1+R7/9/9/9/9/7k1", "9a8b", "▲８二龍引"),
        ("+R8/9/9/1+R7/9/9/9/9/7k1", "8d8b", "▲８二龍上"),
        ("9/4+R4/7+R1/9/9/9/9/9/k8", "2c4c", "▲４三龍寄"),
        ("9/4+R4/7+R1/9/9/9/9/9/k8", "5b4c", "▲４三龍引"),
        ("9/9/9/9/4+R3+R/9/9/9/k8", "5e3e", "▲３五龍左"),
        ("9/9/9/9/4+R3+R/9/9/9/k8", "1e3e", "▲３五龍右"),
        ("k8/9/9/9/9/9/9/7+R1/8+R", "2h1g", "▲１七龍左"),
        ("k8/9/9/9/9/9/9/7+R1/8+R", "1i1g", "▲１七龍右"),
        ("8k/9/9/9/9/9/9/9/+R+R7", "8i8h", "▲８八龍右"),
        ("8k/9/9/9/9/9/9/9/+R+R7", "9i8h", "▲８八龍左"),
        ("+B+B7/9/9/9/9/9/9/9/7k1", "9a8b", "▲８二馬左"),
        ("+B+B7/9/9/9/9/9/9/9/7k1", "8a8b", "▲８二馬右"),
        ("9/9/3+B5/9/+B8/9/9/9/7k1", "6c8e", "▲８五馬引"),
        ("9/9/3+B5/9/+B8/9/9/9/7k1", "9e8e", "▲８五馬寄"),
        ("k8/9/9/9/9/9/9/7+B1/8+B", "1i1h", "▲１八馬上"),
        ("9/k8/9/9/9/9/3+B1+B3/9/9", "6g5f", "▲５六馬左"),
        ("9/k8/9/9/9/9/3+B1+B3/9/9", "4g5f", "▲５六馬右"),
        ("k8/9/9/9/9/9/9/7R1/1R7", "8i8h", "▲８八飛上"),
        ("k8/9/9/9/9/9/9/1R5R1/9", "8h5h", "▲５八飛左"),
        ("8k/9/9/9/9/2N1N4/9/9/9", "7f6d", "▲６四桂左"),
        ("8k/9/9/9/9/2N1N4/9/9/9", "5f6d", "▲６四桂右"),
    ],
)
def test_pieces_of_a_kind_are_told_apart(board: str, usi: str, expected: str) -> None:
    black, white = black_and_white(board, usi)
    assert black == expected
    assert white[0] + white[3:] == "△" + expected[3:]


def test_promotion_is_said_where_it_is_possible() -> None:
    board = "8k/9/9/5B3/9/4S4/9/9/9"
    assert text(board, "4d3c+") == "▲３三角成"
    assert text(board, "4d3c") == "▲３三角不成"
    assert text(board, "5f5e") == "▲５五銀"
    assert text("8k/9/3GGS3/9/9/9/9/9/9", "4c5b+") == "▲５二銀成"
    assert text("8k/9/3S1S3/9/9/9/9/9/9", "4c5b") == "▲５二銀右不成"
    assert text("8k/9/5+S3/9/9/9/9/9/9", "4c4b") == "▲４二成銀"


def test_a_drop_is_marked_only_where_a_piece_could_move() -> None:
    assert text("8k/9/5G3/9/9/9/9/9/9", "G*4b", "G") == "▲４二金打"
    assert text("8k/9/9/5G3/9/9/9/9/9", "G*4b", "G") == "▲４二金"


def test_a_pinned_piece_cannot_move_and_needs_no_distinction() -> None:
    position = parse_sfen("4k4/3gg4/9/4R4/9/9/9/9/9 b G 1").position
    defender = Position(position.board, position.attacker_hand, position.defender_hand, Side.DEFENDER)
    assert move_text(defender, parse_move("6b6c")) == "△６三金"


def test_the_same_square_again() -> None:
    position = parse_sfen("8k/9/8P/9/9/9/9/9/9 b 2G 1").position
    moves = [parse_move(usi) for usi in ("G*2b", "1a2b", "G*2c")]
    assert line_text(position, moves) == "▲２二金 △同玉 ▲２三金"
    assert move_text(position_after(position, moves[0]), moves[1], parse_square("2b")) == "△同玉"


def test_an_impossible_move_is_refused() -> None:
    with pytest.raises(ImpossibleMove):
        text("8k/9/9/9/9/9/9/9/9", "1b1c")


@pytest.mark.parametrize("seed", range(12))
def test_cshogi_reads_the_moves_of_a_game(seed: int) -> None:
    """Every move that cshogi's own reader can tell apart is read as the move it was."""
    cshogi, ki2 = pytest.importorskip("cshogi"), pytest.importorskip("cshogi.KI2")
    rng, board = random.Random(seed), cshogi.Board()
    position, last = parse_sfen(board.sfen()).position, None
    for _ in range(160):
        legal = list(board.legal_moves)
        if not legal:
            break
        chosen = rng.choice(legal)
        move = parse_move(cshogi.move_to_usi(chosen))
        written = move_text(position, move, last)
        read = ki2.Parser.parse_move_str(written, board.copy())
        assert read == [chosen], (board.sfen(), written)
        board.push(chosen)
        position, last = position_after(position, move), move.target


@pytest.mark.parametrize("seed", range(200))
def test_no_two_moves_share_a_text(seed: int) -> None:
    position = random_record(seed).position
    legal = [
        m
        for m in possible_moves(position)
        if not in_check(position_after(position, m), position.side_to_move)
    ]
    sample = random.Random(seed).sample(legal, min(3, len(legal)))
    for move in sample:
        rivals = [each for each in legal if each.target == move.target]
        texts = [move_text(position, each) for each in rivals]
        assert len(set(texts)) == len(texts)
        assert all(re.fullmatch(r"▲..成?\S(?:[左右直]?[上寄引]?)(?:成|不成|打)?", each) for each in texts)
