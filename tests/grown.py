# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions that the generator has grown, for tests: each mates by one line, within the growth's margin."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from generator.candidate import Candidate
from generator.constraints.options import Effort
from generator.reverse.extender import Extender, MaterialLimits
from solver.engines.dfpn.engine import DfPnEngine

FEW = Effort(answers=40, checks=10, children=6, per_answer=2)
"""Growth that gives a few children of a parent, quickly."""


def extender(seed: int, effort: Effort = FEW, bounds: MaterialLimits | None = None) -> Extender:
    """A extender with a small table of its own."""
    made = Extender(DfPnEngine(table_bits=16), effort, np.array([seed], dtype=np.uint64))
    if bounds is not None:
        made.keep_to(bounds)
    return made


def mates_in_one(place: Extender, finals: int) -> list[Candidate]:
    """The mates in one that lead to ``finals`` drawn final positions."""
    found: list[Candidate] = []
    for family in range(finals):
        final = place.draw_final()
        found += [] if final is None else place.first_moves(final, family)
    return found


def generations(place: Extender, finals: int, length: int, most: int = 24) -> Iterator[list[Candidate]]:
    """The positions that mate in 1, 3, ... ``length`` plies, from ``most`` parents or a few more each."""
    population = mates_in_one(place, finals)
    yield population
    for _ in range(length // 2):
        parents = population[:: max(1, len(population) // most)]
        population = [child for parent in parents for child in place.children(parent)]
        yield population


def grown(length: int, finals: int = 12, seed: int = 1) -> list[Candidate]:
    """Positions that mate in exactly ``length`` plies."""
    return list(generations(extender(seed), finals, length))[-1]
