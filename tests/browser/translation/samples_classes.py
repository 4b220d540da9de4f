# SPDX-License-Identifier: GPL-3.0-or-later
"""Classes: data classes, named tuples, enumerations, properties, inheritance."""

# mypy: disable-error-code="type-var, comparison-overlap, index"
# Programs may be written like that where their types are not known.

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from tests.browser.translation import things
from tests.browser.translation.failing import failure
from tests.browser.translation.things import (
    AskedNumber,
    Bag,
    Base,
    Box,
    Colour,
    Derived,
    Kind,
    Label,
    Mark,
    NamedBox,
    Options,
    Pair,
    Point,
    Problem,
    Rank,
    Shape,
    Silent,
    Tag,
    Token,
    WorseProblem,
)


def classes() -> list[Any]:
    point = Point(3)
    box = NamedBox("n", [1])
    box.add(2, 3)
    bag = Bag(1, 2, 3)
    pair = Pair(2)
    first, second = pair
    moved = point.moved(2, up=5)
    bound = point.moved
    named = partial(point.moved, up=1)
    return [
        str(AskedNumber("a", 2)), str(AskedNumber("a", 2, required=True, step=3)),
        replace(AskedNumber("a", 2), required=True) == AskedNumber("a", 2, required=True),
        str(point), point.sum, [moved.x, moved.y], bound(1).x, named(4).y, Point(1, 2) == Point(1, 2),
        Point(1, 2) != Point(2, 1), Point(1, 9) < Point(2, 0), sorted([Point(2), Point(1, 5), Point(1)])[1].y,
        asdict(box), box.label, box.size, len(bag), list(bag), bag[1], 2 in bag, bag("n", b=1, a=2),
        bag.twice(4),
        Bag.twice(5), bag.kinds, pair.text, first, second, pair[1], pair == (2, "x"),
        pair._replace(first=3).text,
        Colour.RED.letter, Colour("green") is Colour.GREEN, Colour.first().name, [c.value for c in Colour],
        Rank.HIGH + 1, Rank.LOW.next, Rank(9) is Rank.HIGH, [10, 20][Rank.LOW], Rank.LOW < 2, f"{Rank.HIGH}",
        Mark.A in Mark.AB, bool(Mark.NONE), (Mark.A | Mark.C) & ~Mark.A is Mark.C, [m.name for m in Mark.AB],
        Mark.union([Mark.A, Mark.B]) == Mark.AB, isinstance(point, Point), isinstance(box, Box | Pair),
        isinstance(3, int), replace(point, y=4).y, type(point).__name__, getattr(point, "x"),
        getattr(point, "z", 5), # noqa: B009
        matched(point), matched(pair), matched(box), matched(Colour.RED),
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


def data_classes() -> list[Any]:
    tag, label, token = Tag("a", "x"), Label("a", "y"), Token(3)
    table: dict[Any, int] = {tag: 1, label: 2, token: 3, Token(3): 4}
    options = Options(then="u", valueOf=5)
    return [
        tag == Tag("a", "z"), tag == label, len(table), table[Tag("a")], table[Label("a")], str(tag),
        repr(label), token == Token(3), token.serial, replace(tag, name="b").note,
        str(options), [options.new, options.then, options.toString, options.valueOf, options.default],
        options == Options(then="u", valueOf=5), asdict(options), replace(options, new=9).new,
        f"{token.length}", failure(lambda: {Box("b"): 1}), failure(lambda: sorted([Tag("a"), Tag("b")])),
        Point(1, 2) < Point(1, 3), Point(1) <= Point(1, 0), max(Point(1), Point(0, 9)).x,
        repr(Point(1, 2)), str(Point(1)), str([Tag("q")]), f"{Point(3)}|{Point(3)!r}", Box("x") == Box("x"),
        Box("x", [1]) == Box("x", [1]), Box("x").items is Box("x").items, asdict(Box("x", [1]))["inner"],
    ]  # fmt: skip


def inheritance() -> list[Any]:
    base, derived = Base(1), Derived(2)
    told = derived.told
    derived.size = 9
    base.words.append("x")
    keywords = {"mark": "*"}
    return [
        base.doubled, derived.doubled, base.told(), derived.told(mark="."), told("z", mark="#"),
        derived.told(**keywords), base.told(**{"prefix": "p", "mark": "m"}), Base.named(), derived.named(),
        Derived.made().number,
        type(derived.made(number=6)).__name__, type(Base.made(5)).__name__, derived.added(1),
        Derived.added(second=1, first=2), partial(derived.added, 5)(second=6), base.size, Base.size,
        Derived.size, derived.size, Derived(0).size,
        Derived(1).words, Derived.words is Base.words, derived.length, repr(derived), str(derived),
        f"{[derived]}", isinstance(derived, Base), isinstance(base, Derived),
        list(map(Base.told, [base, derived])), list(map(derived.added, [1])),
        [one.told() for one in (base, derived)], derived.__class__.__name__, type(base) is Base,
        type(derived) is Base, failure(lambda: base.told(**{"z": "q"})),
        failure(lambda: base.told("a", **{"prefix": "b"})),
    ]  # fmt: skip


def enumerations() -> list[Any]:
    return [
        Shape((1, 2)) is Shape.POINT, Shape.ALIAS is Shape.TEXT, [one.name for one in Shape],
        Shape["NUMBER"].value, failure(lambda: Shape["none"]), failure(lambda: Shape(9)), len(Shape),
        Shape.TEXT in Shape, str(Shape.TEXT), repr(Shape.TEXT),
        f"{Shape.TEXT}|{Shape.TEXT:>12}|{Shape.TEXT!r}", {Shape.TEXT: 1}[Shape.ALIAS], Shape.NUMBER == 3,
        Shape.NUMBER != 3, Shape.NUMBER == Shape.NUMBER, bool(Shape.NUMBER), str(Rank.LOW), repr(Rank.LOW),
        f"{Rank.LOW:03d}|{Rank.HIGH}",
        Rank.LOW == 1, 1 == Rank.LOW, Rank.LOW == True, Rank.HIGH > Rank.LOW, Rank.LOW < 1.5, -Rank.LOW,
        Rank.HIGH // 2, Rank.LOW + Rank.HIGH, 2 * Rank.HIGH, Rank.HIGH & 1, ~Rank.LOW, "ab"[Rank.LOW],
        [0] * Rank.LOW, [0, 1, 2][: Rank.LOW],
        {1: "a"}[Rank.LOW], {Rank.LOW: "b"}[1], Rank.LOW in {1}, 1 in [Rank.LOW], isinstance(Rank.LOW, int),
        isinstance(Rank.LOW, Rank), isinstance(1, Rank), int(Rank.HIGH), float(Rank.LOW), sum(Rank),
        max(Rank), list(range(Rank.LOW)), Rank.HIGH.bit_length(),
        str(Kind.PLAIN), repr(Kind.PLAIN), f"{Kind.PLAIN:>6}", Kind.PLAIN == "plain", "plain" == Kind.PLAIN,
        Kind.PLAIN + "!", "!" + Kind.PLAIN, Kind.PLAIN.upper(), len(Kind.PLAIN), Kind.PLAIN in ["plain"],
        "plain" in [Kind.PLAIN], "la" in Kind.PLAIN,
        {Kind.PLAIN: 1}["plain"], sorted([Kind.PLAIN, Kind.OTHER, "p"]), Kind.OTHER < Kind.PLAIN,
        Kind.PLAIN.split("a"), isinstance(Kind.PLAIN, str), ", ".join([Kind.PLAIN, "x"]),
        Kind("other").name, Kind.PLAIN[0], [*Kind.OTHER][1],
        str(Mark.A | Mark.C), repr(Mark.A), str(Mark.NONE), [one.name for one in Mark], Mark(3) is Mark.AB,
        (Mark.A ^ Mark.AB).name, ~Mark.A == Mark.B | Mark.C, len(Mark.AB), Mark.AB in Mark.A,
        list(Mark.A | Mark.C) == [Mark.A, Mark.C], failure(lambda: Mark(99)),
        {Mark.A | Mark.B: 1}[Mark.AB], Mark.NONE in Mark.A, (Mark.A & Mark.B).value, bool(Mark.A & Mark.B),
        f"{Mark.A}", Mark.A == 1,
    ]  # fmt: skip


def named_tuples() -> list[Any]:
    pair, table = Pair(1, "b"), {Pair(1, "b"): "pair"}
    number, text = pair
    return [
        pair < (1, "c"), (1, "a") < pair, pair == (1, "b"), (1, "b") == pair,
        sorted([Pair(2), Pair(1), Pair(1, "a")])[0].second, sorted([(1, "c"), pair])[0][1], table[(1, "b")],
        pair in {(1, "b")}, (1, "b") in [pair], str(pair), repr([pair]),
        (0,) + pair, pair + (2,), [*pair], pair[-1], pair[:1], len(pair), bool(pair), pair.index("b"),
        pair.count(1), dict([pair]), max(pair[:1]), isinstance(pair, tuple | list), pair._asdict(),
        pair._replace(second="z"), number, text, pair * 2,
        max([Pair(1, "a"), Pair(1, "b")]).second, hash_key(pair), [first for first, _ in [pair]],
        failure(lambda: unpacked(pair)),
    ]  # fmt: skip


def hash_key(pair: Pair) -> bool:
    return {pair} == {(1, "b")}


def unpacked(pair: Any) -> int:
    first, _second, _third = pair
    return int(first)


def exceptions() -> list[Any]:
    errors: list[Exception] = [
        ValueError(),
        ValueError("a"),
        ValueError(1),
        ValueError("a", 1),
        KeyError("k"),
        KeyError("a", "b"),
        Problem(3),
        Silent(4),
        WorseProblem(5),
        Silent(1, "a", "b"),
    ]
    silent = Silent(6)
    return [
        [str(error) for error in errors], [repr(error) for error in errors[:6]],
        [list(error.args) for error in errors], silent.name, silent.message, silent.code,
        isinstance(WorseProblem(1), Problem), f"{errors[1]}|{errors[1]!r}",
        failure(lambda: raised(ValueError)), failure(lambda: raised(Problem(1))), failure(lambda: [1][5]),
        failure(lambda: missing().upper()) != "none", failure(deep),
        [type(error).__name__ for error in errors[:1]],
    ]  # fmt: skip


def missing() -> Any:
    return None


def deep() -> int:
    return deep() + 1


def raised(error: Any) -> None:
    raise error


def matches() -> list[Any]:
    values: list[Any] = [
        Point(1, 2),
        Point(5, 6),
        Pair(3),
        Colour.RED,
        4,
        "t",
        None,
        True,
        Tag("x"),
        Label("x"),
        Kind.PLAIN,
        10**20,
    ]
    return [[guarded(value) for value in values], [matched(value) for value in values]]


def guarded(value: Any) -> Any:
    match value:
        case Point(x=x, y=y) if x + y > 5:
            return x
        case Point(x=x) as point:
            return [x, point.y]
        case Colour.RED | Kind.PLAIN:
            return "red or plain"
        case Label() | Pair():
            return "label or pair"
        case None | True:
            return "none or true"
        case "t":
            return "text"
        case int():
            return "int"
        case other:
            return type(other).__name__


@dataclass
class Shelf(things.Box):
    """Its base is named by its module."""

    height: int = 1


def base_of_another_module() -> list[Any]:
    shelf = Shelf("s", [1, 2], height=4)
    return [shelf.name, shelf.items, shelf.height, shelf.size, isinstance(shelf, Box), asdict(replace(shelf, name="t"))]
