# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import shogi

from tests import naive
from tests.readable import UnMove, checks, evasions, un_checks, un_evasions
from tests.sampling import checked, starts
from tsume_rules.moves import position_after
from tsume_rules.position import HAND_KINDS, SET_COUNT, Kind, Position, Side, structural_faults
from tsume_rules.sfen import format_sfen, parse_sfen

MOST_PLAYED = 10
"""The most un-moves of each position that are played forward again."""


def test_un_checks_are_legal_checks_that_lead_back() -> None:
    rng = random.Random(1)
    for position in checked(150, seed=2):
        found = un_checks(position)
        assert len(found) == len(set(found))
        for unmove in rng.sample(found, min(MOST_PLAYED, len(found))):
            _leads_back(unmove, position, naive.checks)
            assert not naive.is_check(naive.board_of(format_sfen(unmove.before)))


def test_un_evasions_are_legal_answers_that_lead_back() -> None:
    rng = random.Random(1)
    for position in starts(150, seed=3):
        found = un_evasions(position)
        assert len(found) == len(set(found))
        for unmove in rng.sample(found, min(MOST_PLAYED, len(found))):
            _leads_back(unmove, position, naive.evasions)
            board = naive.board_of(format_sfen(unmove.before))
            assert 1 <= len(naive.checkers(board)) <= 2
            assert not naive.attackers_king_attacked(board)


def _leads_back(unmove: UnMove, position: Position, legal: Callable[[str], set[str]]) -> None:
    before = format_sfen(unmove.before)
    assert structural_faults(unmove.before) == [], before
    assert _pieces(unmove.before) == SET_COUNT, before
    assert unmove.move.usi in legal(before), before
    board = shogi.Board(before)
    board.push_usi(unmove.move.usi)
    assert _same_board(board, shogi.Board(format_sfen(position))), before
    assert position_after(unmove.before, unmove.move) == position


def _pieces(position: Position) -> Counter[Kind]:
    held = Counter({kind: sum(position.hand(side)[kind] for side in Side) for kind in HAND_KINDS})
    placed = (piece.kind.base for piece in position.board if piece is not None)
    return held + Counter(kind for kind in placed if kind is not Kind.KING)


def _same_board(one: shogi.Board, other: shogi.Board) -> bool:
    return bool(one.sfen().split()[:3] == other.sfen().split()[:3])


def test_every_check_is_among_the_un_checks_of_what_it_leads_to() -> None:
    for position in starts(100, seed=4):
        for move in checks(position):
            assert UnMove(move, position) in un_checks(position_after(position, move)), (
                format_sfen(position),
                move.usi,
            )


def test_every_answer_is_among_the_un_evasions_of_what_it_leads_to() -> None:
    for position in checked(60, seed=5):
        for move in evasions(position):
            found = un_evasions(position_after(position, move))
            assert UnMove(move, position) in found, (format_sfen(position), move.usi)


def test_without_captures_the_others_remain() -> None:
    for position in checked(40, seed=6):
        quiet = [unmove for unmove in un_checks(position) if _hands(unmove, position)]
        assert un_checks(position, captures=False) == quiet


def _hands(unmove: UnMove, position: Position) -> bool:
    return unmove.before.board[unmove.move.target] is None and len(unmove.before.attacker_hand) >= len(
        position.attacker_hand
    )


def answering(sfen: str) -> Position:
    """The position of an SFEN with the defender to move."""
    return replace(parse_sfen(sfen).position, side_to_move=Side.DEFENDER)


def test_a_tokin_on_a_file_with_a_pawn_was_not_a_pawn() -> None:
    alone = answering("4k4/4+P4/9/9/9/9/9/9/9 b 2r2b4g4s4n4l17p 1")
    assert "5c5b+" in [unmove.move.usi for unmove in un_checks(alone)]
    beside = answering("4k4/4+P4/9/9/9/4P4/9/9/9 b 2r2b4g4s4n4l16p 1")
    assert not any(unmove.move.promotes for unmove in un_checks(beside))


def test_a_pawn_drop_that_mates_is_not_retracted() -> None:
    mated = answering("7nk/8P/7+P1/9/9/9/9/9/9 b 2r2b4g4s3n4l16p 1")
    assert evasions(mated) == []
    found = [unmove.move.usi for unmove in un_checks(mated)]
    assert "P*1b" not in found
    assert "1c1b" in found
    free = answering("7pk/8P/7+P1/9/9/9/9/9/8+r b r2b4g4s4n4l15p 1")
    assert "P*1b" in [unmove.move.usi for unmove in un_checks(free)]
