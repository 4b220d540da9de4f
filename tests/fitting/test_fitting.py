# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of `scripts/fit`: files, regressions, agreement of orders, and the commands on small files."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from sklearn.ensemble import HistGradientBoostingClassifier
from threadpoolctl import threadpool_limits

from generator.kernel.traits import TRAITS
from generator.likeness import (
    LikenessModel,
    stored_models,
    stored_trees,
    traits_of_line,
    traits_of_problem,
    write_models,
    write_trees,
)
from generator.quality import HEURISTIC_POINTS, TRAIT_POINTS
from scripts.fit import fit
from scripts.fitting import fit_equal_weights, fit_logit_weights
from scripts.fitting.difficulty import MIN_PLAYS, MIN_PROBLEMS, read_played_problems
from scripts.fitting.likeness import SamplingChains, boosted_trees, fit_trees
from scripts.fitting.quality import FAULTS, MIN_UNIT, NAMES, FitData, ProblemSample, fit_points
from scripts.measuring import auc, gamma_within, read_published
from solver.scoring.difficulty import WEIGHTS
from tests.candidates import grown as grown_positions
from tests.candidates import plain_model, traits_of
from tests.generator.themes.examples import EXAMPLES
from tsume_rules.packed import pack, pack_move

SFEN = "9/8k/6+N2/9/6N2/9/9/9/9 b 2r2b4g4s2n4l18p 1"
LINE = "3e2c+ 1b1a 2c2b"
FIVE = "9/7Lk/6+N2/9/8N/9/9/9/9 b 2r2b4g4s2n3l18p 1\t1e2c+ 1b1a 2b2a+ 1a2a 2c2b"


def test_problems_are_read_with_a_tab_or_with_moves(tmp_path: Path) -> None:
    file = tmp_path / "problems"
    file.write_text(f"# a comment\n{SFEN}\t{LINE}\t7\tx\n\n{SFEN} moves {LINE}\n", encoding="utf-8")
    one, other = read_published([file])
    assert (one.position, one.line) == (other.position, other.line)
    assert len(one.moves) == 3
    assert (one.columns, other.columns) == (("7", "x"), ())


def test_agreement_of_orders() -> None:
    assert auc(np.array([2.0, 3.0]), np.array([1.0, 2.0])) == 0.875
    groups = np.array([1, 1, 2, 2, 2])
    levels = np.array([1.0, 2.0, 1.0, 2.0, 2.0])
    assert gamma_within(levels, levels, groups) == 1
    assert gamma_within(-levels, levels, groups) == -1
    assert gamma_within(np.array([1.0, 2.0, 5.0, 3.0, 5.0]), levels, groups) == 0


def test_equal_weights_count_no_length_twice() -> None:
    random = np.random.default_rng(1)
    lengths = random.choice([3.0, 5.0, 7.0, 9.0], 400)
    # the second grows with the length and varies ten times as much; the third is the length over again
    rows = np.stack([random.normal(size=400), 4 * lengths + 10 * random.normal(size=400), 2 * lengths], axis=1)
    own, one, wide, nothing = fit_equal_weights(rows, lengths, 3 * lengths + rows[:, 0] + 0.1 * rows[:, 1])
    assert (one, wide, nothing) == pytest.approx((1, 0.1, 0), abs=0.1)
    assert own == pytest.approx(3, abs=0.1)
    assert fit_equal_weights(rows, lengths, -rows[:, 0])[1:].tolist() == [0, 0, 0]


def test_a_logit_keeps_to_its_bounds_and_to_its_prior() -> None:
    random = np.random.default_rng(2)
    rows = random.normal(size=(2000, 3))
    good = (random.random(2000) < 1 / (1 + np.exp(-rows @ np.array([1.0, -1.0, 0.0])))).astype(float)
    bounds = (np.array([-9.0, 0.0, -9.0]), np.array([9.0, 9.0, 9.0]))
    found = fit_logit_weights(rows, good, np.ones(2000), np.array([1.0, 1.0, 1e6]), np.array([0.0, 0.0, 0.5]), bounds)
    assert found[0] == pytest.approx(0.9, abs=0.3)
    assert found[1] == 0
    assert found[2] == pytest.approx(0.5, abs=0.01)


def _sample(random: np.random.Generator, shift: float, name: str) -> ProblemSample:
    rows = random.random((60, len(NAMES)))
    rows[:, NAMES.index(name)] += shift
    return ProblemSample(rows, np.full(60, 5))


def test_points_reward_what_parts_the_better_problems() -> None:
    random = np.random.default_rng(3)
    bare, routine = _sample(random, 0, "hand"), _sample(random, 0, "hand")
    material = FitData(_sample(random, 3, "hand"), bare, _sample(random, 3, "open_squares"), routine)
    points = fit_points(material)
    value = dict(zip(NAMES, points.points.tolist(), strict=True))
    assert set(value) == {*HEURISTIC_POINTS, *TRAIT_POINTS}
    assert value["hand"] == max(value[name] for name in TRAIT_POINTS if name != "open_squares")
    assert all((value[name] < 0) == (name in FAULTS) for name in NAMES)
    assert min(abs(number) for number in value.values()) > MIN_UNIT / 2
    assert points.of(material.published).mean() == pytest.approx(50, abs=0.5)


def test_the_commands_report_what_they_fitted(tmp_path: Path) -> None:
    names = [tmp_path / name for name in ("one", "other")]
    texts = [f"{example.sfen}\t{example.moves}\n" for example in EXAMPLES if len(example.line) == 7]
    names[0].write_text("".join(texts), encoding="utf-8")
    names[1].write_text("".join(texts[::2]), encoding="utf-8")
    options = ("--published", names[0], "--bare", names[1], "--awarded", names[0], "--routine", names[1])
    done = CliRunner().invoke(fit, ["quality", *map(str, options)], catch_exceptions=False)
    assert all(name in done.output for name in (*HEURISTIC_POINTS, *TRAIT_POINTS))
    assert "fitted, on other data 7 plies 0." in done.output


def test_difficulty_is_fitted_on_levels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scripts.fitting.difficulty.SCALE", ((3, 30.0), (5, 40.0)))
    file = tmp_path / "levels"
    file.write_text(f"{SFEN}\t{LINE}\t2\n{FIVE}\t5\n" * 2, encoding="utf-8")
    options = ["--levels", str(file), "--published", str(file)]
    done = CliRunner().invoke(fit, ["difficulty", *options], catch_exceptions=False)
    assert "4 works with levels" in done.output
    assert all(name in done.output for name in WEIGHTS)
    assert " 5 plies,    2 problems: 40." in done.output


# --- `scripts/fit likeness` and `scripts/fit choice` -----------------------------------------------

THREES = [example for example in EXAMPLES if len(example.line) == 3]


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Small tables take longer with several."""
    with threadpool_limits(1):
        yield


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Problems of three moves, and one of another length."""
    path = tmp_path / "problems"
    longer = next(example for example in EXAMPLES if len(example.line) == 7)
    texts = [f"{example.sfen}\t{example.moves}\n" for example in (*THREES, longer)]
    path.write_text("".join(texts), encoding="utf-8")
    return path


# --- the model -------------------------------------------------------------------------------------
def test_traits_are_counted_for_positions_and_their_lines() -> None:
    for candidate in grown_positions(3):
        found = traits_of_problem(candidate.packed, candidate.line)
        assert np.array_equal(np.bincount(found, minlength=TRAITS), traits_of(candidate))
        of_line = traits_of_line(candidate.packed, candidate.line)
        assert found[len(found) - len(of_line) :].tolist() == of_line.tolist()


def test_chains_give_problems_once_they_are_old() -> None:
    """Of nine chains one has each age from 0 to 8; five are old enough from the beginning."""
    model = plain_model()
    one, again = [SamplingChains(3, 9, seed).round(model, 2, 30) for seed in (1, 1)]
    assert one
    assert [candidate.line for candidate in one] == [candidate.line for candidate in again]
    assert all(candidate.length == 3 for candidate in one)
    chains, model = SamplingChains(3, 4, 1), plain_model()
    assert chains.round(model, 2, 30) == []
    assert any(chains.round(model, 2, 30) for _ in range(4))


def run_likeness(file: Path, output: Path, *options: str) -> str:
    asked = ["likeness", str(file), "-m", "3", "-o", str(output), "--minutes", "0.02", "--steps", "20"]
    done = CliRunner().invoke(fit, [*asked, *options], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def test_a_model_is_fitted_to_a_file(file: Path, tmp_path: Path) -> None:
    output, begin = tmp_path / "values.npz", LikenessModel.of_any_opening(np.zeros(TRAITS), np.zeros(TRAITS))
    write_models({5: begin}, output)
    said = run_likeness(file, output, "--chains", "9")
    assert f"{len(THREES)} published problems of 3 moves" in said
    models = stored_models(output)
    assert set(models) == {3, 5}
    assert not models[5].values.any()
    counts = [traits_of_problem(pack(one.position), tuple(map(pack_move, one.line))) for one in THREES]
    rates = np.bincount(np.concatenate(counts), minlength=TRAITS) / len(THREES)
    assert models[3].rates == pytest.approx(rates, rel=2**-10, abs=6e-6)
    assert np.isfinite(models[3].values).all()


def test_few_chains_are_all_young_and_problems_may_be_left_out(file: Path, tmp_path: Path) -> None:
    run_likeness(file, tmp_path / "values.npz", "--chains", "4")
    assert 3 in stored_models(tmp_path / "values.npz")
    said = run_likeness(file, tmp_path / "values.npz", "--chains", "4", "--half", "1")
    assert f"{len(THREES) // 2} published problems of 3 moves" in said


@pytest.mark.parametrize("command", ["likeness", "choice"])
def test_there_must_be_problems_of_the_length(command: str, file: Path, tmp_path: Path) -> None:
    asked = [command, str(file), "-m", "9", "-o", str(tmp_path / "none.npz")]
    done = CliRunner().invoke(fit, asked)
    assert done.exit_code == 1
    assert "no problems of 9 moves" in done.output
    assert not (tmp_path / "none.npz").exists()


# --- the trees -------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", [1, 2])
def test_exported_trees_are_the_classifier(seed: int, tmp_path: Path) -> None:
    random = np.random.default_rng(seed)
    names = [f"feature {i}" for i in range(6)]
    table = np.column_stack([random.integers(0, 4, (300, 3)), random.normal(size=(300, 3)).round(2)])
    labels = (table[:, 0] + table[:, 3] + random.normal(size=300) > 1.5).astype(int)
    model = HistGradientBoostingClassifier(max_iter=20, max_leaf_nodes=5, random_state=seed)
    model.fit(table, labels)
    trees = boosted_trees(model, names, 0.5)
    write_trees({3: trees}, tmp_path / "trees.npz")
    other = np.column_stack([random.integers(0, 4, (200, 3)), random.normal(size=(200, 3)).round(2)])
    expected = model.decision_function(other)
    for one in (trees, stored_trees(tmp_path / "trees.npz")[3]):
        found = [one.log_ratio(dict(zip(names, row.tolist(), strict=True))) for row in other]
        assert found == pytest.approx(expected, abs=1e-4)


def test_trees_are_grown_to_take_a_share(capsys: pytest.CaptureFixture[str]) -> None:
    random = np.random.default_rng(4)
    people = [{"pieces": float(n), "always": 1.0} for n in random.integers(4, 12, 150)]
    composed = [{"pieces": float(n), "always": 1.0} for n in random.integers(8, 16, 200)]
    composed[0]["rare"] = 1.0
    trees = fit_trees(people, composed, [i // 4 for i in range(200)], 0.3)
    assert "AUC 0.9" in capsys.readouterr().out
    assert trees.names == ["always", "pieces"]
    ratios = np.array([trees.log_ratio(one) for one in composed])
    assert np.exp(np.minimum(0, ratios - trees.level)).mean() == pytest.approx(0.3, abs=0.1)
    assert trees.log_ratio({"pieces": 5}) > trees.log_ratio({"pieces": 10}) > trees.log_ratio({"pieces": 15})


# --- `scripts/fit difficulty --results`: ratings of problems by results, and the fit to them -------

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
    rows = results_of({f"{number} b - 1": 1500.0 for number in range(MIN_PROBLEMS)})
    again = [{**row, "rated": False, "mistakes": 9} for row in rows]
    found = read_played_problems([as_jsonl(tmp_path / "a", rows)])
    assert read_played_problems([as_jsonl(tmp_path / "b", rows + again)]) == found


def test_few_results_are_refused(tmp_path: Path) -> None:
    for problems, plays in ((0, 0), (MIN_PROBLEMS - 1, 21), (99, MIN_PLAYS - 1)):
        rows = results_of({f"{number} b - 1": 1500.0 for number in range(problems)})
        some = [row for row in rows if row["person"] in list(PERSONS)[:plays]]
        done = run("--results", as_jsonl(tmp_path / "results", some))
        assert done.exit_code == 1
        enough = problems if plays >= MIN_PLAYS else 0
        assert f"{len(some)} rated results are too few: {enough} problems" in done.output
    path = tmp_path / "export"
    for text in ("solved,problem,sfen\na,1,b\n", '{"sfen": "x"}\n', "{\n"):
        path.write_text(text, encoding="utf-8")
        done = run("--results", str(path))
        assert done.exit_code == 1
        assert str(path) in done.output
    empty = as_jsonl(tmp_path / "results", [])
    for options in ((), ("--levels", empty), ("--levels", empty, "--published", empty, "--results", empty)):
        assert run(*options).exit_code == 2


def test_difficulty_is_fitted_on_results(tmp_path: Path) -> None:
    short = sorted({one.sfen for one in EXAMPLES if len(one.line) <= 5})[:MIN_PROBLEMS]
    ratings = {sfen: 1000.0 + 30 * number for number, sfen in enumerate(short)}
    done = run("--results", as_csv(tmp_path / "results.csv", results_of(ratings)))
    assert done.exit_code == 0
    assert f"{len(short)} works with levels or ratings" in done.output
    for line in ("weights in force ", "fitted ", "fitted without its length"):
        assert line in done.output
    assert all(name in done.output for name in WEIGHTS)
    assert "quintiles" not in done.output
