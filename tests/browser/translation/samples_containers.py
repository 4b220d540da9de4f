# SPDX-License-Identifier: GPL-3.0-or-later
"""Lists, tuples, dictionaries, sets, queues, heaps."""

# mypy: disable-error-code="list-item, index, func-returns-value, type-var"
# Programs may be written like that where their types are not known.

from __future__ import annotations

from collections import Counter, defaultdict, deque
from heapq import heappop, heappush
from typing import Any

from tests.browser.translation.failing import failure
from tests.browser.translation.things import Colour, Point, Rank


def containers() -> list[Any]:
    found = {"b": 1, "a": 2}
    found["c"] = 3
    other = {(1, 2): "t", Point(1, 2): "p", Colour.RED: "e", Rank.LOW: "i", None: "n", True: "one"}
    grouped: dict[str, list[int]] = defaultdict(list)
    for number in range(6):
        grouped["even" if number % 2 == 0 else "odd"].append(number)
    queue = deque([1, 2, 3])
    queue.append(4)
    counts = Counter("mississippi")
    heap: list[tuple[int, str]] = []
    for item in ((3, "c"), (1, "a"), (2, "b")):
        heappush(heap, item)
    first, *rest = [1, 2, 3]
    *most, last = (4, 5, 6)
    (p, q), r = (1, 2), 3
    numbers_ = [5, 3, 8]
    numbers_[1:2] = [7, 7]
    numbers_.insert(0, 1)
    removed = numbers_.pop()
    del found["a"]
    return [
        list(found), sorted(found.items()), found.get("z", 9), other[(1, 2)], other[Point(1, 2)],
        other[Colour.RED],
        other[1], other[None], dict(grouped), queue.popleft(), list(queue), counts["s"], counts["z"],
        heappop(heap)[1], first, rest, most, last, p, q, r, numbers_, removed, [1, 2] == [1, 2],
        (1, 2) < (1, 3),
        {1, 2} | {3} == {1, 2, 3}, {1, 2} & {2, 5} == {2}, {1} <= {1, 2}, frozenset((1, 2)) == {2, 1},
        len({Point(1), Point(1, 0)}), [*range(3), *"ab"], {**found, "x": 0}, [1, 2, 3][-1],
        [1, 2, 3, 4][1:-1],
        list(reversed([1, 2])), 2 in [1, 2], (1, 2) in [(1, 2)], [[1, 2], [3]] + [[4]], [0] * 3,
        setdefaults(),
        max({"a": 3, "b": 5}.items(), key=lambda pair: pair[1]), min([], default=7), dict.fromkeys("ab", 0),
        {k: v for k, v in zip("ab", (1, 2), strict=True)}, {n % 3 for n in range(9)} == {0, 1, 2},
    ]  # fmt: skip


def setdefaults() -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    found.setdefault("a", []).append(1)
    found.setdefault("a", []).append(2)
    found.update({"b": []})
    return found


def items_of_lists() -> list[Any]:
    numbers, letters = list(range(6)), ["a", "b", "c"]
    changed = [*numbers]
    other: list[int] = numbers
    changed[1:3] = ["x"]
    changed[-9:1] = [7, 8]
    changed[20:] = [9]
    stepped = [*numbers]
    stepped[::2] = [10, 12, 14]
    deleted = [*numbers]
    del deleted[1::2]
    del deleted[-1]
    other += [6]
    return [
        changed, stepped, deleted, numbers, numbers[-100:2], numbers[2:100], numbers[::-1], numbers[4:1:-2],
        numbers[-1:-4:-1], numbers[None:2],
        numbers[True], letters.index("b", -2), failure(lambda: letters.index("a", 1)),
        failure(lambda: letters.remove("z")), failure(lambda: letters[3]),
        failure(lambda: letters[-4]), failure(lambda: letters.pop(5)), failure(lambda: put(letters, 3)),
        failure(lambda: put(letters, -4)), letters.pop(-2), letters,
        failure(lambda: [].pop()), failure(lambda: unpack_two([1, 2, 3])), failure(lambda: unpack_two([1])),
        unpack_two("ab"), unpack_two({1: 2, 3: 4}), nested(),
        failure(lambda: next(iter([]))), failure(lambda: {}["a"]), failure(lambda: min([])),
        failure(lambda: deque().popleft()), failure(lambda: set().pop()),
        [1, [2, (3,)]] == [1, [2, (3,)]], [1, 2] < [1, 2, 0], [2] > [1, 9], (1, "b") < (1, "c"), [] < [0],
        [[1], [0, 5]] > [[1], [0, 4]], (1, 2) + (3,), [1] * 0,
    ]  # fmt: skip


def put(items: list[str], place: int) -> None:
    items[place] = "new"


def unpack_two(values: Any) -> list[Any]:
    first, second = values
    return [first, second]


def nested() -> list[Any]:
    found: list[Any] = [0, 0]
    (a, [b, *c]), found[0], (found[1], *d) = (1, [2, 3, 4]), 5, (6, 7)
    i, found[i] = 1, 9
    pairs = [(x, y, z) for x, (y, *z) in [(1, (2, 3, 4)), (5, (6,))]]
    [only] = [8]
    return [a, b, c, d, found, pairs, only, {k: [*v] for k, (_, *v) in {"a": (1, 2)}.items()}]


def grown_lists() -> list[Any]:
    first: list[int] = [1]
    second, aliased = first, [first]
    first += (2,)
    first += first
    words: tuple[str, ...] = ("a",)
    kept = words
    words += ("b",)
    seen, also = {1}, [{1}]
    same: set[int] = seen
    seen |= {2}
    seen -= {1}
    same &= {2, 3}
    also[0].update([5])
    table = {"a": 1}
    view, held = table.items(), table
    table |= {"b": 2}
    return [
        second,
        aliased,
        kept,
        words,
        sorted(seen),
        same is seen,
        list(view),
        held is table,
        grown_parameter([1]),
        also == [{1, 5}],
    ]


def grown_parameter(items: list[int]) -> list[int]:
    grow(items)
    return items


def grow(items: list[int]) -> None:
    items += [2]


def keys_of_dictionaries() -> list[Any]:
    found: dict[Any, Any] = {
        1: "int",
        "1": "text",
        (1,): "tuple",
        ("1",): "text tuple",
        None: "none",
        (None,): "none tuple",
    }
    found[True] = "true"
    found[2.0], found[2], found[10**20], found[1e20] = "two", "again", "big", "float"
    found["\0(1)"], found[(1, "2,3")], found[("1,2", 3)], found[((1,), 2)], found[(1, (2,))] = range(5)
    found[frozenset((1, 2))], found[frozenset((2, 1))] = "a", "b"
    found[Point(1, 2)], found[Point(1, 2)], found[(Point(1, 2),)], found[Rank.LOW], found[Colour.RED] = range(5)
    return [
        len(found), [str(value) for value in found.values()], found[1.0], found[(True,)], (1.0,) in found,
        "\0(1)" in found, list({3: 0, 1: 0, 2: 0}), {1: "a"} == {True: "a"},
        {1, True, 1.0} == {1}, len({(1, 2), (1.0, 2), (True, 2)}), {"a": [1]} == {"a": [1]},
        {"a": 1, "b": 2} == {"b": 2, "a": 1}, 0 in {False}, "" in {"": 1}, -0.0 in {0},
    ]  # fmt: skip


def views_of_dictionaries() -> list[Any]:
    table = {"a": 1, "b": 2}
    keys, values, items = table.keys(), table.values(), table.items()
    table["c"] = 3
    del table["a"]
    table["a"] = 4
    grouped: defaultdict[str, list[int]] = defaultdict(list, {"x": [1]})
    copied = grouped.copy()
    copied["y"].append(1)
    counts, more = Counter("aab"), Counter({"a": 1, "c": 2})
    counts.update("b")
    return [
        list(keys), list(values), list(items), len(items), "c" in keys, ("c", 3) in items,
        sorted(keys & {"a", "z"}), sorted(keys - {"a"}), keys == {"a", "b", "c"}, dict(table, a=0, e=1),
        table | {"b": 9}, list(reversed(table)), [*table], max(table), table.pop("z", None),
        failure(lambda: table.pop("z")), failure(lambda: grouped.pop("z")), "z" in grouped, copied["y"],
        failure(lambda: grouped["q"].remove(1)), list(grouped),
        (counts + more) == {"a": 3, "b": 2, "c": 2}, (counts - more) == {"a": 1, "b": 2},
        (counts | more)["c"], (counts & more)["a"], counts.most_common(1), counts.total(), counts["z"],
        "z" in counts,
        Counter("a") == Counter({"a": 1, "b": 0}), {**table, "b": 0}, dict([("a", 1)]),
        dict(zip("ab", [1, 2], strict=True)), dict.fromkeys([2, 1], 0),
    ]  # fmt: skip


def sets_and_queues() -> list[Any]:
    numbers, queue = {3, 1, 2}, deque([1, 2, 3])
    queue.appendleft(0)
    first = queue.popleft()
    for _ in range(2500):
        queue.append(queue.popleft())
    heap: list[tuple[float, int]] = []
    for item in [(5, 1), (float("inf"), 2), (3, 3), (float("inf"), 1), (3, 2), (4, 0)]:
        heappush(heap, item)
    layout = [number for _, number in heap]
    return [
        sorted(numbers ^ {1, 9}), numbers.intersection([1, 2], [2, 5]) == {2},
        numbers.difference([1], [2]) == {3}, numbers.symmetric_difference([1]) == {2, 3},
        numbers.issuperset([1]),
        numbers < {1, 2, 3, 4}, numbers < {1, 2, 3}, numbers <= {1, 2, 3}, numbers > set(), numbers != {1},
        numbers.isdisjoint("ab"), failure(lambda: numbers.remove(7)), {1, 2} == frozenset((1, 2)),
        first, list(queue), queue[0], queue[-1], failure(lambda: queue[3]), failure(lambda: queue[-4]),
        queue == deque([2, 3, 1]), queue == deque([3, 1, 2]), queue.pop(), layout,
        [heappop(heap)[1] for _ in range(6)], failure(lambda: heappop(heap)),
        range(3) == range(0, 3), list(range(5, 0, -2)), range(10)[3], range(10)[-1], list(range(10)[2:4]),
        4 in range(0, 9, 2), 5 in range(0, 9, 2), range(0, 9, 2).index(4),
        failure(lambda: range(3).index(9)), bool(range(0)), len(range(1, 10, 4)),
        bool(deque()), bool(Counter()), [x for x in {**{"a": 1}}],
        (lambda s: (s.add(4), sorted(s)))(set(numbers))[1],
    ]  # fmt: skip


def sorted_things() -> list[Any]:
    words = ["bb", "a", "cc", "d", "AA"]
    return [
        sorted(words, key=len), sorted(words, key=len, reverse=True), sorted(words, reverse=True),
        sorted([(1, "b"), (0, "z"), (1, "a")]), sorted([True, 0, 2, False]), sorted({"b": 1, "a": 2}),
        sorted([[2], [1, 5], [1]]), sorted([Rank.HIGH, 3, Rank.LOW]),
        sorted([Point(2, 1), Point(1, 3)], reverse=True)[0].x, max(words, key=len), min(words, key=len),
        max([(1, "a"), (1, "b")]), max([1, 3], [2]), min((), default=None),
        sorted([2**60, 2.5, -(2**60), 10**20, 1e19], key=lambda n: -n)[0] == 10**20,
        sorted([3, 1, 2], key=lambda n: (n % 2, -n)), failure(lambda: sorted([1, "a"])),
        failure(lambda: max([None, 1])), sorted([float("inf"), 1, float("-inf")])[1],
    ]  # fmt: skip
