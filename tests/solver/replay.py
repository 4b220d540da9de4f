# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines replayed by python-shogi, which shares no code with the solver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import shogi

from tests import naive
from tsume_rules.moves import Move
from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen


def replayed(position: Position, line: Sequence[Move]) -> Any:
    """The slow twin's board after a line; fails unless each move is legal and the attacker always checks."""
    board = naive.board_of(format_sfen(position))
    for ply, move in enumerate(line):
        played = shogi.Move.from_usi(move.usi)
        legal = naive.check_moves(board) if ply % 2 == 0 else list(naive.evasion_moves(board))
        assert played in legal, (format_sfen(position), [m.usi for m in line], move.usi)
        assert board.is_legal(played)
        board.push(played)
    return board


def is_mate(position: Position, line: Sequence[Move]) -> bool:
    """Whether a line of legal moves ends in mate, futile interpositions not counted."""
    return len(line) % 2 == 1 and naive.mated_within(replayed(position, line), 0)
