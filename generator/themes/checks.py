# SPDX-License-Identifier: GPL-3.0-or-later
"""Themes of the attacker's moves other than sacrifices; `generator.theme_names` has the definitions."""

from __future__ import annotations

from collections.abc import Callable

from generator.replay.board import CELL_OF, DIST
from generator.replay.line import ReplayedLine, ReplayedPly
from solver.scoring.check_kinds import is_distant_drop, stays_unpromoted
from tsume_rules.kernel.tables import BISHOP, KNIGHT, LANCE, PAWN, ROOK

CheckKind = Callable[[ReplayedPly], bool]

LONG = 4
"""A drop this many steps from the king is long-range (遠打): three squares lie between."""
GAINING = frozenset((PAWN, BISHOP, ROOK))
"""Kinds that gain moves by promotion and lose none: only to avoid a pawn-drop mate do they not promote."""


def declines_promotion(check: ReplayedPly) -> bool:
    """Whether a piece other than a knight may promote and does not; a knight often has to stay one."""
    return check.kind != KNIGHT and stays_unpromoted(check)


def may_avoid_pawn_drop_mate(check: ReplayedPly) -> bool:
    """Whether a rook, a bishop, a lance or a pawn does not promote where it may."""
    return (check.kind in GAINING or check.kind == LANCE) and stays_unpromoted(check)


def is_long_drop(check: ReplayedPly) -> bool:
    """Whether a slider is dropped far from the king."""
    return is_distant_drop(check) and DIST[check.target][check.king] >= LONG


def switches_back(replayed: ReplayedLine, number: int) -> bool:
    """スイッチバック: the piece of a turn goes where it came from by its move before."""
    check = replayed.turns[number].check
    moves = (k for k in range(number - 1, -1, -1) if replayed.turns[k].check.piece == check.piece)
    before = next(moves, None)
    return (
        before is not None
        and check.target == replayed.turns[before].check.origin != 0
        and _board_changed_between(replayed, before, number)
    )


def _board_changed_between(replayed: ReplayedLine, left: int, back: int) -> bool:
    """Whether more has changed between two turns than the squares of the king and of the returning piece."""
    one, other = replayed.turns[left].check, replayed.turns[back].check
    return bool(one.captured or other.captured) or _other_cells(one) != _other_cells(other)


def _other_cells(check: ReplayedPly) -> list[int]:
    """The board before a check, without the king and the piece that moves."""
    apart = {check.origin, check.king}
    return [0 if cell in apart else check.before[cell] for cell in CELL_OF]
