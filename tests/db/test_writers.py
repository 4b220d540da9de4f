# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes that write to one store and are killed lose nothing."""

from __future__ import annotations

from pathlib import Path

from tests.db.killed_writers import contest


def test_writers_that_are_killed_lose_nothing(place: str, tmp_path: Path) -> None:
    told = tmp_path / "told"
    told.mkdir()
    outcome = contest(place, 3, 8.0, told)
    assert outcome.faults == []
    assert outcome.kills > 1
    assert outcome.problems > 0
