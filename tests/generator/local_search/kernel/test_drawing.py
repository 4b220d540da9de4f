# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawn positions: legal, of pieces where people put them, and mates in exactly n plies."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from generator.constraints.position import PositionConstraints
from generator.kernel.traits import HANDS, KINGS, OFFSET, PLACES, RANKS, TRAITS, position_traits
from generator.local_search.kernel.drawing import draw_likely_position
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.iterative.engine import IterativeEngine
from tests import naive
from tests.grown import grown
from tests.likely import rates
from tests.records import assert_sane, in_bytes
from tsume_rules.game import start_faults
from tsume_rules.kernel.tables import SQUARE
from tsume_rules.packed import Record, pack, unpack
from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen, parse_sfen

EMPTY = "8k/9/9/9/9/9/9/9/9 b - 1"
TRIES, NODES = 3000, 1000
NOTHING = PositionConstraints().packed()


def drawn(
    n: int, number: int, tries: int = TRIES, start: str = EMPTY, seed: int = 0
) -> Iterator[tuple[int, Record]]:
    """``number`` draws, one after the other, each with the number of positions it took."""
    engine, state = DfPnEngine(table_bits=16), np.array([seed], dtype=np.uint64)
    record = pack(parse_sfen(start).position)
    for _ in range(number):
        taken = int(draw_likely_position(engine.arena(record), n, tries, NODES, rates(), state, NOTHING))
        yield taken, record.copy()


def positions(n: int, number: int) -> list[Position]:
    """Positions that were drawn, without a draw that found none."""
    return [unpack(record) for taken, record in drawn(n, number) if taken]


@pytest.mark.parametrize("n", [1, 3])
def test_the_slow_twin_finds_a_mate_of_the_same_length(n: int) -> None:
    found = positions(n, 10)
    assert len(found) > 4
    for position in found:
        assert naive.length(format_sfen(position), n) == n, format_sfen(position)


def test_the_other_engine_finds_mates_in_five() -> None:
    engine, found = IterativeEngine(table_bits=16), positions(5, 20)
    assert len(found) > 3
    for position in found:
        record = pack(position)
        assert engine.mates(record, 5), format_sfen(position)
        assert not engine.mates(record, 3), format_sfen(position)


def test_they_are_legal() -> None:
    for n in (1, 3, 5):
        for taken, record in drawn(n, 8):
            assert 0 <= taken <= TRIES
            assert_sane(record)
            assert not taken or start_faults(unpack(record)) == []


def test_pieces_stand_where_people_put_them() -> None:
    out = np.zeros(TRAITS, dtype=np.int64)
    for position in positions(3, 10):
        found = set(out[: position_traits(pack(position), out, 0)].tolist())
        for trait in found:
            of_place = OFFSET <= trait < RANKS or KINGS <= trait < HANDS + 8 * 20
            assert not of_place or rates()[trait] > 0, (format_sfen(position), trait)
            assert not OFFSET <= trait < RANKS or (trait - OFFSET) % PLACES < PLACES - 1


def test_the_king_stands_on_the_right() -> None:
    """Its mirror images are as likely, so they are not drawn."""
    for _, record in drawn(3, 20):
        assert SQUARE[int(record.king[1])] // 9 <= 4


def test_what_was_on_the_board_before_does_not_matter() -> None:
    others = [format_sfen(unpack(candidate.record)) for candidate in grown(3)[:4]]
    expected = [(taken, in_bytes(record)) for taken, record in drawn(3, 3)]
    for start in others:
        assert [(taken, in_bytes(record)) for taken, record in drawn(3, 3, start=start)] == expected


def test_other_random_numbers_draw_other_positions() -> None:
    one, other = ([in_bytes(record) for _, record in drawn(3, 3, seed=seed)] for seed in (1, 2))
    assert one != other


def test_few_tries_may_find_nothing() -> None:
    assert [taken for taken, _ in drawn(1, 2, tries=0)] == [0, 0]
    assert {taken for taken, _ in drawn(3, 20, tries=1)} == {0, 1}
