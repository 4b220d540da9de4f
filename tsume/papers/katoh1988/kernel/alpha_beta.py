# SPDX-License-Identifier: GPL-3.0-or-later
"""Alpha-beta on Othello without RSEARCH: what RSEARCH with c = 1 must do, leaf by leaf."""

import numpy as np

from tsume.papers.katoh1988.kernel.othello import maximises, moves, play, retract, value
from tsume_rules.kernel.compile import jit

LEVEL = np.dtype(
    [
        ("alpha", np.int32),
        ("beta", np.int32),
        ("best", np.int32),  # the greatest value of a child so far at a MAX node, the least at a MIN node
        ("count", np.int32),  # its moves
        ("next", np.int32),  # the one to be played next
    ],
    align=True,
)
RECORD = np.dtype([("level", np.int32), ("value", np.int32), ("leaves", np.int64), ("visited", np.int64)])
INFINITE = 1000


@jit
def begin_alpha_beta(record, levels):
    """Start at the state's present position."""
    record.level = 0
    record.leaves = 0
    record.visited = 0
    levels[0].alpha = -INFINITE
    levels[0].beta = INFINITE
    levels[0].count = -1


@jit
def continue_alpha_beta(record, levels, rows, state, nodes):
    """Go on for so many nodes; True when it is finished. ``rows``: space for the moves of each level."""
    limit = record.visited + nodes
    while record.level >= 0:
        if record.visited >= limit:
            return False
        level = levels[record.level]
        if level.count < 0:
            record.visited += 1
            level.count = moves(state, rows[record.level])
            level.next = 0
            level.best = -INFINITE if maximises(state) else INFINITE
            if level.count == 0:
                record.leaves += 1
                level.best = value(state)
        if level.next == level.count or level.alpha >= level.beta:
            leave_node(record, levels, state)
        else:
            enter_child(record, levels, rows, state)
    return True


@jit
def enter_child(record, levels, rows, state):
    """Play the next move of the present node."""
    level = levels[record.level]
    play(state, rows[record.level, level.next])
    level.next += 1
    record.level += 1
    below = levels[record.level]
    below.alpha = level.alpha
    below.beta = level.beta
    below.count = -1


@jit
def leave_node(record, levels, state):
    """The present node is done: its parent takes in what it is worth."""
    worth = levels[record.level].best
    record.level -= 1
    if record.level < 0:
        record.value = worth
        return
    retract(state)
    level = levels[record.level]
    if maximises(state):
        level.best = max(level.best, worth)
        level.alpha = max(level.alpha, worth)
    else:
        level.best = min(level.best, worth)
        level.beta = min(level.beta, worth)
