# SPDX-License-Identifier: GPL-3.0-or-later
"""Repairs are correct, near, and found again; a problem spoilt by one change is found."""

from __future__ import annotations

from functools import cache

import pytest

from generator.changes import ChangeKind, changed_position, changes_of
from generator.mending.changed_positions import ChangedPosition, ChangeTester, ReworkedProblem
from generator.mending.mend import Mended, Mender, RepairRequest, _Repairs
from solver.engines.iterative.engine import IterativeEngine
from solver.judging.judge import Judge
from solver.results import Defect, Grade, Limits
from tests import naive
from tsume_rules.position import Position, parse_square
from tsume_rules.sfen import format_sfen, parse_sfen

COOKED = "8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1"
PROBLEMS = {
    "6r1k/6S2/9/7L1/6B2/9/9/9/9 b rb4g3s4n3l18p 1": 3,
    "9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1": 3,
    "8k/6S2/7B1/7L1/9/9/9/9/9 b 2rb4g3s4n3l18p 1": 5,
}


def position(sfen: str) -> Position:
    return parse_sfen(sfen).position


@cache
def mended() -> Mended:
    return Mender().mend(position(COOKED), RepairRequest(), edits=1, most=12)


def test_repairs_are_what_the_judge_calls_correct() -> None:
    judge = Judge(IterativeEngine(table_bits=18))
    assert len(mended().repairs) == 12
    for repair in mended().repairs[:6]:
        judgement = judge.judge(repair.position, None, Limits(nodes=400_000))
        assert judgement.unresolved or judgement.grade is repair.grade, format_sfen(repair.position)
        assert judgement.length == repair.judgement.length


def test_the_slow_twin_finds_the_same_length_and_one_first_move() -> None:
    threes = [repair for repair in mended().repairs if repair.judgement.length == 3]
    assert threes
    for repair in threes[:4]:
        sfen = format_sfen(repair.position)
        assert naive.length(sfen, 3) == 3, sfen
        assert naive.mating_moves(sfen, 3) == {repair.judgement.line[0].usi}, sfen


def test_the_changes_lead_from_the_one_to_the_other() -> None:
    for repair in mended().repairs:
        after: Position | None = position(COOKED)
        for change in repair.changes:
            assert after is not None
            after = changed_position(after, change)
        assert after == repair.position


def test_repairs_that_differ_in_a_detail_are_one() -> None:
    """A rook that keeps the king from leaving may stand on many squares."""
    repairs = mended().repairs
    several = [repair for repair in repairs if repair.alternatives]
    assert several
    for repair in several:
        (change,) = repair.changes
        for alternative in repair.alternatives:
            (other,) = alternative.changes
            assert other.sort is change.sort
            assert other.square == change.square or other.piece == change.piece
    every = [
        (repair.judgement.line, change.sort, change.piece, change.square)
        for repair in repairs
        for change in repair.changes
        if change.sort is not ChangeKind.ADDED
    ]
    assert len(every) == len({*every})


def test_a_position_is_one_repair_however_it_was_reached() -> None:
    first, second, *_ = mended().repairs
    longer = ReworkedProblem((*first.changes, *second.changes), first.position, first.judgement)
    shorter = ReworkedProblem(first.changes, first.position, first.judgement)
    for order in ((longer, shorter), (shorter, longer), (longer, longer)):
        found = _Repairs(())
        for one in order:
            found.add(one)
        (repair,) = found.best(5)
        assert (repair.changes, repair.alternatives) == (min(order, key=_changes).changes, ())


def _changes(repair: ReworkedProblem) -> int:
    return len(repair.changes)


@pytest.mark.parametrize(
    ("sfen", "grade"),
    [
        ("7nl/6+P2/7k1/5R3/9/9/9/9/9 b GSr2b3g3s3n3l17p 1", None),  # the lance is not needed
        ("2kb5/9/s1GG5/9/6b2/9/9/9/9 b RNr2g3s3n4l18p 1", Grade.PERFECT),
    ],
)
def test_what_a_quick_judgement_leaves_open_is_settled_before_it_is_shown(
    sfen: str, grade: Grade | None
) -> None:
    tester = ChangeTester()
    quick = tester.judged_if_correct(ChangedPosition((), position(sfen)), 3 if grade is None else 5)
    assert quick is not None
    assert quick.judgement.unresolved
    settled = tester.settled(quick)
    assert (settled and settled.grade) is grade


def test_no_repair_has_a_piece_that_the_judge_calls_unnecessary() -> None:
    for sfen in (COOKED, "8k/9/6S1P/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l17p 1"):
        for repair in Mender().mend(position(sfen), RepairRequest(), edits=2, most=3).repairs:
            found = Judge(IterativeEngine(table_bits=18)).judge(repair.position, None, Limits(nodes=400_000))
            assert Defect.UNNECESSARY_PIECE not in repair.judgement.blemishes
            assert Defect.UNNECESSARY_PIECE not in found.defects, format_sfen(repair.position)


def test_without_a_repair_the_nearest_position_that_mates_is_shown() -> None:
    keep = frozenset(range(81)) - {parse_square("9i"), parse_square("9h")}
    found = Mender().mend(position(COOKED), RepairRequest(length=11, keep=keep), edits=1)
    assert (found.repairs, found.complete) == ((), True)
    assert found.tried > found.mating > 0
    assert found.nearest is not None
    assert found.nearest.judgement.length is not None
    assert found.nearest.judgement.faults or found.nearest.judgement.length != 11


def test_where_nothing_mates_that_is_known_too() -> None:
    bare = position("4k4/9/9/9/9/9/9/9/9 b P2r2b4g4s4n4l17p 1")
    found = Mender().mend(bare, RepairRequest(keep=frozenset(range(81))), edits=1)
    assert (found.repairs, found.mating, found.nearest) == ((), 0, None)
    assert found.tried > 0


def test_fewer_changes_come_first_then_perfect_ones() -> None:
    found = Mender().mend(position(COOKED), RepairRequest(length=7), edits=2, most=2).repairs
    order = [(len(repair.changes), repair.grade is not Grade.PERFECT) for repair in found]
    assert order == sorted(order)
    assert {repair.judgement.length for repair in found} == {7}


def test_of_perfect_repairs_those_come_first_that_bring_no_promoted_piece() -> None:
    order = [
        any(change.brings_promoted for change in repair.changes)
        for repair in mended().repairs
        if repair.grade is Grade.PERFECT
    ]
    assert order == sorted(order)
    assert not order[0]


def test_the_same_position_gives_the_same_repairs_whatever_came_before() -> None:
    mender = Mender()
    mender.mend(position(next(iter(PROBLEMS))), RepairRequest(), edits=1, most=2)
    again = mender.mend(position(COOKED), RepairRequest(), edits=1, most=12)
    assert [repair.position for repair in again.repairs] == [repair.position for repair in mended().repairs]


def test_kept_squares_are_as_before() -> None:
    keep = frozenset(map(parse_square, ("3b", "2d", "3e", "1a")))
    start = position(COOKED)
    repairs = Mender().mend(start, RepairRequest(keep=keep), edits=1, most=4).repairs
    assert repairs
    assert all(repair.position.board[sq] == start.board[sq] for repair in repairs for sq in keep)


@pytest.mark.parametrize("sfen", PROBLEMS)
def test_a_problem_that_one_change_spoilt_is_found(sfen: str) -> None:
    """With its length and as many repairs as there are, since others may be nearer to what people compose."""
    original = position(sfen)
    spoilt = [after for change, after in changes_of(original) if change.sort is ChangeKind.TAKEN_OFF]
    mender = Mender()
    for start in spoilt[:2]:
        found = mender.mend(start, RepairRequest(length=PROBLEMS[sfen]), edits=1, most=1000)
        every = {repair.position for repair in found.repairs}
        every |= {other.position for repair in found.repairs for other in repair.alternatives}
        assert original in every, format_sfen(start)


def test_the_given_line_comes_first() -> None:
    line = mended().repairs[-1].judgement.line
    first, *_ = Mender().mend(position(COOKED), RepairRequest(line=line), edits=1, most=3).repairs
    assert first.judgement.line == line


def test_a_limit_ends_the_search_and_keeps_what_was_found() -> None:
    found = Mender().mend(position(COOKED), RepairRequest(), edits=3, most=1000, limits=Limits(nodes=300_000))
    assert not found.complete
    assert found.repairs
