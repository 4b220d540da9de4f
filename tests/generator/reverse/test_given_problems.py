# SPDX-License-Identifier: GPL-3.0-or-later
"""Given problems: what grows from them, and why nothing grows from others."""

from __future__ import annotations

import pytest

from generator.constraints.options import ComposingOptions, Effort
from generator.problem import Problem
from generator.reverse import seeds as starts
from generator.reverse.seeds import given_problem
from generator.run.composer import Composer, RootResult
from solver.engines.dfpn.engine import DfPnEngine
from tests.grown import grown
from tsume_rules.packed import pack, pack_move, played, record_after, unpack, unpack_move
from tsume_rules.position import Side
from tsume_rules.sfen import SfenError, canonical, format_sfen, parse_sfen

CORRECT = "9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1"
COOKED = "7k1/9/7P1/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1"
LEFTOVER = "7gk/7L1/8B/9/9/9/9/9/9 b 2rb3g4s3n3l18p 1"
NO_MATE = "4k4/9/9/9/9/9/9/9/9 b P2r2b4g4s4n4l17p 1"
LONG = "1k2B4/2g2+R3/9/9/9/7B1/9/9/9 b r3g4s4n4l18p 1"


def engine() -> DfPnEngine:
    return DfPnEngine(table_bits=16)


def test_a_problem_starts_with_its_length_and_line() -> None:
    start = given_problem(engine(), CORRECT)
    assert start.candidate is not None
    assert start.why == ""
    assert unpack(start.candidate.record) == parse_sfen(CORRECT).position
    assert start.candidate.length == 3
    assert [unpack_move(move).usi for move in start.candidate.line] == ["3d2c", "1b1a", "2c2b"]


def test_what_has_grown_may_start_again() -> None:
    for candidate in grown(5)[:10]:
        start = given_problem(engine(), format_sfen(unpack(candidate.record)))
        assert start.candidate is not None
        assert start.candidate.length == len(start.candidate.line) == 5
        assert start.candidate.line[0] == candidate.line[0]


@pytest.mark.parametrize(
    ("sfen", "why"), [(COOKED, "leaves pieces"), (LEFTOVER, "leaves pieces"), (NO_MATE, "no mate")]
)
def test_nothing_starts_from_what_is_not_a_problem(sfen: str, why: str) -> None:
    start = given_problem(engine(), sfen)
    assert start.candidate is None
    assert why in start.why


def test_what_is_not_an_sfen_is_refused() -> None:
    with pytest.raises(SfenError):
        given_problem(engine(), "nonsense")


@pytest.mark.parametrize("nodes", [1, 30, 100, 150, 200, 300, 500])
def test_nodes_may_run_out_anywhere(nodes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the search for a mate, or only while second solutions are looked for."""
    monkeypatch.setattr(starts, "_GIVEN_NODES", nodes)
    start = given_problem(engine(), LONG)
    assert (start.candidate is None) == bool(start.why)


# --- composing from starts ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shorter() -> tuple[str, ...]:
    """Correct problems in three."""
    composer = Composer(3, ComposingOptions(3), "test")
    problems = [problem for index in range(25) for problem in composer.root(index).problems]
    return tuple(format_sfen(problem.position) for problem in problems)


@pytest.fixture(scope="module")
def extended(shorter: tuple[str, ...]) -> list[RootResult]:
    composer = Composer(3, ComposingOptions(5, starts=shorter), "test")
    return [composer.root(index) for index in range(len(shorter))]


def test_each_root_extends_the_start_whose_turn_it_is(
    shorter: tuple[str, ...], extended: list[RootResult]
) -> None:
    found = [(shorter[result.index], problem) for result in extended for problem in result.problems]
    assert len(found) > 3
    kept = sum(leads_to(problem, sfen) for sfen, problem in found)
    assert kept > len(found) // 2  # pieces that the longer problem does not need are taken away


def leads_to(problem: Problem, sfen: str) -> bool:
    """Whether a problem's position after two plies is a given one or its mirror image."""
    line = tuple(pack_move(move) for move in problem.line[:2])
    return canonical(unpack(record_after(pack(problem.position), line))) == canonical(
        parse_sfen(sfen).position
    )


def test_a_start_that_is_known_already_changes_nothing(shorter: tuple[str, ...]) -> None:
    """If nodes run out, what the table holds affects the result: a start must leave nothing in it."""
    options = ComposingOptions(5, starts=shorter, effort=Effort(nodes=30))
    used, number = Composer(3, options, "test"), len(shorter)
    for index in range(number):
        used.root(index)
    for index in range(number, 2 * number):
        used_first = Composer(3, options, "test")
        assert used.root(index) == used_first.root(index), index


def test_nothing_grows_from_a_start_that_is_not_a_problem_or_too_long() -> None:
    for length, sfen in ((5, COOKED), (5, NO_MATE), (3, LONG)):
        assert Composer(3, ComposingOptions(length, starts=(sfen,)), "test").root(0).problems == []


def test_the_record_of_a_start_stays_as_it_was() -> None:
    start = given_problem(engine(), CORRECT)
    assert start.candidate is not None
    with played(start.candidate.record, start.candidate.line[0], Side.ATTACKER):
        assert start.candidate.record != pack(parse_sfen(CORRECT).position)
    assert start.candidate.record == pack(parse_sfen(CORRECT).position)
