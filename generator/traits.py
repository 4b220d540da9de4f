"""Traits: numbers read off a problem and its main line, from which its quality is made (docs/themes.md)."""

from __future__ import annotations

from collections.abc import Iterator

from generator.themes.attack import BIG, declines
from generator.themes.board import CELL_OF, Cells, around
from generator.themes.geometry import distance, has, is_at_home
from generator.themes.story import Ply, Story, Turn
from tsume_rules.kernel.tables import DEF, KNIGHT, LANCE, OURS, PAWN, PROMOTION, SILVER

_NEAR = 3
"""A piece at most this many king's moves from the king is near."""
_MOST_IN_HAND, _MOST_DEFENDERS, _MOST_CLOSE, _MOST_AT_HOME, _MOST_FINAL = 3, 4, 2, 2, 5
"""More than these is neither better nor worse."""


def traits(story: Story) -> dict[str, float]:
    """The traits by name.

    Shares are of the attacker's moves except the last, so that they do not grow with length.
    """
    return _of_moves(story) | _of_form(story)


def _of_moves(story: Story) -> dict[str, float]:
    earlier = max(1, len(story.turns) - 1)
    key = story.turns[0].check
    return {
        "sacrifices": len(story.sacrifices) / earlier,
        "big_sacrifices": sum(turn.check.kind in BIG for turn in story.sacrifices) / earlier,
        "non_promotions": sum(_surprise(turn.check) for turn in story.turns if declines(story, turn.check)),
        "variety": (len({turn.check.kind for turn in story.turns}) - 1) / earlier,
        "plain_key": float(not (key.captured or key.promotes)),
        "capturing_key": float(key.captured != 0),
        "captures": sum(1 for _ in _captures(story)) / len(story.turns),
        "chasing": sum(map(_chases, story.turns, story.turns[1:])) / earlier,
        "same_steps": sum(map(_repeats, story.turns, story.turns[1:])) / earlier,
    }


def _of_form(story: Story) -> dict[str, float]:
    start, king = story.start, story.plies[0].king
    cells = [cell for cell in CELL_OF if start[cell]]
    defenders = [cell for cell in cells if start[cell] > OURS]
    return {
        "open_squares": float(sum(story.end[cell] == 0 for cell in around(story.mated_king))),
        "final_attackers": float(min(_MOST_FINAL, len(story.final_attackers))),
        "hand": float(min(_MOST_IN_HAND, len(story.position.attacker_hand))),
        "defenders": float(min(_MOST_DEFENDERS, len(defenders) - 1)),
        "close_defenders": float(min(_MOST_CLOSE, sum(has(start[cell], DEF) for cell in around(king)))),
        "home_pieces": float(min(_MOST_AT_HOME, sum(_is_home_piece(start, cell) for cell in defenders))),
        "promoted_small": float(sum(PAWN + PROMOTION <= start[cell] <= SILVER + PROMOTION for cell in cells)),
        "far_pieces": float(sum(distance(cell, king) > _NEAR for cell in cells)),
    }


def _surprise(check: Ply) -> float:
    """How surprising it is that a piece does not promote; least for a knight, which often does not."""
    if check.kind == KNIGHT:
        return 0.5
    return 2.0 if check.kind in BIG or check.kind == PAWN else 1.0


def _captures(story: Story) -> Iterator[Turn]:
    """The turns at which the attacker captures a piece that the previous answer did not put there."""
    before = [None, *(turn.answer for turn in story.turns)]
    for answer, turn in zip(before, story.turns, strict=False):
        if turn.check.captured and (answer is None or answer.target != turn.check.target):
            yield turn


def _chases(one: Turn, other: Turn) -> bool:
    """Whether one piece gives both checks by moving: it runs after the king."""
    return one.check.who == other.check.who


def _repeats(one: Turn, other: Turn) -> bool:
    """Whether one piece gives both checks by moving, the same way each time."""
    there, here = one.check, other.check
    return _chases(one, other) and there.target - there.origin == here.target - here.origin


def _is_home_piece(cells: Cells, cell: int) -> bool:
    """Whether a lance or a knight of the defender stands where it stands at the start of a game."""
    return is_at_home(cells, cell) and cells[cell] - OURS in (LANCE, KNIGHT)
