# SPDX-License-Identifier: GPL-3.0-or-later
"""Many questions in one call: for shortest mates, for the judge, for walks through proofs.

The loops are compiled because a call from Python costs as much as solving a mate in three.
"""

from __future__ import annotations

import numpy as np
from numba import types

from solver.engines.dfpn.kernel.arena import ARENA, DROPPED, FINISHED, Arena, is_disproven, is_proven
from solver.engines.dfpn.kernel.outcome import below, peek
from solver.engines.dfpn.kernel.search import abandon, begin, run
from solver.engines.dfpn.kernel.sound import MATING, NO, REFUTED, STATES, UNANSWERED, YES, ask, ask_after
from solver.engines.dfpn.kernel.table import FOREVER, LAST_STAMP
from solver.engines.kernel.mate import COUNT_ALL, WIDE, futile_drop_captures, may_be_futile
from tsume_rules.kernel.attacks import find_checkers
from tsume_rules.kernel.compile import INTEGERS, jit, jit_inline, unit, void
from tsume_rules.kernel.move_generation import MAX_MOVES, checks, evasions
from tsume_rules.kernel.state import do, target_of, undo
from tsume_rules.kernel.tables import ATT, DEF

_ANSWERED = types.Tuple([types.int64, types.boolean])


@unit(_ANSWERED, a=ARENA)
def raise_bound(a, last, nodes):
    """Ask for a mate within 1, 3, ... plies, up to ``last``, with ``nodes`` nodes in all. Returns (n,
    answered): the last bound asked for, and whether it was answered; the answer is in the search state."""
    search = a.search
    end = search.nodes + nodes
    n = np.int64(1)  # not a constant: numba would compile the search again for it
    answered = True
    while True:
        search.refuted = n - 2
        if not begin(a, n, n > 0) and run(a, end - search.nodes) != FINISHED:
            abandon(a)
            answered = False
        if not answered or is_proven(search) or search.length >= FOREVER or n >= last:
            search.refuted = 0
            return n, answered
        n += 2


@jit
def raise_bound_for_each(positions, box, last, nodes, lengths):
    """Find the shortest mates of many positions, each with an empty table.

    ``box``: an `Arena` without a position, and with an array of one search state, because arrays
    are passed to a kernel more quickly than their elements. ``lengths`` gets for each position
    the exact length; 0 if there is no mate at any length; -n if ``nodes`` nodes or ``last`` plies
    left it open whether there is a mate within n plies. Returns the number of positions done:
    fewer than all when the table has no new stamps.
    """
    search = box.search[0]
    for i in range(len(positions)):
        if search.stamp == LAST_STAMP:
            return i
        search.stamp += 1
        a = Arena(
            positions[i], box.table, search, box.frames, box.kids, box.barred, box.candidates, box.handed,
            box.buf, box.shared,
        )  # fmt: skip
        n, answered = raise_bound(a, last, nodes)
        if not answered:
            lengths[i] = -n
        elif is_proven(search):
            lengths[i] = n
        elif search.length >= FOREVER:
            lengths[i] = 0
        else:
            lengths[i] = -n - 2
    return len(positions)


# --- what the judge asks of many checks, in one call -----------------------------------------------
#
# The answers are those that the engine gives one by one; a question that these kernels cannot settle is
# left to it.

OUT_OF_NODES = 3
"""The state of a check about which the nodes ran out."""


@unit(a=ARENA, moves=INTEGERS, states=STATES, spent=INTEGERS)
def refute_each_ever(a, moves, states, spent, first, nodes, end, last):
    """Ask of each listed check, from ``moves[first]`` on, whether it mates at any length.

    ``states[i]`` becomes `REFUTED`, `MATING` or, after ``nodes`` nodes for it, `OUT_OF_NODES`. Stops with
    the first that mates. Returns the index of a check that is `OPEN` still, ``spent[0]`` being the nodes for
    it: it was not asked (-1), as the node count has reached ``end``; not answered, as it has reached
    ``last``; or its disproof rests on a repetition. ``len(moves)`` if all are settled or one mates.
    """
    search = a.search
    for i in range(first, len(moves)):
        before = search.nodes
        spent[0] = -1
        if before >= end:
            return i
        answer = ask_after(a, moves[i], FOREVER + 1, min(before + nodes, last))
        spent[0] = search.nodes - before
        if (answer == UNANSWERED and last < before + nodes) or (answer == NO and search.taint):
            return i
        if search.candidates or search.lost_candidates:
            if search.epoch == LAST_STAMP:
                return i
            search.epochs[search.epoch] = DROPPED
            search.candidates = 0
            search.lost_candidates = 0
            search.epoch += 1
        if answer == YES:
            states[i] = MATING
            return len(moves)
        states[i] = OUT_OF_NODES if answer == UNANSWERED else REFUTED
    return len(moves)


@unit(a=ARENA, line=INTEGERS, out=INTEGERS)
def readings_agree(a, line, out, nodes, end):
    """Return how many turns of the attacker along a main line plainly do not depend on the reading.

    At these no mate by the wide reading is shorter, the same checks mate in time by the narrow and the wide
    reading, and each of them mates with every interposition counted. Each question has ``nodes`` nodes. Stops
    at the first turn where that is not so, or where the node count reaches ``end``. ``out`` is scratch space.
    """
    search, pos = a.search, a.pos
    mode = search.mode
    captured = out[: len(line)]
    free = len(line)
    done = 0
    while done < len(line) and _agree_at(a, len(line) - done, out, free, nodes, end):
        for _ in range(min(2, len(line) - done)):
            captured[done] = do(pos, line[done], done % 2)
            done += 1
    search.mode = mode
    for i in range(done - 1, -1, -1):
        undo(pos, line[i], i % 2, captured[i])
    return (done + 1) // 2


@jit_inline
def _agree_at(a, n, out, free, nodes, end):
    """Return whether one turn, ``n`` plies before the end, plainly does not depend on the reading."""
    search = a.search
    mode = search.mode
    agree = True
    if n > 1:
        search.mode = WIDE
        agree = ask(a, n - 2, True, min(search.nodes + nodes, end)) == NO
    stop = checks(a.pos, out, free) if agree else free
    for i in range(free, stop):
        search.mode = mode
        answer = ask_after(a, out[i], n, min(search.nodes + nodes, end))
        if answer == UNANSWERED:
            agree = False
        elif answer == YES:
            search.mode = COUNT_ALL
            agree = ask_after(a, out[i], n, min(search.nodes + nodes, end)) == YES
        else:
            search.mode = WIDE
            agree = ask_after(a, out[i], n, min(search.nodes + nodes, end)) == NO
        if not agree:
            break
    search.mode = mode
    return agree


# --- moves that are known to be right without a search, for walks through proofs and disproofs ----


@unit(a=ARENA)
def is_known(a, n, attacker):
    """Return whether a node is decided without a search; the outcome goes to the search state."""
    return peek(a, n, attacker)


UNKNOWN_MOVE = 0
"""Instead of an answer: none is known."""


@unit(void, a=ARENA, moves=INTEGERS, answers=INTEGERS, out=INTEGERS)
def known_refutations(a, moves, answers, n, out):
    """For each check of ``moves`` an answer after which there is no mate within n plies, or `UNKNOWN_MOVE`.
    ``out`` is scratch space for two lists of moves."""
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
