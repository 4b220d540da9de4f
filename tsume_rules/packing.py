# SPDX-License-Identifier: GPL-3.0-or-later
"""Conversion between readable types and the kernels' records and move codes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tsume_rules.hands import Hand
from tsume_rules.kernel import play
from tsume_rules.kernel.attacks import between
from tsume_rules.kernel.play import PROMOTES, set_up_position
from tsume_rules.kernel.state import POSITION
from tsume_rules.kernel.tables import CELL, OURS, SQUARE
from tsume_rules.moves import Move
from tsume_rules.pieces import HAND_KINDS, Kind, Piece, Side
from tsume_rules.position import Position

Record = Any
"""A record of dtype `tsume_rules.kernel.state.POSITION`, as kernels take it."""


def _python_version_of(kernel: Any) -> Callable[..., int]:
    """The Python function of a one-line kernel: quicker than a call into compiled code."""
    return getattr(kernel, "py_func", kernel)  # type: ignore[no-any-return]


target_of = _python_version_of(play.target_of)
"""The cell that a move's code goes to."""
origin_of = _python_version_of(play.origin_of)
"""The cell that a move's code comes from; 0 for a drop."""
dropped = _python_version_of(play.dropped)
"""The kind that a move's code drops; 0 for a move on the board."""
_make_move = _python_version_of(play.make_move)
_make_drop = _python_version_of(play.make_drop)


def promotes(move: int) -> bool:
    """Whether a move's code is a promotion."""
    return bool(move & PROMOTES)


def answer_group(answer: int) -> int:
    """The number shared by answers that count as one: a drop's cell, whatever the piece; else the move."""
    return target_of(answer) if dropped(answer) else answer


def pack(position: Position) -> Record:
    """A new position record; it does not hold the side to move."""
    latest = _latest[0] if _latest else None
    if latest is None or latest[0] is not position:
        latest = position, pack_codes(*_codes_and_hands(position))
        _latest[:] = [latest]
    record = np.zeros(1, dtype=POSITION).view(np.recarray)
    record[0] = latest[1]
    return record[0]


_latest: list[tuple[Position, Record]] = []
"""The last position packed: a command packs the same one several times."""


def pack_codes(codes: np.ndarray, hands: np.ndarray) -> Record:
    """A new record from the piece codes on squares 0 to 80 and the hands' counts [side, kind], both int8."""
    record = np.zeros(1, dtype=POSITION).view(np.recarray)[0]
    set_up_position(record, codes, hands)
    return record


def pack_all(positions: Sequence[Position]) -> Any:
    """An array of position records (dtype `tsume_rules.kernel.state.POSITION`)."""
    records = np.zeros(len(positions), dtype=POSITION).view(np.recarray)
    for record, position in zip(records, positions, strict=True):
        set_up_position(record, *_codes_and_hands(position))
    return records


def _codes_and_hands(position: Position) -> tuple[np.ndarray, np.ndarray]:
    """What `pack_codes` takes."""
    codes = [piece.kind + OURS * piece.side if piece else 0 for piece in position.board]
    hands = (0, *position.attacker_hand.counts), (0, *position.defender_hand.counts)
    return np.array(codes, np.int8), np.array(hands, np.int8)


def unpack(record: Record, side_to_move: Side = Side.ATTACKER) -> Position:
    """The readable position of a record; a record does not hold the side to move."""
    board = tuple(_piece(int(code)) for code in record.board[CELL])
    hands = [Hand.of({kind: int(record.hand[side, kind]) for kind in HAND_KINDS}) for side in Side]
    return Position(board, hands[0], hands[1], side_to_move)


def _piece(code: int) -> Piece | None:
    return Piece(Side(code >> 4), Kind(code & 15)) if code else None


def pack_move(move: Move) -> int:
    """The kernels' code of a move."""
    target = int(CELL[move.target])
    if move.drop is not None:
        return _make_drop(int(move.drop), target)
    assert move.origin is not None
    return _make_move(int(CELL[move.origin]), target, move.promotes)


def unpack_move(code: int) -> Move:
    """The readable move of a kernels' code."""
    target = int(SQUARE[target_of(code)])
    if kind := dropped(code):
        return Move(target, drop=Kind(kind))
    return Move(target, int(SQUARE[origin_of(code)]), promotes(code))


def mirrored(move: int) -> int:
    """The kernels' code of a move on the mirror image of its position."""
    return pack_move(unpack_move(move).mirrored)


def cells_between(checker: int, king: int) -> range:
    """The cells strictly between a checking piece and the king, from the king outwards."""
    cells, step = between(king, checker)
    return range(king + step, king + step * (cells + 1), step or 1)
