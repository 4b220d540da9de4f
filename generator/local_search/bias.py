# SPDX-License-Identifier: GPL-3.0-or-later
"""The model of published problems, biased towards constraints.

Drawing, repair and walk (`generator.local_search.sampler`) follow the model, so they meet the constraints
sooner. The bias decides nothing: every candidate is tested all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from generator.constraints.problem import ProblemConstraints
from generator.constraints.properties import Key
from generator.likeness.kernel.traits import CHECKS, DEFENDERS, OFFSET, PIECES, PLACES, TAKEN_AT_ONCE
from generator.likeness.model import LikenessModel
from tsume_rules.kernel.tables import OURS
from tsume_rules.position import HAND_KINDS, Kind

AGAINST = 3.0
"""The cost of an unwanted trait: a walk accepts it with exp(-3) times the probability."""
_AGAINST_COUNT = 2.0
"""The cost of each piece that there are too many or too few."""
AGAINST_OPENING = 6.0
"""The same where a walk begins: it seldom changes the first move."""
_PROMOTED = [kind + side for kind in Kind if kind.is_promoted for side in (0, OURS)]
_DROPS = range(len(HAND_KINDS))
_MOVES = range(len(HAND_KINDS), 64)
"""The sorts of a check: a kind dropped, or kind, promotion and capture, the last in the lowest place."""


def biased_model(model: LikenessModel, constraints: ProblemConstraints, length: int) -> LikenessModel:
    """The model biased for problems of ``length`` plies; unchanged if no constraint is a trait."""
    of_positions, of_lines = (
        list(_position_trait_biases(constraints)),
        list(_line_trait_biases(constraints, length)),
    )
    if not of_positions and not of_lines:
        return model
    values, opening, rates = model.values.copy(), model.opening.copy(), model.rates.copy()
    for trait, times in of_positions:
        values[trait] -= AGAINST * times
        rates[trait] = 0.0
    for trait in of_lines:
        values[trait] -= AGAINST
        opening[trait] -= AGAINST_OPENING
    fewest = constraints.defenders or 0
    if not rates[DEFENDERS : DEFENDERS + 40].any():
        rates[DEFENDERS + fewest] = 1.0
    return replace(model, values=values, opening=opening, rates=rates)


def biased_to_counts(model: LikenessModel, defenders: int, pieces: int) -> LikenessModel:
    """The model biased towards so many defenders and pieces, kings included."""
    values = model.values.copy()
    for first, size, number in ((DEFENDERS, 40, defenders), (PIECES, 41, pieces)):
        values[first : first + size] -= _AGAINST_COUNT * np.abs(np.arange(size) - number)
    return replace(model, values=values)


def _position_trait_biases(constraints: ProblemConstraints) -> Iterator[tuple[int, int]]:
    """Unwanted traits of positions, with their distances in pieces from what is required."""
    fewest = constraints.defenders or 0
    yield from ((DEFENDERS + number, fewest - number) for number in range(fewest))
    for code in _PROMOTED if constraints.no_promoted else ():
        yield from ((OFFSET + code * PLACES + place, 1) for place in range(PLACES))


def _line_trait_biases(constraints: ProblemConstraints, length: int) -> Iterator[int]:
    """Unwanted traits of lines."""
    if constraints.key == Key.DROP:
        yield from (CHECKS + sort for sort in _MOVES)
    elif constraints.key == Key.QUIET:
        yield from (CHECKS + sort for sort in _DROPS)
        yield from (CHECKS + sort for sort in _MOVES if (sort - _MOVES[0]) % 2)
        yield from (TAKEN_AT_ONCE + length // 2,) if length > 1 else ()
    elif constraints.key == Key.SACRIFICE:
        yield TAKEN_AT_ONCE
