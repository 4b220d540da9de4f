"""The crossing between readable types and the records of the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tsume_rules.hands import Hand
from tsume_rules.kernel.attacks import between
from tsume_rules.kernel.play import PROMOTES as _PROMOTES
from tsume_rules.kernel.play import set_up
from tsume_rules.kernel.state import POSITION
from tsume_rules.kernel.tables import CELL, OURS, SQUARE
from tsume_rules.moves import Move
from tsume_rules.pieces import HAND_KINDS, Kind, Piece, Side
from tsume_rules.position import Position

Record = Any
"""A record of dtype `tsume_rules.kernel.state.POSITION`, as kernels take it."""


def pack(position: Position) -> Record:
    """A new position record; whose turn it is, is not part of it."""
    return pack_all([position])[0]


def packed(codes: np.ndarray, hands: np.ndarray) -> Record:
    """A new record from piece codes on squares 0 to 80 and counts [side, kind], both int8."""
    record = np.zeros(1, dtype=POSITION).view(np.recarray)[0]
    set_up(record, codes, hands)
    return record


def pack_all(positions: Sequence[Position]) -> Any:
    """An array of position records (dtype `tsume_rules.kernel.state.POSITION`)."""
    records = np.zeros(len(positions), dtype=POSITION).view(np.recarray)
    for record, position in zip(records, positions, strict=True):
        codes = np.array(
            [piece.kind + OURS * piece.side if piece else 0 for piece in position.board], np.int8
        )
        hands = np.zeros((2, 8), dtype=np.int8)
        for side in Side:
            for kind in HAND_KINDS:
                hands[side, kind] = position.hand(side)[kind]
        set_up(record, codes, hands)
    return records


def unpack(record: Record, turn: Side = Side.ATTACKER) -> Position:
    """The readable position of a record."""
    board = tuple(_piece(int(code)) for code in record.board[CELL])
    hands = [Hand.of({kind: int(record.hand[side, kind]) for kind in HAND_KINDS}) for side in Side]
    return Position(board, hands[0], hands[1], turn)


def _piece(code: int) -> Piece | None:
    return Piece(Side(code >> 4), Kind(code & 15)) if code else None


def pack_move(move: Move) -> int:
    """The kernels' code of a move."""
    target = int(CELL[move.target])
    if move.drop is not None:
        return target + (int(move.drop) << 15)
    assert move.origin is not None
    return target + (int(CELL[move.origin]) << 7) + (_PROMOTES if move.promotes else 0)


def unpack_move(code: int) -> Move:
    """The readable move of a kernels' code."""
    target = int(SQUARE[code & 127])
    if code >> 15:
        return Move(target, drop=Kind(code >> 15))
    return Move(target, int(SQUARE[(code >> 7) & 127]), bool(code & _PROMOTES))


def cells_between(checker: int, king: int) -> range:
    """The cells strictly between a checking piece and the king, from the king outwards."""
    cells, step = between(king, checker)
    return range(king + step, king + step * (cells + 1), step or 1)
