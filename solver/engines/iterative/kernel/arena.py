# SPDX-License-Identifier: GPL-3.0-or-later
"""The data of a depth-first search: its frames, its table, its state."""

from collections import namedtuple

import numpy as np

NARROW, COUNT_ALL, WIDE = 0, 1, 2
"""Which interpositions are futile; see `solver.results.Interposition`."""
FOREVER = 32000
"""The length of a failure that holds at any length."""
NO_CIRCLE = 1 << 30
NOT_YET, MATE, NO_MATE = 0, 1, -1
"""The answer to a node."""

FRAME = np.dtype(
    [
        ("attacker", np.int8),  # whether he is to move
        ("n", np.int16),  # plies left
        ("first", np.int32),  # the start of its moves in the scratch space
        ("next", np.int32),  # the next one to try
        ("end", np.int32),
        ("played", np.int32),  # the move being searched, with its marks
        ("captured", np.int8),
        ("cut", np.int8),  # whether a failure below it rests on the bound
        ("circle", np.int32),  # the lowest frame whose repetition a failure below rests on
        ("started", np.int64),  # the node count when it was entered
        ("key", np.uint64),
    ],
    align=True,
)
ENTRY = np.dtype(
    [
        ("key", np.uint64),
        ("hand", np.int64),  # the attacker's, packed, with marks (`table`)
        ("mate", np.int16),  # the fewest plies known to suffice for mate
        ("fail", np.int16),  # the most plies known not to suffice
        ("move", np.int32),  # the move that last decided it
        ("work", np.int32),  # the nodes that this needed
        ("stamp", np.int32),
    ],
    align=True,
)
BARRED = np.dtype([("key", np.uint64), ("hand", np.int64)], align=True)
STATE = np.dtype(
    [
        ("nodes", np.int64),
        ("depth", np.int32),  # frames in use
        ("answer", np.int8),  # of the node just left
        ("cut", np.int8),  # whether its failure rests on the bound
        ("circle", np.int32),
        ("mode", np.int8),
        ("barred", np.int32),
        ("stamp", np.int32),
    ],
    align=True,
)

Arena = namedtuple("Arena", "pos table state frames barred scratch")
