# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/fit difficulty --results`: ratings of problems by results, and the fit to them."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from scripts.fit import fit
from scripts.fitting.difficulty import LEAST_PLAYS, LEAST_PROBLEMS, read_played_problems
from solver.scoring.difficulty import WEIGHTS
from tests.generator.themes.examples import EXAMPLES

PERSONS = {f"person {n}": 1000.0 + 50 * n for n in range(21)}
Row = dict[str, Any]


def results_of(ratings: dict[str, float], seed: int = 1) -> list[Row]:
    """Each person has tried each problem once."""
    random = Random(seed)
    return [
        {
            "solved": "2026-01-01T00:00:00.000Z", "problem": 1, "sfen": sfen, "moves": 3, "seconds": 9,
            "mistakes": int(random.random() > 1 / (1 + 10 ** ((rating - strength) / 400))), "hints": 0,
            "person": person, "mode": "training", "success": True, "rated": True, "rating": 1500,
        }
        for sfen, rating in ratings.items()
        for person, strength in PERSONS.items()
    ]  # fmt: skip


def as_jsonl(path: Path, rows: list[Row]) -> str:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return str(path)


def as_csv(path: Path, rows: list[Row]) -> str:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows({**row, "success": "true", "rated": str(row["rated"]).lower()} for row in rows)
    return str(path)


def run(*options: str) -> Result:
    return CliRunner().invoke(fit, ["difficulty", *options], catch_exceptions=False)


def test_results_show_the_ratings_of_problems(tmp_path: Path) -> None:
    ratings = {f"{number} b - 1": 1000.0 + 20 * number for number in range(50)}
    rows = results_of(ratings)
    found = read_played_problems([as_jsonl(tmp_path / "results.jsonl", rows)])
    assert read_played_problems([as_csv(tmp_path / "results.csv", rows)]) == found
    assert {one.plays for one in found} == {len(PERSONS)}
    errors = np.array([one.rating - ratings[one.sfen] for one in found])
    assert np.sqrt((errors**2).mean()) < 150
    assert np.corrcoef([one.rating for one in found], list(ratings.values()))[0, 1] > 0.9


def test_results_that_are_not_rated_do_not_count(tmp_path: Path) -> None:
    rows = results_of({f"{number} b - 1": 1500.0 for number in range(LEAST_PROBLEMS)})
    again = [{**row, "rated": False, "mistakes": 9} for row in rows]
    found = read_played_problems([as_jsonl(tmp_path / "a", rows)])
    assert read_played_problems([as_jsonl(tmp_path / "b", rows + again)]) == found


@pytest.mark.parametrize(("problems", "plays"), [(0, 0), (LEAST_PROBLEMS - 1, 21), (99, LEAST_PLAYS - 1)])
def test_few_results_are_refused(tmp_path: Path, problems: int, plays: int) -> None:
    rows = results_of({f"{number} b - 1": 1500.0 for number in range(problems)})
    some = [row for row in rows if row["person"] in list(PERSONS)[:plays]]
    done = run("--results", as_jsonl(tmp_path / "results", some))
    assert done.exit_code == 1
    enough = problems if plays >= LEAST_PLAYS else 0
    assert f"{len(some)} rated results are too few: {enough} problems" in done.output


@pytest.mark.parametrize("text", ["solved,problem,sfen\na,1,b\n", '{"sfen": "x"}\n', "{\n"])
def test_what_is_no_export_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "results"
    path.write_text(text, encoding="utf-8")
    done = run("--results", str(path))
    assert done.exit_code == 1
    assert str(path) in done.output


def test_levels_or_results_are_needed(tmp_path: Path) -> None:
    path = as_jsonl(tmp_path / "results", [])
    for options in ((), ("--levels", path), ("--levels", path, "--published", path, "--results", path)):
        assert run(*options).exit_code == 2


def test_difficulty_is_fitted_on_results(tmp_path: Path) -> None:
    short = sorted({one.sfen for one in EXAMPLES if len(one.line) <= 5})[:LEAST_PROBLEMS]
    ratings = {sfen: 1000.0 + 30 * number for number, sfen in enumerate(short)}
    done = run("--results", as_csv(tmp_path / "results.csv", results_of(ratings)))
    assert done.exit_code == 0
    assert f"{len(short)} works with levels or ratings" in done.output
    for line in ("weights in force ", "fitted ", "fitted without the work"):
        assert line in done.output
    assert all(name in done.output for name in WEIGHTS)
    assert "quintiles" not in done.output
