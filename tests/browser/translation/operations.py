# SPDX-License-Identifier: GPL-3.0-or-later
"""Operations that are run in both languages with generated values."""

from __future__ import annotations

from collections import Counter
from typing import Any


def arithmetic(a: Any, b: Any, name: str) -> Any:
    match name:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/":
            return a / b
        case "//":
            return a // b
        case "%":
            return a % b
        case "divmod":
            return divmod(a, b)
        case "**":
            return a**b
        case _:
            return [-a, abs(a), +a, int(a), round(a), float(b)]


def bits(a: int, b: int, name: str) -> Any:
    match name:
        case "&":
            return a & b
        case "|":
            return a | b
        case "^":
            return a ^ b
        case "<<":
            return a << b
        case ">>":
            return a >> b
        case _:
            return [~a, a.bit_length(), a.bit_count(), f"{a:x}|{b:b}|{a:,}|{b:+d}", str(a), int(str(a))]


def compared(a: Any, b: Any, name: str) -> Any:
    match name:
        case "<":
            return a < b
        case "<=":
            return a <= b
        case ">":
            return a > b
        case ">=":
            return a >= b
        case _:
            return [a == b, a != b, a in [b], bool(a), not b, a and b, a or b]


def rounded(a: float, digits: int) -> Any:
    return [
        f"{a:.{digits}f}", f"{a:.{digits}e}", f"{a:.{digits}g}", f"{a:.{digits}%}", f"{a:12.{digits}f}",
        f"{a:<+{digits}}",
        f"{a:,.{digits}f}", f"{a:0{digits}.2f}", round(a, digits), str(a), repr(a), [a], float(str(a)),
    ]  # fmt: skip


def sliced(a: Any, start: int | None, stop: int | None, step: int | None) -> Any:
    return [a[start:stop:step], a[start:], a[:stop], len(a)]


def put(a: list[Any], start: int | None, stop: int | None, step: int | None, values: list[Any]) -> Any:
    changed, cut = [*a], [*a]
    del cut[start:stop:step]
    changed[start:stop:step] = values
    return [changed, cut]


def item(a: Any, place: int, other: Any) -> Any:
    found = list(a)
    found.insert(place, other)
    return [a[place], found, found.index(other), found.count(other), found.pop(place)]


def texts(a: str, b: str, place: int) -> Any:
    return [
        a.split(), a.split(None, 1), a.split(b or "x"), a.split(b or "x", 1), a.strip(), a.strip(b),
        a.lstrip(b), a.rstrip(b), a.replace(b, "-"),
        a.replace(b, b + a, 2), a.find(b), a.find(b, place), a.find(b, 1, place), a.rfind(b, place),
        a.count(b), a.count(b, place, 3), a.startswith(b, place, 4), a.startswith(b, place),
        a.endswith(b, 0, place),
        a.partition(b or "x"), a.rpartition(b or "x"), a.splitlines(), a.zfill(place), a.center(place, "*"),
        f"{a:>6}|{b:^7}|{a:.3}", a.isspace(),
        a.isascii(), repr(a), a < b, sorted([a, b, "m"]), a in b, a.removeprefix(b), a.removesuffix(b),
        [*a], a[::-1], b.join(a), a.isdigit(), a.casefold() == b.casefold(),
    ]  # fmt: skip


def dictionary(pairs: list[tuple[Any, Any]], more: list[tuple[Any, Any]]) -> Any:
    first, second = dict(pairs), dict(more)
    joined = first | second
    counts = Counter([key for key, _ in pairs])
    gone = [first.pop(key, None) for key, _ in more]
    return [
        list(joined.items()), len(joined), gone, list(first), first == joined,
        [key in joined for key, _ in pairs], second == dict(reversed(more)),
        counts.most_common(), counts.total(), [joined.get(key) for key, _ in pairs], list(second.values()),
        first.keys() <= joined.keys(),
    ]  # fmt: skip


def sets(first: list[Any], second: list[Any]) -> Any:
    a, b = set(first), frozenset(second)
    return [
        len(a), len(a | b), len(a & b), len(a - b), len(a ^ b), a <= b, a < b, a == b, a.isdisjoint(b),
        [x in b for x in first], b in {b},
        {frozenset(a): 1} == {frozenset(first): 1},
    ]  # fmt: skip


def ordered(values: list[Any]) -> Any:
    pairs = [(value, place) for place, value in enumerate(values)]
    return [
        sorted(values), sorted(values, reverse=True), sorted(pairs, key=lambda pair: pair[0], reverse=True),
        max(values), min(values), max(pairs),
    ]  # fmt: skip
