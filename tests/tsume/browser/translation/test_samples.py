"""Translated functions return what they return in Python."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.tsume.browser.translation import samples
from tests.tsume.browser.translation.running import translated_results

NAMES = (
    "numbers", "texts", "containers", "classes", "control", "generators", "contexts", "functions",
)  # fmt: skip


@pytest.fixture(scope="module")
def translated() -> dict[str, Any]:
    return translated_results(samples.__name__, NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_translated_function_returns_the_same(name: str, translated: dict[str, Any]) -> None:
    expected = json.loads(json.dumps(getattr(samples, name)(), default=str))
    assert [(i, one) for i, one in enumerate(translated[name])] == list(enumerate(expected))
