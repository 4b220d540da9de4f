# SPDX-License-Identifier: GPL-3.0-or-later
"""What the slow twin answers, and the same questions put to the solver."""

from collections.abc import Iterator

import numpy as np
import pytest

from solver.engines.base import MateEngine
from solver.engines.dfpn.engine import DfPnEngine
from solver.results import Interposition, LimitReached, Limits, Reason
from tests import naive
from tests.sampling import attacks
from tsume_rules.packed import PackedPosition, legal_checks, legal_evasions, pack, record_after, unpack_move
from tsume_rules.position import HAND_KINDS, Hand, Position
from tsume_rules.sfen import format_sfen, parse_sfen

LENGTHS = (1, 3, 5)
READINGS: dict[Interposition, naive.Reading] = {
    Interposition.NARROW: "narrow",
    Interposition.COUNT_ALL: "count_all",
    Interposition.WIDE: "wide",
}
Mating = dict[int, set[str]]
"""For each n the first moves, in USI, that mate within n plies."""


def expected(position: Position, reading: naive.Reading, lengths: tuple[int, ...] = LENGTHS) -> Mating:
    board, search = naive.board_of(format_sfen(position)), naive.Search(reading)
    checks = naive.check_moves(board)
    return {n: {check.usi() for check in checks if search.mates(board, check, n)} for n in lengths}


def answered(engine: MateEngine, packed: PackedPosition, lengths: tuple[int, ...] = LENGTHS) -> Mating:
    return {n: mating(engine, packed, n) for n in lengths}


def mating(engine: MateEngine, packed: PackedPosition, n: int) -> set[str]:
    checks = legal_checks(packed)
    return {unpack_move(check).usi for check in checks if engine.mates_after(packed, check, n)}


def with_neighbours(position: Position) -> Iterator[Position]:
    """A position, and the same board with a piece more or fewer in the attacker's hand."""
    yield position
    for kind in HAND_KINDS:
        if position.attacker_hand[kind]:
            yield position.with_attacker_hand(position.attacker_hand.plus(kind, -1))
            break
    held = next((kind for kind in reversed(HAND_KINDS) if position.defender_hand[kind]), None)
    if held is not None:
        yield position.with_attacker_hand(position.attacker_hand.plus(held))
    if position.attacker_hand:
        yield position.with_attacker_hand(Hand())


# --- Questions that an engine must answer like the first engine ------------------------------------

LONG = "1p2k3l/2Bl1p1G1/1P1s+N1n2/p5p1p/2pN+B1s2/P2p4P/2sPPSN2/4GK3/L+r3G2L b G3Pr3p 1"
_TWO_ROOKS = "4k4/2R6/9/9/9/9/9/9/9 b R2b4g4s4n4l18p 1"


def agrees_where_it_refutes_for_good(other: MateEngine, never: int) -> None:
    """``never`` is the engine's number for the length of a mate that does not exist."""
    first = DfPnEngine()
    refuted = 0
    for position in attacks(60, seed="for good"):
        packed = pack(position)
        if not other.mates(packed, 3) and other.refuted_for_good:
            refuted += 1
            assert other.length == never
            assert not first.mates(packed, 9), format_sfen(position)
    assert refuted


def agrees_at_any_length(other: MateEngine) -> None:
    first = DfPnEngine()
    settled = 0
    for position in attacks(40, seed="ever"):
        packed = pack(position)
        try:
            with other.within(Limits(nodes=20_000)), first.within(Limits(nodes=20_000)):
                assert other.mates_ever(packed) == first.mates_ever(packed), format_sfen(position)
        except LimitReached:
            continue
        settled += 1
    assert settled > 10


def agrees_on_barred_positions(other: MateEngine) -> None:
    first, packed = DfPnEngine(), pack(parse_sfen(_TWO_ROOKS).position)
    barred = 0
    for check in legal_checks(packed):
        turns = [record_after(packed, (check, answer)) for answer in legal_evasions(record_after(packed, (check,)))]
        free = [other.mates_after(packed, check, n) for n in (1, 3, 5)]
        with first.barring(turns), other.barring(turns):
            held = [other.mates_after(packed, check, n) for n in (1, 3, 5)]
            assert held == [first.mates_after(packed, check, n) for n in (1, 3, 5)]
        barred += held != free
    assert barred


def stops_at_limits(engine: MateEngine) -> None:
    packed = pack(parse_sfen(LONG).position)
    before = np.asarray(packed).tobytes()
    for limits, reason in ((Limits(nodes=50), Reason.NODES), (Limits(seconds=0.0), Reason.SECONDS)):
        with pytest.raises(LimitReached) as caught, engine.within(limits):
            engine.mates(packed, 15)
        assert caught.value.reason is reason
        assert np.asarray(packed).tobytes() == before
