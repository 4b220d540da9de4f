# SPDX-License-Identifier: GPL-3.0-or-later
"""Mate at any length."""

from __future__ import annotations

import random

import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.limits import LimitReached
from solver.results import Limits
from tests.positions import random_attack
from tsume_rules.moves import parse_move
from tsume_rules.packed import pack, pack_move, record_after
from tsume_rules.sfen import parse_sfen


def test_mates_ever_agrees_with_bounded_answers() -> None:
    rng = random.Random(3)
    bounded, unbounded = DfPnEngine(table_bits=16), DfPnEngine(table_bits=16)
    decided = 0
    for _ in range(150):
        record = pack(random_attack(rng))
        within = bounded.mates(record, 7)
        for_good = bounded.refuted_for_good
        try:
            with unbounded.within(Limits(nodes=20_000)):
                ever = unbounded.mates_ever(record)
        except LimitReached:
            continue
        if within or for_good:
            assert ever == within
            decided += 1
    assert decided > 50


def test_a_perpetual_check_is_no_mate() -> None:
    record = pack(parse_sfen("9/9/9/9/4k4/9/9/4R4/9 b r2b4g4s4n4l18p 1").position)
    engine = DfPnEngine()
    assert not engine.mates_ever(record)
    assert not engine.mates(record, 31)


def test_a_long_cook_is_found() -> None:
    record = pack(parse_sfen("3R5/2k6/S8/9/3N5/9/9/9/3+R5 b 2b4g3s3n4l18p 1").position)
    assert DfPnEngine().mates_ever(record_after(record, (pack_move(parse_move("9c8b+")),)), attacker=False)


def test_an_interrupted_question_leaves_nothing_behind() -> None:
    """The pawn at 5e prevents the mate, but that needs many nodes."""
    record = pack(parse_sfen("9/9/9/6rp1/6k2/3B2B2/2R3S2/9/9 b 4g3s4n4l17p 1").position)
    before = record.tobytes()
    engine = DfPnEngine()
    with pytest.raises(LimitReached), engine.within(Limits(nodes=500)):
        engine.mates_ever(record)
    assert record.tobytes() == before
    assert not engine.mates(record, 3)
