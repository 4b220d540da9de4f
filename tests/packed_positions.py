# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests ask of packed positions."""

from __future__ import annotations

import numpy as np

from tsume_rules.packed import PackedPosition, pack, unpack
from tsume_rules.position import Position, Side, structural_faults
from tsume_rules.sfen import format_sfen


def in_bytes(packed: PackedPosition) -> bytes:
    """All of ``packed`` (board, hands, kings, keys, effects) except padding, which a copy may leave out."""
    return b"".join(np.asarray(packed[name]).tobytes() for name in packed.dtype.names)


def assert_sane(packed: PackedPosition) -> None:
    """A legal placement without an attacker's king, of one set of pieces, and all its tables fit it."""
    position = unpack(packed)
    said = format_sfen(position)
    assert structural_faults(position) == [], said
    assert position.king(Side.ATTACKER) is None, said
    assert Position.completed(position.board, position.attacker_hand) == position, said
    assert in_bytes(packed) == in_bytes(pack(position)), said


def assert_in_step(packed: PackedPosition) -> None:
    """Every field of ``packed`` is what its board and its hands give: nothing derived was left behind."""
    position = unpack(packed)
    fresh = pack(position)
    for name in packed.dtype.names:
        assert np.array_equal(np.asarray(packed[name]), np.asarray(fresh[name])), (name, format_sfen(position))
