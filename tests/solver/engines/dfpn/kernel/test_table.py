# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.arena import ACCEPTED, TCA
from solver.engines.dfpn.kernel.table import FOREVER, INFINITE, WINDOW, look_up, store
from tests.tsume_rules.kernel.hands import packed
from tsume_rules.packed import pack
from tsume_rules.position import Kind
from tsume_rules.sfen import parse_sfen

BITS = 4
KEY, OTHER_KEY = np.uint64(2**63 + 11), np.uint64(2**63 + 12)
SLOT = np.uint64(2**64 - 1)
"""The last slot of the mask: its window ends beyond it."""
NOTHING = (0, 0)

SMALL = packed(Counter({Kind.PAWN: 1, Kind.GOLD: 1}))
LARGE = packed(Counter({Kind.PAWN: 2, Kind.GOLD: 1}))
CROSSED = packed(Counter({Kind.PAWN: 3}))


class Table:
    """A tiny table with the search state it belongs to."""

    def __init__(self) -> None:
        self.arena = DfPnEngine(table_bits=BITS).arena(pack(parse_sfen("4k4/9/9/9/9/9/9/9/9 b - 1").position))
        self.entries, self.search = self.arena.table, self.arena.search

    def store(self, pn: int, dn: int, length: int, hand: int, *, key: Any = KEY, work: int = 1) -> None:
        store(self.arena, key, SLOT, hand, pn, dn, length, hand, 0, work)

    def mate(self, length: int, hand: int, **more: Any) -> None:
        self.store(0, INFINITE, length, hand, **more)

    def no_mate(self, length: int, hand: int, **more: Any) -> None:
        self.store(INFINITE, 0, length, hand, **more)

    def look(self, n: int, hand: int, key: Any = KEY) -> tuple[int, int]:
        pn, dn, _, _, _ = look_up(self.arena, key, SLOT, hand, n)
        return int(pn), int(dn)


@pytest.fixture
def table() -> Table:
    return Table()


MATE, NO_MATE = (0, INFINITE), (INFINITE, 0)


def test_a_mate_holds_for_larger_hands_and_more_plies(table: Table) -> None:
    table.mate(5, SMALL)
    assert table.look(5, SMALL) == table.look(7, LARGE) == MATE
    assert table.look(3, LARGE) == NOTHING
    assert table.look(9, CROSSED) == table.look(9, 0) == NOTHING


def test_a_refutation_holds_for_smaller_hands_and_fewer_plies(table: Table) -> None:
    table.no_mate(5, LARGE)
    assert table.look(5, LARGE) == table.look(3, SMALL) == table.look(1, 0) == NO_MATE
    assert table.look(7, SMALL) == NOTHING
    assert table.look(3, CROSSED) == NOTHING


def test_a_refutation_for_good_holds_at_any_length(table: Table) -> None:
    table.no_mate(FOREVER, LARGE)
    assert table.look(31999, SMALL) == NO_MATE


def test_proofs_and_disproofs_come_with_their_own_length_and_hand(table: Table) -> None:
    table.mate(5, SMALL)
    assert look_up(table.arena, KEY, SLOT, LARGE, 9)[2:4] == (5, SMALL)


def test_open_numbers_hold_for_their_hand_and_length_only(table: Table) -> None:
    table.store(3, 7, 5, SMALL)
    assert table.look(5, SMALL) == (3, 7)
    assert table.look(7, SMALL) == table.look(3, SMALL) == table.look(5, LARGE) == NOTHING


def test_proofs_and_disproofs_come_before_open_numbers(table: Table) -> None:
    table.store(3, 7, 5, LARGE)
    table.mate(5, SMALL)
    assert table.look(5, LARGE) == MATE


def test_new_numbers_replace_old_ones_of_the_same_case(table: Table) -> None:
    table.store(3, 7, 5, SMALL)
    table.store(4, 8, 5, SMALL)
    assert table.look(5, SMALL) == (4, 8)
    assert np.count_nonzero(table.entries.stamp) == 1


def test_open_numbers_do_not_replace_proofs_and_disproofs(table: Table) -> None:
    table.no_mate(3, SMALL)
    table.store(3, 7, 5, SMALL)
    assert table.look(3, SMALL) == NO_MATE
    assert table.look(5, SMALL) == (3, 7)


def test_boards_in_one_window_are_told_apart(table: Table) -> None:
    table.mate(5, SMALL)
    table.no_mate(5, SMALL, key=OTHER_KEY)
    assert table.look(5, SMALL) == MATE
    assert table.look(5, SMALL, OTHER_KEY) == NO_MATE


def test_a_full_window_loses_what_took_the_least_work(table: Table) -> None:
    for i in range(WINDOW):
        table.mate(5, SMALL, key=np.uint64(100 + i), work=50 + i)
    assert table.search.evicted == 0
    table.mate(5, SMALL, work=1)
    assert table.search.evicted == 1
    assert table.look(5, SMALL) == MATE
    assert table.look(5, SMALL, np.uint64(100)) == NOTHING
    assert all(table.look(5, SMALL, np.uint64(100 + i)) == MATE for i in range(1, WINDOW))


def test_entries_of_another_stamp_are_empty(table: Table) -> None:
    table.mate(5, SMALL)
    table.search.stamp = 2
    assert table.look(5, SMALL) == NOTHING
    table.no_mate(5, SMALL)
    assert table.look(5, SMALL) == NO_MATE
    assert table.search.evicted == 0


def test_a_tainted_disproof_serves_its_own_question_only(table: Table) -> None:
    table.search.epoch = 5
    store(table.arena, KEY, SLOT, SMALL, INFINITE, 0, FOREVER, SMALL, 1, 1)
    assert look_up(table.arena, KEY, SLOT, SMALL, FOREVER)[4] == 1
    assert table.look(7, SMALL) == NOTHING, "a bounded question may not use it"
    table.search.epoch = 6
    assert table.look(FOREVER, SMALL) == NOTHING, "the question was dropped"
    table.search.epochs[5] = ACCEPTED
    assert table.look(7, SMALL) == table.look(FOREVER, SMALL) == NO_MATE


def test_the_least_depth_is_that_of_the_question(table: Table) -> None:
    """An open node's numbers are kept for the next question; how near to the root it was seen is not."""
    table.search.loops = TCA
    table.search.age = 7
    for depth in (9, 4, 6):
        table.search.depth = depth
        table.store(2, 3, 15, SMALL)
    assert table.look(15, SMALL) == (2, 3)
    assert table.search.met == 4
    table.search.age = 8
    assert table.look(13, SMALL) == (2, 3)
    assert table.search.met == 0
    table.search.depth = 12
    table.store(4, 5, 13, SMALL)
    assert table.look(13, SMALL) == (4, 5)
    assert table.search.met == 12
