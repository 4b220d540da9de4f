# SPDX-License-Identifier: GPL-3.0-or-later
"""The transposition table.

An entry holds what is known of a board with an attacker's hand:

    pn == 0             mate within ``length`` plies, with this hand or a larger one
    dn == 0             no mate within ``length`` plies, with this hand or a smaller one
    otherwise (open)    proof and disproof number for exactly ``length`` plies (with TCA for any
                        number) and this hand; ``taint`` is then its least depth in the question
                        that wrote it, with TCA

A disproof that rests on a repetition of positions is tainted (the flag of Shibahara2006,
section 5.3): it carries the number of the question (epoch) in which it arose. Only that
question uses it, until it is verified (`solver.engines.dfpn.unbounded_search`). With TCA it carries a link
instead (`repetition`): pn is the link and the first frame on which the disproof rests, ``taint`` which of
the link's uses is meant. Neither method uses what the other has tainted.

All entries of a board are in one window of consecutive places, where a look-up compares
hands (dominance, Seo1999). An entry whose stamp is not the search's is empty, so the
table need not be cleared to be forgotten.
"""

from __future__ import annotations

import numpy as np

from solver.engines.dfpn.kernel import arena
from solver.engines.dfpn.kernel.arena import ARENA
from tsume_rules.kernel.compile import (
    INTEGERS,
    Tuple,
    export,
    export_inline,
    int64,
    intrinsic,
    jit,
    jit_inline,
    uint64,
    unit,
    void,
)
from tsume_rules.kernel.state import (
    PROMOTES,
    UNIT,
    count_in_hand,
    dropped,
    hand_contains,
    hand_kind,
    origin_of,
    target_of,
)
from tsume_rules.kernel.tables import ANY_PIECE, ATT, DEF, ON_BOARD, PROMOTION, SET, ZOBRIST

# --- searches in several threads that share a table and answer the same question -------------------
#
# They differ in the way that they take: a search passes by a check that another one is searching, if it has
# another to search. What one of them stores the others find. Open numbers only lead a search; proofs, and
# disproofs without a link, hold for all; what rests on a link of another search is passed by
# (`table.disproof_frames`). Each part of the table has a lock, so that nobody reads an entry that is half written.
#
# All this is in one array of integers, the arena's ``shared``: the locks, then for each search how many AND
# nodes of its path have their board at a place. A search writes its own numbers only.

_PART_BITS = 10
"""2 ** _PART_BITS places of the table have one lock; a lock may belong to several parts."""


@intrinsic
def _exchange(shared, place, value):
    """Write an element and return what it was before, in one step; later accesses stay behind it."""
    before = shared[place]
    shared[place] = value
    return before


@intrinsic
def _put(shared, place, value):
    """Write an element; earlier accesses stay before it."""
    shared[place] = value
    return value


@intrinsic
def _get(shared, place):
    """Read an element that another thread may be writing."""
    return shared[place]


@jit_inline
def _lock_of(place):
    return (place >> _PART_BITS) & (arena.LOCKS - 1)


@export(void, shared=INTEGERS)
def lock(shared, first, last):
    """Take the places of the table from ``first`` to ``last``, in two parts at most, when they are free."""
    one, other = _lock_of(first), _lock_of(last)
    while _exchange(shared, min(one, other), 1) != 0:
        pass
    if one != other:
        while _exchange(shared, max(one, other), 1) != 0:
            pass


@export(void, shared=INTEGERS)
def unlock(shared, first, last):
    """Free what `lock` took."""
    one, other = _lock_of(first), _lock_of(last)
    _put(shared, one, 0)
    if one != other:
        _put(shared, other, 0)


@export_inline(slot=uint64)
def entered_count_place(slot):
    """Return the place for a board (`POSITION.slot`) with the defender to move."""
    return int(slot) & (arena.MEETINGS - 1)


@unit(void, a=ARENA, slot=uint64)
def note_entered(a, slot, change):
    """Note that this search entered an AND node (``change`` 1) or left it (-1)."""
    place = arena.LOCKS + int(a.search.member) * arena.MEETINGS + entered_count_place(slot)
    _put(a.shared, place, _get(a.shared, place) + change)


@jit
def is_entered(a, slot):
    """Return whether another search is below an AND node, or below one with the same place."""
    place = arena.LOCKS + entered_count_place(slot)
    for member in range(a.search.members):
        if member != a.search.member and _get(a.shared, place + member * arena.MEETINGS) != 0:
            return True
    return False


# --- the transposition table -----------------------------------------------------------------------

WINDOW = 16
"""Places searched for one board."""
INFINITE = 1 << 30
"""A proof or disproof number that stands for certainty."""
FOREVER = 32000
"""The length of a disproof that holds at any length."""

NOTHING_LEFT, NEVER_AGAIN, NOT_HERE = 0, -1, -2
"""Instead of the last frame on which a disproof rests, see `disproof_frames`."""

LAST_STAMP = 65535
"""The largest stamp and the largest epoch: after it the table must be cleared."""


@jit_inline
def window_start(table, slot):
    """Return the first place of a board's window."""
    return int(slot & np.uint64(len(table) - 1 - WINDOW))


@jit_inline
def is_own_link(search, link):
    """Return whether this search gives out a link, if several share the table."""
    return search.members < 2 or link % search.members == search.member


@jit
def disproof_frames(entry, search):
    """Return the last and the first frame on the path on which an entry's disproof rests, numbered from 1.
    `NOTHING_LEFT` if it holds for good, `NOT_HERE` if it does not hold on this path, `NEVER_AGAIN`."""
    link = int(entry.pn) & (arena.LINKS - 1)
    uses = int(entry.taint)
    least = int(entry.pn) >> arena.LINK_BITS
    while True:
        if search.link_uses[link] != uses:
            return (NEVER_AGAIN if is_own_link(search, link) else NOT_HERE), 0
        state = search.link_state[link]
        if state == arena.LINK_ASLEEP:
            return NOT_HERE, 0
        if state == arena.LINK_PENDING:
            return int(search.link_frame[link]), least
        if least == search.link_frame[link]:
            least = int(search.link_least[link])
            reference = int(search.link_exact[link])
        else:
            if search.link_exact[link]:
                least = min(least, int(search.link_least[link]))
            reference = int(search.link_up[link])
        if reference == 0:
            return NOTHING_LEFT, 0
        link = reference & (arena.LINKS - 1)
        uses = reference >> arena.LINK_BITS


@jit_inline
def look_up(a, key, slot, hand, n):
    """What the table holds about a position with n plies left.

    Returns (pn, dn, length, hand, taint): a proof or disproof (pn or dn 0) if an entry of the board implies
    one, with that entry's length and hand; else the open entry for this hand and n; else pn = 0 and dn = 0
    together: with TCA ``search.borrowed_pn`` and ``search.borrowed_dn`` are then its least numbers.
    ``taint``: whether a disproof rests on a repetition that has not been verified.
    """
    start = window_start(a.table, slot)
    if a.search.members > 1:
        return _look_up_locked(a, start, key, hand, n)
    return _look_up(a.table, a.search, start, key, hand, n)


@unit(Tuple([int64] * 5), a=ARENA, key=uint64)
def _look_up_locked(a, start, key, hand, n):
    """As `_look_up`, while no other search writes there."""
    lock(a.shared, start, start + WINDOW - 1)
    found = _look_up(a.table, a.search, start, key, hand, n)
    unlock(a.shared, start, start + WINDOW - 1)
    return found


@jit
def _look_up(table, search, start, key, hand, n):
    pn = 0
    dn = 0
    search.met = 0
    search.borrowed_pn = 1
    search.borrowed_dn = 1
    for i in range(start, start + WINDOW):
        e = table[i]
        if e.stamp != search.stamp:
            break
        if e.key != key or (search.barred and not search.weaker and int(e.hand) != hand):
            continue  # with positions barred for one hand only, hands cannot be compared
        if e.pn == 0:
            if e.length <= n and hand_contains(hand, int(e.hand)):
                return 0, INFINITE, int(e.length), int(e.hand), 0
        elif e.dn == 0:
            if e.length >= n and hand_contains(int(e.hand), hand):
                if e.taint == 0:
                    return INFINITE, 0, int(e.length), int(e.hand), 0
                if search.loops == arena.TCA:
                    last, first = disproof_frames(e, search)
                    if last >= NOTHING_LEFT:
                        search.least = first
                        return INFINITE, 0, int(e.length), int(e.hand), last
                elif e.pn == INFINITE:
                    if search.epochs[e.taint] == arena.ACCEPTED:
                        return INFINITE, 0, int(e.length), int(e.hand), 0
                    if e.taint == search.epoch and n == FOREVER:
                        return INFINITE, 0, int(e.length), int(e.hand), 1
        elif e.hand == hand and (e.length == n or search.loops == arena.TCA):
            pn = int(e.pn)
            dn = int(e.dn)
            search.met = int(e.taint) if e.age == search.age else 0
        elif search.loops == arena.TCA:
            # More hand is no farther from a mate, less no nearer.
            if hand_contains(int(e.hand), hand):
                search.borrowed_pn = max(search.borrowed_pn, int(e.pn))
            if hand_contains(hand, int(e.hand)):
                search.borrowed_dn = max(search.borrowed_dn, int(e.dn))
    return pn, dn, n, hand, 0


@jit_inline
def store(a, key, slot, hand, pn, dn, length, certain_hand, taint, work):
    """Store the outcome of a search of a position.

    ``certain_hand``: the proof or disproof hand of a decided position; ``hand``: the actual
    hand, whose open entry is replaced; ``taint`` as in `look_up`; ``work``: nodes used.
    """
    start = window_start(a.table, slot)
    if a.search.members > 1:
        _store_locked(a, start, key, hand, pn, dn, length, certain_hand, taint, work)
    else:
        _store(a.table, a.search, start, key, hand, pn, dn, length, certain_hand, taint, work)


@unit(void, a=ARENA, key=uint64)
def _store_locked(a, start, key, hand, pn, dn, length, certain_hand, taint, work):
    """As `_store`, while no other search reads or writes there."""
    lock(a.shared, start, start + WINDOW - 1)
    _store(a.table, a.search, start, key, hand, pn, dn, length, certain_hand, taint, work)
    unlock(a.shared, start, start + WINDOW - 1)


@jit
def _store(table, search, start, key, hand, pn, dn, length, certain_hand, taint, work):
    where = -1
    least = 0xFFFFFFFF
    for i in range(start, start + WINDOW):
        e = table[i]
        if e.stamp != search.stamp or _is_dropped(e, search):
            where = i
            break
        if e.key == key:
            # Whether the new outcome makes the entry useless.
            if e.pn == 0:
                useless = pn == 0 and e.hand == certain_hand
            elif e.dn == 0:
                useless = dn == 0 and e.hand == certain_hand and (e.taint != 0) == (taint != 0)
            else:
                useless = e.hand == hand
            if useless:
                where = i
                break
        is_open = e.pn != 0 and e.dn != 0
        worth = 0 if is_open and e.age != search.age else int(e.work)
        if worth <= least:
            least = worth
            where = i
    e = table[where]
    depth = int(search.depth)
    stays_open = pn != 0 and dn != 0
    is_same = e.key == key and e.hand == hand and e.stamp == search.stamp and e.age == search.age
    if stays_open and is_same and e.pn != 0 and e.dn != 0:
        depth = min(depth, max(int(e.taint), 1))
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
    if search.loops != arena.TCA:
        e.taint = search.epoch if taint else 0
    elif stays_open:
        e.taint = depth
    elif taint:
        e.taint = search.link_uses[search.link & (arena.LINKS - 1)]
        e.pn = search.link
    else:
        e.taint = 0


@jit_inline
def _is_dropped(entry, search):
    """Return whether an entry is a tainted disproof that will not be used any more."""
    if entry.dn != 0 or entry.taint == 0:
        return False
    if search.loops == arena.TCA:
        return disproof_frames(entry, search)[0] == NEVER_AGAIN
    if entry.pn != INFINITE:
        return True
    return entry.taint != search.epoch and search.epochs[entry.taint] != arena.ACCEPTED


# --- fetching table entries into the processor's cache before they are looked up -------------------
#
# A look-up in a large table waits for memory longer than a small kernel runs. While a node's children are
# assessed one after the other, the entries of the next ones are on their way.


@intrinsic
def _fetch(_packed):
    """Tell the processor that an element of a structured array is read soon."""


@jit
def prefetch_children(a, side, first, end):
    """Prefetch the table entries of the positions after the moves in buf[first:end]."""
    pos = a.pos
    for i in range(first, end):
        _fetch(a.table[window_start(a.table, slot_after(pos, a.buf[i], side))])


@jit
def slot_after(pos, move, side):
    """Return the key for the table's place (`POSITION.slot`) after a move."""
    target = target_of(move)
    kind = dropped(move)
    if kind:
        return pos.slot ^ ZOBRIST[kind + 16 * side, target, 1]
    origin = origin_of(move)
    piece = int(pos.board[origin]) & ANY_PIECE
    arrives = piece + (PROMOTION if move & PROMOTES else 0)
    slot = pos.slot ^ ZOBRIST[piece, origin, 1] ^ ZOBRIST[arrives & ANY_PIECE, target & ON_BOARD, 1]
    captured = int(pos.board[target])
    if captured:
        slot ^= ZOBRIST[captured & ANY_PIECE, target, 1]
    return slot


# --- proof and disproof hands, carried from a child to its parent (Seo1999) ------------------------

FULL_HAND = int((SET * UNIT).sum())
"""A packed hand that contains every other."""


@jit
def hand_before_attack(hand, move, captured, full):
    """Return a hand after an attacker's move, carried back to before it; ``full``: cap it at a set's pieces."""
    kind = dropped(move)
    if kind:
        if full and count_in_hand(hand, kind) >= SET[kind]:
            return hand
        return hand + UNIT[kind]
    if captured:
        kind = hand_kind(captured)
        if count_in_hand(hand, kind):
            return hand - UNIT[kind]
    return hand


@jit
def largest_disproof_hand(hand):
    """Return the largest hand for the disproof of an OR node: all pieces of the kinds held, none of the
    others. With a kind that is not held there could be checks that were not searched."""
    total = 0
    for kind in range(1, 8):
        if count_in_hand(hand, kind):
            total += SET[kind] * UNIT[kind]
    return total


@jit
def hand_capped_for_drop(hand, kind, pos):
    """Return a packed hand, capped so that the defender still holds a piece of a kind to drop."""
    own = int(pos.hand[ATT, kind]) + int(pos.hand[DEF, kind]) - 1
    have = count_in_hand(hand, kind)
    return hand if have <= own else hand - (have - own) * UNIT[kind]
