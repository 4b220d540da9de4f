# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.cooks import Cook, CookKind, cook_kind, cook_line, decision_points, refute
from solver.judging.judge import Judge
from solver.results import Defect
from solver.solving.tree import TreeBuilder, Turn, differs_in_form_only
from tsume_rules.moves import parse_move
from tsume_rules.packed import Record, legal_checks, line_played, pack, pack_move, unpack_move
from tsume_rules.sfen import parse_sfen

COOKED = "8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1"
FIVE = "6G1k/9/8P/8S/8L/9/9/9/9 b 2r2b3g3s4n3l17p 1"


def record_of(sfen: str) -> Record:
    return pack(parse_sfen(sfen).position)


def code(usi: str) -> int:
    return pack_move(parse_move(usi))


def tree(engine: DfPnEngine, record: Record, n: int) -> Turn:
    return TreeBuilder(engine).turn(record, n)


def test_stations_are_the_turns_but_the_last() -> None:
    engine, record = DfPnEngine(table_bits=14), record_of(FIVE)
    root = tree(engine, record, 5)
    found = decision_points(record, root)
    assert found[0].turn is root
    assert {point.turn.n for point in found} == {5, 3}
    assert all(len(point.path) == 5 - point.turn.n for point in found)
    assert set(found[0].open_checks) == set(legal_checks(record)) - {root.key}


def test_the_only_turn_of_a_mate_in_one_is_a_station() -> None:
    record = record_of("8k/9/8P/8L/9/9/9/9/9 b 2r2b4g4s4n3l17p 1")
    found = decision_points(record, tree(DfPnEngine(table_bits=12), record, 1))
    assert [point.turn.n for point in found] == [1]


def test_a_second_solution_is_found_and_shown() -> None:
    engine, record = DfPnEngine(table_bits=14), record_of(COOKED)
    before = np.asarray(record).tobytes()
    (point,) = decision_points(record, TreeBuilder(engine).after(record, code("3b2a+"), 3))
    cook = refute(engine, record, point, 0)
    assert cook is not None
    assert unpack_move(cook.check).usi == "3e4d"
    assert cook.bound == 3
    assert cook.check not in point.open_checks
    assert [unpack_move(move).usi for move in cook_line(engine, record, cook)] == ["3e4d", "1a1b", "2d2c+"]
    while refute(engine, record, point, 4):
        pass
    assert np.asarray(record).tobytes() == before


def test_checks_refuted_for_good_are_not_asked_about_again() -> None:
    engine, record = DfPnEngine(table_bits=14), record_of(FIVE)
    for point in decision_points(record, tree(engine, record, 5)):
        assert refute(engine, record, point, 8) is None
        nodes = engine.nodes
        if not point.open_checks:
            assert refute(engine, record, point, 8) is None
            assert engine.nodes == nodes


@pytest.mark.parametrize(
    ("sfen", "key", "check", "same"),
    [
        # promoting or not
        ("9/8k/7R1/7R1/9/9/9/9/9 b 2b4g4s4n4l18p 1", "2c2b+", "2c2b", True),
        # a slider dropped nearer or farther on one line from the king
        ("8k/6G2/9/9/9/9/9/9/9 b B2rb3g3s4n4l18p 1", "B*3c", "B*4d", True),
        ("4k4/2R6/9/9/9/9/9/9/9 b R2b4g4s4n4l18p 1", "R*5b", "R*5c", True),
        # ... on another line
        ("4k4/2R6/9/9/9/9/9/9/9 b R2b4g4s4n4l18p 1", "R*5b", "R*4a", False),
        # a slider moved nearer or farther
        ("4k4/9/9/2R6/9/9/9/9/9 b r2b4g4s4n4l18p 1", "7d7a", "7d5d", False),
        ("4k4/7R1/9/9/9/9/9/9/9 b r2b4g4s4n4l18p 1", "2b2a", "2b2a+", True),
        # another piece, another kind, a piece that does not slide
        ("4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1", "G*5b", "G*4b", False),
        ("4k4/9/4P4/9/9/9/9/9/9 b GS2r2b3g3s4n4l17p 1", "G*5b", "S*5b", False),
        ("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", "G*5b", "5c5b+", False),
        ("8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1", "3b2a+", "3e4d", False),
    ],
)
def test_checks_that_differ_in_form_only(sfen: str, key: str, check: str, same: bool) -> None:
    assert differs_in_form_only(record_of(sfen), code(key), code(check)) is same
    assert differs_in_form_only(record_of(sfen), code(check), code(key)) is same


def test_a_cook_that_goes_its_own_way_is_no_detour() -> None:
    engine, record = DfPnEngine(table_bits=14), record_of(COOKED)
    cook = Cook((), tree(engine, record, 3), code("3e4d"), 3)
    assert cook_kind(engine, record, cook, 0) is CookKind.COOK
    assert cook_kind(engine, record, replace(cook, bound=7), 0) is CookKind.COOK
    assert engine.mates(record, 3)


def test_a_cook_that_comes_back_is_a_detour() -> None:
    """The silver goes back to 1b, and the king has nothing better than to come back as well."""
    engine, record = DfPnEngine(table_bits=16), record_of("7S1/6G2/5B1k1/8N/9/9/9/9/9 b G2rb2g3s3n4l18p 1")
    path = (code("1d2b+"), code("2c1c"))
    cook = Cook(path, Turn(3), code("2b1b"), 7)
    with line_played(record, path):
        assert engine.mates_after(record, cook.check, 7)
        assert not engine.mates_after(record, cook.check, 5)
    assert cook_kind(engine, record, cook, 0) is CookKind.DETOUR
    assert cook_kind(engine, record, cook, 8) is CookKind.DETOUR
    assert engine.mates(record, 5)


def test_a_cook_much_longer_than_the_main_line_is_no_detour() -> None:
    """It mates in 13 by a way of its own, where the main line mates in 3."""
    sfen = "1sp5l/3bs4/+P5k2/3pppN2/1P5np/4G1p1P/5PSp1/2+r1P1sBK/L3G3L w RG2NLPg5p 1"
    judgement = Judge(DfPnEngine()).judge(parse_sfen(sfen).position)
    assert Defect.COOK in judgement.defects
    assert [len(cook) for cook in judgement.cooks] == [13]
