# SPDX-License-Identifier: GPL-3.0-or-later
"""Othello for experiments 2 and 3 of Katoh1988, in which the first call has a cond of its own.

`solver.engines.rsearch` has one cond for all calls. It asks the game for the moves of a node
just before it looks at the cond, and there this game puts the cond of the present call in
force: what the caller gave for the first call, only a depth for those below it.
"""

from collections import namedtuple

from solver.engines.rsearch.kernel.cells import INFINITE
from solver.engines.rsearch.kernel.specialise import Game, make_rsearch
from tsume.papers.katoh1988.kernel import othello
from tsume_rules.kernel.compile import jit

Switching = namedtuple("Switching", "boards ply order search conds")
"""An `othello.Othello`, the record of the search, ``conds``: c and c1 of the first call, c of the others."""


@jit
def moves(state, out):
    """As `othello.moves`; puts the cond of the present call in force."""
    first = state.search.calls == 1
    state.search.depth = state.conds[0] if first else state.conds[2]
    state.search.room = state.conds[1] if first else INFINITE
    return othello.moves(state, out)


SWITCHING = Game("switching_othello", moves, othello.value, othello.play, othello.retract, othello.maximises)
KERNELS = make_rsearch(SWITCHING)
