# SPDX-License-Identifier: GPL-3.0-or-later
"""Moved interpositions that are only captured, on small cases and against a slow twin."""

from __future__ import annotations

import random
from typing import Any

import pytest
import shogi

from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.interpositions import MovedReading, WithoutMoved, without_moved
from solver.judging.judge import Judge
from solver.limits import LimitReached
from solver.results import Limits, Mate
from solver.solving.solve import solve
from solver.solving.tree import TreeBuilder
from tests import naive
from tests.sampling import attacks, drawn
from tsume_rules.packed import legal_checks, pack, unpack_move
from tsume_rules.position import SQUARES, Position, structural_faults
from tsume_rules.sfen import format_sfen, parse_sfen

PUBLISHED_IN_3 = "7ls/6P1k/3+r2G2/7p1/5R1N1/9/3B5/9/9 b b3g3s3n3l16p 1"
"""The lance steps between, is captured, and its loss changes nothing."""
ONLY_CAPTURED = [
    # SFEN, length, the line without the moves that do not count, a line to one of these
    (PUBLISHED_IN_3, 5, "4e4f 6c6g 4f1f", "4e4f 2a2c"),
    ("8k/5P3/4b1P2/9/9/9/2B6/9/9 b G2r3g4s4n4l16p 1", 5, "3c3b+ 1a1b 7g2b+", "3c3b+ 5c4d"),
    ("9/6n1k/8r/6P2/9/9/9/9/1+B7 b Grb3g4s3n4l17p 1", 5, "3d3c+ 1b1a G*2b", "3d3c+ 1c2c"),
]
WITH_A_POINT = [
    # SFEN, length; the main line has a moved interposition that the checking piece takes
    ("9/8k/6+Pn1/9/9/9/9/3+R5/9 b Gr2b3g4s3n4l17p 1", 5),  # without the knight the mate is later
    ("8S/8k/4n4/7l1/5N3/9/9/9/1+B7 b S2rb4g2s2n3l18p 1", 5),  # the same
    ("5g1k1/9/2R4G1/9/5P3/9/9/9/9 b R2b2g4s4n4l17p 1", 5),  # the gold leaves the king its square
]


def read(sfen: str, engine: DfPnEngine) -> tuple[int, WithoutMoved]:
    found = solve(parse_sfen(sfen).position, Limits(), engine)
    assert isinstance(found, Mate)
    record = pack(parse_sfen(sfen).position)
    return found.length, without_moved(engine, record, TreeBuilder(engine).turn(record, found.length))


def usi(moves: tuple[int, ...]) -> str:
    return " ".join(unpack_move(move).usi for move in moves)


@pytest.mark.parametrize(("sfen", "length", "line", "example"), ONLY_CAPTURED)
def test_what_is_only_captured_does_not_count(sfen: str, length: int, line: str, example: str) -> None:
    narrow, found = read(sfen, DfPnEngine(table_bits=14))
    assert (narrow, usi(found.line), usi(found.example)) == (length, line, example)
    assert twin_length(sfen, length) == len(found.line)


@pytest.mark.parametrize(("sfen", "length"), WITH_A_POINT)
def test_what_makes_the_mate_later_counts(sfen: str, length: int) -> None:
    assert read(sfen, DfPnEngine(table_bits=14)) == (length, WithoutMoved())
    assert twin_length(sfen, length) == length


def test_a_judgement_remarks_it_and_does_not_rest_on_it() -> None:
    found = Judge(DfPnEngine(table_bits=16)).judge(parse_sfen(PUBLISHED_IN_3).position)
    assert found.length == 5
    assert [move.usi for move in found.without_moved] == ["4e4f", "6c6g", "4f1f"]
    assert [move.usi for move in found.moved_between] == ["4e4f", "2a2c"]


def test_without_such_a_move_on_the_main_line_nothing_is_searched() -> None:
    for position in attacks(30, seed="moved"):
        engine, record = DfPnEngine(table_bits=14), pack(position)
        found = solve(position, Limits(nodes=2000, max_length=3), engine)
        if isinstance(found, Mate):
            root, before = TreeBuilder(engine).turn(record, found.length), engine.nodes
            if not any("*" not in move.usi for move in found.line[1::2]):
                assert without_moved(engine, record, root) == WithoutMoved()
                assert engine.nodes == before


def test_a_limit_ends_the_search() -> None:
    engine = DfPnEngine(table_bits=14)
    record = pack(parse_sfen(PUBLISHED_IN_3).position)
    root = TreeBuilder(engine).turn(record, 5)
    engine.forget()
    with engine.within(Limits(nodes=1)), pytest.raises(LimitReached):
        without_moved(engine, record, root)


def test_the_reading_is_that_of_the_slow_twin() -> None:
    shorter = 0
    for position in (*attacks(20, seed="moved"), *drawn(_varied, 30, seed="moved")):
        sfen, record, twin = format_sfen(position), pack(position), Twin()
        board, reading = naive.board_of(sfen), MovedReading(DfPnEngine(table_bits=14))
        for n in (1, 3):
            ours = {unpack_move(c).usi for c in legal_checks(record) if reading.mates_after(record, c, n)}
            theirs = {move.usi() for move in naive.check_moves(board) if twin.mates(board, move, n)}
            assert ours == theirs, sfen
            shorter += ours != naive.mating_moves(sfen, n)
    assert shorter


def _varied(rng: random.Random, _own_king: bool) -> Position:
    """One of the positions above with up to two pieces elsewhere."""
    position = parse_sfen(rng.choice(ONLY_CAPTURED)[0]).position
    while True:
        board = list(position.board)
        for _ in range(rng.randint(0, 2)):
            here, there = rng.choice([sq for sq in range(SQUARES) if board[sq]]), rng.randrange(SQUARES)
            board[here], board[there] = board[there], board[here]
        varied = Position.completed(tuple(board), position.attacker_hand)
        if not structural_faults(varied) and not naive.is_check(naive.board_of(format_sfen(varied))):
            return varied


# --- the twin ----------------------------------------------------------------------------------------


def twin_length(sfen: str, most: int) -> int | None:
    """The length by this reading, up to ``most`` plies."""
    board, search = naive.board_of(sfen), Twin()
    return next((n for n in range(1, most + 1, 2) if search.mate_within(board, n)), None)


class Twin(naive.Search):
    """The narrow reading without moved interpositions that are only captured, as docs/rules.md says it."""

    def _all_answers_fail(self, board: naive.Board, n: int) -> bool:
        answers = list(naive.evasion_moves(board))
        captured = {answer.usi(): list(_after_capture(board, answer)) for answer in answers}
        others = [answer for answer in answers if not captured[answer.usi()]]
        for m in range(0, n + 1, 2):
            if all(self._fails(board, answer, m) for answer in others):
                return all(
                    any(self.mated_within(after, m) for after in captured[answer.usi()])
                    or self._loses(board, answer, n)
                    for answer in answers
                    if captured[answer.usi()]
                )
        return False


def _after_capture(board: naive.Board, answer: Any) -> list[naive.Board]:
    """The positions after the only checking piece takes a piece moved between, which its owner gets back."""
    found: list[naive.Board] = []
    checkers, king = naive.checkers(board), board.king_squares[shogi.WHITE]
    if answer.drop_piece_type or answer.from_square == king or len(checkers) != 1:
        return found
    if answer.to_square not in naive.interposition_squares(board):
        return found
    board.push(answer)
    kind = board.piece_type_at(answer.to_square)
    for check in naive.check_moves(board) if not naive.attackers_king_attacked(board) else ():
        if (check.from_square, check.to_square) == (checkers[0], answer.to_square):
            board.push(check)
            after = naive.board_of(board.sfen())
            board.pop()
            kind_in_hand = shogi.PIECE_PROMOTED.index(kind) if kind in shogi.PIECE_PROMOTED else kind
            after.remove_piece_from_hand(kind_in_hand, shogi.BLACK)
            after.add_piece_into_hand(kind_in_hand, shogi.WHITE)
            found.append(after)
    board.pop()
    return found
