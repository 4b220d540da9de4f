# SPDX-License-Identifier: GPL-3.0-or-later
"""Questions that an engine must answer like the first engine."""

from __future__ import annotations

import numpy as np
import pytest

from solver.engines.base import MateEngine
from solver.engines.dfpn.engine import DfPnEngine
from solver.limits import LimitReached
from solver.results import Limits, Reason
from tests.sampling import attacks
from tsume_rules.packed import legal_checks, legal_evasions, pack, record_after
from tsume_rules.sfen import format_sfen, parse_sfen

LONG = "1p2k3l/2Bl1p1G1/1P1s+N1n2/p5p1p/2pN+B1s2/P2p4P/2sPPSN2/4GK3/L+r3G2L b G3Pr3p 1"
_TWO_ROOKS = "4k4/2R6/9/9/9/9/9/9/9 b R2b4g4s4n4l18p 1"


def agrees_where_it_refutes_for_good(other: MateEngine, never: int) -> None:
    """``never`` is the engine's number for the length of a mate that does not exist."""
    first = DfPnEngine()
    refuted = 0
    for position in attacks(60, seed="for good"):
        record = pack(position)
        if not other.mates(record, 3) and other.refuted_for_good:
            refuted += 1
            assert other.length == never
            assert not first.mates(record, 9), format_sfen(position)
    assert refuted


def agrees_at_any_length(other: MateEngine) -> None:
    first = DfPnEngine()
    settled = 0
    for position in attacks(40, seed="ever"):
        record = pack(position)
        try:
            with other.within(Limits(nodes=20_000)), first.within(Limits(nodes=20_000)):
                assert other.mates_ever(record) == first.mates_ever(record), format_sfen(position)
        except LimitReached:
            continue
        settled += 1
    assert settled > 10


def agrees_on_barred_positions(other: MateEngine) -> None:
    first, record = DfPnEngine(), pack(parse_sfen(_TWO_ROOKS).position)
    barred = 0
    for check in legal_checks(record):
        turns = [
            record_after(record, (check, answer)) for answer in legal_evasions(record_after(record, (check,)))
        ]
        free = [other.mates_after(record, check, n) for n in (1, 3, 5)]
        with first.barring(turns), other.barring(turns):
            held = [other.mates_after(record, check, n) for n in (1, 3, 5)]
            assert held == [first.mates_after(record, check, n) for n in (1, 3, 5)]
        barred += held != free
    assert barred


def stops_at_limits(engine: MateEngine) -> None:
    record = pack(parse_sfen(LONG).position)
    before = np.asarray(record).tobytes()
    for limits, reason in ((Limits(nodes=50), Reason.NODES), (Limits(seconds=0.0), Reason.SECONDS)):
        with pytest.raises(LimitReached) as caught, engine.within(limits):
            engine.mates(record, 15)
        assert caught.value.reason is reason
        assert np.asarray(record).tobytes() == before
