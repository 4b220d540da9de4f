# SPDX-License-Identifier: GPL-3.0-or-later
"""What is asked for with one thing less: which these are, and what is found then."""

from __future__ import annotations

from dataclasses import replace

from generator.constraints.options import ComposingOptions, Style
from generator.constraints.position import has_given_pieces
from generator.constraints.problem import ProblemConstraints
from generator.run.relaxations import problems_of_relaxations, relaxations
from tests import naive
from tsume_rules.position import parse_square
from tsume_rules.sfen import format_sfen, parse_sfen

HALF = "8l/7k1/5R3/9/9/9/9/9/9 b GS 1"
NEVER = ProblemConstraints(themes=("few-pieces",), defenders=6)
"""A problem of few pieces has fewer of the defender alone."""


def names(options: ComposingOptions) -> list[tuple[str, object]]:
    return [(one.name, one.value) for one in relaxations(options)]


def around(**other: object) -> ComposingOptions:
    fixed = tuple(map(parse_square, ("1a", "2b", "4c")))
    return ComposingOptions.of(5, around=HALF, fixed=fixed, style=Style.NATURAL, **other)


def test_every_wish_is_given_up_by_itself() -> None:
    wishes = ProblemConstraints(themes=("chuai", "switchback"), max_pieces=8, key="quiet", no_promoted=True)
    options = ComposingOptions.of(7, wishes=wishes, style=Style.NATURAL)
    found = names(options)
    assert found[:2] == [("themes", "chuai"), ("themes", "switchback")]
    assert sorted(name for name, _ in found[2:]) == [
        "key", "length", "length", "max_pieces", "no_promoted", "style",
    ]  # fmt: skip
    without = {one.value: one.options for one in relaxations(options) if one.name == "themes"}
    assert without["chuai"].wishes == replace(wishes, themes=("switchback",))
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
    hand = ComposingOptions.of(5, wishes=ProblemConstraints(hand="GGG"))
    assert [one.value for one in relaxations(hand) if one.name == "length"] == [7]
    mates = ComposingOptions.of(1)
    assert [one.value for one in relaxations(mates) if one.name == "length"] == [3]
    extended = ComposingOptions.of(5, starts=("8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1",))
    assert not [one for one in relaxations(extended) if one.name == "length"]


def test_what_is_found_is_as_asked_but_for_one_thing() -> None:
    options = ComposingOptions.of(3, wishes=NEVER, style=Style.NATURAL)
    relaxation, problem = next(problems_of_relaxations(options, 1, "test", 300.0))
    assert relaxation.name in ("themes", "defenders")
    assert relaxation.options.wishes.allow(problem)
    assert not options.wishes.allow(problem)
    sfen = format_sfen(problem.position)
    assert naive.length(sfen, 3) == 3
    assert naive.mating_moves(sfen, 3) == {problem.line[0].usi}


def test_given_pieces_stay_but_for_one() -> None:
    never = around(wishes=ProblemConstraints(max_pieces=5))
    for relaxation, problem in problems_of_relaxations(never, 1, "test", 5.0):
        assert has_given_pieces(relaxation.options, problem.position, problem.line)


def test_a_search_for_what_there_is_not_ends() -> None:
    wishes = ProblemConstraints(themes=("chuai", "focal-sacrifice", "double-king"))
    assert not list(
        problems_of_relaxations(ComposingOptions.of(9, wishes=wishes, style=Style.NATURAL), 1, "test", 0.5)
    )
