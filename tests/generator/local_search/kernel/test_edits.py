# SPDX-License-Identifier: GPL-3.0-or-later
"""Edits: whatever they do, the position stays one that a set of shogi pieces allows, and can be restored."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache

import numpy as np

from generator.local_search.kernel.edits import (
    EDIT_ROOM,
    edit_position_randomly,
    move_between_hands,
    put_piece_from_hand,
    restore_position,
)
from tests.grown import grown
from tests.records import assert_sane, in_bytes
from tests.sampling import attacks, crowded
from tsume_rules.kernel.state import POSITION
from tsume_rules.kernel.tables import CELL, DEF
from tsume_rules.packing import Record, pack, unpack
from tsume_rules.pieces import HAND_KINDS, SET_COUNT, Kind, Piece, Side
from tsume_rules.position import IllegalPosition, Position, structural_faults
from tsume_rules.sfen import format_sfen
from tsume_rules.squares import SQUARES

EDITS = 150
PIECES = [Piece(side, kind) for side in Side for kind in Kind if kind is not Kind.KING]


@cache
def positions() -> tuple[Position, ...]:
    """Positions without an attacker's king, as composers have them; some with many pieces."""
    drawn = [*attacks(24, "edits"), *crowded(24, "edits")]
    alone = [position for position in drawn if position.king(Side.ATTACKER) is None]
    return (*alone, *(unpack(candidate.record) for candidate in grown(3)[:8]))


def edited(position: Position, seed: int, number: int = EDITS) -> Iterator[tuple[bool, Record]]:
    """The same record after each of some edits, and whether the edit was possible."""
    record, squares = pack(position), np.zeros(EDIT_ROOM, dtype=np.int64)
    state = np.array([seed], dtype=np.uint64)
    for _ in range(number):
        yield bool(edit_position_randomly(record, state, squares)), record


def test_positions_stay_sane_after_any_edits() -> None:
    possible: Counter[bool] = Counter()
    for seed, position in enumerate(positions()):
        for done, record in edited(position, seed):
            possible[done] += 1
            assert_sane(record)
    assert min(possible[True], possible[False]) > 500


def test_edits_change_the_pieces_in_every_way() -> None:
    """By one piece more or less on the board, one more or less in hand, from one to the other; by moves."""
    ways: Counter[tuple[int, int]] = Counter()
    kings: Counter[bool] = Counter()
    for seed, position in enumerate(positions()):
        before = position
        for done, record in edited(position, seed):
            after = unpack(record)
            if done:
                hand = len(after.attacker_hand) - len(before.attacker_hand)
                board = after.piece_count() - before.piece_count() - hand
                ways[board, hand] += 1
                kings[after.king(Side.DEFENDER) != before.king(Side.DEFENDER)] += 1
            before = after
    assert set(ways) == {(1, 0), (-1, 0), (0, 1), (0, -1), (-1, 1), (1, -1), (0, 0)}
    assert min(ways.values()) > 5
    assert kings[True] > 50


def test_everything_may_move_by_the_same_step() -> None:
    shifted = 0
    for seed, position in enumerate(positions()):
        before = position
        for done, record in edited(position, seed):
            after = unpack(record)
            shifted += done and _is_shifted(before, after)
            before = after
    assert shifted > 20


def _is_shifted(before: Position, after: Position) -> bool:
    one, other = ([sq for sq in range(SQUARES) if each.board[sq]] for each in (before, after))
    pieces, others = ([each.board[sq] for sq in there] for each, there in ((before, one), (after, other)))
    by = other[0] - one[0]
    return by != 0 and pieces == others and [sq + by for sq in one] == other and len(one) > 1


def test_the_same_random_numbers_make_the_same_edits() -> None:
    for position in positions()[:5]:
        one = [(done, in_bytes(record)) for done, record in edited(position, 5)]
        assert one == [(done, in_bytes(record)) for done, record in edited(position, 5)]
        assert one != [(done, in_bytes(record)) for done, record in edited(position, 6)]


def test_a_saved_position_is_restored_exactly() -> None:
    saved = np.zeros(1, dtype=POSITION).view(np.recarray)
    for seed, position in enumerate(positions()):
        saved[0] = pack(position)
        changed = 0
        for _, record in edited(position, seed, 30):
            changed += in_bytes(record) != in_bytes(saved[0])
        assert changed
        restore_position(record, saved[0])
        assert in_bytes(record) == in_bytes(pack(position)), format_sfen(position)
        assert in_bytes(saved[0]) == in_bytes(pack(position))


def with_piece(position: Position, sq: int, piece: Piece) -> Position | None:
    """The slow twin of `put_piece_from_hand`: the position with one more piece, None if it is forbidden."""
    if position.board[sq] is not None:
        return None
    try:
        changed = position.with_piece(sq, piece)
    except IllegalPosition:
        return None
    return None if structural_faults(changed) else changed


def test_a_piece_is_added_wherever_one_may_stand() -> None:
    rng = random.Random(2)
    possible: Counter[bool] = Counter()
    for position in positions():
        for _ in range(150):
            sq, piece = rng.randrange(SQUARES), rng.choice(PIECES)
            record = pack(position)
            done = bool(put_piece_from_hand(record, piece.kind + 16 * piece.side, int(CELL[sq])))
            expected, said = with_piece(position, sq, piece), (format_sfen(position), sq, piece)
            assert done == (expected is not None), said
            assert in_bytes(record) == in_bytes(pack(expected or position)), (
                format_sfen(position),
                sq,
                piece,
            )
            possible[done] += 1
    assert min(possible[True], possible[False]) > 100


def test_nothing_is_added_off_the_board() -> None:
    for piece in PIECES:
        record = pack(positions()[0])
        assert not put_piece_from_hand(record, piece.kind + 16 * piece.side, 0)
        assert in_bytes(record) == in_bytes(pack(positions()[0]))


def test_the_attacker_gets_all_the_defender_has_and_no_more() -> None:
    for position in positions()[:10]:
        record = pack(position)
        for kind in HAND_KINDS:
            held = position.defender_hand[kind]
            given = [bool(move_between_hands(record, int(kind), DEF)) for _ in range(SET_COUNT[kind] + 1)]
            assert given == [True] * held + [False] * (SET_COUNT[kind] + 1 - held)
        assert_sane(record)
        assert not unpack(record).defender_hand
