# SPDX-License-Identifier: GPL-3.0-or-later
"""The mate tree as a game, searched by RSEARCH, against the slow twin and the first engine."""

import csv
import random

import numpy as np
import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.rsearch import MIN_CELLS
from solver.engines.rsearch.engine import RSearchEngine
from solver.engines.rsearch.kernel import mating
from solver.engines.rsearch.kernel.mating import BARRED, BEYOND, MATING, NEVER, SCRATCH, STEP_MADE, Mating
from solver.results import Interposition, LimitReached, Limits, Mate, NoMate, Reason, SearchResult, Unresolved
from solver.solving.solve import solve
from tests.places import COMPOSED, DATA
from tests.sampling import attacks, checked, few
from tests.solver import questions
from tests.solver.questions import (
    LENGTHS,
    LONG,
    READINGS,
    agrees_at_any_length,
    agrees_on_barred_positions,
    agrees_where_it_refutes_for_good,
    expected,
    stops_at_limits,
)
from tests.solver.replay import is_mate
from tsume_rules.kernel.move_generation import MAX_MOVES
from tsume_rules.packed import PackedPosition, pack
from tsume_rules.position import IllegalPosition, Position
from tsume_rules.sfen import format_sfen, parse_sfen

DEFINITIONS = DATA / "futile_definitions.csv"
SEPARATING = [  # docs/rules.md: SFEN, length by the narrow reading, with every drop counted
    ("k8/9/1SP6/9/9/9/9/9/9 b Rr2b4g3s4n4l17p 1", 3, 3),
    ("9/8g/8k/6B2/7+R1/3B5/9/9/9 b r3g4s4n4l18p 1", 3, 3),
    ("4k4/5s3/2+P1+S4/1R7/9/9/9/9/9 b r2b4g2s4n4l17p 1", 3, 7),
    ("9/9/9/8k/8B/8+R/9/9/9 b rb4g4s4n4l18p 1", 1, 3),
    ("7l1/7pk/9/9/8+P/9/9/9/8L b 2r2b4g4s4n2l16p 1", 1, None),
    ("9/9/9/6rp1/6k2/3B2B2/2R3S2/9/9 b 4g3s4n4l17p 1", None, None),
]
CELLS = (64, 1000, 100_000)
KNOWN = [Interposition.NARROW, Interposition.COUNT_ALL]


def node(packed: PackedPosition, reading: Interposition, n: int, *, attacker: bool) -> Mating:
    """The root of a mate tree."""
    search = np.zeros(1, dtype=MATING).view(np.recarray)[0]
    search.mode = reading.value
    steps, barred = (np.zeros(200, dtype=dtype).view(np.recarray) for dtype in (STEP_MADE, BARRED))
    state = Mating(packed, search, steps, barred, np.zeros(SCRATCH, dtype=np.int64))
    mating.set_mating_root(state, attacker, n)
    return state


def minimax(state: Mating, low: int = -1, high: int = NEVER + 1, *, ahead: bool) -> int:
    """Plain alpha-beta; ``ahead``: use the game's bounds."""
    if ahead:
        least, most = mating.value_bounds(state)
        if least == most or least >= high or most <= low:
            return int(most if most <= low else least)
    out = np.empty(2 * MAX_MOVES, dtype=np.int64)
    moves = out[: mating.list_moves(state, out)].tolist()
    if not moves:
        return int(mating.leaf_value(state))
    defends = mating.is_max_to_move(state)
    for move in moves:
        mating.play_move(state, move)
        worth = minimax(state, low, high, ahead=ahead)
        mating.retract_move(state)
        low, high = (max(low, worth), high) if defends else (low, min(high, worth))
        if low >= high:
            break
    return low if defends else high


def length(engine: DfPnEngine, packed: PackedPosition, n: int, *, attacker: bool) -> int | None:
    ask, first = (engine.mates, 1) if attacker else (engine.is_mated, 0)
    return next((k for k in range(first, n + 1, 2) if ask(packed, k)), None)


@pytest.mark.parametrize("ahead", [False, True])
@pytest.mark.parametrize("reading", KNOWN)
def test_the_value_of_the_game_is_the_length_of_the_mate(reading: Interposition, *, ahead: bool) -> None:
    first = DfPnEngine(table_bits=16, interposition=reading)
    starts = [(position, n) for n in (1, 3) for position in attacks(40, seed=f"value {n}")]
    starts += [(position, n) for n in (0, 2) for position in checked(40, seed=f"value {n}")]
    for position, n in starts:
        packed, attacker = pack(position), n % 2 == 1
        before = np.asarray(packed).tobytes()
        worth = minimax(node(packed, reading, n, attacker=attacker), ahead=ahead)
        assert np.asarray(packed).tobytes() == before
        shortest = length(first, packed, n, attacker=attacker)
        assert (worth if worth < BEYOND else None) == shortest, format_sfen(position)


@pytest.mark.parametrize("reading", KNOWN)
def test_mates_are_those_of_the_slow_twin(reading: Interposition) -> None:
    engines = [RSearchEngine(cells=cells, interposition=reading) for cells in CELLS]
    for position in attacks(16, seed=f"cells {reading.name}"):
        twin, packed = expected(position, READINGS[reading]), pack(position)
        before = np.asarray(packed).tobytes()
        for engine, cells in zip(engines, CELLS, strict=True):
            for n in LENGTHS:
                assert engine.mates(packed, n) == bool(twin[n]), format_sfen(position)
                assert questions.mating(engine, packed, n) == twin[n], format_sfen(position)
            assert engine.peak_cells <= cells
        assert np.asarray(packed).tobytes() == before


@pytest.mark.parametrize("reading", KNOWN)
def test_it_agrees_with_the_first_engine_on_defences(reading: Interposition) -> None:
    first, other = DfPnEngine(interposition=reading), RSearchEngine(cells=64, interposition=reading)
    for position in checked(60, seed=f"cells {reading.name}"):
        packed = pack(position)
        for n in (0, 2, 4):
            assert other.is_mated(packed, n) == first.is_mated(packed, n), format_sfen(position)


def without_line(result: SearchResult) -> SearchResult:
    return Mate(result.length) if isinstance(result, Mate) else result


def same_lengths(positions: list[Position]) -> None:
    """Every number of cells gives the lengths of the first engine and is not exceeded."""
    first, limits = DfPnEngine(), Limits(max_length=11)
    lengths = [without_line(solve(position, limits, first)) for position in positions]
    for cells in CELLS:
        engine = RSearchEngine(cells=cells)
        for position, shortest in zip(positions, lengths, strict=True):
            found = solve(position, limits, engine)
            assert without_line(found) == shortest, format_sfen(position)
            if isinstance(found, Mate) and cells == CELLS[0]:
                assert len(found.line) >= found.length
                assert is_mate(position, found.line), format_sfen(position)
            assert engine.peak_cells <= cells


def test_composed_problems_have_their_lengths_whatever_the_cells() -> None:
    lines = COMPOSED.read_text().splitlines()
    same_lengths([parse_sfen(line).position for line in lines if not line.startswith("#")][::9])


@pytest.mark.skipif(not DEFINITIONS.exists(), reason=f"{DEFINITIONS} is not there")
@pytest.mark.parametrize("moves", few([3, 7, 5], 2))
def test_problems_of_a_length_have_their_lengths_whatever_the_cells(moves: int) -> None:
    positions = []
    for name in (f"generated_peer_mate{moves}.txt", f"jissen_mate{moves}.txt"):
        lines = (DATA / name).read_text().splitlines()
        legal = [position for line in lines if (position := legal_start(line)) is not None]
        positions += random.Random(moves).sample(legal, 13)
    same_lengths(positions)


def legal_start(line: str) -> Position | None:
    try:
        return parse_sfen(" ".join([*line.split()[:3], "1"])).position
    except IllegalPosition:
        return None


@pytest.mark.parametrize(("sfen", "narrow", "count_all"), SEPARATING)
def test_cases_that_separate_the_definitions(sfen: str, narrow: int | None, count_all: int | None) -> None:
    packed = pack(parse_sfen(sfen).position)
    for reading, shortest in zip(KNOWN, (narrow, count_all), strict=True):
        engine = RSearchEngine(cells=64, interposition=reading)
        assert next((n for n in (1, 3, 5, 7) if engine.mates(packed, n)), None) == shortest


@pytest.mark.skipif(not DEFINITIONS.exists(), reason=f"{DEFINITIONS} is not there")
def test_futile_interpositions_are_those_of_the_definitions() -> None:
    columns = ((Interposition.NARROW, "narrow", 3), (Interposition.COUNT_ALL, "count_all(<=7)", 7))
    engines = [RSearchEngine(cells=200, interposition=reading) for reading, _, _ in columns]
    with DEFINITIONS.open() as file:
        for row in list(csv.DictReader(file))[:-2]:  # the last two were not cut at three plies
            packed = pack(parse_sfen(row["sfen"]).position)
            for engine, (_, name, most) in zip(engines, columns, strict=True):
                found = next((n for n in range(1, most + 1, 2) if engine.mates(packed, n)), 0)
                assert found == int(row[name]), row


def test_a_refutation_for_good_holds_at_any_length() -> None:
    agrees_where_it_refutes_for_good(RSearchEngine(cells=200), NEVER)


def test_mate_at_any_length_is_proved_and_disproved() -> None:
    agrees_at_any_length(RSearchEngine(cells=1000))


def test_returns_to_barred_positions_do_not_mate() -> None:
    agrees_on_barred_positions(RSearchEngine(cells=1000))


def test_limits_stop_the_search_and_leave_the_position_as_it_was() -> None:
    engine = RSearchEngine(cells=1000)
    stops_at_limits(engine)
    assert engine.nodes < 10_000


def test_a_path_that_does_not_fit_the_cells_is_reported() -> None:
    packed = pack(parse_sfen("9/9/9/4k4/9/3+R5/9/9/5+B3 b rb4g4s4n4l18p 1").position)
    before = np.asarray(packed).tobytes()
    engine = RSearchEngine(cells=64)
    with pytest.raises(LimitReached) as caught:
        engine.mates(packed, 501)
    assert caught.value.reason is Reason.MEMORY
    assert engine.peak_cells <= 64
    assert np.asarray(packed).tobytes() == before


@pytest.mark.parametrize("cells", [*range(MIN_CELLS, 16), 24, 32])
def test_few_cells_give_the_length_or_no_answer(cells: int) -> None:
    position = parse_sfen("9/7Lk/6+N2/9/8N/9/9/9/9 b 2r2b4g4s2n3l18p 1").position
    engine = RSearchEngine(cells=cells)
    found = solve(position, Limits(), engine)
    if isinstance(found, Mate):
        assert found.length == 5
    else:
        assert cells < 12
        assert isinstance(found, Unresolved)
        assert found.reason is Reason.MEMORY
    assert engine.peak_cells <= cells


def test_no_mate_and_what_is_known_when_it_stops() -> None:
    engine = RSearchEngine(cells=1000)
    nothing = parse_sfen("4k4/9/9/9/9/9/9/9/9 b P2r2b4g4s4n4l17p 1").position
    assert solve(nothing, Limits(), engine) == NoMate()
    long = parse_sfen(LONG).position
    assert solve(long, Limits(max_length=1), engine) == Unresolved(Reason.LENGTH, 1)


def test_what_it_does_not_support_is_refused() -> None:
    with pytest.raises(ValueError, match=f"at least {MIN_CELLS}"):
        RSearchEngine(cells=MIN_CELLS - 1)
    with pytest.raises(ValueError, match="wide"):
        RSearchEngine(cells=1000, interposition=Interposition.WIDE)
    engine = RSearchEngine(cells=1000)
    with engine.reading(Interposition.COUNT_ALL):
        assert engine.mode == Interposition.COUNT_ALL.value
    assert engine.mode == Interposition.NARROW.value
