# SPDX-License-Identifier: GPL-3.0-or-later
"""The size of a minimal exact proof tree in one call, and the work to refute wrong checks.

The same as `solver.scoring` does step by step, in the same order of questions.
"""

import numpy as np

from solver.engines.dfpn.kernel.arena import ARENA
from solver.engines.dfpn.kernel.main_tree import MIN_KEY, sort_moves
from solver.engines.dfpn.kernel.sound import (
    LEVEL,
    LEVELS,
    NO,
    UNANSWERED,
    YES,
    ask_mates_after,
    ask_mates_within,
    first_to_mate,
    is_futile,
)
from solver.engines.dfpn.kernel.table import FOREVER, LAST_STAMP
from solver.engines.kernel.mate import may_be_futile
from tsume_rules.kernel.compile import INTEGERS, jit_inline, unit
from tsume_rules.kernel.move_generation import checks, evasions
from tsume_rules.kernel.state import do, packed_hand, target_of, undo
from tsume_rules.kernel.tables import ATT, DEF

FULL = -3
"""An array is full, or a number became too large."""
SUBTREE = 8
"""Integers for a subtree that is remembered: its plies (0: an empty place), board, hand, and its sums."""
SUMS = 5
"""The numbers of `solver.scoring.difficulty.TreeSize`."""
_LARGEST = 1 << 60
_PLIES, _BOARD, _HAND, _FIRST = 0, 1, 2, 3

_N, _KEY, _CAPTURED, _COUNT, _NEXT, _ANSWER, _TAKEN, _TOTAL = 0, 1, 2, 3, 4, 5, 6, 7
_LIST = 16
"""Places of a level of the stack: a turn's fields and sums, then the answers to its check."""
_MAX_ANSWERS = LEVEL - _LIST


@unit(a=ARENA, memo=INTEGERS, stack=INTEGERS, sums=INTEGERS)
def proof_tree(a, n, memo, stack, sums, end):
    """Add up the proof tree of a position that mates in exactly n plies.

    Returns YES and writes its `SUMS`; UNANSWERED if the node count reaches ``end``; or `FULL`. ``memo`` has room for
    some power of two of `SUBTREE` integers, all 0 at first; to be kept for another call with more nodes.
    """
    pos = a.pos
    base = 0
    code = _enter(a, n, stack, base, end)
    if code != YES:
        return code
    while True:
        if stack[base + _NEXT] < stack[base + _COUNT]:
            answer = stack[base + _LIST + stack[base + _NEXT]]
            stack[base + _NEXT] += 1
            stack[base + _ANSWER] = answer
            stack[base + _TAKEN] = do(pos, answer, DEF)
            length = _exact(a, stack[base + _N] - 2, end)
            place = _place(pos, length, memo) if length > 0 else 0
            if length < 0:
                code = UNANSWERED
            elif place < 0 or base + 2 * LEVEL > LEVEL * LEVELS:
                code = FULL
            elif memo[place + _PLIES]:
                code = _add(stack, base + _TOTAL, memo, place + _FIRST)
                undo(pos, answer, DEF, stack[base + _TAKEN])
                if code == YES:
                    continue
                undo(pos, stack[base + _KEY], ATT, stack[base + _CAPTURED])
                _leave(a, stack, base)
                return code
            else:
                code = _enter(a, length, stack, base + LEVEL, end)
                if code == YES:
                    base += LEVEL
                    continue
            undo(pos, answer, DEF, stack[base + _TAKEN])
            undo(pos, stack[base + _KEY], ATT, stack[base + _CAPTURED])
            _leave(a, stack, base)
            return code
        undo(pos, stack[base + _KEY], ATT, stack[base + _CAPTURED])
        if base == 0:
            for i in range(SUMS):
                sums[i] = stack[_TOTAL + i]
            return YES
        place = _place(pos, stack[base + _N], memo)
        if place >= 0:
            memo[place + _PLIES] = stack[base + _N]
            memo[place + _BOARD] = np.int64(pos.key)
            memo[place + _HAND] = packed_hand(pos)
            for i in range(SUMS):
                memo[place + _FIRST + i] = stack[base + _TOTAL + i]
        base -= LEVEL
        code = _add(stack, base + _TOTAL, stack, base + LEVEL + _TOTAL) if place >= 0 else FULL
        undo(pos, stack[base + _ANSWER], DEF, stack[base + _TAKEN])
        if code != YES:
            undo(pos, stack[base + _KEY], ATT, stack[base + _CAPTURED])
            _leave(a, stack, base)
            return code


@jit_inline
def _leave(a, stack, base):
    """Undo the moves of all levels below one."""
    while base > 0:
        base -= LEVEL
        undo(a.pos, stack[base + _ANSWER], DEF, stack[base + _TAKEN])
        undo(a.pos, stack[base + _KEY], ATT, stack[base + _CAPTURED])


@jit_inline
def _enter(a, n, stack, base, end):
    """Play the first check that mates in time and list the answers that count; if not YES, play nothing."""
    pos = a.pos
    free = base + _LIST
    stop = checks(pos, stack, free)
    sort_moves(stack, free, stop, MIN_KEY)
    key = first_to_mate(a, n, False, stack, free, stop, end)
    if key <= 0:
        return UNANSWERED if key < 0 else FULL  # the table has lost what was asked: left to the engine
    stack[base + _N] = n
    stack[base + _KEY] = key
    stack[base + _CAPTURED] = do(pos, key, ATT)
    stack[base + _NEXT] = 0
    number = _answers(a, n - 1, stack, free, end)
    if number < 0 or number > _MAX_ANSWERS:
        undo(pos, key, ATT, stack[base + _CAPTURED])
        return UNANSWERED if number < 0 else FULL
    stack[base + _COUNT] = number
    stack[base + _TOTAL] = 1
    stack[base + _TOTAL + 1] = stop - free
    stack[base + _TOTAL + 2] = 1
    stack[base + _TOTAL + 3] = number > 0
    stack[base + _TOTAL + 4] = number
    return YES


@jit_inline
def _answers(a, n, out, first, end):
    """List the answers that count: one for all drops on a cell that may be futile, none for futile ones.
    Returns their number; -1 if the node count reached ``end``."""
    pos = a.pos
    stop = evasions(pos, out, first)
    asked = 0  # the cell whose drops were last asked about
    kept = first
    for i in range(first, stop):
        move = out[i]
        if may_be_futile(pos, move):
            if target_of(move) == asked:
                continue  # futile, or counted with the first drop there
            asked = target_of(move)
            answer = is_futile(a, asked, n, out, stop, end)
            if answer == UNANSWERED:
                return -1
            if answer == YES:
                continue
        out[kept] = move
        kept += 1
    return kept - first


@jit_inline
def _exact(a, at_most, end):
    """Return in how many plies the attacker, to move, mates; -1 if the node count reached ``end``."""
    n = np.int64(1)  # not a constant: Numba would compile the search again for it
    while n < at_most:
        answer = ask_mates_within(a, n, n > 0, end)
        if answer != NO:
            return n if answer == YES else -1
        n += 2
    return at_most


@jit_inline
def _place(pos, n, memo):
    """Where a subtree is remembered, or may be; -1 if there is no room."""
    size = len(memo) // SUBTREE
    board = np.int64(pos.key)
    hand = packed_hand(pos)
    start = (board ^ (board >> 32) ^ (hand * 40503) ^ (n * 2654435761)) & (size - 1)
    for i in range(64):
        place = ((start + i) & (size - 1)) * SUBTREE
        if memo[place + _PLIES] == 0:
            return place
        if memo[place + _PLIES] == n and memo[place + _BOARD] == board and memo[place + _HAND] == hand:
            return place
    return -1


@jit_inline
def _add(sums, first, others, from_):
    """Add some sums to others; FULL if they become too large."""
    for i in range(SUMS):
        sums[first + i] += others[from_ + i]
        if sums[first + i] > _LARGEST:
            return FULL
    return YES


@unit(a=ARENA, moves=INTEGERS, depths=INTEGERS, works=INTEGERS)
def refutation_work(a, moves, depths, works, first, length, nodes, end):
    """Refute the listed checks, from ``moves[first]`` on, each from an empty table with ``nodes`` nodes.

    ``depths`` gets the least bound (plies) that refutes a check for good, or ``length``; ``works`` the nodes.
    Returns the index of the first check not asked: the node count has reached ``end``, or the table has no
    new stamps; ``len(moves)`` if all are done.
    """
    search = a.search
    for i in range(first, len(moves)):
        if search.nodes >= end or search.stamp == LAST_STAMP:
            return i
        search.stamp += 1
        search.peak = 0
        before = search.nodes
        limit = before + nodes
        depths[i] = length
        n = np.int64(1)
        while n <= length and search.nodes < limit:
            if ask_mates_after(a, moves[i], n, limit) == NO and search.length >= FOREVER:
                depths[i] = n
                break
            n += 2
        works[i] = search.nodes - before
    return len(moves)
