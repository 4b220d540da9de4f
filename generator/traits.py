# SPDX-License-Identifier: GPL-3.0-or-later
"""Traits: numbers read off a problem and its main line, from which its quality is made (docs/themes.md)."""

from __future__ import annotations

from collections.abc import Iterator

from generator.heuristics.attack import BIG, declines_promotion
from generator.replay.board import CELL_OF, Cells, cells_around
from generator.replay.geometry import is_on_home_square, is_piece_of_side, king_distance
from generator.replay.line import ReplayedLine, ReplayedPly, ReplayedTurn
from tsume_rules.kernel.tables import DEF, KNIGHT, LANCE, OURS, PAWN, PROMOTION, SILVER

_NEAR = 3
"""A piece at most this many king's moves from the king is near."""
_MOST_IN_HAND, _MOST_DEFENDERS, _MOST_CLOSE, _MOST_AT_HOME, _MOST_FINAL = 3, 4, 2, 2, 5
"""More than these is neither better nor worse."""


def quality_traits(replayed: ReplayedLine) -> dict[str, float]:
    """The traits by name.

    Shares are of the attacker's moves except the last, so that they do not grow with length.
    """
    return _move_traits(replayed) | _form_traits(replayed)


def _move_traits(replayed: ReplayedLine) -> dict[str, float]:
    earlier = max(1, len(replayed.turns) - 1)
    key = replayed.turns[0].check
    return {
        "sacrifices": len(replayed.sacrifices) / earlier,
        "big_sacrifices": sum(turn.check.kind in BIG for turn in replayed.sacrifices) / earlier,
        "non_promotions": sum(
            _surprise(turn.check) for turn in replayed.turns if declines_promotion(replayed, turn.check)
        ),
        "variety": (len({turn.check.kind for turn in replayed.turns}) - 1) / earlier,
        "plain_key": float(not (key.captured or key.promotes)),
        "capturing_key": float(key.captured != 0),
        "captures": sum(1 for _ in _captures(replayed)) / len(replayed.turns),
        "chasing": sum(map(_is_same_chase, replayed.turns, replayed.turns[1:])) / earlier,
        "same_steps": sum(map(_repeats_capture, replayed.turns, replayed.turns[1:])) / earlier,
    }


def _form_traits(replayed: ReplayedLine) -> dict[str, float]:
    start, king = replayed.start, replayed.plies[0].king
    cells = [cell for cell in CELL_OF if start[cell]]
    defenders = [cell for cell in cells if start[cell] > OURS]
    return {
        "open_squares": float(sum(replayed.end[cell] == 0 for cell in cells_around(replayed.mated_king))),
        "final_attackers": float(min(_MOST_FINAL, len(replayed.final_attackers))),
        "hand": float(min(_MOST_IN_HAND, len(replayed.position.attacker_hand))),
        "defenders": float(min(_MOST_DEFENDERS, len(defenders) - 1)),
        "close_defenders": float(
            min(_MOST_CLOSE, sum(is_piece_of_side(start[cell], DEF) for cell in cells_around(king)))
        ),
        "home_pieces": float(min(_MOST_AT_HOME, sum(_is_home_piece(start, cell) for cell in defenders))),
        "promoted_small": float(sum(PAWN + PROMOTION <= start[cell] <= SILVER + PROMOTION for cell in cells)),
        "far_pieces": float(sum(king_distance(cell, king) > _NEAR for cell in cells)),
    }


def _surprise(check: ReplayedPly) -> float:
    """How surprising it is that a piece does not promote; least for a knight, which often does not."""
    if check.kind == KNIGHT:
        return 0.5
    return 2.0 if check.kind in BIG or check.kind == PAWN else 1.0


def _captures(replayed: ReplayedLine) -> Iterator[ReplayedTurn]:
    """The turns at which the attacker captures a piece that the previous answer did not put there."""
    before = [None, *(turn.answer for turn in replayed.turns)]
    for answer, turn in zip(before, replayed.turns, strict=False):
        if turn.check.captured and (answer is None or answer.target != turn.check.target):
            yield turn


def _is_same_chase(one: ReplayedTurn, other: ReplayedTurn) -> bool:
    """Whether one piece gives both checks by moving: it runs after the king."""
    return one.check.piece == other.check.piece


def _repeats_capture(one: ReplayedTurn, other: ReplayedTurn) -> bool:
    """Whether one piece gives both checks by moving, the same way each time."""
    there, here = one.check, other.check
    return _is_same_chase(one, other) and there.target - there.origin == here.target - here.origin


def _is_home_piece(cells: Cells, cell: int) -> bool:
    """Whether a lance or a knight of the defender stands where it stands at the start of a game."""
    return is_on_home_square(cells, cell) and cells[cell] - OURS in (LANCE, KNIGHT)
