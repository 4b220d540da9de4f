# SPDX-License-Identifier: GPL-3.0-or-later
"""Walks that look for themes: what they give shows all of them and is sound."""

from __future__ import annotations

import numpy as np
import pytest

from generator.candidate import Candidate
from generator.likeness.model import model_for_length
from generator.local_search.sampler import REPAIR_EDITS, PositionSampler
from generator.local_search.search import ThemeTarget, walk_towards_themes
from solver.engines.dfpn.engine import DfPnEngine
from tests.candidates import assert_exact_lengths, assert_lines_mate, assert_no_second_solution
from tsume_rules.position import Kind

N = 3


def found(themes: tuple[str, ...], tries: int = 200, parts: int = 20) -> list[Candidate]:
    engine = DfPnEngine(table_bits=16)
    sampler = PositionSampler(engine, np.array([3], dtype=np.uint64))
    target = ThemeTarget(engine, themes)
    model = model_for_length(N).with_any_opening()
    starts = [sampler.draw_start(N, REPAIR_EDITS, model) for _ in range(tries)]
    return [
        candidate
        for start in starts
        if start is not None
        for candidate in walk_towards_themes(sampler, start, target, parts, model)
    ]


@pytest.mark.parametrize("themes", [("sacrifice",), ("sacrifice", "decoy"), ("decoy",)])
def test_all_themes_show_and_the_position_is_sound(themes: tuple[str, ...]) -> None:
    candidates = found(themes, 400)
    assert len(candidates) > 5
    assert all(candidate.shown_themes(themes) == set(themes) for candidate in candidates)
    assert_exact_lengths(candidates[::5])
    assert_lines_mate(candidates[::5])
    assert_no_second_solution(candidates[::5], 2)


def test_a_theme_counts_more_than_what_leads_to_it() -> None:
    target = ThemeTarget(DfPnEngine(table_bits=16), ("chuai", "sacrifice"))
    for candidate in found(("sacrifice",), 100):
        shown = candidate.shown_themes({"chuai", "sacrifice"})
        assert len(shown) * 10 <= target.rank(candidate) < (len(shown) + 1) * 10
        assert (target.rank(candidate) >= target.enough_rank) == (len(shown) == 2)


def test_a_theme_shown_by_another_piece_is_not_promising() -> None:
    target = ThemeTarget(DfPnEngine(table_bits=16), ("sacrifice",), ("sacrifice:G",))
    ranks = [(one.replayed.turns[0].check.kind, target.rank(one)) for one in found(("sacrifice",))]
    assert len({kind for kind, _ in ranks}) > 1
    assert all((rank >= target.promising_rank) == (kind == Kind.GOLD) for kind, rank in ranks)
