# SPDX-License-Identifier: GPL-3.0-or-later
"""The table: for each position and hand, the plies known to suffice for mate and not to suffice."""

import numpy as np

from solver.engines.iterative.kernel.arena import FOREVER
from tsume_rules.kernel.compile import jit
from tsume_rules.kernel.state import packed_hand

BUCKET = 4
_DEFENDER = 1 << 40
_READING = 41


@jit
def _table_hand_key(arena, attacker):
    """The attacker's packed hand, marked with the side to move and the reading."""
    return packed_hand(arena.pos) | (0 if attacker else _DEFENDER) | int(arena.state.mode) << _READING


@jit
def _table_bucket(arena, hand):
    mixed = (hand * 0x9E3779B97F4A7C1) ^ (hand >> 17)
    place = (int(arena.pos.slot >> np.uint64(20)) ^ mixed) & 0x7FFFFFFFFFFFFFFF
    return place % (len(arena.table) // BUCKET) * BUCKET


@jit
def find_table_entry(arena, attacker):
    """The index of the position's entry; -1 if there is none."""
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
    i = find_table_entry(arena, attacker)
    if i < 0:
        i = _replace_table_entry(arena, attacker)
    entry = arena.table[i]
    if mates:
        entry.mate = min(entry.mate, n)
    else:
        entry.fail = max(entry.fail, n if cut else FOREVER)
    entry.move = move
    entry.work = min(work, 1 << 30)


@jit
def _replace_table_entry(arena, attacker):
    """A new entry in place of an outdated one or of the one with the least work; returns its index."""
    hand = _table_hand_key(arena, attacker)
    place = _table_bucket(arena, hand)
    best = place
    for i in range(place, place + BUCKET):
        if arena.table[i].stamp != arena.state.stamp:
            best = i
            break
        if arena.table[i].work < arena.table[best].work:
            best = i
    entry = arena.table[best]
    entry.key = arena.pos.key
    entry.hand = hand
    entry.mate = FOREVER
    entry.fail = -1
    entry.stamp = arena.state.stamp
    return best
