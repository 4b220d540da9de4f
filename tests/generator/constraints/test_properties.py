# SPDX-License-Identifier: GPL-3.0-or-later
"""PropertyConstraints of a problem: its position, its first move, its judgement."""

from __future__ import annotations

from dataclasses import replace

import pytest

from generator.constraints.problem import (
    Key,
    PropertyConstraints,
    count_defenders,
    has_promoted,
    is_free_of_defect,
    key_kinds,
)
from solver.results import Defect, Judgement
from tsume_rules.moves import parse_move
from tsume_rules.sfen import parse_sfen


@pytest.mark.parametrize(
    ("board", "promoted", "number"),
    [
        ("9/8k/6+S2/6G2/9/9/9/9/9", True, 0),
        ("7+lk/9/6S2/9/9/9/9/9/9", True, 1),
        ("5gnkl/6g1p/4R4/4B4/9/9/9/9/K8", False, 5),
        ("4k4/9/9/9/9/9/9/9/9", False, 0),
    ],
)
def test_what_stands_on_the_board(board: str, promoted: bool, number: int) -> None:
    position = parse_sfen(f"{board} b G 1").position
    for one in (position, position.mirrored):
        assert (has_promoted(one), count_defenders(one)) == (promoted, number)


KEYS = [
    # board, line, what the first move is
    ("7nk/5G1p1/7S1/9/9/9/9/9/9", "4b3b 1a1b 3b2b", {Key.QUIET}),
    ("7nk/5G1p1/7S1/9/9/9/9/9/9", "2c1b+ 1a1b", {Key.SACRIFICE}),
    ("7nk/5G1p1/7S1/9/9/9/9/9/9", "2c2b+", set()),
    ("7nk/5G1p1/7S1/9/9/9/9/9/9", "2c2b+ 1a2b 4b3b", {Key.SACRIFICE}),
    ("7nk/5G1p1/7S1/9/9/9/9/9/9", "G*1b", {Key.DROP}),
    ("7nk/5G1p1/7S1/9/9/9/9/9/9", "G*1b 1a1b 2c2b", {Key.DROP, Key.SACRIFICE}),
    ("7nk/5G1p1/7S1/9/9/9/9/9/9", "G*3b P*2a 2c2b", {Key.DROP}),
    ("7nk/5G1p1/7S1/9/9/9/9/9/9", "4b3b", {Key.QUIET}),
]


@pytest.mark.parametrize(("board", "line", "kinds"), KEYS)
def test_what_the_first_move_is(board: str, line: str, kinds: set[Key]) -> None:
    position = parse_sfen(f"{board} b G 1").position
    assert key_kinds(position, tuple(map(parse_move, line.split()))) == kinds


def test_a_judgement_that_was_not_settled_does_not_say_what_is_absent() -> None:
    judgement = Judgement(Defect.NONE, remarks=Defect.EQUAL_DEFENCES)
    assert not is_free_of_defect(judgement, Defect.EQUAL_DEFENCES)
    assert is_free_of_defect(judgement, Defect.VARIATION_COOK)
    assert not is_free_of_defect(replace(judgement, unresolved=True), Defect.VARIATION_COOK)


def test_the_remarks_that_are_not_wanted() -> None:
    assert PropertyConstraints().unwanted_defects is Defect.NONE
    assert PropertyConstraints(one_finish=True).unwanted_defects is Defect.LAST_MOVE_ALTERNATIVES
    asked = PropertyConstraints(no_equal_defences=True, no_variation_cooks=True)
    assert asked.unwanted_defects == Defect.EQUAL_DEFENCES | Defect.VARIATION_COOK


def test_whether_a_fact_is_asked_for() -> None:
    assert not PropertyConstraints().has_property_constraints
    assert not PropertyConstraints(defenders=0).has_property_constraints
    assert PropertyConstraints(defenders=1).has_property_constraints
    assert PropertyConstraints(no_promoted=True).has_property_constraints
    assert PropertyConstraints(key="drop").has_property_constraints
