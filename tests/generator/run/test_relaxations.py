"""What is asked for with one thing less: which these are, and what is found then."""

from __future__ import annotations

from generator.constraints.given_pieces import has_given
from generator.constraints.options import Options, Style
from generator.constraints.problem import Constraints
from generator.run.relaxations import nearest, relaxations
from tests import naive
from tsume_rules.sfen import format_sfen, parse_sfen
from tsume_rules.squares import parse_square

HALF = "8l/7k1/5R3/9/9/9/9/9/9 b GS 1"
NEVER = Constraints(themes=("few-pieces",), defenders=6)
"""A problem of few pieces has fewer of the defender alone."""


def names(options: Options) -> list[tuple[str, object]]:
    return [(one.name, one.value) for one in relaxations(options)]


def around(**other: object) -> Options:
    fixed = tuple(map(parse_square, ("1a", "2b", "4c")))
    return Options.of(5, around=HALF, fixed=fixed, style=Style.NATURAL, **other)


def test_every_wish_is_given_up_by_itself() -> None:
    wishes = Constraints(themes=("chuai", "switchback"), max_pieces=8, key="quiet", no_promoted=True)
    options = Options.of(7, wishes=wishes, style=Style.NATURAL)
    found = names(options)
    assert found[:2] == [("themes", "chuai"), ("themes", "switchback")]
    assert sorted(name for name, _ in found[2:]) == [
        "key", "length", "length", "max_pieces", "no_promoted", "style",
    ]  # fmt: skip
    without = {one.value: one.options for one in relaxations(options) if one.name == "themes"}
    assert without["chuai"].wishes == Constraints(**{**wishes.to_dict(), "themes": ("switchback",)})
    assert without["chuai"].length == 7
    assert without["chuai"].style is Style.NATURAL


def test_each_given_piece_is_and_the_given_hand() -> None:
    found = names(around())
    assert [name for name, _ in found] == [
        "style", "length", "length", "start_hand", "start_piece", "start_piece", "start_piece",
    ]  # fmt: skip
    assert [format(value) for name, value in found if name == "length"] == ["3", "7"]
    by_square = {one.value[1]: one.options for one in relaxations(around()) if one.name == "start_piece"}
    assert by_square[parse_square("1a")].fixed == tuple(map(parse_square, ("2b", "4c")))
    (freed,) = [one.options for one in relaxations(around()) if one.name == "start_hand"]
    assert not parse_sfen(freed.around).position.attacker_hand
    assert parse_sfen(freed.around).position.board == parse_sfen(HALF).position.board


def test_no_length_is_tried_that_cannot_be() -> None:
    hand = Options.of(5, wishes=Constraints(hand="GGG"))
    assert [one.value for one in relaxations(hand) if one.name == "length"] == [7]
    mates = Options.of(1)
    assert [one.value for one in relaxations(mates) if one.name == "length"] == [3]
    extended = Options.of(5, starts=("8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1",))
    assert not [one for one in relaxations(extended) if one.name == "length"]


def test_what_is_found_is_as_asked_but_for_one_thing() -> None:
    options = Options.of(3, wishes=NEVER, style=Style.NATURAL)
    relaxation, problem = next(nearest(options, 1, "test", 300.0))
    assert relaxation.name in ("themes", "defenders")
    assert relaxation.options.wishes.fit(problem)
    assert not options.wishes.fit(problem)
    sfen = format_sfen(problem.position)
    assert naive.length(sfen, 3) == 3
    assert naive.mating_moves(sfen, 3) == {problem.line[0].usi}


def test_given_pieces_stay_but_for_one() -> None:
    never = around(wishes=Constraints(max_pieces=5))
    for relaxation, problem in nearest(never, 1, "test", 5.0):
        assert has_given(relaxation.options, problem.position, problem.line)


def test_a_search_for_what_there_is_not_ends() -> None:
    wishes = Constraints(themes=("chuai", "focal-sacrifice", "double-king"))
    assert not list(nearest(Options.of(9, wishes=wishes, style=Style.NATURAL), 1, "test", 0.5))
