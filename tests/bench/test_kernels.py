# SPDX-License-Identifier: GPL-3.0-or-later
"""Timings of single kernels (`scripts/bench kernels`); skipped by the tests.

Each is called `TIMES` times by compiled code: a microsecond here is a nanosecond for each call.
"""

from __future__ import annotations

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.arena import DISPROVEN, PROVEN, Arena
from solver.engines.kernel.mate import NARROW
from tests.bench import loops
from tsume_rules.kernel.checks import checks
from tsume_rules.kernel.retract import MOST_UNMOVES
from tsume_rules.packing import Record, pack
from tsume_rules.sfen import parse_sfen

TIMES = 1000
BITS = 20

SFEN = "ln3k2l/3+b2g2/pr3s3/1p1Nppp1p/3P+b2PP/P1P3n2/1P1pPP2L/6S2/LN2GK3 w 2Pr2g2sp 104"
IN_THREE = "l6nl/1k1g1+P3/2np4p/2p1pp1b1/3P1GP1P/p1P2K3/1P2SP1+p1/1G1+r3N1/LN2+r3b w Pg3sl3p 120"
IN_ONE = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1"
CHECKED = "4k4/9/9/9/4R4/9/9/9/9 b r2b4g4s4n4l18p 1"


def packed(sfen: str) -> Record:
    return pack(parse_sfen(sfen).position)


@pytest.fixture
def record() -> Record:
    return packed(SFEN)


@pytest.fixture
def out() -> np.ndarray:
    return np.empty(max(MOST_UNMOVES, 8192), dtype=np.int64)


def test_one_call_from_python(benchmark: BenchmarkFixture, record: Record, out: np.ndarray) -> None:
    benchmark(checks, record, out, 0)


def test_checks(benchmark: BenchmarkFixture, record: Record, out: np.ndarray) -> None:
    assert benchmark(loops.repeat_checks, TIMES, record, out) == TIMES * checks(record, out, 0)


def test_evasions(benchmark: BenchmarkFixture, out: np.ndarray) -> None:
    assert benchmark(loops.repeat_evasions, TIMES, packed(CHECKED), out) > TIMES


def test_un_evasions(benchmark: BenchmarkFixture, record: Record, out: np.ndarray) -> None:
    assert benchmark(loops.repeat_un_evasions, TIMES, record, out) > TIMES


def test_do_and_undo(benchmark: BenchmarkFixture, record: Record, out: np.ndarray) -> None:
    before = record.copy()
    benchmark(loops.repeat_do_undo, TIMES, record, out, checks(record, out, 0))
    assert record == before


@pytest.mark.parametrize(("sfen", "mates"), [(IN_ONE, True), (SFEN, False)], ids=["mate", "none"])
def test_mate_in_one(benchmark: BenchmarkFixture, out: np.ndarray, sfen: str, mates: bool) -> None:
    assert benchmark(loops.repeat_mate_in_one, TIMES, packed(sfen), NARROW, out) == TIMES * mates


@pytest.mark.parametrize(("sfen", "answer"), [(IN_THREE, PROVEN), (SFEN, DISPROVEN)], ids=["mate", "none"])
def test_try_mate_in_three(benchmark: BenchmarkFixture, sfen: str, answer: int) -> None:
    arena = DfPnEngine(table_bits=4).arena(packed(sfen))
    assert benchmark(loops.repeat_try_mate_in_three, TIMES, arena) == TIMES * answer


@pytest.fixture
def empty_table() -> Arena:
    return DfPnEngine(table_bits=BITS).arena(packed(SFEN))


def test_table_store(benchmark: BenchmarkFixture, empty_table: Arena) -> None:
    assert benchmark(loops.repeat_store, TIMES, empty_table) == TIMES


def test_table_look_up(benchmark: BenchmarkFixture, empty_table: Arena) -> None:
    loops.repeat_store(TIMES, empty_table)
    assert benchmark(loops.repeat_look_up, TIMES, empty_table) == TIMES
