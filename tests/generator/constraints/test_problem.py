"""Constraints: how they are read, which contradict each other, what fits them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from generator.constraints.problem import ConstraintError, Constraints, Region, parse_hand, parse_kinds
from generator.problem import Problem
from solver.defects import Defect
from solver.judging.judge import Judge
from solver.results import Difficulty
from tsume_rules.hands import Hand
from tsume_rules.pieces import Kind, Side
from tsume_rules.position import Position
from tsume_rules.sfen import parse_sfen
from tsume_rules.squares import SQUARES, mirrored, parse_square

SFEN = "9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1"
"""A mate in three by a promoted silver and a gold, in a corner."""
WITH_A_HAND = "9/9/8k/9/9/7R1/9/9/9 b Gr2b3g4s4n4l18p 1"
ALL = Constraints(
    max_pieces=9, hand="R2P", only="RPG", without="L", themes=("pin-mate",), min_score=1.5, max_score=20.0,
    stars=3, min_quality=40.0, region="edge", no_promoted=True, defenders=2, no_equal_defences=True,
    no_variation_cooks=True, one_finish=True, same_when_counted=True, key="quiet", distinct_lines=True,
)  # fmt: skip


def position_of(sfen: str) -> Position:
    return parse_sfen(sfen).position


@pytest.fixture(scope="module")
def problem() -> Problem:
    judgement = Judge().judge(position_of(SFEN), 3)
    score = Difficulty({}, 30.0, 3)
    themes = ("pin-mate", "decoy")
    return Problem(position_of(SFEN), judgement, score, None, themes, 50.0, same_when_counted=True)


# --- reading ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("-", {}),
        ("R", {Kind.ROOK: 1}),
        ("R2P", {Kind.ROOK: 1, Kind.PAWN: 2}),
        ("2P2p", {Kind.PAWN: 4}),
        ("12P", {Kind.PAWN: 12}),
        ("rbgsnlp", dict.fromkeys((Kind(kind) for kind in range(1, 8)), 1)),
    ],
)
def test_hands_are_read_as_in_sfen(text: str, counts: dict[Kind, int]) -> None:
    assert parse_hand(text) == Hand.of(counts)


@pytest.mark.parametrize("text", ["", "2", "R2", "K", "--", "R-", "x", "²P"])
def test_what_is_not_a_hand_is_refused(text: str) -> None:
    with pytest.raises(ConstraintError):
        parse_hand(text)


def test_kinds_are_read_by_their_letters() -> None:
    assert parse_kinds("RbG") == {Kind.ROOK, Kind.BISHOP, Kind.GOLD}
    with pytest.raises(ConstraintError, match="'K'"):
        parse_kinds("RK")


@pytest.mark.parametrize(
    ("wishes", "kinds"),
    [
        (Constraints(), "PLNSBRG"),
        (Constraints(only="RG"), "RG"),
        (Constraints(without="P"), "LNSBRG"),
        (Constraints(only="RGP", without="GB"), "RP"),
        (Constraints(only=""), ""),
    ],
)
def test_the_kinds_left_over(wishes: Constraints, kinds: str) -> None:
    assert wishes.kinds == parse_kinds(kinds)


# --- records ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wishes", [Constraints(), ALL])
def test_wishes_come_back_from_json(wishes: Constraints) -> None:
    assert Constraints.from_dict(json.loads(json.dumps(wishes.to_dict()))) == wishes
    assert hash(Constraints.from_dict(wishes.to_dict())) == hash(wishes)


def test_unknown_names_are_left_out_and_missing_ones_ask_nothing() -> None:
    assert Constraints.from_dict({"stars": 2, "colour": "red"}) == Constraints(stars=2)


# --- contradictions --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wishes", "length", "why"),
    [
        (Constraints(min_score=5, max_score=4), 3, "at least 5"),
        (Constraints(only=""), 3, "no kind"),
        (Constraints(only="R", without="R"), 3, "no kind"),
        (Constraints(hand="3R"), 9, "than a shogi set"),
        (Constraints(hand="G", without="G"), 3, "is excluded"),
        (Constraints(hand="G", only="R"), 3, "is excluded"),
        (Constraints(hand="2G", max_pieces=2), 5, "more than 2 pieces"),
        (Constraints(hand="3G"), 3, "3 moves"),
        (Constraints(key="sacrifice"), 1, "cannot be a sacrifice"),
        (Constraints(key="drop", hand="-"), 3, "cannot be a drop"),
        (Constraints(defenders=3, max_pieces=4), 3, "are 5 pieces"),
        (Constraints(defenders=3, max_pieces=5, hand="2G"), 3, "are 6 pieces"),
        (Constraints(defenders=38), 3, "there are 38 pieces"),
        (Constraints(defenders=2, only="R"), 3, "there are 2 pieces"),
    ],
)
def test_contradictions_are_found(wishes: Constraints, length: int, why: str) -> None:
    found = wishes.contradiction(length)
    assert found is not None
    assert why in found


@pytest.mark.parametrize(
    ("wishes", "length"),
    [
        (Constraints(), 1),
        (ALL, 9),
        (Constraints(min_score=4, max_score=4), 3),
        (Constraints(hand="3G"), 5),
        (Constraints(hand="-"), 1),
        (Constraints(defenders=3, max_pieces=5), 3),
        (Constraints(defenders=37), 3),
        (Constraints(defenders=1, only="R"), 3),
        (Constraints(defenders=0, max_pieces=2), 3),
        (Constraints(key="drop", hand="G"), 1),
    ],
)
def test_what_is_possible_is_no_contradiction(wishes: Constraints, length: int) -> None:
    assert wishes.contradiction(length) is None


@pytest.mark.parametrize(
    "wishes",
    [Constraints(region="middle"), Constraints(hand="K"), Constraints(only="X"), Constraints(key="x")],
)
def test_what_cannot_be_read_is_refused(wishes: Constraints) -> None:
    with pytest.raises(ConstraintError):
        wishes.contradiction(3)


# --- regions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "region"),
    [
        ("1a", Region.CORNER), ("3c", Region.CORNER), ("9i", Region.CORNER), ("7g", Region.CORNER),
        ("4a", Region.EDGE), ("1d", Region.EDGE), ("9f", Region.EDGE), ("5i", Region.EDGE),
        ("5e", Region.CENTRE), ("3d", Region.CENTRE), ("4c", Region.CENTRE), ("2d", None), ("5b", None),
    ],
)  # fmt: skip
def test_where_the_regions_lie(name: str, region: Region | None) -> None:
    found = [one for one in Region if one.holds(parse_square(name))]
    assert found == ([] if region is None else [region])


@pytest.mark.parametrize("region", Region)
def test_a_region_holds_mirror_images(region: Region) -> None:
    assert all(region.holds(sq) == region.holds(mirrored(sq)) for sq in range(SQUARES))


# --- what fits -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fitting", "other"),
    [
        (Constraints(max_pieces=3), Constraints(max_pieces=2)),
        (Constraints(hand="-"), Constraints(hand="G")),
        (Constraints(only="GS"), Constraints(only="G")),
        (Constraints(without="RBP"), Constraints(without="S")),  # promoted ones count as the kind they were
        (Constraints(region="corner"), Constraints(region="edge")),
        (Constraints(themes=("decoy",)), Constraints(themes=("decoy", "switchback"))),
        (Constraints(min_score=30), Constraints(min_score=30.1)),
        (Constraints(max_score=30), Constraints(max_score=29.9)),
        (Constraints(stars=3), Constraints(stars=2)),
        (Constraints(min_quality=50), Constraints(min_quality=51)),
    ],
)
def test_each_wish_decides_alone(fitting: Constraints, other: Constraints, problem: Problem) -> None:
    assert fitting.fit(problem)
    assert not other.fit(problem)


def test_facts_decide_alone(problem: Problem) -> None:
    """The problem has a promoted piece, two longest defences and a quiet first move."""
    remarks = problem.judgement.remarks
    assert Constraints(key="quiet").fit(problem)
    assert Constraints(same_when_counted=True, defenders=0).fit(problem)
    for wishes in (
        Constraints(key="drop"),
        Constraints(key="sacrifice"),
        Constraints(no_promoted=True),
        Constraints(defenders=1),
        Constraints(no_equal_defences=True),
    ):
        assert not wishes.fit(problem)
    for known in (None, False):
        assert not Constraints(same_when_counted=True).fit(replace(problem, same_when_counted=known))
    for name, remark in (
        ("no_equal_defences", Defect.EQUAL_DEFENCES), ("no_variation_cooks", Defect.VARIATION_COOK),
        ("one_finish", Defect.LAST_MOVE_ALTERNATIVES),
    ):  # fmt: skip
        wishes = Constraints.from_dict({name: True})
        assert wishes.unwanted is remark
        for judgement in (
            replace(problem.judgement, remarks=remarks & ~remark),
            replace(problem.judgement, remarks=remarks | remark),
            replace(problem.judgement, remarks=remarks & ~remark, unresolved=True),
        ):
            wished = not judgement.unresolved and remark not in judgement.remarks
            assert wishes.fit(replace(problem, judgement=judgement)) is wished


def test_facts_leave_the_style_alone() -> None:
    facts = Constraints(no_promoted=True, defenders=2, one_finish=True, same_when_counted=True, key="drop")
    assert facts.asks
    assert not facts.restrict
    assert Constraints(hand="-").restrict


def test_one_wish_unfulfilled_is_enough(problem: Problem) -> None:
    wishes = Constraints(max_pieces=3, hand="-", only="GS", region="corner", themes=("decoy",), stars=3)
    assert wishes.fit(problem)
    assert not replace(wishes, stars=1).fit(problem)


def test_the_hand_is_wished_exactly() -> None:
    position = position_of(WITH_A_HAND)
    assert Constraints(hand="G").fit_position(position)
    assert not any(Constraints(hand=hand).fit_position(position) for hand in ("-", "2G", "GP", "R"))


def test_pieces_in_hand_count_as_pieces_and_kinds() -> None:
    position = position_of(WITH_A_HAND)
    assert Constraints(max_pieces=3, only="RG").fit_position(position)
    assert not Constraints(max_pieces=2).fit_position(position)
    assert not Constraints(only="R").fit_position(position)


def test_the_attackers_king_counts_as_a_piece_but_no_kind() -> None:
    position = position_of("9/9/8k/9/9/7R1/9/9/K8 b Gr2b3g4s4n4l18p 1")
    assert position.king(Side.ATTACKER) is not None
    assert Constraints(max_pieces=4, only="RG").fit_position(position)
    assert not Constraints(max_pieces=3).fit_position(position)
