# SPDX-License-Identifier: GPL-3.0-or-later
"""Constraints: how they are read, which contradict each other, what fits them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from generator.constraints.problem import (
    ConstraintError,
    KingRegion,
    ProblemConstraints,
    parse_hand,
    parse_kinds,
)
from generator.problem import Problem
from solver.judging.judge import Judge
from solver.results import Defect, Difficulty
from tsume_rules.position import SQUARES, Hand, Kind, Position, Side, mirrored, parse_square
from tsume_rules.sfen import parse_sfen

SFEN = "9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1"
"""A mate in three by a promoted silver and a gold, in a corner."""
WITH_A_HAND = "9/9/8k/9/9/7R1/9/9/9 b Gr2b3g4s4n4l18p 1"
ALL = ProblemConstraints(
    max_pieces=9, hand="R2P", only="RPG", without="L", themes=("pin-mate",), min_score=1.5, max_score=20.0,
    stars=3, min_quality=40.0, min_resistance=9.5, min_surprise=2.5, region="edge", no_promoted=True,
    defenders=2, no_equal_defences=True, no_variation_cooks=True, one_finish=True, same_when_counted=True,
    key="quiet", distinct_lines=True,
)  # fmt: skip


def position_of(sfen: str) -> Position:
    return parse_sfen(sfen).position


@pytest.fixture(scope="module")
def problem() -> Problem:
    judgement = Judge().judge(position_of(SFEN), 3)
    score = Difficulty({"resistance": 9.0, "surprise": 2.0}, 30.0, 3)
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
        (ProblemConstraints(), "PLNSBRG"),
        (ProblemConstraints(only="RG"), "RG"),
        (ProblemConstraints(without="P"), "LNSBRG"),
        (ProblemConstraints(only="RGP", without="GB"), "RP"),
        (ProblemConstraints(only=""), ""),
    ],
)
def test_the_kinds_left_over(wishes: ProblemConstraints, kinds: str) -> None:
    assert wishes.kinds == parse_kinds(kinds)


# --- records ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("wishes", [ProblemConstraints(), ALL])
def test_wishes_come_back_from_json(wishes: ProblemConstraints) -> None:
    assert ProblemConstraints.from_dict(json.loads(json.dumps(wishes.to_dict()))) == wishes
    assert hash(ProblemConstraints.from_dict(wishes.to_dict())) == hash(wishes)


def test_unknown_names_are_left_out_and_missing_ones_ask_nothing() -> None:
    assert ProblemConstraints.from_dict({"stars": 2, "colour": "red"}) == ProblemConstraints(stars=2)


# --- contradictions --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wishes", "length", "why"),
    [
        (ProblemConstraints(min_score=5, max_score=4), 3, "at least 5"),
        (ProblemConstraints(only=""), 3, "no kind"),
        (ProblemConstraints(only="R", without="R"), 3, "no kind"),
        (ProblemConstraints(hand="3R"), 9, "than a shogi set"),
        (ProblemConstraints(hand="G", without="G"), 3, "is excluded"),
        (ProblemConstraints(hand="G", only="R"), 3, "is excluded"),
        (ProblemConstraints(hand="2G", max_pieces=2), 5, "more than 2 pieces"),
        (ProblemConstraints(hand="3G"), 3, "3 moves"),
        (ProblemConstraints(key="sacrifice"), 1, "cannot be a sacrifice"),
        (ProblemConstraints(key="drop", hand="-"), 3, "cannot be a drop"),
        (ProblemConstraints(defenders=3, max_pieces=4), 3, "are 5 pieces"),
        (ProblemConstraints(defenders=3, max_pieces=5, hand="2G"), 3, "are 6 pieces"),
        (ProblemConstraints(defenders=38), 3, "there are 38 pieces"),
        (ProblemConstraints(defenders=2, only="R"), 3, "there are 2 pieces"),
    ],
)
def test_contradictions_are_found(wishes: ProblemConstraints, length: int, why: str) -> None:
    found = wishes.contradiction(length)
    assert found is not None
    assert why in found


@pytest.mark.parametrize(
    ("wishes", "length"),
    [
        (ProblemConstraints(), 1),
        (ALL, 9),
        (ProblemConstraints(min_score=4, max_score=4), 3),
        (ProblemConstraints(hand="3G"), 5),
        (ProblemConstraints(hand="-"), 1),
        (ProblemConstraints(defenders=3, max_pieces=5), 3),
        (ProblemConstraints(defenders=37), 3),
        (ProblemConstraints(defenders=1, only="R"), 3),
        (ProblemConstraints(defenders=0, max_pieces=2), 3),
        (ProblemConstraints(key="drop", hand="G"), 1),
    ],
)
def test_what_is_possible_is_no_contradiction(wishes: ProblemConstraints, length: int) -> None:
    assert wishes.contradiction(length) is None


@pytest.mark.parametrize(
    "wishes",
    [
        ProblemConstraints(region="middle"),
        ProblemConstraints(hand="K"),
        ProblemConstraints(only="X"),
        ProblemConstraints(key="x"),
    ],
)
def test_what_cannot_be_read_is_refused(wishes: ProblemConstraints) -> None:
    with pytest.raises(ConstraintError):
        wishes.contradiction(3)


# --- regions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "region"),
    [
        ("1a", KingRegion.CORNER), ("3c", KingRegion.CORNER),
        ("9i", KingRegion.CORNER), ("7g", KingRegion.CORNER),
        ("4a", KingRegion.EDGE), ("1d", KingRegion.EDGE), ("9f", KingRegion.EDGE), ("5i", KingRegion.EDGE),
        ("5e", KingRegion.CENTRE), ("3d", KingRegion.CENTRE), ("4c", KingRegion.CENTRE),
        ("2d", None), ("5b", None),
    ],
)  # fmt: skip
def test_where_the_regions_lie(name: str, region: KingRegion | None) -> None:
    found = [one for one in KingRegion if one.contains_king(parse_square(name))]
    assert found == ([] if region is None else [region])


@pytest.mark.parametrize("region", KingRegion)
def test_a_region_holds_mirror_images(region: KingRegion) -> None:
    assert all(region.contains_king(sq) == region.contains_king(mirrored(sq)) for sq in range(SQUARES))


# --- what fits -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fitting", "other"),
    [
        (ProblemConstraints(max_pieces=3), ProblemConstraints(max_pieces=2)),
        (ProblemConstraints(hand="-"), ProblemConstraints(hand="G")),
        (ProblemConstraints(only="GS"), ProblemConstraints(only="G")),
        (
            ProblemConstraints(without="RBP"),
            ProblemConstraints(without="S"),
        ),  # promoted ones count as the kind they were
        (ProblemConstraints(region="corner"), ProblemConstraints(region="edge")),
        (ProblemConstraints(themes=("decoy",)), ProblemConstraints(themes=("decoy", "switchback"))),
        (ProblemConstraints(min_score=30), ProblemConstraints(min_score=30.1)),
        (ProblemConstraints(max_score=30), ProblemConstraints(max_score=29.9)),
        (ProblemConstraints(stars=3), ProblemConstraints(stars=2)),
        (ProblemConstraints(min_quality=50), ProblemConstraints(min_quality=51)),
        (ProblemConstraints(min_resistance=9), ProblemConstraints(min_resistance=9.1)),
        (ProblemConstraints(min_surprise=2), ProblemConstraints(min_surprise=2.1)),
    ],
)
def test_each_wish_decides_alone(
    fitting: ProblemConstraints, other: ProblemConstraints, problem: Problem
) -> None:
    assert fitting.allow(problem)
    assert not other.allow(problem)


def test_facts_decide_alone(problem: Problem) -> None:
    """The problem has a promoted piece, two longest defences and a quiet first move."""
    remarks = problem.judgement.remarks
    assert ProblemConstraints(key="quiet").allow(problem)
    assert ProblemConstraints(same_when_counted=True, defenders=0).allow(problem)
    for wishes in (
        ProblemConstraints(key="drop"),
        ProblemConstraints(key="sacrifice"),
        ProblemConstraints(no_promoted=True),
        ProblemConstraints(defenders=1),
        ProblemConstraints(no_equal_defences=True),
    ):
        assert not wishes.allow(problem)
    for known in (None, False):
        assert not ProblemConstraints(same_when_counted=True).allow(replace(problem, same_when_counted=known))
    for name, remark in (
        ("no_equal_defences", Defect.EQUAL_DEFENCES), ("no_variation_cooks", Defect.VARIATION_COOK),
        ("one_finish", Defect.LAST_MOVE_ALTERNATIVES),
    ):  # fmt: skip
        wishes = ProblemConstraints.from_dict({name: True})
        assert wishes.unwanted_defects is remark
        for judgement in (
            replace(problem.judgement, remarks=remarks & ~remark),
            replace(problem.judgement, remarks=remarks | remark),
            replace(problem.judgement, remarks=remarks & ~remark, unresolved=True),
        ):
            wished = not judgement.unresolved and remark not in judgement.remarks
            assert wishes.allow(replace(problem, judgement=judgement)) is wished


def test_facts_leave_the_style_alone() -> None:
    facts = ProblemConstraints(
        no_promoted=True, defenders=2, one_finish=True, same_when_counted=True, key="drop"
    )
    assert facts.has_any
    assert not facts.restrict_position_or_line
    assert ProblemConstraints(hand="-").restrict_position_or_line


def test_one_wish_unfulfilled_is_enough(problem: Problem) -> None:
    wishes = ProblemConstraints(
        max_pieces=3, hand="-", only="GS", region="corner", themes=("decoy",), stars=3
    )
    assert wishes.allow(problem)
    assert not replace(wishes, stars=1).allow(problem)


def test_the_hand_is_wished_exactly() -> None:
    position = position_of(WITH_A_HAND)
    assert ProblemConstraints(hand="G").allow_position(position)
    assert not any(ProblemConstraints(hand=hand).allow_position(position) for hand in ("-", "2G", "GP", "R"))


def test_pieces_in_hand_count_as_pieces_and_kinds() -> None:
    position = position_of(WITH_A_HAND)
    assert ProblemConstraints(max_pieces=3, only="RG").allow_position(position)
    assert not ProblemConstraints(max_pieces=2).allow_position(position)
    assert not ProblemConstraints(only="R").allow_position(position)


def test_the_attackers_king_counts_as_a_piece_but_no_kind() -> None:
    position = position_of("9/9/8k/9/9/7R1/9/9/K8 b Gr2b3g4s4n4l18p 1")
    assert position.king(Side.ATTACKER) is not None
    assert ProblemConstraints(max_pieces=4, only="RG").allow_position(position)
    assert not ProblemConstraints(max_pieces=3).allow_position(position)
