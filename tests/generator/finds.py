# SPDX-License-Identifier: GPL-3.0-or-later
"""Roots one by one, and what they are told of earlier ones, in tests."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing

import numpy as np

from generator.acceptance.pipeline import Proof
from generator.constraints.options import ComposingOptions
from generator.run.composer import RootResult
from generator.run.novelty import FoundKeys, KeyIndex, KnownKeysView
from generator.run.roots import RunJob, compose_root_ranges, local_pool


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


def compose_roots(
    seed: int, options: ComposingOptions, version: str, jobs: int = 1, first: int = 0, deadline: float | None = None,
    found: FoundKeys | None = None, proof: Proof | None = None,
) -> Generator[RootResult]:  # fmt: skip
    """The results of `compose_root_ranges` one by one; one job without a deadline is this process."""
    pool_factory = None if jobs == 1 and deadline is None else local_pool(jobs)
    job = RunJob(seed, options, version, proof)
    with closing(compose_root_ranges(job, pool_factory, first, deadline, found)) as parts:
        for part in parts:
            yield from part
