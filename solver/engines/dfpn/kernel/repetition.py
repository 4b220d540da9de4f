# SPDX-License-Identifier: GPL-3.0-or-later
"""Repeated positions: on the path, in a row of slides, barred ones.

With TCA a disproof that rests on a return to a position of the path, its *head*, is kept as long as it holds.
The head gets a link, which such entries of the table name (`table.disproof_frames`):

    mark_loop_head: the path returned to it --> pending: what rests on it holds, as it is on the path
      |
      |-- disproved (`settle_loop_head`) -----> settled: what rests on it holds if that holds on which its own
      |                                         disproof rests; if it rests on nothing, for good
      |-- undecided (`suspend_link`) ----> asleep: nothing is known
                                                  |
    wake_link: the same way leads to it again <---+

A disproof may rest on several heads. Its entry names the last and the place of the first; the others are
somewhere between, all with links. Therefore a link is not woken unless that of the head above it is there.
tests/solver/engines/test_checksearch.py says the same in plain Python.
"""

import numpy as np

from solver.engines.dfpn.kernel import arena
from solver.engines.dfpn.kernel.arena import node_key, set_outcome
from solver.engines.dfpn.kernel.table import FOREVER, INFINITE, is_own_link
from solver.engines.kernel.mate import WIDE
from tsume_rules.kernel.compile import jit, jit_inline
from tsume_rules.kernel.state import hand_contains, packed_hand
from tsume_rules.kernel.tables import CELL

_MASK = arena.CANDIDATES - 1


@jit
def is_preset(a, n):
    """Return whether the position, the attacker to move, is barred or known to mate; then its outcome is set."""
    search = a.search
    key = node_key(a.pos, search, True)
    hand = packed_hand(a.pos)
    known = 0
    none_within = -1
    # The barred positions are sorted by their keys; look from the first with this key on.
    first, last = 0, int(search.barred)
    while first < last:
        middle = (first + last) >> 1
        if a.barred[middle].key < key:
            first = middle + 1
        else:
            last = middle
    for i in range(first, search.barred):
        entry = a.barred[i]
        if entry.key != key:
            break
        if entry.length == 0:
            if entry.hand == hand or (search.weaker and hand_contains(int(entry.hand), hand)):
                set_outcome(search, INFINITE, 0, FOREVER, hand, 0)
                return True
        elif hand_contains(hand, int(entry.hand)):
            known = min(known, int(entry.length)) if known else int(entry.length)
            if entry.hand == hand:
                none_within = int(entry.length) - 2
    if 0 < known <= n:
        set_outcome(search, 0, INFINITE, known, hand, 0)
        return True
    if n <= none_within:
        set_outcome(search, INFINITE, 0, none_within, hand, 0)
        return True
    return False


@jit
def repeated_frame(a, key, hand, n):
    """Return the frame of an OR node on the path with this hand or a larger one; -1: none. Under a bound no
    node repeats, but a position does, with fewer plies left: of use with TCA only."""
    if (n != FOREVER and a.search.loops != arena.TCA) or a.search.path[a.pos.slot & np.uint64(arena.PATH - 1)] == 0:
        return -1
    exactly = a.search.barred and not a.search.weaker and a.search.loops == arena.TCA
    for i in range(a.search.depth):
        frame = a.frames[i]
        if frame.key != key or not frame.attacker or not hand_contains(int(frame.hand), hand):
            continue
        if frame.hand == hand or not exactly:
            return i
    return -1


@jit
def mark_loop_head(a, index):
    """Give a frame to which the path returned a link, by which what rests on the return is kept."""
    search = a.search
    frame = a.frames[index]
    if frame.link == 0:
        link = (int(search.last_link) + 1) & (arena.LINKS - 1)
        while link == 0 or search.link_state[link] == arena.LINK_PENDING or not is_own_link(search, link):
            link = (link + 1) & (arena.LINKS - 1)
        search.last_link = link
        frame.link = link
        search.link_uses[link] += 1
        if search.link_uses[link] == 0:
            search.link_uses[link] = 1
        search.link_state[link] = arena.LINK_PENDING
        search.link_frame[link] = index + 1


@jit_inline
def link_with_use(search, link):
    """Return a link and how often it was given out, as one number: what names an earlier use is out of date."""
    return link | (int(search.link_uses[link]) << arena.LINK_BITS)


@jit
def last_loop_head(a, index):
    """Return the number (from 1) of the last frame before one that has a link; 0: none."""
    i = index - 1
    while i >= 0 and a.frames[i].link == 0:
        i -= 1
    return i + 1


@jit
def link_above(a, index):
    """Return a reference to the link of the last head before a frame; 0: there is none."""
    last = last_loop_head(a, index)
    return link_with_use(a.search, int(a.frames[last - 1].link)) if last else 0


@jit
def suspend_link(a, index):
    """Put the link of a frame that is left undecided to sleep: `wake_link` finds it by the way to the frame."""
    search = a.search
    frame = a.frames[index]
    link = int(frame.link)
    if link:
        search.link_state[link] = arena.LINK_ASLEEP
        search.link_path[link] = frame.path
        search.link_up[link] = link_above(a, index)
        search.links_by_path[frame.path & np.uint64(arena.LINKS - 1)] = link


@jit
def wake_link(a, index):
    """Give a frame the link that it had when it was reached in the same way before."""
    search = a.search
    frame = a.frames[index]
    link = int(search.links_by_path[frame.path & np.uint64(arena.LINKS - 1)])
    if search.link_state[link] != arena.LINK_ASLEEP or search.link_path[link] != frame.path:
        return
    above = int(search.link_up[link])
    head = above & (arena.LINKS - 1)
    if above and (search.link_state[head] != arena.LINK_PENDING or link_with_use(search, head) != above):
        return
    search.link_state[link] = arena.LINK_PENDING
    frame.link = link


@jit
def settle_loop_head(a, index):
    """Note what became of a frame that is left, if the path returned to it. The outcome is in the search
    state, its `taint` no longer the frame itself."""
    search = a.search
    link = int(a.frames[index].link)
    if link == 0:
        return
    if search.dn != 0:
        suspend_link(a, index)
        return
    search.link_state[link] = arena.LINK_SETTLED
    search.link_up[link] = link_above(a, index)
    search.link_exact[link] = 0
    if search.taint:
        search.link_exact[link] = link_with_use(search, int(a.frames[search.taint - 1].link))
        search.link_least[link] = search.least


@jit
def log_candidate(a, key, hand):
    """Log a repeated position (Shibahara2006, 5.1.2), once for each question. If the table is full, note that
    one was lost."""
    search = a.search
    if search.candidates >= arena.CANDIDATES // 2:
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
def repeated_slide(a):
    """Return the frame with the position after a slide, if the present row of slides has one; else NO_CIRCLE.

    Such a return does not show a drop to be futile, so the slide fails, but on this path only.
    A disproof that rests on it is not stored below the frame to which the row returned; there
    all ways have been tried, and the disproof is an ordinary one (Kishimoto). Rows return only
    by the wide reading: otherwise every slide brings the checking piece nearer to the king.
    """
    if a.search.mode != WIDE:
        return arena.NO_CIRCLE
    key = node_key(a.pos, a.search, False)
    i = a.search.depth - 1
    while a.frames[i].key != key:
        i -= 1
        if i < 0 or a.frames[i].attacker:
            return arena.NO_CIRCLE
    return i
