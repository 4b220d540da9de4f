# SPDX-License-Identifier: GPL-3.0-or-later
"""Models of what is likely, for tests: counted on positions that the tests grow, not fitted."""

from __future__ import annotations

from functools import cache

import numpy as np

from generator.candidate import Candidate
from generator.kernel.traits import TRAITS
from generator.likeness.model import LikenessModel, traits_of_problem
from tests.grown import grown


def traits_of(candidate: Candidate) -> np.ndarray:
    """How often a candidate and its line have each trait, [`TRAITS`]."""
    return np.bincount(traits_of_problem(candidate.packed, candidate.line), minlength=TRAITS)


@cache
def rates() -> np.ndarray:
    """How often grown positions have each trait."""
    candidates = [candidate for length in (3, 5) for candidate in grown(length)]
    found: np.ndarray = sum(map(traits_of, candidates), np.zeros(TRAITS)) / len(candidates)
    return found


def plain_model() -> LikenessModel:
    """Draws what is grown often; all positions are worth the same."""
    return LikenessModel.of_any_opening(np.zeros(TRAITS), rates())
