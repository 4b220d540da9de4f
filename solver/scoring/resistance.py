# SPDX-License-Identifier: GPL-3.0-or-later
"""How the wrong first checks resist: how hard the hardest is to refute, and how many are tries (紛れ)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial

import numpy as np

from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.methods import FOR_RESISTANCE
from solver.results import RESISTANCE_NODES
from solver.scoring.kernel.glance import ROOM, refuted_at_a_glance
from tsume_rules.packing import Record
from tsume_rules.pieces import Side
from tsume_rules.record_play import played


def more_than_a_glance(record: Record, checks: Iterable[int]) -> list[int]:
    """Those of the legal checks that no answer refutes at a glance.

    An answer refutes at a glance if it leaves no check, or only checks each of which has an answer that
    leaves none: the attacker runs out of checks within three plies of the first.
    """
    out = np.empty(ROOM, dtype=np.int64)
    return [check for check in checks if not refuted_at_a_glance(record, check, out)]


def resistance(engine: DfPnEngine, record: Record, wrong: Iterable[int]) -> float:
    """log2(1 + N), N being the nodes that the hardest of the wrong checks takes to refute at any length.

    Each check is searched by `FOR_RESISTANCE` from an empty table, with at most `RESISTANCE_NODES`
    nodes, so the number depends on the size of the engine's table only; a check that mates does not count.
    The table is empty afterwards. Raises `LimitReached`.
    """
    hardest = 0
    with engine.searching_by(FOR_RESISTANCE):
        for check in wrong:
            hardest = max(hardest, _work(engine, record, check))
            if hardest == RESISTANCE_NODES:
                break
    engine.forget()
    return math.log2(1 + hardest)


def _work(engine: DfPnEngine, record: Record, check: int) -> int:
    engine.forget()
    before = engine.nodes
    with played(record, check, Side.ATTACKER):
        mates = engine.answered_within(RESISTANCE_NODES, partial(engine.mates_ever, record, attacker=False))
    if mates is None:
        return RESISTANCE_NODES
    return 0 if mates else min(engine.nodes - before, RESISTANCE_NODES)
