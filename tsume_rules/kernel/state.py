# SPDX-License-Identifier: GPL-3.0-or-later
"""The position record that all kernels share."""

import numpy as np

from tsume_rules.kernel.compile import jit, jit_inline, struct
from tsume_rules.kernel.tables import ATT, SIZE

POSITION = np.dtype(
    [
        ("board", np.int8, (SIZE,)),  # piece codes in a padded mailbox, see tables
        ("hand", np.int8, (2, 8)),  # [side, kind], kinds 1 to 7
        ("king", np.int16, (2,)),  # the kings' cells; 0: no king
        ("key", np.uint64),  # Zobrist key of the board, hands left out
        ("slot", np.uint64),  # a second, independent key, for the place in a table
        ("effects", np.int64, (SIZE,)),  # from which directions each cell is attacked, see `effects`
    ],
    align=True,
)

POSITION_TYPE = struct(POSITION)

# A hand packed into one integer, with a guard bit above each field, so that one
# subtraction compares all kinds at once. The field of pawns has 5 bits, the others 3.
UNIT = np.array([0, 1, 1 << 6, 1 << 10, 1 << 14, 1 << 18, 1 << 22, 1 << 26], dtype=np.int64)
"""What one piece of each kind adds to a packed hand."""
FIELD = np.array([0, 31, 7, 7, 7, 7, 7, 7], dtype=np.int64)
"""The mask of each kind's field, after shifting it down."""
SHIFT = np.array([0, 0, 6, 10, 14, 18, 22, 26], dtype=np.int64)
"""The lowest bit of each kind's field."""
GUARDS = (1 << 5) | (1 << 9) | (1 << 13) | (1 << 17) | (1 << 21) | (1 << 25) | (1 << 29)
"""The guard bits of all fields."""


@jit
def packed_hand(pos):
    """The attacker's hand as one integer."""
    total = 0
    for kind in range(1, 8):
        total += int(pos.hand[ATT, kind]) * UNIT[kind]
    return total


@jit_inline
def hand_contains(larger, smaller):
    """Whether the first packed hand has no fewer pieces of any kind than the second."""
    return ((larger | GUARDS) - smaller) & GUARDS == GUARDS


@jit_inline
def count_in_hand(hand, kind):
    """The number of pieces of a kind in a packed hand."""
    return (hand >> SHIFT[kind]) & FIELD[kind]


@jit
def hand_union(a, b):
    """The smallest packed hand that contains both."""
    total = 0
    for kind in range(1, 8):
        total += max(count_in_hand(a, kind), count_in_hand(b, kind)) * UNIT[kind]
    return total


@jit
def hand_intersection(a, b):
    """The largest packed hand that both contain."""
    total = 0
    for kind in range(1, 8):
        total += min(count_in_hand(a, kind), count_in_hand(b, kind)) * UNIT[kind]
    return total
