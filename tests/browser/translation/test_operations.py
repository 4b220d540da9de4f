# SPDX-License-Identifier: GPL-3.0-or-later
"""Operations of generated values: the same results, or the same exceptions, in both languages."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from browser.files import runtime_source
from browser.translation import Program
from browser.translation.context import constant
from browser.translation.modules import Global
from tests.browser.translation import operations
from tests.javascript.node import run_node

NAMES = (
    "arithmetic", "bits", "compared", "rounded", "sliced", "put", "item", "texts", "dictionary", "sets",
    "ordered",
)  # fmt: skip
ENTRIES = [Global(operations.__name__, name) for name in NAMES]
CANONICAL = """
const $described = (x) => Array.isArray(x) ? `[${x.map($described).join(", ")}]`
  : x instanceof $Dict ? $described([...x.items()]) : $repr(x);
const $tried = (action) => {
  try { return $described(action()); } catch (error) { return `!${$class_name($type(error))}`; }
};
"""
Case = tuple[str, list[Any]]


def is_told_apart(value: float) -> bool:
    """Whether JavaScript knows a float from an integer."""
    return not (value.is_integer() and abs(value) < 2**53)


def described(value: Any) -> str:
    """A value as text; floats without a fraction are integers, tuples are lists."""
    if isinstance(value, dict):
        return described(list(value.items()))
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(described, value))}]"
    if isinstance(value, float) and math.isfinite(value) and not is_told_apart(value):
        return repr(int(value))
    return repr(value)


def tried(function: Callable[..., Any], values: list[Any]) -> str:
    try:
        return described(function(*values))
    except Exception as error:
        return f"!{type(error).__name__}"


def check(cases: list[Case]) -> None:
    """All cases in one process."""
    program = Program(ENTRIES)
    names = {one.name: program.js_name(one) for one in ENTRIES}
    calls = ",\n".join(f"$tried(() => {names[name]}({', '.join(map(constant, values))}))" for name, values in cases)
    script = f"{runtime_source()}\n{program.script()}\n{CANONICAL}\nconsole.log(JSON.stringify([{calls}]));"
    done = run_node("-", text=script)
    assert done.returncode == 0, done.stderr
    for (name, values), found in zip(cases, json.loads(done.stdout), strict=True):
        assert found == tried(getattr(operations, name), values), (name, values)


edges = st.sampled_from([0, 1, -1, 2**31, -(2**31), 2**32, 2**53, 2**53 - 1, -(2**53), 2**63, 2**64 - 1, 10**20])
integers = st.one_of(edges, st.integers(-9, 9), st.integers(-(2**70), 2**70), st.integers(-(2**54), 2**54))
floats = st.one_of(
    st.floats(allow_nan=False).filter(is_told_apart),
    st.floats(-100, 100).filter(is_told_apart),
    st.decimals(-9, 9, places=3).map(float).filter(is_told_apart),
)
numbers = st.one_of(integers, floats, st.booleans())
characters = st.sampled_from("ab12 -.,'\"\\\n\t\u3000\u00a0\ufeff\u001c１²éßΣς歩𠮷🀄\ue000\x00")
strings = st.text(characters, max_size=8)
scalars = st.one_of(st.none(), numbers, strings)
keys = st.recursive(scalars, lambda inner: st.tuples(inner, inner) | st.tuples(inner), max_leaves=4)
nested = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3), max_leaves=6)
places = st.one_of(st.none(), st.integers(-7, 7))
lists = st.lists(st.integers(0, 9), max_size=6)
small = st.integers(0, 9)
pairs = st.lists(st.tuples(keys, scalars), max_size=6)
comparable = st.one_of(
    st.lists(numbers, min_size=1), st.lists(strings, min_size=1),
    st.lists(st.lists(integers, max_size=3), min_size=1),
    st.lists(st.tuples(st.booleans(), strings), min_size=1),
)  # fmt: skip


def cases(name: str, *parts: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Case]]:
    return st.lists(st.tuples(*parts).map(lambda values: (name, list(values))), min_size=1, max_size=60)


one_of = st.sampled_from
every = st.tuples(
    cases("arithmetic", numbers, numbers, one_of(["+", "-", "*", "/", "//", "%", "divmod", "?"])),
    cases("arithmetic", integers, small, one_of(["**"])),
    cases("arithmetic", strings | lists, st.integers(-99, 99), one_of(["*", "-", "/"])),
    cases("bits", integers, st.integers(0, 70) | st.just(-1), one_of(["&", "|", "^", "<<", ">>", "?"])),
    cases("bits", integers, integers, one_of(["&", "|", "^", "?"])),
    cases("compared", nested, nested, one_of(["<", "<=", ">", ">=", "=="])),
    cases("compared", numbers, numbers, one_of(["<", "<=", ">", ">=", "=="])),
    cases("compared", strings, strings, one_of(["<", "<=", ">", ">=", "=="])),
    cases("rounded", floats, small),
    cases("sliced", strings | lists, places, places, places),
    cases("put", lists, places, places, places, lists),
    cases("item", strings | st.lists(scalars, max_size=5), st.integers(-7, 7), scalars),
    cases("texts", strings, strings, small),
    cases("dictionary", pairs, pairs),
    cases("sets", st.lists(keys, max_size=6), st.lists(keys, max_size=6)),
    cases("ordered", comparable),
)


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(every)
def test_operations_have_the_same_results(groups: tuple[list[Case], ...]) -> None:
    check([case for group in groups for case in group])
