# SPDX-License-Identifier: GPL-3.0-or-later
"""The memory of a df-pn engine: its arrays, the table that fits besides them, archives of the table."""

from __future__ import annotations

from typing import Any
from zipfile import ZipFile

import numpy as np
from numpy.lib.format import read_array, write_array

from solver.engines.dfpn.kernel.arena import CANDIDATE, CANDIDATES, CHILD, ENTRY, FRAME, LINK_PENDING, SEARCH
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
    """Return the memory, in bytes, of an engine with a table of 2 ** table_bits entries."""
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
    """Return how many threads fit into ``size`` bytes besides the table, which is not reduced for them."""
    return 1 + max(0, size - engine_bytes(table_bits)) // HELPER_BYTES


# --- archives of the table and the state of a search -----------------------------------------------
#
# A zip archive of byte arrays: the state of the search, and for each part of the table the places in use and
# their entries. Checksums reveal damage.

_PART = 1 << 20
"""Places of the table written at a time."""
_STATE = "search.npy"


def write_learned(archive: ZipFile, table: Any, search: Any) -> None:
    """Write the table's entries in use, and the state of a search, which may be at any node.

    ``search``: a `SEARCH`. Results that depend on positions of the path are not written, nor are the repeated
    positions: disproofs that depend on these (`solver.engines.dfpn.unbounded_search`) must be dropped after reading.
    """
    kept = np.array([search], dtype=SEARCH)
    state = kept[0]
    state["top"] = state["depth"] = state["raised"] = 0
    state["path"][:] = 0
    pending = state["link_state"] == LINK_PENDING
    state["link_state"][pending] = 0
    uses = state["link_uses"]
    uses[pending] = np.maximum(uses[pending] + np.uint16(1), np.uint16(1))
    if state["age"]:  # the repeated query is not a new one
        state["age"] -= 1
    _write(archive, _STATE, kept)
    for first in range(0, len(table), _PART):
        part = table[first : first + _PART]
        used = np.flatnonzero(part["stamp"] == state["stamp"]).astype(np.uint32)
        _write(archive, f"{first}.places.npy", used)
        _write(archive, f"{first}.entries.npy", part[used])


def read_learned(archive: ZipFile, table: Any, search: Any) -> None:
    """Read into a table of the same size and into an array with one `SEARCH`.

    Raises `ValueError`, `KeyError`, `EOFError` or `zipfile.BadZipFile` if the archive is damaged or does
    not fit; both arrays are invalid then.
    """
    kept = _read(archive, _STATE, SEARCH)
    if len(kept) != 1:
        raise ValueError("not one state")
    table["stamp"][:] = 0
    for first in range(0, len(table), _PART):
        places = _read(archive, f"{first}.places.npy", np.dtype(np.uint32))
        entries = _read(archive, f"{first}.entries.npy", ENTRY)
        part = table[first : first + _PART]
        if len(places) != len(entries) or (len(places) and int(places.max()) >= len(part)):
            raise ValueError("places and entries do not fit")
        part[places] = entries
    search[:] = kept


def _write(archive: ZipFile, name: str, array: Any) -> None:
    with archive.open(name, "w", force_zip64=True) as file:
        write_array(file, np.ascontiguousarray(array).view(np.uint8))


def _read(archive: ZipFile, name: str, dtype: np.dtype[Any]) -> Any:
    with archive.open(name) as file:
        found = read_array(file)
        if file.read(1):  # the checksum is tested at the end
            raise ValueError("more bytes than the array has")
    if found.dtype != np.uint8 or found.ndim != 1 or len(found) % dtype.itemsize:
        raise ValueError(f"no array of {dtype}")
    return found.view(dtype)
