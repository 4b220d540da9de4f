# SPDX-License-Identifier: GPL-3.0-or-later
"""The fixed-depth search at new nodes against the slow twin and against longer searches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.arena import DISPROVEN, PROVEN, UNKNOWN
from solver.engines.dfpn.kernel.frontier import (
    likeliest_first,
    tightest_first,
    try_mate_in_one,
    try_mate_in_three,
    try_mated_in_two,
)
from solver.engines.dfpn.kernel.mate_in_one import liberties_after
from solver.engines.dfpn.kernel.table import FOREVER
from solver.results import Interposition
from tests import naive
from tests.readable import evasions
from tests.sampling import attacks, checked, crowded, promotable, starts
from tests.solver.questions import READINGS
from tsume_rules.kernel.move_generation import MAX_MOVES, king_flight_directions, pseudo_checks
from tsume_rules.kernel.state import count_in_hand, hand_contains, packed_hand
from tsume_rules.kernel.tables import DIST, LINE
from tsume_rules.packed import Record, legal_checks, pack, pack_move, record_after, unpack, unpack_move
from tsume_rules.position import HAND_KINDS, Hand, Position, Side
from tsume_rules.sfen import format_sfen, parse_sfen

START = 100
"""The start of the kernels' scratch space."""


class Tried:
    """A kernel's answer for a position, and what it leaves in the search state."""

    def __init__(self, engine: DfPnEngine, kernel: Callable[..., int], record: Record, *more: int) -> None:
        before = np.asarray(record).tobytes()
        engine._scratch[:START] = -1
        arena = engine.arena(record)
        self.found = int(kernel(arena, START, *more))
        assert np.asarray(record).tobytes() == before
        assert (engine._scratch[:START] == -1).all()
        search = arena.search
        self.numbers = int(search.pn), int(search.dn)
        self.length = int(search.length)
        self.hand = int(search.hand)


def three(engine: DfPnEngine, record: Record) -> Tried:
    """Mate in one first, as in the search."""
    one = Tried(engine, try_mate_in_one, record)
    return one if one.found == PROVEN else Tried(engine, try_mate_in_three, record)


def holding(position: Position, hand: int) -> Position:
    """The position with a packed hand for the attacker; the defender holds the rest."""
    return position.with_attacker_hand(Hand.of({kind: int(count_in_hand(hand, kind)) for kind in HAND_KINDS}))


def filled(position: Position, hand: int) -> Position:
    """The position with a packed hand for the attacker, capped at what the board leaves of a set."""
    total = {kind: position.attacker_hand[kind] + position.defender_hand[kind] for kind in HAND_KINDS}
    most = {kind: min(int(count_in_hand(hand, kind)), total[kind]) for kind in HAND_KINDS}
    return position.with_attacker_hand(Hand.of(most))


def attacker_mates(position: Position, n: int, reading: naive.Reading) -> bool:
    return naive.mate_within(naive.board_of(format_sfen(position)), n, reading)


def defender_is_mated(position: Position, n: int, reading: naive.Reading) -> bool:
    return naive.mated_within(naive.board_of(format_sfen(position)), n, reading)


def may_be_open(position: Position, reading: Interposition) -> bool:
    """Whether the kernel may answer UNKNOWN: there are drops that may be futile."""
    return reading is not Interposition.COUNT_ALL and bool(position.defender_hand)


# --- the attacker to move --------------------------------------------------------------------------


@pytest.mark.parametrize("reading", READINGS)
@pytest.mark.parametrize(("draw", "number"), [(attacks, 25), (starts, 20), (crowded, 6), (promotable, 16)])
def test_mates_in_three_are_those_of_the_slow_twin(
    draw: Callable[..., Iterator[Position]], number: int, reading: Interposition
) -> None:
    """Many pieces near the zone: within three plies a pawn, bishop or rook never mates by not promoting."""
    engine, twin = DfPnEngine(table_bits=8, interposition=reading), READINGS[reading]
    seen = set()
    for position in draw(number, seed=f"three {reading.name}"):
        tried = three(engine, pack(position))
        seen.add(tried.found)
        if tried.found == PROVEN:
            assert tried.numbers[0] == 0
            assert tried.length in (1, 3)
            assert hand_contains(packed_hand(pack(position)), tried.hand), format_sfen(position)
            assert attacker_mates(position, tried.length, twin), format_sfen(position)
            assert attacker_mates(holding(position, tried.hand), tried.length, twin), format_sfen(position)
        elif tried.found == DISPROVEN:
            assert tried.numbers[1] == 0
            assert tried.length in (3, FOREVER)
            assert not attacker_mates(position, 3, twin), format_sfen(position)
            larger = filled(position, tried.hand)
            assert not attacker_mates(larger, 3, twin), format_sfen(larger)
            if tried.length == FOREVER:
                assert_no_mate_at_all(larger, reading)
        else:
            assert may_be_open(position, reading), format_sfen(position)
    assert {PROVEN, DISPROVEN} <= seen
    assert (UNKNOWN in seen) <= (reading is not Interposition.COUNT_ALL)


def assert_no_mate_at_all(position: Position, reading: Interposition) -> None:
    longer = DfPnEngine(table_bits=12, interposition=reading)
    assert not any(longer.mates(pack(position), n) for n in (5, 7)), format_sfen(position)


@pytest.mark.parametrize("reading", READINGS)
def test_no_mate_in_one_is_no_mate_within_one(reading: Interposition) -> None:
    engine, twin = DfPnEngine(table_bits=8, interposition=reading), READINGS[reading]
    for position in [*attacks(30, seed="one"), *crowded(20, seed="one")]:
        tried = Tried(engine, try_mate_in_one, pack(position))
        assert (tried.found == PROVEN) == attacker_mates(position, 1, twin), format_sfen(position)
        if tried.found == DISPROVEN:
            assert not attacker_mates(filled(position, tried.hand), 1, twin), format_sfen(position)
            if tried.length == FOREVER:
                assert not legal_checks(pack(filled(position, tried.hand))), format_sfen(position)


# --- the defender to move --------------------------------------------------------------------------


@pytest.mark.parametrize("reading", READINGS)
def test_mated_in_two_agrees_with_the_slow_twin(reading: Interposition) -> None:
    engine, twin = DfPnEngine(table_bits=8, interposition=reading), READINGS[reading]
    seen = set()
    for position in [*checked(50, seed=f"two {reading.name}"), *after_checks(25, f"two {reading.name}")]:
        tried = Tried(engine, try_mated_in_two, pack(position), 0)
        seen.add(tried.found)
        if tried.found == PROVEN:
            assert tried.length in (0, 2)
            assert defender_is_mated(position, tried.length, twin), format_sfen(position)
            assert hand_contains(packed_hand(pack(position)), tried.hand), format_sfen(position)
            fewer = holding(position, tried.hand)
            assert defender_is_mated(fewer, tried.length, twin), format_sfen(fewer)
        elif tried.found == DISPROVEN:
            assert tried.length in (2, FOREVER)
            assert not defender_is_mated(position, 2, twin), format_sfen(position)
            if tried.length == FOREVER:
                longer = DfPnEngine(table_bits=12, interposition=reading)
                assert not any(longer.is_mated(pack(position), n) for n in (4, 6)), format_sfen(position)
        else:
            assert may_be_open(position, reading), format_sfen(position)
            assert naive.interposition_squares(naive.board_of(format_sfen(position)))
    assert {PROVEN, DISPROVEN} <= seen


def after_checks(number: int, seed: str) -> Iterator[Position]:
    """Positions after the first check of problems."""

    for position in attacks(number, seed=seed):
        record = pack(position)
        for check in legal_checks(record)[:2]:
            yield unpack(record_after(record, (check,)), Side.DEFENDER)


def test_whatever_answer_is_tried_first_the_outcome_is_the_same() -> None:
    engine = DfPnEngine(table_bits=8)
    for position in checked(60, seed="killer"):
        record = pack(position)
        plain = Tried(engine, try_mated_in_two, record, 0)
        for answer in killers(position):
            other = Tried(engine, try_mated_in_two, record, answer)
            assert other.found == plain.found, format_sfen(position)
            if plain.found == PROVEN:
                assert (other.length, other.hand) == (plain.length, plain.hand), format_sfen(position)


def killers(position: Position) -> list[int]:

    return [pack_move(move) for move in evasions(position)][:6]


def test_checks_are_sorted_by_what_they_leave_the_king() -> None:
    out = np.zeros(2 * MAX_MOVES, dtype=np.int64)
    for position in [*attacks(60, seed="sorted"), *crowded(30, seed="sorted")]:
        record: Any = pack(position)
        end = pseudo_checks(record, False, out, 0)
        before = out[:end].tolist()
        tightest_first(record, out, 0, end)
        king, free = int(record.king[Side.DEFENDER]), king_flight_directions(record)
        ranks = [int(liberties_after(record, move, king, free)) for move in out[:end].tolist()]
        assert sorted(out[:end].tolist()) == sorted(before)
        assert ranks == sorted(ranks)


def test_checks_are_sorted_by_what_they_leave_the_king_and_what_they_give_away() -> None:
    out = np.zeros(2 * MAX_MOVES, dtype=np.int64)
    for position in [*attacks(60, seed="sorted"), *crowded(30, seed="sorted")]:
        record: Any = pack(position)
        end = pseudo_checks(record, False, out, 0)
        before = out[:end].tolist()
        likeliest_first(record, out, 0, end)
        ranks = [rank(record, move) for move in out[:end].tolist()]
        assert sorted(out[:end].tolist()) == sorted(before)
        assert ranks == sorted(ranks), format_sfen(position)


def rank(record: Any, check: int) -> int:
    """Two for each cell left to the king; more for a check from afar, one that is given away, no capture."""
    king, cell = int(record.king[Side.DEFENDER]), check & 127
    beside = int(DIST[king, cell]) == 1 and int(LINE[king, cell]) < 8
    by_defender = int(record.effects[cell]) >> 20
    by_attacker = (int(record.effects[cell]) & 0xFFFFF).bit_count()
    total = 2 * int(liberties_after(record, check, king, king_flight_directions(record)))
    if beside:
        by_defender &= ~(1 << int(LINE[king, cell]))
        total += 5 if by_attacker == (0 if check >> 15 else 1) else 0
    elif 0 <= int(LINE[king, cell]) < 8:
        total += 2
    return total + (2 if by_defender else 0) - (2 if record.board[cell] else 0)


@pytest.mark.parametrize("reading", READINGS)
def test_a_disproof_with_many_pieces_in_hand_holds_for_each_of_them(reading: Interposition) -> None:
    """Drops on a cell are refuted together; one of them may still mate."""
    engine = DfPnEngine(table_bits=10, interposition=reading)
    lone = DfPnEngine(table_bits=10, interposition=reading)
    proven = 0
    for position in attacks(80, seed=f"together {reading.name}"):
        record = pack(position)
        found = three(engine, record)
        if found.found == UNKNOWN:
            continue
        mating = [c for c in legal_checks(record) if lone.mates_after(record, c, 3)]
        assert (found.found == PROVEN) == bool(mating), format_sfen(position)
        proven += found.found == PROVEN
    assert proven > 0


# --- unpromoted moves -------------------------------------------------------------------------------

FIVE = {
    "a rook beside the king that does not promote": "5R3/6+P2/7k1/9/6R2/9/9/9/9 b P2b4g4s4n4l16p 1",
    "a rook that does not promote with a bishop about": "8k/8B/5R3/6R2/9/9/9/9/9 b Pb4g4s4n4l17p 1",
    "a bishop that does not promote": "3B3l1/6kn1/3B5/6+P2/9/9/9/9/9 b P2r4g4s3n3l16p 1",
}


def first_moves(engine: DfPnEngine, record: Record, n: int) -> set[str]:
    checks = legal_checks(record)
    return {unpack_move(check).usi for check in checks if engine.mates_after(record, check, n)}


@pytest.mark.parametrize("sfen", FIVE.values(), ids=FIVE)
def test_an_unpromoted_move_is_found_if_only_that_mates(sfen: str) -> None:
    """With the piece promoted, the pawn drop that follows would mate (打歩詰)."""
    record = pack(parse_sfen(sfen).position)
    engine = DfPnEngine(table_bits=12)
    assert three(engine, record).found != PROVEN
    assert not engine.mates(record, 3)
    mating = first_moves(engine, record, 5)
    assert mating == naive.mating_moves(sfen, 5)
    assert len(mating) == 1
    assert not any(usi.endswith("+") for usi in mating)
    assert next(iter(mating)) + "+" in {unpack_move(check).usi for check in legal_checks(record)}
