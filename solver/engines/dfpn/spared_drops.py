# SPDX-License-Identifier: GPL-3.0-or-later
"""Drops that are left out, as the kernels look them up (`kernel.sparing`)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.engines.dfpn.kernel.arena import BARRED
from solver.engines.dfpn.kernel.sparing import MULTIPLIER
from solver.engines.spared_drops import SparedDrop

SMALLEST = 64
_WORD = (1 << 64) - 1


def spared_table(drops: Sequence[SparedDrop]) -> np.recarray:
    """A hash table of the drops, at most half full."""
    size = SMALLEST
    while size < 2 * len(drops):
        size *= 2
    table = np.zeros(size, dtype=BARRED).view(np.recarray)
    for drop in drops:
        key = drop.key ^ ((drop.move + 1) * int(MULTIPLIER) & _WORD)
        place = key & (size - 1)
        while table[place].key:
            place = (place + 1) & (size - 1)
        table[place].key = key
        table[place].hand = drop.hand
    return table
