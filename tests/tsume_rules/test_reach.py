# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import random

import pytest
import shogi

from tsume_rules.legality import attacked, in_check, origins, reached
from tsume_rules.moves import Move, parse_move
from tsume_rules.position import SQUARES, Kind, Position, Side, parse_square, square_name
from tsume_rules.sfen import parse_sfen


def position(sfen: str) -> Position:
    return parse_sfen(sfen).position


def names(squares: frozenset[int] | tuple[int, ...]) -> list[str]:
    return sorted(map(square_name, squares))


def test_each_side_moves_its_own_way() -> None:
    board = position("4k4/9/9/2n3N2/9/2l3S2/9/9/9 b 2r2b4g3s2n3l18p 1").board
    assert names(reached(board, parse_square("3d"))) == ["2b", "4b"]
    assert names(reached(board, parse_square("7d"))) == ["6f", "8f"]
    assert names(reached(board, parse_square("7f"))) == ["7g", "7h", "7i"]
    assert names(reached(board, parse_square("3f"))) == ["2e", "2g", "3e", "4e", "4g"]
    assert reached(board, parse_square("9i")) == frozenset()


def test_a_slider_stops_at_the_first_piece() -> None:
    board = position("4k4/9/4p4/9/2P1R4/9/9/9/9 b r2b4g4s4n4l16p 1").board
    squares = reached(board, parse_square("5e"))
    assert {"5c", "7e", "5i", "1e"} <= set(names(squares))
    assert not {"5b", "8e"} & set(names(squares))


def test_check() -> None:
    given = position("4k4/9/4R4/9/9/9/9/9/9 b r2b4g4s4n4l18p 1")
    assert in_check(given, Side.DEFENDER)
    assert not in_check(given, Side.ATTACKER)
    assert attacked(given.board, parse_square("5b"), Side.ATTACKER)


def test_a_pinned_piece_does_not_count_as_an_origin() -> None:
    given = position("4k4/3gg4/9/4R4/9/9/9/9/9 b Gr2bg4s4n4l18p 1")
    moved = Position(given.board, given.attacker_hand, given.defender_hand, Side.DEFENDER)
    assert names(origins(moved, Kind.GOLD, parse_square("6c"))) == ["6b"]
    assert names(origins(moved, Kind.GOLD, parse_square("5c"))) == ["5b", "6b"]


@pytest.mark.parametrize("seed", range(5))
def test_origins_agree_with_python_shogi(seed: int) -> None:
    rng, judge = random.Random(seed), shogi.Board()
    for _ in range(60):
        legal = [parse_move(move.usi()) for move in judge.legal_moves]
        if not legal:
            break
        given = parse_sfen(judge.sfen())
        ours = {move for sq in rng.sample(range(SQUARES), 9) for move in _moves_to(given.position, sq)}
        targets = {move.target for move in ours}
        theirs = {given.outward(Move(move.target, move.origin)) for move in legal if move.origin is not None}
        assert ours == {move for move in theirs if move.target in targets}
        judge.push_usi(rng.choice(legal).usi)


def _moves_to(given: Position, target: int) -> set[Move]:
    return {Move(target, origin) for kind in Kind for origin in origins(given, kind, target)}
