# SPDX-License-Identifier: GPL-3.0-or-later
"""The effects, updated with every move, and what is derived from them."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
import shogi
from hypothesis import given
from hypothesis import strategies as st

from tests import naive
from tests.positions import in_bytes, random_attack
from tests.sampling import checked, crowded, starts
from tests.tsume_rules.kernel.hands import Plain, as_packed, hands
from tsume_rules.kernel.attacks import BY_ATTACKER, SIDE_BITS, SLIDE_BIT, attacked, attacker_cell, effects_of_side
from tsume_rules.kernel.move_generation import (
    MAX_MOVES,
    can_drop_on,
    can_move_to,
    checks,
    drops_on,
    evasions,
    has_evasion,
    king_flight_directions,
    king_moves,
    moves_to,
    pseudo_checks,
)
from tsume_rules.kernel.retract import MAX_UNMOVES, captured_of, move_of, un_checks, un_evasions
from tsume_rules.kernel.state import count_in_hand, do, hand_contains, hand_intersection, hand_union, packed_hand, undo
from tsume_rules.kernel.tables import CELL, POSITION, SQUARE
from tsume_rules.moves import parse_move
from tsume_rules.packed import (
    PackedPosition,
    answered_checks,
    legal_checks,
    legal_evasions,
    pack,
    pack_move,
    played,
    unpack,
    unpack_move,
)
from tsume_rules.position import HAND_KINDS, SQUARES, Kind, Piece, Position, Side, file_of, rank_of, square
from tsume_rules.sfen import format_sfen

Offset = tuple[int, int]
"""File and rank: higher files are to the attacker's left, lower ranks in front of him."""
DIRECTIONS: list[Offset] = [
    (0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (1, 1), (-1, 1), (0, 1),
    (1, -2), (-1, -2), (1, 2), (-1, 2),
]  # fmt: skip
"""Directions of steps and slides, by their bits."""
_UP, _CORNERS, _SIDES = [(0, -1)], [(1, -1), (-1, -1), (1, 1), (-1, 1)], [(0, -1), (1, 0), (-1, 0), (0, 1)]
_GOLD = [(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1)]
STEPS: dict[Kind, list[Offset]] = {
    Kind.PAWN: _UP, Kind.LANCE: [], Kind.KNIGHT: [(-1, -2), (1, -2)], Kind.SILVER: [*_UP, *_CORNERS],
    Kind.BISHOP: [], Kind.ROOK: [], Kind.GOLD: _GOLD, Kind.KING: [*_SIDES, *_CORNERS],
    Kind.TOKIN: _GOLD, Kind.PROMOTED_LANCE: _GOLD, Kind.PROMOTED_KNIGHT: _GOLD,
    Kind.PROMOTED_SILVER: _GOLD, Kind.HORSE: _SIDES, Kind.DRAGON: _CORNERS,
}  # fmt: skip
SLIDES: dict[Kind, list[Offset]] = {
    Kind.LANCE: _UP, Kind.BISHOP: _CORNERS, Kind.ROOK: _SIDES, Kind.HORSE: _CORNERS, Kind.DRAGON: _SIDES,
}  # fmt: skip
PLIES = 10
_GAIN_ALL = (Kind.PAWN, Kind.BISHOP, Kind.ROOK)


# --- the twin ------------------------------------------------------------------------------------
def twin_effects(position: Position) -> list[int]:
    """The effects of each square, found from the pieces one by one."""
    found = [0] * SQUARES
    for origin, piece in enumerate(position.board):
        if piece is None:
            continue
        for offset in STEPS[piece.kind]:
            step, bit = _seen_by(piece.side, offset)
            target = _beside(origin, step)
            if target is not None:
                found[target] |= 1 << (bit + SIDE_BITS * piece.side)
        for offset in SLIDES.get(piece.kind, []):
            step, bit = _seen_by(piece.side, offset)
            target = _beside(origin, step)
            while target is not None:
                found[target] |= 1 << (SLIDE_BIT + bit + SIDE_BITS * piece.side)
                target = None if position.board[target] else _beside(target, step)
    return found


def _seen_by(side: Side, offset: Offset) -> tuple[Offset, int]:
    step = offset if side is Side.ATTACKER else (-offset[0], -offset[1])
    return step, DIRECTIONS.index(step)


def _beside(sq: int, step: Offset) -> int | None:
    file, rank = file_of(sq) + step[0], rank_of(sq) + step[1]
    return square(file, rank) if 1 <= file <= 9 and 1 <= rank <= 9 else None


def kept_up(packed: PackedPosition) -> list[int]:
    """The packed position's effects of the 81 squares, without the walls."""
    return [int(bits) for bits in packed.effects[CELL]]


def assert_effects_are_true(packed: PackedPosition) -> None:
    position = unpack(packed)
    assert kept_up(packed) == twin_effects(position), format_sfen(position)


# --- updated --------------------------------------------------------------------------------------
@pytest.mark.parametrize("draw", [starts, crowded, checked])
def test_effects_of_a_new_position(draw: Callable[..., Iterator[Position]]) -> None:
    for position in draw(150, seed="effects"):
        assert_effects_are_true(pack(position))


@pytest.mark.parametrize("draw", [starts, crowded, checked])
def test_effects_through_a_line_done_and_undone(draw: Callable[..., Iterator[Position]]) -> None:
    """Checks and answers as long as there are any; each move is also done, undone and done again."""
    rng, out = random.Random(1), np.empty(MAX_MOVES, dtype=np.int64)
    plies = 0
    for position in draw(60, seed="line"):
        packed, side, line = pack(position), position.side_to_move, []
        for _ in range(PLIES):
            generate = checks if side is Side.ATTACKER else evasions
            moves = out[: generate(packed, out, 0)].tolist()
            if not moves:
                break
            for move in rng.sample(moves, min(len(moves), 3)):
                before = in_bytes(packed)
                captured = do(packed, move, int(side))
                assert_effects_are_true(packed)
                undo(packed, move, int(side), captured)
                assert in_bytes(packed) == before, format_sfen(position)
            move, before = rng.choice(moves), in_bytes(packed)
            line.append((move, side, do(packed, move, int(side)), before))
            assert_effects_are_true(packed)
            side = side.other
            plies += 1
        for move, mover, captured, before in reversed(line):
            undo(packed, move, int(mover), captured)
            assert in_bytes(packed) == before, format_sfen(position)
    assert plies


def test_effects_through_retracted_moves() -> None:
    """Un-moves of both sides alternately, three times each, then played forward again."""
    rng, out = random.Random(2), np.empty(MAX_UNMOVES, dtype=np.int64)
    retracted = 0
    for position in [*checked(60, seed="back"), *starts(60, seed="back")]:
        packed, side, line = pack(position), position.side_to_move.other, []
        for _ in range(3):
            generate = un_checks if side is Side.ATTACKER else un_evasions
            found = out[: generate(packed, out, True)].tolist()
            if not found:
                break
            code, before = rng.choice(found), in_bytes(packed)
            undo(packed, move_of(code), int(side), captured_of(code))
            assert_effects_are_true(packed)
            line.append((code, side, before))
            side = side.other
            retracted += 1
        for code, mover, before in reversed(line):
            do(packed, move_of(code), int(mover))
            assert in_bytes(packed) == before, format_sfen(position)
    assert retracted


def test_any_move_at_all_is_undone_to_the_byte() -> None:
    """Not only checks and answers: every move of a piece, legal or not."""
    rng = random.Random(3)
    for position in [*starts(60, seed="any"), *crowded(60, seed="any")]:
        packed, line = pack(position), []
        for _ in range(PLIES):
            side = rng.choice(list(Side))
            board = naive.board_of(format_sfen(unpack(packed, side)))
            moves = [
                pack_move(parse_move(move.usi()))
                for move in naive._board_moves(board)
                if board.piece_type_at(move.to_square) != shogi.KING
            ]
            if not moves:
                continue
            move, before = rng.choice(moves), in_bytes(packed)
            line.append((move, side, do(packed, move, int(side)), before))
            assert_effects_are_true(packed)
        for move, mover, captured, before in reversed(line):
            undo(packed, move, int(mover), captured)
            assert in_bytes(packed) == before, format_sfen(position)


# --- derived -------------------------------------------------------------------------------------
def test_the_source_of_an_effect_is_the_piece_that_has_it() -> None:
    for position in [*starts(50, seed="source"), *crowded(50, seed="source")]:
        packed = pack(position)
        for target, cell in enumerate(CELL.tolist()):
            for side in Side:
                bits = effects_of_side(int(packed.effects[cell]), int(side))
                assert bits & ~BY_ATTACKER == 0
                origins = {int(SQUARE[attacker_cell(packed, cell, b)]) for b in range(SIDE_BITS) if bits >> b & 1}
                assert origins == _attacking(position, target, side), format_sfen(position)
                assert attacked(packed, cell, int(side)) == bool(origins)


def _attacking(position: Position, target: int, side: Side) -> set[int]:
    """The squares that attack a square, by python-shogi."""
    board = naive.board_of(format_sfen(position))
    return {_from_shogi(sq) for sq in naive._pieces_reaching(board, int(side), _to_shogi(target))}


def _to_shogi(sq: int) -> int:
    return (rank_of(sq) - 1) * 9 + 9 - file_of(sq)


def _from_shogi(sq: int) -> int:
    return square(9 - sq % 9, sq // 9 + 1)


def test_the_defender_can_answer_just_where_answers_are_generated() -> None:
    """The tests for flights, moves and drops agree with the generated moves and with python-shogi."""
    out = np.empty(MAX_MOVES, dtype=np.int64)
    mated = 0
    for position in [*checked(400, seed="asked"), *mates(100)]:
        packed = pack(position)
        sfen, king = format_sfen(position), int(packed.king[Side.DEFENDER])
        king_goes = [unpack_move(code) for code in out[: king_moves(packed, out, 0)].tolist()]
        by_twin = naive.evasions(sfen)
        assert int(king_flight_directions(packed)).bit_count() == len(king_goes)
        origin = int(SQUARE[king])
        assert {move.usi for move in king_goes} == {
            usi for usi in by_twin if usi[1] != "*" and naive_origin(usi) == origin
        }, sfen
        generated = [unpack_move(code).usi for code in out[: evasions(packed, out, 0)].tolist()]
        assert sorted(generated) == sorted(by_twin), sfen
        assert has_evasion(packed) == bool(by_twin), sfen
        mated += not by_twin
        for cell in CELL.tolist():
            assert can_move_to(packed, cell) == (moves_to(packed, cell, out, 0) > 0), sfen
            if packed.board[cell] == 0:
                assert can_drop_on(packed, cell) == (drops_on(packed, cell, out, 0) > 0), sfen
    assert mated


def naive_origin(usi: str) -> int:
    return square(int(usi[0]), "abcdefghi".index(usi[1]) + 1)


def mates(number: int) -> Iterator[Position]:
    """Positions after a check that has no answers except drops."""
    out = np.empty(MAX_MOVES, dtype=np.int64)
    for position in starts(8 * number, seed="mates"):
        packed = pack(position)
        for check in out[: checks(packed, out, 0)].tolist():
            captured = do(packed, check, int(Side.ATTACKER))
            if not king_flight_directions(packed):
                yield unpack(packed, Side.DEFENDER)
            undo(packed, check, int(Side.ATTACKER), captured)


@pytest.mark.parametrize("draw", [starts, crowded])
def test_where_a_king_can_go_without_a_check_too(draw: Callable[..., Iterator[Position]]) -> None:
    """`king_flight_directions` is also used before a check (`solver.engines.dfpn.kernel.mate_in_one`)."""
    for position in draw(150, seed="flights"):
        board = naive.board_of(format_sfen(replace(position, side_to_move=Side.DEFENDER)))
        king = board.king_squares[shogi.WHITE]
        goes = [
            move
            for move in naive._board_moves(board)
            if move.from_square == king and not naive._leaves_own_king(board, move)
        ]
        assert int(king_flight_directions(pack(position))).bit_count() == len(goes), format_sfen(position)


def test_can_drop_on_agrees_with_the_generated_drops() -> None:
    """Hands with nothing to drop except pieces that would be dead or a second pawn."""
    out = np.empty(MAX_MOVES, dtype=np.int64)
    kinds = (Kind.PAWN, Kind.LANCE, Kind.KNIGHT)
    for position in [*starts(60, seed="drops"), *crowded(60, seed="drops")]:
        packed = pack(position)
        for held in range(1 << len(kinds)):
            packed.hand[Side.DEFENDER] = 0
            for i, kind in enumerate(kinds):
                packed.hand[Side.DEFENDER, kind] = held >> i & 1
            for sq, cell in enumerate(CELL.tolist()):
                if position.board[sq] is not None:
                    continue
                ahead = 9 - rank_of(sq)
                pawn_there = any(
                    position.board[square(file_of(sq), rank)] == Piece(Side.DEFENDER, Kind.PAWN)
                    for rank in range(1, 10)
                )
                may = (
                    bool(held & 1 and ahead >= 1 and not pawn_there)
                    or bool(held & 2 and ahead >= 1)
                    or bool(held & 4 and ahead >= 2)
                )
                assert can_drop_on(packed, cell) == may, format_sfen(position)
                assert (drops_on(packed, cell, out, 0) > 0) == may


@pytest.mark.parametrize("draw", [starts, crowded])
def test_checks_are_python_shogis(draw: Callable[..., Iterator[Position]]) -> None:
    out = np.empty(MAX_MOVES, dtype=np.int64)
    for position in draw(300, seed="checks"):
        packed, sfen = pack(position), format_sfen(position)
        codes = out[: checks(packed, out, 0)].tolist()
        found = {unpack_move(code).usi for code in codes}
        assert len(found) == len(codes), sfen
        assert found == naive.checks(sfen), sfen
        fewer = {unpack_move(code).usi for code in out[: pseudo_checks(packed, False, out, 0)].tolist()}
        for usi in found - fewer:
            assert not usi.endswith("+"), sfen
            assert usi + "+" in naive.checks(sfen), sfen
            piece = position.board[naive_origin(usi)]
            assert piece is not None, sfen
            assert piece.kind in _GAIN_ALL, sfen


# --- All checks with all answers, compared with the lists of one position each ---------------------


def test_all_answers_are_those_after_each_check() -> None:
    rng = random.Random(3)
    for _ in range(60):
        packed = pack(random_attack(rng, rng.random() < 0.3))
        before = in_bytes(packed)
        found = answered_checks(packed)
        assert sorted(found) == legal_checks(packed)
        assert in_bytes(packed) == before
        for check, answers in found.items():
            with played(packed, check, Side.ATTACKER):
                assert sorted(answers) == legal_evasions(packed)


# --- state -----------------------------------------------------------------------------------------


@given(hands, hands)
def test_one_hand_contains_another(one: Plain, other: Plain) -> None:
    assert hand_contains(as_packed(one), as_packed(other)) == (one >= other)
    assert hand_contains(as_packed(one | other), as_packed(one))
    assert hand_contains(as_packed(one), as_packed(one & other))
    assert hand_union(as_packed(one), as_packed(other)) == as_packed(one | other)
    assert hand_intersection(as_packed(one), as_packed(other)) == as_packed(one & other)


@given(hands, st.sampled_from(HAND_KINDS))
def test_counts(hand: Plain, kind: Kind) -> None:
    assert count_in_hand(as_packed(hand), kind) == hand[kind]


@given(hands)
def test_the_attackers_hand_of_a_record(hand: Plain) -> None:
    packed = np.zeros(1, dtype=POSITION).view(np.recarray)[0]
    for kind, number in hand.items():
        packed.hand[Side.ATTACKER, kind] = number
    packed.hand[Side.DEFENDER, Kind.GOLD] = 1
    assert packed_hand(packed) == as_packed(hand)
