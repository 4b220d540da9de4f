"""First checks that are seen to fail at a glance, and those that are not: the tries (紛れ) of a problem."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from solver.scoring.kernel.glance import ROOM, refuted_at_a_glance
from tsume_rules.packing import Record


def more_than_a_glance(record: Record, checks: Iterable[int]) -> list[int]:
    """Those of the legal checks that no answer refutes at a glance.

    An answer refutes at a glance if it leaves no check, or only checks each of which has an answer that
    leaves none: the attacker runs out of checks within three plies of the first.
    """
    out = np.empty(ROOM, dtype=np.int64)
    return [check for check in checks if not refuted_at_a_glance(record, check, out)]
