# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings: every line is legal, every cook mates, every smaller problem is a problem."""

from __future__ import annotations

from functools import cache
from typing import TypeVar

import pytest
import shogi

from solver.engines.dfpn.engine import DfPnEngine
from solver.explaining.explanation import Proof
from solver.judging.findings import (
    AllFail,
    EqualDefence,
    LastMoves,
    LeftInHand,
    NeedlessPiece,
    OtherLength,
    ReadingsDiffer,
    SecondSolution,
    VariationMate,
)
from solver.judging.judge import Judge, Rigour
from solver.results import REMARKS, Defect, Finding, Judgement, Limits
from tests import naive
from tests.places import DATA
from tests.sampling import attacks
from tests.solver.replay import is_mate, replayed
from tsume_rules.position import Position
from tsume_rules.sfen import format_sfen, parse_sfen

LABELLED = DATA / "labelled_valid_invalid.tsv"
CORRECT = "6G1k/9/8P/8S/8L/9/9/9/9 b 2r2b3g3s4n3l17p 1"
COOKED = "8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1"
COOKED_LATER = "7G1/8k/9/9/9/9/7R1/9/9 b r2b3g4s4n4l18p 1"
LOOSE = "4k4/2R6/9/9/9/9/9/9/9 b R2b4g4s4n4l18p 1"
NEEDLESS = "7k1/8P/6S2/8+B/9/9/9/9/9 b 2rb4g3s4n4l17p 1"
NEEDLESS_IN_HAND = "8k/9/8P/8L/9/9/9/9/9 b P2r2b4g4s4n3l16p 1"
WIDE = "9/8g/8k/6B2/7+R1/3B5/9/9/9 b r3g4s4n4l18p 1"
PURIST = "4k4/5s3/2+P1+S4/1R7/9/9/9/9/9 b r2b4g2s4n4l17p 1"
NO_MATE = "9/1k7/P8/2S6/+B8/9/9/9/9 b 2rb4g3s4n4l17p 1"
IN_CHECK = "4k4/4R4/9/9/9/9/9/9/9 b r2b4g4s4n4l18p 1"
DETOUR = "7S1/6G2/5B1k1/8N/9/9/9/9/9 b G2rb2g3s3n4l18p 1"
EQUAL = "9/6S1k/9/7L1/9/9/9/9/9 b 2r2b4g3s4n3l18p 1"
LEAVES = "7gk/7L1/8B/9/9/9/9/9/9 b 2rb3g4s4n3l18p 1"
VARIATION = "9/7pk/9/7sG/9/8N/8R/9/9 b r2b3g3s2n4l17p 1"
BOOK = [CORRECT, COOKED, COOKED_LATER, LOOSE, NEEDLESS, NEEDLESS_IN_HAND, WIDE, PURIST]
BOOK += [NO_MATE, DETOUR, EQUAL, LEAVES, VARIATION, IN_CHECK]


def position(sfen: str) -> Position:
    return parse_sfen(sfen).position


@cache
def judged(sfen: str, expected: int | None = None) -> Judgement:
    return Judge(DfPnEngine(table_bits=16)).judge(position(sfen), expected, Limits(nodes=400_000))


F = TypeVar("F", bound=Finding)


def found(judgement: Judgement, kind: type[F], of: Defect) -> list[F]:
    return [one for one in judgement.findings if isinstance(one, kind) and one.of is of]


def check_findings(sfen: str, judgement: Judgement) -> None:
    """What holds for any judgement."""
    start = position(sfen)
    shown = {finding.of for finding in judgement.findings}
    if not judgement.unresolved:
        assert shown >= set(judgement.defects)
        assert shown >= set(judgement.remarks)
    for finding in judgement.findings:
        replayed(start, finding.line)
        if isinstance(finding, ReadingsDiffer):
            assert not finding.line or finding.line[-1].drop is not None
        elif isinstance(finding, SecondSolution) and finding.length is None:
            assert finding.line[-1] == finding.check
        elif finding.line:
            assert is_mate(start, finding.line), finding
        if isinstance(finding, LeftInHand):
            board = replayed(start, finding.line)
            hand = {kind: finding.hand[kind] for kind in finding.hand}
            assert sum(board.pieces_in_hand[shogi.BLACK].values()) == sum(hand.values()) > 0


@pytest.mark.parametrize("sfen", BOOK)
def test_every_line_is_legal_and_ends_as_it_says(sfen: str) -> None:
    check_findings(sfen, judged(sfen))


def test_findings_of_any_position_hold() -> None:
    judge = Judge(DfPnEngine(table_bits=16), Rigour(nodes=5000, unbounded_nodes=2000))
    for start in attacks(30, seed="findings"):
        check_findings(format_sfen(start), judge.judge(start, 3, Limits(nodes=30_000)))


@pytest.mark.skipif(not LABELLED.exists(), reason=f"no {LABELLED}: set TSUME_DATA to the data's folder")
def test_every_labelled_problem_that_is_wrong_is_shown_to_be() -> None:
    for row in LABELLED.read_text(encoding="utf-8").splitlines():
        label, _, sfen, *_ = row.split("\t")
        if label == "INVALID" and int(row.split("\t")[1]) <= 3:
            judgement = judged(sfen)
            assert judgement.findings, sfen
            check_findings(sfen, judgement)


def test_a_correct_problem_shows_remarks_only() -> None:
    assert all(finding.of in REMARKS for finding in judged(CORRECT).findings)
    (last,) = found(judged(CORRECT), LastMoves, Defect.LAST_MOVE_ALTERNATIVES)
    assert (last.line, [move.usi for move in last.moves]) == (judged(CORRECT).line, ["1c2c"])


def test_a_cook_says_where_it_leaves_the_line_and_how_long_it_takes() -> None:
    (cook,) = found(judged(COOKED), SecondSolution, Defect.COOK)
    assert (cook.turn, cook.length, cook.late) == (0, 3, 0)
    assert cook.line[0] == cook.check != cook.key == judged(COOKED).line[0]
    assert cook.check is not None
    assert cook.check.usi in naive.mating_moves(COOKED, 3)


def test_later_cooks_say_how_much_later() -> None:
    for sfen, of, n in ((COOKED_LATER, Defect.COOK, 1), (LOOSE, Defect.UNDETERMINED_FORM, 3)):
        cooks = found(judged(sfen), SecondSolution, of)
        assert cooks
        assert {cook.late for cook in cooks} == {2}
        for cook in cooks:
            assert cook.check is not None
            assert cook.check.usi in naive.mating_moves(sfen, n + 2) - naive.mating_moves(sfen, n)


@pytest.mark.parametrize("sfen", [NEEDLESS, NEEDLESS_IN_HAND])
def test_without_a_needless_piece_the_line_is_the_same(sfen: str) -> None:
    judgement = judged(sfen)
    needless = found(judgement, NeedlessPiece, Defect.UNNECESSARY_PIECE)
    for one in needless:
        assert one.smaller is not None
        assert one.line == judgement.line
        assert is_mate(one.smaller, judgement.line)
        assert one.smaller.piece_count() == position(sfen).piece_count() - 1
        smaller = Judge(DfPnEngine(table_bits=16)).judge(one.smaller, judgement.length)
        assert not smaller.defects & ~Defect.UNNECESSARY_PIECE
    assert bool(needless) == (Defect.UNNECESSARY_PIECE in judgement.defects)


def test_needless_pieces_and_hands_left_over_are_shown() -> None:
    (one,) = found(judged(NEEDLESS), NeedlessPiece, Defect.UNNECESSARY_PIECE)
    assert one.piece == position(NEEDLESS).board[one.square if one.square is not None else 0]
    assert one.smaller == position(format_sfen(position(NEEDLESS).with_piece(one.square or 0, None)))
    (left,) = found(judged(NEEDLESS_IN_HAND), LeftInHand, Defect.LEFTOVER)
    assert [kind.name for kind in left.hand] == ["PAWN"]
    (way,) = found(judged(LEAVES), LeftInHand, Defect.LEFTOVER_IN_VARIATION)
    assert len(way.hand) == 1
    assert way.line != judged(LEAVES).line


def test_a_wrong_length_is_shown_with_the_shortest_line() -> None:
    (other,) = found(judged(CORRECT, 7), OtherLength, Defect.WRONG_LENGTH)
    assert (other.expected, other.actual, other.line) == (7, 5, judged(CORRECT).line)


def test_without_a_mate_each_check_has_an_answer_that_refutes_it() -> None:
    (fail,) = found(judged(NO_MATE), AllFail, Defect.NO_MATE)
    assert fail.checks == len(fail.tries) == len(naive.checks(NO_MATE))
    for one in fail.tries:
        board = replayed(position(NO_MATE), (one.check, one.answer))
        assert not naive.mate_within(board, 3)
        assert (one.proof is Proof.NO_CHECK) == (not naive.check_moves(board))


def test_equal_defences_and_detours_have_lines() -> None:
    (equal,) = found(judged(EQUAL), EqualDefence, Defect.EQUAL_DEFENCES)[:1]
    assert len(equal.line) == judged(EQUAL).length
    assert equal.line[equal.turn] == equal.answers[0] != judged(EQUAL).line[equal.turn]
    (detour,) = found(judged(DETOUR), SecondSolution, Defect.DETOUR)
    assert detour.late is not None
    assert detour.late > 0


def test_a_long_mate_in_a_variation_has_a_line() -> None:
    (one,) = found(judged(VARIATION), VariationMate, Defect.VARIATION_COOK)
    assert len(one.line) == judged(VARIATION).length == 5
    assert one.line[: one.turn - 1] == judged(VARIATION).line[: one.turn - 1]
    board = replayed(position(VARIATION), one.line[: one.turn + 1])
    assert naive.mate_within(board, len(one.line) - one.turn - 3)  # the defence is shorter
    mating = naive.Search()
    assert not mating.mates(board, shogi.Move.from_usi(one.line[one.turn + 1].usi), 1)


def test_a_judge_content_with_one_defect_shows_nothing() -> None:
    for sfen in (COOKED, WIDE, CORRECT):
        judgement = Judge(DfPnEngine(table_bits=16), Rigour(first_defect=True)).judge(position(sfen))
        assert (judgement.findings, judgement.readings) == ((), None)


@pytest.mark.parametrize("nodes", [1, 30, 300, 3000])
def test_limits_take_lines_but_add_no_defect(nodes: int) -> None:
    for sfen in (COOKED, LOOSE, WIDE, NO_MATE):
        short = Judge(DfPnEngine(table_bits=16)).judge(position(sfen), None, Limits(nodes=nodes))
        assert short.defects & ~judged(sfen).defects == Defect.NONE
        for finding in short.findings:
            replayed(position(sfen), finding.line)
