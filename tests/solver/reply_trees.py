# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading reply trees in tests."""

from __future__ import annotations

from solver.explaining.explanation import Mates, ReplyTree
from tsume_rules.moves import Move


def key_result(tree: ReplyTree, turn: int) -> Mates:
    """What the tree says of the key of a turn."""
    (found,) = (result for result in tree.turns[turn].checks if result.check == tree.turns[turn].key)
    assert isinstance(found, Mates)
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
