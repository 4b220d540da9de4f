# SPDX-License-Identifier: GPL-3.0-or-later
"""Control: loops, exceptions, context managers."""

# mypy: disable-error-code="misc, no-untyped-call"
# Programs may be written like that where their types are not known.

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from typing import Any

from tests.browser.translation.things import Problem, WorseProblem

log: list[str] = []


@contextmanager
def noted(name: str) -> Iterator[str]:
    log.append(f"+{name}")
    try:
        yield name.upper()
    finally:
        log.append(f"-{name}")


class entered:  # noqa: N801
    def __init__(self, name: str, swallow: bool = False) -> None:
        self._name, self._swallow = name, swallow

    def __enter__(self) -> str:
        log.append(f"({self._name}")
        return self._name

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        log.append(f"{self._name}) {error}")
        return self._swallow


def control() -> list[Any]:
    found: list[Any] = []
    for i in range(10):
        if i == 2:
            continue
        if i > 5:
            break
        found.append(i)
    n = 0
    while n < 3:
        n += 1
    for problem in (1, 2, 3):
        try:
            if problem == 1:
                raise WorseProblem(4)
            if problem == 2:
                raise KeyError("k")
            found.append("fine")
        except Problem as error:
            found += [error.code, str(error)]
        except (KeyError, ValueError):
            found.append("key")
        else:
            found.append("else")
        finally:
            found.append("end")
    if (half := n // 2) == 1 and found:
        found.append(half)
    found += [0 or "x", "" or None, 1 and 2, [] and 1, None is None, 1 < 2 < 3, 3 > 2 > 2, not [], "a" if n else "b"]
    functions: list[Callable[[int], int]] = [lambda x, k=k: x + k for k in range(3)]
    found.append([f(1) for f in functions])
    found.append([(a, b) for a in range(3) for b in range(a) if (a + b) % 2])
    total = 0

    def add(number: int) -> int:
        nonlocal total
        total += number
        return total

    add(2)
    found.append(add(3))
    a, b = 1, 2
    a, b = b, a
    return [*found, a, b]


def contexts() -> list[Any]:
    log.clear()
    with noted("a") as name, entered("b"):
        log.append(name)
    with suppress(ValueError), noted("c"):
        raise ValueError("v")
    with entered("d", swallow=True):
        raise KeyError("k")
    with nullcontext(5) as five:
        log.append(str(five))
    with ExitStack() as stack:
        stack.enter_context(noted("e"))
        stack.enter_context(noted("f"))
    try:
        with noted("g"):
            leave(log)
            raise Problem(1)
    except Problem:
        log.append("problem")
    return list(log)


def leave(found: list[str]) -> int:
    for number in range(3):
        with noted(f"h{number}"):
            if number == 1:
                return number
            found.append("inside")
    return -1


def noting(name: str, value: Any) -> Any:
    log.append(name)
    return value


def joined(first: Any = 0, second: Any = 0, *, third: Any = 0) -> list[Any]:
    return [first, second, third]


def collecting(first: Any, **others: Any) -> list[Any]:
    return [first, *others.items()]


def evaluation_order() -> list[Any]:
    log.clear()
    found: dict[str, Any] = {}
    lists: list[list[int]] = [[0, 0]]
    found[noting("key", "k")] = noting("value", 1)
    noting("owner", lists)[noting("place", 0)][noting("inner", 1)] = noting("assigned", 5)
    results = [
        joined(third=noting("c", 3), first=noting("a", 1), second=noting("b", 2)),
        joined(noting("p", 0), third=noting("q", 1), second=noting("r", 2)),
        collecting(first=noting("f", 2), x=noting("x", 1)),
        noting("l", 1) + noting("m", 2) * noting("n", 3),
        noting("one", 1) < noting("two", 2) < noting("three", 3),
        noting("four", 4) < noting("five", 3) < noting("six", 9), noting("and", 0) and noting("never", 1),
        noting("or", 0) or noting("last", 2),
        {noting("k1", 1): noting("v1", 2), noting("k2", 3): noting("v2", 4)},
        [noting("y", y) for y in noting("ys", [1, 2]) if noting("if", y) > 1],
        (noting("then", 1) if noting("test", True) else noting("else", 2)),
    ]  # fmt: skip
    lists[0][noting("at", 0)] += noting("plus", 2)
    first = second = noting("both", 3)
    first, lists[0][first + 1] = noting("t1", 0), noting("t2", 8)
    return [results, found, lists, first, second, list(log)]


def closures() -> list[Any]:
    functions = [lambda: number for number in range(3)]
    defaults = [lambda number=number: number for number in range(3)]
    loops: list[Callable[[], Any]] = []
    for place in range(3):

        def told(kept: int = place * 10) -> tuple[int, int]:
            return place, kept

        loops.append(told)
    generators = [(x + y for y in (1, 2)) for x in (10, 20)]
    number = 7
    hidden = [number for number in range(2)]
    count = 0

    def nested() -> int:
        def inner() -> int:
            nonlocal count
            if number:
                count += 1
            return count

        return inner() + inner()

    values = {k: (lambda: k) for k in "ab"}
    return [
        [f() for f in functions], [f() for f in defaults], [f() for f in loops],
        [list(g) for g in generators],
        number, hidden, nested(), count, [f() for f in values.values()], [y for y in [z for z in hidden]],
        [number for number in [number, 1]],
    ]  # fmt: skip


def raising(kind: str) -> Any:
    steps: list[str] = []
    try:
        try:
            if kind == "value":
                raise ValueError("v")
            if kind == "key":
                raise KeyError("k")
            if kind == "return":
                return steps
            steps.append("body")
        except KeyError:
            steps.append("key")
            try:
                raise ValueError("inner")
            except ValueError as error:
                steps.append(str(error))
            raise
        except (ZeroDivisionError, ValueError) as error:
            steps.append(f"value {error}")
        else:
            steps.append("else")
            raise ValueError("of else")
        finally:
            steps.append("finally")
    except LookupError as error:
        steps.append(f"outer {error}")
    except Exception as error:
        steps.append(f"any {error}")
    return steps


def overriding(kind: str) -> str:
    for _ in range(2):
        try:
            if kind == "raise":
                raise ValueError("lost")
            if kind == "continue":
                continue
            return "body"
        finally:
            if kind != "kept":
                return "finally"  # noqa: B012
    return "end"


ERRORS = (KeyError, IndexError)


def exceptions_in_control() -> list[Any]:
    log.clear()
    found = [
        raising("value"),
        raising("key"),
        raising("return"),
        raising("none"),
        overriding("raise"),
        overriding("return"),
        overriding("continue"),
        overriding("kept"),
    ]
    try:
        [1][2]
    except ERRORS as error:
        found.append(type(error).__name__)
    try:
        with entered("a"), entered("b", swallow=True), entered("c"):
            raise ValueError("in c")
        found.append("swallowed")
        with entered("d"):
            raise KeyError("in d")
    except KeyError:
        found.append("out of d")
    with suppress(KeyError, ValueError), noted("e"):
        raise Problem(1) if False else ValueError("e")
    for number in range(3):
        with noted(str(number)):
            if number == 0:
                continue
            break
    return [found, list(log)]


def loops() -> list[Any]:
    numbers, seen = [1, 2, 3], []
    for number in numbers:
        if number < 3:
            numbers.append(number + 5)
        seen.append(number)
    pairs = [(1, (2, 3)), (4, (5, 6))]
    for a, (b, c) in pairs:
        seen.append(a + b + c)
    for numbers[0] in (8, 9):
        pass
    while (last := seen.pop()) > 5 and seen:
        pass
    total = sum(x * y for x in range(3) if x for y in range(x) if y or x == 1)
    if any((found := n) > 1 for n in numbers):
        seen.append(found)
    return [numbers, seen, last, total, a, b, c, [m := 3, m + 1], [k for k in range(4) if (half := k // 2) == 1], half]
