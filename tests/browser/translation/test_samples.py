# SPDX-License-Identifier: GPL-3.0-or-later
"""Translated functions return what they return in Python."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

import pytest

from tests.browser.translation import (
    samples_classes,
    samples_containers,
    samples_control,
    samples_functions,
    samples_generators,
    samples_numbers,
    samples_texts,
)
from tests.browser.translation.running import parsed, translated_results

MODULES = {
    one.__name__.rpartition("_")[2]: one
    for one in (
        samples_classes, samples_containers, samples_control, samples_functions, samples_generators,
        samples_numbers,
        samples_texts,
    )
}  # fmt: skip


def names(module: ModuleType) -> Iterator[str]:
    """The functions of a module that are samples: they have no parameters and return a list."""
    for name, value in vars(module).items():
        own = isinstance(value, FunctionType) and value.__module__ == module.__name__
        if own and not value.__code__.co_argcount and value.__annotations__["return"].startswith("list["):
            yield name


SAMPLES = [(module, name) for module, value in MODULES.items() for name in names(value)]


@pytest.fixture(scope="module")
def translated() -> dict[str, dict[str, Any]]:
    return {module: translated_results(value.__name__, tuple(names(value))) for module, value in MODULES.items()}


@pytest.mark.parametrize(("module", "name"), SAMPLES)
def test_a_translated_function_returns_the_same(module: str, name: str, translated: dict[str, dict[str, Any]]) -> None:
    expected = parsed(json.dumps(getattr(MODULES[module], name)(), default=str))
    assert list(enumerate(translated[module][name])) == list(enumerate(expected))
