# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves that are known to be right without a search, for walks through proofs and disproofs."""

from solver.engines.dfpn.kernel.arena import ARENA, is_disproven, is_proven
from solver.engines.dfpn.kernel.children import below
from solver.engines.dfpn.kernel.outcome import peek
from solver.engines.kernel.mate import futile_drop_captures, may_be_futile
from tsume_rules.kernel.attacks import find_checkers
from tsume_rules.kernel.checks import MAX_MOVES
from tsume_rules.kernel.compile import INTEGERS, jit, unit, void
from tsume_rules.kernel.evasions import evasions
from tsume_rules.kernel.play import do, target_of, undo
from tsume_rules.kernel.tables import ATT, DEF


@unit(a=ARENA)
def is_known(a, n, attacker):
    """Whether a node is decided without a search; the outcome goes to the search state."""
    return peek(a, n, attacker)


UNKNOWN_MOVE = 0
"""Instead of an answer: none is known."""


@unit(void, a=ARENA, moves=INTEGERS, answers=INTEGERS, out=INTEGERS)
def known_refutations(a, moves, answers, n, out):
    """For each check of ``moves`` an answer after which there is no mate within n plies, or `UNKNOWN_MOVE`.

    ``out`` is scratch space for two lists of moves.
    """
    for i in range(len(moves)):
        captured = do(a.pos, moves[i], ATT)
        answers[i] = known_refutation(a, n, out)
        undo(a.pos, moves[i], ATT, captured)


@unit(a=ARENA, out=INTEGERS)
def known_refutation(a, n, out):
    """As `known_refutations`, the defender to move in check."""
    end = evasions(a.pos, out, 0)
    for i in range(end):
        if _is_known_to_refute(a, out[i], n, out, end):
            return out[i]
    return UNKNOWN_MOVE


@jit
def _is_known_to_refute(a, move, n, out, end):
    if n >= 2:
        captured = do(a.pos, move, DEF)
        peek(a, below(n), True)
        undo(a.pos, move, DEF, captured)
        if not is_disproven(a.search) or a.search.taint:
            return False
    if not may_be_futile(a.pos, move):
        return True
    _, checker = find_checkers(a.pos, DEF)
    last = futile_drop_captures(a.pos, target_of(move), checker, a.search.mode, out, end)
    for i in range(end, last):
        do(a.pos, out[i], ATT)
        peek(a, n, False)
        undo(a.pos, out[i], ATT, 0)
        if not is_disproven(a.search) or a.search.taint:
            return False
    return True


@unit(void, a=ARENA, moves=INTEGERS, lengths=INTEGERS)
def known_lengths(a, moves, lengths, n):
    """For each check of ``moves`` the plies within which it is known to mate, after it; -1 if more than n."""
    for i in range(len(moves)):
        captured = do(a.pos, moves[i], ATT)
        peek(a, n, False)
        lengths[i] = a.search.length if is_proven(a.search) else -1
        undo(a.pos, moves[i], ATT, captured)


ROOM = 2 * MAX_MOVES
"""Scratch space that these kernels need."""
