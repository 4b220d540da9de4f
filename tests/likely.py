"""Models of what is likely, for tests: counted on positions that the tests grow, not fitted."""

from __future__ import annotations

from functools import cache

import numpy as np

from generator.kernel.traits import TRAITS, line_traits, position_traits
from generator.likeness.model import Model
from generator.nursery import Sprout
from tests.grown import grown

_ROOM = 4096


def traits_of(sprout: Sprout) -> np.ndarray:
    """How often a sprout and its line have each trait, [`TRAITS`]."""
    out, captured = np.zeros(_ROOM, dtype=np.int64), np.zeros(sprout.length, dtype=np.int64)
    first = position_traits(sprout.record, out, 0)
    moves = np.array(sprout.line, dtype=np.int64)
    end = line_traits(sprout.record, moves, sprout.length, captured, out, first)
    return np.bincount(out[:end], minlength=TRAITS)


@cache
def rates() -> np.ndarray:
    """How often grown positions have each trait."""
    sprouts = [sprout for length in (3, 5) for sprout in grown(length)]
    found: np.ndarray = sum(map(traits_of, sprouts), np.zeros(TRAITS)) / len(sprouts)
    return found


def plain_model() -> Model:
    """Draws what is grown often; all positions are worth the same."""
    return Model.open(np.zeros(TRAITS), rates())
