# SPDX-License-Identifier: GPL-3.0-or-later
"""Classes that the samples use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum, Flag, IntEnum, StrEnum, auto
from functools import cached_property, reduce
from operator import or_
from typing import NamedTuple


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


@dataclass(frozen=True)
class Tag:
    """A base of data classes."""

    name: str
    note: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True)
class Label(Tag):
    """Has the fields of a tag, and is none."""


@dataclass(eq=False)
class Token:
    """Equal to itself only."""

    length: int
    serial: int = field(default=7, init=False)


@dataclass(frozen=True, kw_only=True)
class Options:
    """Given by name."""

    new: int = 1
    then: str = "t"
    toString: str = "s"  # noqa: N815
    valueOf: int = 2  # noqa: N815
    default: int = 3


@dataclass(frozen=True)
class Asked:
    """A field that comes after those of derived classes."""

    about: str
    required: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class AskedNumber(Asked):
    """Fields without defaults after it."""

    least: int
    step: int = 1


class Base:
    """A class with values of its own, properties and class methods."""

    size: int = 3
    words = ["w"]  # noqa: RUF012
    length = 5

    def __init__(self, number: int = 0) -> None:
        self.number = number

    @property
    def doubled(self) -> int:
        return 2 * self.number

    @classmethod
    def named(cls) -> str:
        return cls.__name__

    @classmethod
    def made(cls, number: int = 4) -> Base:
        return cls(number=number)

    @staticmethod
    def added(first: int, second: int = 10) -> int:
        return first + second

    def told(self, prefix: str = "b", *, mark: str = "!") -> str:
        return f"{prefix}{self.number}{mark}"


class Derived(Base):
    """Overrides a property and a method."""

    size = 4

    @property
    def doubled(self) -> int:
        return super().doubled + 1

    def told(self, prefix: str = "d", *, mark: str = "?") -> str:
        return super().told(prefix) + mark

    def __repr__(self) -> str:
        return f"Derived<{self.number}>"


class Kind(StrEnum):
    """Texts with names."""

    PLAIN = "plain"
    OTHER = "other"


class Shape(Enum):
    """Values of several types, one of them twice."""

    POINT = (1, 2)
    TEXT = "t"
    ALIAS = "t"
    NUMBER = 3


class Silent(Exception):
    """Does not pass on what it is given."""

    def __init__(self, code: int, *more: str) -> None:
        self.code, self.name, self.message = code, "silent", list(more)
