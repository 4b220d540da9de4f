# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
import shogi

from solver.engines.dfpn.engine import DfPnEngine
from solver.results import Limits, Mate, NoMate, Reason, SearchResult, Unresolved
from solver.solving.solve import solve
from tests import naive
from tests.readable import evasions
from tests.sampling import attacks
from tsume_rules.moves import Move, position_after
from tsume_rules.packed import pack
from tsume_rules.position import Position, Side
from tsume_rules.sfen import format_sfen, parse_sfen

DEEP = 5


def answer(position: Position, limits: Limits | None = None) -> SearchResult:
    return solve(position, limits or Limits(max_length=DEEP), DfPnEngine(table_bits=14))


def given(sfen: str) -> Position:
    return parse_sfen(sfen).position


def test_lengths_are_those_of_the_slow_twin() -> None:
    for position in attacks(25, seed="solve"):
        result, sfen = answer(position), format_sfen(position)
        length = naive.length(sfen, DEEP)
        if isinstance(result, Mate):
            assert result.length == length, sfen
            _is_best_play(position, result)
        else:
            assert length is None, sfen
            assert isinstance(result, NoMate) or result == Unresolved(Reason.LENGTH, DEEP)


def _is_best_play(position: Position, mate: Mate) -> None:
    """Whether python-shogi finds all moves legal, the attacker in time, the defence longest, the end mate."""
    sfen = format_sfen(position)
    board = naive.board_of(sfen)
    search = naive.Search()
    left = mate.length
    for ply, move in enumerate(mate.line):
        legal = naive.check_moves(board) if ply % 2 == 0 else list(naive.evasion_moves(board))
        assert move.usi in {one.usi() for one in legal}, sfen
        board.push_usi(move.usi)
        left -= 1
        if len(mate.line) == mate.length:
            mated = search.mated_within if ply % 2 == 0 else search.mate_within
            assert mated(board, left), sfen
            assert left < 2 or not mated(board, left - 2), sfen
    assert len(mate.line) >= mate.length
    assert search.mated_within(board, 0), sfen


def test_a_line_longer_than_the_mate_is_a_futile_drop_the_mate_needs() -> None:
    """Only if no other answer than a futile interposition lasts as long (grey zone)."""
    result = answer(given("4k4/5s3/2+P1+S4/1R7/9/9/9/9/9 b r2b4g2s4n4l17p 1"))
    assert isinstance(result, Mate)
    assert result.length == 3
    assert len(result.line) == 5


def test_the_defender_prefers_to_leave_nothing_in_hand() -> None:
    sfen = "7gk/7L1/8B/9/9/9/9/9/9 b 2rb3g4s3n3l18p 1"
    result = answer(given(sfen))
    assert isinstance(result, Mate)
    assert result.length == 3
    assert len(_hand_after(given(sfen), result.line)) == 0
    others = [
        answer(position_after(position_after(given(sfen), result.line[0]), reply))
        for reply in evasions(position_after(given(sfen), result.line[0]))
    ]
    assert len([other for other in others if isinstance(other, Mate) and other.length == 1]) > 1


def _hand_after(position: Position, line: tuple[Move, ...]) -> list[object]:
    for move in line:
        position = position_after(position, move)
    return list(position.hand(Side.ATTACKER))


def test_the_same_position_has_the_same_line_whatever_was_solved_before() -> None:
    used = DfPnEngine(table_bits=14)
    positions = list(attacks(30, seed="same line"))
    first = [solve(position, Limits(max_length=3), used) for position in positions]
    again = [solve(position, Limits(max_length=3), used) for position in reversed(positions)]
    assert first == again[::-1]
    assert first == [answer(position, Limits(max_length=3)) for position in positions]


def test_no_mate_at_any_length() -> None:
    assert answer(given("4k4/9/9/9/9/9/9/9/9 b P2r2b4g4s4n4l17p 1"), Limits()) == NoMate()


def test_a_pawn_drop_that_mates_is_no_mate() -> None:
    assert answer(given("7nk/9/7+P1/9/9/9/9/9/9 b P2r2b4g4s3n4l16p 1"), Limits(max_length=1)) == Unresolved(
        Reason.LENGTH, 1
    )


@pytest.mark.parametrize("nodes", [0, 1, 10])
def test_out_of_nodes_is_neither_mate_nor_no_mate(nodes: int) -> None:
    sfen = "1p2k3l/2Bl1p1G1/1P1s+N1n2/p5p1p/2pN+B1s2/P2p4P/2sPPSN2/4GK3/L+r3G2L b G3Pr3p 1"
    result = answer(given(sfen), Limits(nodes=nodes))
    assert isinstance(result, Unresolved)
    assert result.reason is Reason.NODES


def test_known_lengths_of_problems() -> None:
    for sfen, length in [
        ("9/9/6S2/8k/9/7R1/9/9/9 b r2b4g3s3n4l18p 1", 3),
        ("9/9/8k/9/9/7R1/9/9/9 b Gr2b3g4s4n4l18p 1", 5),
        ("6G1k/9/8P/8S/8L/9/9/9/9 b 2r2b3g3s4n3l17p 1", 5),
    ]:
        result = answer(given(sfen), Limits())
        assert isinstance(result, Mate)
        assert (result.length, len(result.line)) == (length, length)
        board = shogi.Board(sfen)
        for move in result.line:
            board.push_usi(move.usi)
        assert board.is_checkmate()
        assert pack(given(sfen)).king[Side.ATTACKER] == 0
