# SPDX-License-Identifier: GPL-3.0-or-later
"""The biased model: what is wished costs nothing, what is not wished costs."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest

from generator.constraints.options import ComposingOptions, Style
from generator.constraints.problem import ProblemConstraints, count_defenders, has_promoted, key_kinds
from generator.kernel.traits import DEFENDERS, TRAITS
from generator.likeness.model import LikenessModel
from generator.local_search.sampler import AGAINST, biased_model
from generator.run.composer import Composer
from tests.generator.kernel.twins import line_traits, position_traits
from tsume_rules.moves import parse_move
from tsume_rules.position import Position
from tsume_rules.sfen import parse_sfen

FLAT = LikenessModel.of_any_opening(np.zeros(TRAITS), np.ones(TRAITS))
BOARDS = [
    "9/8k/6+S2/6G2/9/9/9/9/9", "7+lk/9/6S2/9/9/9/9/9/9", "5gnkl/6g1p/4R4/4B4/9/9/9/9/9",
    "4k4/9/9/9/9/9/9/9/9", "7nk/5G1ps/7+R1/9/9/9/9/9/9", "7nk/5G1ps/7+r1/9/9/9/9/9/9",
]  # fmt: skip


def position_of(board: str) -> Position:
    return parse_sfen(f"{board} b G 1").position


@pytest.mark.parametrize(
    "wishes",
    [
        ProblemConstraints(),
        ProblemConstraints(defenders=0),
        ProblemConstraints(one_finish=True),
        ProblemConstraints(hand="-"),
        ProblemConstraints(stars=2),
    ],
)
def test_where_no_trait_is_wished_the_model_stays(wishes: ProblemConstraints) -> None:
    assert biased_model(FLAT, wishes, 5) is FLAT


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("fewest", [1, 2, 3, 5])
def test_each_missing_defender_costs(board: str, fewest: int) -> None:
    position, model = position_of(board), biased_model(FLAT, ProblemConstraints(defenders=fewest), 5)
    missing = max(0, fewest - count_defenders(position))
    assert (
        sum(model.values[trait] * n for trait, n in position_traits(position).items()) == -AGAINST * missing
    )


@pytest.mark.parametrize("board", BOARDS)
def test_each_promoted_piece_costs_and_is_not_drawn(board: str) -> None:
    position, model = position_of(board), biased_model(FLAT, ProblemConstraints(no_promoted=True), 5)
    traits = position_traits(position)
    cost = sum(model.values[trait] * n for trait, n in traits.items())
    assert bool(cost < 0) is has_promoted(position)
    assert any(model.rates[trait] == 0 for trait in traits) is has_promoted(position)


@pytest.mark.parametrize("key", ["quiet", "drop", "sacrifice"])
@pytest.mark.parametrize(
    ("sfen", "line"),
    [
        ("9/2b6/kS7/lp7/2P6/9/9/9/9 b GS2rb3g2s4n3l16p 1", "S*8b 9c8c G*9c"),
        ("8S/5R1Bk/5r3/8p/9/9/9/9/9 b b4g3s4n4l17p 1", "2b1c+ 1b1c 4b2b+"),
        ("9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1", "3d2c 1b1a 2c2b"),
        ("7kn/5G3/7G1/9/9/9/9/9/9 b 2r2b2g4s3n4l18p 1", "4b3a"),
        ("8k/6G2/7B1/9/9/9/9/9/9 b G 1", "G*1b"),
        ("7lk/6G2/8S/9/9/9/9/9/9 b G 1", "G*1b 1a1b 3b2b"),
    ],
)
def test_another_first_move_costs(key: str, sfen: str, line: str) -> None:
    """In lines of up to three moves the traits tell just what is wished."""
    position, moves = parse_sfen(sfen).position, tuple(map(parse_move, line.split()))
    model, traits = biased_model(FLAT, ProblemConstraints(key=key), len(moves)), line_traits(position, moves)
    cost = sum(model.values[trait] * n for trait, n in traits.items())
    begun = sum(model.opening[trait] * n for trait, n in traits.items())
    is_wished = key in key_kinds(position, moves)
    assert (bool(cost == 0), bool(begun == 0)) == (is_wished, is_wished)


def test_a_number_that_people_never_have_is_drawn_if_wished() -> None:
    rates = np.zeros(TRAITS)
    rates[DEFENDERS + 2] = 1.0
    model = biased_model(
        LikenessModel.of_any_opening(np.zeros(TRAITS), rates), ProblemConstraints(defenders=9), 5
    )
    assert np.flatnonzero(model.rates[DEFENDERS : DEFENDERS + 40]).tolist() == [9]


def test_problems_are_as_wished_and_the_style_stays() -> None:
    wishes = ProblemConstraints(no_promoted=True, defenders=2, one_finish=True)
    options = ComposingOptions.of(3, wishes=wishes, style=Style.NATURAL)
    assert options.uses_local_search
    composer = Composer(1, options, "test")
    problems = next(found for index in count() if (found := composer.root(index).problems))
    assert all(wishes.allow(problem) for problem in problems)
    assert Composer(1, options, "test").root(problems[0].provenance.index).problems == problems  # type: ignore[union-attr]
