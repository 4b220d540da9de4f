# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/fit likeness` and `scripts/fit choice`: on small files, and on tables of random numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from sklearn.ensemble import HistGradientBoostingClassifier
from threadpoolctl import threadpool_limits

from generator.kernel.traits import TRAITS
from generator.likeness.model import (
    LikenessModel,
    TraitCounter,
    stored_models,
    stored_trees,
    write_models,
    write_trees,
)
from scripts.fit import fit
from scripts.fitting.likeness import Chains, as_trees, grown
from tests.generator.themes.examples import EXAMPLES
from tests.grown import grown as grown_positions
from tests.likely import plain_model, traits_of
from tsume_rules.packed import pack, pack_move

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
    counter = TraitCounter()
    for candidate in grown_positions(3):
        found = counter.traits(candidate.record, candidate.line)
        assert np.array_equal(np.bincount(found, minlength=TRAITS), traits_of(candidate))
        of_line = counter.line_traits(candidate.record, candidate.line)
        assert found[len(found) - len(of_line) :].tolist() == of_line.tolist()


def test_chains_give_problems_once_they_are_old() -> None:
    """Of nine chains one has each age from 0 to 8; five are old enough from the beginning."""
    model = plain_model()
    one, again = [Chains(3, 9, seed).round(model, 2, 30) for seed in (1, 1)]
    assert one
    assert [candidate.line for candidate in one] == [candidate.line for candidate in again]
    assert all(candidate.length == 3 for candidate in one)


def test_young_chains_do_not_count() -> None:
    chains, model = Chains(3, 4, 1), plain_model()
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
    counter = TraitCounter()
    counts = [counter.traits(pack(one.position), tuple(map(pack_move, one.line))) for one in THREES]
    rates = np.bincount(np.concatenate(counts), minlength=TRAITS) / len(THREES)
    assert models[3].rates == pytest.approx(rates, rel=2**-10, abs=6e-6)
    assert np.isfinite(models[3].values).all()


def test_few_chains_are_all_young_at_first(file: Path, tmp_path: Path) -> None:
    run_likeness(file, tmp_path / "values.npz", "--chains", "4")
    assert 3 in stored_models(tmp_path / "values.npz")


def test_every_other_problem_may_be_left_out(file: Path, tmp_path: Path) -> None:
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
    trees = as_trees(model, names, 0.5)
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
    trees = grown(people, composed, [i // 4 for i in range(200)], 0.3)
    assert "AUC 0.9" in capsys.readouterr().out
    assert trees.names == ["always", "pieces"]
    ratios = np.array([trees.log_ratio(one) for one in composed])
    assert np.exp(np.minimum(0, ratios - trees.level)).mean() == pytest.approx(0.3, abs=0.1)
    assert trees.log_ratio({"pieces": 5}) > trees.log_ratio({"pieces": 10}) > trees.log_ratio({"pieces": 15})
