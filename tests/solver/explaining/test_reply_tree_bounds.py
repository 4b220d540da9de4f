# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees of open boards: what mates later than the key is cut first, and the best line stays."""

from __future__ import annotations

from functools import cache

import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.explaining.explanation import Fails, Mates, Open, Proof, Rank, ReplyTree
from solver.explaining.reply_tree_builder import MOST_ASIDE, MOST_LATER, reply_tree
from solver.results import Limits
from tsume_rules.packed import line_played, pack, pack_move
from tsume_rules.sfen import parse_sfen

OPEN_BOARDS = [
    "6+B1k/9/9/9/9/9/9/9/9 b Rrb4g4s4n4l18p 1",
]


@cache
def tree_of(sfen: str, only_line: bool = False) -> ReplyTree:
    engine = DfPnEngine(table_bits=18)
    return reply_tree(engine, parse_sfen(sfen).position, Limits(seconds=120), only_line=only_line)


@pytest.mark.parametrize("sfen", OPEN_BOARDS)
def test_a_tree_of_an_open_board_is_small_and_says_that_it_is_cut(sfen: str) -> None:
    tree = tree_of(sfen)
    later = [c for turn in tree.turns for c in turn.checks if isinstance(c, Mates) and c.rank is Rank.LATER]
    assert len(later) <= MOST_LATER
    assert len(tree.turns) < 10 * (MOST_LATER + MOST_ASIDE)
    assert not tree.complete


@pytest.mark.parametrize("sfen", OPEN_BOARDS)
def test_the_best_line_is_played_to_its_end(sfen: str) -> None:
    tree = tree_of(sfen)
    turn, played = tree.turns[0], []
    for ply in range(0, len(tree.line), 2):
        key = turn.checks[0]
        assert isinstance(key, Mates)
        assert key.check == turn.key == tree.line[ply]
        played.append(key.check)
        if key.best:
            played.append(key.best.move)
            assert key.best.turn is not None
            turn = tree.turns[key.best.turn]
    assert tuple(played) == tree.line


@pytest.mark.parametrize("sfen", OPEN_BOARDS)
def test_what_is_said_of_the_first_checks_is_true(sfen: str) -> None:
    engine, tree = DfPnEngine(table_bits=18), tree_of(sfen)
    record = pack(parse_sfen(sfen).position)
    for found in tree.turns[0].checks:
        check = pack_move(found.check)
        if isinstance(found, Mates):
            assert engine.mates_after(record, check, found.length)
        elif isinstance(found, Open) and found.mates:
            assert engine.mates_ever_after(record, check)
        elif isinstance(found, Fails) and found.proof is Proof.ANY_LENGTH:
            with line_played(record, (check, pack_move(found.answer))):
                assert engine.mates_ever(record) is False


@pytest.mark.parametrize("sfen", OPEN_BOARDS)
def test_a_tree_of_the_line_only_has_its_turns_and_all_answers_to_its_keys(sfen: str) -> None:
    whole, line = tree_of(sfen), tree_of(sfen, only_line=True)
    assert line.line == whole.line
    assert [turn.path for turn in line.turns] == [line.line[:ply] for ply in range(0, len(line.line), 2)]
    for one, other in zip(line.turns, whole.turns, strict=False):
        key, same = one.checks[0], other.checks[0]
        assert isinstance(key, Mates)
        assert isinstance(same, Mates)
        assert [(a.move, a.length) for a in key.answers] == [(a.move, a.length) for a in same.answers]
        assert all(isinstance(c, Mates) is (c.check == one.key) for c in one.checks)
