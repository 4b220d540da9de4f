# SPDX-License-Identifier: GPL-3.0-or-later
"""Generators: when they run, and when they are closed."""

# mypy: disable-error-code="arg-type, func-returns-value"
# Programs may be written like that where their types are not known.

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, islice, pairwise, takewhile
from typing import Any

from tests.browser.translation.failing import failure
from tests.browser.translation.samples_control import joined, log, noted


def squares(last: int) -> Iterator[int]:
    for i in range(last):
        with noted(f"g{i}"):
            yield i * i


def delegating() -> Iterator[int]:
    yield 0
    yield from squares(2)


def generators() -> list[Any]:
    log.clear()
    found: list[Any] = [next(squares(3)), list(log)]
    log.clear()
    found += [any(x > 0 for x in squares(5)), list(log)]
    log.clear()
    found += [list(islice(squares(9), 2)), list(delegating()), list(log), next((x for x in squares(0)), None)]
    iterator = iter([1, 2, 3])
    for x in iterator:
        if x == 1:
            break
    found += [list(iterator), list(chain([1], (2,))), list(pairwise("abc")), list(combinations([1, 2, 3], 2))]
    found += [list(map(lambda x, y: x + y, [1, 2], [3, 4])), list(filter(None, [0, 1, ""])), list(enumerate("ab", 1))]
    found += [sum(x for x in range(4)), all(x < 4 for x in range(4)), sorted([3, 1], reverse=True)]
    return found


def noting_end(last: int) -> Iterator[int]:
    try:
        for number in range(last):
            yield number
    finally:
        log.append("closed")


class Source:
    """Gives numbers, each time anew."""

    def __iter__(self) -> Iterator[int]:
        return noting_end(3)


def unfinished() -> list[Any]:
    log.clear()
    found: list[Any] = []
    held = noting_end(9)
    found += [next(held), list(islice(held, 2)), list(log), 4 in held, list(log), any(x > 4 for x in held), list(log)]
    for number in held:
        found.append(number)
        break
    found += [list(zip(held, [1])), list(takewhile(lambda x: x < 0, held)), list(log), list(held), list(log)]
    log.clear()
    for number in noting_end(9):
        found.append(number)
        if number:
            log.append("before")
            break
    log.append("after")
    for number in Source():
        if number == 1:
            break
    source = Source()
    for number in source:
        if number == 1:
            break
    log.append("sources")
    found += [
        2 in noting_end(5),
        list(zip(noting_end(1), noting_end(2))),
        list(islice(noting_end(5), 2)),
        next(iter(noting_end(2))),
        all(x for x in noting_end(3)),
        list(log),
    ]
    log.clear()
    found += [
        failure(lambda: first_of_three(noting_end(4))),
        list(map(lambda a, b: a + b, noting_end(2), [1])),
        [*chain([0], noting_end(1))],
        failure(lambda: list(zip([1], [1, 2], strict=True))),
        failure(lambda: list(zip([1, 2], [1], strict=True))),
        list(zip()),
        list(log),
    ]
    return found


def first_of_three(numbers: Iterator[int]) -> int:
    first, _, _ = numbers
    return first


def recursive(depth: int) -> Iterator[str]:
    yield f"in{depth}"
    if depth:
        a, (b, c) = depth, (depth + 1, depth + 2)
        yield from recursive(depth - 1)
        yield f"{a or b}{c}" if depth > 1 and a < b < c else f"{a}"
    yield f"out{depth}"


def interleaved() -> list[Any]:
    log.clear()
    first, second = recursive(2), recursive(1)
    mixed = [next(first), next(second), next(first), next(second), *first, *second]
    numbers = iter(range(6))
    pairs = list(zip(numbers, numbers))
    lazily = (log.append(x) or x for x in range(2))
    before = list(log)
    source = [1, 2]
    late = (x for x in source)
    source.append(3)
    nested = [[*row] for row in ((x * y for y in range(2)) for x in range(3))]
    failing = (1 // (x - 1) for x in range(3))
    return [
        mixed, pairs, before, list(lazily), list(log), list(late), nested, next(failing),
        failure(lambda: next(failing)), list(failing), list(reversed(range(3))),
        list(islice(range(9), 1, 7, 2)),
        list(islice([1, 2], None)), list(filter(lambda x: x % 2, range(5))), dict(enumerate("ab", start=3)),
        sum([1, 2], start=5), sum([[1], [2]], []),
    ]  # fmt: skip


def crossed() -> list[Any]:
    streams: list[Iterator[Any]] = []
    for level in range(3):
        later = (joined(third=str(n), second=next(streams[n]) if n < 3 else None) for n in iter([level + 1]))
        streams.append(later)
    return list(streams[0])
