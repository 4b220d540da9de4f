# SPDX-License-Identifier: GPL-3.0-or-later
"""What is done before anything is timed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from solver.engines.dfpn.engine import DfPnEngine
from solver.limits import LimitReached
from solver.results import Limits
from tsume_rules.packing import pack
from tsume_rules.sfen import parse_sfen

_HARD = "8k/9/9/9/9/9/9/9/9 b R2GSr2b2g3s4n4l18p 1"
_NODES = 20_000


def warm_up(engine: DfPnEngine) -> None:
    """Compile all that a search uses, and touch the memory of the engine's table.

    The system clears memory when it is first written to; for a large table that takes
    most of a second.
    """
    record = pack(parse_sfen(_HARD).position)
    engine.raise_bound(record, 1)
    asks: tuple[Callable[[], bool], ...] = (
        lambda: engine.mates(record, 11),
        lambda: engine.mates_ever(record),
    )
    for ask in asks:
        engine.forget()
        with suppress(LimitReached), engine.within(Limits(nodes=_NODES)):
            ask()
    engine.forget()
