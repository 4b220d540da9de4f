# SPDX-License-Identifier: GPL-3.0-or-later
"""The memory of a df-pn engine: its arrays, and the table that fits besides them."""

from __future__ import annotations

from solver.engines.dfpn.kernel.arena import CANDIDATE, CANDIDATES, CHILD, ENTRY, FRAME, SEARCH
from solver.engines.dfpn.kernel.sound import STACK
from solver.engines.dfpn.kernel.table import WINDOW

FRAMES, CHILDREN, SCRATCH = 4096, 1 << 18, 8192
"""Frames of the search's stack, children of all nodes on it, integers of scratch space."""
_BESIDE_TABLE = (
    FRAMES * FRAME.itemsize
    + CHILDREN * CHILD.itemsize
    + CANDIDATES * (CANDIDATE.itemsize + 8)
    + (SCRATCH + STACK) * 8
    + SEARCH.itemsize
)


HELPER_BYTES = FRAMES * FRAME.itemsize + CHILDREN * CHILD.itemsize + SCRATCH * 8 + SEARCH.itemsize
"""The memory of each helper thread (`solver.engines.dfpn.team`)."""


def engine_bytes(table_bits: int) -> int:
    """The memory, in bytes, of an engine with a table of 2 ** table_bits entries."""
    return ((1 << table_bits) + WINDOW) * ENTRY.itemsize + _BESIDE_TABLE


def table_bits_within(size: int) -> int:
    """``table_bits`` of the largest table with which an engine uses at most ``size`` bytes.

    Raises ValueError if not even the smallest fits.
    """
    entries = (size - _BESIDE_TABLE) // ENTRY.itemsize - WINDOW
    if entries < 1:
        raise ValueError(f"no engine works within {size} bytes")
    return entries.bit_length() - 1


def threads_within(size: int, table_bits: int) -> int:
    """How many threads fit into ``size`` bytes besides the table, which is not reduced for them."""
    return 1 + max(0, size - engine_bytes(table_bits)) // HELPER_BYTES
