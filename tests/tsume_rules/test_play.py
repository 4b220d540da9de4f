# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import random

import pytest
import shogi

from tsume_rules.moves import ImpossibleMove, Move, can_promote, parse_move, position_after
from tsume_rules.position import Kind, Piece, Position, Side, parse_square
from tsume_rules.sfen import format_sfen, parse_sfen

START = "4k4/3p5/9/2+r1G4/9/9/9/9/4K4 b 2GRP2bg4s4n4l16p 1"


def position(sfen: str = START) -> Position:
    return parse_sfen(sfen).position


def test_a_capture_goes_to_the_movers_hand_unpromoted() -> None:
    taken = position_after(position("4k4/9/9/4+r4/4G4/9/9/9/9 b r2b3g4s4n4l18p 1"), parse_move("5e5d"))
    assert taken.attacker_hand[Kind.ROOK] == 1
    assert taken.side_to_move is Side.DEFENDER
    back = position_after(position("4k4/4+P4/9/9/9/9/9/9/9 b 2r2b4g4s4n4l17p 1"), parse_move("5b6a"))
    pawns = back.defender_hand[Kind.PAWN]
    assert position_after(back, parse_move("5a6a")).defender_hand[Kind.PAWN] == pawns + 1


def test_promotion_and_drop() -> None:
    promoted = position_after(position("4k4/9/9/9/9/9/9/1B7/9 b 2rb4g4s4n4l18p 1"), parse_move("8h2b+"))
    assert promoted.board[parse_square("2b")] == Piece(Side.ATTACKER, Kind.HORSE)
    dropped = position_after(position(), parse_move("G*5b"))
    assert dropped.attacker_hand[Kind.GOLD] == 1
    assert dropped.board[parse_square("5b")] == Piece(Side.ATTACKER, Kind.GOLD)


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (parse_move("1a1b"), "no piece"),
        (parse_move("6b6c"), "it is the attacker's turn"),
        (parse_move("S*5b"), "no silver in hand"),
        (parse_move("G*5d"), "occupied"),
        (parse_move("5d5c+"), "cannot promote"),
        (parse_move("5i5d"), "own piece"),
        (parse_move("5d5a"), "king"),
        (Move(0), "neither"),
        (Move(0, drop=Kind.TOKIN), "dropped"),
        (Move(0, drop=Kind.PAWN, promotes=True), "does not promote"),
        (Move(0, 5, drop=Kind.PAWN), "no origin"),
    ],
)
def test_impossible_moves_say_why(move: Move, reason: str) -> None:
    with pytest.raises(ImpossibleMove, match=reason):
        position_after(position(), move)


def test_only_near_the_far_end_pieces_promote() -> None:
    black, white = Piece(Side.ATTACKER, Kind.SILVER), Piece(Side.DEFENDER, Kind.SILVER)
    assert can_promote(black, parse_square("5d"), parse_square("5c"))
    assert can_promote(black, parse_square("5c"), parse_square("5d"))
    assert not can_promote(black, parse_square("5e"), parse_square("5d"))
    assert can_promote(white, parse_square("5f"), parse_square("5g"))
    assert not can_promote(white, parse_square("5d"), parse_square("5c"))


@pytest.mark.parametrize("seed", range(5))
def test_games_agree_with_python_shogi(seed: int) -> None:
    rng, judge = random.Random(seed), shogi.Board()
    played = position(judge.sfen())
    for _ in range(80):
        moves = list(judge.legal_moves)
        if not moves:
            break
        move = rng.choice(moves)
        judge.push(move)
        played = position_after(played, parse_move(move.usi()))
        assert format_sfen(played).split()[:2] == judge.sfen().split()[:2]
        assert shogi.Board(format_sfen(played)).pieces_in_hand == judge.pieces_in_hand
