# SPDX-License-Identifier: GPL-3.0-or-later
"""Translated functions return what they return in Python."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

import pytest

from browser.files import runtime_source
from browser.translation import Program
from browser.translation.modules import Global
from tests.browser.translation import (
    samples_classes,
    samples_containers,
    samples_control,
    samples_functions,
    samples_generators,
    samples_numbers,
    samples_texts,
)
from tests.javascript.node import run_node


def translated_results(module: str, names: tuple[str, ...]) -> dict[str, Any]:
    """What the functions of a module return in JavaScript, by name."""
    entries = [Global(module, name) for name in names]
    program = Program(entries)
    calls = ", ".join(f"{one.name}: $plain({program.js_name(one)}())" for one in entries)
    script = f"{runtime_source()}\n{program.script()}\nconsole.log(JSON.stringify({{{calls}}}));"
    done = run_node("-", text=script)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = parsed(done.stdout)
    return found


def parsed(text: str) -> Any:
    """JSON of which integers beyond 2 ** 53 are floats, as JavaScript writes and reads them."""
    return json.loads(text, parse_int=_number)


def _number(text: str) -> float:
    return int(text) if abs(int(text)) < 2**53 else float(text)


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
