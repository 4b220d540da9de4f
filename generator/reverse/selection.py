# SPDX-License-Identifier: GPL-3.0-or-later
"""Constraints as limits and preferences of reverse construction."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from generator.candidate import Candidate
from generator.constraints.position import allowed_kind_bits, fewest_pieces_allowed
from generator.constraints.problem import KingRegion, ProblemConstraints, parse_hand
from generator.replay import cells_of_pieces
from generator.reverse.extender import MaterialLimits
from generator.reverse.kernel.final_positions import BORDER, FAR_CORNER, FAR_RANKS, MIDDLE, WHOLE_BOARD
from generator.theme_names import NAMES, limits_of_themes
from tsume_rules.kernel.tables import ATT, DEF
from tsume_rules.packed import dropped, origin_of, target_of
from tsume_rules.position import ALL_PIECES, HAND_KINDS

_ANY_REGION = (FAR_CORNER, FAR_CORNER, FAR_CORNER, FAR_RANKS, FAR_RANKS, BORDER, WHOLE_BOARD)
_REGIONS = {KingRegion.CORNER: (FAR_CORNER,), KingRegion.EDGE: (BORDER,), KingRegion.CENTRE: (MIDDLE,)}
FOR_A_THEME = 4.0
"""Merit of each theme looked for that the line shows already."""
BIASED_ROOTS = 24
"""Without constraints, one root in this many has a bias to a rare theme."""
BIASED_LENGTH = 7
"""From this length on; shorter problems show few of these themes and are found too quickly."""
_RARE = ("moved-interposition", "interposition", "distant-drop", "knight-mate", "switchback", "block")
"""Themes that seldom come by chance (docs/themes.md)."""
_FOR_AN_OPEN_CHECK = 0.15
"""Merit lost for each other check that is not refuted for good: it makes settling harder."""
_ROOM_TO_SHRINK = 1
"""Pieces above the limit that a position may have before it is minimised."""


def king_regions(constraints: ProblemConstraints) -> Sequence[int]:
    """Return where the king of a final position may be drawn, each equally likely."""
    return _ANY_REGION if constraints.region is None else _REGIONS[KingRegion(constraints.region)]


def material_limits(constraints: ProblemConstraints) -> MaterialLimits:
    """Return the limits of every extension."""
    hand = (ALL_PIECES,) * 8
    if constraints.hand is not None:
        hand = (0, *parse_hand(constraints.hand).counts)
    most = min(fewest_pieces_allowed(constraints) + _ROOM_TO_SHRINK, ALL_PIECES)
    return MaterialLimits(most, allowed_kind_bits(constraints), hand)


@dataclass(frozen=True)
class ThemeBias:
    """Themes that a root looks for: it restarts until a line of ``height`` plies shows one (0: never)."""

    themes: frozenset[str] = frozenset()
    height: int = 0

    def of(self, candidate: Candidate) -> int:
        """Return how many of the themes a candidate's line shows."""
        return len(candidate.shown_themes(self.themes))

    def merit(self, candidate: Candidate) -> float:
        """Merit of a candidate for the themes its line shows, and of what leads to interpositions.

        A dropped piece is captured sooner or later, and the mate must use it up. So interpositions
        are found before positions with pieces in the attacker's hand.
        """
        interposes = any(NAMES[theme].interposes for theme in self.themes)
        promise = float(candidate.packed.hand[0].sum()) if interposes else 0.0
        # Pieces that keep a first position from a form: moves back must take them from the board.
        limits = limits_of_themes(self.themes)
        sides = [ATT] * any(not one.attackers for one in limits) + [DEF] * any(not one.defenders for one in limits)
        obstructions = sum(len(cells_of_pieces(candidate.replayed.start, side)) for side in sides)
        return FOR_A_THEME * self.of(candidate) + promise - float(obstructions)


def theme_bias(constraints: ProblemConstraints, length: int, index: int) -> ThemeBias:
    """Return the bias of a root: to the required themes, or now and then to a rare one."""
    themes = frozenset(constraints.themes)
    if not constraints.has_any and length >= BIASED_LENGTH and index % BIASED_ROOTS == 0:
        themes = frozenset({_RARE[index // BIASED_ROOTS % len(_RARE)]})
    heights = (NAMES[theme].sought_from for theme in themes)
    height = min((height for height in heights if height is not None), default=0)
    return ThemeBias(themes, height if height <= length else 0)


def merit(constraints: ProblemConstraints, candidate: Candidate) -> float:
    """Merit of a candidate as a parent: for the required hand and for a key that does not capture."""
    total = (
        -0.5 * bool(candidate.packed.board[target_of(candidate.line[0])]) - _FOR_AN_OPEN_CHECK * candidate.open_checks
    )
    if constraints.hand is not None:
        held = sum(int(candidate.packed.hand[0, kind]) for kind in HAND_KINDS)
        total += held
    return total


def similarity_labels(candidate: Candidate) -> tuple[object, ...]:
    """What makes candidates alike: the final position, the line's shape, the key's kind, the pieces."""
    key = candidate.line[0]
    kind = dropped(key) or int(candidate.packed.board[origin_of(key)])
    shape = tuple(dropped(move) for move in candidate.line[::2])
    hands = candidate.packed.hand
    held, others = int(hands[0].sum()), int(hands[1].sum())
    return candidate.family, (candidate.family, shape), (kind, bool(dropped(key))), held, held, held, others


# --- which positions go on: a random choice that keeps a population varied -------------------------
#
# Each has a merit, to which a random number of the Gumbel distribution is added. That alone
# would draw a sample with weights exp(merit / temperature). Moreover, each position chosen
# makes those that share something with it less welcome: the final position, the shape of the
# line, the kind of the key, the number of pieces.

Item = TypeVar("Item")


def select_varied(
    items: Sequence[Item],
    labels: Sequence[Sequence[Hashable]],
    merits: Sequence[float],
    most: int,
    rng: np.random.Generator,
    temperature: float = 1.0,
) -> list[Item]:
    """Up to ``most`` of the items, the most welcome first.

    ``labels`` has the same number of labels for each item. An item that is chosen takes one
    unit of merit from each other item for each place in which their labels are equal.
    """
    welcome = np.array(merits, dtype=np.float64) + rng.gumbel(size=len(items)) * temperature
    columns = []
    for place in zip(*labels, strict=True):
        numbers: dict[Hashable, int] = {}
        columns.append(np.array([numbers.setdefault(label, len(numbers)) for label in place]))
    chosen: list[Item] = []
    while len(chosen) < min(most, len(items)):
        best = int(welcome.argmax())
        chosen.append(items[best])
        for column in columns:
            welcome[column == column[best]] -= 1.0
        welcome[best] = -np.inf
    return chosen
