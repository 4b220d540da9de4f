# SPDX-License-Identifier: GPL-3.0-or-later
"""Explanations: every claim, checked by the slow twin and by a fresh search."""

from dataclasses import replace
from functools import cache

import pytest
import shogi

from solver.engines.dfpn.engine import DfPnEngine
from solver.explaining import explainer
from solver.explaining.explainer import explain
from solver.explaining.explanation import Explanation, Proof
from solver.explaining.tries import answers_by_manner
from solver.judging.judge import Judge
from solver.results import Limits
from solver.solving import deepening
from tests import naive
from tests.solver.replay import is_mate, replayed
from tsume_rules.packed import PackedPosition, legal_checks, pack, pack_move, record_after
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

COOKED = ["8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1", "7G1/8k/9/9/9/9/7R1/9/9 b r2b3g4s4n4l18p 1"]
WIDE_OPEN = "9/5k3/9/4+P4/9/3B5/9/9/9 b RGSrb3g3s4n4l17p 1"
"""No mate is near, and most checks lead to long chases."""


@cache
def explained(sfen: str, *, only_answers: bool = False) -> Explanation:
    position, engine = parse_sfen(sfen).position, DfPnEngine(table_bits=18)
    line = Judge(engine).judge(position).line
    return explain(engine, position, line, only_answers=only_answers)


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
    alone = explain(DfPnEngine(table_bits=18), position, explanation.line, checks=False)
    assert alone.complete
    assert alone.turns == tuple(replace(turn, tries=(), others=()) for turn in explanation.turns)


@pytest.mark.parametrize("sfen", [*PROBLEMS, SEVEN])
def test_long_works_are_explained_alike(sfen: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every problem as if it were one: the same lengths, the same checks that mate."""
    before = explained(sfen)
    monkeypatch.setattr(deepening, "LAST_RAISED", 0)
    found = explain(DfPnEngine(table_bits=18), parse_sfen(sfen).position, before.line)
    assert found.complete
    for turn, known in zip(found.turns, before.turns, strict=True):
        assert (turn.length, turn.key) == (known.length, known.key)
        assert {(mate.check, mate.length) for mate in turn.others} == {
            (mate.check, mate.length) for mate in known.others
        }
        assert {one.check for one in turn.tries} == {one.check for one in known.tries}


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
    for turn in explained(sfen).turns:
        for futile in turn.futile:
            assert turn.key is not None
            assert turn.length is not None
            for drop in futile.drops:
                board = replayed(position, (*turn.path, turn.key, drop, futile.take))
                assert naive.mated_within(board, turn.length - 1)


@pytest.mark.parametrize("only_answers", [False, True])
@pytest.mark.parametrize("sfen", [*PROBLEMS, NO_MATE])
def test_no_mate_follows_an_answer_that_refutes(sfen: str, only_answers: bool) -> None:
    position = parse_sfen(sfen).position
    for turn in explained(sfen, only_answers=only_answers).turns:
        for found in turn.tries:
            assert found.proof in (Proof.NO_CHECK, Proof.ANY_LENGTH)
            assert found.refutations[0] == found.answer
            for answer in found.refutations:
                board = replayed(position, (*turn.path, found.check, answer))
                assert not naive.mate_within(board, 3)
            board = replayed(position, (*turn.path, found.check, found.answer))
            assert (found.proof is Proof.NO_CHECK) == (not naive.check_moves(board))


@pytest.mark.parametrize("sfen", [*PROBLEMS, NO_MATE])
def test_other_answers_are_asked_about_on_request_only(sfen: str) -> None:
    few, all_of_them = explained(sfen), explained(sfen, only_answers=True)
    for turn, asked in zip(few.turns, all_of_them.turns, strict=True):
        assert replace(turn, tries=()) == replace(asked, tries=())
        named = {one.check: (one.answer, one.proof) for one in turn.tries}
        assert named == {one.check: (one.answer, one.proof) for one in asked.tries}
        assert all(one.is_only_refutation is None and one.refutations == (one.answer,) for one in turn.tries)
        assert all(one.is_only_refutation is not None for one in asked.tries)


@pytest.mark.parametrize("sfen", [*PROBLEMS, NO_MATE])
def test_all_answers_that_refute_are_found(sfen: str) -> None:
    position, engine = parse_sfen(sfen).position, DfPnEngine(table_bits=16)
    turns = explained(sfen, only_answers=True).turns
    assert sfen == NO_MATE or any(found.is_only_refutation for turn in turns for found in turn.tries)
    for turn in turns:
        for found in turn.tries:
            if not found.settled:
                continue
            board = replayed(position, (*turn.path, found.check))
            refuting = set()
            for answer in naive.evasion_moves(board):
                board.push(answer)
                if not engine.mates_ever(_packed(board)):
                    refuting.add(answer.usi())
                board.pop()
            assert {answer.usi for answer in found.refutations} == refuting
            assert found.is_only_refutation == (len(refuting) == 1)


@pytest.mark.parametrize("sfen", [*PROBLEMS, SEVEN, NO_MATE])
def test_the_answer_is_the_one_a_person_sees_first(sfen: str) -> None:
    position = parse_sfen(sfen).position
    for turn in explained(sfen).turns:
        for found in turn.tries:
            path = tuple(map(pack_move, (*turn.path, found.check)))
            order = list(answers_by_manner(record_after(pack(position), path)))
            after = {answer: record_after(pack(position), (*path, answer)) for answer in order}
            ending = [answer for answer in order if not legal_checks(after[answer])]
            plain = [answer for answer in order if _plainly_refutes(after[answer])]
            assert (found.proof is Proof.NO_CHECK) == bool(ending)
            for first in (ending or plain)[:1]:
                assert order.index(pack_move(found.answer)) <= order.index(first)


def _plainly_refutes(packed: PackedPosition) -> bool:
    engine = DfPnEngine(table_bits=16)
    return engine.answered_within(30, lambda: engine.mates_ever(packed)) is False


def _packed(board: naive.Board) -> PackedPosition:
    return pack(parse_sfen(board.sfen()).position)


def test_alternatives_of_the_last_move_mate() -> None:
    for sfen in PROBLEMS:
        last, position = explained(sfen).turns[-1], parse_sfen(sfen).position
        for other in last.others:
            board = replayed(position, last.path)
            assert other.length is not None
            within = {n for n in (1, 3) if other.check.usi in naive.mating_moves(board.sfen(), n)}
            assert min(within, default=5) == min(other.length, 5)


def test_without_a_mate_each_check_is_explained() -> None:
    (turn,) = explained(NO_MATE).turns
    assert (turn.key, turn.length) == (None, None)
    assert {one.check.usi for one in turn.tries} == naive.checks(NO_MATE)


def test_the_most_plausible_check_comes_first() -> None:
    for turn in explained(SEVEN, only_answers=True).turns:
        numbers = [len(one.refutations) for one in turn.tries]
        assert numbers == sorted(numbers)
    for turn in explained(SEVEN).turns:
        lasting = [one.lasting for one in turn.tries]
        assert lasting == sorted(lasting)


@pytest.mark.parametrize("sfen", [*PROBLEMS, NO_MATE])
def test_an_answer_without_a_mate_in_three_lasts(sfen: str) -> None:
    position = parse_sfen(sfen).position
    for turn in explained(sfen).turns:
        for found in turn.tries:
            board = replayed(position, (*turn.path, found.check))
            lasting = 0
            for answer in naive.evasion_moves(board):
                board.push(answer)
                lasting += not naive.mate_within(board, 3)
                board.pop()
            assert found.lasting == lasting


@pytest.mark.parametrize("sfen", [*COOKED, WIDE_OPEN])
@pytest.mark.parametrize("nodes", [1, 300])
def test_what_is_told_with_few_nodes_is_true(sfen: str, nodes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FIRST_NODES", "BOUND_NODES", "LENGTH_NODES"):
        monkeypatch.setattr(explainer, name, nodes)
    position, engine = parse_sfen(sfen).position, DfPnEngine(table_bits=18)
    line = Judge(DfPnEngine(table_bits=18)).judge(position, limits=Limits(nodes=200_000)).line
    explanation = explain(engine, position, line, proof_nodes=nodes)
    assert explanation.complete
    witness = DfPnEngine(table_bits=18)
    bounded = 0
    for turn in explanation.turns:
        packed = record_after(pack(position), tuple(map(pack_move, turn.path)))
        told = [*(one.check for one in turn.tries), *(one.check for one in turn.others)]
        key = () if turn.key is None else (pack_move(turn.key),)
        assert sorted(map(pack_move, told)) == sorted({*legal_checks(packed)} - {*key})
        order = [one.proof is not Proof.BOUNDED for one in turn.tries]
        assert order == sorted(order)
        for found in turn.tries:
            after = record_after(packed, (pack_move(found.check), pack_move(found.answer)))
            if found.proof is Proof.BOUNDED:
                bounded += 1
                assert found.within is not None
                assert found.refutations == ()
                assert not witness.mates(after, found.within)
            else:
                assert not witness.mates(after, 7)
        for other in turn.others:
            if other.length is not None:
                assert witness.mates_after(packed, pack_move(other.check), other.length)
                assert other.length == 1 or not witness.mates_after(packed, pack_move(other.check), other.length - 2)
    assert bounded or sfen != WIDE_OPEN


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
