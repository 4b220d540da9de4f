# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs leave out what the collection has."""

from __future__ import annotations

from pathlib import Path

import pytest

from db.store import Store
from generator.constraints.options import ComposingOptions, Style
from generator.problem import Problem
from tests.tsume.conftest import Run
from tsume.collection.problems import natural_key_hashes
from tsume.uses.composing import compose

OPTIONS = ComposingOptions.of(3, style=Style.NATURAL)


def composed(seed: int, number: int) -> list[Problem]:
    return [problem for problems in compose(OPTIONS, seed, number) for problem in problems]


def with_collection(monkeypatch: pytest.MonkeyPatch, *problems: Problem) -> None:
    keys = frozenset(key for problem in problems for key in natural_key_hashes(problem))
    monkeypatch.setattr("tsume.uses.composing.collection_keys", lambda: keys)


def test_a_problem_of_the_collection_is_not_composed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with_collection(monkeypatch)
    first, second, third = composed(1, 3)
    with_collection(monkeypatch, second)
    assert [problem.position for problem in composed(1, 2)] == [first.position, third.position]


def test_generate_leaves_out_the_collection(
    tsume: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_collection(monkeypatch)
    first, second = composed(1, 2)
    with_collection(monkeypatch, first)
    place = tmp_path / "run.db"
    assert tsume("generate", "-m", 3, "-n", 1, "--seed", 1, "--db", place).exit_code == 0
    with Store.open(place, create=False) as store:
        assert [one.position for one in store.find()] == [second.position]
