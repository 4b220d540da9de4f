# SPDX-License-Identifier: GPL-3.0-or-later
"""The second engine against the slow twin and against the first engine."""

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.iterative.engine import IterativeEngine, RootSearch, SekineEngine, king_freedom
from solver.engines.iterative.kernel.search import FOREVER, FREE
from solver.results import Interposition, Limits, Mate, NoMate, Reason, SearchResult, Unresolved
from solver.solving.deepening import search_length
from solver.solving.solve import solve
from tests import naive
from tests.positions import record_of
from tests.sampling import attacks, checked
from tests.solver.questions import (
    LENGTHS,
    READINGS,
    agrees_at_any_length,
    agrees_on_barred_positions,
    agrees_where_it_refutes_for_good,
    expected,
    mating,
    stops_at_limits,
)
from tsume_rules.packed import PackedPosition, legal_checks, pack, unpack_move
from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen, parse_sfen


@pytest.mark.parametrize("reading", READINGS)
def test_mates_are_those_of_the_slow_twin(reading: Interposition) -> None:
    """With a table kept for all positions, one emptied before each, and one far too small."""
    shared, emptied, tiny = (IterativeEngine(table_bits=bits, interposition=reading) for bits in (16, 16, 4))
    for position in attacks(16, seed=f"second engine {reading.name}"):
        twin, packed = expected(position, READINGS[reading]), pack(position)
        before = np.asarray(packed).tobytes()
        emptied.forget()
        for engine in (shared, emptied, tiny):
            for n in LENGTHS:
                assert engine.mates(packed, n) == bool(twin[n]), format_sfen(position)
                assert mating(engine, packed, n) == twin[n], format_sfen(position)
        assert np.asarray(packed).tobytes() == before


@pytest.mark.parametrize("reading", READINGS)
def test_both_engines_agree_on_defences(reading: Interposition) -> None:
    first, second = DfPnEngine(interposition=reading), IterativeEngine(interposition=reading)
    for position in checked(60, seed=f"second engine {reading.name}"):
        packed = pack(position)
        for n in (0, 2, 4):
            assert second.is_mated(packed, n) == first.is_mated(packed, n), format_sfen(position)


def test_a_defence_in_parts_is_the_whole_defence() -> None:
    engine = IterativeEngine()
    for position in checked(100, seed="parts"):
        packed = pack(position)
        for n in (0, 2, 4):
            parts = engine.answer_groups(packed, n)
            together = all(engine.is_mated_by(packed, n, part) for part in parts)
            assert together == engine.is_mated(packed, n), format_sfen(position)


def test_a_refutation_for_good_holds_at_any_length() -> None:
    agrees_where_it_refutes_for_good(IterativeEngine(), FOREVER)


def test_mate_at_any_length_is_proved_and_disproved() -> None:
    agrees_at_any_length(IterativeEngine())


def test_returns_to_barred_positions_do_not_mate() -> None:
    agrees_on_barred_positions(IterativeEngine())


def test_limits_stop_the_search_and_leave_the_position_as_it_was() -> None:
    engine = IterativeEngine()
    stops_at_limits(engine)
    assert engine.nodes < 10_000_000


def test_a_forgotten_table_knows_nothing() -> None:
    engine = IterativeEngine()
    packed = pack(parse_sfen("8k/9/7G1/9/9/9/9/9/9 b G2r2b2g4s4n4l18p 1").position)
    mating_checks = [check for check in legal_checks(packed) if engine.mates_after(packed, check, 1)]
    assert mating_checks
    assert all(engine.known_after(packed, check, 1) for check in mating_checks)
    engine.forget()
    assert not any(engine.known_after(packed, check, 1) for check in mating_checks)


# --- The king's freedom against plain minimax on python-shogi --------------------------------------


def freedom_of(board: Any, check: Any, plies: int) -> int:
    """Minimax without a cut, over all the drops on a cell instead of the first."""
    board.push(check)
    try:
        return _after_check(board, plies)
    finally:
        board.pop()


def _after_check(board: Any, plies: int) -> int:
    answers = _one_drop_a_cell(list(naive.evasion_moves(board)))
    if plies == 0:
        return min(len(answers), FREE - 1)
    return max((_after_answer(board, answer, plies - 1) for answer in answers), default=0)


def _after_answer(board: Any, answer: Any, plies: int) -> int:
    board.push(answer)
    try:
        return min((freedom_of(board, check, plies - 1) for check in naive.check_moves(board)), default=FREE)
    finally:
        board.pop()


def _one_drop_a_cell(answers: list[Any]) -> list[Any]:
    """The moves on the board, and of the drops on each cell only that of the least piece."""
    least: dict[int, Any] = {}
    for answer in answers:
        if answer.drop_piece_type is not None:
            kept = least.setdefault(answer.to_square, answer)
            if answer.drop_piece_type < kept.drop_piece_type:
                least[answer.to_square] = answer
    return [answer for answer in answers if answer.drop_piece_type is None] + list(least.values())


def test_the_kings_freedom_is_that_of_plain_minimax() -> None:
    for position in attacks(5, seed="freedom"):
        board, packed = naive.board_of(format_sfen(position)), pack(position)
        moves = {move.usi(): move for move in naive.check_moves(board)}
        for check in legal_checks(packed):
            expected = freedom_of(board, moves[unpack_move(check).usi], 4)
            assert king_freedom(packed, check) == expected, (format_sfen(position), unpack_move(check).usi)


@pytest.mark.parametrize(("sfen", "check", "free"), [
    ("8k/9/7G1/9/9/9/9/9/9 b G2r2b2g4s4n4l18p 1", "G*1b", 0),  # mate
    ("4k4/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1", "G*5b", FREE),  # the gold is captured, no checks are left
])  # fmt: skip
def test_the_ends_of_the_scale(sfen: str, check: str, free: int) -> None:
    packed = pack(parse_sfen(sfen).position)
    found = {unpack_move(code).usi: code for code in legal_checks(packed)}
    assert king_freedom(packed, found[check]) == free


# --- Sekine's search: exact whatever the weight and the number of workers --------------------------

FUTILE = "9/9/9/8k/8B/8+R/9/9/9 b rb4g4s4n4l18p 1"
LONG = "1p2k3l/2Bl1p1G1/1P1s+N1n2/p5p1p/2pN+B1s2/P2p4P/2sPPSN2/4GK3/L+r3G2L b G3Pr3p 1"


def search_of(packed: PackedPosition, jobs: int = 1, weight: float = 0.4) -> RootSearch:
    return RootSearch(packed, [IterativeEngine(table_bits=12) for _ in range(jobs)], weight)


@cache
def known() -> list[tuple[Position, int | None]]:
    """Positions, and the lengths of their mates by the slow twin."""
    return [(position, naive.length(format_sfen(position), 5)) for position in attacks(25, seed="root")]


@pytest.mark.parametrize("jobs", [1, 2, 5])
@pytest.mark.parametrize("weight", [0.0, 0.4, 3.0])
def test_the_length_is_exact(weight: float, jobs: int) -> None:
    for position, length in known():
        search = search_of(pack(position), jobs, weight)
        result = search.search(Limits(max_length=5))
        assert _agrees(length, result), format_sfen(position)


def _agrees(length: int | None, result: SearchResult) -> bool:
    if length is not None:
        return result == Mate(length)
    return isinstance(result, NoMate) or result == Unresolved(Reason.LENGTH, 5)


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_length_with_every_interposition_counted(jobs: int) -> None:
    for reading, length in ((Interposition.NARROW, 1), (Interposition.COUNT_ALL, naive.length(FUTILE, 5, "count_all"))):
        found = RootSearch(record_of(FUTILE), [IterativeEngine(interposition=reading) for _ in range(jobs)]).search(
            Limits(max_length=5)
        )
        assert found == (Mate(length) if length else Unresolved(Reason.LENGTH, 5))


@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("hands", ["G2r2b3g4s4n4l18p", "2r2b4g4s4n4l18p"])
def test_no_more_checks_is_no_mate(hands: str, jobs: int) -> None:
    assert search_of(record_of(f"4k4/9/9/9/9/9/9/9/9 b {hands} 1"), jobs).search(Limits()) == NoMate()


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(("limits", "reason"), [
    (Limits(nodes=50), Reason.NODES), (Limits(seconds=0.0), Reason.SECONDS),
    (Limits(max_length=3), Reason.LENGTH),
])  # fmt: skip
def test_limits_end_the_search_unresolved(limits: Limits, reason: Reason, jobs: int) -> None:
    result = search_of(record_of(LONG), jobs).search(limits)
    assert isinstance(result, Unresolved)
    assert result.reason is reason
    assert result.no_mate_within <= 3


def test_nodes_are_counted_to_the_first_mate_and_to_the_end() -> None:
    search = search_of(record_of(LONG), weight=0.4)
    result = search.search(Limits())
    assert isinstance(result, Mate)
    assert search.nodes_at_first_mate is not None
    assert 0 < search.nodes_at_first_mate <= search.nodes


def test_without_a_weight_all_checks_are_searched_to_one_depth() -> None:
    search = search_of(record_of(LONG), weight=0.0)
    search.search(Limits(max_length=3))
    assert {child.step for child in search.children} == {1.0}
    assert {child.bound for child in search._open} == {5}


def test_little_freedom_is_a_small_step() -> None:
    children = sorted(search_of(record_of(LONG), weight=0.4).children, key=lambda child: child.freedom)
    assert all(one.step <= other.step for one, other in pairwise(children))
    assert children[0].step == pytest.approx(1 + 0.4 * (max(1, children[0].freedom) - 1))


# --- Sekine's search as an engine: exact lengths, otherwise the answers of the second engine -------

LIMITS = Limits(max_length=5)


@pytest.mark.parametrize("threads", [1, 3])
def test_the_length_is_that_of_the_first_engine(threads: int) -> None:
    first, sekine = DfPnEngine(table_bits=14), SekineEngine(threads=threads, table_bits=12)
    found = 0
    for position in attacks(30, seed="sekine"):
        result, other = solve(position, LIMITS, first), solve(position, LIMITS, sekine)
        if isinstance(result, Mate):
            assert isinstance(other, Mate), format_sfen(position)
            assert (other.length, len(other.line)) == (result.length, len(result.line))
            found += 1
        assert isinstance(other, Mate) == isinstance(result, Mate)
    assert found > 5


@pytest.mark.parametrize("threads", [1, 2])
def test_all_threads_count_their_nodes_and_take_the_reading(threads: int) -> None:
    engine, packed = SekineEngine(threads=threads, table_bits=12), pack(parse_sfen(FUTILE).position)
    assert search_length(engine, packed, LIMITS) == Mate(1)
    before = engine.nodes
    assert before >= engine.own_nodes
    with engine.reading(Interposition.COUNT_ALL):
        assert search_length(engine, packed, LIMITS) == Mate(3)
    assert engine.nodes > before
    engine.forget()
    assert search_length(engine, packed, LIMITS) == Mate(1)


def test_a_limit_is_one_for_all_threads() -> None:
    engine, packed = SekineEngine(threads=2, table_bits=12), pack(parse_sfen(FUTILE).position)
    assert search_length(engine, packed, Limits(nodes=1)) == Unresolved(Reason.NODES, 0)
