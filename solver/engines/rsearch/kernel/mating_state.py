"""What the mate tree is played on: a position, the way to it, and room for moves."""

from collections import namedtuple

import numpy as np

BEYOND = 16000
"""The value of a node that is no mate within the plies left, but may be one later."""
NEVER = 32000
"""The value of a node that is no mate at any length: the attacker runs out of checks."""

ATTACK, DEFENCE, BLOCK, DROPS = 0, 1, 2, 3
"""Kinds of nodes: the attacker's turn; the defender's; the drops on one cell that could be
futile, which the attacker meets or shows to be; these drops when they are met."""
TAKE = 1 << 20
"""Marks the checking piece's move to a cell: the defender is to move again, nothing is lost."""
BLOCKS = 1 << 21
"""Marks a cell where the defender drops something that could be futile."""
MEET = 1 << 22
"""The attacker plays on against such a drop."""

MATING = np.dtype(
    [
        ("nodes", np.int64),  # positions looked at
        ("n", np.int32),  # plies the question is about
        ("mode", np.int32),  # which interpositions are futile
        ("height", np.int32),  # moves played
        ("barred", np.int32),  # positions to which the attacker may not come back
        ("depth", np.int32),  # from here on for `solver.engines.dfpn.kernel.frontier`: 0, it sorts its checks
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
        ("kind", np.int8),  # of the node the move led to
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
"""A node of the mate tree: the position, the record, the moves made, barred positions, scratch space."""
