# SPDX-License-Identifier: GPL-3.0-or-later
"""The ways to find the length of a mate with cshogi.

Boards are set up before anything is timed, as our records are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from scripts.measuring.clock import Contestant
from scripts.measuring.our_way import NODES
from scripts.measuring.position_files import Named

try:
    import cshogi
except ImportError:  # it has no wheels for every Python
    cshogi = None

NO_DRAW = 1 << 30
DEEP = 63
"""How deep cshogi's plain df-pn may go."""
NOT_FOUND = -1


def by_mate_move(positions: Sequence[Named], last: int) -> Contestant:
    """cshogi's fixed-depth search, deepened: exact on all but a few mates in one."""

    def length(board: cshogi.Board) -> int:
        if board.mate_move_in_1ply():
            return 1
        for n in range(3, last + 1, 2):
            if board.mate_move(n):
                return n
        return NOT_FOUND

    return _by_boards("cshogi mate_move, deepened", _boards(positions), length)


def by_deepened_df_pn(positions: Sequence[Named], last: int) -> Contestant:
    """cshogi's df-pn asked for 1, 3, 5, ... plies; its limit is soft, so lengths may be too long."""
    engine = cshogi.DfPn(depth=1, nodes=NODES, draw_ply=NO_DRAW)

    def length(board: cshogi.Board) -> int:
        for n in range(1, last + 1, 2):
            engine.set_max_depth(n)
            if engine.search(board):
                return n
        return NOT_FOUND

    return _by_boards("cshogi DfPn, deepened", _boards(positions), length)


def by_df_pn(positions: Sequence[Named]) -> Contestant:
    """cshogi's df-pn as it is: some mate, not the shortest one."""
    engine = cshogi.DfPn(depth=DEEP, nodes=NODES, draw_ply=NO_DRAW)
    boards = _boards(positions)

    def line_length(board: cshogi.Board) -> int:
        return len(engine.get_pv(board)) if engine.search(board) else NOT_FOUND

    timed = _by_boards("cshogi DfPn, plain", boards, engine.search)
    return replace(timed, lengths=lambda: [line_length(board) for board in boards])


def _boards(positions: Sequence[Named]) -> list[cshogi.Board]:
    return [cshogi.Board(named.sfen) for named in positions]


def _by_boards(
    name: str, boards: Sequence[cshogi.Board], length: Callable[[cshogi.Board], int]
) -> Contestant:
    def all_lengths() -> list[int]:
        return [length(board) for board in boards]

    return Contestant(name, all_lengths, lambda i: length(boards[i]), all_lengths, adds_up=True)
