# SPDX-License-Identifier: GPL-3.0-or-later
"""Names: built-in ones, those of JavaScript and those of its runtime, as variables of a function."""

# mypy: disable-error-code="no-untyped-call"
# Programs may be written like that where their types are not known.

from __future__ import annotations

from typing import Any

from tests.browser.translation.samples_control import joined


def built_in_names() -> list[Any]:
    list_, type, id, min, map, format = [1], "t", 2, 3, {"a": 1}, "f"  # noqa: A001
    any = lambda _: 5  # noqa: A001
    return [list_, type, id, min, map, format, any(0) if any(0) else "", "" if not any(0) and id else any(0)]


def reserved_names() -> list[Any]:
    new, var, let, function, this, default, null = range(7)
    undefined, of, get, arguments, eval = range(5)  # noqa: A001
    typeof, new_, static = [1, 2, 3][this - 2 :], 5, joined(**{"first": 1})
    switch, void, delete = (lambda this: this + 1)(this), [void for void in (1, 2)], "d"
    return [
        new, var, let, function, this, default, null, undefined, of, get, arguments, eval, typeof, new_,
        static, switch, void, delete,
    ]  # fmt: skip


def names_of_the_runtime() -> list[Any]:
    Slice, numpy, Object, Array, Map, Symbol = range(6)  # noqa: N806
    Math, NdArray, newArray, performance, start = range(5)  # noqa: N806
    numbers = [Slice, numpy, Object, Array, Map, Symbol, Math, NdArray, newArray, performance, start]
    return [
        numbers[1:Array], [constructor for constructor in "ab"],
        {"constructor": 1, "__proto__": 2}.get("__proto__"),
        {"a": 1}.get("toString"), {"length": 3}["length"], "constructor" in {"a"},
        getattr(joined, "missing", 1),
    ]  # fmt: skip
