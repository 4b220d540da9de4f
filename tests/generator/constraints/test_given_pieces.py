# SPDX-License-Identifier: GPL-3.0-or-later
"""Given final positions and half-made ones: what comes of them has what was given."""

from __future__ import annotations

from functools import reduce

import numpy as np
import pytest

from generator.constraints.options import ComposingOptions, Style
from generator.constraints.position import (
    GivenError,
    fault_of_given_start,
    has_given_pieces,
    is_mate,
    parse_final_position,
)
from generator.constraints.problem import ProblemConstraints
from generator.problem import Problem
from generator.reverse.seeds import MOST, with_pieces_added
from generator.run.composer import Composer
from solver.judging.judge import Judge
from solver.results import Grade
from tests import naive
from tests.grown import extender, mates_in_one
from tsume_rules.moves import position_after
from tsume_rules.packed import unpack, unpack_move
from tsume_rules.position import IllegalPosition, Side, parse_square
from tsume_rules.sfen import SfenError, format_sfen, parse_sfen

HEAD_GOLD = "4k4/4G4/4P4/9/9/9/9/9/9 w - 1"
ROTATED = "9/9/9/9/9/9/4p4/4g4/4K4 b - 1"
HALF = "4k4/4p4/9/3B1B3/9/9/9/9/9 b - 1"


def composed(options: ComposingOptions, roots: int) -> list[Problem]:
    composer = Composer(1, options, "test")
    return [problem for index in range(roots) for problem in composer.root(index).problems]


def test_either_side_may_be_the_mated_one() -> None:
    final = parse_final_position(HEAD_GOLD)
    assert final == parse_final_position(ROTATED) == parse_final_position("4k4/4G4/4P4/9/9/9/9/9/9 w -")
    assert final == parse_final_position(f"sfen {HEAD_GOLD}") == parse_final_position(f"sfen {ROTATED}")
    assert final.king(Side.DEFENDER) is not None


@pytest.mark.parametrize(
    ("sfen", "error"),
    [
        ("4k4/4G4/9/9/9/9/9/9/9 w - 1", GivenError),
        ("4k4/9/4P4/9/9/9/9/9/9 w - 1", GivenError),
        ("4k4/4G4/4P4/9/9/9/9/9/9 w P 1", GivenError),
        ("sfen 4k4/9/4P4/9/9/9/9/9/9 w - 1", GivenError),
        ("sfen 4k4/4G4/4P4/9/9/9/9/9/9 w P 1", GivenError),
        (f"sfen sfen {HEAD_GOLD}", SfenError),
        ("4k4/4G4/4P4/9/9/9/9/9/9 x - 1", SfenError),
        ("nonsense", SfenError),
        ("", SfenError),
        ("sfen", SfenError),
        ("4k4/4G4/4P4/4P4/9/9/9/9/9 w - 1", IllegalPosition),
    ],
)
def test_what_is_no_final_position_is_refused(sfen: str, error: type[ValueError]) -> None:
    with pytest.raises(error):
        parse_final_position(sfen)


def test_the_slow_twin_knows_the_same_mates() -> None:
    for candidate in mates_in_one(extender(3), 10):
        position = unpack(candidate.record)
        end = position_after(position, unpack_move(candidate.line[0]))
        assert is_mate(end)
        assert naive.length(format_sfen(position), 1) == 1
    assert not is_mate(parse_sfen(HALF).position)


def test_company_leaves_what_was_there_and_the_mate() -> None:
    final = parse_final_position(HEAD_GOLD)
    rng = np.random.default_rng(1)
    found = [with_pieces_added(final, rng) for _ in range(60)]
    assert len({position.board for position in found}) > 40
    for position in found:
        assert is_mate(position)
        assert not position.attacker_hand
        assert position.piece_count() <= final.piece_count() + MOST
        assert all(position.board[sq] == piece for sq, piece in enumerate(final.board) if piece is not None)


def test_problems_end_with_the_given_pieces_on_their_squares() -> None:
    final = parse_final_position(HEAD_GOLD)
    found = composed(ComposingOptions.of(3, final=HEAD_GOLD), 60)
    assert len(found) > 2
    pieces = [(sq, piece) for sq, piece in enumerate(final.board) if piece is not None]
    for problem in found:
        mate = reduce(position_after, problem.line, problem.position)
        assert any(all(m.board[sq] == piece for sq, piece in pieces) for m in (mate, mate.mirrored))
        assert Judge().judge(problem.position, 3).grade is Grade.PERFECT


def test_problems_end_in_exactly_the_given_position() -> None:
    place, found = extender(5), 0
    for _ in range(40):
        drawn = place.draw_final()
        assert drawn is not None
        final = unpack(drawn)
        sfen = format_sfen(final).replace(" b ", " w ")
        for problem in composed(ComposingOptions.of(3, final=sfen, exact=True), 1):
            mate = reduce(position_after, problem.line, problem.position)
            assert final.board in (mate.board, mate.mirrored.board)
            found += 1
    assert found


def test_problems_stand_round_the_given_pieces() -> None:
    given = parse_sfen(HALF).position
    fixed = tuple(sq for sq, piece in enumerate(given.board) if piece is not None)
    options = ComposingOptions.of(3, around=HALF, fixed=fixed, style=Style.NATURAL)
    assert options.uses_local_search
    found = composed(options, 12)
    assert found
    for problem in found:
        assert has_given_pieces(options, problem.position, problem.line)
        position = problem.position
        assert any(all(p.board[sq] == given.board[sq] for sq in fixed) for p in (position, position.mirrored))
        assert Judge().judge(position, 3).grade is Grade.PERFECT


def test_what_is_not_as_given_is_told() -> None:
    given = parse_sfen(HALF).position
    options = ComposingOptions(3, around=HALF, fixed=tuple(range(81)))
    assert has_given_pieces(options, given, ())
    assert has_given_pieces(options, given.mirrored, ())
    king = given.king(Side.DEFENDER)
    assert king is not None
    assert not has_given_pieces(options, given.with_piece(king + 3, given.board[king + 1]), ())
    assert has_given_pieces(ComposingOptions(3), given, ())


def test_options_with_what_is_given_are_stored_and_read() -> None:
    for options in (
        ComposingOptions.of(5, final=HEAD_GOLD, exact=True),
        ComposingOptions.of(5, around=HALF, fixed=(1, 2), style=Style.NATURAL),
    ):
        assert ComposingOptions.from_dict(options.to_dict()) == options
    assert ComposingOptions.of(5).pass_of_roots is None
    assert ComposingOptions.of(5, final=HEAD_GOLD).pass_of_roots
    assert ComposingOptions.of(5, starts=(HALF, HALF)).pass_of_roots == 2 * (
        ComposingOptions.of(5, starts=(HALF,)).pass_of_roots or 0
    )


@pytest.mark.parametrize(
    ("sfen", "keep", "wishes", "why"),
    [
        ("4k4/4G4/9/9/9/9/9/9/9 b - 1", "", ProblemConstraints(), "in check"),
        ("4k4/9/3N5/9/9/9/9/9/9 b - 1", "", ProblemConstraints(), "in check"),
        ("4k4/4p4/4R4/9/4R4/9/9/9/9 b - 1", "5a,5b,5c,5e", ProblemConstraints(), None),
        ("4k4/9/4R4/9/9/9/9/9/9 b - 1", "", ProblemConstraints(), None),
        ("4k4/9/4R4/9/9/9/9/9/9 b - 1", "5a,5b,5c", ProblemConstraints(), "in check"),
        ("4k4/4G4/9/9/9/9/9/9/9 b - 1", "5a", ProblemConstraints(), None),
        (HALF, "", ProblemConstraints(region="corner"), "the region corner"),
        (HALF, "6d", ProblemConstraints(region="corner"), None),
        (HALF, "", ProblemConstraints(without="B"), "a kind of piece"),
        (HALF, "5a", ProblemConstraints(without="B"), None),
        (HALF, "", ProblemConstraints(hand="B"), "3 of bishop"),
        (HALF, "", ProblemConstraints(max_pieces=3), "keeps 4 pieces"),
        (HALF, "", ProblemConstraints(max_pieces=4), None),
        (HALF, "5b,6d", ProblemConstraints(max_pieces=2), "keeps 3 pieces"),
        ("4k4/9/4+R4/9/9/9/9/9/9 b - 1", "", ProblemConstraints(no_promoted=True), "a promoted piece"),
        ("4k4/9/4+R4/9/9/9/9/9/9 b - 1", "5a", ProblemConstraints(no_promoted=True), None),
    ],
)
def test_what_can_never_stand_in_a_problem_is_told(
    sfen: str, keep: str, wishes: ProblemConstraints, why: str | None
) -> None:
    given = parse_sfen(sfen).position
    occupied = [square for square, piece in enumerate(given.board) if piece is not None]
    kept = [parse_square(name) for name in keep.split(",") if name]
    fault = fault_of_given_start(given, kept or occupied, wishes)
    assert fault is None if why is None else fault is not None and why in fault
