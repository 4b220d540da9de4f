# SPDX-License-Identifier: GPL-3.0-or-later
"""Functions: parameters, defaults, closures, caches."""

# mypy: disable-error-code="return, arg-type, misc"
# Programs may be written like that where their types are not known.

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial, reduce
from typing import Any

from tests.browser.translation.failing import failure

calls: list[int] = []


@cache
def slow(number: int) -> int:
    calls.append(number)
    return number * 2


def keyworded(first: int, second: int = 2, *, third: int = 3, **others: int) -> list[Any]:
    return [first, second, third, sorted(others.items())]


def functions() -> list[Any]:
    slow(3)
    slow(3)
    named = {"third": 7, "fourth": 8}
    splat = (1, 5)
    pattern = re.compile(r"([a-z])(\d+)?")
    found = pattern.match("a12b")
    missing = pattern.fullmatch("a12b")
    return [
        list(calls), keyworded(1), keyworded(1, third=4), keyworded(1, 9, other=2), keyworded(*splat),
        keyworded(1, **named), partial(keyworded, 1, third=0)(5), reduce(lambda a, b: a * b, [1, 2, 3]),
        found[1] if found else None, found.group(2) if found else None, missing is None,
        re.sub(r"-+", lambda gap: str(len(gap[0])), "a--b---"), pattern.findall("a1b"),
        sorted([3, -1, 2], key=abs),
        sorted(["b", "A"], key=str.lower), list(map(str.upper, ["x"])), max("ab", "c", key=len),
    ]  # fmt: skip


def defaulted(first: int, *, second: tuple[int, ...] = (1, 2), third: int = -1) -> list[Any]:
    return [first, second, third]


def optional(value: int | None = 5) -> int | None:
    if value == 6:
        return 7
    return value


def nothing(flag: bool) -> int | None:  # noqa: RET503
    if flag:
        return 1


def starred(*numbers: int, **others: int) -> list[Any]:
    return [list(numbers), sorted(others.items())]


@cache
def cached(number: int | None = 3, other: int = 4) -> list[int]:
    calls.append(0)
    return [number or 0, other]


class Adder:
    """A callable object that holds functions."""

    def __init__(self, number: int, change: Callable[[int], int]) -> None:
        self.number, self.change = number, change

    def __call__(self, other: int, *, times: int = 1) -> int:
        return (self.number + other) * times


def calls_of_functions() -> list[Any]:
    calls.clear()
    adder, options = Adder(2, lambda x: x + 1), {"third": 5}
    makers: list[Any] = [dict, list, Adder, int, str, len]
    by_key: dict[str, Callable[..., Any]] = {
        "add": adder,
        "key": defaulted,
        "low": str.lower,
        "get": options.get,
        "join": "-".join,
        "append": calls.append,
    }
    same = cached(3) is cached(3)
    return [
        defaulted(1), defaulted(1, third=2), defaulted(1, **options), optional(), optional(None),
        optional(nothing(False)), starred(1, 2, a=3), starred(), starred(*[1], **{"b": 2}),
        partial(starred, 1, a=2)(3, b=4),
        same, cached(None, 3), cached(other=3), cached(None), len(calls), adder(1), adder(1, times=3),
        adder.change(4), by_key["add"](1, times=2), by_key["key"](2, third=0), by_key["low"]("A"),
        by_key["get"]("third"), by_key["join"](["a", "b"]), by_key["append"](1), calls[-1],
        [makers[0](), makers[1]("ab"), makers[2](1, abs).number, makers[3]("4"), makers[4](5),
         makers[5]([1])],
        list(map(adder, [1, 2])), sorted([3, 1, 2], key=lambda x, last=2: x == last),
        reduce(lambda a, b: a - b, [9, 3, 1]), reduce(max, [1, 3, 2], 0), (lambda x, y=3: x * y)(2),
        failure(lambda: reduce(max, [])),
        list(map(lambda pair: pair[0], {"a": 1}.items())), max([1, 2, 3], key=lambda x: -x),
        [f(2) for f in (abs, float, str, bool)], min("b", "a"), max("ab", key=str.upper),
        any(map(str.isdigit, "a1")), getattr(adder, "number", 0), getattr(adder, "other", None),
        nothing(True),
    ]  # fmt: skip
