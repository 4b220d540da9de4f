# SPDX-License-Identifier: GPL-3.0-or-later
"""Counting by several threads, for the test of the table's locks."""

import numpy as np

from solver.engines.dfpn.kernel.table import lock, unlock
from tsume_rules.kernel.compile import jit


@jit
def count_up(shared: np.ndarray, counters: np.ndarray, times: int, first: int) -> None:
    """Add to two counters by turns, within locks of parts that overlap."""
    for i in range(times):
        place = 1020 + 1024 * ((first + i) & 1)
        lock(shared, place, place + 15)
        counters[0] += 1
        unlock(shared, place, place + 15)
        lock(shared, 2044, 2044 + 15)
        counters[1] += 1
        unlock(shared, 2044, 2044 + 15)
