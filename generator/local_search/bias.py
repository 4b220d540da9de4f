"""The model of published problems, biased towards constraints.

Drawing, mending and walking (`generator.local_search.sampler`) follow the model, so they come to what is
wished sooner. Nothing is decided here: what they come to is tested all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from generator.constraints.problem import Constraints
from generator.constraints.properties import Key
from generator.likeness.kernel.traits import CHECKS, DEFENDERS, OFFSET, PLACES, TAKEN_AT_ONCE
from generator.likeness.model import Model
from tsume_rules.kernel.tables import OURS
from tsume_rules.pieces import HAND_KINDS, Kind

AGAINST = 3.0
"""What a trait that is not wished costs: a walk takes it up with a chance of exp(-3) of what it was."""
AGAINST_OPENING = 6.0
"""The same where a walk begins: it seldom changes the first move."""
_PROMOTED = [kind + side for kind in Kind if kind.is_promoted for side in (0, OURS)]
_DROPS = range(len(HAND_KINDS))
_MOVES = range(len(HAND_KINDS), 64)
"""The sorts of a check: a kind dropped, or kind, promotion and capture, the last in the lowest place."""


def biased(model: Model, wishes: Constraints, length: int) -> Model:
    """The model for problems of ``length`` plies as wished; the same where nothing wished is a trait."""
    of_positions, of_lines = list(_of_positions(wishes)), list(_of_lines(wishes, length))
    if not of_positions and not of_lines:
        return model
    values, opening, rates = model.values.copy(), model.opening.copy(), model.rates.copy()
    for trait, times in of_positions:
        values[trait] -= AGAINST * times
        rates[trait] = 0.0
    for trait in of_lines:
        values[trait] -= AGAINST
        opening[trait] -= AGAINST_OPENING
    fewest = wishes.defenders or 0
    if not rates[DEFENDERS : DEFENDERS + 40].any():
        rates[DEFENDERS + fewest] = 1.0
    return replace(model, values=values, opening=opening, rates=rates)


def _of_positions(wishes: Constraints) -> Iterator[tuple[int, int]]:
    """The traits of positions that are not wished, and how many pieces each is away from it."""
    fewest = wishes.defenders or 0
    yield from ((DEFENDERS + number, fewest - number) for number in range(fewest))
    for code in _PROMOTED if wishes.no_promoted else ():
        yield from ((OFFSET + code * PLACES + place, 1) for place in range(PLACES))


def _of_lines(wishes: Constraints, length: int) -> Iterator[int]:
    """The traits of lines that are not wished."""
    if wishes.key == Key.DROP:
        yield from (CHECKS + sort for sort in _MOVES)
    elif wishes.key == Key.QUIET:
        yield from (CHECKS + sort for sort in _DROPS)
        yield from (CHECKS + sort for sort in _MOVES if (sort - _MOVES[0]) % 2)
        yield from (TAKEN_AT_ONCE + length // 2,) if length > 1 else ()
    elif wishes.key == Key.SACRIFICE:
        yield TAKEN_AT_ONCE
