# SPDX-License-Identifier: GPL-3.0-or-later
"""裸玉: no bare king is a sound mate in seven plies or fewer, so problems of that length are refused."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from generator.theme_names import NAMES
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.sound import SOUND
from tsume_rules.packed import pack, pack_all
from tsume_rules.position import HAND_KINDS, SET_COUNT, Hand, Kind, Piece, Position, Side, square

LAST = 5


def bare_kings(held: int) -> list[Position]:
    """A king on each square of files 1 to 5, with each hand of so many pieces."""
    found = []
    for kinds in combinations_with_replacement(HAND_KINDS, held):
        counts = {kind: kinds.count(kind) for kind in kinds}
        if any(number > SET_COUNT[kind] for kind, number in counts.items()):
            continue
        for file in range(1, 6):
            for rank in range(1, 10):
                board: list[Piece | None] = [None] * 81
                board[square(file, rank)] = Piece(Side.DEFENDER, Kind.KING)
                found.append(Position.completed(tuple(board), Hand.of(counts)))
    return found


@pytest.mark.parametrize("held", [1, 2, 3])
def test_no_bare_king_mates_in_five_plies(held: int) -> None:
    lengths = DfPnEngine(table_bits=18).short_lengths(pack_all(bare_kings(held)), LAST, 20_000)
    assert ((lengths == 0) | (lengths < -LAST)).all()


@pytest.mark.slow
@pytest.mark.parametrize("held", [1, 2, 3, 4])
def test_the_only_bare_king_that_mates_in_seven_plies_is_unsound(held: int) -> None:
    positions, engine = bare_kings(held), DfPnEngine(table_bits=22)
    lengths = engine.short_lengths(pack_all(positions), LAST + 2, 400_000)
    mates = [one for one, length in zip(positions, lengths, strict=True) if -LAST - 2 <= length != 0]
    assert [engine.is_sound(pack(one), LAST + 2, 2, 60) == SOUND for one in mates] == [False] * (held == 4)
    assert NAMES["bare-king"].shortest == LAST + 4
