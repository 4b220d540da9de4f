# SPDX-License-Identifier: GPL-3.0-or-later
"""Traits of checks, compared with a slow twin on python-shogi, and the surprise of a key."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import Any

import pytest
import shogi

from solver.scoring.difficulty import TRAIT_WEIGHTS, check_traits, surprise, weighed
from tests import naive
from tests.sampling import attacks, crowded
from tsume_rules.packed import legal_checks, pack, unpack_move
from tsume_rules.sfen import format_sfen, parse_sfen

VALUES = {
    shogi.PAWN: 1, shogi.LANCE: 3, shogi.KNIGHT: 3, shogi.SILVER: 5, shogi.GOLD: 5, shogi.BISHOP: 7,
    shogi.ROOK: 8, shogi.KING: 0, shogi.PROM_PAWN: 5, shogi.PROM_LANCE: 5, shogi.PROM_KNIGHT: 5,
    shogi.PROM_SILVER: 5, shogi.PROM_BISHOP: 9, shogi.PROM_ROOK: 10,
}  # fmt: skip
KINDS = {
    shogi.PAWN: "pawn", shogi.LANCE: "lance", shogi.KNIGHT: "knight", shogi.GOLD: "gold",
    shogi.BISHOP: "bishop", shogi.ROOK: "rook", shogi.PROM_PAWN: "gold", shogi.PROM_LANCE: "gold",
    shogi.PROM_KNIGHT: "gold", shogi.PROM_SILVER: "gold", shogi.PROM_BISHOP: "horse",
    shogi.PROM_ROOK: "dragon",
}  # fmt: skip


def distance(one: int, other: int) -> int:
    return max(abs(one % 9 - other % 9), abs(one // 9 - other // 9))


def slow_traits(board: Any, move: Any) -> defaultdict[str, float]:
    """The traits, read off python-shogi's board before and after the check."""
    king, target, origin = board.king_squares[shogi.WHITE], move.to_square, move.from_square
    piece = move.drop_piece_type or board.piece_type_at(origin)
    taken = board.piece_type_at(target) or None
    traits: defaultdict[str, float] = defaultdict(float)
    if piece in KINDS:
        traits[KINDS[piece]] = 1.0
    traits["captures"] = float(taken is not None)
    traits["captured_value"] = VALUES[taken] / 10 if taken else 0.0
    traits["promotes"] = float(move.promotion)
    may_promote = origin is not None and any(
        shogi.can_promote(sq, piece, shogi.BLACK) for sq in (origin, target)
    )
    traits["stays_unpromoted"] = float(may_promote and not move.promotion)
    traits["drops"] = float(origin is None)
    traits["distance"] = float(min(distance(target, king), 3))
    traits["withdraws"] = float(origin is not None and distance(target, king) > distance(origin, king))
    board.push(move)
    checkers = naive.checkers(board)
    answers = list(naive.evasion_moves(board))
    moves = [answer for answer in answers if answer.from_square is not None]
    of_king = [answer for answer in moves if answer.from_square == king]
    traits["supported"] = float(bool(naive._reaching(board, shogi.BLACK, target)))
    traits["may_be_taken"] = float(any(answer.to_square == target for answer in moves))
    traits["gives_value"] = traits["may_be_taken"] * VALUES[board.piece_type_at(target)] / 10
    traits["king_moves"] = float(min(len(of_king), 4))
    traits["other_answers"] = float(min(len(moves) - len(of_king), 4))
    traits["may_be_blocked"] = float(len(answers) > len(moves))
    traits["discovers"] = float(target not in checkers)
    traits["double"] = float(len(checkers) > 1)
    board.pop()
    return traits


def test_the_slow_twin_agrees() -> None:
    seen: Counter[str] = Counter()
    for position in [*attacks(60, seed="habit"), *crowded(150, seed="habit")]:
        record, board = pack(position), naive.board_of(format_sfen(position))
        for check in legal_checks(record):
            usi = unpack_move(check).usi
            slow = slow_traits(board, shogi.Move.from_usi(usi))
            traits = defaultdict(float, check_traits(record, check))
            assert {name: traits[name] for name in TRAIT_WEIGHTS} == {
                name: slow[name] for name in TRAIT_WEIGHTS
            }, usi
            assert set(traits) <= set(TRAIT_WEIGHTS)
            seen.update(name for name in TRAIT_WEIGHTS if traits[name])
    assert set(seen) == set(TRAIT_WEIGHTS)


def test_the_chances_of_all_checks_sum_to_one() -> None:
    for position in attacks(30, seed="chances"):
        record = pack(position)
        checks = legal_checks(record)
        if checks:
            assert math.fsum(2 ** -surprise(record, check, checks) for check in checks) == pytest.approx(1)
            likeliest = min(checks, key=lambda check: surprise(record, check, checks))
            assert weighed(check_traits(record, likeliest)) == max(
                weighed(check_traits(record, check)) for check in checks
            )


def test_the_only_check_is_no_surprise() -> None:
    record = pack(parse_sfen("8k/9/9/9/9/9/9/9/9 b P 1").position)
    (only,) = legal_checks(record)
    assert surprise(record, only, [only]) == 0


def test_a_gold_given_away_is_a_greater_surprise_than_a_supported_one() -> None:
    record = pack(parse_sfen("7nk/9/8P/9/9/9/9/9/9 b G 1").position)
    checks = legal_checks(record)
    by_usi = {unpack_move(check).usi: surprise(record, check, checks) for check in checks}
    assert by_usi["G*1b"] < by_usi["G*2b"]
