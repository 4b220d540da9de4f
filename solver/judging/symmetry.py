# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that are not second solutions: other forms of the key and of its mirror image."""

from __future__ import annotations

from collections.abc import Iterable

from solver.solving.form import differs_in_form_only
from tsume_rules.kernel.tables import DEF, SQUARE
from tsume_rules.packing import Record, pack_move, unpack, unpack_move
from tsume_rules.pieces import Side
from tsume_rules.squares import file_of


def mirror_of_key(record: Record, key: int) -> int | None:
    """The mirror image of a check in a symmetric position; None in any other position, or if the check is
    its own image."""
    if file_of(int(SQUARE[record.king[DEF]])) != 5:
        return None
    # only then may the position be symmetric
    position = unpack(record, Side.ATTACKER)
    if position.mirrored != position:
        return None
    image = pack_move(unpack_move(key).mirrored)
    return None if image == key else image


def of_other_kind(record: Record, key: int, checks: Iterable[int]) -> list[int]:
    """The checks that are neither a form of the key nor one of its mirror image."""
    image = mirror_of_key(record, key)
    keys = (key,) if image is None else (key, image)
    return [check for check in checks if not any(differs_in_form_only(record, one, check) for one in keys)]
