"""Repeated positions: on the path of an unbounded search, in a row of slides, barred ones."""

import numpy as np

from solver.engines.dfpn.kernel.arena import CANDIDATES, NO_CIRCLE, node_key
from solver.engines.dfpn.kernel.table import FOREVER
from solver.engines.kernel.mate import WIDE
from tsume_rules.kernel.compile import jit
from tsume_rules.kernel.state import contains, packed_hand
from tsume_rules.kernel.tables import CELL

_MASK = CANDIDATES - 1


@jit
def is_barred(a):
    """Whether the position, the attacker to move, is barred."""
    key = node_key(a.pos, a.search, True)
    hand = packed_hand(a.pos)
    for i in range(a.search.barred):
        if a.barred[i].key == key and a.barred[i].hand == hand:
            return True
    return False


@jit
def repeats(a, key, hand, n):
    """Whether an OR node is on the path already, with this hand or a larger one.

    Only in an unbounded search: under a bound no node can repeat.
    """
    if n != FOREVER:
        return False
    for i in range(a.search.depth):
        frame = a.frames[i]
        if frame.key == key and frame.attacker and contains(int(frame.hand), hand):
            return True
    return False


@jit
def log_candidate(a, key, hand):
    """Log a repeated position (Shibahara2006, 5.1.2), once for each question.

    If the table is full, note that one was lost.
    """
    search = a.search
    if search.candidates >= CANDIDATES // 2:
        search.lost_candidates = 1
        return
    place = np.int64(a.pos.slot & np.uint64(_MASK))
    while a.candidates[place].epoch == search.epoch:
        there = a.candidates[place]
        if there.key == key and there.hand == hand:
            return
        place = (place + 1) & _MASK
    entry = a.candidates[place]
    entry.key = key
    entry.hand = hand
    entry.epoch = search.epoch
    for sq in range(81):
        entry.codes[sq] = a.pos.board[CELL[sq]]
    for side in range(2):
        for kind in range(8):
            entry.hands[side, kind] = a.pos.hand[side, kind]
    a.handed[search.candidates] = place
    search.candidates += 1


@jit
def circle(a):
    """The frame with the position after a slide, if the present row of slides has one; else NO_CIRCLE.

    Such a return does not show a drop to be futile, so the slide fails, but on this path only.
    A disproof that rests on it is not stored below the frame to which the row returned; there
    all ways have been tried, and the disproof is an ordinary one (Kishimoto). Rows return only
    by the wide reading: otherwise every slide brings the checking piece nearer to the king.
    """
    if a.search.mode != WIDE:
        return NO_CIRCLE
    key = node_key(a.pos, a.search, False)
    i = a.search.depth - 1
    while a.frames[i].key != key:
        i -= 1
        if i < 0 or a.frames[i].attacker:
            return NO_CIRCLE
    return i
