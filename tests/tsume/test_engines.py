# SPDX-License-Identifier: GPL-3.0-or-later
"""Engines by name."""

from __future__ import annotations

import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.table import WINDOW
from solver.engines.dfpn.memory import table_bits_within, threads_within
from solver.results import Limits, Mate
from solver.solving.solve import solve
from tests.tsume.problems import CORRECT
from tsume.uses.engines import ENGINES, EngineOptions, TooLittleMemory, make_engine
from tsume_rules.sfen import parse_sfen

MEMORY = 40 << 20


@pytest.mark.parametrize("name", ENGINES)
def test_each_engine_finds_the_mate(name: str) -> None:
    engine = make_engine(name, EngineOptions(MEMORY, jobs=2, cells=1000))
    result = solve(parse_sfen(CORRECT).position, Limits(), engine)
    assert isinstance(result, Mate)
    assert (result.length, len(result.line)) == (3, 3)
    assert (engine.peak_cells is not None) == (name == "rsearch")


def test_threads_fit_into_the_memory_besides_the_table() -> None:
    for jobs in (1, 2, 256):
        size = (40 if jobs == 2 else 72) << 20
        engine = make_engine("df-pn", EngineOptions(size, jobs=jobs))
        assert isinstance(engine, DfPnEngine)
        bits = table_bits_within(size)
        assert engine.places == (1 << bits) + WINDOW
        assert engine.threads == min(jobs, threads_within(size, bits))


def test_too_little_memory_names_what_it_is_too_little_for() -> None:
    with pytest.raises(TooLittleMemory, match="256 jobs: no engine works within"):
        make_engine("iterative", EngineOptions(MEMORY, jobs=256))
    with pytest.raises(TooLittleMemory, match="10000000 cells"):
        make_engine("rsearch", EngineOptions(MEMORY, cells=10_000_000))
