# SPDX-License-Identifier: GPL-3.0-or-later
"""A(p, n) and D(q, n) of the rules by depth-first search, with frames instead of recursion.

Under a bound no position repeats, with one exception: by the wide reading a row of
takes may return to where it began. Then nothing has been shown to be futile; a failure
found that way holds for this row only and is not stored.
"""

from solver.engines.iterative.kernel.arena import FOREVER, MATE, NO_CIRCLE, NO_MATE, NOT_YET
from solver.engines.iterative.kernel.moves import (
    TAKE,
    move_of_entry,
    next_entry_of_other_cell,
    ordered_checks,
    ordered_defences,
)
from solver.engines.iterative.kernel.table import find_table_entry, store_answer
from tsume_rules.kernel.compile import jit
from tsume_rules.kernel.play import do, undo
from tsume_rules.kernel.state import packed_hand
from tsume_rules.kernel.tables import ATT, DEF

FINISHED, RUNNING, OUT_OF_ROOM = 0, 1, 2
_MARGIN = 2600
"""Scratch space that generating and ordering the moves of one node may need."""


@jit
def begin_search(arena, attacker, n):
    """Start the query A(p, n) or D(q, n); `continue_search` until FINISHED, then read ``state.answer``."""
    arena.state.depth = 0
    arena.state.answer = NOT_YET
    _enter_node(arena, attacker, n)


@jit
def begin_search_of_answers(arena, n, entries):
    """Start the question D(q, n) with only some answers: entries of `moves.ordered_defences`, whole cells."""
    arena.state.depth = 0
    arena.state.answer = NOT_YET
    _push_frame(arena, False, n)
    frame = arena.frames[0]
    for i in range(len(entries)):
        arena.scratch[i] = entries[i]
    frame.end = len(entries)
    frame.n = -n - 1  # negative: not the whole node, so its answer is not stored


@jit
def continue_search(arena, nodes):
    """Continue the search for ``nodes`` nodes. Returns FINISHED, RUNNING or OUT_OF_ROOM."""
    limit = arena.state.nodes + nodes
    while arena.state.depth > 0:
        if arena.state.answer != NOT_YET:
            _retract_move(arena)
        elif arena.state.nodes >= limit:
            return RUNNING
        elif not _try_next_move(arena):
            return OUT_OF_ROOM
    return FINISHED


@jit
def abandon_search(arena):
    """Give the question up: undo all moves."""
    while arena.state.depth > 0:
        frame = arena.frames[arena.state.depth - 1]
        if frame.played:
            _undo_frame_move(arena, frame)
        arena.state.depth -= 1


@jit
def _undo_frame_move(arena, frame):
    side = ATT if frame.attacker or frame.played & TAKE else DEF
    undo(arena.pos, move_of_entry(frame.played), side, frame.captured)
    frame.played = 0


@jit
def _enter_node(arena, attacker, n):
    """Answer a node at once, or push a frame for it."""
    arena.state.nodes += 1
    arena.state.cut = 0
    arena.state.circle = NO_CIRCLE
    if attacker and arena.state.barred and _is_barred(arena):
        arena.state.answer = NO_MATE
        return
    i = find_table_entry(arena, attacker)
    if i >= 0 and arena.table[i].mate <= n:
        arena.state.answer = MATE
    elif i >= 0 and arena.table[i].fail >= n:
        arena.state.answer = NO_MATE
        arena.state.cut = arena.table[i].fail < FOREVER
    elif not attacker and _repeats_position(arena):
        arena.state.answer = NO_MATE
    else:
        _push_frame(arena, attacker, n)
        _generate_moves(arena, n, arena.table[i].move if i >= 0 else 0)


@jit
def _is_barred(arena):
    hand = packed_hand(arena.pos)
    for i in range(arena.state.barred):
        if arena.barred[i].key == arena.pos.key and arena.barred[i].hand == hand:
            return True
    return False


@jit
def _repeats_position(arena):
    """Whether the position occurred before in the row of takes that led to it (defender to move)."""
    for i in range(arena.state.depth - 1, -1, -1):
        frame = arena.frames[i]
        if frame.attacker or not frame.played & TAKE:
            return False
        if frame.key == arena.pos.key:
            arena.state.circle = i
            return True
    return False


@jit
def _push_frame(arena, attacker, n):
    depth = arena.state.depth
    first = arena.frames[depth - 1].end if depth else 0
    frame = arena.frames[depth]
    frame.attacker = attacker
    frame.n = n
    frame.first = first
    frame.next = first
    frame.end = first
    frame.played = 0
    frame.cut = 0
    frame.circle = NO_CIRCLE
    frame.started = arena.state.nodes
    frame.key = arena.pos.key
    arena.state.depth = depth + 1


@jit
def _generate_moves(arena, n, best):
    frame = arena.frames[arena.state.depth - 1]
    if frame.attacker:
        frame.end = ordered_checks(arena.pos, n, best, arena.scratch, frame.first)
    else:
        frame.end = ordered_defences(arena.pos, n, arena.state.mode, best, arena.scratch, frame.first)


@jit
def _try_next_move(arena):
    """Try the next move of the last frame; false if the stack or the scratch space is full."""
    frame = arena.frames[arena.state.depth - 1]
    if frame.next == frame.end:
        _leave_node(arena, not frame.attacker, 0)
        return True
    if arena.state.depth == len(arena.frames) or frame.end + _MARGIN > len(arena.scratch):
        return False
    entry = arena.scratch[frame.next]
    n = frame.n if frame.n >= 0 else -frame.n - 1
    if frame.attacker:
        _play_move(arena, frame, entry, ATT)
        _enter_node(arena, False, n - 1)
    elif entry & TAKE:
        _play_move(arena, frame, entry, ATT)
        _enter_node(arena, False, n)
    elif n == 0:
        frame.cut = 1
        _leave_node(arena, False, entry)
    else:
        _play_move(arena, frame, entry, DEF)
        _enter_node(arena, True, n - 1)
    return True


@jit
def _play_move(arena, frame, entry, side):
    frame.played = entry
    frame.next += 1
    frame.captured = do(arena.pos, move_of_entry(entry), side)


@jit
def _retract_move(arena):
    """Undo the last frame's move, which has been answered, and draw the conclusion."""
    frame = arena.frames[arena.state.depth - 1]
    entry = frame.played
    mates = arena.state.answer == MATE
    if not mates:
        frame.cut |= arena.state.cut
        frame.circle = min(frame.circle, arena.state.circle)
    _undo_frame_move(arena, frame)
    arena.state.answer = NOT_YET
    if frame.attacker:
        if mates:
            _leave_node(arena, True, entry)
    elif entry & TAKE:
        if mates:
            frame.next = next_entry_of_other_cell(arena.scratch, frame.next, frame.end, entry)
    elif not mates:
        _leave_node(arena, False, entry)


@jit
def _leave_node(arena, mates, move):
    """Answer the last frame's node, store it and pop the frame."""
    arena.state.depth -= 1
    frame = arena.frames[arena.state.depth]
    arena.state.answer = MATE if mates else NO_MATE
    arena.state.cut = frame.cut
    arena.state.circle = frame.circle if frame.circle < arena.state.depth else NO_CIRCLE
    if frame.n >= 0 and (mates or arena.state.circle == NO_CIRCLE):
        store_answer(
            arena,
            frame.attacker == 1,
            frame.n,
            mates,
            frame.cut == 1,
            move,
            arena.state.nodes - frame.started,
        )
