# SPDX-License-Identifier: GPL-3.0-or-later
import numpy as np

from tests.positions import checks, evasions, in_bytes
from tests.sampling import checked, starts
from tsume_rules.kernel.retract import MAX_UNMOVES, captured_of, move_of, un_checks
from tsume_rules.kernel.state import do, undo
from tsume_rules.moves import position_after
from tsume_rules.packed import pack, pack_move, unpack
from tsume_rules.position import Position, Side
from tsume_rules.sfen import format_sfen


def legal_moves(position: Position) -> list[int]:
    listed = checks(position) if position.side_to_move is Side.ATTACKER else evasions(position)
    return [pack_move(move) for move in listed]


def test_updated_keys_are_the_keys_of_the_position() -> None:
    for position in [*starts(100, seed=8), *checked(100, seed=8)]:
        packed = pack(position)
        for move in legal_moves(position):
            captured = do(packed, move, int(position.side_to_move))
            assert in_bytes(packed) == in_bytes(pack(unpack(packed))), format_sfen(position)
            undo(packed, move, int(position.side_to_move), captured)


def test_a_move_done_is_the_move_played() -> None:
    for position in [*starts(100, seed=9), *checked(100, seed=9)]:
        for move in checks(position) if position.side_to_move is Side.ATTACKER else evasions(position):
            packed = pack(position)
            do(packed, pack_move(move), int(position.side_to_move))
            assert unpack(packed, position.side_to_move.other) == position_after(position, move)


def test_listing_un_moves_leaves_the_record_as_it_was() -> None:
    out = np.empty(MAX_UNMOVES, dtype=np.int64)
    for position in checked(100, seed=10):
        packed = pack(position)
        before = in_bytes(packed)
        for code in out[: un_checks(packed, out, True)].tolist():
            undo(packed, move_of(code), int(Side.ATTACKER), captured_of(code))
            assert in_bytes(packed) == in_bytes(pack(unpack(packed)))
            do(packed, move_of(code), int(Side.ATTACKER))
            assert in_bytes(packed) == before


def test_different_boards_have_different_keys() -> None:
    boards = {(position.board): pack(position) for position in starts(300, seed=11)}
    assert len({int(packed.key) for packed in boards.values()}) == len(boards)
    assert len({int(packed.slot) for packed in boards.values()}) == len(boards)
