# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from tests import naive
from tests.readable import checks, evasions
from tests.sampling import checked, starts
from tsume_rules.game import is_in_check, start_faults
from tsume_rules.position import Position, Side
from tsume_rules.sfen import format_sfen, parse_sfen


def given(sfen: str) -> Position:
    return parse_sfen(sfen).position


def test_checks_are_those_of_the_slow_twin() -> None:
    for position in starts(400):
        listed = [move.usi for move in checks(position)]
        assert len(listed) == len(set(listed)), format_sfen(position)
        assert set(listed) == naive.checks(format_sfen(position)), format_sfen(position)


def test_evasions_are_those_of_the_slow_twin() -> None:
    for position in checked(400):
        listed = [move.usi for move in evasions(position)]
        assert len(listed) == len(set(listed)), format_sfen(position)
        assert set(listed) == naive.evasions(format_sfen(position)), format_sfen(position)


def test_every_answer_to_every_check_ends_the_check() -> None:
    for position in checked(100, seed=1):
        board = naive.board_of(format_sfen(position))
        assert is_in_check(position, Side.DEFENDER) == naive.is_check(board)
        assert is_in_check(position, Side.ATTACKER) == naive.attackers_king_attacked(board)


def test_a_pawn_drop_that_can_be_answered_is_a_move() -> None:
    assert "P*1b" in {move.usi for move in checks(given("8k/6r2/7+P1/9/9/9/9/9/9 b Pr2b4g4s4n4l16p 1"))}


def test_a_pawn_drop_that_mates_is_illegal() -> None:
    mating = "7nk/9/7+P1/9/9/9/9/9/9 b P2r2b4g4s3n4l16p 1"
    assert "P*1b" not in {move.usi for move in checks(given(mating))}
    # the gold could capture, but it is pinned: python-shogi's own legal_moves is wrong here
    pinned = "6Rgk/9/7+P1/9/9/9/9/9/9 b Pr2b3g4s4n4l16p 1"
    assert "P*1b" not in {move.usi for move in checks(given(pinned))}


def test_the_attackers_own_king_may_not_be_left_in_check() -> None:
    pinned = given("4r4/9/4G1k2/9/4K4/9/9/9/9 b r2b3g4s4n4l18p 1")
    assert all(move.usi[:2] != "5c" or move.usi[2] == "5" for move in checks(pinned))


def test_a_start_must_leave_the_defender_unchecked() -> None:
    position = given("4k4/4R4/9/9/9/9/9/9/9 b r2b4g4s4n4l18p 1")
    assert start_faults(position) == ["the defender's king is in check with the attacker to move"]
    assert start_faults(given("4k4/9/9/9/9/9/9/9/9 b R2b4g4s4n4l18pr 1")) == []


def test_kings_on_neighbouring_squares_are_an_illegal_start() -> None:
    assert start_faults(given("4k4/4K4/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1"))
