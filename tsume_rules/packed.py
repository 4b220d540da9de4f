# SPDX-License-Identifier: GPL-3.0-or-later
"""Packed positions: records and move codes as kernels take them, their legal moves, playing lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tsume_rules.kernel import move_generation, state
from tsume_rules.kernel.attacks import cells_between_count, in_check
from tsume_rules.kernel.move_generation import MAX_MOVES, checks, evasions
from tsume_rules.kernel.retract import captured_of, move_of
from tsume_rules.kernel.state import PROMOTES, do, has_pawn, make_drop, set_up_position, undo
from tsume_rules.kernel.tables import ATT, CELL, DEF, OURS, PAWN, POSITION, SQUARE, STEP
from tsume_rules.moves import Move
from tsume_rules.position import (
    HAND_KINDS,
    FaultKind,
    Hand,
    Kind,
    Piece,
    PlacementFault,
    Position,
    Side,
    placement_faults,
    surplus_faults,
)

PackedPosition = Any
"""A packed position of dtype `tsume_rules.kernel.state.POSITION`, as kernels take it."""


def _python_version_of(kernel: Any) -> Callable[..., int]:
    """Return the Python function of a one-line kernel: quicker than a call into compiled code."""
    return getattr(kernel, "py_func", kernel)  # type: ignore[no-any-return]


target_of = _python_version_of(state.target_of)
"""The cell that a move's code goes to."""
origin_of = _python_version_of(state.origin_of)
"""The cell that a move's code comes from; 0 for a drop."""
dropped = _python_version_of(state.dropped)
"""The kind that a move's code drops; 0 for a move on the board."""
_make_move = _python_version_of(state.make_move)
_make_drop = _python_version_of(state.make_drop)


def is_promotion(move: int) -> bool:
    """Return whether a move's code is a promotion."""
    return bool(move & PROMOTES)


def moved_by(move: int, shift: int) -> int:
    """Return a move's code with its cells so far away."""
    target = target_of(move) + shift
    kind = dropped(move)
    return _make_drop(kind, target) if kind else _make_move(origin_of(move) + shift, target, is_promotion(move))


def answer_group(answer: int) -> int:
    """The number shared by answers that count as one: a drop's cell, whatever the piece; else the move."""
    return target_of(answer) if dropped(answer) else answer


def pack(position: Position) -> PackedPosition:
    """Return a new position record; it does not hold the side to move."""
    latest = _latest[0] if _latest else None
    if latest is None or latest[0] is not position:
        latest = position, pack_codes(*_codes_and_hands(position))
        _latest[:] = [latest]
    packed = np.zeros(1, dtype=POSITION).view(np.recarray)
    packed[0] = latest[1]
    return packed[0]


_latest: list[tuple[Position, PackedPosition]] = []
"""The last position packed: a command packs the same one several times."""


def pack_codes(codes: np.ndarray, hands: np.ndarray) -> PackedPosition:
    """Return a packed position from codes on squares 0 to 80 and hands [side, kind], both int8."""
    packed = np.zeros(1, dtype=POSITION).view(np.recarray)[0]
    set_up_position(packed, codes, hands)
    return packed


def pack_all(positions: Sequence[Position]) -> Any:
    """Return an array of position records (dtype `tsume_rules.kernel.state.POSITION`)."""
    packed_positions = np.zeros(len(positions), dtype=POSITION).view(np.recarray)
    for packed, position in zip(packed_positions, positions, strict=True):
        set_up_position(packed, *_codes_and_hands(position))
    return packed_positions


def _codes_and_hands(position: Position) -> tuple[np.ndarray, np.ndarray]:
    codes = [piece.kind + OURS * piece.side if piece else 0 for piece in position.board]
    hands = (0, *position.attacker_hand.counts), (0, *position.defender_hand.counts)
    return np.array(codes, np.int8), np.array(hands, np.int8)


def unpack(packed: PackedPosition, side_to_move: Side = Side.ATTACKER) -> Position:
    """Return the readable position of a packed one, which does not hold the side to move."""
    codes = [int(code) for code in packed.board[CELL]]
    board = tuple(Piece(Side(code >> 4), Kind(code & 15)) if code else None for code in codes)
    hands = [Hand.of({kind: int(packed.hand[side, kind]) for kind in HAND_KINDS}) for side in Side]
    return Position(board, hands[0], hands[1], side_to_move)


def pack_move(move: Move) -> int:
    """Return the kernels' code of a move."""
    target = int(CELL[move.target])
    if move.drop is not None:
        return _make_drop(int(move.drop), target)
    assert move.origin is not None
    return _make_move(int(CELL[move.origin]), target, move.promotes)


def unpack_move(code: int) -> Move:
    """Return the readable move of a kernels' code."""
    target = int(SQUARE[target_of(code)])
    if kind := dropped(code):
        return Move(target, drop=Kind(kind))
    return Move(target, int(SQUARE[origin_of(code)]), is_promotion(code))


def mirrored(move: int) -> int:
    """Return the kernels' code of a move on the mirror image of its position."""
    return pack_move(unpack_move(move).mirrored)


def cells_between(checker: int, king: int) -> range:
    """Return the cells strictly between a checking piece and the king, from the king outwards."""
    cells, step = cells_between_count(king, checker)
    return range(king + step, king + step * (cells + 1), step or 1)


# --- the legal moves of a position as kernels' codes, in the fixed order: moves before drops, then by code ---

_BELOW = int(STEP[7])
"""From the defender's king to the cell from which a pawn gives check."""


def legal_checks(packed: PackedPosition) -> list[int]:
    """Return all legal checks, the attacker to move, in the fixed order."""
    out = np.empty(MAX_MOVES, dtype=np.int64)
    return sorted(out[: checks(packed, out, 0)].tolist())


def legal_evasions(packed: PackedPosition) -> list[int]:
    """Return all legal answers of a defender in check, in the fixed order."""
    out = np.empty(MAX_MOVES, dtype=np.int64)
    return sorted(out[: evasions(packed, out, 0)].tolist())


def forbidden_drop(packed: PackedPosition) -> int:
    """Return the pawn drop that is forbidden because it would be mate (打歩詰); 0 if there is none."""
    cell = int(packed.king[DEF]) + _BELOW
    if not packed.hand[ATT, PAWN] or packed.board[cell] or has_pawn(packed, cell, ATT):
        return 0
    drop = int(make_drop(PAWN, cell))
    return 0 if in_check(packed, ATT) or drop in legal_checks(packed) else drop


def room_for_answers() -> Any:
    """Scratch space for many calls of `answered_checks`."""
    return np.empty(move_generation.ROOM, dtype=np.int64)


def answered_checks(packed: PackedPosition, room: Any = None) -> dict[int, list[int]]:
    """Return each legal check with all legal answers to it; neither are in order. ``room``: scratch space."""
    out = room_for_answers() if room is None else room
    moves = out[MAX_MOVES : move_generation.answered_checks(packed, out)].tolist()
    found: dict[int, list[int]] = {}
    at = 0
    while at < len(moves):
        last = at + 2 + moves[at + 1]
        found[moves[at]] = moves[at + 2 : last]
        at = last
    return found


# --- moves made on a position for the length of a ``with`` block, undone even if it raises; lines on a copy ---

Moves = tuple[int, ...]
"""A line of kernels' move codes; the sides alternate."""


class played:  # noqa: N801  (reads as a verb: ``with played(record, move, side)``)
    """Make a side's move; undo it when the block ends."""

    __slots__ = ("_captured", "_move", "_packed", "_side")

    def __init__(self, packed: PackedPosition, move: int, side: Side) -> None:
        self._packed, self._move, self._side = packed, move, int(side)

    def __enter__(self) -> None:
        self._captured = do(self._packed, self._move, self._side)

    def __exit__(self, *_error: object) -> None:
        undo(self._packed, self._move, self._side, self._captured)


class line_played:  # noqa: N801
    """Play a line, the attacker moving first; undo it when the block ends."""

    __slots__ = ("_captured", "_moves", "_packed")

    def __init__(self, packed: PackedPosition, moves: Moves) -> None:
        self._packed, self._moves = packed, moves

    def __enter__(self) -> None:
        self._captured = [do(self._packed, move, ply % 2) for ply, move in enumerate(self._moves)]

    def __exit__(self, *_error: object) -> None:
        for ply in range(len(self._moves) - 1, -1, -1):
            undo(self._packed, self._moves[ply], ply % 2, self._captured[ply])


class move_retracted:  # noqa: N801
    """Undo an un-move (`tsume_rules.kernel.retract`); play it again when the block ends."""

    __slots__ = ("_packed", "_side", "_unmove")

    def __init__(self, packed: PackedPosition, unmove: int, side: Side) -> None:
        self._packed, self._unmove, self._side = packed, unmove, int(side)

    def __enter__(self) -> None:
        undo(self._packed, move_of(self._unmove), self._side, captured_of(self._unmove))

    def __exit__(self, *_error: object) -> None:
        do(self._packed, move_of(self._unmove), self._side)


def record_after(packed: PackedPosition, moves: Moves) -> PackedPosition:
    """Return a copy of a packed position after a line, the attacker moving first."""
    copy = packed.copy()
    for ply, move in enumerate(moves):
        do(copy, move, ply % 2)
    return copy


def first_illegal(packed: PackedPosition, moves: Moves) -> int | None:
    """Return the index of the first move that is not a legal check or not a legal answer to one."""
    after = packed.copy()
    for ply, move in enumerate(moves):
        if move not in (legal_evasions(after) if ply % 2 else legal_checks(after)):
            return ply
        do(after, move, ply % 2)
    return None


def attacker_turns(packed: PackedPosition, moves: Moves) -> list[PackedPosition]:
    """Return the position at each of the attacker's turns on a line, also at the one after it.

    The attacker moves first; the last turn comes after the line if that has an even number of moves.
    """
    after = packed.copy()
    turns = [after.copy()]
    for ply, move in enumerate(moves):
        do(after, move, ply % 2)
        if ply % 2:
            turns.append(after.copy())
    return turns


# --- whether a position may be the start of a problem ----------------------------------------------


def is_in_check(position: Position, side: Side) -> bool:
    """Return whether a side's king is attacked."""
    return bool(in_check(pack(position), int(side)))


def start_faults(position: Position) -> list[str]:
    """Sentences saying what forbids a position as the start of a problem; empty for a legal one."""
    return [fault.sentence() for fault in faults_of_start(position)]


def faults_of_start(position: Position) -> list[PlacementFault]:
    """Return what forbids a position as the start of a problem; empty for a legal one."""
    faults = [*surplus_faults(position), *placement_faults(position)]
    if not faults and is_in_check(position, Side.DEFENDER):
        both = is_in_check(position, Side.ATTACKER)
        kind = FaultKind.BOTH_IN_CHECK if both else FaultKind.IN_CHECK
        faults.append(PlacementFault(kind, Side.DEFENDER, Kind.KING))
    return faults
