"""Positions that are their own mirror image: a check and its image are one solution."""

from __future__ import annotations

from tsume_rules.packing import Record, pack_move, unpack, unpack_move
from tsume_rules.pieces import Side


def mirror_of_key(record: Record, key: int) -> int | None:
    """The mirror image of a check in a position that is its own; None in any other, and of itself."""
    position = unpack(record, Side.ATTACKER)
    if position.mirrored != position:
        return None
    image = pack_move(unpack_move(key).mirrored)
    return None if image == key else image
