# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import random

import pytest
import shogi

from tsume_rules.legality import legal_moves, legal_position_after
from tsume_rules.moves import ImpossibleMove, Move, parse_move
from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen, parse_sfen

START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"


def random_move(rng: random.Random) -> str:
    squares = [f"{rng.randint(1, 9)}{rng.choice('abcdefghi')}" for _ in range(2)]
    if rng.random() < 0.3:
        return f"{rng.choice('PLNSGBR')}*{squares[0]}"
    return "".join(squares) + rng.choice(("", "+"))


def accepted(position: Position, usi: str) -> Position | None:
    try:
        return legal_position_after(position, parse_move(usi))
    except ImpossibleMove:
        return None


@pytest.mark.parametrize("seed", range(8))
def test_the_legal_moves_of_games_are_those_of_python_shogi(seed: int) -> None:
    rng = random.Random(seed)
    board, position = shogi.Board(), parse_sfen(START).position
    for _ in range(100):
        legal = sorted(move.usi() for move in board.legal_moves)
        assert sorted(move.usi for move in legal_moves(position)) == legal
        if not legal:
            break
        shaped = [move.usi() for move in board.pseudo_legal_moves]
        for usi in {*rng.sample(legal, min(5, len(legal))), *shaped, *(random_move(rng) for _ in range(50))}:
            if usi[:2] != usi[2:4]:
                assert (accepted(position, usi) is not None) == (usi in legal), (board.sfen(), usi)
        played = rng.choice(legal)
        board.push_usi(played)
        position = legal_position_after(position, parse_move(played))
        assert format_sfen(position).split()[:3] == board.sfen().split()[:3]


@pytest.mark.parametrize(
    ("sfen", "move", "fault"),
    [
        (START, "7g7e", "does not move that way"),
        (START, "8h2b+", "does not move that way"),
        (START, "7c7d", "attacker's turn"),
        ("k8/9/K8/9/9/9/9/9/9 b P2r2b4g4s4n4l17p 1", "P*5a", "could not move again"),
        ("k8/9/K8/4P4/9/9/9/9/9 b P2r2b4g4s4n4l16p 1", "P*5e", "two pawns"),
        ("4k4/9/9/4r4/9/4G4/4K4/9/9 b r2b3g4s4n4l18p 1", "5f4f", "left in check"),
        ("k8/9/K8/9/9/9/9/9/9 b P2r2b4g4s4n4l17p 1", "P*9b", None),
        ("kr7/2G6/K8/9/9/9/9/9/9 b Pr2b3g4s4n4l17p 1", "P*9b", "mate by a dropped pawn"),
        ("kr7/1rG6/K8/9/9/9/9/9/9 b P2b3g4s4n4l17p 1", "P*9b", None),
    ],
)
def test_faults(sfen: str, move: str, fault: str | None) -> None:
    position = parse_sfen(sfen).position
    if fault is None:
        legal_position_after(position, parse_move(move))
        return
    with pytest.raises(ImpossibleMove, match=fault):
        legal_position_after(position, parse_move(move))


def test_a_side_without_a_king_cannot_be_in_check() -> None:
    position = parse_sfen("k8/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1").position
    assert legal_position_after(position, Move(40, drop=parse_move("G*5e").drop)).king is not None
