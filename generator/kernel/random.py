# SPDX-License-Identifier: GPL-3.0-or-later
"""Random numbers in kernels, from a state that is passed in: a seed fixes what is drawn."""

import numpy as np
from numba import types

from tsume_rules.kernel.compile import jit

STATE = types.Array(types.uint64, 1, "C")
"""The type of a state, uint64 [1], for units."""


@jit
def random_below(state, bound):
    """A random whole number from 0 to bound - 1 (splitmix64)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return np.int64((z >> np.uint64(33)) % np.uint64(bound))
