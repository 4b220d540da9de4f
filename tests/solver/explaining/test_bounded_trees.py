# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees within nodes beyond the best line: the line is there, nothing is claimed that is not so."""

from __future__ import annotations

from functools import cache

import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.explaining.explanation import CheckResult, Fails, Mates, Open, Rank, ReplyTree, TreeTurn
from solver.explaining.reply_tree_builder import reply_tree
from solver.results import Limits
from tests.solver.explaining.test_reply_tree import DETOUR, FUTILE_THREE, PROBLEMS, WIDE
from tsume_rules.moves import Move
from tsume_rules.packed import line_played, pack, pack_move
from tsume_rules.sfen import parse_sfen

NODES = (0, 1000, 20_000)
POSITIONS = [*PROBLEMS, FUTILE_THREE, WIDE]


@cache
def tree(sfen: str, rest: int | None, check: Move | None = None) -> ReplyTree:
    position = parse_sfen(sfen).position
    engine, limits = DfPnEngine(table_bits=18), Limits(seconds=120)
    return reply_tree(
        engine, position, limits, most_turns=20, only_best=True, rest_nodes=rest, first_check=check
    )


def key_of(turn: TreeTurn) -> Mates:
    (key,) = [check for check in turn.checks if check.check == turn.key]
    assert isinstance(key, Mates)
    return key


def same_kind(one: CheckResult, other: CheckResult) -> bool:
    return (
        isinstance(one, Open) or isinstance(other, Open) or isinstance(one, Fails) is isinstance(other, Fails)
    )


@pytest.mark.parametrize("sfen", POSITIONS)
@pytest.mark.parametrize("nodes", NODES)
def test_the_best_line_can_be_played(sfen: str, nodes: int) -> None:
    found = tree(sfen, nodes)
    assert found.line == tree(sfen, None).line
    turn, played = found.turns[0], list[Move]()
    while best := key_of(turn).best:
        played += [key_of(turn).check, best.move]
        assert best.turn is not None
        turn = found.turns[best.turn]
    assert (*played, key_of(turn).check) == found.line


@pytest.mark.parametrize("sfen", POSITIONS)
@pytest.mark.parametrize("nodes", NODES)
def test_fewer_nodes_leave_open_and_claim_nothing_else(sfen: str, nodes: int) -> None:
    few, many = tree(sfen, nodes).turns[0], tree(sfen, None).turns[0]
    results = {check.check: check for check in many.checks}
    assert {check.check for check in few.checks} == results.keys()
    assert all(same_kind(check, results[check.check]) for check in few.checks)
    for check in few.checks:
        if isinstance(check, Mates):
            record = pack(parse_sfen(sfen).position)
            assert DfPnEngine(table_bits=18).mates_after(record, pack_move(check.check), check.length)


@pytest.mark.parametrize("sfen", POSITIONS)
def test_a_tree_is_the_same_each_time(sfen: str) -> None:
    engine, position = DfPnEngine(table_bits=18), parse_sfen(sfen).position
    reply_tree(engine, parse_sfen(DETOUR).position, Limits())
    again = reply_tree(engine, position, Limits(), most_turns=20, only_best=True, rest_nodes=20_000)
    assert again == tree(sfen, 20_000)


@pytest.mark.parametrize("sfen", POSITIONS)
@pytest.mark.parametrize("nodes", NODES)
def test_each_turn_that_an_answer_leads_to_is_filled(sfen: str, nodes: int) -> None:
    found = tree(sfen, nodes)
    assert all(turn.key is not None for turn in found.turns)
    for turn in found.turns:
        for check in turn.checks:
            if isinstance(check, Mates) and check.best and check.best.turn is not None:
                after = found.turns[check.best.turn]
                assert after.length == check.best.length


@pytest.mark.parametrize("sfen", POSITIONS)
def test_only_the_best_answers_are_there(sfen: str) -> None:
    for turn in tree(sfen, None).turns:
        for check in turn.checks:
            if isinstance(check, Mates):
                assert len(check.answers) <= 1
                assert bool(check.best) is (check.length > 1)


@pytest.mark.parametrize("sfen", POSITIONS)
def test_one_check_is_settled_as_in_the_whole_tree(sfen: str) -> None:
    for expected in tree(sfen, None).turns[0].checks[:12]:
        found = tree(sfen, 150_000, expected.check)
        results = {check.check: check for check in found.turns[0].checks}
        settled = results.pop(expected.check)
        assert all(check == Open(check.check) for check in results.values())
        assert same_kind(settled, expected)
        if isinstance(expected, Mates) and expected.rank is not Rank.LATER:
            assert isinstance(settled, Mates)
            assert (settled.length, settled.rank) == (expected.length, expected.rank)
        if isinstance(settled, Fails) and settled.within is not None:
            record, line = pack(parse_sfen(sfen).position), (settled.check, settled.answer)
            with line_played(record, tuple(map(pack_move, line))):
                assert not DfPnEngine(table_bits=18).mates(record, settled.within)
