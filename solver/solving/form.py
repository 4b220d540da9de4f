# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that are one move in several forms: promoting or not, nearer or farther (成・不成, 非限定)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tsume_rules.kernel.tables import DEF, DIST, LINE, SLIDES
from tsume_rules.packing import Record, dropped, origin_of, promotes, target_of


def differs_in_form_only(record: Record, one: int, other: int) -> bool:
    """Whether two checks (kernels' move codes) differ by promotion or by the distance of a slider only.

    ``record`` stands before them. A slider's distance is that of a drop or of a move along one
    line of the king's, or of moves of one piece in one direction.
    """
    if origin_of(one) != origin_of(other) or dropped(one) != dropped(other):
        return False
    if target_of(one) == target_of(other):
        return True
    piece = dropped(one) or int(record.board[origin_of(one)])
    if not SLIDES[piece]:
        return False
    king = int(record.king[DEF])
    ray = int(LINE[king, target_of(one)])
    same_ray = 0 <= ray < 8 and ray == int(LINE[king, target_of(other)])
    return same_ray or _same_direction(origin_of(one), target_of(one), target_of(other))


def _same_direction(origin: int, one: int, other: int) -> bool:
    return origin != 0 and int(LINE[origin, one]) == int(LINE[origin, other])


def group_forms_of_checks(record: Record, checks: Iterable[int]) -> list[list[int]]:
    """The checks in groups; those of a group differ in form only."""
    groups: list[list[int]] = []
    for check in checks:
        group = next((g for g in groups if differs_in_form_only(record, g[0], check)), None)
        if group is None:
            groups.append([check])
        else:
            group.append(check)
    return groups


def natural_check(record: Record, checks: Iterable[int], order: Callable[[int], int] | None = None) -> int:
    """The check of the most natural form: promoting, and from the cell nearest to the king.

    Of equals the least by ``order``, or by its code.
    """
    king = int(record.king[DEF])

    def unnatural(check: int) -> tuple[bool, int, int]:
        return not promotes(check), int(DIST[king, target_of(check)]), order(check) if order else check

    return min(checks, key=unnatural)
