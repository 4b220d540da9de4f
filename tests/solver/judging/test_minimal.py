# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.judge import Judge, Rigour
from solver.judging.minimal import (
    MARGINS,
    contains_line,
    cook_at_any_length,
    is_same_problem,
    reductions,
)
from solver.results import Defect, Grade, Limits
from solver.solving.solve import best_line
from solver.solving.tree import TreeBuilder
from tsume_rules.packed import pack
from tsume_rules.sfen import parse_sfen

NEEDLESS_PAWN = "7k1/8P/6S2/8+B/9/9/9/9/9 b 2rb4g3s4n4l17p 1"
NEEDLESS_BISHOP = "5B1b1/8k/8g/8G/8G/9/9/9/9 b 2rg4s4n4l18p 1"
MINIMAL = "9/6S1k/9/7L1/9/9/9/9/9 b 2r2b4g3s4n3l18p 1"


def line_of(sfen: str, length: int) -> tuple[int, ...]:
    record = pack(parse_sfen(sfen).position)
    return best_line(DfPnEngine(table_bits=14), record, length)


def test_every_piece_but_the_kings_is_taken_away_once() -> None:
    position = parse_sfen("4k4/4+r4/9/9/9/9/9/9/4K4 b 2GPr2b2g4s4n4l17p 1").position
    names = [removed.name for removed, _ in reductions(position)]
    assert names == ["defender's dragon on 5b", "pawn in hand", "gold in hand"]
    for _, reduced in reductions(position):
        assert reduced.piece_count() == position.piece_count() - 1
        assert len(reduced.defender_hand) == len(position.defender_hand) + 1


@pytest.mark.parametrize(
    ("sfen", "needless"),
    [(NEEDLESS_PAWN, "attacker's pawn on 1b"), (NEEDLESS_BISHOP, "defender's bishop on 2a")],
)
def test_a_needless_piece_can_go(sfen: str, needless: str) -> None:
    engine, line = DfPnEngine(table_bits=14), line_of(sfen, 3)
    position = parse_sfen(sfen).position
    found = {
        removed.name: is_same_problem(engine, reduced, line) for removed, reduced in reductions(position)
    }
    assert found[needless]
    smaller = next(reduced for removed, reduced in reductions(position) if found[removed.name])
    assert contains_line(TreeBuilder(DfPnEngine(table_bits=14)).turn(pack(smaller), 3), line)


def test_a_minimal_problem_stays() -> None:
    engine, position = DfPnEngine(table_bits=14), parse_sfen(MINIMAL).position
    line = line_of(MINIMAL, 3)
    assert is_same_problem(engine, position, line)
    assert not any(is_same_problem(engine, reduced, line) for _, reduced in reductions(position))


def test_another_line_is_another_problem() -> None:
    engine, position = DfPnEngine(table_bits=14), parse_sfen(MINIMAL).position
    assert not is_same_problem(engine, position, line_of(NEEDLESS_PAWN, 3))
    assert not is_same_problem(engine, position, line_of(MINIMAL, 3)[:1])


def test_an_illegal_start_is_no_problem() -> None:
    checked = parse_sfen("4k4/4R4/9/9/9/9/9/9/9 b r2b4g4s4n4l18p 1").position
    assert not is_same_problem(DfPnEngine(table_bits=12), checked, line_of(MINIMAL, 3))


def test_best_lines_are_in_the_tree() -> None:
    record, line = pack(parse_sfen(MINIMAL).position), line_of(MINIMAL, 3)
    root = TreeBuilder(DfPnEngine(table_bits=14)).turn(record, 3)
    assert contains_line(root, line)
    assert all(contains_line(root, (root.key, *r.moves, *r.turn.line())) for r in root.replies if r.turn)
    assert not contains_line(root, line[:1])
    assert not contains_line(root, line[:2])
    assert not contains_line(root, (*line, line[0]))
    assert not contains_line(root, (line[1], *line[1:]))


@pytest.mark.parametrize(
    ("sfen", "length"),
    [
        ("8n/9/6B1k/9/7R1/9/9/9/9 b rb4g4s3n4l18p 1", 3),
        ("3+B5/1k1g5/2s6/9/9/9/9/9/9 b 2Rb3g3s4n4l18p 1", 5),
        ("1k1n5/9/1Ss6/4+R4/9/9/9/9/9 b R2b4g2s3n4l18p 1", 7),
    ],
)
def test_a_piece_that_prevents_only_a_longer_second_solution_is_needed(sfen: str, length: int) -> None:
    engine, position, line = DfPnEngine(), parse_sfen(sfen).position, line_of(sfen, length)
    without = [reduced for _, reduced in reductions(position) if is_same_problem(engine, reduced, line)]
    assert without
    limits = Limits(nodes=1_000_000)
    for reduced in without:
        assert not is_same_problem(engine, reduced, line, unbounded=limits)
        cook = cook_at_any_length(engine, reduced, line, limits)
        assert cook is not None
        assert cook.bound > length + MARGINS[-1]
    judgement = Judge(engine).judge(position)
    assert judgement.grade is Grade.PERFECT
    without_nodes = Judge(engine, Rigour(reduced_nodes=10)).judge(position)
    assert not without_nodes.unresolved
    assert Defect.UNNECESSARY_PIECE in without_nodes.not_settled
    assert not without_nodes.correct
    assert without_nodes.grade is Grade.SOUND
    assert Judge(engine, Rigour(reduced_nodes=10, evidence=False)).judge(position).unresolved
