# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawn pictures: mated, of the pieces of one set, on exactly the squares of a pattern."""

from __future__ import annotations

import numpy as np
import pytest

from generator.constraints.options import ComposingOptions
from generator.constraints.position import is_mate
from generator.constraints.problem import ProblemConstraints
from generator.reverse.seeds import PictureSampler
from generator.run.composer import Composer
from generator.themes.predicates import NAMES, patterns_of
from tsume_rules.packed import unpack
from tsume_rules.position import Position, file_of, rank_of, structural_faults


def pattern_of(position: Position) -> frozenset[tuple[int, int]]:
    places = [(9 - file_of(sq), rank_of(sq)) for sq, piece in enumerate(position.board) if piece is not None]
    left, top = min(x for x, _ in places), min(y for _, y in places)
    return frozenset((x - left, y - top) for x, y in places)


@pytest.mark.parametrize("name", ["ト", "C", "E", ".#./###/###/.#.", None])
def test_a_drawn_picture_is_mate_and_draws_it(name: str | None) -> None:
    rng, sampler = np.random.default_rng(4), PictureSampler(np.array([4], dtype=np.uint64))
    drawn = (sampler.draw(name, rng) for _ in range(20))
    found = [unpack(record) for record in drawn if record is not None]
    assert len(found) > 5
    for position in found:
        assert is_mate(position)
        assert not structural_faults(position)
        assert not position.attacker_hand
        assert pattern_of(position) in patterns_of(name)


def test_every_picture_has_patterns() -> None:
    assert all(patterns_of(name) for name in NAMES)
    assert len(patterns_of(None)) == sum(len(patterns_of(name)) for name in NAMES)


def test_a_root_that_is_to_give_pictures_grows_from_them() -> None:
    composer = Composer(
        1, ComposingOptions.of(3, wishes=ProblemConstraints(themes=("picture",), picture="ト")), "test"
    )
    candidates = [candidate for index in range(4) for candidate in composer.candidates(index)]
    assert candidates
    assert all(candidate.shown_themes({"picture"}) for candidate in candidates)
