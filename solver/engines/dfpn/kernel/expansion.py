# SPDX-License-Identifier: GPL-3.0-or-later
"""Expanding a node: its children, or its outcome if one of them decides it."""

from solver.engines.dfpn.kernel.arena import (
    ARENA,
    DISPROVEN,
    FRAME_TYPE,
    MOVE,
    PLUS,
    PROVEN,
    is_disproven,
    is_proven,
)
from solver.engines.dfpn.kernel.children import (
    add_child,
    assess_answer,
    below,
    disprove_attack,
    merge_check,
    prove_defence,
)
from solver.engines.dfpn.kernel.cost import attack_cost
from solver.engines.dfpn.kernel.frontier import try_mate_in_three
from solver.engines.dfpn.kernel.hands import FULL_HAND, disproof_start
from solver.engines.dfpn.kernel.interposition import expand_cell
from solver.engines.dfpn.kernel.outcome import assess_defence
from solver.engines.dfpn.kernel.prefetch import fetch_children
from solver.engines.dfpn.kernel.table import FOREVER, look_up
from solver.engines.kernel.mate import blocking_hand
from tsume_rules.kernel.attacks import blocking_cells, find_checkers
from tsume_rules.kernel.checks import pseudo_checks
from tsume_rules.kernel.compile import unit, void
from tsume_rules.kernel.evasions import board_evasions
from tsume_rules.kernel.play import do, dropped, undo
from tsume_rules.kernel.tables import ATT, DEF, PAWN


@unit(void, a=ARENA, frame=FRAME_TYPE)
def expand_attack(a, frame):
    """Add an OR node's children, or decide it."""
    pos, search = a.pos, a.search
    frame.disproof_hand = disproof_start(frame.hand)
    frame.disproof_length = FOREVER
    end = pseudo_checks(pos, True, a.buf, 0)
    fetch_children(a, ATT, 0, end)
    for i in range(end):
        move = a.buf[i]
        captured = do(pos, move, ATT)
        assess_defence(a, end, below(frame.n))
        undo(pos, move, ATT, captured)
        if is_proven(search) and search.length == 0 and dropped(move) == PAWN:
            continue  # a pawn drop that mates is illegal
        merge_check(search, frame, move, captured)
        if frame.state == PROVEN:
            return
        if not is_disproven(search):
            cost = attack_cost(pos, move) if search.estimate == PLUS else 0
            add_child(a, frame, move, MOVE, 0, FULL_HAND, cost)
    if frame.count == 0:
        disprove_attack(frame)


@unit(void, a=ARENA, frame=FRAME_TYPE)
def look_ahead_three(a, frame):
    """Search for a mate in three at an OR node that is visited for the first time.

    It has no mate in one: that was tested when the node was generated.
    """
    search = a.search
    pn, dn, _, _, _ = look_up(a, frame.key, frame.slot, int(frame.hand), int(frame.n))
    if pn != 0 or dn != 0:
        return
    found = try_mate_in_three(a, 0)
    if found == PROVEN:
        frame.state = PROVEN
        frame.length = search.length
        frame.proof_hand = search.hand
    elif found == DISPROVEN and search.length >= frame.n and not search.spared:
        frame.state = DISPROVEN
        frame.length = search.length
        frame.disproof_hand = search.hand


@unit(void, a=ARENA, frame=FRAME_TYPE)
def expand_defence(a, frame):
    """Add an AND node's children, or decide it."""
    pos = a.pos
    count, checker = find_checkers(pos, DEF)
    frame.proof_hand = blocking_hand(pos, count, checker)
    frame.proof_length = 0
    end = board_evasions(pos, count, checker, a.buf, 0)
    fetch_children(a, DEF, 0, end)
    for i in range(end):
        assess_answer(a, frame, a.buf[i], end, FULL_HAND)
        if frame.state == DISPROVEN:
            return
    cells, step = blocking_cells(pos, count, checker)
    for i in range(1, cells + 1):
        expand_cell(a, frame, pos.king[DEF] + i * step)
        if frame.state == DISPROVEN:
            return
    if frame.count == 0:
        prove_defence(frame)
