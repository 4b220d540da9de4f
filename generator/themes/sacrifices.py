"""Themes of pieces given away: what a composer calls a sacrifice, not every piece that is taken."""

from __future__ import annotations

from itertools import pairwise

from generator.themes.attack import BIG, discovers
from generator.themes.board import attackers, crosses
from generator.themes.story import Ply, Story, Turn
from tsume_rules.kernel.tables import (
    BISHOP,
    DEF,
    GOLD,
    KING,
    KNIGHT,
    LANCE,
    PAWN,
    PROMOTION,
    ROOK,
    SILVER,
)

_WORTH = {PAWN: 1, LANCE: 2, KNIGHT: 2, SILVER: 3, GOLD: 4, BISHOP: 5, ROOK: 5}
"""The usual order of the kinds in hand, where a taken piece goes."""


def worth(code: int) -> int:
    """The worth of a piece's unpromoted kind; ``code``: of either side."""
    kind = code & 15
    return _WORTH[kind - PROMOTION if kind > KING else kind]


def gives_away(turn: Turn) -> bool:
    """Whether the next answer takes the piece that moved, which itself took nothing worth as much."""
    check = turn.check
    return turn.is_sacrifice and (not check.captured or worth(check.captured) < worth(check.kind))


def sacrifice(story: Story) -> bool:
    """捨駒."""
    return any(map(gives_away, story.turns))


def big_piece_sacrifice(story: Story) -> bool:
    """大駒捨て."""
    return any(turn.check.kind in BIG and gives_away(turn) for turn in story.turns)


def promotion_sacrifice(story: Story) -> bool:
    """成捨て."""
    return any(turn.check.promotes and gives_away(turn) for turn in story.turns)


def serial_sacrifice(story: Story) -> bool:
    """連続捨駒."""
    return any(gives_away(one) and gives_away(other) for one, other in pairwise(story.turns))


def is_on_a_focus(turn: Turn) -> bool:
    """Whether two pieces other than the king guard the square of a sacrifice."""
    if not gives_away(turn):
        return False
    cells = turn.check.before.copy()
    if turn.check.origin:
        cells[turn.check.origin] = 0
    cells[turn.check.target] = turn.check.stands
    return sum(cells[cell] & 15 != KING for cell in attackers(cells, turn.check.target, DEF)) > 1


def focal_sacrifice(story: Story) -> bool:
    """焦点の捨駒."""
    return any(map(is_on_a_focus, story.turns))


def removes(story: Story, number: int) -> bool:
    """Whether the turn ``number`` sacrifices a piece that was in the way at the start (邪魔駒消去)."""
    turn = story.turns[number]
    check = turn.check
    return (
        turn.is_sacrifice
        and check.who == check.origin != 0
        and not discovers(check)
        and any(_uses(later.check, check.origin) for later in story.turns[number + 1 :])
    )


def _uses(check: Ply, cell: int) -> bool:
    """Whether a move goes to a cell, over it, or gives check across it."""
    return (
        check.target == cell
        or bool(check.origin and crosses(check.origin, check.target, cell))
        or any(crosses(checker, check.king, cell) for checker in check.checkers)
    )


def obstruction_removal(story: Story) -> bool:
    """邪魔駒消去."""
    return any(removes(story, number) for number in range(len(story.turns)))


def replaces(story: Story, number: int) -> bool:
    """Whether another kind is dropped later where the piece sacrificed at a turn came from (打ち換え)."""
    turn = story.turns[number]
    left = turn.check.origin
    return (
        turn.is_sacrifice
        and left != 0
        and any(
            check.is_drop and check.target == left and check.kind != turn.check.kind
            for check, _ in story.turns[number + 1 :]
        )
    )


def replacement(story: Story) -> bool:
    """打ち換え."""
    return any(replaces(story, number) for number in range(len(story.turns)))
