"""Walks that look for themes: what they give shows all of them and is sound."""

from __future__ import annotations

import numpy as np
import pytest

from generator.candidate import Sprout
from generator.likeness.model import model_of
from generator.local_search.sampler import SEEK, Sketcher
from generator.local_search.theme_walk import Lookout, themed
from solver.engines.dfpn.engine import DfPnEngine
from tests.sprouts import assert_exact_lengths, assert_lines_mate, assert_no_second_solution

N = 3


def found(themes: tuple[str, ...], tries: int = 200, parts: int = 20) -> list[Sprout]:
    sketcher = Sketcher(DfPnEngine(table_bits=16), np.array([3], dtype=np.uint64))
    model = model_of(N).with_any_opening()
    starts = [sketcher.start(N, SEEK, model) for _ in range(tries)]
    return [
        sprout
        for start in starts
        if start is not None
        for sprout in themed(sketcher, start, themes, parts, model)
    ]


@pytest.mark.parametrize("themes", [("sacrifice",), ("sacrifice", "decoy"), ("decoy",)])
def test_all_themes_show_and_the_position_is_sound(themes: tuple[str, ...]) -> None:
    sprouts = found(themes)
    assert len(sprouts) > 5
    assert all(sprout.shown(themes) == set(themes) for sprout in sprouts)
    assert_exact_lengths(sprouts[::5])
    assert_lines_mate(sprouts[::5])
    assert_no_second_solution(sprouts[::5], 2)


def test_a_theme_counts_more_than_what_leads_to_it() -> None:
    lookout = Lookout(("chuai", "sacrifice"))
    for sprout in found(("sacrifice",), 100):
        shown = sprout.shown({"chuai", "sacrifice"})
        assert len(shown) * 10 <= lookout.rank(sprout) < (len(shown) + 1) * 10
        assert (lookout.rank(sprout) >= lookout.enough) == (len(shown) == 2)
