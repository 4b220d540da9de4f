"""Expanding a node: its children, or its outcome if one of them decides it."""

from solver.engines.dfpn.kernel.arena import (
    ARENA,
    DISPROVEN,
    DROPS,
    FRAME_TYPE,
    MOVE,
    NO_CIRCLE,
    PLUS,
    PROVEN,
    QUIET_DROPS,
    SLIDE,
    set_outcome,
)
from solver.engines.dfpn.kernel.cost import answer_cost, attack_cost
from solver.engines.dfpn.kernel.frontier import try_mate_in_three, try_mated_in_two
from solver.engines.dfpn.kernel.hands import FULL_HAND, before_attack, disproof_start, less_one
from solver.engines.dfpn.kernel.outcome import judge_attack, judge_defence
from solver.engines.dfpn.kernel.repetition import circle
from solver.engines.dfpn.kernel.table import FOREVER, INFINITE, look_up
from solver.engines.kernel.mate import COUNT_ALL, blocking_hand, drop_checks_attacker, takers
from tsume_rules.kernel.attacks import blocking_cells, find_checkers
from tsume_rules.kernel.checks import pseudo_checks
from tsume_rules.kernel.compile import jit, jit_inline, unit, void
from tsume_rules.kernel.evasions import board_evasions, drops_on
from tsume_rules.kernel.play import do, dropped, undo
from tsume_rules.kernel.state import intersection, union
from tsume_rules.kernel.tables import ATT, DEF, PAWN

LARGEST = INFINITE - 1
"""The largest number of a node that is not decided."""


@jit_inline
def below(n):
    """The plies left one ply further down; without a bound there stays none."""
    return n if n == FOREVER else n - 1


@jit
def add_child(a, frame, move, kind, cell, cap_hand, cost):
    """Append a child with the numbers in the search record."""
    search = a.search
    kid = a.kids[search.top]
    kid.move = move
    kid.pn = min(search.pn, LARGEST)
    kid.dn = min(search.dn, LARGEST)
    kid.kind = kind
    kid.cell = cell
    kid.stage = 0
    kid.cap_hand = cap_hand
    kid.cost = cost
    search.top += 1
    frame.count += 1


@jit
def remove_child(a, frame, index):
    """Remove a child of the node on top of the stack."""
    a.search.top -= 1
    frame.count -= 1
    if index != a.search.top:
        a.kids[index] = a.kids[a.search.top]


# --- the attacker's turn ------------------------------------------------------------------


@unit(void, a=ARENA, frame=FRAME_TYPE)
def expand_attack(a, frame):
    """Fill an OR node's children, or decide it."""
    pos, search = a.pos, a.search
    frame.disproof_hand = disproof_start(frame.hand)
    frame.disproof_length = FOREVER
    end = pseudo_checks(pos, True, a.buf, 0)
    for i in range(end):
        move = a.buf[i]
        captured = do(pos, move, ATT)
        judge_defence(a, end, below(frame.n))
        undo(pos, move, ATT, captured)
        if search.pn == 0 and search.length == 0 and dropped(move) == PAWN:
            continue  # mate by a dropped pawn is no move
        take_in_attack(search, frame, move, captured)
        if frame.state == PROVEN:
            return
        if search.dn != 0:
            cost = attack_cost(pos, move) if search.estimate == PLUS else 0
            add_child(a, frame, move, MOVE, 0, FULL_HAND, cost)
    if frame.count == 0:
        disprove_attack(frame)


@unit(void, a=ARENA, frame=FRAME_TYPE)
def look_ahead_three(a, frame):
    """Look for a mate in three at an OR node that is visited for the first time.

    There is none in one: that was looked for when the node was generated.
    """
    search = a.search
    pn, dn, _, _, _ = look_up(a.table, search, frame.key, frame.slot, int(frame.hand), int(frame.n))
    if pn != 0 or dn != 0:
        return
    found = try_mate_in_three(a, 0)
    if found == PROVEN:
        frame.state = PROVEN
        frame.length = search.length
        frame.proof_hand = search.hand
    elif found == DISPROVEN and search.length >= frame.n:
        frame.state = DISPROVEN
        frame.length = search.length
        frame.disproof_hand = search.hand


@jit
def take_in_attack(search, frame, move, captured):
    """Take a child's outcome into an OR node."""
    if search.pn == 0:
        frame.state = PROVEN
        frame.length = min(search.length + 1, FOREVER)
        frame.proof_hand = before_attack(search.hand, move, captured, False)
    elif search.dn == 0:
        hand = before_attack(search.hand, move, captured, True)
        frame.disproof_hand = intersection(frame.disproof_hand, hand)
        frame.disproof_length = min(frame.disproof_length, search.length + 1)
        frame.taint |= search.taint


@jit_inline
def disprove_attack(frame):
    """All checks have failed."""
    frame.state = DISPROVEN
    frame.length = frame.disproof_length


# --- the defender's turn ------------------------------------------------------------------


@unit(void, a=ARENA, frame=FRAME_TYPE)
def expand_defence(a, frame):
    """Fill an AND node's children, or decide it."""
    pos = a.pos
    count, checker = find_checkers(pos, DEF)
    frame.proof_hand = blocking_hand(pos, count, checker)
    frame.proof_length = 0
    end = board_evasions(pos, count, checker, a.buf, 0)
    for i in range(end):
        _judge_answer(a, frame, a.buf[i], end, FULL_HAND)
        if frame.state == DISPROVEN:
            return
    cells, step = blocking_cells(pos, count, checker)
    for i in range(1, cells + 1):
        _expand_cell(a, frame, pos.king[DEF] + i * step)
        if frame.state == DISPROVEN:
            return
    if frame.count == 0:
        prove_defence(frame)


@jit
def _judge_answer(a, frame, move, base, cap_hand):
    """Judge one ordinary answer and take it into an AND node."""
    search = a.search
    captured = do(a.pos, move, DEF)
    judge_attack(a, base, below(frame.n))
    undo(a.pos, move, DEF, captured)
    take_in_answer(search, frame, cap_hand)
    if search.pn != 0 and search.dn != 0:
        cost = answer_cost(a.pos, move) if search.estimate == PLUS else 0
        add_child(a, frame, move, MOVE, 0, cap_hand, cost)


@jit
def take_in_answer(search, frame, cap_hand):
    """Take an ordinary answer's outcome into an AND node."""
    if search.pn == 0:
        frame.proof_hand = union(frame.proof_hand, search.hand)
        frame.proof_length = max(frame.proof_length, search.length + 1)
    elif search.dn == 0:
        frame.state = DISPROVEN
        frame.length = min(search.length + 1, FOREVER)
        frame.disproof_hand = intersection(search.hand, cap_hand)
        frame.taint = search.taint


@jit_inline
def prove_defence(frame):
    """All answers have been met."""
    frame.state = PROVEN
    frame.length = min(frame.proof_length, FOREVER)


@jit
def _expand_cell(a, frame, cell):
    """The drops on one cell: those that check the attacker's king, then the test for futility."""
    search = a.search
    end = drops_on(a.pos, cell, a.buf, 0)
    if end == 0:
        return
    if search.mode == COUNT_ALL:
        _expand_drops(a, frame, cell, DROPS)
        return
    quiet = 0
    for i in range(end):
        move = a.buf[i]
        if drop_checks_attacker(a.pos, move):
            cap = less_one(FULL_HAND, dropped(move), a.pos)
            _judge_answer(a, frame, move, end, cap)
            if frame.state == DISPROVEN:
                return
        else:
            quiet += 1
    if quiet and not _futile_soon(a, frame, cell, end):
        _expand_drops(a, frame, cell, QUIET_DROPS)


@unit(void, a=ARENA, frame=FRAME_TYPE)
def try_takers(a, frame, index):
    """Bring a SLIDE child to its next open taker, or settle its cell or the node."""
    search = a.search
    kid = a.kids[index]
    _, checker = find_checkers(a.pos, DEF)
    end = takers(a.pos, int(kid.cell), checker, search.mode, a.buf, 0)
    while kid.stage < end:
        move = a.buf[kid.stage]
        do(a.pos, move, ATT)
        frame.circle = min(frame.circle, _judge_slide(a, frame, end))
        undo(a.pos, move, ATT, 0)
        if search.pn == 0:
            slide_proven(search, frame)
            remove_child(a, frame, index)
            return
        if search.dn != 0:
            kid.move = move
            kid.pn = min(search.pn, LARGEST)
            kid.dn = min(search.dn, LARGEST)
            return
        slide_disproven(search, kid)
    frame.state = DISPROVEN
    frame.length = min(int(kid.cap_length), FOREVER)
    frame.disproof_hand = kid.cap_hand
    frame.taint = kid.taint


@jit
def _judge_slide(a, frame, base):
    """Judge the position after a slide; returns the frame it came back to, NO_CIRCLE if none."""
    back = circle(a)
    if back == NO_CIRCLE:
        judge_defence(a, base, frame.n)
    else:
        set_outcome(a.search, INFINITE, 0, frame.n, frame.hand, 0)
    return back


@jit
def slide_proven(search, frame):
    """The drops on a cell are futile: the mate is that of the slide."""
    frame.proof_hand = union(frame.proof_hand, search.hand)
    frame.proof_length = max(frame.proof_length, search.length)


@jit
def slide_disproven(search, kid):
    """One taker does not show the drops to be futile: go on to the next."""
    kid.cap_hand = intersection(int(kid.cap_hand), search.hand)
    kid.cap_length = min(int(kid.cap_length), search.length)
    kid.taint |= search.taint
    kid.stage += 1


@jit
def _expand_drops(a, frame, cell, kind):
    """Make the drops on a cell a child of an AND node: the next only when one has been met.

    Side by side they would count one threat many times over.
    """
    set_outcome(a.search, 1, 1, frame.n, frame.hand, 0)
    add_child(a, frame, 0, kind, cell, FULL_HAND, 0)
    next_drop(a, frame, a.search.top - 1)


@unit(void, a=ARENA, frame=FRAME_TYPE)
def next_drop(a, frame, index):
    """Bring a child of drops to the next that is not decided, or settle the cell or the node."""
    search = a.search
    kid = a.kids[index]
    end = drops_on(a.pos, int(kid.cell), a.buf, 0)
    while kid.stage < end:
        move = a.buf[kid.stage]
        kid.stage += 1
        if kid.kind == QUIET_DROPS and drop_checks_attacker(a.pos, move):
            continue
        do(a.pos, move, DEF)
        judge_attack(a, end, below(frame.n))
        undo(a.pos, move, DEF, 0)
        if search.dn == 0:
            drop_disproven(a, frame, index, move)
            return
        if search.pn != 0:
            kid.move = move
            kid.pn = min(search.pn, LARGEST)
            kid.dn = min(search.dn, LARGEST)
            kid.cost = answer_cost(a.pos, move) if search.estimate == PLUS else 0
            return
        take_in_answer(search, frame, FULL_HAND)
    remove_child(a, frame, index)


@unit(void, a=ARENA, frame=FRAME_TYPE)
def drop_disproven(a, frame, index, move):
    """A drop that cannot be met disproves the node, unless it turns out to be futile."""
    search = a.search
    kid = a.kids[index]
    cap_hand = less_one(FULL_HAND, dropped(move), a.pos)
    if kid.kind == DROPS:
        take_in_answer(search, frame, cap_hand)
        return
    kid.kind = SLIDE
    kid.stage = 0
    kid.cost = 0
    kid.cap_hand = intersection(search.hand, cap_hand)
    kid.cap_length = min(search.length + 1, FOREVER)
    kid.taint = search.taint
    try_takers(a, frame, index)


@unit(a=ARENA, frame=FRAME_TYPE)
def _futile_soon(a, frame, cell, base):
    """Whether taking a drop on a cell is known, or quickly shown, to mate in as many plies."""
    search = a.search
    if search.barred:
        return False
    _, checker = find_checkers(a.pos, DEF)
    end = takers(a.pos, cell, checker, search.mode, a.buf, base)
    for i in range(base, end):
        move = a.buf[i]
        do(a.pos, move, ATT)
        judge_defence(a, end, frame.n)
        if search.pn != 0 and search.dn != 0:
            try_mated_in_two(a, end, 0)
        undo(a.pos, move, ATT, 0)
        if search.pn == 0:
            slide_proven(search, frame)
            return True
    return False
