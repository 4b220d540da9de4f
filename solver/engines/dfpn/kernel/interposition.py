# SPDX-License-Identifier: GPL-3.0-or-later
"""Interpositions: the drops between checker and king, cell by cell (合駒, 無駄合).

The drops on one cell are one child of an AND node. The life of the child:

    expand_cell -- drops that check the attacker's king: answers like any other
        |
        |-- a slide is known, or quickly shown, to mate: futile, no child
        |
        v
    DROPS or QUIET_DROPS      one drop after the other (`advance_to_next_drop`)
        |
        |-- a drop is met: the next one; all are met: the child is removed
        |
        |   a drop cannot be met (`merge_drop_disproof`)
        |-- DROPS (every drop counts): the node is disproven
        v
    SLIDE                     is it futile? one taker after the other (`try_takers`)
        |
        |-- a slide mates within the same plies: futile, the child is removed
        |-- no slide does: the node is disproven

A slide moves the checking piece (by the wide reading any piece) to the cell, with the hands
unchanged and the defender to move: as if a drop were taken and given back (docs/rules.md).
"""

from __future__ import annotations

import numpy as np

from solver.engines.dfpn.kernel import arena
from solver.engines.dfpn.kernel.arena import (
    ARENA,
    FRAME_TYPE,
    is_disproven,
    is_open,
    is_proven,
    moves_have_costs,
    set_outcome,
)
from solver.engines.dfpn.kernel.frontier import try_mated_in_two
from solver.engines.dfpn.kernel.outcome import (
    LARGEST,
    add_child,
    add_disproof_basis,
    answer_cost,
    assess_answer,
    assess_attack,
    assess_defence,
    check_weight,
    merge_answer,
    plies_below,
    remove_child,
    seen_status,
)
from solver.engines.dfpn.kernel.repetition import repeated_slide
from solver.engines.dfpn.kernel.table import FOREVER, FULL_HAND, INFINITE, hand_capped_for_drop
from solver.engines.kernel.mate import COUNT_ALL, drop_checks_attacker, futile_drop_captures
from tsume_rules.kernel.attacks import find_checkers
from tsume_rules.kernel.compile import jit, jit_inline, unit, void
from tsume_rules.kernel.move_generation import drops_on
from tsume_rules.kernel.state import do, dropped, hand_contains, hand_intersection, hand_union, packed_hand, undo
from tsume_rules.kernel.tables import ATT, DEF

# ---------------------------------------------------------------------------------------------------
#
# Spared drops: interpositions that the defender may not play (`DfPnEngine.sparing`).
#
# A spared drop holds for one board and every attacker's hand that includes the least hand of its entry:
# more in hand never hurts the attacker. The entries form a hash table in the arena's ``barred``;
# ``search.spared`` is its size, 0 if no drop is spared. Therefore
#
# - a proof that leaves out a spared drop needs the least hand, and two plies, as none is left out below;
# - a disproof by a drop that is spared with more in hand holds for no larger hand.

NOT_SPARED, SPARED_WITH_MORE = -1, -2
MULTIPLIER = np.uint64(0xD6E8FEB86659FD93)


@jit_inline
def spared_drop_key(pos, move):
    """Return the name of a drop on the present board."""
    return pos.key ^ ((np.uint64(move) + np.uint64(1)) * MULTIPLIER)


@unit(a=ARENA)
def spared_drop_hand(a, move):
    """Return the least hand with which a drop is spared, if the attacker has that. Otherwise
    `SPARED_WITH_MORE` if a larger hand would do, or `NOT_SPARED`."""
    mask = np.uint64(a.search.spared - 1)
    key = spared_drop_key(a.pos, move)
    hand = packed_hand(a.pos)
    found = NOT_SPARED
    place = key & mask
    while a.barred[place].key != 0:
        if a.barred[place].key == key:
            least = int(a.barred[place].hand)
            if hand_contains(hand, least):
                return least
            found = SPARED_WITH_MORE
        place = (place + np.uint64(1)) & mask
    return found


# --- interpositions --------------------------------------------------------------------------------


@jit
def expand_cell(a, frame, cell):
    """Add the drops on one cell: those that check the attacker's king as answers, the others as a child."""
    search = a.search
    end = drops_on(a.pos, cell, a.buf, 0)
    if end == 0:
        return
    if search.mode == COUNT_ALL:
        _expand_drops(a, frame, cell, arena.DROPS)
        return
    quiet = 0
    for i in range(end):
        move = a.buf[i]
        if drop_checks_attacker(a.pos, move):
            cap = hand_capped_for_drop(FULL_HAND, dropped(move), a.pos)
            if search.spared:
                spared = spared_drop_hand(a, move)
                if spared >= 0:
                    merge_spared_drop(frame, spared)
                    continue
                if spared != NOT_SPARED:
                    cap = hand_intersection(cap, packed_hand(a.pos))
            assess_answer(a, frame, move, end, cap)
            if frame.state == arena.DISPROVEN:
                return
        else:
            quiet += 1
    if quiet and not _futile_soon(a, frame, cell, end):
        _expand_drops(a, frame, cell, arena.QUIET_DROPS)


@jit_inline
def merge_spared_drop(frame, hand):
    """Merge a spared drop, which needs this least hand of the attacker (`sparing`)."""
    frame.proof_hand = hand_union(frame.proof_hand, hand)
    frame.proof_length = max(frame.proof_length, 2)


@unit(a=ARENA, frame=FRAME_TYPE)
def _futile_soon(a, frame, cell, base):
    """Return whether a slide to a cell is known, or quickly shown, to mate within the node's plies."""
    search = a.search
    if search.barred:
        return False
    _, checker = find_checkers(a.pos, DEF)
    end = futile_drop_captures(a.pos, cell, checker, search.mode, a.buf, base)
    for i in range(base, end):
        move = a.buf[i]
        do(a.pos, move, ATT)
        assess_defence(a, end, frame.n)
        if is_open(search):
            try_mated_in_two(a, end, 0)
        undo(a.pos, move, ATT, 0)
        if is_proven(search):
            merge_slide_proof(search, frame)
            return True
    return False


@jit
def _expand_drops(a, frame, cell, kind):
    """Make the drops on a cell one child of an AND node, which holds one drop at a time. As separate children
    they would count one threat several times."""
    set_outcome(a.search, 1, 1, frame.n, frame.hand, 0)
    add_child(a, frame, 0, kind, cell, FULL_HAND, 0)
    advance_to_next_drop(a, frame, a.search.top - 1)


@unit(void, a=ARENA, frame=FRAME_TYPE)
def advance_to_next_drop(a, frame, index):
    """Advance a child of drops to the next open drop, or settle the cell or the node."""
    search = a.search
    kid = a.kids[index]
    end = drops_on(a.pos, int(kid.cell), a.buf, 0)
    while kid.stage < end:
        move = a.buf[kid.stage]
        kid.stage += 1
        if kid.kind == arena.QUIET_DROPS and drop_checks_attacker(a.pos, move):
            continue
        if search.spared:
            spared = spared_drop_hand(a, move)
            if spared >= 0:
                merge_spared_drop(frame, spared)
                continue
        do(a.pos, move, DEF)
        assess_attack(a, end, plies_below(frame.n), check_weight(search, 0))
        undo(a.pos, move, DEF, 0)
        if is_disproven(search):
            merge_drop_disproof(a, frame, index, move)
            return
        if not is_proven(search):
            kid.move = move
            kid.pn = min(search.pn, LARGEST)
            kid.dn = min(search.dn, LARGEST)
            kid.seen = seen_status(search)
            kid.cost = answer_cost(a.pos, move) if moves_have_costs(search) else 0
            return
        merge_answer(search, frame, FULL_HAND)
    remove_child(a, frame, index)


@unit(void, a=ARENA, frame=FRAME_TYPE)
def merge_drop_disproof(a, frame, index, move):
    """Merge the disproof of a drop: the node is disproven, unless the drop may be futile."""
    search = a.search
    kid = a.kids[index]
    cap_hand = hand_capped_for_drop(FULL_HAND, dropped(move), a.pos)
    if search.spared and spared_drop_hand(a, move) != NOT_SPARED:
        cap_hand = hand_intersection(cap_hand, packed_hand(a.pos))
    if kid.kind == arena.DROPS:
        merge_answer(search, frame, cap_hand)
        return
    kid.kind = arena.SLIDE
    kid.stage = 0
    kid.cost = 0
    kid.cap_hand = hand_intersection(search.hand, cap_hand)
    kid.cap_length = min(search.length + 1, FOREVER)
    kid.taint = search.taint
    kid.least = search.least
    try_takers(a, frame, index)


@unit(void, a=ARENA, frame=FRAME_TYPE)
def try_takers(a, frame, index):
    """Advance a SLIDE child to its next open taker, or settle its cell or the node."""
    search = a.search
    kid = a.kids[index]
    _, checker = find_checkers(a.pos, DEF)
    end = futile_drop_captures(a.pos, int(kid.cell), checker, search.mode, a.buf, 0)
    while kid.stage < end:
        move = a.buf[kid.stage]
        do(a.pos, move, ATT)
        back = repeated_slide(a)
        if back == arena.NO_CIRCLE:
            assess_defence(a, end, frame.n)
        else:
            set_outcome(search, INFINITE, 0, frame.n, frame.hand, 0)
        frame.circle = min(frame.circle, back)
        undo(a.pos, move, ATT, 0)
        if is_proven(search):
            merge_slide_proof(search, frame)
            remove_child(a, frame, index)
            return
        if not is_disproven(search):
            kid.move = move
            kid.pn = min(search.pn, LARGEST)
            kid.dn = min(search.dn, LARGEST)
            kid.seen = seen_status(search)
            return
        merge_slide_disproof(search, kid)
    frame.state = arena.DISPROVEN
    frame.length = min(int(kid.cap_length), FOREVER)
    frame.disproof_hand = kid.cap_hand
    frame.taint = kid.taint
    frame.least = kid.least


@jit_inline
def merge_slide_proof(search, frame):
    """Merge the proof that a slide mates, just found, into the AND node ``frame``: the drops on its cell are futile.

    The length of the slide's mate counts as it is: a futile drop and its capture add no plies."""
    frame.proof_hand = hand_union(frame.proof_hand, search.hand)
    frame.proof_length = max(frame.proof_length, search.length)


@jit
def merge_slide_disproof(search, kid):
    """Merge a slide's disproof into its child and go on to the next taker."""
    kid.cap_hand = hand_intersection(int(kid.cap_hand), search.hand)
    kid.cap_length = min(int(kid.cap_length), search.length)
    add_disproof_basis(kid, search)
    kid.stage += 1
