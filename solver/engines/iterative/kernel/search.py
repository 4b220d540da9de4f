# SPDX-License-Identifier: GPL-3.0-or-later
"""A(p, n) and D(q, n) of the rules by depth-first search, with frames instead of recursion; the king's freedom.

Under a bound no position repeats, with one exception: by the wide reading a row of
takes may return to where it began. Then nothing has been shown to be futile; a failure
found that way holds for this row only and is not stored.
"""

from __future__ import annotations

import numpy as np

from tsume_rules.kernel.attacks import blocking_cells, find_checkers, in_check
from tsume_rules.kernel.compile import (
    INTEGERS,
    Tuple,
    export,
    jit,
    jit_inline,
    named_tuple,
    record,
    struct,
    structs,
    void,
)
from tsume_rules.kernel.move_generation import board_evasions, bring_move_forward, checks, drops_on, sort_moves_by_rank
from tsume_rules.kernel.state import can_promote, do, dropped, is_dead, make_move, packed_hand, target_of, undo
from tsume_rules.kernel.tables import ATT, DEF, OURS, POSITION_TYPE, REACH, SLIDES, STEP

# --- the data of a depth-first search: its frames, its table, its state ----------------------------

NARROW, COUNT_ALL, WIDE = 0, 1, 2
"""Which interpositions are futile; see `solver.results.Interposition`."""
FOREVER = 32000
"""The length of a failure that holds at any length."""
NO_CIRCLE = 1 << 30
NOT_YET, MATE, NO_MATE = 0, 1, -1
"""The answer to a node."""

FRAME = record(
    [
        ("attacker", np.int8),  # whether he is to move
        ("n", np.int16),  # plies left
        ("first", np.int32),  # the start of its moves in the scratch space
        ("next", np.int32),  # the next one to try
        ("end", np.int32),
        ("played", np.int32),  # the move being searched, with its marks
        ("captured", np.int8),
        ("cut", np.int8),  # whether a failure below it rests on the bound
        ("circle", np.int32),  # the lowest frame whose repetition a failure below rests on
        ("started", np.int64),  # the node count when it was entered
        ("key", np.uint64),
    ]
)
ENTRY = record(
    [
        ("key", np.uint64),
        ("hand", np.int64),  # the attacker's, packed, with marks (`table`)
        ("mate", np.int16),  # the fewest plies known to suffice for mate
        ("fail", np.int16),  # the most plies known not to suffice
        ("move", np.int32),  # the move that last decided it
        ("work", np.int32),  # the nodes that this needed
        ("stamp", np.int32),
    ]
)
BARRED = record([("key", np.uint64), ("hand", np.int64)])
STATE = record(
    [
        ("nodes", np.int64),
        ("depth", np.int32),  # frames in use
        ("answer", np.int8),  # of the node just left
        ("cut", np.int8),  # whether its failure rests on the bound
        ("circle", np.int32),
        ("mode", np.int8),
        ("barred", np.int32),
        ("stamp", np.int32),
    ]
)

Arena = named_tuple("Arena", "pos table state frames barred scratch")
ARENA = Tuple([POSITION_TYPE, structs(ENTRY), struct(STATE), structs(FRAME), structs(BARRED), INTEGERS], Arena)


# --- the table: for each position and hand, the plies known to suffice for mate and not to suffice ---

BUCKET = 4
_DEFENDER = 1 << 40
_READING = 41


@jit
def _table_hand_key(arena, attacker):
    """Return the attacker's packed hand, marked with the side to move and the reading."""
    return packed_hand(arena.pos) | (0 if attacker else _DEFENDER) | int(arena.state.mode) << _READING


@jit
def _table_bucket(arena, hand):
    mixed = (hand * 0x9E3779B97F4A7C1) ^ (hand >> 17)
    place = (int(arena.pos.slot >> np.uint64(20)) ^ mixed) & 0x7FFFFFFFFFFFFFFF
    return place % (len(arena.table) // BUCKET) * BUCKET


@export(arena=ARENA)
def find_table_entry(arena, attacker):
    """Return the index of the position's entry; -1 if there is none."""
    hand = _table_hand_key(arena, attacker)
    place = _table_bucket(arena, hand)
    for i in range(place, place + BUCKET):
        entry = arena.table[i]
        if entry.key == arena.pos.key and entry.hand == hand and entry.stamp == arena.state.stamp:
            return i
    return -1


@jit
def store_answer(arena, attacker, n, mates, cut, move, work):
    """Store an answer for n plies; a failure not caused by the bound (not ``cut``) holds at any length."""
    table = arena.table
    i = find_table_entry(arena, attacker)
    if i < 0:
        # A new entry in place of an outdated one or of the one with the least work.
        hand = _table_hand_key(arena, attacker)
        i = place = _table_bucket(arena, hand)
        for j in range(place, place + BUCKET):
            if table[j].stamp != arena.state.stamp:
                i = j
                break
            if table[j].work < table[i].work:
                i = j
        table[i].key = arena.pos.key
        table[i].hand = hand
        table[i].mate = FOREVER
        table[i].fail = -1
        table[i].stamp = arena.state.stamp
    entry = table[i]
    if mates:
        entry.mate = min(entry.mate, n)
    else:
        entry.fail = max(entry.fail, n if cut else FOREVER)
    entry.move = move
    entry.work = min(work, 1 << 30)


# --- the moves of a node in the order in which they are tried --------------------------------------
#
# The attacker's checks are sorted by the number of answers they leave, fewest first.
# The defender's answers on the board come first, then the drops cell by cell: first the
# drops that check the attacker's king (never futile), then the moves that could take a
# futile drop there (marked `TAKE`; if one mates, the remaining drops are futile), then the
# remaining drops.

TAKE = 1 << 20
"""Marks an attacker's move to a cell where a drop may be futile."""
_MOVE = TAKE - 1
_MAX_TAKES = 20
"""Ten directions, each with and without promotion."""


@jit_inline
def move_of_entry(entry):
    """Return a move without its mark."""
    return entry & _MOVE


@jit
def ordered_checks(pos, n, best, out, first):
    """Write the checks to out[first:], ``best`` first; return the end."""
    end = checks(pos, out, first)
    if n > 1:
        free = 2 * end - first
        for i in range(first, end):
            rank = 0
            if out[i] != best:
                # The number of answers, all drops on a cell counted as one.
                captured = do(pos, out[i], ATT)
                count, checker = find_checkers(pos, DEF)
                rank = 1 + board_evasions(pos, count, checker, out, free) - free
                rank += blocking_cells(pos, count, checker)[0]
                undo(pos, out[i], ATT, captured)
            out[end + i - first] = rank
        sort_moves_by_rank(out, first, end)
    return end


@export(pos=POSITION_TYPE, out=INTEGERS)
def ordered_defences(pos, n, mode, best, out, first):
    """Write the answers to a check to out[first:], ``best`` first if it is a move on the board."""
    count, checker = find_checkers(pos, DEF)
    end = board_evasions(pos, count, checker, out, first)
    if n == 0 and end > first:
        return end  # there is no mate on the board: any of them answers the check
    bring_move_forward(out, first, end, best)
    cells, step = blocking_cells(pos, count, checker)
    for i in range(1, cells + 1):
        end = _append_drop_entries(pos, pos.king[DEF] + i * step, checker, mode, out, end)
    return end


@jit
def _append_drop_entries(pos, cell, checker, mode, out, first):
    """Write a cell's entries, in the order above, to out[first:]; returns the end."""
    end = drops_on(pos, cell, out, first)
    checking = first
    if pos.king[ATT] != 0:
        for i in range(first, end):
            move = out[i]
            do(pos, move, DEF)
            if in_check(pos, ATT):
                out[i] = out[checking]
                out[checking] = move
                checking += 1
            undo(pos, move, DEF, 0)
    if mode == COUNT_ALL or checking == end:
        return end
    aside = end + _MAX_TAKES
    taken = _append_futile_captures(pos, cell, checker, mode, out, aside) - aside
    for i in range(end - 1, checking - 1, -1):
        out[i + taken] = out[i]
    for i in range(taken):
        out[checking + i] = out[aside + i]
    return end + taken


@jit
def _append_futile_captures(pos, cell, checker, mode, out, first):
    """Write the marked moves to an empty cell that leave the defender in check; returns the end."""
    end = first
    for d in range(10):
        origin = cell - STEP[d]
        far = d < 8 and pos.board[origin] == 0
        while d < 8 and pos.board[origin] == 0:
            origin -= STEP[d]
        piece = int(pos.board[origin])
        if not 0 < piece < OURS or (mode != WIDE and origin != checker):
            continue
        if not ((SLIDES[piece] if far else REACH[piece]) >> d) & 1:
            continue
        for promotes in range(2):
            if promotes and not can_promote(piece, origin, cell, ATT):
                continue
            if not promotes and is_dead(piece, cell, ATT):
                continue
            move = make_move(origin, cell, promotes == 1)
            do(pos, move, ATT)
            if in_check(pos, DEF) and not in_check(pos, ATT):
                out[end] = move | TAKE
                end += 1
            undo(pos, move, ATT, 0)
    return end


@jit
def next_entry_of_other_cell(out, i, end, take):
    """Return the index of the next entry, from out[i] on, that does not belong to the cell of a take."""
    cell = target_of(move_of_entry(take))
    while i < end and target_of(move_of_entry(out[i])) == cell and (out[i] & TAKE or dropped(move_of_entry(out[i]))):
        i += 1
    return i


# --- the two queries, with frames instead of recursion ---------------------------------------------

FINISHED, RUNNING, OUT_OF_ROOM = 0, 1, 2
_MARGIN = 2600
"""Scratch space that generating and ordering the moves of one node may need."""


@export(void, arena=ARENA)
def begin_search(arena, attacker, n):
    """Start the query A(p, n) or D(q, n); `continue_search` until FINISHED, then read ``state.answer``."""
    arena.state.depth = 0
    arena.state.answer = NOT_YET
    _enter_node(arena, attacker, n)


@export(void, arena=ARENA, entries=INTEGERS)
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


@export(arena=ARENA)
def continue_search(arena, nodes):
    """Continue the search for ``nodes`` nodes. Returns FINISHED, RUNNING or OUT_OF_ROOM."""
    state = arena.state
    limit = state.nodes + nodes
    while state.depth > 0:
        if state.answer == NOT_YET:
            if state.nodes >= limit:
                return RUNNING
            if not _try_next_move(arena):
                return OUT_OF_ROOM
            continue
        # Undo the last frame's move, which has been answered, and draw the conclusion.
        frame = arena.frames[state.depth - 1]
        entry = frame.played
        mates = state.answer == MATE
        if not mates:
            frame.cut |= state.cut
            frame.circle = min(frame.circle, state.circle)
        _undo_frame_move(arena, frame)
        state.answer = NOT_YET
        if frame.attacker:
            if mates:
                _leave_node(arena, True, entry)
        elif entry & TAKE:
            if mates:
                frame.next = next_entry_of_other_cell(arena.scratch, frame.next, frame.end, entry)
        elif not mates:
            _leave_node(arena, False, entry)
    return FINISHED


@export(void, arena=ARENA)
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
    pos, state = arena.pos, arena.state
    state.nodes += 1
    state.cut = 0
    state.circle = NO_CIRCLE
    if attacker and state.barred:
        hand = packed_hand(pos)
        for j in range(state.barred):
            if arena.barred[j].key == pos.key and arena.barred[j].hand == hand:
                state.answer = NO_MATE
                return
    i = find_table_entry(arena, attacker)
    if i >= 0 and arena.table[i].mate <= n:
        state.answer = MATE
    elif i >= 0 and arena.table[i].fail >= n:
        state.answer = NO_MATE
        state.cut = arena.table[i].fail < FOREVER
    elif not attacker and _repeats_position(arena):
        state.answer = NO_MATE
    else:
        _push_frame(arena, attacker, n)
        frame = arena.frames[state.depth - 1]
        best = arena.table[i].move if i >= 0 else 0
        if attacker:
            frame.end = ordered_checks(pos, n, best, arena.scratch, frame.first)
        else:
            frame.end = ordered_defences(pos, n, state.mode, best, arena.scratch, frame.first)


@jit
def _repeats_position(arena):
    """Return whether the position occurred before in the row of takes that led to it (defender to move)."""
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
def _leave_node(arena, mates, move):
    """Answer the last frame's node, store it and pop the frame."""
    arena.state.depth -= 1
    frame = arena.frames[arena.state.depth]
    arena.state.answer = MATE if mates else NO_MATE
    arena.state.cut = frame.cut
    arena.state.circle = frame.circle if frame.circle < arena.state.depth else NO_CIRCLE
    if frame.n >= 0 and (mates or arena.state.circle == NO_CIRCLE):
        store_answer(
            arena, frame.attacker == 1, frame.n, mates, frame.cut == 1, move, arena.state.nodes - frame.started
        )


# ---------------------------------------------------------------------------------------------------
#
# The king's freedom a few plies ahead, by alpha-beta (Sekine, section 2, figure 1).
#
# The attacker checks to make it small, the defender answers to make it large. At a leaf
# the defender is in check, and the freedom is the number of his legal answers, all drops
# on a cell counted as one; 0 is mate. If the attacker has no check, the king is free: that
# counts for more than any number of answers. (The paper counts all moves of the defender at
# a leaf, and does not say what a position without a check is worth.)

FREE = 10
"""The freedom if the attacker has no check; smaller than this, a count of answers is cut off."""
_DEEPEST = 16


@export(pos=POSITION_TYPE, out=INTEGERS)
def king_freedom_after(pos, plies, out):
    """Return the king's freedom ``plies`` (an even number) ahead; the defender, in check, is to move."""
    size = _DEEPEST
    first, following, end = out[:size], out[size : 2 * size], out[2 * size : 3 * size]
    captured, low, high = out[3 * size : 4 * size], out[4 * size : 5 * size], out[5 * size : 6 * size]
    depth = 0
    low[0], high[0] = -1, FREE + 1
    entering = True
    value = 0
    while True:
        side = DEF if depth % 2 == 0 else ATT
        if entering:
            first[depth] = following[depth] = end[depth - 1] if depth else 6 * _DEEPEST
            if depth == plies:
                value = min(_append_answers(pos, out, first[depth]) - first[depth], FREE - 1)
            else:
                if side == ATT:
                    end[depth] = checks(pos, out, first[depth])
                else:
                    end[depth] = _append_answers(pos, out, first[depth])
                if end[depth] > first[depth]:
                    entering = False
                    continue
                value = 0 if side == DEF else FREE
        elif following[depth] < end[depth] and low[depth] < high[depth]:
            captured[depth] = do(pos, out[following[depth]], side)
            following[depth] += 1
            low[depth + 1], high[depth + 1] = low[depth], high[depth]
            depth += 1
            entering = True
            continue
        else:
            value = low[depth] if side == DEF else high[depth]
        if depth == 0:
            return value
        depth -= 1
        entering = False
        undo(pos, out[following[depth] - 1], ATT if side == DEF else DEF, captured[depth])
        if side == ATT:  # the move just undone was the defender's
            low[depth] = max(low[depth], value)
        else:
            high[depth] = min(high[depth], value)


@jit
def _append_answers(pos, out, end):
    """Append the defender's answers, of the drops on a cell only the first; returns the new end."""
    count, checker = find_checkers(pos, DEF)
    end = board_evasions(pos, count, checker, out, end)
    cells, step = blocking_cells(pos, count, checker)
    for i in range(1, cells + 1):
        end = min(end + 1, drops_on(pos, pos.king[DEF] + i * step, out, end))
    return end
