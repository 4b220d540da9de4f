# SPDX-License-Identifier: GPL-3.0-or-later
"""What tests ask of records."""

from __future__ import annotations

import numpy as np

from tsume_rules.packed import Record, pack, unpack
from tsume_rules.position import Position, Side, structural_faults
from tsume_rules.sfen import format_sfen


def in_bytes(record: Record) -> bytes:
    """All of a record (board, hands, kings, keys, effects) except padding, which a copy may leave out."""
    return b"".join(np.asarray(record[name]).tobytes() for name in record.dtype.names)


def assert_sane(record: Record) -> None:
    """A legal placement without an attacker's king, of one set of pieces, and all its tables fit it."""
    position = unpack(record)
    said = format_sfen(position)
    assert structural_faults(position) == [], said
    assert position.king(Side.ATTACKER) is None, said
    assert Position.completed(position.board, position.attacker_hand) == position, said
    assert in_bytes(record) == in_bytes(pack(position)), said


def assert_in_step(record: Record) -> None:
    """Every field of a record is what its board and its hands give: nothing derived was left behind."""
    position = unpack(record)
    fresh = pack(position)
    for name in record.dtype.names:
        assert np.array_equal(np.asarray(record[name]), np.asarray(fresh[name])), (
            name,
            format_sfen(position),
        )
