# SPDX-License-Identifier: GPL-3.0-or-later
"""Composing by local search: what comes of it is correct as far as the margin goes, and needs all it has."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from generator.acceptance.validation import CandidateValidator
from generator.candidate import Candidate
from generator.kernel.traits import ATTACKERS, DEFENDERS, HANDS, KINGS, TRAITS
from generator.likeness.model import LikenessModel
from generator.local_search.sampler import REPAIR_EDITS, PositionSampler, nodes_for_length
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.iterative.engine import IterativeEngine
from solver.judging.minimal import contains_line
from solver.solving.tree import all_turns
from tests.candidates import (
    assert_exact_lengths,
    assert_lines_mate,
    assert_no_second_solution,
    assert_the_slow_twin_agrees,
    root_of,
    shown,
)
from tests.grown import grown
from tests.likely import plain_model, rates, traits_of
from tests.records import assert_sane, in_bytes
from tsume_rules.game import start_faults
from tsume_rules.packed import unpack
from tsume_rules.position import HAND_KINDS

MARGIN = 2
PARTS, STEPS = 4, 60
TRIES = {3: 16, 5: 24, 7: 24}
"""How many starts are tried, by length."""


def sampler(seed: int) -> PositionSampler:
    return PositionSampler(DfPnEngine(table_bits=16), np.array([seed], dtype=np.uint64))


def walked(n: int, seed: int, tries: int, model: LikenessModel) -> Iterator[list[Candidate]]:
    """Starts that were found, each with what walks from it came to."""
    made = sampler(seed)
    for _ in range(tries):
        start = made.draw_start(n, REPAIR_EDITS, model)
        if start is not None:
            yield [start, *made.walks(start, PARTS, STEPS, model)]


@cache
def candidates() -> tuple[Candidate, ...]:
    """Starts and what came of them, of 3, 5 and 7 plies."""
    return tuple(
        candidate
        for n, tries in TRIES.items()
        for walk in walked(n, n, tries, plain_model())
        for candidate in walk
    )


def flat(walks: list[list[Candidate]]) -> list[tuple[bytes, tuple[int, ...]]]:
    return [(in_bytes(candidate.record), candidate.line) for walk in walks for candidate in walk]


# --- what is found ---------------------------------------------------------------------------------


def test_there_are_candidates_of_all_lengths() -> None:
    lengths = [candidate.length for candidate in candidates()]
    assert min(lengths.count(n) for n in TRIES) > 10


def test_a_candidate_mates_in_exactly_its_length() -> None:
    assert_exact_lengths(candidates())


def test_the_slow_twin_finds_the_same_length_and_one_first_move() -> None:
    assert_the_slow_twin_agrees([candidate for candidate in candidates() if candidate.length == 3][:25])


def test_it_is_a_legal_position() -> None:
    for candidate in candidates():
        assert_sane(candidate.record)
        assert start_faults(unpack(candidate.record)) == [], shown(candidate)


def test_its_line_is_legal_and_mates() -> None:
    assert_lines_mate(candidates())


def test_its_line_is_a_best_line() -> None:
    for candidate in candidates():
        assert contains_line(root_of(candidate), candidate.line), shown(candidate)


def test_there_is_no_second_solution_within_the_margin() -> None:
    assert_no_second_solution(candidates(), MARGIN)


def test_nothing_is_left_in_hand_after_any_longest_line() -> None:
    for candidate in candidates():
        assert not any(any(turn.final_leftovers) for turn in all_turns(root_of(candidate))), shown(candidate)


def test_hardly_any_has_a_needless_piece() -> None:
    """Pieces are tried once each, so one may stay that became needless when a later one was taken off."""
    validator = CandidateValidator(DfPnEngine(table_bits=16))
    needless = [
        shown(candidate)
        for candidate in candidates()
        if validator.minimised(candidate.record, candidate.line) != unpack(candidate.record)
    ]
    assert len(needless) <= len(candidates()) / 25, needless


# --- how it is found -------------------------------------------------------------------------------


def test_a_start_that_is_not_found_is_none() -> None:
    alone = np.zeros(TRAITS)  # a king without any other piece
    alone[[KINGS, ATTACKERS, DEFENDERS, *(HANDS + 20 * kind for kind in HAND_KINDS)]] = 1
    assert (
        sampler(1).draw_start(3, REPAIR_EDITS, LikenessModel.of_any_opening(np.zeros(TRAITS), alone)) is None
    )
    found = [sampler(seed).draw_start(5, 0, plain_model()) for seed in range(12)]
    assert None in found


@pytest.mark.parametrize("n", [3, 5])
def test_the_same_state_gives_the_same_results(n: int) -> None:
    """An engine with a full table may run out of nodes elsewhere; a new or emptied one does not."""
    one, again, other = (flat(list(walked(n, seed, 8, plain_model()))) for seed in (5, 5, 6))
    assert one == again
    assert one != other


def test_an_emptied_engine_is_as_a_new_one() -> None:
    engine, state = DfPnEngine(table_bits=16), np.zeros(1, dtype=np.uint64)
    made, found = PositionSampler(engine, state), []
    for seed in (9, 4, 9):
        engine.forget()
        state[0] = seed
        starts = [made.draw_start(3, REPAIR_EDITS, plain_model()) for _ in range(4)]
        found.append(
            flat([[start, *made.walks(start, 2, STEPS, plain_model())] for start in starts if start])
        )
    assert found[0] == found[2] != found[1]


def test_what_was_given_is_not_changed_later() -> None:
    """The kernels work in the same arrays each time."""
    made, then = sampler(2), []
    kept = [start for _ in range(12) if (start := made.draw_start(3, REPAIR_EDITS, plain_model()))]
    then += flat([kept])
    for start in list(kept):
        for candidate in made.walks(start, PARTS, STEPS, plain_model()):
            kept.append(candidate)
            then += flat([[candidate]])
    assert len(kept) > 20
    assert flat([kept]) == then


def test_walks_come_to_other_positions_with_other_pieces_and_lines() -> None:
    walks = list(walked(3, 1, 12, plain_model()))
    for walk in walks:
        assert walk[1:], shown(walk[0])
        families = [candidate.family for candidate in walk[1:]]
        assert families == sorted(set(families))
        assert max(families) < PARTS
    assert len({candidate.line for walk in walks for candidate in walk}) > 2 * len(walks)


def test_a_walk_may_begin_with_a_grown_position() -> None:
    made, reached = sampler(3), 0
    twin = IterativeEngine(table_bits=16)
    for start in grown(3)[:8]:
        before = in_bytes(start.record)
        for candidate in made.walks(start, 2, STEPS, plain_model()):
            assert candidate.length == 3
            assert twin.mates(candidate.record, 3), shown(candidate)
            assert contains_line(root_of(candidate), candidate.line), shown(candidate)
            reached += 1
        assert in_bytes(start.record) == before
    assert reached > 4


def test_no_steps_lead_nowhere() -> None:
    start = grown(3)[0]
    assert list(sampler(1).walks(start, 3, 0, plain_model())) == []
    assert list(sampler(1).walks(start, 0, STEPS, plain_model())) == []


def test_a_walk_goes_on_to_what_the_model_calls_likely() -> None:
    values = np.random.default_rng(1).normal(0, 0.5, TRAITS)
    model = LikenessModel.of_any_opening(values, rates())
    before, after = [], []
    for walk in walked(3, 1, 24, model):
        before.append(float(traits_of(walk[0]) @ values))
        after.append(float(traits_of(walk[-1]) @ values))
    assert len(before) > 8
    assert np.mean(after) > np.mean(before) + 1


def test_longer_problems_have_more_nodes_up_to_a_bound() -> None:
    nodes = [nodes_for_length(n) for n in range(1, 40, 2)]
    assert nodes == sorted(nodes)
    assert nodes[0] > 0
    assert nodes[-1] == nodes[-2]
