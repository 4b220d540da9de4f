# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of the mate tree: a position, the moves that led to it, scratch space."""

from collections import namedtuple

import numpy as np

BEYOND = 16000
"""The value of a node without a mate within the plies left; there may be a longer one."""
NEVER = 32000
"""The value of a node without a mate at any length: the attacker runs out of checks."""

ATTACK, DEFENCE, BLOCK, DROPS = 0, 1, 2, 3
"""Kinds of nodes: the attacker to move; the defender to move; the drops on one cell that may be
futile, which the attacker meets or shows to be futile; these drops when he meets them."""
TAKE = 1 << 20
"""Marks a slide, the checking piece's move to a cell: the defender is to move again."""
BLOCKS = 1 << 21
"""Marks a cell with drops of the defender's that may be futile."""
MEET = 1 << 22
"""Marks the attacker's choice to meet the drops on a cell."""

MATING = np.dtype(
    [
        ("nodes", np.int64),  # positions searched
        ("n", np.int32),  # plies the question is about
        ("mode", np.int32),  # which interpositions are futile
        ("height", np.int32),  # moves played
        ("barred", np.int32),  # number of positions to which the attacker may not return
        ("depth", np.int32),  # from here on for `solver.engines.dfpn.kernel.frontier`; 0: it sorts checks
        ("leaves", np.int32),
        ("checks", np.int32),
        ("liberties", np.int32),
        ("pn", np.int64),
        ("dn", np.int64),
        ("length", np.int64),
        ("hand", np.int64),
        ("taint", np.int64),
    ],
    align=True,
)
STEP_MADE = np.dtype(
    [
        ("kind", np.int8),  # the kind of node the move leads to
        ("captured", np.int8),
        ("n", np.int16),  # plies left there
        ("cell", np.int16),  # of BLOCK and DROPS
        ("move", np.int32),  # with its mark
    ],
    align=True,
)
BARRED = np.dtype([("key", np.uint64), ("hand", np.int64)])
SCRATCH = 1 << 13

Mating = namedtuple("Mating", "pos search steps barred buf")
"""A node of the mate tree: the position, the search state, the moves played, barred positions,
scratch space."""
