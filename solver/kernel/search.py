"""df-pn under a bound on the length (Nagai2002), on a graph without cycles.

Every node is a position with the number of plies left, so nothing repeats on a
path: a bounded answer depends on the position only, and no cycle can make it
wrong. Lengths share what is certain through the table (`table.look_up`). Under the
wide reading alone a row of slides may run in a circle: see `_circle`.

An OR node (the attacker to move, n odd) is proved by one child. An AND node (the
defender to move, n even) needs all of them. A group of drops on one cell is
first represented by its test for futility, the AND node with the checker slid
to the cell and as many plies left (`SLIDE`); only when that is disproved do the
drops themselves become children (design: the recursion ends because (n, distance
of the checker) falls).

The search keeps its own stack (`FRAME`, `CHILD`), so it can be stopped after any
node and resumed: Python drives it in slices.
"""

import numpy as np

from rules.kernel.attacks import find_checkers, slides_between
from rules.kernel.checks import pseudo_checks
from rules.kernel.compile import jit
from rules.kernel.evasions import board_evasions, drops_on
from rules.kernel.play import do, dropped, hand_kind, undo
from rules.kernel.state import UNIT, count_of, intersection, packed_hand, union
from rules.kernel.tables import ATT, DEF, LINE, PAWN, STEP
from solver.kernel.mate import (
    COUNT_ALL,
    WIDE,
    blocking_hand,
    drop_checks_attacker,
    is_mated,
    mate_in_one,
    takers,
)
from solver.kernel.table import DISPROVEN, FOREVER, INFINITE, PROVEN, UNKNOWN, look_up, store

SEARCH = np.dtype(
    [
        ("nodes", np.int64),  # positions expanded
        ("peak", np.int64),  # the largest proof number the root has had
        ("evicted", np.int64),  # table entries overwritten by other boards
        ("top", np.int64),  # first free place among the children
        ("depth", np.int32),  # frames in use
        ("mode", np.int32),  # which interpositions are futile
        ("stamp", np.uint16),  # which table entries are ours
        ("barred", np.int32),  # how many positions the attacker may not reach again
        ("pn", np.int64),  # the outcome of the last finished node
        ("dn", np.int64),
        ("length", np.int64),
        ("hand", np.int64),
        ("circle", np.int64),  # the frame its disproof rests on, NO_CIRCLE if on none
    ],
    align=True,
)
FRAME = np.dtype(
    [
        ("key", np.uint64),
        ("slot", np.uint64),
        ("started", np.int64),  # search.nodes when the node was entered
        ("th_pn", np.int64),
        ("th_dn", np.int64),
        ("first", np.int32),  # its children: first, and how many
        ("count", np.int32),
        ("current", np.int32),  # the child being searched
        ("hand", np.int32),  # the attacker's hand
        ("captured", np.int32),  # to undo the current child's move
        ("n", np.int32),  # plies left
        ("attacker", np.int8),  # whether it is an OR node
        ("state", np.int8),  # UNKNOWN, PROVEN, DISPROVEN
        ("length", np.int32),  # of the proof or disproof
        ("proof_hand", np.int32),
        ("disproof_hand", np.int32),
        ("proof_length", np.int32),  # longest proved answer so far (AND)
        ("disproof_length", np.int32),  # shortest disproof so far (OR)
        ("circle", np.int32),  # the lowest frame that a slide came back to; NO_CIRCLE if none
    ],
    align=True,
)
CHILD = np.dtype(
    [
        ("move", np.int32),
        ("pn", np.uint32),
        ("dn", np.uint32),
        ("cap_hand", np.int32),  # the largest hand for which disproving this child tells anything
        ("cap_length", np.int16),  # likewise the length
        ("kind", np.int8),  # MOVE or SLIDE
        ("cell", np.int8),  # of a SLIDE: where the drops would be
        ("stage", np.int16),  # of a SLIDE: which taker is being tried
    ],
    align=True,
)
MOVE, SLIDE = 0, 1

BARRED = np.dtype([("key", np.uint64), ("hand", np.int64)])
"""Positions at which the attacker fails: a way back to them is a detour."""

RUNNING, FINISHED, OUT_OF_STACK = 0, 1, 2

AND_KEY = np.uint64(0x9E3779B97F4A7C15)
MODE_KEY = np.array([0, 0x2545F4914F6CDD1D, 0x632BE59BD9B4E019], dtype=np.uint64)
FULL = np.array([0, 18, 4, 4, 4, 2, 2, 4], dtype=np.int64)
FULL_HAND = int((FULL * UNIT).sum())
MOVES_AT_MOST = 640
LARGEST = INFINITE - 1
NO_CIRCLE = 1 << 30


@jit
def node_key(pos, search, attacker):
    """The table key of a position for a side to move and a reading of interpositions."""
    key = pos.key ^ MODE_KEY[search.mode]
    return key if attacker else key ^ AND_KEY


@jit
def is_barred(search, barred, key, hand):
    """Whether the attacker may not come back to a position."""
    for i in range(search.barred):
        if barred[i].key == key and barred[i].hand == hand:
            return True
    return False


@jit
def before_attack(hand, move, captured, full):
    """A hand after the attacker's move taken back to before it (``full``: cap at the set)."""
    kind = dropped(move)
    if kind:
        if full and count_of(hand, kind) >= FULL[kind]:
            return hand
        return hand + UNIT[kind]
    if captured:
        kind = hand_kind(captured)
        if count_of(hand, kind):
            return hand - UNIT[kind]
    return hand


@jit
def disproof_start(hand):
    """The hand a disproof of an OR node begins with: all of what is held, none of the rest.

    A kind that is not held could give checks that were not looked at.
    """
    total = 0
    for kind in range(1, 8):
        if count_of(hand, kind):
            total += FULL[kind] * UNIT[kind]
    return total


@jit
def less_one(hand, kind, pos):
    """A packed hand capped so that the defender still owns one piece of a kind to drop."""
    own = int(pos.hand[ATT, kind]) + int(pos.hand[DEF, kind]) - 1
    have = count_of(hand, kind)
    return hand if have <= own else hand - (have - own) * UNIT[kind]


# --- judging a position without expanding it -------------------------------------------


@jit
def _outcome(search, pn, dn, length, hand):
    search.pn = pn
    search.dn = dn
    search.length = length
    search.hand = hand


@jit
def judge_attack(pos, table, search, barred, buf, base, n):
    """What is known at once of an OR node; the outcome goes to the search record."""
    hand = packed_hand(pos)
    key = node_key(pos, search, True)
    if search.barred and is_barred(search, barred, key, hand):
        _outcome(search, INFINITE, 0, FOREVER, hand)
        return
    pn, dn, length, certain = look_up(table, search, key, pos.slot, hand, n)
    if pn == 0 and dn == 0:
        if n > 1:
            _outcome(search, 1, 1, n, hand)
            return
        search.nodes += 1
        move = mate_in_one(pos, search.mode, buf, base)
        if move > 0:
            captured = do(pos, move, ATT)
            count, checker = find_checkers(pos, DEF)
            needed = blocking_hand(pos, count, checker)
            undo(pos, move, ATT, captured)
            pn, dn, length, certain = 0, INFINITE, 1, before_attack(needed, move, captured, False)
        elif move < 0:
            pn, dn, length, certain = INFINITE, 0, FOREVER, disproof_start(hand)
        else:
            pn, dn, length, certain = INFINITE, 0, 1, hand
        store(table, search, key, pos.slot, hand, pn, dn, length, certain, 1)
    _outcome(search, pn, dn, length, certain)


@jit
def judge_defence(pos, table, search, buf, base, n):
    """What is known at once of an AND node (n >= 2); the outcome goes to the search record."""
    hand = packed_hand(pos)
    key = node_key(pos, search, False)
    pn, dn, length, certain = look_up(table, search, key, pos.slot, hand, n)
    if pn == 0 and dn == 0:
        count, checker = find_checkers(pos, DEF)
        answers = board_evasions(pos, count, checker, buf, base) - base
        king = int(pos.king[DEF])
        between = slides_between(checker, king) if count == 1 else 0
        step = STEP[max(LINE[king, checker], 0)]
        for i in range(1, between + 1):
            answers += min(drops_on(pos, king + i * step, buf, base) - base, 1)
        if answers == 0:
            needed = blocking_hand(pos, count, checker)
            _outcome(search, 0, INFINITE, 0, needed)
        else:
            _outcome(search, answers, 1, n, hand)
        return
    _outcome(search, pn, dn, length, certain)


# --- expansion --------------------------------------------------------------------------


@jit
def _add_child(search, frame, kids, move, kind, cell, cap_hand, cap_length):
    kid = kids[search.top]
    kid.move = move
    kid.pn = min(search.pn, LARGEST)
    kid.dn = min(search.dn, LARGEST)
    kid.kind = kind
    kid.cell = cell
    kid.stage = 0
    kid.cap_hand = cap_hand
    kid.cap_length = cap_length
    search.top += 1
    frame.count += 1


@jit
def _expand_attack(pos, table, search, frame, kids, buf):
    """Fill an OR node's children, or decide it."""
    frame.disproof_hand = disproof_start(frame.hand)
    frame.disproof_length = FOREVER
    end = pseudo_checks(pos, buf, 0)
    for i in range(end):
        move = buf[i]
        captured = do(pos, move, ATT)
        judge_defence(pos, table, search, buf, end, frame.n - 1)
        undo(pos, move, ATT, captured)
        if search.pn == 0 and search.length == 0 and dropped(move) == PAWN:
            continue  # mate by a dropped pawn is no move
        _take_in_attack(search, frame, move, captured)
        if frame.state == PROVEN:
            return
        if search.dn != 0:
            _add_child(search, frame, kids, move, MOVE, 0, FULL_HAND, FOREVER)
    if frame.count == 0:
        _disprove_attack(frame)


@jit
def _take_in_attack(search, frame, move, captured):
    """Take a child's outcome into an OR node."""
    if search.pn == 0:
        frame.state = PROVEN
        frame.length = search.length + 1
        frame.proof_hand = before_attack(search.hand, move, captured, False)
    elif search.dn == 0:
        hand = before_attack(search.hand, move, captured, True)
        frame.disproof_hand = intersection(frame.disproof_hand, hand)
        frame.disproof_length = min(frame.disproof_length, search.length + 1)  # never above FOREVER


@jit
def _disprove_attack(frame):
    frame.state = DISPROVEN
    frame.length = frame.disproof_length


@jit
def _expand_defence(pos, table, search, frames, frame, kids, barred, buf):
    """Fill an AND node's children, or decide it."""
    count, checker = find_checkers(pos, DEF)
    frame.proof_hand = blocking_hand(pos, count, checker)
    frame.proof_length = 0
    end = board_evasions(pos, count, checker, buf, 0)
    for i in range(end):
        _judge_answer(pos, table, search, frame, kids, barred, buf, buf[i], end, FULL_HAND, FOREVER)
        if frame.state == DISPROVEN:
            return
    king = int(pos.king[DEF])
    between = slides_between(checker, king) if count == 1 else 0
    step = STEP[max(LINE[king, checker], 0)]
    for i in range(1, between + 1):
        _expand_cell(pos, table, search, frames, frame, kids, barred, buf, king + i * step)
        if frame.state == DISPROVEN:
            return
    if frame.count == 0:
        _prove_defence(frame)


@jit
def _judge_answer(pos, table, search, frame, kids, barred, buf, move, base, cap_hand, cap_length):
    """Judge one ordinary answer and take it into an AND node."""
    captured = do(pos, move, DEF)
    judge_attack(pos, table, search, barred, buf, base, frame.n - 1)
    undo(pos, move, DEF, captured)
    _take_in_answer(search, frame, cap_hand, cap_length)
    if search.pn != 0 and search.dn != 0:
        _add_child(search, frame, kids, move, MOVE, 0, cap_hand, cap_length)


@jit
def _take_in_answer(search, frame, cap_hand, cap_length):
    """Take an ordinary answer's outcome into an AND node."""
    if search.pn == 0:
        frame.proof_hand = union(frame.proof_hand, search.hand)
        frame.proof_length = max(frame.proof_length, search.length + 1)
    elif search.dn == 0:
        frame.state = DISPROVEN
        frame.length = min(search.length + 1, cap_length, FOREVER)
        frame.disproof_hand = intersection(search.hand, cap_hand)


@jit
def _prove_defence(frame):
    frame.state = PROVEN
    frame.length = frame.proof_length


@jit
def _expand_cell(pos, table, search, frames, frame, kids, barred, buf, cell):
    """The drops on one cell: those that check the attacker's king, then the test for futility."""
    end = drops_on(pos, cell, buf, 0)
    if end == 0:
        return
    if search.mode == COUNT_ALL:
        _expand_drops(pos, table, search, frame, kids, barred, buf, cell, FULL_HAND, FOREVER, False)
        return
    quiet = 0
    for i in range(end):
        move = buf[i]
        if drop_checks_attacker(pos, move):
            cap = less_one(FULL_HAND, dropped(move), pos)
            _judge_answer(pos, table, search, frame, kids, barred, buf, move, end, cap, FOREVER)
            if frame.state == DISPROVEN:
                return
        else:
            quiet += 1
    if quiet:
        _outcome(search, 1, 1, frame.n, frame.hand)
        _add_child(search, frame, kids, 0, SLIDE, cell, FULL_HAND, FOREVER)
        _try_takers(pos, table, search, frames, frame, kids, barred, buf, search.top - 1)


@jit
def _try_takers(pos, table, search, frames, frame, kids, barred, buf, index):
    """Bring a SLIDE child to its next open taker, or settle its cell."""
    kid = kids[index]
    _, checker = find_checkers(pos, DEF)
    end = takers(pos, int(kid.cell), checker, search.mode, buf, 0)
    while kid.stage < end:
        move = buf[kid.stage]
        do(pos, move, ATT)
        circle = _circle(pos, search, frames)
        if circle == NO_CIRCLE:
            judge_defence(pos, table, search, buf, end, frame.n)
        else:
            _outcome(search, INFINITE, 0, frame.n, frame.hand)
            frame.circle = min(frame.circle, circle)
        undo(pos, move, ATT, 0)
        if search.pn == 0:
            _slide_proven(search, frame)
            _remove_child(search, frame, kids, index)
            return
        if search.dn != 0:
            kid.move = move
            kid.pn = min(search.pn, LARGEST)
            kid.dn = min(search.dn, LARGEST)
            return
        _slide_disproven(search, kid)
    cell, cap_hand, cap_length = int(kid.cell), int(kid.cap_hand), int(kid.cap_length)
    _remove_child(search, frame, kids, index)
    _expand_drops(pos, table, search, frame, kids, barred, buf, cell, cap_hand, cap_length, True)


@jit
def _circle(pos, search, frames):
    """The frame at which a slide's position stands already in the present row of slides.

    Coming back shows nothing to be futile, so the slide fails; but only on this path.
    A disproof that rests on it is not stored, up to the frame that was come back to:
    there all ways have been tried, and it is a plain disproof (Kishimoto).
    """
    if search.mode != WIDE:
        return NO_CIRCLE  # the checker only comes nearer
    key = node_key(pos, search, False)
    i = search.depth - 1
    while frames[i].key != key:
        i -= 1
        if i < 0 or frames[i].attacker:
            return NO_CIRCLE
    return i


@jit
def _slide_proven(search, frame):
    frame.proof_hand = union(frame.proof_hand, search.hand)
    frame.proof_length = max(frame.proof_length, search.length)


@jit
def _slide_disproven(search, kid):
    kid.cap_hand = intersection(int(kid.cap_hand), search.hand)
    kid.cap_length = min(int(kid.cap_length), search.length)
    kid.stage += 1


@jit
def _expand_drops(pos, table, search, frame, kids, barred, buf, cell, cap_hand, cap_length, quiet_only):
    """Make the drops on a cell ordinary children of an AND node."""
    end = drops_on(pos, cell, buf, 0)
    for i in range(end):
        move = buf[i]
        if quiet_only and drop_checks_attacker(pos, move):
            continue
        cap = less_one(cap_hand, dropped(move), pos)
        _judge_answer(pos, table, search, frame, kids, barred, buf, move, end, cap, cap_length)
        if frame.state == DISPROVEN:
            return


@jit
def _remove_child(search, frame, kids, index):
    """Remove a child of the node on top of the stack."""
    search.top -= 1
    frame.count -= 1
    if index != search.top:
        kids[index] = kids[search.top]


# --- the loop ---------------------------------------------------------------------------


@jit
def begin(pos, table, search, frames, kids, barred, buf, n, attacker):
    """Start a search for a mate within n plies; True if it is decided at once."""
    search.depth = 0
    search.top = 0
    if peek(pos, table, search, barred, buf, n, attacker):
        return True
    _push(pos, table, search, frames, kids, barred, buf, n, attacker, INFINITE, INFINITE)
    return False


@jit
def peek(pos, table, search, barred, buf, n, attacker):
    """Whether a node is decided without a search; the outcome is in the search record."""
    if attacker:
        judge_attack(pos, table, search, barred, buf, 0, n)
    elif n > 0:
        judge_defence(pos, table, search, buf, 0, n)
    else:
        _judge_mated(pos, search, buf)
    return search.pn == 0 or search.dn == 0


@jit
def _judge_mated(pos, search, buf):
    """An AND node with no ply left: mated or not, nothing between."""
    frame_hand = packed_hand(pos)
    mated = is_mated(pos, search.mode, buf, 0)
    count, checker = find_checkers(pos, DEF)
    if mated:
        _outcome(search, 0, INFINITE, 0, blocking_hand(pos, count, checker))
    else:
        _outcome(search, INFINITE, 0, 0, frame_hand)


@jit
def _push(pos, table, search, frames, kids, barred, buf, n, attacker, th_pn, th_dn):
    """Enter a node and expand it."""
    frame = frames[search.depth]
    search.depth += 1
    search.nodes += 1
    frame.key = node_key(pos, search, attacker)
    frame.slot = pos.slot
    frame.hand = packed_hand(pos)
    frame.started = search.nodes
    frame.n = n
    frame.attacker = attacker
    frame.state = UNKNOWN
    frame.th_pn = th_pn
    frame.th_dn = th_dn
    frame.first = search.top
    frame.count = 0
    frame.circle = NO_CIRCLE
    if attacker:
        _expand_attack(pos, table, search, frame, kids, buf)
    else:
        _expand_defence(pos, table, search, frames, frame, kids, barred, buf)


@jit
def _numbers(frame, kids):
    """The proof and disproof number of an open node, its best child and the runner-up's number."""
    least = INFINITE
    second = INFINITE
    total = 0
    best = -1
    for i in range(frame.first, frame.first + frame.count):
        kid = kids[i]
        up = int(kid.pn) if frame.attacker else int(kid.dn)
        down = int(kid.dn) if frame.attacker else int(kid.pn)
        total += down
        if up < least:
            second = least
            least = up
            best = i
        elif up < second:
            second = up
    return least, second, min(total, LARGEST), best


@jit
def run(pos, table, search, frames, kids, barred, buf, budget):
    """Search on until the root is decided or ``budget`` more nodes are expanded."""
    limit = search.nodes + budget
    room = len(kids) - 2 * MOVES_AT_MOST
    while True:
        frame = frames[search.depth - 1]
        least, second, total, best = 0, 0, 0, -1
        if frame.state == UNKNOWN:
            least, second, total, best = _numbers(frame, kids)
            if search.depth == 1:
                search.peak = max(search.peak, least if frame.attacker else total)
            th_up = frame.th_pn if frame.attacker else frame.th_dn
            th_down = frame.th_dn if frame.attacker else frame.th_pn
            if least < th_up and total < th_down:
                if search.nodes >= limit:
                    return RUNNING
                if search.top > room or search.depth + 1 >= len(frames):
                    return OUT_OF_STACK
                up = min(th_up, second + second // 4 + 1)
                down = th_down - total
                _descend(pos, table, search, frames, kids, barred, buf, best, up, down)
                continue
        _settle(table, search, frame, least, total)
        search.top = frame.first
        search.depth -= 1
        if search.depth == 0:
            return FINISHED
        _return(pos, table, search, frames, kids, barred, buf)


@jit
def _descend(pos, table, search, frames, kids, barred, buf, best, up, down):
    """Play the chosen child's move and enter it with its thresholds."""
    frame = frames[search.depth - 1]
    kid = kids[best]
    frame.current = best
    slide = kid.kind == SLIDE
    if frame.attacker:
        frame.captured = do(pos, int(kid.move), ATT)
        th_pn, th_dn = up, down + int(kid.dn)
    else:
        frame.captured = do(pos, int(kid.move), ATT if slide else DEF)
        th_pn, th_dn = down + int(kid.pn), up
    n = frame.n if slide else frame.n - 1
    attacker = not frame.attacker and not slide
    _push(pos, table, search, frames, kids, barred, buf, n, attacker, th_pn, th_dn)


@jit
def _settle(table, search, frame, least, total):
    """Store a node's outcome and leave it in the search record."""
    work = search.nodes - frame.started + 1
    if frame.state == PROVEN:
        _outcome(search, 0, INFINITE, int(frame.length), int(frame.proof_hand))
    elif frame.state == DISPROVEN:
        _outcome(search, INFINITE, 0, int(frame.length), int(frame.disproof_hand))
    elif frame.attacker:
        _outcome(search, least, total, int(frame.n), int(frame.hand))
    else:
        _outcome(search, total, least, int(frame.n), int(frame.hand))
    search.circle = NO_CIRCLE
    if frame.state == DISPROVEN and frame.circle < search.depth - 1:
        search.circle = frame.circle
        return
    store(
        table, search, frame.key, frame.slot, int(frame.hand),
        search.pn, search.dn, search.length, search.hand, work,
    )  # fmt: skip


@jit
def _return(pos, table, search, frames, kids, barred, buf):
    """Back in the parent: undo its move and take in what the child came to."""
    frame = frames[search.depth - 1]
    index = int(frame.current)
    kid = kids[index]
    slide = kid.kind == SLIDE
    move = int(kid.move)
    undo(pos, move, ATT if frame.attacker or slide else DEF, int(frame.captured))
    if search.pn != 0 and search.dn != 0:
        kid.pn = search.pn
        kid.dn = search.dn
    elif frame.attacker:
        _take_in_attack(search, frame, move, int(frame.captured))
        _remove_child(search, frame, kids, index)
        if frame.count == 0 and frame.state == UNKNOWN:
            _disprove_attack(frame)
    elif slide:
        _return_from_slide(pos, table, search, frames, frame, kids, barred, buf, index)
    else:
        _take_in_answer(search, frame, int(kid.cap_hand), int(kid.cap_length))
        _remove_child(search, frame, kids, index)
    if not frame.attacker and frame.count == 0 and frame.state == UNKNOWN:
        _prove_defence(frame)


@jit
def _return_from_slide(pos, table, search, frames, frame, kids, barred, buf, index):
    if search.pn == 0:
        _slide_proven(search, frame)
        _remove_child(search, frame, kids, index)
    else:
        frame.circle = min(frame.circle, search.circle)
        _slide_disproven(search, kids[index])
        _try_takers(pos, table, search, frames, frame, kids, barred, buf, index)


@jit
def abandon(pos, search, frames, kids):
    """Undo all moves of an unfinished search."""
    while search.depth > 1:
        search.depth -= 1
        frame = frames[search.depth - 1]
        kid = kids[int(frame.current)]
        side = ATT if frame.attacker or kid.kind == SLIDE else DEF
        undo(pos, int(kid.move), side, int(frame.captured))
    search.depth = 0
