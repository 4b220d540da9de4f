"""What the translator has to get right: each function without parameters is run in both languages."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass, field, replace
from enum import Enum, Flag, IntEnum, auto
from functools import cache, cached_property, partial, reduce
from heapq import heappop, heappush
from itertools import chain, combinations, islice, pairwise
from operator import or_
from typing import Any, NamedTuple


class Colour(Enum):
    RED = "red"
    GREEN = "green"

    @property
    def letter(self) -> str:
        return self.value[0]

    @classmethod
    def first(cls) -> Colour:
        return cls.RED


class Rank(IntEnum):
    LOW = 1
    HIGH = 9

    @property
    def next(self) -> int:
        return self + 1


class Mark(Flag):
    NONE = 0
    A = auto()
    B = auto()
    C = auto()
    AB = A | B

    @classmethod
    def union(cls, marks: list[Mark]) -> Mark:
        return reduce(or_, marks, cls.NONE)


@dataclass(frozen=True, order=True)
class Point:
    x: int
    y: int = 0

    @cached_property
    def sum(self) -> int:
        return self.x + self.y

    def moved(self, by: int, *, up: int = 0) -> Point:
        return replace(self, x=self.x + by, y=self.y + up)

    def __str__(self) -> str:
        return f"<{self.x},{self.y}>"


@dataclass
class Box:
    name: str
    items: list[int] = field(default_factory=list)
    inner: Point = Point(1, 2)

    def __post_init__(self) -> None:
        self.size = len(self.items)

    def add(self, *more: int) -> Box:
        self.items += more
        return self


@dataclass
class NamedBox(Box):
    label: str = "none"

    def add(self, *more: int) -> Box:
        super().add(*more)
        self.label = f"{self.name}{len(self.items)}"
        return self


class Pair(NamedTuple):
    first: int
    second: str = "x"

    @property
    def text(self) -> str:
        return self.second * self.first


class Problem(Exception):
    def __init__(self, code: int) -> None:
        super().__init__(f"code {code}")
        self.code = code


class WorseProblem(Problem):
    pass


class Bag:
    kinds = ("a", "b")

    def __init__(self, *items: int) -> None:
        self._items = list(items)

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[int]:
        return iter(self._items)

    def __getitem__(self, index: int) -> int:
        return self._items[index]

    def __contains__(self, item: int) -> bool:
        return item in self._items

    def __call__(self, name: str, /, **parts: object) -> str:
        return f"{name}:{sorted(parts)}:{parts.get('a')}"

    @staticmethod
    def twice(number: int) -> int:
        return 2 * number


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


def numbers() -> list[Any]:
    big = 2**64 - 1
    return [
        7 // 2, -7 // 2, 7 % 3, -7 % 3, 7 % -3, divmod(-7, 2), 2**10, 7 / 2, 1 << 40, big >> 60, big & 0xFF,
        (big ^ 5) & 0xFFFF, ~5, -3 >> 1, str(big * big), (big * 3) % 1000, abs(-4), round(2.5), round(3.5),
        round(0.125, 2), round(2.675, 2), round(-1.5), int("12"), int(3.9), int(-3.9), float("1.5"), True + True,
        (12345678901234567 + 1) % 1000, min(3, 1, 2), max([4, 9, 2]), sum([1, 2], 5), bool(0), 5 .bit_length(),
        big.bit_length(), math.fsum([0.1] * 10), math.inf > 1, 10**18 // 7 % 1000, -(2**60) % 1000,
    ]  # fmt: skip


def texts() -> list[Any]:
    value, name = 3.14159, "ab"
    return [
        f"{value:.2f}", f"{name!r}", f"{name:>5}|{name:<4}|{name:^6}|", f"{7:03d}", f"{1234567:,}", f"{0.256:.0%}",
        ["a", "b", "", "c"], ["a", "b"], ["a", "b-c"], ", ".join(["x", "y"]), "abc"[::-1],
        "hello"[1:3], "hello"[-2:], "Hi".upper(), "x" * 3, "abc".replace("b", "z"), "a=b=c".partition("="),
        "12".isdigit(), "prefix-x".removeprefix("prefix-"), "{} {a}".format("p", a=1) if False else "",
        "{a}/{b:>3}".format(**{"a": 1, "b": "q"}), "é".casefold(), "".join(map(str, range(4))), str(None), str(True),
        repr("it's"), "b" in "abc", "abc".find("c"), "abc".startswith(("x", "a")), "  x ".strip(), f"{2.5:.0f}",
        f"{0.5:.0f}", f"{1e-3}", "x.y".rstrip("y"), "abab".count("ab"), sorted("cab"), list("xy"),
    ]  # fmt: skip


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
        list(found), sorted(found.items()), found.get("z", 9), other[(1, 2)], other[Point(1, 2)], other[Colour.RED],
        other[1], other[None], dict(grouped), queue.popleft(), list(queue), counts["s"], counts["z"],
        heappop(heap)[1], first, rest, most, last, p, q, r, numbers_, removed, [1, 2] == [1, 2], (1, 2) < (1, 3),
        {1, 2} | {3} == {1, 2, 3}, {1, 2} & {2, 5} == {2}, {1} <= {1, 2}, frozenset((1, 2)) == {2, 1}, len(set[int]()),
        {1, 2, 3}.intersection(*map(set, [[1, 2], [2, 4]])) == {2}, {1, 2}.intersection(*[]) == {2, 1},
       
        len({Point(1), Point(1, 0)}), [*range(3), *"ab"], {**found, "x": 0}, [1, 2, 3][-1], [1, 2, 3, 4][1:-1],
        list(reversed([1, 2])), 2 in [1, 2], (1, 2) in [(1, 2)], [[1, 2], [3]] + [[4]], [0] * 3, setdefaults(),
        max({"a": 3, "b": 5}.items(), key=lambda pair: pair[1]), min([], default=7), dict.fromkeys("ab", 0),
        {k: v for k, v in zip("ab", (1, 2), strict=True)}, {n % 3 for n in range(9)} == {0, 1, 2},
    ]  # fmt: skip


def setdefaults() -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    found.setdefault("a", []).append(1)
    found.setdefault("a", []).append(2)
    found.update({"b": []})
    return found


def classes() -> list[Any]:
    point = Point(3)
    box = NamedBox("n", [1]).add(2, 3)
    bag = Bag(1, 2, 3)
    pair = Pair(2)
    first, second = pair
    moved = point.moved(2, up=5)
    bound = point.moved
    named = partial(point.moved, up=1)
    return [
        str(point), point.sum, [moved.x, moved.y], bound(1).x, named(4).y, Point(1, 2) == Point(1, 2),
        Point(1, 2) != Point(2, 1), Point(1, 9) < Point(2, 0), sorted([Point(2), Point(1, 5), Point(1)])[1].y,
        asdict(box), box.label, box.size, len(bag), list(bag), bag[1], 2 in bag, bag("n", b=1, a=2), bag.twice(4),
        Bag.twice(5), bag.kinds, pair.text, first, second, pair[1], pair == (2, "x"), pair._replace(first=3).text,
        Colour.RED.letter, Colour("green") is Colour.GREEN, Colour.first().name, [c.value for c in Colour],
        Rank.HIGH + 1, Rank.LOW.next, Rank(9) is Rank.HIGH, [10, 20][Rank.LOW], Rank.LOW < 2, f"{Rank.HIGH}",
        Mark.A in Mark.AB, bool(Mark.NONE), (Mark.A | Mark.C) & ~Mark.A is Mark.C, [m.name for m in Mark.AB],
        Mark.union([Mark.A, Mark.B]) == Mark.AB, isinstance(point, Point), isinstance(box, Box | Pair),
        isinstance(3, int), replace(point, y=4).y, type(point).__name__, getattr(point, "x"), getattr(point, "z", 5),  # noqa: B009
        hash(Point(1)) == hash(Point(1)), matched(point), matched(pair), matched(box), matched(Colour.RED),
    ]  # fmt: skip


def matched(value: object) -> str:
    match value:
        case Point(x=3):
            return "three"
        case Point() | Pair():
            return "point or pair"
        case Colour.RED:
            return "red"
        case _:
            return "other"


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
    found += [
        0 or "x",
        "" or None,
        1 and 2,
        [] and 1,
        None is None,
        1 < 2 < 3,
        3 > 2 > 2,
        not [],
        "a" if n else "b",
    ]
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
    found += [
        list(map(lambda x, y: x + y, [1, 2], [3, 4])),
        list(filter(None, [0, 1, ""])),
        list(enumerate("ab", 1)),
    ]
    found += [sum(x for x in range(4)), all(x < 4 for x in range(4)), sorted([3, 1], reverse=True)]
    return found


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
        re.sub(r"-+", lambda gap: str(len(gap[0])), "a--b---"), pattern.findall("a1b"), sorted([3, -1, 2], key=abs),
        sorted(["b", "A"], key=str.lower), list(map(str.upper, ["x"])), max("ab", "c", key=len),
    ]  # fmt: skip
