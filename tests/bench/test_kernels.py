"""Timings of single kernels (`scripts/bench kernels`); skipped by the tests."""

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from rules.kernel.checks import checks
from rules.kernel.evasions import evasions
from rules.kernel.retract import MOST_UNMOVES, un_evasions
from rules.packing import Record, pack
from rules.sfen import parse_sfen
from solver.kernel.mate import NARROW
from solver.kernel.mate_in_one import mate_in_one

SFEN = "ln3k2l/3+b2g2/pr3s3/1p1Nppp1p/3P+b2PP/P1P3n2/1P1pPP2L/6S2/LN2GK3 w 2Pr2g2sp 104"


@pytest.fixture
def record() -> Record:
    return pack(parse_sfen(SFEN).position)


@pytest.fixture
def out() -> np.ndarray:
    return np.empty(MOST_UNMOVES, dtype=np.int64)


def test_checks(benchmark: BenchmarkFixture, record: Record, out: np.ndarray) -> None:
    benchmark(checks, record, out, 0)


def test_mate_in_one(benchmark: BenchmarkFixture, record: Record, out: np.ndarray) -> None:
    benchmark(mate_in_one, record, NARROW, out, 0)


def test_evasions(benchmark: BenchmarkFixture, out: np.ndarray) -> None:
    checked = pack(parse_sfen("4k4/9/9/9/4R4/9/9/9/9 b r2b4g4s4n4l18p 1").position)
    benchmark(evasions, checked, out, 0)


def test_un_evasions(benchmark: BenchmarkFixture, record: Record, out: np.ndarray) -> None:
    benchmark(un_evasions, record, out, True)
