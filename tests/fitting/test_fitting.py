# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of `scripts/fit`: files, regressions, agreement of orders, and the commands on small files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from generator.quality import HEURISTIC_POINTS, TRAIT_POINTS
from scripts.fit import fit
from scripts.fitting.quality import FAULTS, LEAST, NAMES, Material, Sample, fitted
from scripts.fitting.shared import linear, logit
from scripts.measuring.shared import auc, gamma_within, read_published
from solver.scoring.difficulty import WEIGHTS
from tests.generator.themes.examples import EXAMPLES

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


def test_linear_weights_are_found_and_none_is_negative() -> None:
    rows = np.random.default_rng(1).normal(size=(300, 3))
    values = rows @ np.array([2.0, 0.5, -1.0]) + 7
    assert linear(rows, values, np.zeros(3)) == pytest.approx([2, 0.5, 0], abs=0.2)
    small = linear(rows, values, np.array([0.0, 1e9, 0.0]))
    assert small[1] == pytest.approx(0, abs=1e-3)


def test_a_logit_keeps_to_its_bounds_and_to_its_prior() -> None:
    random = np.random.default_rng(2)
    rows = random.normal(size=(2000, 3))
    good = (random.random(2000) < 1 / (1 + np.exp(-rows @ np.array([1.0, -1.0, 0.0])))).astype(float)
    bounds = (np.array([-9.0, 0.0, -9.0]), np.array([9.0, 9.0, 9.0]))
    found = logit(rows, good, np.ones(2000), np.array([1.0, 1.0, 1e6]), np.array([0.0, 0.0, 0.5]), bounds)
    assert found[0] == pytest.approx(0.9, abs=0.3)
    assert found[1] == 0
    assert found[2] == pytest.approx(0.5, abs=0.01)


def _sample(random: np.random.Generator, shift: float, name: str) -> Sample:
    rows = random.random((60, len(NAMES)))
    rows[:, NAMES.index(name)] += shift
    return Sample(rows, np.full(60, 5))


def test_points_reward_what_parts_the_better_problems() -> None:
    random = np.random.default_rng(3)
    bare, routine = _sample(random, 0, "hand"), _sample(random, 0, "hand")
    material = Material(_sample(random, 3, "hand"), bare, _sample(random, 3, "open_squares"), routine)
    points = fitted(material)
    value = dict(zip(NAMES, points.points.tolist(), strict=True))
    assert set(value) == {*HEURISTIC_POINTS, *TRAIT_POINTS}
    assert value["hand"] == max(value[name] for name in TRAIT_POINTS if name != "open_squares")
    assert all((value[name] < 0) == (name in FAULTS) for name in NAMES)
    assert min(abs(number) for number in value.values()) > LEAST / 2
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
