# SPDX-License-Identifier: GPL-3.0-or-later
"""Alpha-beta on Othello without RSEARCH: what RSEARCH with c = 1 must do, leaf by leaf."""

from __future__ import annotations

import numpy as np

from solver.engines.rsearch.kernel.framework import INFINITE, SEARCH, Game, make_rsearch
from tsume_rules.kernel.compile import (
    INTEGERS,
    Array,
    Tuple,
    boolean,
    export,
    int64,
    jit,
    named_tuple,
    record,
    struct,
    structs,
    uint64,
    void,
)

# --- othello on 6x6 squares as a game for RSEARCH: the test game of Katoh1988 ----------------------
#
# A board is two sets of squares, the mover's and the other's, in the lowest 36 bits of uint64s; square 6 * row +
# column. A pass is a ply with one move, `PASS`. A path ends where neither side can move or as many plies as the state
# has room for are played. A leaf is worth MAX's discs less MIN's; MAX is who moves at the root.

PASS = 36
BRANCHING = 36

Othello = named_tuple("Othello", "boards ply order")
"""``boards``: uint64, of each ply played the mover's squares and the other's; ``ply``: one
int64; ``order``: the squares in the order in which they are tried."""
OTHELLO_STATE = Tuple([Array(uint64, 2), INTEGERS, INTEGERS], Othello)

_NO_FIRST = np.uint64(sum(1 << i for i in range(36) if i % 6 != 0))
_NO_LAST = np.uint64(sum(1 << i for i in range(36) if i % 6 != 5))
_ALL = np.uint64((1 << 36) - 1)
_NONE = np.uint64(0)
_ONE = np.uint64(1)
_PAIRS = np.uint64(0x5555555555555555)
_FOURS = np.uint64(0x3333333333333333)
_EIGHTS = np.uint64(0x0F0F0F0F0F0F0F0F)
_COUNT = np.uint64(0x7F)
_SHIFTS = np.array([1, 7, 6, 5], dtype=np.uint64)
_UP = np.array([_NO_FIRST, _NO_FIRST, _ALL, _NO_LAST], dtype=np.uint64)
_DOWN = np.array([_NO_LAST, _NO_LAST, _ALL, _NO_FIRST], dtype=np.uint64)
"""Of the four lines: how far a step is, and which squares a step up or down can reach."""


@export(uint64, mine=uint64, yours=uint64)
def legal_othello_squares(mine, yours):
    """The squares on which the owner of ``mine`` may play."""
    empty = ~(mine | yours) & _ALL
    found = _NONE
    for k in range(4):
        shift = _SHIFTS[k]
        run = (mine << shift) & _UP[k] & yours
        back = (mine >> shift) & _DOWN[k] & yours
        for _ in range(3):
            run |= (run << shift) & _UP[k] & yours
            back |= (back >> shift) & _DOWN[k] & yours
        found |= (run << shift) & _UP[k] | (back >> shift) & _DOWN[k]
    return found & empty


@export(uint64, mine=uint64, yours=uint64)
def flipped_discs(mine, yours, square):
    """The other's discs that a move of the owner of ``mine`` turns over."""
    disc = _ONE << np.uint64(square)
    total = _NONE
    for k in range(4):
        shift = _SHIFTS[k]
        line = _NONE
        at = (disc << shift) & _UP[k]
        while at & yours:
            line |= at
            at = (at << shift) & _UP[k]
        if at & mine:
            total |= line
        line = _NONE
        at = (disc >> shift) & _DOWN[k]
        while at & yours:
            line |= at
            at = (at >> shift) & _DOWN[k]
        if at & mine:
            total |= line
    return total


@jit
def count_discs(board):
    """How many squares are in a set: sums of two, four, eight bits side by side, and so on."""
    pairs = board - ((board >> np.uint64(1)) & _PAIRS)
    fours = (pairs & _FOURS) + ((pairs >> np.uint64(2)) & _FOURS)
    eights = (fours + (fours >> np.uint64(4))) & _EIGHTS
    halves = eights + (eights >> np.uint64(8))
    halves += halves >> np.uint64(16)
    return np.int64((halves + (halves >> np.uint64(32))) & _COUNT)


@jit
def list_moves(state, out):
    """The squares in the state's order; a pass where the mover has none but the other has."""
    ply = state.ply[0]
    if ply + 1 == len(state.boards):
        return 0
    mine, yours = state.boards[ply, 0], state.boards[ply, 1]
    squares = legal_othello_squares(mine, yours)
    if not squares:
        if not legal_othello_squares(yours, mine):
            return 0
        out[0] = PASS
        return 1
    n = 0
    for square in state.order:
        disc = _ONE << np.uint64(square)
        if squares & disc:
            out[n] = square
            n += 1
            squares ^= disc
            if not squares:
                break
    return n


@jit
def leaf_value(state):
    """MAX's discs less MIN's."""
    ply = state.ply[0]
    difference = count_discs(state.boards[ply, 0]) - count_discs(state.boards[ply, 1])
    return difference if ply % 2 == 0 else -difference


@jit
def play_move(state, move):
    """Play a square or pass."""
    ply = state.ply[0]
    mine, yours = state.boards[ply, 0], state.boards[ply, 1]
    if move != PASS:
        turned = flipped_discs(mine, yours, move)
        mine |= turned | (_ONE << np.uint64(move))
        yours &= ~turned
    state.boards[ply + 1, 0] = yours
    state.boards[ply + 1, 1] = mine
    state.ply[0] = ply + 1


@jit
def retract_move(state):
    """Take the last move back."""
    state.ply[0] -= 1


@jit
def is_max_to_move(state):
    """Whether MAX is to move."""
    return state.ply[0] % 2 == 0


OTHELLO = Game("othello", list_moves, leaf_value, play_move, retract_move, is_max_to_move, state=OTHELLO_STATE)
KERNELS = make_rsearch(OTHELLO)


# --- alpha-beta on Othello without RSEARCH ---------------------------------------------------------

LEVEL = record(
    [
        ("alpha", np.int32),
        ("beta", np.int32),
        ("best", np.int32),  # the greatest value of a child so far at a MAX node, the least at a MIN node
        ("count", np.int32),  # its moves
        ("next", np.int32),  # the one to be played next
    ]
)
RECORD = record([("level", np.int32), ("value", np.int32), ("leaves", np.int64), ("visited", np.int64)])
INFINITE_VALUE = 1000


@export(void, packed=struct(RECORD), levels=structs(LEVEL))
def begin_alpha_beta(packed, levels):
    """Start at the state's present position."""
    packed.level = 0
    packed.leaves = 0
    packed.visited = 0
    levels[0].alpha = -INFINITE_VALUE
    levels[0].beta = INFINITE_VALUE
    levels[0].count = -1


@export(boolean, packed=struct(RECORD), levels=structs(LEVEL), rows=Array(int64, 2), state=OTHELLO_STATE)
def continue_alpha_beta(packed, levels, rows, state, nodes):
    """Go on for so many nodes; True when it is finished. ``rows``: space for the moves of each level."""
    limit = packed.visited + nodes
    while packed.level >= 0:
        if packed.visited >= limit:
            return False
        level = levels[packed.level]
        if level.count < 0:
            packed.visited += 1
            level.count = list_moves(state, rows[packed.level])
            level.next = 0
            level.best = -INFINITE_VALUE if is_max_to_move(state) else INFINITE_VALUE
            if level.count == 0:
                packed.leaves += 1
                level.best = leaf_value(state)
        if level.next == level.count or level.alpha >= level.beta:
            leave_node(packed, levels, state)
        else:
            enter_child(packed, levels, rows, state)
    return True


@jit
def enter_child(packed, levels, rows, state):
    """Play the next move of the present node."""
    level = levels[packed.level]
    play_move(state, rows[packed.level, level.next])
    level.next += 1
    packed.level += 1
    below = levels[packed.level]
    below.alpha = level.alpha
    below.beta = level.beta
    below.count = -1


@jit
def leave_node(packed, levels, state):
    """The present node is done: its parent takes in what it is worth."""
    worth = levels[packed.level].best
    packed.level -= 1
    if packed.level < 0:
        packed.value = worth
        return
    retract_move(state)
    level = levels[packed.level]
    if is_max_to_move(state):
        level.best = max(level.best, worth)
        level.alpha = max(level.alpha, worth)
    else:
        level.best = min(level.best, worth)
        level.beta = min(level.beta, worth)


# ---------------------------------------------------------------------------------------------------
#
# Othello for experiments 2 and 3 of Katoh1988, in which the first call has a cond of its own.
#
# `solver.engines.rsearch` has one cond for all calls. It asks the game for the moves of a node
# just before it looks at the cond, and there this game puts the cond of the present call in
# force: what the caller gave for the first call, only a depth for those below it.

Switching = named_tuple("Switching", "boards ply order search conds")
"""An `othello.Othello`, the packed position, ``conds``: c and c1 of the first call, c of others."""
SWITCHING_STATE = Tuple([*OTHELLO_STATE.members, struct(SEARCH), INTEGERS], Switching)


@jit
def moves_for_switching(state, out):
    """As `list_moves`; puts the cond of the present call in force."""
    first = state.search.calls == 1
    state.search.depth = state.conds[0] if first else state.conds[2]
    state.search.room = state.conds[1] if first else INFINITE
    return list_moves(state, out)


SWITCHING = Game(
    "switching_othello", moves_for_switching, leaf_value, play_move, retract_move, is_max_to_move, state=SWITCHING_STATE
)
SWITCHING_KERNELS = make_rsearch(SWITCHING)
