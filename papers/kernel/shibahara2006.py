# SPDX-License-Identifier: GPL-3.0-or-later
"""PDS: depth-first search by proof and disproof numbers, both thresholds to be reached (Shibahara2006, 4.2).

A node is left when it is decided or when both of its counts have reached their thresholds. Until then the child nearest
to the decision is searched with one of its counts raised: the proof number as long as the node's own one is below its
threshold and not above the disproof number, else the disproof number (multiple iterative deepening; a count is raised
by a quarter, so that a node is not come back to for every single step).

A position that stands on the path already, the attacker's hand the same or smaller, is
counted as disproved; that disproof is tainted, and the position come back to is logged as
a candidate of the check search (`solver.engines.dfpn.unbounded_search`). So is a position that lies too deep
to be searched: the check begins with it anew. With ``deep_ends`` the search ends there, as in the paper (6.1).

Counts may grow without end where positions come back. The counter-measure is delayed (6.1): sums are taken until they
exceed ``delay``, and only then the largest count stands for the sum. The paper's begins when a threshold passes
100,000, and leaves children out of the sum that were met nearer to the root before.

The stack of nodes is an array, so that a search can be interrupted after any node.
"""

from __future__ import annotations

import numpy as np

from papers.kernel.small_shogi import (
    CELLS,
    DEFENDER,
    ENDGAME,
    HAND_SHIFT,
    KING,
    TURN,
    VARIANT_TABLES,
    WORD,
    child_positions,
    disproof_hand,
    exchanged_placement,
    pawn_drop_mates,
    proof_hand,
    rank_of_placement,
    set_up_endgame_position,
    variant_hand_contains,
)
from tsume_rules.kernel.compile import (
    INTEGERS,
    PAIR,
    Array,
    Tuple,
    boolean,
    export,
    int32,
    int64,
    jit,
    jit_inline,
    named_tuple,
    record,
    struct,
    structs,
    void,
)

# ---------------------------------------------------------------------------------------------------
#
# What is known of positions: counts, and answers that dominance lends to other hands.
#
# Entries of a board stand near one another whatever the hands. A proof holds with a larger hand of the attacker, a
# disproof with a smaller one (Seo1999). The counts of an open position hold for the very same hand only, unless
# ``lends`` is set as in the paper's first run: then a proof number is at least that of a larger hand, a disproof number
# at least that of a smaller one. In the second run some games did without, for two positions that differ in hand and
# lead to each other raise each other's counts for ever (Shibahara2006, section 6.3).
#
# A disproof that rests on a repetition is tainted: it carries the number of the question it
# was found for (its epoch), and others may use it once that epoch is accepted.

WINDOW = 8
NEVER = 1 << 30
"""A count that cannot be brought to zero."""
ENTRY = record([("state", np.int64), ("pn", np.int32), ("dn", np.int32), ("epoch", np.int32), ("work", np.int32)])


@jit_inline
def table_index(table, state):
    """Where the entries of a board begin."""
    mixed = np.uint64(state & WORD) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64((mixed >> np.uint64(24)) & np.uint64(table.size - WINDOW - 1))


@jit_inline
def is_dropped_disproof(arena, entry):
    """Whether an entry says nothing: a disproof that was dropped with its epoch."""
    return entry.dn == 0 and entry.epoch != 0 and entry.epoch != arena.search.epoch and not arena.accepted[entry.epoch]


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
        else:
            if there == hand or (arena.search.lends and variant_hand_contains(there, hand)):
                out.pn = max(out.pn, entry.pn)
            if there == hand or (arena.search.lends and variant_hand_contains(hand, there)):
                out.dn = max(out.dn, entry.dn)


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


# --- PDS -------------------------------------------------------------------------------------------

DEPTH = 1 << 10
"""The deepest path of the paper's first run (section 6.1)."""
DELAY = 1 << 20
"""The sum of counts from which on the largest stands for it."""
HOPELESS = 1 << 28
"""The largest sum of counts."""
CANDIDATES = 1 << 21
STANDING = 1 << 14
RUNNING, DECIDED, FULL, DEEP = range(4)
FRAME = record(
    [
        ("state", np.int64), ("began", np.int64), ("pn_goal", np.int32), ("dn_goal", np.int32),
        ("children", np.int32), ("best", np.int32),
    ]
)  # fmt: skip
KNOWN = record([("state", np.int64), ("pn", np.int32), ("dn", np.int32), ("hand", np.int32), ("tainted", np.int32)])
"""A child: its position and what is known of it; ``hand`` is that of a proof or disproof."""
SEARCH = record(  # the last line: what `papers.shibahara2006.PdsSettings` sets
    [
        ("depth", np.int64), ("nodes", np.int64), ("epoch", np.int64), ("stored", np.int64),
        ("candidates", np.int64), ("handed", np.int64), ("lost", np.int64),
        ("capacity", np.int64), ("delay", np.int64), ("lends", np.int64), ("deep_ends", np.int64),
    ]
)  # fmt: skip

PdsArena = named_tuple(
    "PdsArena", "rules table frames known moves standing candidates logged accepted search answer seen"
)
PDS_ARENA = Tuple(
    [
        VARIANT_TABLES, structs(ENTRY), structs(FRAME), Array(struct(KNOWN), 2), INTEGERS, Array(int32), INTEGERS,
        Array(int64, 2), Array(boolean), struct(SEARCH), struct(KNOWN), struct(KNOWN),
    ],
    PdsArena,
)  # fmt: skip


@export(void, arena=PDS_ARENA)
def begin_pds(arena, state, pn_goal, dn_goal):
    """Put a position at the bottom of the stack, to be left when both counts have reached their thresholds."""
    while arena.search.depth > 0:  # left behind by an interrupted search
        arena.search.depth -= 1
        arena.standing[path_counter_index(arena.frames[arena.search.depth].state)] -= 1
    expand_pds_node(arena, state, pn_goal, dn_goal)


@jit
def expand_pds_node(arena, state, pn_goal, dn_goal):
    """Expand a position on top of the stack: its children with what is known of them."""
    depth = arena.search.depth
    frame = arena.frames[depth]
    frame.state, frame.pn_goal, frame.dn_goal, frame.best = state, pn_goal, dn_goal, -1
    frame.began = arena.search.nodes
    arena.standing[path_counter_index(state)] += 1
    frame.children = child_positions(arena.rules, state, arena.moves)
    arena.search.depth = depth + 1
    arena.search.nodes += 1
    for i in range(frame.children):
        child = arena.known[depth, i]
        child.state = arena.moves[i]
        if not disprove_repetition(arena, child):
            look_up_pds_entry(arena, child.state, child)


@jit_inline
def path_counter_index(state):
    """Where the positions on the path with this board are counted, with a few other boards."""
    return np.int64((np.uint64(state & WORD) * np.uint64(0xC2B2AE3D27D4EB4F)) >> np.uint64(50))


@jit
def disprove_repetition(arena, child):
    """Disprove a child that stands on the path already, and log the position it comes back to."""
    if arena.standing[path_counter_index(child.state)] == 0:
        return False
    hand = child.state >> HAND_SHIFT
    for i in range(arena.search.depth):
        above = arena.frames[i].state
        if (above ^ child.state) & WORD == 0 and variant_hand_contains(above >> HAND_SHIFT, hand):
            child.pn, child.dn, child.hand, child.tainted = NEVER, 0, above >> HAND_SHIFT, 1
            log_repeated_position(arena, above)
            return True
    return False


@jit
def log_repeated_position(arena, state):
    """Note a candidate, once for each question."""
    search = arena.search
    if search.candidates >= search.capacity:
        search.lost = FULL
        return
    mixed = np.uint64(state) * np.uint64(0xD6E8FEB86659FD93)
    place = np.int64((mixed >> np.uint64(32)) & np.uint64(CANDIDATES - 1))
    while arena.logged[place, 1] == search.epoch:
        if arena.logged[place, 0] == state:
            return
        place = (place + 1) & (CANDIDATES - 1)
    arena.logged[place, 0], arena.logged[place, 1] = state, search.epoch
    arena.candidates[search.candidates] = state
    search.candidates += 1


@export(arena=PDS_ARENA)
def continue_pds(arena, until):
    """Search until the bottom of the stack is left or ``until`` nodes have been searched.

    The answer is left in ``arena.answer``. None is given once a candidate was lost: the
    disproofs that rest on it could not be verified.
    """
    search = arena.search
    while search.nodes < until:
        if search.lost:
            return search.lost
        depth = search.depth - 1
        frame = arena.frames[depth]
        pn, dn = proof_numbers_of_node(arena, depth)
        if pn == 0 or dn == 0 or (pn >= frame.pn_goal and dn >= frame.dn_goal):
            leave_pds_node(arena, depth, pn, dn)
            if depth == 0:
                return DECIDED
            continue
        if depth == 0 and pn >= HOPELESS and dn >= HOPELESS:
            return FULL
        prove = pn < frame.pn_goal and (dn >= frame.dn_goal or pn <= dn)
        descend_to_child(arena, depth, most_proving_child(arena, depth), prove)
    return RUNNING


@jit
def proof_numbers_of_node(arena, depth):
    """A node's proof and disproof number from its children's."""
    frame = arena.frames[depth]
    attacker = frame.state & TURN == 0
    least, total, largest = NEVER, 0, 0
    for i in range(frame.children):
        child = arena.known[depth, i]
        one, other = (child.pn, child.dn) if attacker else (child.dn, child.pn)
        least = min(least, one)
        total += min(other, HOPELESS)
        largest = max(largest, other)
    if least == 0:
        return (0, NEVER) if attacker else (NEVER, 0)
    if total == 0:
        return (NEVER, 0) if attacker else (0, NEVER)
    if total > arena.search.delay:
        total = min(largest + frame.children, HOPELESS)
    return (least, total) if attacker else (total, least)


@jit
def most_proving_child(arena, depth):
    """The child nearest to the decision: for the attacker to a proof, for the defender to a disproof.

    Of equals the one with the smaller other count (section 4.2).
    """
    frame = arena.frames[depth]
    attacker = frame.state & TURN == 0
    best, one, other = -1, NEVER, NEVER
    for i in range(frame.children):
        child = arena.known[depth, i]
        first, second = (child.pn, child.dn) if attacker else (child.dn, child.pn)
        if second == 0:
            continue
        if best < 0 or first < one or (first == one and second < other):
            best, one, other = i, first, second
    return best


@jit
def descend_to_child(arena, depth, best, prove):
    """Search a child with its proof number raised, or its disproof number."""
    frame = arena.frames[depth]
    frame.best = best
    child = arena.known[depth, best]
    seen = arena.seen
    look_up_pds_entry(arena, child.state, seen)
    if seen.pn == 0 or seen.dn == 0:
        child.pn, child.dn, child.hand, child.tainted = seen.pn, seen.dn, seen.hand, seen.tainted
        return
    child.pn, child.dn = max(child.pn, seen.pn), max(child.dn, seen.dn)
    if depth + 1 >= DEPTH:
        if arena.search.deep_ends:
            arena.search.lost = DEEP
        child.pn, child.dn, child.hand, child.tainted = NEVER, 0, child.state >> HAND_SHIFT, 1
        log_repeated_position(arena, child.state)
        return
    pn_goal, dn_goal = child.pn, child.dn
    if prove:
        pn_goal += 1 + child.pn // 4
    else:
        dn_goal += 1 + child.dn // 4
    expand_pds_node(arena, child.state, pn_goal, dn_goal)


@jit
def leave_pds_node(arena, depth, pn, dn):
    """Take the top of the stack away; keep what came out and tell the node above."""
    frame = arena.frames[depth]
    hand, tainted = frame.state >> HAND_SHIFT, 0
    if pn == 0:
        hand = proof_hand(arena, depth)
    elif dn == 0:
        hand, tainted = disproof_hand(arena, depth)
    state = frame.state & WORD | hand << HAND_SHIFT
    store_pds_entry(arena, state, pn, dn, arena.search.epoch if tainted else 0, arena.search.nodes - frame.began)
    told = arena.answer if depth == 0 else arena.known[depth - 1, arena.frames[depth - 1].best]
    told.pn, told.dn, told.hand, told.tainted = pn, dn, hand, tainted
    arena.standing[path_counter_index(frame.state)] -= 1
    arena.search.depth = depth


@export(arena=PDS_ARENA)
def next_unverified_candidate(arena):
    """A candidate without a disproof of its own, each once; 0 if there are no more."""
    search = arena.search
    while search.handed < search.candidates:
        state = arena.candidates[search.handed]
        search.handed += 1
        look_up_pds_entry(arena, state, arena.seen)
        if arena.seen.dn != 0:
            return state
    return 0


# --- every position of a set of pieces, solved backwards from the lost ones ------------------------
#
# Positions are numbered as `papers.kernel.small_shogi` says.
#
# First all legal positions are found, and how many moves each has: who has none has lost. Then round by round, moves
# are taken back from the positions decided last: a position with a move to a lost one is won; one whose last move to
# anything but a won one is gone is lost. What is never reached is a draw. Apart from the tables of what a piece reaches
# nothing here is shared with the search it judges, but `child_positions`, which counts moves where a king is in check
# or something may be pinned.

UNKNOWN, ILLEGAL = 0, 255
"""Values. Others: one more than the plies to the end, which are odd when the mover wins."""
MAX_PLIES = 250


@export(PAIR, g=ENDGAME)
def judge_block(g, block):
    """Judge the positions with the kings on two cells: illegal ones, numbers of moves, lost ones.

    Returns how many are legal and how many are lost.
    """
    mine, theirs = block // CELLS, block % CELLS
    first = block * g.ranks[0] * g.ranks[1]
    kings = 1 << mine | 1 << theirs
    legal, lost = 0, 0
    apart = mine != theirs and not g.rules.reach[KING, mine, 0] >> theirs & 1
    for second in range(g.ranks[1]):
        for one in range(g.ranks[0]):
            at = first + second * g.ranks[0] + one
            cells, others = g.cells[0, one], g.cells[1, second]
            g.value[at] = ILLEGAL
            if not apart or cells < 0 or others < 0 or cells & others or (cells | others) & kings:
                continue
            set_up_endgame_position(g, mine, theirs, one, second)
            number = count_moves(g)
            if number < 0:
                continue
            legal += 1
            g.value[at] = UNKNOWN
            g.left[at] = number
            if number == 0:
                g.value[at] = 1
                g.fresh[block * g.ranks[1] + second] |= 1
                lost += 1
    return legal, lost


@jit
def count_moves(g):
    """How many legal moves the mover has; -1 if the position is illegal."""
    s, r = g.scratch, g.rules
    occupied = s.own | s.other
    mine, theirs = s.kings[0], s.kings[1]
    attacked, through = 0, 0
    for k in range(s.number):
        if s.cell[k] < 0:
            continue
        if s.code[k] <= DEFENDER:
            if r.reach[s.code[k], s.cell[k], occupied] >> theirs & 1:
                return -1
        else:
            attacked |= r.reach[s.code[k], s.cell[k], occupied & ~(1 << mine)]
            through |= r.reach[s.code[k], s.cell[k], s.other]
    if through >> mine & 1:
        return child_positions(r, s.board | s.hand << HAND_SHIFT, g.moves)
    attacked |= r.reach[KING, theirs, 0]
    number = g.bits[r.reach[KING, mine, 0] & ~s.own & ~attacked]
    for k in range(s.number):
        if s.cell[k] < 0 or s.code[k] > DEFENDER:
            continue
        targets = r.reach[s.code[k], s.cell[k], occupied] & ~s.own
        number += g.bits[targets & r.alive[s.code[k]]]
        if r.promoted[s.code[k]] != 0:
            number += g.bits[targets if r.zone[0] >> s.cell[k] & 1 else targets & r.zone[0]]
    for slot in range(2):
        if s.hand >> (3 * slot) & 7 == 0:
            continue
        code = 2 + 2 * slot
        targets = ~occupied & r.alive[code]
        if r.pawn[slot]:
            for k in range(s.number):
                if s.cell[k] >= 0 and s.code[k] == code:
                    targets &= ~(0b1001001001 << (s.cell[k] % 3))
            front = theirs + 3
            if front < CELLS and targets >> front & 1:
                after = s.board | code << (4 * front)
                if pawn_drop_mates(r, after, 0, code, front):
                    number -= 1
        number += g.bits[targets]
    return number


@export(g=ENDGAME)
def take_back_from_block(g, block, plies):
    """Take moves back from the positions of a block decided at so many plies; returns how many are new."""
    new = 0
    for second in range(g.ranks[1]):
        row = block * g.ranks[1] + second
        if not g.fresh[row] >> (plies & 1) & 1:
            continue
        g.fresh[row] ^= 1 << (plies & 1)
        for one in range(g.ranks[0]):
            if g.value[row * g.ranks[0] + one] == plies + 1:
                set_up_endgame_position(g, block // CELLS, block % CELLS, one, second)
                new += take_back_all_moves(g, plies)
    return new


@jit
def take_back_all_moves(g, plies):
    """Take back every move that may have led to the position in the scratch space."""
    s, r = g.scratch, g.rules
    s.plies, s.new = plies, 0
    occupied = s.own | s.other
    for k in range(s.number):
        s.turned[k] = exchanged_placement(s.place[k], g.hands[s.slot[k]])
    for i in range(CELLS):
        if g.sources[KING + DEFENDER, s.kings[1], 0] & ~occupied & 1 << i:
            take_back_move_to_cell(g, i, s.kings[1])
    for k in range(s.number):
        if s.cell[k] < 0 or s.code[k] <= DEFENDER:
            continue
        cell, code, slot = s.cell[k], s.code[k], s.slot[k]
        plain = 2 + 2 * slot + DEFENDER
        promoted = code != plain
        before = s.turned[k]
        if not promoted and not is_mate_by_pawn(g, k):
            s.turned[k] = g.hands[slot]
            decide_predecessor(g, s.kings[1])
        for form in range(2 if promoted else 1):
            older = code - form
            sources = g.sources[older, cell, occupied] & ~occupied
            if form == 1 and not r.zone[1] >> cell & 1:
                sources &= r.zone[1]
            for start in range(CELLS):
                if sources >> start & 1:
                    s.turned[k] = CELLS - 1 - start + 2 * CELLS * (older - plain)
                    take_back_move_to_cell(g, s.kings[1], cell)
        s.turned[k] = before
    return s.new


@jit
def is_mate_by_pawn(g, k):
    """Whether the mover is lost to a pawn that may have been dropped: such a drop is no legal move."""
    s, r = g.scratch, g.rules
    return r.pawn[s.slot[k]] and s.plies == 0 and r.reach[s.code[k], s.cell[k], 0] >> s.kings[0] & 1 != 0


@jit
def take_back_move_to_cell(g, king, cell):
    """Take a move to a cell back, without a capture and with each there may have been."""
    decide_predecessor(g, king)
    s = g.scratch
    for slot in range(2):
        if s.other_hand >> (3 * slot) & 7 == 0:
            continue
        taken = 0
        while s.slot[taken] != slot or s.place[taken] != g.hands[slot] + 1:
            taken += 1
        before = s.turned[taken]
        for form in range(g.forms[slot]):
            s.turned[taken] = CELLS - 1 - cell + CELLS + 2 * CELLS * form
            decide_predecessor(g, king)
        s.turned[taken] = before


@jit
def decide_predecessor(g, king):
    """Tell the position in ``turned``, its mover's king on a cell as the other side sees it."""
    s = g.scratch
    for k in range(s.number):
        s.sorted[k] = s.turned[k]
    one = rank_of_placement(s.sorted, 0, g.pieces[0])
    second = rank_of_placement(s.sorted, g.pieces[0], g.pieces[1])
    block = (CELLS - 1 - king) * CELLS + CELLS - 1 - s.kings[0]
    row = block * g.ranks[1] + second
    at = row * g.ranks[0] + one
    if g.value[at] != UNKNOWN:
        return
    if s.plies & 1 != 0:
        g.left[at] -= 1
        if g.left[at] != 0:
            return
    g.value[at] = s.plies + 2
    g.fresh[row] |= 1 << (s.plies + 1 & 1)
    s.new += 1
