# SPDX-License-Identifier: GPL-3.0-or-later
"""The moves of a node of the mate tree, in the order in which they are searched."""

from solver.engines.kernel.mate import COUNT_ALL, drop_checks_attacker, futile_drop_captures
from solver.engines.rsearch.kernel.mating_state import BLOCKS
from tsume_rules.kernel.attacks import blocking_cells, find_checkers
from tsume_rules.kernel.checks import checks
from tsume_rules.kernel.compile import jit
from tsume_rules.kernel.evasions import board_evasions, drops_on
from tsume_rules.kernel.order import sort_moves_by_rank
from tsume_rules.kernel.play import do, undo
from tsume_rules.kernel.tables import ATT, DEF


@jit
def ordered_checks(state, out):
    """Write all legal checks, those that leave the fewest answers first; returns the end."""
    pos = state.pos
    end = checks(pos, out, 0)
    for i in range(end):
        captured = do(pos, out[i], ATT)
        out[end + i] = _count_answers(state)
        undo(pos, out[i], ATT, captured)
    sort_moves_by_rank(out, 0, end)
    return end


@jit
def _count_answers(state):
    """The number of the defender's answers, all drops on a cell counted as one."""
    count, checker = find_checkers(state.pos, DEF)
    found = board_evasions(state.pos, count, checker, state.buf, 0)
    return found + blocking_cells(state.pos, count, checker)[0]


@jit
def ordered_defences(state, out):
    """Write the answers on the board, then for each cell its drops or, if they may be futile, the cell."""
    pos = state.pos
    count, checker = find_checkers(pos, DEF)
    end = board_evasions(pos, count, checker, out, 0)
    cells, step = blocking_cells(pos, count, checker)
    for i in range(1, cells + 1):
        cell = pos.king[DEF] + i * step
        first = end
        end = drops_on(pos, cell, out, first)
        if end == first or state.search.mode == COUNT_ALL:
            continue
        if futile_drop_captures(pos, cell, checker, state.search.mode, state.buf, 0) > 0:
            end = _keep_drops(state, True, out, first, end)
            if drops_without_check(state, cell, state.buf, 0) > 0:
                out[end] = cell | BLOCKS
                end += 1
    return end


@jit
def drops_without_check(state, cell, out, first):
    """Write the drops on a cell that do not check the attacker's king; returns the end."""
    return _keep_drops(state, False, out, first, drops_on(state.pos, cell, out, first))


@jit
def _keep_drops(state, check, out, first, end):
    """Keep of out[first:end] the drops that check the attacker's king if ``check``, else the others."""
    kept = first
    for i in range(first, end):
        if drop_checks_attacker(state.pos, out[i]) == check:
            out[kept] = out[i]
            kept += 1
    return kept
