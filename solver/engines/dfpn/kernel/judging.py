# SPDX-License-Identifier: GPL-3.0-or-later
"""What the judge asks of many checks, in one call.

The answers are those that the engine gives one by one; a question that these kernels cannot settle is
left to it.
"""

from solver.engines.dfpn.kernel.arena import ARENA, DROPPED
from solver.engines.dfpn.kernel.sound import (
    MATING,
    NO,
    REFUTED,
    STATES,
    UNANSWERED,
    YES,
    ask,
    ask_after,
)
from solver.engines.dfpn.kernel.table import FOREVER, LAST_STAMP
from solver.engines.kernel.mate import COUNT_ALL, WIDE
from tsume_rules.kernel.checks import checks
from tsume_rules.kernel.compile import INTEGERS, jit_inline, unit
from tsume_rules.kernel.play import do, undo

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
    """How many turns of the attacker along a main line plainly do not depend on the reading.

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
    """Whether one turn, ``n`` plies before the end, plainly does not depend on the reading."""
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
