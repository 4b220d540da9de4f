# SPDX-License-Identifier: GPL-3.0-or-later
"""The growth: each child mates in two plies more, with one solution, by a legal and best line."""

from __future__ import annotations

from functools import cache

import pytest

from generator.candidate import Candidate
from generator.constraints.options import Effort
from generator.kernel.positions import KINDS
from generator.line_keys import line_key
from generator.reverse.extender import FAILED, NODES, OF_CANDIDATE, OPEN, TESTED, MaterialLimits, Stage
from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.minimal import contains_line
from solver.solving.tree import all_turns
from tests import naive
from tests.candidates import (
    assert_exact_lengths,
    assert_lines_mate,
    assert_no_second_solution,
    assert_the_slow_twin_agrees,
    root_of,
    shown,
)
from tests.grown import FEW, extender, generations, grown, mates_in_one
from tests.records import in_bytes
from tsume_rules.kernel.tables import PAWN, ROOK
from tsume_rules.packed import legal_checks, line_played, pack, record_after, unpack, unpack_move
from tsume_rules.position import Kind, Position, Side
from tsume_rules.sfen import format_sfen, parse_sfen

FINAL = "k8/G8/P8/9/9/9/9/9/9 b 2r2b3g4s4n4l17p 1"
MARGIN = FEW.margin


@cache
def candidates() -> tuple[Candidate, ...]:
    """Some candidates of 1, 3, 5 and 7 plies."""
    return tuple(
        candidate
        for seed in (1, 2)
        for population in generations(extender(seed), 10, 7)
        for candidate in population[:: max(1, len(population) // 8)]
    )


# --- what a candidate is ------------------------------------------------------------------------------


def test_a_candidate_mates_in_exactly_its_length() -> None:
    assert_exact_lengths(candidates())
    assert {candidate.length for candidate in candidates()} == {1, 3, 5, 7}


def test_the_slow_twin_finds_the_same_length_and_one_first_move() -> None:
    assert_the_slow_twin_agrees(candidate for candidate in candidates() if candidate.length == 3)


def test_its_line_is_a_best_line() -> None:
    for candidate in candidates():
        assert contains_line(root_of(candidate), candidate.line), shown(candidate)


def test_its_line_is_legal_and_mates() -> None:
    assert_lines_mate(candidates())


def test_there_is_no_second_solution_within_the_margin() -> None:
    assert_no_second_solution((candidate for candidate in candidates() if candidate.length > 1), MARGIN)


def test_nothing_is_left_in_hand_after_any_longest_line() -> None:
    for candidate in candidates():
        for turn in all_turns(root_of(candidate)):
            assert not any(turn.final_leftovers), shown(candidate)
            assert turn.n == 1 or all(len(reply.moves) == 1 for reply in turn.replies), shown(candidate)


def test_its_counts_are_those_of_its_first_turn() -> None:
    for candidate in (candidate for candidate in candidates() if candidate.length > 1):
        others = [check for check in legal_checks(candidate.record) if check != candidate.line[0]]
        engine = DfPnEngine(table_bits=16)
        assert candidate.checks == len(others) + 1
        assert 0 <= candidate.open_checks <= len(others)
        with line_played(candidate.record, candidate.line[:1]):
            assert candidate.defences == len(engine.longest_defences(candidate.record, candidate.length - 1))


def test_its_line_key_is_that_of_its_readable_line() -> None:
    for candidate in candidates():
        assert candidate.line_key == line_key(tuple(unpack_move(move) for move in candidate.line))


def test_a_child_ends_as_its_parent_does() -> None:
    place = extender(3)
    parents = [parent for population in generations(place, 8, 3) for parent in population[:10]]
    grown_of = [(parent, child) for parent in parents for child in place.children(parent)]
    assert grown_of
    for parent, child in grown_of:
        assert (child.line[2:], child.family) == (parent.line, parent.family)
        assert child.length == parent.length + 2
        assert in_bytes(record_after(child.record, child.line[:2])) == in_bytes(parent.record)


# --- the first moves -------------------------------------------------------------------------------


def test_first_moves_mate_at_once_and_leave_nothing() -> None:
    place = extender(1)
    final = pack(parse_sfen(FINAL).position)
    found = place.first_moves(final, 7)
    assert len(found) > 1
    for candidate in found:
        assert (candidate.length, len(candidate.line), candidate.family) == (1, 1, 7)
        assert in_bytes(record_after(candidate.record, candidate.line)) == in_bytes(final)
        assert unpack_move(candidate.line[0]).usi in naive.mating_moves(
            format_sfen(unpack(candidate.record)), 1
        )


def test_a_final_position_is_mate_and_uses_all_the_attacker_has() -> None:
    place = extender(5)
    for _ in range(20):
        final = place.draw_final()
        assert final is not None
        position = unpack(final, Side.DEFENDER)
        assert naive.mated_within(naive.board_of(format_sfen(position)), 0)
        assert not position.attacker_hand


# --- bounds ----------------------------------------------------------------------------------------


BOUNDS = {
    "pieces": MaterialLimits(pieces=5),
    "kinds": MaterialLimits(kinds=KINDS & ~(1 << PAWN) & ~(1 << ROOK)),
    "hand": MaterialLimits(hand=(0,) * 8),
}


def keeps_to(position: Position, bounds: MaterialLimits) -> bool:
    kinds = {piece.kind.base for piece in position.board if piece is not None} | set(position.attacker_hand)
    return (
        position.piece_count() <= bounds.pieces
        and all(bounds.kinds >> kind & 1 for kind in kinds - {Kind.KING})
        and all(position.attacker_hand[kind] <= bounds.hand[kind] for kind in position.attacker_hand)
    )


@pytest.mark.parametrize("name", BOUNDS)
def test_bounds_are_kept_at_every_length(name: str) -> None:
    kept = list(generations(extender(1, bounds=BOUNDS[name]), 20, 5))
    assert all(kept)
    positions = [unpack(candidate.record) for population in kept for candidate in population]
    assert all(keeps_to(position, BOUNDS[name]) for position in positions)
    free = [unpack(candidate.record) for candidate in candidates()]
    assert not all(keeps_to(position, BOUNDS[name]) for position in free)


def test_bounds_can_be_lifted_again() -> None:
    place = extender(1, bounds=MaterialLimits(pieces=1))
    final = pack(parse_sfen(FINAL).position)
    assert place.first_moves(final, 0) == []
    place.keep_to(MaterialLimits())
    assert place.first_moves(final, 0)


def test_a_parent_has_no_more_children_than_asked_for() -> None:
    for effort in (Effort(children=1), Effort(children=3, per_answer=1), Effort(answers=1, per_answer=2)):
        place = extender(1, effort)
        families = [place.children(parent) for parent in mates_in_one(place, 60)]
        most = effort.children + effort.per_answer - 1  # an answer is finished once begun
        assert 0 < max(map(len, families)) <= most
        if effort.answers == 1:
            assert max(map(len, families)) <= effort.per_answer


# --- what stays as it was --------------------------------------------------------------------------


@pytest.mark.parametrize("effort", [Effort(), Effort(nodes=1), Effort(nodes=40), Effort(parent_nodes=1)])
def test_what_things_grow_from_is_left_unchanged(effort: Effort) -> None:
    place = extender(1, effort)
    for candidate in candidates():
        before = in_bytes(candidate.record)
        place.children(candidate)
        assert in_bytes(candidate.record) == before
    final = pack(parse_sfen(FINAL).position)
    before = in_bytes(final)
    place.first_moves(final, 0)
    assert in_bytes(final) == before


def test_a_candidate_outlives_the_next_call() -> None:
    """The growth writes its records to the same place each time."""
    place = extender(1)
    first = mates_in_one(place, 3)
    before = [in_bytes(candidate.record) for candidate in first]
    for candidate in first:
        place.children(candidate)
    assert [in_bytes(candidate.record) for candidate in first] == before


def test_the_same_random_numbers_grow_the_same_children() -> None:
    def made(seed: int) -> list[tuple[bytes, tuple[int, ...]]]:
        return [(in_bytes(candidate.record), candidate.line) for candidate in grown(5, 6, seed)]

    assert made(5) == made(5)
    assert made(5) != made(6)


def test_what_was_seen_is_not_found_again_until_it_is_forgotten() -> None:
    place = extender(1)
    final = pack(parse_sfen(FINAL).position)
    number = len(place.first_moves(final, 0))
    assert number
    assert place.first_moves(final, 0) == []
    place.forget()
    assert len(place.first_moves(final, 0)) == number


# --- what is counted -------------------------------------------------------------------------------


@pytest.mark.parametrize("effort", [FEW, Effort(nodes=3), Effort(nodes=60)])
def test_the_tally_adds_up(effort: Effort) -> None:
    place = extender(1, effort)
    firsts = mates_in_one(place, 12)
    assert not place.tally.any()
    children = [child for parent in firsts for child in place.children(parent)]
    children += [child for parent in children for child in place.children(parent)]
    passed = place.tally[:, TESTED] - place.tally[:, FAILED] - place.tally[:, OPEN]
    tested = place.tally[:, TESTED]
    assert (place.tally >= 0).all()
    assert tested[Stage.ANSWER_LASTS] == passed[Stage.ANSWER_HOLDS]
    assert tested[Stage.OTHER_ANSWERS] <= passed[Stage.ANSWER_LASTS]
    assert tested[Stage.NO_MATE_IN_ONE] == passed[Stage.NEW]
    assert tested[Stage.NO_MATE_IN_THREE] <= passed[Stage.NO_MATE_IN_ONE]
    assert tested[Stage.ONE_KEY] == tested[Stage.NEW] - sum(
        place.tally[stage, FAILED] + place.tally[stage, OPEN]
        for stage in OF_CANDIDATE
        if stage is not Stage.ONE_KEY
    )
    assert passed[Stage.ONE_KEY] == len(children)
    assert place.tally[:, NODES].sum() <= place.engine.nodes


def test_tests_without_nodes_are_unanswered_not_failed() -> None:
    place = extender(1, Effort(nodes=1))
    for candidate in candidates():
        place.children(candidate)
    assert place.tally[:, OPEN].sum() > 0


def test_nodes_bound_each_test() -> None:
    few, many = extender(1, Effort(nodes=20)), extender(1, Effort(nodes=2000))
    for place in (few, many):
        for candidate in candidates():
            place.children(candidate)
    assert few.engine.nodes < many.engine.nodes
    assert few.tally[:, OPEN].sum() > many.tally[:, OPEN].sum()
