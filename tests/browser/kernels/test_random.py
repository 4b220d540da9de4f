# SPDX-License-Identifier: GPL-3.0-or-later
"""Random numbers in JavaScript are NumPy's."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from browser.files import runtime_source
from tests.javascript.node import run_node

SCRIPT = """
const drawn = (seed) => {
  const rng = numpy.random.default_rng(seed);
  return [
    rng.random(), rng.integers(0, 2n ** 63n), rng.integers(7), rng.integers(1, 5), rng.permutation(10),
    rng.choice([3, 4, 5]), rng.integers(-2, 3, 2), rng.random(), rng.integers(1), rng.permutation(300),
    rng.integers(2 ** 40), rng.integers(2 ** 32), rng.gumbel(0, 1, 20).tolist(), rng.random(),
  ].map((one) => (typeof one === "bigint" ? String(one) : one));
};
console.log(JSON.stringify(SEEDS.map(drawn)));
"""
SEEDS = [[0, 0], [7, 3], [2**32 - 1, 123456], 5, [2**40 + 3, 9, 1, 2, 3]]


def drawn_by_numpy(seed: Any) -> list[Any]:
    rng = np.random.default_rng(seed)
    return [
        rng.random(), str(rng.integers(0, 2**63, dtype=np.uint64)), rng.integers(7), rng.integers(1, 5),
        rng.permutation(10).tolist(), rng.choice([3, 4, 5]), rng.integers(-2, 3, size=2).tolist(),
        rng.random(), rng.integers(1), rng.permutation(300).tolist(), rng.integers(2**40),
        rng.integers(2**32), pytest.approx(rng.gumbel(size=20).tolist(), rel=1e-14, abs=1e-15), rng.random(),
    ]  # fmt: skip


def test_the_same_seeds_give_the_same_numbers() -> None:
    done = run_node("-", text=f"{runtime_source()}\nconst SEEDS = {json.dumps(SEEDS)};{SCRIPT}")
    assert done.returncode == 0, done.stderr
    for seed, numbers in zip(SEEDS, json.loads(done.stdout), strict=True):
        for number, expected in zip(numbers, drawn_by_numpy(seed), strict=True):
            assert number == expected
