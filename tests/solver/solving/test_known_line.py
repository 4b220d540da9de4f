# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from functools import partial
from itertools import pairwise

import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.results import Interposition, Limits, Mate
from solver.solving.solve import known_line, solve
from tests.sampling import attacks
from tests.solver.questions import READINGS
from tsume_rules.packed import Moves, Record, legal_checks, legal_evasions, line_played, pack
from tsume_rules.sfen import format_sfen


def check_line(record: Record, line: Moves) -> None:
    """Whether a line alternates legal checks and answers to them, and ends with a check."""
    assert len(line) % 2
    for ply, move in enumerate(line):
        with line_played(record, line[:ply]):
            assert move in (legal_evasions(record) if ply % 2 else legal_checks(record))


def is_mate(engine: DfPnEngine, record: Record, line: Moves) -> bool:
    with line_played(record, line):
        return engine.is_mated(record, 0)


@pytest.mark.parametrize("reading", READINGS)
def test_lines_of_any_mate_are_legal_and_end_in_mate(reading: Interposition) -> None:
    engine = DfPnEngine(table_bits=16, interposition=reading)
    found = 0
    for position in attacks(120, f"known {reading.name}"):
        record = pack(position)
        engine.forget()
        with engine.for_long_works(), engine.within(Limits(nodes=50_000)):
            if engine.answered_within(20_000, partial(engine.mates_ever, record)) is not True:
                continue
            bound = engine.length
            line = known_line(engine, record, bound)
        assert line is not None, format_sfen(position)
        check_line(record, line)
        assert is_mate(engine, record, line), format_sfen(position)
        shortest = solve(position, Limits(nodes=50_000), engine)
        assert not isinstance(shortest, Mate) or bound >= shortest.length
        found += 1
    assert found > 20


def test_a_line_may_begin_with_a_given_check() -> None:
    engine = DfPnEngine(table_bits=16)
    tried = 0
    for position in attacks(60, "first"):
        record = pack(position)
        mating = engine.mating(record, legal_checks(record), 5) if engine.mates(record, 5) else []
        for check, other in pairwise(mating):
            assert engine.mates_after(record, check, 5)
            line = known_line(engine, record, 5, check)
            assert line is not None
            assert line[0] == check != other
            check_line(record, line)
            tried += 1
    assert tried > 5
