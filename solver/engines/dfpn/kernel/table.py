"""The transposition table.

One entry holds what is known of a board with one attacker's hand:

    pn == 0             mate within ``length`` plies, with this hand or a larger one
    dn == 0             no mate within ``length`` plies, with this hand or a smaller one
    otherwise           proof and disproof number for exactly ``length`` plies and this hand

A disproof that rests on a repetition of positions is tainted (the flag of Shibahara2006,
section 5.3): it carries the number of the question (epoch) in which it arose. Until that
question has been verified (`solver.engines.checksearch`) only the same question uses it.

All entries of one board lie in one window of consecutive places, so a look-up
compares hands (dominance, Seo1999). An entry whose stamp is not the search's is
empty: a new search need not clear the table.
"""

import numpy as np

from solver.engines.dfpn.kernel.arena import ACCEPTED
from tsume_rules.kernel.compile import jit, jit_inline
from tsume_rules.kernel.state import contains

WINDOW = 16
"""Places that are looked at for one board."""
INFINITE = 1 << 30
"""A proof or disproof number that stands for certainty."""
FOREVER = 32000
"""The length of a disproof that holds at any length."""

LAST_STAMP = 65535
"""After so many searches the table has to be cleared."""


@jit
def look_up(table, search, key, slot, hand, n):
    """What is known of a position with n plies left.

    Returns (pn, dn, length, hand, taint): certain (pn or dn 0) by dominance if any
    entry of the board allows it, with that entry's length and hand; else the
    numbers stored for this very case; else pn = 0 and dn = 0 together. ``taint``
    tells whether a disproof rests on a repetition that has not been verified.
    """
    mask = np.uint64(len(table) - 1 - WINDOW)
    start = int(slot & mask)
    pn = 0
    dn = 0
    for i in range(start, start + WINDOW):
        e = table[i]
        if e.stamp != search.stamp:
            break
        if e.key != key or (search.barred and int(e.hand) != hand):
            continue  # a barred position is barred with one hand only: no dominance then
        if e.pn == 0:
            if e.length <= n and contains(hand, int(e.hand)):
                return 0, INFINITE, int(e.length), int(e.hand), 0
        elif e.dn == 0:
            if e.length >= n and contains(int(e.hand), hand):
                if e.taint == 0 or search.epochs[e.taint] == ACCEPTED:
                    return INFINITE, 0, int(e.length), int(e.hand), 0
                if e.taint == search.epoch and n == FOREVER:
                    return INFINITE, 0, int(e.length), int(e.hand), 1
        elif e.hand == hand and e.length == n:
            pn = int(e.pn)
            dn = int(e.dn)
    return pn, dn, n, hand, 0


@jit
def store(table, search, key, slot, hand, pn, dn, length, certain_hand, taint, work):
    """Remember the outcome of a search of a position.

    ``certain_hand`` is the proof or disproof hand where the outcome is certain,
    and ``hand`` the actual one, whose open entry it replaces; ``taint`` as in `look_up`.
    """
    mask = np.uint64(len(table) - 1 - WINDOW)
    start = int(slot & mask)
    where = -1
    least = 0xFFFFFFFF
    for i in range(start, start + WINDOW):
        e = table[i]
        if e.stamp != search.stamp or _is_dropped(e, search):
            where = i
            break
        if e.key == key and _supersedes(e, hand, pn, dn, certain_hand, taint):
            where = i
            break
        worth = _worth(e, search)
        if worth <= least:
            least = worth
            where = i
    e = table[where]
    if e.stamp != search.stamp:
        search.stored += 1
    elif e.key != key and not _is_dropped(e, search):
        search.evicted += 1
    e.key = key
    e.hand = hand if search.barred else certain_hand
    e.pn = pn
    e.dn = dn
    e.length = length
    e.work = min(work, 0xFFFFFFFF)
    e.stamp = search.stamp
    e.age = search.age
    e.taint = search.epoch if taint else 0


@jit_inline
def _worth(entry, search):
    """What would be lost with an entry: the nodes below it; an open one of an older question is no loss."""
    if entry.pn != 0 and entry.dn != 0 and entry.age != search.age:
        return 0
    return int(entry.work)


@jit_inline
def _is_dropped(entry, search):
    """Whether an entry is a tainted one of a question that was not verified."""
    if entry.taint == 0 or entry.taint == search.epoch:
        return False
    return search.epochs[entry.taint] != ACCEPTED


@jit_inline
def _supersedes(entry, hand, pn, dn, certain_hand, taint):
    """Whether new knowledge makes an entry of the same board useless."""
    if entry.pn == 0:
        return pn == 0 and entry.hand == certain_hand
    if entry.dn == 0:
        return dn == 0 and entry.hand == certain_hand and (entry.taint != 0) == (taint != 0)
    return entry.hand == hand
