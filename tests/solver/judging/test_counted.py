# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a problem stays the same when every interposition counts."""

from __future__ import annotations

import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.judge import same_when_counted
from solver.limits import LimitReached
from solver.results import Interposition, Limits, Mate
from solver.solving.solve import solve
from tests.places import DATA
from tsume_rules.sfen import parse_sfen

CASES = [
    ("k8/9/1SP6/9/9/9/9/9/9 b Rr2b4g3s4n4l17p 1", 3, True),  # drops count, but do not last longer
    ("4k4/5s3/2+P1+S4/1R7/9/9/9/9/9 b r2b4g2s4n4l17p 1", 3, False),
    ("9/9/9/8k/8B/8+R/9/9/9 b rb4g4s4n4l18p 1", 1, False),
    ("9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1", 3, True),
    ("9/9/8k/9/9/7R1/9/9/9 b Gr2b3g4s4n4l18p 1", 5, True),
]


@pytest.mark.parametrize(("sfen", "length", "same"), CASES)
def test_cases_that_separate_the_readings(sfen: str, length: int, same: bool) -> None:
    position, engine = parse_sfen(sfen).position, DfPnEngine(table_bits=14)
    for one in (position, position.mirrored):
        assert same_when_counted(engine, one, length) is same


def test_it_agrees_with_a_search_that_counts_everything() -> None:
    path = DATA / "published_daily.tsv"
    if not path.exists():
        pytest.skip(f"{path} is absent")
    rows = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    plain, counting = (
        DfPnEngine(table_bits=16, interposition=reading)
        for reading in (Interposition.NARROW, Interposition.COUNT_ALL)
    )
    differing = 0
    for row in rows[:60]:
        position = parse_sfen(row.split("\t")[0]).position
        length = int(row.split("\t")[2])
        if length > 7:
            continue
        one = solve(position, Limits(nodes=1_000_000), plain)
        other = solve(position, Limits(nodes=1_000_000, max_length=length), counting)
        assert isinstance(one, Mate)
        same = isinstance(other, Mate) and other.length == one.length
        found = same_when_counted(plain, position, one.length)
        assert found is not None
        assert not found or same
        differing += not found
    assert 0 < differing < 30


def test_a_limit_in_force_ends_it() -> None:
    engine = DfPnEngine(table_bits=14)
    position = parse_sfen(CASES[0][0]).position
    with pytest.raises(LimitReached), engine.within(Limits(nodes=0)):
        same_when_counted(engine, position, 3)


def test_without_nodes_it_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.judging.judge.COUNTING_NODES", 0)
    assert same_when_counted(DfPnEngine(table_bits=14), parse_sfen(CASES[0][0]).position, 3) is None
