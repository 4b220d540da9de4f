# SPDX-License-Identifier: GPL-3.0-or-later
"""Promoted pieces become plain wherever the problem stays correct and its line goes to the same squares."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import islice

import pytest

from generator.acceptance.pipeline import (
    line_destinations,
    plain_kinds,
    positions_with_plain_piece,
    with_plain_pieces,
)
from generator.acceptance.validation import CandidateValidator, judgement_rejection
from generator.constraints.options import ComposingOptions, Style
from generator.constraints.problem import ProblemConstraints
from generator.problem import Problem
from generator.run.roots import compose_roots
from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.judge import Judge, Rigour
from solver.results import Grade
from tsume_rules.game import start_faults
from tsume_rules.moves import Move, parse_move
from tsume_rules.packed import Moves, Record
from tsume_rules.position import HAND_KINDS, IllegalPosition, Kind, Piece, Position, Side
from tsume_rules.sfen import format_sfen, parse_sfen

ROOTS = {3: 18, 5: 24, 7: 2}
ALL = frozenset(HAND_KINDS)


def position_of(board: str, hands: str = "-") -> Position:
    return parse_sfen(f"{board} b {hands} 1").position


def composed(length: int, style: Style, grade: Grade = Grade.PERFECT) -> list[Problem]:
    """Problems of reverse construction: far more of its pieces are promoted than of what is sampled."""
    options = replace(
        ComposingOptions.of(length), style=style, grade=grade, wishes=ProblemConstraints(max_pieces=38)
    )
    results = islice(compose_roots(7, options, "test"), ROOTS[length])
    return [problem for result in results for problem in result.problems]


@cache
def usually(length: int) -> list[Problem]:
    return composed(length, Style.NATURAL)


@pytest.fixture(scope="module")
def natural() -> list[Problem]:
    return [problem for length in ROOTS for problem in usually(length)]


def changes(position: Position) -> list[Position]:
    """The slow twin of `positions_with_plain_piece`: each promoted piece as any plainer kind."""
    found = []
    for sq, piece in enumerate(position.board):
        if piece is None or not piece.kind.is_promoted:
            continue
        kinds = {piece.kind.base} | (set() if piece.kind in (Kind.HORSE, Kind.DRAGON) else {Kind.GOLD})
        for kind in sorted(kinds):
            try:
                changed = position.with_piece(sq, Piece(piece.side, kind))
            except IllegalPosition:
                continue
            if not start_faults(changed):
                found.append(changed)
    return found


def perfect_line(position: Position, length: int) -> tuple[Move, ...] | None:
    """The main line as a judge with an engine of his own gives it, of a perfect problem."""
    found = Judge(DfPnEngine(table_bits=18), Rigour(evidence=False)).judge(position, length)
    good = found.grade is Grade.PERFECT and found.length == length and judgement_rejection(found) is None
    return found.line if good else None


def test_no_promoted_piece_of_a_natural_problem_could_be_plain(natural: list[Problem]) -> None:
    tried = 0
    for problem in natural:
        for changed in changes(problem.position):
            line = perfect_line(changed, problem.length)
            assert line is None or line_destinations(line) != line_destinations(problem.line), format_sfen(
                changed
            )
            tried += 1
    assert tried >= 10


def test_they_stay_perfect(natural: list[Problem]) -> None:
    assert len(natural) > 40
    for problem in natural:
        assert perfect_line(problem.position, problem.length) == problem.line, format_sfen(problem.position)


def test_so_do_sampled_ones() -> None:
    results = islice(compose_roots(7, ComposingOptions.of(3, style=Style.NATURAL), "test"), 60)
    problems = [problem for result in results for problem in result.problems]
    assert len(problems) > 3
    judge = Judge(DfPnEngine(table_bits=20), Rigour(evidence=False))
    for problem in problems:
        found = judge.judge(problem.position, 3)
        assert (found.grade, found.length, found.line) == (Grade.PERFECT, 3, problem.line)
        for changed in changes(problem.position):
            line = perfect_line(changed, 3)
            assert line is None or line_destinations(line) != line_destinations(problem.line), format_sfen(
                changed
            )


def test_free_problems_keep_their_promoted_pieces(natural: list[Problem]) -> None:
    free = [problem for length in ROOTS for problem in composed(length, Style.FREE)]

    def share(problems: list[Problem]) -> float:
        pieces = [piece for problem in problems for piece in problem.position.board]
        return sum(piece is not None and piece.kind.is_promoted for piece in pieces) / len(problems)

    assert share(natural) < 0.6 * share(free)


def test_sound_problems_get_plain_pieces_too() -> None:
    problems = composed(3, Style.NATURAL, Grade.SOUND)
    assert Grade.SOUND in {problem.grade for problem in problems}
    for problem in problems:
        found = Judge(DfPnEngine(table_bits=18), Rigour(evidence=False)).judge(problem.position, 3)
        assert found.grade is problem.grade
        assert found.line == problem.line


def test_where_the_quick_tests_say_too_much_the_judge_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    def credulous(self: CandidateValidator, record: Record, length: int) -> Moves | None:
        return self.line(record, length) if self.mates_in(record, length) else None

    usual = usually(3)
    monkeypatch.setattr(CandidateValidator, "solution", credulous)
    found = composed(3, Style.NATURAL)
    assert len(found) > 0.9 * len(usual)
    for problem in found:
        assert perfect_line(problem.position, 3) == problem.line
        for changed in changes(problem.position):
            line = perfect_line(changed, 3)
            assert line is None or line_destinations(line) != line_destinations(problem.line), format_sfen(
                changed
            )


@pytest.mark.parametrize("kind", list(Kind))
def test_what_is_plainer(kind: Kind) -> None:
    found = plain_kinds(kind)
    assert not any(one.is_promoted for one in found)
    assert bool(found) == kind.is_promoted
    if found:
        assert found[0] is kind.base
        assert (Kind.GOLD in found) == (kind not in (Kind.HORSE, Kind.DRAGON))


def test_each_change_is_the_twins(natural: list[Problem]) -> None:
    for problem in natural:
        found = [changed for _, changed in positions_with_plain_piece(problem.position)]
        assert {format_sfen(one) for one in found} == {format_sfen(one) for one in changes(problem.position)}


def test_where_no_gold_is_left_none_is_used() -> None:
    golds = position_of("k8/9/9/9/4+P4/9/GG7/GG7/9", "2r2b4s4n4l17p")
    assert [
        piece.kind for _, changed in positions_with_plain_piece(golds) if (piece := changed.board[40])
    ] == [Kind.PAWN]


def test_two_pawns_on_a_file_and_pieces_without_moves_are_left_out() -> None:
    position = position_of("k3+L4/4+P4/9/9/4P4/9/9/9/9")
    kinds = [
        piece.kind for sq, changed in positions_with_plain_piece(position) if (piece := changed.board[sq])
    ]
    assert kinds == [Kind.GOLD, Kind.GOLD]


def test_the_defenders_king_must_not_be_in_check() -> None:
    position = position_of("9/4k4/9/4+P+B3/9/9/4+L4/9/9")  # the tokin hides the king from the lance
    found = {
        (sq, piece.kind)
        for sq, changed in positions_with_plain_piece(position)
        if (piece := changed.board[sq])
    }
    assert {kind for sq, kind in found if sq == 39} == {Kind.PAWN, Kind.GOLD}


def test_pieces_are_changed_one_after_the_other_until_none_can_be() -> None:
    position = position_of("k8/9/9/3+p1+S3/9/9/4+R4/9/9")
    line = (parse_move("5g5a+"),)

    def solve(changed: Position) -> tuple[Move, ...] | None:
        """The silver has to stay as it is until the pawn is a plain one."""
        silver, pawn = changed.board[square_of("4d")], changed.board[square_of("6d")]
        assert silver is not None
        assert pawn is not None
        return line if silver.kind is Kind.PROMOTED_SILVER or pawn.kind is Kind.PAWN else None

    plain, found = with_plain_pieces(position, line, solve, ALL)
    assert found == line
    assert format_sfen(plain).split()[0] == "k8/9/9/3p1S3/9/9/4R4/9/9"


def square_of(name: str) -> int:
    return parse_move(f"P*{name}").target


def test_the_line_must_go_to_the_same_squares() -> None:
    position, line = position_of("k8/9/9/9/4+P4/9/9/9/9"), (parse_move("5e5d"),)
    promoted, elsewhere = (parse_move("5e5d+"),), (parse_move("5e5c"),)
    assert with_plain_pieces(position, line, lambda _: elsewhere, ALL) == (position, line)
    plain, found = with_plain_pieces(position, line, lambda _: promoted, ALL)
    assert found == promoted
    assert plain.board[40] == Piece(Side.ATTACKER, Kind.PAWN)


def test_only_kinds_that_are_wished_are_used() -> None:
    position, line = position_of("k8/9/9/9/4+P4/9/9/9/9"), (parse_move("5e5d"),)
    plain, _ = with_plain_pieces(position, line, lambda _: line, ALL - {Kind.PAWN})
    assert plain.board[40] == Piece(Side.ATTACKER, Kind.GOLD)
    assert with_plain_pieces(position, line, lambda _: line, frozenset())[0] == position
