"""The table: for each position and hand, the plies known to suffice for mate and not to suffice."""

import numpy as np

from solver.engines.iterative.kernel.arena import FOREVER
from tsume_rules.kernel.compile import jit
from tsume_rules.kernel.state import packed_hand

BUCKET = 4
_DEFENDER = 1 << 40
_READING = 41


@jit
def _hand(a, attacker):
    """The attacker's packed hand, marked with the side to move and the reading."""
    return packed_hand(a.pos) | (0 if attacker else _DEFENDER) | int(a.state.mode) << _READING


@jit
def _bucket(a, hand):
    mixed = (hand * 0x9E3779B97F4A7C1) ^ (hand >> 17)
    place = (int(a.pos.slot >> np.uint64(20)) ^ mixed) & 0x7FFFFFFFFFFFFFFF
    return place % (len(a.table) // BUCKET) * BUCKET


@jit
def find(a, attacker):
    """The index of the position's entry; -1 if there is none."""
    hand = _hand(a, attacker)
    place = _bucket(a, hand)
    for i in range(place, place + BUCKET):
        entry = a.table[i]
        if entry.key == a.pos.key and entry.hand == hand and entry.stamp == a.state.stamp:
            return i
    return -1


@jit
def store(a, attacker, n, mates, cut, move, work):
    """Store an answer for n plies; a failure not caused by the bound (not ``cut``) holds at any length."""
    i = find(a, attacker)
    if i < 0:
        i = _make_room(a, attacker)
    entry = a.table[i]
    if mates:
        entry.mate = min(entry.mate, n)
    else:
        entry.fail = max(entry.fail, n if cut else FOREVER)
    entry.move = move
    entry.work = min(work, 1 << 30)


@jit
def _make_room(a, attacker):
    """A new entry in place of an outdated one or of the one with the least work; returns its index."""
    hand = _hand(a, attacker)
    place = _bucket(a, hand)
    best = place
    for i in range(place, place + BUCKET):
        if a.table[i].stamp != a.state.stamp:
            best = i
            break
        if a.table[i].work < a.table[best].work:
            best = i
    entry = a.table[best]
    entry.key = a.pos.key
    entry.hand = hand
    entry.mate = FOREVER
    entry.fail = -1
    entry.stamp = a.state.stamp
    return best
