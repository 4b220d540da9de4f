# SPDX-License-Identifier: GPL-3.0-or-later
"""Many questions in one call: whether there is only one solution, for shortest mates, for the judge, for walks
through proofs.

The loops are compiled because a call from Python costs as much as solving a mate in three. The walk of
`is_sound` does the same as `solver.solving.tree` and `solver.judging.cooks` do step by step, with a stack of
its own: for callers that reject thousands of positions a second.
"""

from __future__ import annotations

import numpy as np

from solver.engines.dfpn.kernel.arena import ARENA, DROPPED, FINISHED, SEARCH, Arena, is_disproven, is_proven
from solver.engines.dfpn.kernel.outcome import decide_without_search, is_known_mated, plies_below
from solver.engines.dfpn.kernel.search import abandon, begin, run
from solver.engines.dfpn.kernel.table import FOREVER, LAST_STAMP
from solver.engines.kernel.mate import COUNT_ALL, WIDE, futile_drop_captures, may_be_futile
from tsume_rules.kernel.attacks import blocking_cells, find_checkers
from tsume_rules.kernel.compile import (
    INTEGERS,
    Array,
    Tuple,
    boolean,
    export,
    int8,
    int64,
    jit,
    jit_inline,
    structs,
    unit,
    void,
)
from tsume_rules.kernel.move_generation import MAX_MOVES, checks, evasions
from tsume_rules.kernel.state import PROMOTES, do, packed_hand, target_of, undo
from tsume_rules.kernel.tables import ATT, DEF, POSITION

SOUND, SECOND, LEFTOVER, FUTILE_ONLY, NOT_SEARCHED, TOO_LARGE = 0, 1, 2, 3, 4, 5
"""Only one solution; another check mates too; pieces are left in hand; only futile drops last
longest; the nodes ran out; the main tree has too many turns."""

STATES = Array(int8)

YES, NO, UNANSWERED = 1, 0, -1
OPEN, REFUTED, MATING = 0, 1, 2

LEVEL = 512
"""Integers for one turn in the walk's stack: its fields, its longest defences, its checks."""
_KEY, _CAPTURED, _COUNT, _NEXT, _ANSWER, _ANSWERED = 0, 1, 2, 3, 4, 5
_DEFENCES = 8
MAX_DEFENCES = 120
LEVELS = 128
STACK = LEVEL * LEVELS + 4096
"""Integers for a walk through a main tree of up to 255 plies."""


@jit_inline
def ask_mates_within(a, n, attacker, end):
    """Return whether there is a mate within n plies: YES, NO, or UNANSWERED if the node count reaches ``end``."""
    search = a.search
    # int() and != keep Numba from compiling this again for each constant argument
    if not begin(a, int(n), attacker != 0) and run(a, end - search.nodes) != FINISHED:
        abandon(a)
        return UNANSWERED
    return YES if is_proven(search) else NO


@jit_inline
def mates_in_exactly(a, n, end):
    """Return whether the attacker mates in n plies and not sooner; False if the node count reaches ``end``."""
    return (n <= 1 or ask_mates_within(a, n - 2, True, end) == NO) and ask_mates_within(a, n, True, end) == YES


@jit_inline
def ask_mates_after(a, check, n, end):
    """As `ask_mates_within`: whether a check mates within n plies, the check included."""
    captured = do(a.pos, check, ATT)
    answer = ask_mates_within(a, n - 1, False, end)
    undo(a.pos, check, ATT, captured)
    return answer


@unit(a=ARENA, out=INTEGERS)
def longest_defences(a, n, out, first, end):
    """Write the longest defences of a defender who is mated in exactly n plies (n >= 2). Returns the end of
    the list, which starts at ``out[first]``; -1 if the nodes ran out. ``out`` needs room for all answers."""
    pos = a.pos
    stop = evasions(pos, out, first)
    asked = 0  # the cell whose drops were last asked about
    futile = False
    kept = first
    for i in range(first, stop):
        move = out[i]
        if may_be_futile(pos, move):
            if target_of(move) != asked:
                asked = target_of(move)
                answer = is_futile(a, asked, n, out, stop, end)
                if answer == UNANSWERED:
                    return -1
                futile = answer == YES
            if futile:
                continue
        captured = do(pos, move, DEF)
        answer = NO if n == 2 else ask_mates_within(a, n - 3, True, end)
        undo(pos, move, DEF, captured)
        if answer == UNANSWERED:
            return -1
        if answer == NO:
            out[kept] = move
            kept += 1
    return kept


@jit_inline
def is_futile(a, cell, n, out, free, end):
    """Return whether the drops on a cell between checker and king are futile under a bound of n plies."""
    pos = a.pos
    if a.search.mode == COUNT_ALL:
        return NO
    count, checker = find_checkers(pos, DEF)
    if blocking_cells(pos, count, checker)[0] == 0:
        return NO
    last = futile_drop_captures(pos, cell, checker, a.search.mode, out, free)
    for i in range(free, last):
        take = out[i]
        do(pos, take, ATT)
        answer = ask_mates_within(a, n, False, end)
        undo(pos, take, ATT, 0)
        if answer != NO:
            return answer
    return NO


@jit_inline
def first_to_mate(a, n, known_first, out, first, stop, end):
    """Return the first check of out[first:stop] that mates within n plies; 0 if none does, -1 if the nodes ran
    out. ``known_first``: one of which the table knows it comes before all others."""
    if known_first:
        for i in range(first, stop):
            captured = do(a.pos, out[i], ATT)
            known = is_known_mated(a, n - 1)
            undo(a.pos, out[i], ATT, captured)
            if known:
                return out[i]
    for i in range(first, stop):
        answer = ask_mates_after(a, out[i], n, end)
        if answer != NO:
            return out[i] if answer == YES else -1
    return 0


@jit_inline
def find_key(a, n, out, first, end):
    """Return a check that mates within n plies, if possible one that the table knows.

    Returns the check (0: none mates; -1: the nodes ran out) and the end of the list of all
    checks, which is written from ``out[first]`` on.
    """
    stop = checks(a.pos, out, first)
    return first_to_mate(a, n, True, out, first, stop, end), stop


@unit(a=ARENA, out=INTEGERS)
def is_captured_at_once(a, check, n, out, first, end):
    """Return whether a check mates within n plies and every longest defence captures the piece that gave it.
    Returns YES, NO or UNANSWERED. ``out[first:]`` is scratch space."""
    captured = do(a.pos, check, ATT)
    answer = ask_mates_within(a, n - 1, False, end)
    if answer == YES:
        last = longest_defences(a, n - 1, out, first, end)
        if last < 0:
            answer = UNANSWERED
        elif last == first:
            answer = NO
        for i in range(first, last):
            if target_of(out[i]) != target_of(check):
                answer = NO
    undo(a.pos, check, ATT, captured)
    return answer


@jit_inline
def leaves_same_position(a, key, check, n, out, first, end):
    """Return whether two checks differ by promotion only, of a piece that is captured at once.

    Both mate in exactly n plies, and every longest defence against either captures the piece. Returns YES,
    NO or UNANSWERED. ``out[first:]`` is scratch space.
    """
    if n < 3 or key ^ check != PROMOTES:
        return NO
    answer = is_captured_at_once(a, key, n, out, first, end)
    return is_captured_at_once(a, check, n, out, first, end) if answer == YES else answer


@jit_inline
def has_other_mate(a, key, n, margin, out, first, stop, end):
    """Return whether a check of out[first:stop] mates up to ``margin`` plies beyond the n plies of the key.

    The key does not count, nor its other form if that leaves the same position. Returns YES, NO or UNANSWERED, and the
    number of checks that were not refuted for good. If the answer is NO, these come first in the list.
    """
    still = 0
    for i in range(first, stop):
        if out[i] == key:
            continue
        answer = ask_mates_after(a, out[i], n + margin, end)
        if answer == YES:
            same = leaves_same_position(a, key, out[i], n, out, stop, end)
            if same == YES:
                continue
            return (YES if same == NO else UNANSWERED), 0
        if answer != NO:
            return answer, 0
        if a.search.length < FOREVER:
            kept = out[first + still]
            out[first + still] = out[i]
            out[i] = kept
            still += 1
    return NO, still


@jit_inline
def leaves_empty_hand(a, out, first):
    """At a turn with a mate in one: whether every check that mates leaves nothing in hand."""
    pos = a.pos
    stop = checks(pos, out, first)
    for i in range(first, stop):
        move = out[i]
        captured = do(pos, move, ATT)
        leaves = packed_hand(pos) != 0
        mated = leaves and ask_mates_within(a, 0, False, a.search.nodes) == YES
        undo(pos, move, ATT, captured)
        if mated:
            return False
    return True


@unit(a=ARENA, stack=INTEGERS)
def is_sound(a, n, margin, stack, most, end):
    """Walk through the main tree of a turn that mates in exactly n plies.

    Returns SOUND or the first defect. At each turn except the last the key must be the only check that mates
    up to ``margin`` plies beyond the end, but for a form that leaves the same position; all lines must leave
    nothing in hand. ``stack``: scratch space of `STACK` integers; ``most``: the most turns of the walk.
    """
    base = 0
    turns = 0
    entering = True
    while True:
        if entering:
            turns += 1
            if turns > most:
                found = TOO_LARGE
            elif n == 1:
                found = SOUND if leaves_empty_hand(a, stack, base + _DEFENCES) else LEFTOVER
                stack[base + _KEY] = 0
                stack[base + _COUNT] = 0
            else:
                found = _enter(a, n, margin, stack, base, end)
            stack[base + _NEXT] = 0
            if found != SOUND:
                _leave_all(a, stack, base)
                return found
        place = stack[base + _NEXT]
        if place < stack[base + _COUNT]:
            stack[base + _NEXT] = place + 1
            answer = stack[base + _DEFENCES + place]
            stack[base + _ANSWER] = answer
            stack[base + _ANSWERED] = do(a.pos, answer, DEF)
            base += LEVEL
            n -= 2
            entering = True
            continue
        if stack[base + _KEY]:
            undo(a.pos, stack[base + _KEY], ATT, stack[base + _CAPTURED])
        if base == 0:
            return SOUND
        base -= LEVEL
        n += 2
        undo(a.pos, stack[base + _ANSWER], DEF, stack[base + _ANSWERED])
        entering = False


@jit_inline
def _enter(a, n, margin, stack, base, end):
    """Find the key of a turn, refute the other checks, play the key and list its longest defences."""
    stack[base + _KEY] = 0
    stack[base + _COUNT] = 0
    first = base + _DEFENCES
    key, stop = find_key(a, n, stack, first, end)
    if key <= 0:
        return NOT_SEARCHED
    answer, _ = has_other_mate(a, key, n, margin, stack, first, stop, end)
    if answer != NO:
        return SECOND if answer == YES else NOT_SEARCHED
    stack[base + _KEY] = key
    stack[base + _CAPTURED] = do(a.pos, key, ATT)
    last = longest_defences(a, n - 1, stack, first, end)
    if last < 0:
        return NOT_SEARCHED
    if last == first:
        return FUTILE_ONLY
    if last - first > MAX_DEFENCES:
        return TOO_LARGE
    stack[base + _COUNT] = last - first
    return SOUND


@jit_inline
def _leave_all(a, stack, base):
    """Undo all moves of a walk."""
    while True:
        if stack[base + _KEY]:
            undo(a.pos, stack[base + _KEY], ATT, stack[base + _CAPTURED])
        if base == 0:
            return
        base -= LEVEL
        undo(a.pos, stack[base + _ANSWER], DEF, stack[base + _ANSWERED])


@unit(a=ARENA, moves=INTEGERS, states=STATES)
def refute_each(a, moves, states, first, bound, enough, end):
    """Ask of each listed check that is open whether it mates within ``bound`` plies.

    ``states[i]`` becomes `REFUTED` (at any length) or `MATING`, or stays `OPEN`. Starts with ``moves[first]`` and stops
    when ``enough`` mate. Returns the index of the check at which the nodes ran out, ``len(moves)`` if they did not.
    """
    found = 0
    for i in range(len(moves)):
        found += states[i] == MATING
    for i in range(first, len(moves)):
        if found >= enough:
            break
        if states[i] != OPEN:
            continue
        answer = ask_mates_after(a, moves[i], bound, end)
        if answer == UNANSWERED:
            return i
        if answer == YES:
            states[i] = MATING
            found += 1
        elif a.search.length >= FOREVER:
            states[i] = REFUTED
    return len(moves)


@unit(a=ARENA, line=INTEGERS, out=INTEGERS)
def keeps_line(a, line, out, end):
    """Return whether a line is the only solution of a position, as far as the line's own turns show.

    At each turn of the attacker the line's check must be the only one that mates in time (the
    last of several turns may have others), but for a form that leaves the same position, and each answer must
    be a longest defence. Returns YES, NO or UNANSWERED. ``out`` is scratch space.
    """
    pos = a.pos
    captured = out[: len(line)]
    free = len(line)
    answer = YES
    done = 0
    if len(line) > 1:
        answer = ask_mates_within(a, len(line) - 2, True, end)
        answer = UNANSWERED if answer == UNANSWERED else NO if answer == YES else YES
    while answer == YES and done < len(line):
        move = line[done]
        n = len(line) - done
        stop = checks(pos, out, free) if done % 2 == 0 else longest_defences(a, n, out, free, end)
        answer = NO if stop >= 0 else UNANSWERED
        for i in range(free, stop):
            if out[i] == move:
                answer = YES
        if answer == YES and done % 2 == 0:
            answer = ask_mates_after(a, move, n, end)
            if answer == YES and (n > 1 or done == 0):
                others, _ = has_other_mate(a, move, n, 0, out, free, stop, end)
                answer = UNANSWERED if others == UNANSWERED else NO if others == YES else YES
        if answer == YES:
            captured[done] = do(pos, move, done % 2)
            done += 1
    for i in range(done - 1, -1, -1):
        undo(pos, line[i], i % 2, captured[i])
    return answer


# --- shortest mates ------------------------------------------------------------------------------------

_BOUND_AND_ANSWERED = Tuple([int64, boolean])


@unit(_BOUND_AND_ANSWERED, a=ARENA)
def raise_bound(a, last, nodes):
    """Ask for a mate within 1, 3, ... plies, up to ``last``, with ``nodes`` nodes in all. Returns (n,
    answered): the last bound asked for, and whether it was answered; the answer is in the search state."""
    search = a.search
    end = search.nodes + nodes
    n = np.int64(1)  # not a constant: Numba would compile the search again for it
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


BOX = Tuple(
    [
        void if name == "pos" else structs(SEARCH) if name == "search" else kind
        for name, kind in zip(Arena._fields, ARENA.members, strict=True)
    ],
    Arena,
)
"""The type of an `Arena` without a position, and with an array of one search state."""


@export(positions=structs(POSITION), box=BOX, lengths=INTEGERS)
def raise_bound_for_each(positions, box, last, nodes, lengths):
    """Find the shortest mates of many positions, each with an empty table.

    ``box``: an `Arena` without a position, and with an array of one search state, because arrays are passed to a kernel
    more quickly than their elements. ``lengths`` gets for each position the exact length; 0 if there is no mate at any
    length; -n if ``nodes`` nodes or ``last`` plies left it open whether there is a mate within n plies. Returns the
    number of positions done: fewer than all when the table has no new stamps.
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
        answer = ask_mates_after(a, moves[i], FOREVER + 1, min(before + nodes, last))
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
        agree = ask_mates_within(a, n - 2, True, min(search.nodes + nodes, end)) == NO
    stop = checks(a.pos, out, free) if agree else free
    for i in range(free, stop):
        search.mode = mode
        answer = ask_mates_after(a, out[i], n, min(search.nodes + nodes, end))
        if answer == UNANSWERED:
            agree = False
        elif answer == YES:
            search.mode = COUNT_ALL
            agree = ask_mates_after(a, out[i], n, min(search.nodes + nodes, end)) == YES
        else:
            search.mode = WIDE
            agree = ask_mates_after(a, out[i], n, min(search.nodes + nodes, end)) == NO
        if not agree:
            break
    search.mode = mode
    return agree


# --- moves that are known to be right without a search, for walks through proofs and disproofs ----


@unit(a=ARENA)
def is_known(a, n, attacker):
    """Return whether a node is decided without a search; the outcome goes to the search state."""
    return decide_without_search(a, n, attacker)


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
        decide_without_search(a, plies_below(n), True)
        undo(a.pos, move, DEF, captured)
        if not is_disproven(a.search) or a.search.taint:
            return False
    if not may_be_futile(a.pos, move):
        return True
    _, checker = find_checkers(a.pos, DEF)
    last = futile_drop_captures(a.pos, target_of(move), checker, a.search.mode, out, end)
    for i in range(end, last):
        do(a.pos, out[i], ATT)
        decide_without_search(a, n, False)
        undo(a.pos, out[i], ATT, 0)
        if not is_disproven(a.search) or a.search.taint:
            return False
    return True


@unit(void, a=ARENA, moves=INTEGERS, lengths=INTEGERS)
def known_lengths(a, moves, lengths, n):
    """For each check of ``moves`` the plies within which it is known to mate, after it; -1 if more than n."""
    for i in range(len(moves)):
        captured = do(a.pos, moves[i], ATT)
        decide_without_search(a, n, False)
        lengths[i] = a.search.length if is_proven(a.search) else -1
        undo(a.pos, moves[i], ATT, captured)


ROOM = 2 * MAX_MOVES
"""Scratch space that these kernels need."""
