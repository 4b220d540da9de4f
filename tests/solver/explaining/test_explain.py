"""Explanations: every claim, checked by the slow twin and by a fresh search."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
import shogi

from solver.engines.dfpn.engine import DfPnEngine
from solver.explaining.explain import explain
from solver.explaining.explanation import ExplainedTurn, Explanation, Proof
from solver.judging.judge import Judge
from solver.results import Limits
from tests import naive
from tests.solver.replay import is_mate, replayed
from tsume_rules.position import Position
from tsume_rules.sfen import parse_sfen

PROBLEMS = [  # composed by `tsume generate` and others
    "9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1",
    "5S1k1/9/9/6R2/9/9/9/9/9 b Lr2b4g3s4n3l18p 1",
    "9/9/8k/9/9/7R1/9/9/9 b Gr2b3g4s4n4l18p 1",
    "6G1k/9/8P/8S/8L/9/9/9/9 b 2r2b3g3s4n3l17p 1",
    "9/7Lk/6+N2/9/8N/9/9/9/9 b 2r2b4g4s2n3l18p 1",
    "9/9/9/8k/8B/8+R/9/9/9 b rb4g4s4n4l18p 1",
]
SEVEN = "8B/8k/9/7+N1/5N3/9/9/2B6/9 b 2r4g4s2n4l18p 1"
NO_MATE = "9/1k7/P8/2S6/+B8/9/9/9/9 b 2rb4g3s4n4l17p 1"


@cache
def explained(sfen: str) -> Explanation:
    position, engine = parse_sfen(sfen).position, DfPnEngine(table_bits=18)
    line = Judge(engine).judge(position).line
    return explain(engine, position, line)


@pytest.mark.parametrize("sfen", [*PROBLEMS, SEVEN])
def test_every_turn_every_check_and_every_answer_is_explained(sfen: str) -> None:
    explanation, position = explained(sfen), parse_sfen(sfen).position
    assert explanation.complete
    assert [len(turn.path) for turn in explanation.turns] == list(range(0, len(explanation.line), 2))
    for turn in explanation.turns:
        board = replayed(position, turn.path)
        checks = [turn.key, *(one.check for one in turn.tries), *(one.check for one in turn.others)]
        assert sorted(c.usi for c in checks if c) == sorted(m.usi() for m in naive.check_moves(board))
        assert turn.key is not None
        board.push_usi(turn.key.usi)
        answers = [a for v in turn.variations for a in v.answers] + [d for f in turn.futile for d in f.drops]
        answers += explanation.line[len(turn.path) + 1 :][:1]
        assert sorted(a.usi for a in answers) == sorted(m.usi() for m in naive.evasion_moves(board))


@pytest.mark.parametrize("sfen", [*PROBLEMS, SEVEN])
def test_every_variation_mates_in_as_many_moves_as_it_says(sfen: str) -> None:
    position = parse_sfen(sfen).position
    for turn in explained(sfen).turns:
        assert turn.key is not None
        for variation in turn.variations:
            for answer in variation.answers:
                path = (*turn.path, turn.key, answer)
                assert is_mate(position, (*path, *variation.line))
                assert len(variation.line) == variation.length
                board = replayed(position, path)
                assert variation.length == 1 or not naive.mate_within(board, variation.length - 2)
                assert naive.mate_within(board, variation.length)
            board = replayed(position, (*turn.path, turn.key, variation.answers[0], *variation.line))
            assert sum(board.pieces_in_hand[shogi.BLACK].values()) == len(variation.leftover)


@pytest.mark.parametrize("sfen", [*PROBLEMS, SEVEN])
def test_a_futile_drop_is_taken_with_mate_as_soon(sfen: str) -> None:
    position = parse_sfen(sfen).position
    for turn in explained(sfen).turns:
        for futile in turn.futile:
            assert turn.key is not None
            assert turn.length is not None
            for drop in futile.drops:
                board = replayed(position, (*turn.path, turn.key, drop, futile.take))
                assert naive.mated_within(board, turn.length - 1)


@pytest.mark.parametrize("sfen", [*PROBLEMS, NO_MATE])
def test_no_mate_follows_an_answer_that_refutes(sfen: str) -> None:
    position = parse_sfen(sfen).position
    for turn in explained(sfen).turns:
        for found in turn.tries:
            assert found.proof in (Proof.NO_CHECK, Proof.ANY_LENGTH)
            assert found.answer == found.refutations[0]
            for answer in found.refutations:
                board = replayed(position, (*turn.path, found.check, answer))
                assert not naive.mate_within(board, 3)
            board = replayed(position, (*turn.path, found.check, found.answer))
            assert (found.proof is Proof.NO_CHECK) == (not naive.check_moves(board))


@pytest.mark.parametrize("sfen", PROBLEMS)
def test_the_only_answer_is_the_only_one(sfen: str) -> None:
    position, engine = parse_sfen(sfen).position, DfPnEngine(table_bits=16)
    for turn in explained(sfen).turns:
        for found in turn.tries:
            if found.only:
                _check_only(turn, position, found.check.usi, found.answer.usi, engine)


def _check_only(turn: ExplainedTurn, position: Position, check: str, answer: str, engine: DfPnEngine) -> None:
    board = replayed(position, turn.path)
    board.push_usi(check)
    for other in naive.evasion_moves(board):
        if other.usi() != answer:
            board.push(other)
            loses = engine.mates_ever(_record(board))
            board.pop()
            assert loses or other.drop_piece_type is not None  # a drop may be futile


def _record(board: naive.Board) -> object:
    from tsume_rules.packing import pack

    return pack(parse_sfen(board.sfen()).position)


def test_alternatives_of_the_last_move_mate() -> None:
    for sfen in PROBLEMS:
        last, position = explained(sfen).turns[-1], parse_sfen(sfen).position
        for other in last.others:
            board = replayed(position, last.path)
            assert other.length is not None
            within = {n for n in (1, 3) if other.check.usi in naive.mating_moves(board.sfen(), n)}
            assert min(within, default=5) == min(other.length, 5)


@pytest.mark.parametrize("sfen", [*PROBLEMS, SEVEN])
def test_answers_alone_are_explained_as_with_the_other_checks(sfen: str) -> None:
    position, whole = parse_sfen(sfen).position, explained(sfen)
    answers = explain(DfPnEngine(table_bits=18), position, whole.line, checks=False)
    assert answers.complete
    assert answers.turns == tuple(replace(turn, tries=(), others=()) for turn in whole.turns)


def test_without_a_mate_each_check_is_explained() -> None:
    (turn,) = explained(NO_MATE).turns
    assert (turn.key, turn.length) == (None, None)
    assert {one.check.usi for one in turn.tries} == naive.checks(NO_MATE)


def test_the_most_plausible_check_comes_first() -> None:
    for turn in explained(SEVEN).turns:
        numbers = [len(one.refutations) for one in turn.tries]
        assert numbers == sorted(numbers)


def test_a_limit_leaves_the_explanation_incomplete() -> None:
    position, line = parse_sfen(SEVEN).position, explained(SEVEN).line
    whole = 0
    for nodes in (0, 20, 200):
        engine = DfPnEngine(table_bits=16)
        with engine.within(Limits(nodes=nodes)):
            explanation = explain(engine, position, line)
        assert not explanation.complete
        assert len(explanation.turns) >= whole
        assert all(turn.key for turn in explanation.turns)
        whole = len(explanation.turns)


def test_the_same_position_has_the_same_explanation() -> None:
    engine, position = DfPnEngine(table_bits=16), parse_sfen(SEVEN).position
    explanations = []
    for _ in range(2):
        engine.forget()
        explanations.append(explain(engine, position, explained(SEVEN).line))
    assert explanations[0] == explanations[1]
