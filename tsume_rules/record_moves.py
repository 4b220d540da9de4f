"""The legal moves of a record as kernels' codes, in the fixed order: moves before drops, then by code."""

from __future__ import annotations

import numpy as np

from tsume_rules.kernel.checks import MAX_MOVES, checks
from tsume_rules.kernel.evasions import evasions
from tsume_rules.packing import Record


def legal_checks(record: Record) -> list[int]:
    """All legal checks, the attacker to move, in the fixed order."""
    out = np.empty(MAX_MOVES, dtype=np.int64)
    return sorted(out[: checks(record, out, 0)].tolist())


def legal_evasions(record: Record) -> list[int]:
    """All legal answers of a defender in check, in the fixed order."""
    out = np.empty(MAX_MOVES, dtype=np.int64)
    return sorted(out[: evasions(record, out, 0)].tolist())
