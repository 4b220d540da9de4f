# SPDX-License-Identifier: GPL-3.0-or-later
"""Values that become part of a program."""

from __future__ import annotations

import numpy as np
import pytest

from browser.translation.context import constant


@pytest.mark.parametrize(
    ("table", "text"),
    [
        (np.array([[1, -2], [3, 4]], dtype=np.int8), "numpy.array([[1,-2],[3,4]], numpy.int8)"),
        (np.array([2**60], dtype=np.uint64), f"numpy.array([{2**60}n], numpy.uint64)"),
        (np.array([0.5, -1.25]), "numpy.widened([0.5,-1.25], 10)"),
        (np.array([1.23, 65504], dtype=np.float16).astype(np.float64), "numpy.widened([1.23,6.55e+04], 10)"),
        (np.array([1.23, 1e9], dtype=np.float32).astype(np.float64), "numpy.widened([1.23,1e+09], 23)"),
        (np.array([0.1, 1e300]), "numpy.array([0.1,1e+300], numpy.float64)"),
    ],
)
def test_tables_are_exact_and_short(table: np.ndarray, text: str) -> None:
    assert constant(table) == text
