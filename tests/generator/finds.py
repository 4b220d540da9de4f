"""What roots are told of earlier ones, in tests."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from generator.run.novelty import Finds, KeyIndex, View


def knowing(keys: Iterable[int]) -> View:
    """Knows these keys."""
    known = KeyIndex()
    for key in keys:
        known.add_one(0, key)
    return View(known, 1)


def finds(found: Iterable[tuple[int, int]]) -> Finds:
    """What roots found, as pairs of root and key in the order of the roots."""
    pairs = np.array(list(found), np.int64).reshape(-1, 2)
    return Finds(pairs[:, 0].copy(), pairs[:, 1].copy())
