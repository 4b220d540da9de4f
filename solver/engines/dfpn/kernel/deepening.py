# SPDX-License-Identifier: GPL-3.0-or-later
"""The shortest mate by raising the bound two plies at a time, of one short problem or of many.

The loops are compiled because a call from Python costs as much as solving a mate in three.
"""

import numpy as np
from numba import types

from solver.engines.dfpn.kernel.arena import ARENA, FINISHED, Arena, is_proven
from solver.engines.dfpn.kernel.search import abandon, begin, run
from solver.engines.dfpn.kernel.table import FOREVER, LAST_STAMP
from tsume_rules.kernel.compile import jit, unit

_ANSWERED = types.Tuple([types.int64, types.boolean])


@unit(_ANSWERED, a=ARENA)
def raise_bound(a, last, nodes):
    """Ask for a mate within 1, 3, ... plies, up to ``last``, with ``nodes`` nodes in all.

    Returns (n, answered): the last bound asked for, and whether it was answered; the answer is
    in the search state.
    """
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
