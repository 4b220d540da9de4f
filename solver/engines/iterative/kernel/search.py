"""A(p, n) and D(q, n) of the rules by depth-first search, with frames instead of recursion.

Under a bound no position repeats, with one exception: by the wide reading a row of
takes may return to where it began. Then nothing has been shown to be futile; a failure
found that way holds for this row only and is not stored.
"""

from solver.engines.iterative.kernel.arena import FOREVER, MATE, NO_CIRCLE, NO_MATE, NOT_YET
from solver.engines.iterative.kernel.moves import TAKE, attacks, bare, defences, skip_drops
from solver.engines.iterative.kernel.table import find, store
from tsume_rules.kernel.compile import jit
from tsume_rules.kernel.play import do, undo
from tsume_rules.kernel.state import packed_hand
from tsume_rules.kernel.tables import ATT, DEF

FINISHED, RUNNING, OUT_OF_ROOM = 0, 1, 2
_MARGIN = 2600
"""Scratch space that generating and ordering the moves of one node may need."""


@jit
def begin(a, attacker, n):
    """Start the question A(p, n) or D(q, n); `run` it until FINISHED, then read ``state.answer``."""
    a.state.depth = 0
    a.state.answer = NOT_YET
    _enter(a, attacker, n)


@jit
def begin_part(a, n, entries):
    """Start the question D(q, n) with only some answers: entries of `moves.defences`, whole cells."""
    a.state.depth = 0
    a.state.answer = NOT_YET
    _push(a, False, n)
    frame = a.frames[0]
    for i in range(len(entries)):
        a.scratch[i] = entries[i]
    frame.end = len(entries)
    frame.n = -n - 1  # negative: not the whole node, so its answer is not stored


@jit
def run(a, nodes):
    """Continue the search for ``nodes`` nodes. Returns FINISHED, RUNNING or OUT_OF_ROOM."""
    limit = a.state.nodes + nodes
    while a.state.depth > 0:
        if a.state.answer != NOT_YET:
            _retract(a)
        elif a.state.nodes >= limit:
            return RUNNING
        elif not _next(a):
            return OUT_OF_ROOM
    return FINISHED


@jit
def abandon(a):
    """Give the question up: undo all moves."""
    while a.state.depth > 0:
        frame = a.frames[a.state.depth - 1]
        if frame.played:
            _undo(a, frame)
        a.state.depth -= 1


@jit
def _undo(a, frame):
    side = ATT if frame.attacker or frame.played & TAKE else DEF
    undo(a.pos, bare(frame.played), side, frame.captured)
    frame.played = 0


@jit
def _enter(a, attacker, n):
    """Answer a node at once, or push a frame for it."""
    a.state.nodes += 1
    a.state.cut = 0
    a.state.circle = NO_CIRCLE
    if attacker and a.state.barred and _is_barred(a):
        a.state.answer = NO_MATE
        return
    i = find(a, attacker)
    if i >= 0 and a.table[i].mate <= n:
        a.state.answer = MATE
    elif i >= 0 and a.table[i].fail >= n:
        a.state.answer = NO_MATE
        a.state.cut = a.table[i].fail < FOREVER
    elif not attacker and _circles(a):
        a.state.answer = NO_MATE
    else:
        _push(a, attacker, n)
        _generate(a, n, a.table[i].move if i >= 0 else 0)


@jit
def _is_barred(a):
    hand = packed_hand(a.pos)
    for i in range(a.state.barred):
        if a.barred[i].key == a.pos.key and a.barred[i].hand == hand:
            return True
    return False


@jit
def _circles(a):
    """Whether the position occurred before in the row of takes that led to it (defender to move)."""
    for i in range(a.state.depth - 1, -1, -1):
        frame = a.frames[i]
        if frame.attacker or not frame.played & TAKE:
            return False
        if frame.key == a.pos.key:
            a.state.circle = i
            return True
    return False


@jit
def _push(a, attacker, n):
    depth = a.state.depth
    first = a.frames[depth - 1].end if depth else 0
    frame = a.frames[depth]
    frame.attacker = attacker
    frame.n = n
    frame.first = first
    frame.next = first
    frame.end = first
    frame.played = 0
    frame.cut = 0
    frame.circle = NO_CIRCLE
    frame.started = a.state.nodes
    frame.key = a.pos.key
    a.state.depth = depth + 1


@jit
def _generate(a, n, best):
    frame = a.frames[a.state.depth - 1]
    if frame.attacker:
        frame.end = attacks(a.pos, n, best, a.scratch, frame.first)
    else:
        frame.end = defences(a.pos, n, a.state.mode, best, a.scratch, frame.first)


@jit
def _next(a):
    """Try the next move of the last frame; false if the stack or the scratch space is full."""
    frame = a.frames[a.state.depth - 1]
    if frame.next == frame.end:
        _leave(a, not frame.attacker, 0)
        return True
    if a.state.depth == len(a.frames) or frame.end + _MARGIN > len(a.scratch):
        return False
    entry = a.scratch[frame.next]
    n = frame.n if frame.n >= 0 else -frame.n - 1
    if frame.attacker:
        _play(a, frame, entry, ATT)
        _enter(a, False, n - 1)
    elif entry & TAKE:
        _play(a, frame, entry, ATT)
        _enter(a, False, n)
    elif n == 0:
        frame.cut = 1
        _leave(a, False, entry)
    else:
        _play(a, frame, entry, DEF)
        _enter(a, True, n - 1)
    return True


@jit
def _play(a, frame, entry, side):
    frame.played = entry
    frame.next += 1
    frame.captured = do(a.pos, bare(entry), side)


@jit
def _retract(a):
    """Undo the last frame's move, which has been answered, and draw the conclusion."""
    frame = a.frames[a.state.depth - 1]
    entry = frame.played
    mates = a.state.answer == MATE
    if not mates:
        frame.cut |= a.state.cut
        frame.circle = min(frame.circle, a.state.circle)
    _undo(a, frame)
    a.state.answer = NOT_YET
    if frame.attacker:
        if mates:
            _leave(a, True, entry)
    elif entry & TAKE:
        if mates:
            frame.next = skip_drops(a.scratch, frame.next, frame.end, entry)
    elif not mates:
        _leave(a, False, entry)


@jit
def _leave(a, mates, move):
    """Answer the last frame's node, store it and pop the frame."""
    a.state.depth -= 1
    frame = a.frames[a.state.depth]
    a.state.answer = MATE if mates else NO_MATE
    a.state.cut = frame.cut
    a.state.circle = frame.circle if frame.circle < a.state.depth else NO_CIRCLE
    if frame.n >= 0 and (mates or a.state.circle == NO_CIRCLE):
        store(a, frame.attacker == 1, frame.n, mates, frame.cut == 1, move, a.state.nodes - frame.started)
