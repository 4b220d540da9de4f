"""How well one order agrees with another."""

from __future__ import annotations

import numpy as np


def ranks(values: np.ndarray) -> np.ndarray:
    """The rank of each value, from 1; equal values share the mean of their ranks."""
    _, place, number = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(number) - (number - 1) / 2)[place])


def auc(better: np.ndarray, worse: np.ndarray) -> float:
    """The chance that one of the first values is above one of the second; a tie counts half."""
    together = ranks(np.concatenate([better, worse]))[: len(better)]
    return float((together.sum() - len(better) * (len(better) + 1) / 2) / (len(better) * len(worse)))


def spearman(one: np.ndarray, other: np.ndarray) -> float:
    """The correlation of the ranks."""
    return float(np.corrcoef(ranks(one), ranks(other))[0, 1])


def gamma_within(one: np.ndarray, other: np.ndarray, groups: np.ndarray) -> float:
    """Goodman and Kruskal's gamma over the pairs within a group; pairs tied in either do not count."""
    agreeing = (
        np.sign(one[:, None] - one) * np.sign(other[:, None] - other) * np.triu(groups[:, None] == groups, 1)
    )
    counted = np.count_nonzero(agreeing)
    return float(agreeing.sum() / counted) if counted else 0.0
