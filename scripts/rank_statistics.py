# SPDX-License-Identifier: GPL-3.0-or-later
"""Agreement of orders, and quantiles."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np


def quantile(ascending: Sequence[float], share: float) -> float:
    """The least value that at least this share of the values does not exceed."""
    return ascending[max(0, math.ceil(share * len(ascending)) - 1)]


def auc(better: np.ndarray, worse: np.ndarray) -> float:
    """The chance that one of the first values is above one of the second; a tie counts half."""
    worse = np.sort(worse)
    below = np.searchsorted(worse, better, "left")
    not_above = np.searchsorted(worse, better, "right")
    return float((below + not_above).mean() / (2 * len(worse)))


def gamma_within(one: np.ndarray, other: np.ndarray, groups: np.ndarray) -> float:
    """Goodman and Kruskal's gamma over the pairs within a group; pairs tied in either do not count."""
    agreeing = (
        np.sign(one[:, None] - one) * np.sign(other[:, None] - other) * np.triu(groups[:, None] == groups, 1)
    )
    counted = np.count_nonzero(agreeing)
    return float(agreeing.sum() / counted) if counted else 0.0
