# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import numpy as np

from tests.readable import checks, evasions
from tests.sampling import checked, starts
from tsume_rules.kernel.retract import MAX_UNMOVES, captured_of, move_of, un_checks
from tsume_rules.kernel.state import do, undo
from tsume_rules.moves import position_after
from tsume_rules.packed import Record, pack, pack_move, unpack
from tsume_rules.position import Position, Side
from tsume_rules.sfen import format_sfen


def in_bytes(record: Record) -> bytes:
    return np.asarray(record).tobytes()


def legal_moves(position: Position) -> list[int]:
    listed = checks(position) if position.side_to_move is Side.ATTACKER else evasions(position)
    return [pack_move(move) for move in listed]


def test_updated_keys_are_the_keys_of_the_position() -> None:
    for position in [*starts(100, seed=8), *checked(100, seed=8)]:
        record = pack(position)
        for move in legal_moves(position):
            captured = do(record, move, int(position.side_to_move))
            assert in_bytes(record) == in_bytes(pack(unpack(record))), format_sfen(position)
            undo(record, move, int(position.side_to_move), captured)


def test_a_move_done_is_the_move_played() -> None:
    for position in [*starts(100, seed=9), *checked(100, seed=9)]:
        for move in checks(position) if position.side_to_move is Side.ATTACKER else evasions(position):
            record = pack(position)
            do(record, pack_move(move), int(position.side_to_move))
            assert unpack(record, position.side_to_move.other) == position_after(position, move)


def test_listing_un_moves_leaves_the_record_as_it_was() -> None:
    out = np.empty(MAX_UNMOVES, dtype=np.int64)
    for position in checked(100, seed=10):
        record = pack(position)
        before = in_bytes(record)
        for code in out[: un_checks(record, out, True)].tolist():
            undo(record, move_of(code), int(Side.ATTACKER), captured_of(code))
            assert in_bytes(record) == in_bytes(pack(unpack(record)))
            do(record, move_of(code), int(Side.ATTACKER))
            assert in_bytes(record) == before


def test_different_boards_have_different_keys() -> None:
    boards = {(position.board): pack(position) for position in starts(300, seed=11)}
    assert len({int(record.key) for record in boards.values()}) == len(boards)
    assert len({int(record.slot) for record in boards.values()}) == len(boards)
