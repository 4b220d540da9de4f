# SPDX-License-Identifier: GPL-3.0-or-later
"""What is known of positions: counts, and answers that dominance lends to other hands.

Entries of a board stand near one another whatever the hands. A proof holds with a larger
hand of the attacker, a disproof with a smaller one (Seo1999). Open positions lend
nothing: their counts hold for the very same hand only. In the paper's first run they lent
theirs; in the second they did so no more for some games, for two positions that differ in
hand and lead to each other raise each other's counts for ever (Shibahara2006, section 6.3).

A disproof that rests on a repetition is tainted: it carries the number of the question it
was found for (its epoch), and others may use it once that epoch is accepted.
"""

import numpy as np

from tsume.papers.shibahara2006.kernel.moves import HAND_SHIFT, WORD, count_in_variant_hand
from tsume_rules.kernel.compile import jit, jit_inline

WINDOW = 8
NEVER = 1 << 30
"""A count that cannot be brought to zero."""
ENTRY = np.dtype(
    [("state", np.int64), ("pn", np.int32), ("dn", np.int32), ("epoch", np.int32), ("work", np.int32)]
)


@jit_inline
def variant_hand_contains(hand, other):
    """Whether a packed hand has at least what another one has."""
    return count_in_variant_hand(hand, 0) >= count_in_variant_hand(other, 0) and count_in_variant_hand(
        hand, 1
    ) >= count_in_variant_hand(other, 1)


@jit_inline
def table_index(table, state):
    """Where the entries of a board begin."""
    mixed = np.uint64(state & WORD) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64((mixed >> np.uint64(24)) & np.uint64(table.size - WINDOW - 1))


@jit_inline
def is_dropped_disproof(arena, entry):
    """Whether an entry says nothing: a disproof that was dropped with its epoch."""
    return (
        entry.dn == 0
        and entry.epoch != 0
        and entry.epoch != arena.search.epoch
        and not arena.accepted[entry.epoch]
    )


@jit
def look_up_pds_entry(arena, state, out):
    """What is known of a position, into ``out``: counts, the hand of the answer, whether it is tainted."""
    out.pn, out.dn, out.hand, out.tainted = 1, 1, 0, 0
    place = table_index(arena.table, state)
    hand = state >> HAND_SHIFT
    for i in range(place, place + WINDOW):
        entry = arena.table[i]
        if entry.state == 0 or (entry.state ^ state) & WORD != 0:
            continue
        there = entry.state >> HAND_SHIFT
        if entry.pn == 0:
            if variant_hand_contains(hand, there):
                out.pn, out.dn, out.hand, out.tainted = 0, NEVER, there, 0
                return
        elif entry.dn == 0:
            if variant_hand_contains(there, hand) and not is_dropped_disproof(arena, entry):
                out.pn, out.dn, out.hand = NEVER, 0, there
                out.tainted = 1 if entry.epoch == arena.search.epoch else 0
                return
        elif there == hand:
            out.pn, out.dn = entry.pn, entry.dn


@jit
def store_pds_entry(arena, state, pn, dn, epoch, work):
    """Keep counts or an answer; in a full window the entry with the least work goes."""
    place = table_index(arena.table, state)
    best, least = -1, np.int64(NEVER) * 4
    for i in range(place, place + WINDOW):
        entry = arena.table[i]
        if entry.state == state:
            best = i
            break
        worth = np.int64(entry.work)
        if entry.state == 0 or is_dropped_disproof(arena, entry):
            worth = np.int64(-1)
        elif entry.pn == 0 or entry.dn == 0:
            worth *= 2
        if worth < least:
            best, least = i, worth
    entry = arena.table[best]
    if entry.state == 0:
        arena.search.stored += 1
    entry.state, entry.pn, entry.dn, entry.epoch = state, pn, dn, epoch
    entry.work = min(work, NEVER)
