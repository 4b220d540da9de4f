# SPDX-License-Identifier: GPL-3.0-or-later
"""The readings side by side, against the slow twin."""

from __future__ import annotations

import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.judge import Judge
from solver.judging.readings import Comparer
from solver.limits import LimitReached
from solver.results import Choices, Limits, Mate, Readings
from solver.solving.solve import solve
from solver.solving.tree import TreeBuilder
from tests import naive
from tests.sampling import attacks
from tests.solver.judging.test_grey import CASES
from tsume_rules.packed import dropped, pack
from tsume_rules.sfen import format_sfen, parse_sfen

GREY = [sfen for sfen, narrow, wide, purist in CASES if not narrow == wide == purist]
MORE_GREY = [
    "9/7s1/6G1k/7p1/7R1/8P/9/9/9 b Lr2b3g3s4n3l16p 1",
    "1+R7/9/9/k3+B4/9/9/9/3R5/9 b B4g4s4n4l18p 1",
    "1k7/+p8/+Pg1+S5/9/9/9/9/9/9 b RGr2b2g3s4n4l16p 1",
    "3k5/R3+s4/3+S5/9/9/9/9/9/9 b BGrb3g2s4n4l18p 1",
    "6Brk/9/6G2/9/9/9/9/9/9 b 2Lrb3g4s4n2l18p 1",
]
NAMES: list[naive.Reading] = ["narrow", "purist", "wide"]


def compared(sfen: str) -> tuple[Comparer, Readings]:
    engine, record = DfPnEngine(table_bits=16), pack(parse_sfen(sfen).position)
    found = solve(parse_sfen(sfen).position, Limits(), engine)
    assert isinstance(found, Mate)
    comparer = Comparer(engine, record, TreeBuilder(engine).turn(record, found.length))
    return comparer, comparer.readings(comparer.split())


@pytest.mark.parametrize(("sfen", "narrow", "wide", "purist"), CASES)
def test_the_lengths_that_separate_the_definitions(sfen: str, narrow: int, wide: int, purist: int) -> None:
    _, readings = compared(sfen)
    assert (readings.narrow, readings.wide, readings.purist) == (narrow, wide, purist)
    assert readings.agree == (sfen not in GREY)


@pytest.mark.parametrize("sfen", [*GREY, *MORE_GREY])
def test_where_the_readings_part_is_where_the_slow_twin_s_do(sfen: str) -> None:
    _, readings = compared(sfen)
    assert not readings.agree
    _check_parting(sfen, readings)


def test_readings_agree_where_those_of_the_slow_twin_do() -> None:
    for position in attacks(60, seed="readings"):
        sfen = format_sfen(position)
        found = solve(position, Limits(nodes=2000, max_length=3), DfPnEngine(table_bits=14))
        if isinstance(found, Mate):
            _, readings = compared(sfen)
            lengths = {naive.length(sfen, found.length, name) for name in NAMES}
            assert not readings.agree or lengths == {found.length}, sfen


def _check_parting(sfen: str, readings: Readings) -> None:
    parting = readings.parting
    assert parting is not None
    board = naive.board_of(sfen)
    for move in parting.path:
        board.push_usi(move.usi)
    there = board.sfen()
    for name, choices in zip(NAMES, (parting.narrow, parting.purist, parting.wide), strict=True):
        assert isinstance(choices, Choices)
        moves = naive.mating_moves(there, parting.plies, name)
        assert {move.usi for move in choices.moves} == moves, (sfen, name)
        if choices.length is not None and choices.length <= 5:
            assert naive.length(there, 5, name) == choices.length, (sfen, name)


@pytest.mark.parametrize("sfen", [*GREY, *MORE_GREY])
def test_the_drop_they_differ_on_is_named(sfen: str) -> None:
    comparer, readings = compared(sfen)
    line, futile_by = comparer.disputed_drop(comparer.split())
    assert line
    assert dropped(line[-1])
    assert len(line) % 2 == 0
    assert futile_by in (("wide",), ("narrow", "wide"))
    assert readings.wide == readings.narrow or futile_by == ("wide",)


def test_a_purist_length_out_of_reach_is_not_invented() -> None:
    engine, (sfen, *_) = DfPnEngine(table_bits=16), CASES[2]
    judgement = Judge(engine).judge(parse_sfen(sfen).position)
    assert judgement.readings is not None
    assert judgement.readings.purist == judgement.readings.searched == 5
    comparer, _ = compared(sfen)
    split = comparer.split()
    comparer._engine.forget()
    with comparer._engine.within(Limits(nodes=0)), pytest.raises(LimitReached):
        comparer.readings(split)
