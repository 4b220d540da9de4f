# SPDX-License-Identifier: GPL-3.0-or-later
"""Resistance, compared with a search that is made anew for each check."""

from __future__ import annotations

import math
from functools import partial

import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.methods import FOR_RESISTANCE
from solver.limits import LimitReached
from solver.results import Limits
from solver.scoring import difficulty as module
from solver.scoring.difficulty import resistance
from tests.sampling import attacks
from tsume_rules.packed import Record, legal_checks, pack, played
from tsume_rules.position import Side

BITS = 12


def slow_resistance(record: Record, wrong: list[int], most: int) -> float:
    """The same, with an engine for each check."""
    works = [0]
    for check in wrong:
        engine = DfPnEngine(table_bits=BITS, method=FOR_RESISTANCE)
        with played(record, check, Side.ATTACKER):
            mates = engine.answered_within(most, partial(engine.mates_ever, record, attacker=False))
        if mates is None:
            works.append(most)
        elif not mates:
            works.append(min(engine.nodes, most))
    return math.log2(1 + max(works))


@pytest.mark.parametrize("most", [200, 5000])
def test_the_slow_twin_agrees(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RESISTANCE_NODES", most)
    used = DfPnEngine(table_bits=BITS)
    at_the_bound, found = 0, set()
    for position in attacks(40, seed="resistance"):
        record = pack(position)
        checks = legal_checks(record)
        used.answered_within(500, partial(used.mates_ever, record))  # its table must not matter
        fast = resistance(used, record, checks)
        assert fast == slow_resistance(record, checks, most)
        at_the_bound += fast == math.log2(1 + most)
        found.add(fast)
    assert len(found) > 5
    assert at_the_bound > 0 or most > 200


def test_without_wrong_checks_nothing_resists() -> None:
    record = pack(next(iter(attacks(1))))
    assert resistance(DfPnEngine(table_bits=BITS), record, []) == 0


def test_an_enclosing_limit_is_not_taken_for_resistance() -> None:
    engine = DfPnEngine(table_bits=BITS)
    for position in attacks(40, seed="resistance"):
        record = pack(position)
        if resistance(engine, record, legal_checks(record)) > math.log2(100):
            with engine.within(Limits(nodes=10)), pytest.raises(LimitReached):
                resistance(engine, record, legal_checks(record))
            return
    raise AssertionError("no sample resists")
