# SPDX-License-Identifier: GPL-3.0-or-later
"""How an editor would rate a problem among others of its length: what counts, and how much.

`scripts/fit rating` fits the weights to ratings of composed problems (``scripts/fitting/ratings.tsv``). A
language model gave them, asked to read each problem with its variations and tries as a strict editor does
(docs/composing.md).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from generator.likeness.choice import choice_features, trees_for_length
from generator.likeness.finish import has_two_last_moves
from tsume_rules.moves import Move
from tsume_rules.packing import pack, pack_move
from tsume_rules.position import Position

RATING_WEIGHTS = {
    "themes": 0.06,
    "published": 0.05,
    "two_last_moves": -0.47,
    "captures": -0.33,
    "distant_drops": 0.16,
    "non_promotions": 0.33,
    "pieces": -0.06,
    "surprise": 0.02,
    "tries": 0.01,
}
"""What one more of each adds to a rating from 1 to 5.

``themes`` is their number and ``published`` the logarithm of how much likelier the problem is among published
ones than among composed ones (`generator.likeness.choice`); the others are features of
`solver.scoring.difficulty`.
"""


def rating_features(
    position: Position, line: tuple[Move, ...], themes: Sequence[str], features: Mapping[str, float]
) -> dict[str, float]:
    """What counts for the rating of a problem; ``features`` of its difficulty that are missing count as 0."""
    trees = trees_for_length(len(line))
    published = 0.0 if trees is None else trees.log_ratio(choice_features(position, line))
    found = {
        "themes": float(len(set(themes))),
        "published": published,
        "two_last_moves": float(has_two_last_moves(pack(position), tuple(map(pack_move, line)))),
    }
    return found | {name: features.get(name, 0.0) for name in RATING_WEIGHTS if name not in found}


def relative_rating(features: Mapping[str, float]) -> float:
    """The rating of a problem with these features, up to a number that is the same for all of its length."""
    return math.fsum(weight * features[name] for name, weight in RATING_WEIGHTS.items())
