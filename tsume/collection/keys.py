# SPDX-License-Identifier: GPL-3.0-or-later
"""The keys by which a run knows the problems of the collection."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from generator.problem import Problem
from tsume.collection.folder import read_collection


@cache
def collection_keys() -> frozenset[int]:
    """The hashes of the keys of all problems. Raises `tsume.collection.lines.CollectionError`."""
    return frozenset(key for one in read_collection() for key in natural_key_hashes(one.problem))


def natural_key_hashes(problem: Problem) -> Iterable[int]:
    """The hashes of a problem's keys: equal ones mean the same problem to an editor."""
    from generator.problem_keys import key_hash, natural_problem_keys  # loads numba

    return map(key_hash, natural_problem_keys(problem.position, problem.line))
