# SPDX-License-Identifier: GPL-3.0-or-later
"""What roots are told of earlier ones, in tests."""

from collections.abc import Iterable

import numpy as np

from generator.run.novelty import FoundKeys, KeyIndex, KnownKeysView


def knowing(keys: Iterable[int]) -> KnownKeysView:
    """Knows these keys."""
    known = KeyIndex()
    for key in keys:
        known.add_one(0, key)
    return KnownKeysView(known, 1)


def finds(found: Iterable[tuple[int, int]]) -> FoundKeys:
    """What roots found, as pairs of root and key in the order of the roots."""
    pairs = np.array(list(found), np.int64).reshape(-1, 2)
    return FoundKeys(pairs[:, 0].copy(), pairs[:, 1].copy())
