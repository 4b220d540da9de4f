# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines replayed by python-shogi, which shares no code with the solver."""

from collections.abc import Sequence
from typing import Any

import shogi

from solver.explaining.explanation import MatingCheck, ReplyTree
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


# --- Reading reply trees in tests ------------------------------------------------------------------


def key_result(tree: ReplyTree, turn: int) -> MatingCheck:
    """What the tree says of the key of a turn."""
    (found,) = (result for result in tree.turns[turn].checks if result.check == tree.turns[turn].key)
    assert isinstance(found, MatingCheck)
    return found


def played_out(tree: ReplyTree) -> tuple[Move, ...]:
    """The keys and the best answers from the start to mate."""
    line: list[Move] = []
    turn: int | None = 0
    while turn is not None:
        key = key_result(tree, turn)
        line.append(key.check)
        if key.best is not None:
            line.append(key.best.move)
        turn = key.best.turn if key.best else None
    return tuple(line)
