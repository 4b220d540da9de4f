# SPDX-License-Identifier: GPL-3.0-or-later
"""Drops that a search leaves out, against the slow twin."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from solver.engines.base import SparedDrop
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.iterative.engine import IterativeEngine
from solver.limits import LimitReached
from solver.results import Limits
from tests import naive, naive_restoring
from tests.sampling import attacks
from tsume_rules.kernel.state import packed_hand
from tsume_rules.packed import Record, dropped, legal_checks, legal_evasions, pack, played, unpack_move
from tsume_rules.position import Position, Side
from tsume_rules.sfen import format_sfen, parse_sfen

LONGEST = 5
SAVED_BY_A_DROP = "9/9/9/6rp1/6k2/3B2B2/2R3S2/9/9 b 4g3s4n4l17p 1"
"""After 7g7e only a pawn dropped on 5e saves the defender."""


def drops_of(record: Record) -> Iterator[tuple[int, list[int]]]:
    """The checks that interpositions answer, with these."""
    for check in legal_checks(record):
        with played(record, check, Side.ATTACKER):
            found = [answer for answer in legal_evasions(record) if dropped(answer)]
        if found:
            yield check, found


def left_out(record: Record, check: int, drops: list[int], hand: int | None) -> list[SparedDrop]:
    with played(record, check, Side.ATTACKER):
        least = int(packed_hand(record)) if hand is None else hand
        return [SparedDrop(int(record.key), drop, least) for drop in drops]


def twin_of(sfen: str, check: int, drops: list[int], *, any_hand: bool) -> naive_restoring.Search:
    board = naive.board_of(sfen)
    board.push_usi(unpack_move(check).usi)
    hand = {} if any_hand else naive_restoring.attackers_hand(board)
    part = naive_restoring.board_part(board)
    return naive_restoring.Search({(part, unpack_move(drop).usi): [hand] for drop in drops})


def agree(position: Position, *, any_hand: bool, most: int = 2) -> Iterator[bool]:
    """Whether leaving out the drops after one check changes an answer; asserts that the twin agrees."""
    sfen, record, engine = format_sfen(position), pack(position), DfPnEngine(table_bits=14)
    for check, drops in list(drops_of(record))[:most]:
        twin = twin_of(sfen, check, drops, any_hand=any_hand)
        with engine.sparing(left_out(record, check, drops, 0 if any_hand else None)):
            for n in range(1, LONGEST + 1, 2):
                try:
                    with engine.within(Limits(nodes=500)):
                        mates = engine.mates(record, n)
                except LimitReached:
                    break
                assert mates == twin.mate_within(naive.board_of(sfen), n), (sfen, check, n)
        yield mates != engine.mates(record, n)


@pytest.mark.parametrize("any_hand", [False, True])
def test_the_search_leaves_out_the_drops_that_the_slow_twin_leaves_out(any_hand: bool) -> None:
    for position in attacks(40, seed=f"sparing {any_hand}"):
        list(agree(position, any_hand=any_hand))
    assert any(agree(parse_sfen(SAVED_BY_A_DROP).position, any_hand=any_hand, most=20))


def test_what_is_left_out_counts_again_afterwards() -> None:
    record, engine = pack(parse_sfen(SAVED_BY_A_DROP).position), DfPnEngine(table_bits=14)
    before = [engine.mates_after(record, check, 3) for check in legal_checks(record)]
    check, drops = next(iter(drops_of(record)))
    with engine.sparing(left_out(record, check, drops, 0)):
        engine.mates(record, 3)
    assert [engine.mates_after(record, check, 3) for check in legal_checks(record)] == before


def test_a_drop_is_left_out_with_the_least_hand_and_larger_ones_on_its_board_only() -> None:
    drop = SparedDrop(key=7, move=3, hand=1)
    assert drop.includes(SparedDrop(7, 3, 1))
    assert drop.includes(SparedDrop(7, 3, 2))
    assert not drop.includes(SparedDrop(7, 3, 0))
    assert not drop.includes(SparedDrop(8, 3, 1))
    assert not drop.includes(SparedDrop(7, 4, 1))


def test_an_engine_that_cannot_leave_out_drops_says_so() -> None:
    engine = IterativeEngine()
    assert not engine.spares_drops
    with pytest.raises(ValueError, match="IterativeEngine"), engine.sparing([]):
        pass
