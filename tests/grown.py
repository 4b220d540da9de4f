"""Positions that the generator has grown, for tests: each mates by one line, within the growth's margin."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from generator.candidate import Sprout
from generator.constraints.options import Effort
from generator.reverse.extender import Bounds, Nursery
from solver.engines.dfpn.engine import DfPnEngine

FEW = Effort(answers=40, checks=10, children=6, per_answer=2)
"""Growth that gives a few children of a parent, quickly."""


def nursery(seed: int, effort: Effort = FEW, bounds: Bounds | None = None) -> Nursery:
    """A nursery with a small table of its own."""
    made = Nursery(DfPnEngine(table_bits=16), effort, np.array([seed], dtype=np.uint64))
    if bounds is not None:
        made.keep_to(bounds)
    return made


def mates_in_one(place: Nursery, finals: int) -> list[Sprout]:
    """The mates in one that lead to ``finals`` drawn final positions."""
    found: list[Sprout] = []
    for family in range(finals):
        final = place.draw_final()
        found += [] if final is None else place.first_moves(final, family)
    return found


def generations(place: Nursery, finals: int, length: int, most: int = 24) -> Iterator[list[Sprout]]:
    """The positions that mate in 1, 3, ... ``length`` plies, from ``most`` parents or a few more each."""
    population = mates_in_one(place, finals)
    yield population
    for _ in range(length // 2):
        parents = population[:: max(1, len(population) // most)]
        population = [child for parent in parents for child in place.children(parent)]
        yield population


def grown(length: int, finals: int = 12, seed: int = 1) -> list[Sprout]:
    """Positions that mate in exactly ``length`` plies."""
    return list(generations(nursery(seed), finals, length))[-1]
