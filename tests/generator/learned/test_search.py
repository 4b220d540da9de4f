# SPDX-License-Identifier: GPL-3.0-or-later
"""What a root asks of the network, and the walk that follows."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest

from generator.constraints.options import ComposingOptions, Style, WalkOptions
from generator.constraints.position import PositionConstraints, position_constraints
from generator.constraints.problem import ProblemConstraints
from generator.kernel.traits import DEFENDERS, PIECES
from generator.learned.network import LearnedSampler, stored_conditions, stored_network
from generator.learned.search import (
    CONDITIONS,
    SOUND,
    asked_counts,
    conditions_of,
    has_line_conditions,
    theme_conditions,
)
from generator.likeness.model import model_for_length
from generator.local_search.sampler import PositionSampler, biased_to_counts
from generator.run.composer import Composer
from generator.themes import THEMES
from solver.engines.dfpn.engine import DfPnEngine
from tests.naive import length as naive_length
from tsume_rules.moves import parse_move
from tsume_rules.packed import pack, unpack
from tsume_rules.position import Side
from tsume_rules.sfen import format_sfen, parse_sfen

SACRIFICE = "6Gnl/6pkp/9/7S1/9/9/9/9/9 b GS2r2b2g2s3n3l16p 1"


def test_conditions_count_what_a_problem_has() -> None:
    position = parse_sfen(SACRIFICE).position
    line = tuple(parse_move(usi) for usi in ("S*3c", "2a3c", "G*2a"))
    starts = np.cumsum([0, *(condition.values for condition in CONDITIONS)])
    conditions = conditions_of(position, line)
    counted = np.array(conditions[: len(CONDITIONS)]) - starts[:-1]
    found = dict(zip((one.name for one in CONDITIONS), counted, strict=True))
    assert found["defenders"] == 4
    assert found["pieces"] == 9 - CONDITIONS[1].least
    assert found["checking pieces captured at once"] == 1
    assert found["answers not by the king"] == 1
    assert found["checks that capture"] == 0
    assert found["sort of the first check"] == 0  # a drop
    assert found["sort of the last check"] == 0  # a gold is dropped
    assert found["two last moves"] == 0
    assert set(theme_conditions(["sacrifice", "decoy"])) < set(conditions)
    assert SOUND in conditions
    assert SOUND not in conditions_of(position, line, sound=False)
    assert asked_counts(conditions_of(position, line)) == (4, 9)


@pytest.mark.parametrize("length", [3, 5, 7, 9])
def test_published_conditions_are_known_for_each_length(length: int) -> None:
    stored = stored_conditions(length)
    assert len(stored) > 100
    counts = np.array([asked_counts(one) for one in stored])
    assert 2.5 < counts[:, 0].mean() < 5
    assert 7 < counts[:, 1].mean() < 12


def test_a_model_biased_to_counts_costs_each_piece_too_many_or_too_few() -> None:
    model = model_for_length(5)
    lost = model.values - biased_to_counts(model, 3, 8).values
    assert np.allclose(lost[DEFENDERS : DEFENDERS + 6], [6, 4, 2, 0, 2, 4])
    assert np.allclose(lost[PIECES + 6 : PIECES + 11], [4, 2, 0, 2, 4])
    assert np.count_nonzero(lost) == 39 + 40


def test_positions_are_drawn_until_one_mates_in_time() -> None:
    """Every position that the sampler returns mates in exactly so many plies."""
    state = np.array([3], dtype=np.uint64)
    sampler = LearnedSampler(DfPnEngine(table_bits=16), state, stored_network())
    for _ in range(8):
        record, number = sampler.draw(3, 5_000, 1_000, stored_conditions(3)[0])
        assert record is not None
        assert 1 <= number <= 5_000
        assert naive_length(format_sfen(unpack(record, Side.ATTACKER)), 3) == 3


def test_a_line_is_of_the_kind_asked_for_if_it_has_the_same_features() -> None:
    position = parse_sfen(SACRIFICE).position
    line = tuple(parse_move(usi) for usi in ("S*3c", "2a3c", "G*2a"))
    asked = list(conditions_of(position, line))
    assert has_line_conditions(asked, position, line)
    asked[3] += 1  # one more piece captured at once
    assert has_line_conditions(asked, position, line)
    asked[3] -= 2
    assert not has_line_conditions(asked, position, line)


def test_a_position_has_a_line_even_with_second_solutions() -> None:
    """A line as long as the mate, if nothing is left in the hand at its end."""
    engine, length = DfPnEngine(table_bits=16), 3
    sampler = PositionSampler(engine, np.array([1], dtype=np.uint64))
    two_keys = "7nl/7k1/9/6G2/9/9/9/9/9 b 2G2r2bg4s3n3l18p 1"
    assert naive_length(two_keys, length) == length
    found = sampler.with_line(pack(parse_sfen(two_keys).position), length, 10_000)
    assert found is not None
    assert len(found.line) == length
    spare = "7nl/7k1/9/6G2/9/9/9/9/9 b 2GP2r2bg4s3n3l17p 1"
    assert naive_length(spare, length) == length
    assert sampler.with_line(pack(parse_sfen(spare).position), length, 10_000) is None


def test_themes_are_asked_of_the_network() -> None:
    options = ComposingOptions.of(5, style=Style.NATURAL, wishes=ProblemConstraints(themes=("sacrifice",)))
    assert options.uses_network
    problems = next(
        found for index in count() if (found := Composer(3, options, "test").root(index).problems)
    )
    assert all("sacrifice" in problem.themes for problem in problems)


@pytest.mark.parametrize("theme", [name for name in THEMES if name != "picture"])
def test_themes_that_constrain_positions_are_left_to_the_walk_that_meets_them(theme: str) -> None:
    options = ComposingOptions.of(5, style=Style.NATURAL, wishes=ProblemConstraints(themes=(theme,)))
    assert options.uses_local_search
    assert options.uses_network is (position_constraints(options) == PositionConstraints())


def test_a_root_gives_the_same_problems_again() -> None:
    options = ComposingOptions.of(3, style=Style.NATURAL)
    assert options.uses_network
    index, found = next(
        (index, found) for index in count() if (found := Composer(2, options, "test").root(index).problems)
    )
    assert Composer(2, options, "test").root(index).problems == found
    assert all(problem.length == 3 for problem in found)


@pytest.mark.parametrize(
    "options",
    [
        ComposingOptions.of(3),
        ComposingOptions.of(11, style=Style.NATURAL),
        ComposingOptions.of(3, style=Style.NATURAL, wishes=ProblemConstraints(max_pieces=6)),
        ComposingOptions.of(3, style=Style.NATURAL, wishes=ProblemConstraints(defenders=2)),
        WalkOptions.of(3, style=Style.NATURAL),
    ],
)
def test_restricted_problems_are_composed_without_the_network(options: ComposingOptions) -> None:
    assert not options.uses_network


def test_without_the_network_walks_are_as_long_as_from_other_draws() -> None:
    walked = WalkOptions.of(3, style=Style.NATURAL)
    restricted = ComposingOptions.of(3, style=Style.NATURAL, wishes=ProblemConstraints(defenders=2))
    assert walked.uses_local_search
    assert (walked.unseen, walked.kept, walked.steps) == (
        restricted.unseen,
        restricted.kept,
        restricted.steps,
    )
