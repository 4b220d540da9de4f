# SPDX-License-Identifier: GPL-3.0-or-later
"""The mate tree as a minimax game: the value of a node is the length of the mate.

Lengths are plies from the root. The attacker wants a short mate, the defender a long one or none (`BEYOND`, `NEVER`).
The drops on a cell between checker and king that might be futile have together the value

    min( the longest of the mates after the drops there,
         the shortest of the mates after the checker's slides to the cell )

because that is the least n for which each drop is met within n plies or futile under n (docs/rules.md). So they are a
node where the attacker chooses: meet the drops, or slide. A slide costs no ply.

`list_moves`, `leaf_value`, `play_move`, `retract_move` and `is_max_to_move` are the game; `value_bounds` looks ahead.
"""

from __future__ import annotations

import numpy as np

from solver.engines.dfpn.kernel.arena import DISPROVEN, PROVEN
from solver.engines.dfpn.kernel.frontier import try_mate_in_one, try_mate_in_three, try_mated_in_two
from solver.engines.dfpn.kernel.table import FOREVER
from solver.engines.kernel.mate import COUNT_ALL, drop_checks_attacker, futile_drop_captures, is_mated
from solver.engines.rsearch.kernel.framework import Game, make_rsearch
from tsume_rules.kernel.attacks import blocking_cells, find_checkers
from tsume_rules.kernel.compile import (
    INTEGERS,
    PAIR,
    Tuple,
    boolean,
    export,
    jit,
    named_tuple,
    record,
    struct,
    structs,
    void,
)
from tsume_rules.kernel.move_generation import board_evasions, checks, drops_on, sort_moves_by_rank
from tsume_rules.kernel.state import do, dropped, packed_hand, undo
from tsume_rules.kernel.tables import ATT, DEF, PAWN, POSITION_TYPE

# --- the state of the mate tree: a position, the moves that led to it, scratch space ---------------

BEYOND = 16000
"""The value of a node without a mate within the plies left; there may be a longer one."""
NEVER = 32000
"""The value of a node without a mate at any length: the attacker runs out of checks."""

ATTACK, DEFENCE, BLOCK, DROPS = 0, 1, 2, 3
"""Kinds of nodes: the attacker to move; the defender to move; the drops on one cell that may be
futile, which the attacker meets or shows to be futile; these drops when he meets them."""
TAKE = 1 << 20
"""Marks a slide, the checking piece's move to a cell: the defender is to move again."""
BLOCKS = 1 << 21
"""Marks a cell with drops of the defender's that may be futile."""
MEET = 1 << 22
"""Marks the attacker's choice to meet the drops on a cell."""

MATING = record(
    [
        ("nodes", np.int64),  # positions searched
        ("n", np.int32),  # plies the question is about
        ("mode", np.int32),  # which interpositions are futile
        ("height", np.int32),  # moves played
        ("barred", np.int32),  # number of positions to which the attacker may not return
        ("depth", np.int32),  # from here on for `solver.engines.dfpn.kernel.frontier`; 0: it sorts checks
        ("leaves", np.int32),
        ("checks", np.int32),
        ("liberties", np.int32),
        ("pn", np.int64),
        ("dn", np.int64),
        ("length", np.int64),
        ("hand", np.int64),
        ("taint", np.int64),
    ]
)
STEP_MADE = record(
    [
        ("kind", np.int8),  # the kind of node the move leads to
        ("captured", np.int8),
        ("n", np.int16),  # plies left there
        ("cell", np.int16),  # of BLOCK and DROPS
        ("move", np.int32),  # with its mark
    ]
)
BARRED = record([("key", np.uint64), ("hand", np.int64)])
SCRATCH = 1 << 13

Mating = named_tuple("Mating", "pos search steps barred buf")
"""A node of the mate tree: the position, the search state, the moves played, barred positions, scratch space."""
MATING_STATE = Tuple([POSITION_TYPE, struct(MATING), structs(STEP_MADE), structs(BARRED), INTEGERS], Mating)
"""The type of a `Mating`."""


# --- the moves of a node of the mate tree, in the order in which they are searched -----------------


@jit
def ordered_checks(state, out):
    """Write all legal checks, those that leave the fewest answers first; returns the end."""
    pos = state.pos
    end = checks(pos, out, 0)
    for i in range(end):
        captured = do(pos, out[i], ATT)
        # All drops on a cell are counted as one answer.
        count, checker = find_checkers(pos, DEF)
        out[end + i] = board_evasions(pos, count, checker, state.buf, 0)
        out[end + i] += blocking_cells(pos, count, checker)[0]
        undo(pos, out[i], ATT, captured)
    sort_moves_by_rank(out, 0, end)
    return end


@jit
def ordered_defences(state, out):
    """Write the answers on the board, then for each cell its drops or, if they may be futile, the cell."""
    pos = state.pos
    count, checker = find_checkers(pos, DEF)
    end = board_evasions(pos, count, checker, out, 0)
    cells, step = blocking_cells(pos, count, checker)
    for i in range(1, cells + 1):
        cell = pos.king[DEF] + i * step
        first = end
        end = drops_on(pos, cell, out, first)
        if end == first or state.search.mode == COUNT_ALL:
            continue
        if futile_drop_captures(pos, cell, checker, state.search.mode, state.buf, 0) > 0:
            end = _keep_drops(state, True, out, first, end)
            if drops_without_check(state, cell, state.buf, 0) > 0:
                out[end] = cell | BLOCKS
                end += 1
    return end


@jit
def drops_without_check(state, cell, out, first):
    """Write the drops on a cell that do not check the attacker's king; returns the end."""
    return _keep_drops(state, False, out, first, drops_on(state.pos, cell, out, first))


@jit
def _keep_drops(state, check, out, first, end):
    """Keep of out[first:end] the drops that check the attacker's king if ``check``, else the others."""
    kept = first
    for i in range(first, end):
        if drop_checks_attacker(state.pos, out[i]) == check:
            out[kept] = out[i]
            kept += 1
    return kept


# --- the mate tree as a minimax game ---------------------------------------------------------------

_MOVE = TAKE - 1


@export(void, state=MATING_STATE)
def set_mating_root(state, attacker, n):
    """Make the state's position the root of a question about n plies."""
    state.search.n = n
    state.search.height = 0
    root = state.steps[0]
    root.kind = ATTACK if attacker else DEFENCE
    root.n = n
    root.cell = 0
    root.move = 0


@export(boolean, state=MATING_STATE)
def is_max_to_move(state):
    """Return whether the defender is to choose."""
    kind = state.steps[state.search.height].kind
    return kind in (DEFENCE, DROPS)


@export(void, state=MATING_STATE)
def play_move(state, move):
    """Go down to a child."""
    search = state.search
    here = state.steps[search.height]
    search.height += 1
    there = state.steps[search.height]
    there.move = move
    there.n = here.n
    there.cell = move & 127
    there.captured = 0
    if move & BLOCKS:
        there.kind = BLOCK
    elif move & MEET:
        there.kind = DROPS
    elif move & TAKE:
        there.kind = DEFENCE
        do(state.pos, move & _MOVE, ATT)
    else:
        there.n = here.n - 1
        there.kind = DEFENCE if here.kind == ATTACK else ATTACK
        there.captured = do(state.pos, move, ATT if here.kind == ATTACK else DEF)


@export(void, state=MATING_STATE)
def retract_move(state):
    """Go up to the parent."""
    search = state.search
    there = state.steps[search.height]
    search.height -= 1
    move = int(there.move)
    if not move & (BLOCKS | MEET):
        side = DEF if there.kind == ATTACK else ATT
        undo(state.pos, move & _MOVE, side, int(there.captured))


@export(state=MATING_STATE, out=INTEGERS)
def list_moves(state, out):
    """Write the moves to ``out``, the most promising first; returns their number, 0 at a leaf."""
    here = state.steps[state.search.height]
    state.search.nodes += 1
    if here.kind == ATTACK:
        return ordered_checks(state, out) if here.n > 1 and not _is_barred(state) else 0
    if here.kind == DEFENCE:
        return ordered_defences(state, out) if here.n > 0 else 0
    cell = int(here.cell)
    if here.kind == BLOCK:
        _, checker = find_checkers(state.pos, DEF)
        out[0] = cell | MEET
        end = futile_drop_captures(state.pos, cell, checker, state.search.mode, out, 1)
        for i in range(1, end):
            out[i] |= TAKE
        return end
    return drops_without_check(state, cell, out, 0)


@export(state=MATING_STATE)
def leaf_value(state):
    """Return the value of a leaf: a node without moves."""
    search, pos = state.search, state.pos
    here = state.steps[search.height]
    if here.kind == ATTACK:
        if here.n > 1 or _is_barred(state):
            return NEVER
        if try_mate_in_one(state, 0) == PROVEN:
            return search.n
        return NEVER if search.length == FOREVER else BEYOND
    if here.n > 0 or is_mated(pos, search.mode, state.buf, 0):
        return NEVER if _is_pawn_drop(here) else search.n - here.n
    return BEYOND


@jit
def _is_pawn_drop(here):
    """Return whether a pawn was just dropped: it must not mate."""
    return dropped(int(here.move) & _MOVE) == PAWN and not here.move & TAKE


@export(PAIR, state=MATING_STATE)
def value_bounds(state):
    """Return a lower and an upper bound of the node's value; equal if a search of three plies decides it."""
    search = state.search
    here = state.steps[search.height]
    gone = search.n - here.n
    if here.kind == ATTACK:
        return _attack_bounds(state, here.n, gone)
    if here.kind == DEFENCE and here.n == 0:
        decided = leaf_value(state)
        return decided, decided
    if here.kind == DEFENCE and here.n == 2 and not search.barred:
        found = try_mated_in_two(state, 0, 0)
        if found == PROVEN:
            decided = NEVER if search.length == 0 and _is_pawn_drop(here) else gone + search.length
            return decided, decided
        if found == DISPROVEN:
            decided = NEVER if search.length == FOREVER else BEYOND
            return decided, decided
    return gone, NEVER


@jit
def _attack_bounds(state, n, gone):
    search = state.search
    if search.barred and _is_barred(state):
        return NEVER, NEVER
    if try_mate_in_one(state, 0) == PROVEN:
        return gone + 1, gone + 1
    if search.length == FOREVER:
        return NEVER, NEVER
    if n == 1:
        return BEYOND, BEYOND
    if n == 3 and not search.barred:
        found = try_mate_in_three(state, 0)
        if found == PROVEN:
            return gone + search.length, gone + search.length
        if found == DISPROVEN:
            decided = NEVER if search.length == FOREVER else BEYOND
            return decided, decided
    return gone + 3, NEVER


@jit
def _is_barred(state):
    if state.search.barred == 0:
        return False
    hand = packed_hand(state.pos)
    for i in range(state.search.barred):
        if state.barred[i].key == state.pos.key and state.barred[i].hand == hand:
            return True
    return False


KERNELS = make_rsearch(
    Game("mating", list_moves, leaf_value, play_move, retract_move, is_max_to_move, value_bounds, MATING_STATE)
)
"""RSEARCH of the mate tree. The defender is MAX; searched from below (``dual``), the list holds
all checks of the attacker at once and the defender's answers one at a time."""
