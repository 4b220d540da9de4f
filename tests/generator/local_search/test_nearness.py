# SPDX-License-Identifier: GPL-3.0-or-later
"""Nearness to a purpose: 1 where a theme of answers has it, less where it has not."""

from __future__ import annotations

from generator.themes import THEMES
from generator.themes.purposes import NEARNESS, LineProbe
from solver.engines.dfpn.engine import DfPnEngine
from tests.generator.local_search.test_theme_walk import found

BY_FEWEST = ("interposition", "moved-interposition", "chuai", "given-interposition")


def test_a_purpose_is_reached_where_nothing_is_in_the_way() -> None:
    engine = DfPnEngine(table_bits=16)
    values = []
    for candidate in [*found(("interposition",), 400), *found(("moved-interposition",), 200)]:
        for tag in candidate.shown_themes(BY_FEWEST):
            probe = LineProbe(engine, candidate.replayed, candidate.readable[1])
            purpose = THEMES[tag].purpose
            assert purpose is not None
            values.append(NEARNESS[tag](probe))
            assert (values[-1] == 1.0) == purpose(probe)
    assert 1.0 in values


def test_every_theme_with_nearness_has_a_purpose() -> None:
    assert all(THEMES[tag].purpose is not None for tag in NEARNESS)
