# SPDX-License-Identifier: GPL-3.0-or-later
"""Our way to find the lengths of mates, to be compared with others."""

from __future__ import annotations

from collections.abc import Sequence

from scripts.measuring.clock import Contestant
from scripts.measuring.position_files import Named
from solver.engines.dfpn.engine import DfPnEngine
from solver.results import Interposition
from tsume_rules.packing import pack_all

NODES = 1 << 24
"""A search that needs more nodes is given up; no position of a game does."""
COUNTED, NOT_COUNTED = "tsume, futile drops counted", "tsume, futile not counted"


def ours(positions: Sequence[Named], interposition: Interposition, last: int, table_bits: int) -> Contestant:
    """Our engine by `DfPnEngine.short_lengths`: all positions in one call, or each in its own."""
    engine = DfPnEngine(interposition=interposition, table_bits=table_bits)
    records = pack_all([named.position for named in positions])
    singles = [records[i : i + 1] for i in range(len(records))]
    return Contestant(
        COUNTED if interposition is Interposition.COUNT_ALL else NOT_COUNTED,
        all=lambda: engine.short_lengths(records, last, NODES),
        one=lambda i: engine.short_lengths(singles[i], last, NODES),
        lengths=lambda: [int(length) for length in engine.short_lengths(records, last, NODES)],
    )
