"""What a depth-first search works on: its frames, its table, its state."""

from collections import namedtuple

import numpy as np

NARROW, COUNT_ALL, WIDE = 0, 1, 2
"""Which interpositions are futile; see `solver.results.Interposition`."""
FOREVER = 32000
"""A bound that is none."""
NO_CIRCLE = 1 << 30
NOT_YET, MATE, NO_MATE = 0, 1, -1
"""What is known of a node."""

FRAME = np.dtype(
    [
        ("attacker", np.int8),  # whose turn it is
        ("n", np.int16),  # plies left
        ("first", np.int32),  # where its moves begin in the scratch space
        ("next", np.int32),  # the next one to be tried
        ("end", np.int32),
        ("played", np.int32),  # the move being searched, with its marks
        ("captured", np.int8),
        ("cut", np.int8),  # whether a failure below it rested on the bound
        ("circle", np.int32),  # the lowest frame whose repetition a failure below rests on
        ("started", np.int64),  # the node count when it was entered
        ("key", np.uint64),
    ],
    align=True,
)
ENTRY = np.dtype(
    [
        ("key", np.uint64),
        ("hand", np.int64),  # the attacker's, packed; the defender's turns have a mark of their own
        ("mate", np.int16),  # the least number of plies known to be enough
        ("fail", np.int16),  # the largest number known not to be
        ("move", np.int32),  # what decided it last
        ("work", np.int32),  # the nodes that took
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
