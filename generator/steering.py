"""Wishes as limits and preferences of the search."""

from __future__ import annotations

from collections.abc import Sequence

from generator.kernel.final import ANYWHERE, CENTRE, CORNER, EDGE, LINE
from generator.nursery import ALL_PIECES, Bounds, Sprout
from generator.themes import find_themes
from generator.wishes import Region, Wishes, parse_hand
from rules.kernel.play import dropped, origin_of, target_of
from rules.moves import Move
from rules.packing import unpack, unpack_move
from rules.pieces import HAND_KINDS
from rules.position import Position

_ANY_REGION = (CORNER, CORNER, CORNER, EDGE, EDGE, LINE, ANYWHERE)
_REGIONS = {Region.CORNER: (CORNER,), Region.EDGE: (LINE,), Region.CENTRE: (CENTRE,)}
_FOR_A_THEME = 4.0
"""Merit of a wished theme that the line has already, in units of the selection's temperature."""
_FOR_AN_OPEN_CHECK = 0.15
"""Merit lost by each other check that is not refuted for good: such are harder to settle."""
_ROOM_TO_SHRINK = 1
"""Pieces more than wished that a position may have before unnecessary ones are taken away."""


def regions(wishes: Wishes) -> Sequence[int]:
    """Where the king of a final position may be drawn, each equally likely."""
    return _ANY_REGION if wishes.region is None else _REGIONS[Region(wishes.region)]


def bounds(wishes: Wishes) -> Bounds:
    """What every position on the way must keep to."""
    hand = (ALL_PIECES,) * 8
    if wishes.hand is not None:
        hand = (0, *parse_hand(wishes.hand).counts)
    kinds = sum(1 << kind for kind in wishes.kinds)
    most = ALL_PIECES if wishes.max_pieces is None else wishes.max_pieces + _ROOM_TO_SHRINK
    return Bounds(most, kinds, hand)


def themes_of(sprout: Sprout) -> frozenset[str]:
    """The themes of a sprout's line."""
    position, line = told(sprout)
    return frozenset(find_themes(position, line))


def told(sprout: Sprout) -> tuple[Position, tuple[Move, ...]]:
    """A sprout's position and line as readable types."""
    return unpack(sprout.record), tuple(unpack_move(move) for move in sprout.line)


def may_fit(wishes: Wishes, sprout: Sprout) -> bool:
    """Whether a full-grown sprout can become a problem as wished, as far as its looks tell."""
    if wishes == Wishes(distinct_lines=wishes.distinct_lines):
        return True
    position, line = told(sprout)
    return (
        (wishes.region is None or Wishes(region=wishes.region).fit_position(position))
        and (wishes.hand is None or position.attacker_hand == parse_hand(wishes.hand))
        and (not wishes.themes or set(wishes.themes) <= set(find_themes(position, line)))
    )


def merit(wishes: Wishes, sprout: Sprout) -> float:
    """How welcome a sprout is as a parent: for what is wished, for a key that is no capture."""
    total = -0.5 * bool(sprout.record.board[target_of(sprout.line[0])]) - _FOR_AN_OPEN_CHECK * sprout.still
    if wishes.themes:
        total += _FOR_A_THEME * len(themes_of(sprout) & set(wishes.themes))
    if wishes.hand is not None:
        held = sum(int(sprout.record.hand[0, kind]) for kind in HAND_KINDS)
        total += held
    return total


def labels(sprout: Sprout) -> tuple[object, ...]:
    """What makes sprouts alike: the final position, the line's shape, the key's kind, the pieces."""
    key = sprout.line[0]
    kind = dropped(key) or int(sprout.record.board[origin_of(key)])
    shape = tuple(dropped(move) for move in sprout.line[::2])
    hands = sprout.record.hand
    held, others = int(hands[0].sum()), int(hands[1].sum())
    return sprout.family, (sprout.family, shape), (kind, bool(dropped(key))), held, held, held, others
