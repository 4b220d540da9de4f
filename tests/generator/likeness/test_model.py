# SPDX-License-Identifier: GPL-3.0-or-later
"""The model of what people compose: its file, and which length's model is used."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from generator.kernel.traits import TRAITS
from generator.likeness import model as module
from generator.likeness.model import PERCENTS, LikenessModel, model_for_length, stored_models, write_models

_HALF = 2**-11
"""How far a rounded half-precision number may be off, relatively."""
NEAREST = [(1, 3), (3, 3), (5, 3), (7, 7), (9, 7), (11, 13), (15, 13), (31, 13)]


def random_model(seed: int) -> LikenessModel:
    random = np.random.default_rng(seed)
    values, rates, opening = random.normal(0, 2, (3, TRAITS))
    return LikenessModel(values, abs(rates), opening, 1.5, np.sort(random.normal(0, 9, len(PERCENTS))))


@pytest.fixture
def forgetful() -> Iterator[None]:
    """Models that the test stores are forgotten after it."""
    model_for_length.cache_clear()
    yield
    model_for_length.cache_clear()


def test_models_are_read_as_they_were_written(tmp_path: Path) -> None:
    file, written = tmp_path / "values.npz", {7: random_model(1), 3: random_model(2)}
    write_models(written, file)
    read = stored_models(file)
    assert set(read) == {3, 7}
    for length, model in read.items():
        assert model.values.dtype == model.rates.dtype == np.float64
        assert np.allclose(model.values, written[length].values, rtol=_HALF, atol=0.0051)
        assert np.allclose(model.rates, written[length].rates, rtol=_HALF, atol=5.1e-6)


def test_what_was_read_is_written_unchanged(tmp_path: Path) -> None:
    one, other = tmp_path / "one.npz", tmp_path / "other.npz"
    write_models({5: random_model(3)}, one)
    write_models(stored_models(one), other)
    assert np.array_equal(stored_models(one)[5].values, stored_models(other)[5].values)
    assert np.array_equal(stored_models(one)[5].rates, stored_models(other)[5].rates)


def test_nothing_is_written_where_nothing_is_given(tmp_path: Path) -> None:
    write_models({}, tmp_path / "none.npz")
    assert stored_models(tmp_path / "none.npz") == {}


@pytest.mark.usefixtures("forgetful")
@pytest.mark.parametrize(("length", "nearest"), NEAREST)
def test_the_nearest_length_is_used_and_of_two_the_shorter(
    length: int, nearest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = {n: random_model(n) for n in (13, 3, 7)}
    monkeypatch.setattr(module, "stored_models", lambda: models)
    assert model_for_length(length) is models[nearest]


def test_the_generators_own_models_fit_the_traits() -> None:
    models = stored_models()
    assert models
    for length, model in models.items():
        assert length % 2
        assert model.values.shape == model.rates.shape == (TRAITS,)
        assert np.isfinite(model.values).all()
        assert np.isfinite(model.rates).all()
        assert (model.rates >= 0).all()
    assert model_for_length(min(models)) is model_for_length(min(models))
