# SPDX-License-Identifier: GPL-3.0-or-later
"""The king's freedom against plain minimax on python-shogi."""

from __future__ import annotations

from typing import Any

import pytest

from solver.engines.iterative.kernel.freedom import FREE
from solver.engines.iterative.sekine import king_freedom
from tests import naive
from tests.sampling import attacks
from tsume_rules.packed import legal_checks, pack, unpack_move
from tsume_rules.sfen import format_sfen, parse_sfen


def freedom_of(board: Any, check: Any, plies: int) -> int:
    """Minimax without a cut, over all the drops on a cell instead of the first."""
    board.push(check)
    try:
        return _after_check(board, plies)
    finally:
        board.pop()


def _after_check(board: Any, plies: int) -> int:
    answers = _one_drop_a_cell(list(naive.evasion_moves(board)))
    if plies == 0:
        return min(len(answers), FREE - 1)
    return max((_after_answer(board, answer, plies - 1) for answer in answers), default=0)


def _after_answer(board: Any, answer: Any, plies: int) -> int:
    board.push(answer)
    try:
        return min((freedom_of(board, check, plies - 1) for check in naive.check_moves(board)), default=FREE)
    finally:
        board.pop()


def _one_drop_a_cell(answers: list[Any]) -> list[Any]:
    """The moves on the board, and of the drops on each cell only that of the least piece."""
    least: dict[int, Any] = {}
    for answer in answers:
        if answer.drop_piece_type is not None:
            kept = least.setdefault(answer.to_square, answer)
            if answer.drop_piece_type < kept.drop_piece_type:
                least[answer.to_square] = answer
    return [answer for answer in answers if answer.drop_piece_type is None] + list(least.values())


def test_the_kings_freedom_is_that_of_plain_minimax() -> None:
    for position in attacks(5, seed="freedom"):
        board, record = naive.board_of(format_sfen(position)), pack(position)
        moves = {move.usi(): move for move in naive.check_moves(board)}
        for check in legal_checks(record):
            expected = freedom_of(board, moves[unpack_move(check).usi], 4)
            assert king_freedom(record, check) == expected, (format_sfen(position), unpack_move(check).usi)


@pytest.mark.parametrize(("sfen", "check", "free"), [
    ("8k/9/7G1/9/9/9/9/9/9 b G2r2b2g4s4n4l18p 1", "G*1b", 0),  # mate
    ("4k4/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1", "G*5b", FREE),  # the gold is captured, no checks are left
])  # fmt: skip
def test_the_ends_of_the_scale(sfen: str, check: str, free: int) -> None:
    record = pack(parse_sfen(sfen).position)
    found = {unpack_move(code).usi: code for code in legal_checks(record)}
    assert king_freedom(record, found[check]) == free
