# SPDX-License-Identifier: GPL-3.0-or-later
"""Constraints: how they are read, which contradict each other, what fits them."""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, reduce
from typing import Any

import numpy as np
import pytest
import shogi
from hypothesis import given
from hypothesis import strategies as st

from generator.acceptance.pipeline import may_meet_constraints
from generator.candidate import Candidate
from generator.changes import changes_of
from generator.constraints.line_pattern import ConstraintError
from generator.constraints.options import ComposingOptions, Style
from generator.constraints.position import (
    GivenError,
    PositionConstraints,
    escape_from_check,
    fault_of_given_start,
    has_given_pieces,
    is_mate,
    parse_final_position,
    position_constraints,
)
from generator.constraints.problem import (
    Key,
    KingRegion,
    ProblemConstraints,
    PropertyConstraints,
    count_defenders,
    has_promoted,
    is_free_of_defect,
    key_kinds,
    parse_hand,
    parse_kinds,
)
from generator.kernel.positions import meets_position_constraints
from generator.likeness import model_for_length
from generator.local_search.search import REPAIR_EDITS, PositionSampler
from generator.problem import Problem
from generator.reverse.seeds import MAX_ADDED, with_pieces_added
from generator.run.composer import Composer
from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.judge import Judge
from solver.results import Defect, Difficulty, Grade, Judgement
from tests import naive
from tests.candidates import extender, grown, mates_in_one
from tests.positions import position_of
from tsume_rules.kernel.tables import CELL
from tsume_rules.moves import parse_move, position_after
from tsume_rules.packed import pack, pack_move, unpack, unpack_move
from tsume_rules.position import (
    SQUARES,
    Hand,
    IllegalPosition,
    Kind,
    Position,
    Side,
    mirrored,
    parse_square,
    square_name,
)
from tsume_rules.sfen import SfenError, format_sfen, parse_sfen

SFEN = "9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1"
"""A mate in three by a promoted silver and a gold, in a corner."""
EMPTY_PROBLEM = "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1 moves G*5b"
WITH_A_HAND = "9/9/8k/9/9/7R1/9/9/9 b Gr2b3g4s4n4l18p 1"
ALL = ProblemConstraints(
    max_pieces=9, hand="R2P", only="RPG", without="L", themes=("pin-mate",), min_score=1.5, max_score=20.0,
    stars=3, min_quality=40.0, min_resistance=9.5, min_surprise=2.5, region="edge", no_promoted=True,
    defenders=2, no_equal_defences=True, no_variation_cooks=True, one_finish=True, same_when_counted=True,
    key="quiet", distinct_lines=True, min_pieces=4, end_pieces=8, max_defenders=3, min_hand="P", hand_only="RP",
    area="right", mate_on="edge", last="P", line="x ... P", known=(f"{SFEN} moves 3c2b 1b1c",),
)  # fmt: skip


@pytest.fixture(scope="module")
def problem() -> Problem:
    judgement = Judge().judge(position_of(SFEN), 3)
    score = Difficulty({"resistance": 9.0, "surprise": 2.0}, 50.0)
    themes = ("pin-mate", "decoy")
    return Problem(position_of(SFEN), judgement, score, None, themes, 50.0, same_when_counted=True)


def candidate_of(problem: Problem) -> Candidate:
    return Candidate(pack(problem.position), problem.length, tuple(map(pack_move, problem.line)), 0)


# --- reading ---------------------------------------------------------------------------------------
def test_hands_and_kinds_are_read_as_in_sfen() -> None:
    hands: dict[str, dict[Kind, int]] = {
        "-": {}, "R": {Kind.ROOK: 1}, "R2P": {Kind.ROOK: 1, Kind.PAWN: 2}, "2P2p": {Kind.PAWN: 4},
        "12P": {Kind.PAWN: 12}, "rbgsnlp": dict.fromkeys((Kind(kind) for kind in range(1, 8)), 1),
    }  # fmt: skip
    for text, counts in hands.items():
        assert parse_hand(text) == Hand.of(counts), text
    for text in ("", "2", "R2", "K", "--", "R-", "x", "²P"):
        with pytest.raises(ConstraintError):
            parse_hand(text)
    assert parse_kinds("RbG") == {Kind.ROOK, Kind.BISHOP, Kind.GOLD}
    with pytest.raises(ConstraintError, match="'K'"):
        parse_kinds("RK")
    for wishes, kinds in (
        (ProblemConstraints(), "PLNSBRG"),
        (ProblemConstraints(only="RG"), "RG"),
        (ProblemConstraints(without="P"), "LNSBRG"),
        (ProblemConstraints(only="RGP", without="GB"), "RP"),
        (ProblemConstraints(only=""), ""),
    ):
        assert wishes.kinds == parse_kinds(kinds)


# --- records ---------------------------------------------------------------------------------------
def test_wishes_come_back_from_json() -> None:
    for wishes in (ProblemConstraints(), ALL):
        assert ProblemConstraints.from_dict(json.loads(json.dumps(wishes.to_dict()))) == wishes
        assert hash(ProblemConstraints.from_dict(wishes.to_dict())) == hash(wishes)
    # unknown names are left out
    assert ProblemConstraints.from_dict({"stars": 2, "colour": "red"}) == ProblemConstraints(stars=2)


# --- contradictions --------------------------------------------------------------------------------
@pytest.mark.parametrize(("wishes", "length", "why"), [
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
    (ProblemConstraints(min_pieces=8, max_pieces=7), 3, "at least 8 and at most 7"),
    (ProblemConstraints(defenders=3, max_defenders=2), 3, "at least 3 and at most 2"),
    (ProblemConstraints(hand="P", min_hand="2P"), 5, "does not have 2P"),
    (ProblemConstraints(min_hand="G", hand_only="P"), 5, "is excluded"),
    (ProblemConstraints(min_hand="3P"), 3, "3 moves"),
    (ProblemConstraints(area="2x3", region="centre"), 3, "no square of the area"),
    (ProblemConstraints(last="P*,P*2b"), 3, "打歩詰"),
    (ProblemConstraints(line="x x x x"), 3, "has 4 moves, not 3"),
    (ProblemConstraints(line="x x"), 3, "has 2 moves, not 3"),
    (ProblemConstraints(line="x x x ... x"), 3, "has 4 moves, not 3"),
])  # fmt: skip
def test_contradictions_are_found(wishes: ProblemConstraints, length: int, why: str) -> None:
    found = wishes.contradiction(length)
    assert found is not None
    assert why in found


def test_what_is_possible_is_no_contradiction() -> None:
    for wishes, length in (
        (ProblemConstraints(), 1), (ALL, 9), (ProblemConstraints(min_score=4, max_score=4), 3),
        (ProblemConstraints(hand="3G"), 5), (ProblemConstraints(hand="-"), 1),
        (ProblemConstraints(defenders=3, max_pieces=5), 3), (ProblemConstraints(defenders=37), 3),
        (ProblemConstraints(defenders=1, only="R"), 3), (ProblemConstraints(defenders=0, max_pieces=2), 3),
        (ProblemConstraints(key="drop", hand="G"), 1), (ProblemConstraints(last="P*,P", line="x ..."), 3),
        (ProblemConstraints(area="5a-1c", region="corner", min_pieces=3, max_pieces=3), 3),
    ):  # fmt: skip
        assert wishes.contradiction(length) is None, wishes
    for unreadable in (
        {"region": "middle"}, {"hand": "K"}, {"only": "X"}, {"key": "x"}, {"min_hand": "K"}, {"area": "3x"},
        {"area": "0x3"}, {"area": "5a-"}, {"mate_on": "0a"}, {"mate_on": "middle"}, {"last": ""}, {"line": "x k"},
        {"line": " "}, {"known": ["x"]}, {"known": [f"{SFEN} moves 1"]},
    ):  # fmt: skip
        with pytest.raises(ConstraintError):
            ProblemConstraints.from_dict(unreadable).contradiction(3)


# --- regions ---------------------------------------------------------------------------------------
def test_where_the_regions_lie() -> None:
    named = {
        KingRegion.CORNER: "1a 3c 9i 7g", KingRegion.EDGE: "4a 1d 9f 5i", KingRegion.CENTRE: "5e 3d 4c",
        None: "2d 5b",
    }  # fmt: skip
    for region, names in named.items():
        for name in names.split():
            found = [one for one in KingRegion if one.contains_king(parse_square(name))]
            assert found == ([] if region is None else [region]), name
    for one in KingRegion:
        assert all(one.contains_king(sq) == one.contains_king(mirrored(sq)) for sq in range(SQUARES))


# --- what fits -------------------------------------------------------------------------------------
@pytest.mark.parametrize(("fitting", "other"), [
    (ProblemConstraints(max_pieces=3), ProblemConstraints(max_pieces=2)),
    (ProblemConstraints(hand="-"), ProblemConstraints(hand="G")),
    (ProblemConstraints(only="GS"), ProblemConstraints(only="G")),
    # promoted ones count as the kind they were
    (ProblemConstraints(without="RBP"), ProblemConstraints(without="S")),
    (ProblemConstraints(region="corner"), ProblemConstraints(region="edge")),
    (ProblemConstraints(themes=("decoy",)), ProblemConstraints(themes=("decoy", "switchback"))),
    (ProblemConstraints(min_score=50), ProblemConstraints(min_score=50.1)),
    (ProblemConstraints(max_score=50), ProblemConstraints(max_score=49.9)),
    (ProblemConstraints(stars=3), ProblemConstraints(stars=2)),
    (ProblemConstraints(min_quality=50), ProblemConstraints(min_quality=51)),
    (ProblemConstraints(min_resistance=9), ProblemConstraints(min_resistance=9.1)),
    (ProblemConstraints(min_surprise=2), ProblemConstraints(min_surprise=2.1)),
    (ProblemConstraints(min_pieces=3), ProblemConstraints(min_pieces=4)),
    (ProblemConstraints(end_pieces=3), ProblemConstraints(end_pieces=2)),
    (ProblemConstraints(max_defenders=0), ProblemConstraints(min_hand="G")),
    (ProblemConstraints(hand_only="P"), ProblemConstraints(last="G*")),
    (ProblemConstraints(area="3x4"), ProblemConstraints(area="3x3")),
    (ProblemConstraints(area="9a-7d"), ProblemConstraints(area="2b-3d")),
    (ProblemConstraints(mate_on="corner"), ProblemConstraints(mate_on="edge")),
    (ProblemConstraints(last="+S,G"), ProblemConstraints(last="S+,G*")),
    (ProblemConstraints(line="... K x"), ProblemConstraints(line="K ... x")),
    (ProblemConstraints(known=(EMPTY_PROBLEM,)), ProblemConstraints(known=(EMPTY_PROBLEM, SFEN))),
])  # fmt: skip
def test_each_wish_decides_alone(fitting: ProblemConstraints, other: ProblemConstraints, problem: Problem) -> None:
    assert fitting.allow(problem)
    assert not other.allow(problem)


def test_all_squares_are_seen_from_one_side(problem: Problem) -> None:
    """The king starts on 1b; what is asked of the mirror image is asked of all of it."""
    last, king = problem.line[-1].target, PositionConstraints().king_squares
    ends = [sq for sq in king if ProblemConstraints(mate_on=square_name(sq)).allow(problem)]
    assert len(ends) == 2
    assert ends[0] == mirrored(ends[1])
    right, left = sorted(map(square_name, ends))
    here, there = square_name(last), square_name(mirrored(last))
    assert ProblemConstraints(mate_on=right, last=here, area="3x4").allow(problem)
    assert ProblemConstraints(mate_on=left, last=there, area="9a-7d").allow(problem)
    for mixed in ({"mate_on": right, "last": there}, {"mate_on": right, "last": here, "area": "9a-7d"}):
        assert not ProblemConstraints.from_dict(mixed).allow(problem)


def test_known_problems_are_met_in_any_form(problem: Problem) -> None:
    for sfen in (SFEN, format_sfen(position_of(SFEN).mirrored), "9/8k/6+S2/6G2/9/9/9/p8/9 b 2r2b3g3s4n4l17p 1"):
        wishes = ProblemConstraints(known=(sfen,))
        assert not wishes.has_any
        assert not wishes.restrict_position_or_line
        assert not wishes.allow(problem), sfen
        assert not may_meet_constraints(wishes, candidate_of(problem)), sfen


def test_what_is_no_longer_possible_is_told_early(problem: Problem) -> None:
    """A candidate may still lose pieces, and promoted ones may become plain."""
    candidate = candidate_of(problem)
    assert may_meet_constraints(ProblemConstraints(max_pieces=3, mate_on="corner", last="+S,G"), candidate)
    for wishes in ({"no_promoted": True}, {"max_pieces": 2}):
        assert may_meet_constraints(ProblemConstraints.from_dict(wishes), candidate)
    for other in ({"mate_on": "5e"}, {"last": "G*"}, {"line": "* x x"}, {"min_pieces": 4}, {"area": "1x1"}):
        assert not may_meet_constraints(ProblemConstraints.from_dict(other), candidate), other


def test_the_end_of_a_line_decides_before_its_beginning_is_known(problem: Problem) -> None:
    position, line = problem.position, problem.line
    for wishes, fits in (
        ({"line": "R* K x x x"}, True), ({"line": "x x x x G*"}, False), ({"line": "... R* ... x"}, True),
        ({"mate_on": "corner"}, True), ({"mate_on": "5e"}, False), ({"last": "G*"}, False), ({"end_pieces": 2}, False),
    ):  # fmt: skip
        nearness = ProblemConstraints.from_dict(wishes).line_nearness(position, line, 5)
        assert (nearness == 1.0) is fits, wishes


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
    facts = ProblemConstraints(no_promoted=True, defenders=2, one_finish=True, same_when_counted=True, key="drop")
    assert facts.has_any
    assert not facts.restrict_position_or_line
    assert ProblemConstraints(hand="-").restrict_position_or_line
    assert not PropertyConstraints().has_property_constraints
    assert not PropertyConstraints(defenders=0).has_property_constraints
    assert PropertyConstraints(defenders=1).has_property_constraints
    assert PropertyConstraints(no_promoted=True).has_property_constraints
    assert PropertyConstraints(key="drop").has_property_constraints


def test_one_wish_unfulfilled_is_enough(problem: Problem) -> None:
    wishes = ProblemConstraints(max_pieces=3, hand="-", only="GS", region="corner", themes=("decoy",), stars=3)
    assert wishes.allow(problem)
    assert not replace(wishes, stars=1).allow(problem)


def test_the_hand_is_wished_exactly() -> None:
    position = position_of(WITH_A_HAND)
    assert ProblemConstraints(hand="G").allow_position(position)
    assert not any(ProblemConstraints(hand=hand).allow_position(position) for hand in ("-", "2G", "GP", "R"))
    assert ProblemConstraints(max_pieces=3, only="RG").allow_position(position)
    assert not ProblemConstraints(max_pieces=2).allow_position(position)
    assert not ProblemConstraints(only="R").allow_position(position)
    position = position_of("9/9/8k/9/9/7R1/9/9/K8 b Gr2b3g4s4n4l18p 1")
    assert position.king(Side.ATTACKER) is not None
    assert ProblemConstraints(max_pieces=4, only="RG").allow_position(position)
    assert not ProblemConstraints(max_pieces=3).allow_position(position)


# --- constraints on a walk hold for all its positions and change nothing else ----------------------

REGIONS = [None, *KingRegion]
HALF = parse_sfen("7nl/7k1/6p2/9/6S2/9/9/9/9 b - 1").position


@cache
def _grown() -> list[Candidate]:
    return grown(3)


def walked(asked: PositionConstraints, n: int = 3, tries: int = 20) -> Iterator[Position]:
    """Positions that starts and walks come to."""
    sampler = PositionSampler(DfPnEngine(table_bits=16), np.array([n], dtype=np.uint64))
    sampler.set_constraints(asked)
    model = model_for_length(n).with_any_opening()
    for _ in range(tries):
        start = sampler.draw_start(n, REPAIR_EDITS, model)
        if start is not None:
            yield unpack(start.packed)
            yield from (unpack(candidate.packed) for candidate in sampler.walks(start, 3, 50, model))


@pytest.mark.parametrize(
    "wishes",
    [
        ProblemConstraints(hand="GS"),
        ProblemConstraints(hand="-"),
        ProblemConstraints(only="RGSP"),
        ProblemConstraints(without="RB"),
        ProblemConstraints(max_pieces=7),
        ProblemConstraints(region="centre"),
        ProblemConstraints(region="edge", hand="R"),
        ProblemConstraints(hand_only="PG", max_defenders=2),
        ProblemConstraints(area="4x4"),
    ],
    ids=repr,
)
def test_wishes_hold_at_every_step(wishes: ProblemConstraints) -> None:
    found = list(walked(position_constraints(ComposingOptions(3, wishes))))
    assert found
    assert all(map(wishes.allow_position, found))


def test_given_pieces_stay_and_no_promoted_piece_comes_up() -> None:
    found = list(walked(PositionConstraints(promoted=False)))
    assert found
    assert not [p for position in found for p in position.board if p and p.kind.base != p.kind]
    pieces = {square: piece for square, piece in enumerate(HALF.board) if piece}
    empty = {square: None for square in range(SQUARES) if square % 9 == 1 and square not in pieces}
    found = list(walked(PositionConstraints(kept={**pieces, **empty}), tries=40))
    assert found
    for position in found:
        assert all(position.board[square] == piece for square, piece in pieces.items()), format_sfen(position)
        assert not any(position.board[square] for square in empty), format_sfen(position)


def test_a_side_has_no_more_pieces_than_asked() -> None:
    for side, asked in (
        (Side.ATTACKER, PositionConstraints(attackers=2)),
        (Side.DEFENDER, PositionConstraints(defenders=1)),  # beside the king
    ):
        boards = [position.board for position in walked(asked)]
        assert max(sum(p is not None and p.side is side for p in board) for board in boards) == 2


def test_an_attackers_king_comes_and_stays() -> None:
    found = list(walked(PositionConstraints(own_king=True), tries=30))
    assert found
    assert all(position.king(Side.ATTACKER) is not None for position in found)
    assert not any(position.king(Side.ATTACKER) is not None for position in walked(PositionConstraints(promoted=False)))


@given(st.integers(0, SQUARES - 1), st.sampled_from(REGIONS))
def test_the_regions_are_those_of_the_wishes(square: int, region: KingRegion | None) -> None:
    packed = position_constraints(ComposingOptions(3, ProblemConstraints(region=region))).packed()
    assert bool(packed.king_may_stand[CELL[square]]) == (region is None or region.contains_king(square))


@given(
    st.integers(0, 10_000),
    st.sampled_from([None, "-", "G", "R2P"]),
    st.frozensets(st.sampled_from("PLNSGBR"), min_size=4).map("".join),
    st.booleans(),
    st.integers(3, 12),
    st.sampled_from(REGIONS),
    st.sampled_from([{}, {"min_hand": "G"}, {"hand_only": "GP"}, {"max_defenders": 2}, {"area": "9x3"}]),
)
def test_a_slow_twin_agrees(
    number: int, hand: str | None, only: str, plain: bool, pieces: int, region: KingRegion | None, other: dict[str, Any]
) -> None:
    candidates = _grown()
    position = unpack(candidates[number % len(candidates)].packed)
    wishes = ProblemConstraints(hand=hand, only=only, max_pieces=pieces, region=region, no_promoted=plain, **other)
    asked = position_constraints(ComposingOptions(3, wishes)).packed()
    assert bool(meets_position_constraints(pack(position), asked)) == wishes.allow_position(position)


def test_kept_squares_are_compared() -> None:
    asked = PositionConstraints(kept=dict(enumerate(HALF.board))).packed()
    assert meets_position_constraints(pack(HALF), asked)
    others = [other for _, other in changes_of(HALF) if other.board != HALF.board]
    assert len(others) > 100
    assert not any(meets_position_constraints(pack(other), asked) for other in others)


# --- Given final positions and half-made ones: what comes of them has what was given ---------------

HEAD_GOLD = "4k4/4G4/4P4/9/9/9/9/9/9 w - 1"
ROTATED = "9/9/9/9/9/9/4p4/4g4/4K4 b - 1"
HALF_GIVEN = "4k4/4p4/9/3B1B3/9/9/9/9/9 b - 1"


def composed(options: ComposingOptions, roots: int) -> list[Problem]:
    composer = Composer(1, options, "test")
    return [problem for index in range(roots) for problem in composer.root(index).problems]


def test_either_side_may_be_the_mated_one() -> None:
    final = parse_final_position(HEAD_GOLD)
    assert final == parse_final_position(ROTATED) == parse_final_position("4k4/4G4/4P4/9/9/9/9/9/9 w -")
    assert final == parse_final_position(f"sfen {HEAD_GOLD}") == parse_final_position(f"sfen {ROTATED}")
    assert final.king(Side.DEFENDER) is not None


@pytest.mark.parametrize(("sfen", "error"), [
    ("4k4/4G4/9/9/9/9/9/9/9 w - 1", GivenError),
    ("4k4/9/4P4/9/9/9/9/9/9 w - 1", GivenError),
    ("4k4/4G4/4P4/9/9/9/9/9/9 w P 1", GivenError),
    ("sfen 4k4/9/4P4/9/9/9/9/9/9 w - 1", GivenError),
    ("sfen 4k4/4G4/4P4/9/9/9/9/9/9 w P 1", GivenError),
    (f"sfen sfen {HEAD_GOLD}", SfenError),
    ("4k4/4G4/4P4/9/9/9/9/9/9 x - 1", SfenError),
    ("nonsense", SfenError),
    ("", SfenError),
    ("sfen", SfenError),
    ("4k4/4G4/4P4/4P4/9/9/9/9/9 w - 1", IllegalPosition),
])  # fmt: skip
def test_what_is_no_final_position_is_refused(sfen: str, error: type[ValueError]) -> None:
    with pytest.raises(error):
        parse_final_position(sfen)


def test_the_slow_twin_knows_the_same_mates() -> None:
    for candidate in mates_in_one(extender(3), 10):
        position = unpack(candidate.packed)
        end = position_after(position, unpack_move(candidate.line[0]))
        assert is_mate(end)
        assert naive.length(format_sfen(position), 1) == 1
    assert not is_mate(parse_sfen(HALF_GIVEN).position)


def test_company_leaves_what_was_there_and_the_mate() -> None:
    final = parse_final_position(HEAD_GOLD)
    rng = np.random.default_rng(1)
    found = [with_pieces_added(final, rng) for _ in range(60)]
    assert len({position.board for position in found}) > 40
    for position in found:
        assert is_mate(position)
        assert not position.attacker_hand
        assert position.piece_count() <= final.piece_count() + MAX_ADDED
        assert all(position.board[sq] == piece for sq, piece in enumerate(final.board) if piece is not None)


def test_problems_end_with_the_given_pieces_on_their_squares() -> None:
    final = parse_final_position(HEAD_GOLD)
    found = composed(ComposingOptions.of(3, final=HEAD_GOLD), 60)
    assert len(found) > 2
    pieces = [(sq, piece) for sq, piece in enumerate(final.board) if piece is not None]
    for problem in found:
        mate = reduce(position_after, problem.line, problem.position)
        assert any(all(m.board[sq] == piece for sq, piece in pieces) for m in (mate, mate.mirrored))
        assert Judge().judge(problem.position, 3).grade is Grade.PERFECT


def test_problems_end_in_exactly_the_given_position() -> None:
    place, found = extender(5), 0
    for _ in range(40):
        drawn = place.draw_final()
        assert drawn is not None
        final = unpack(drawn)
        sfen = format_sfen(final).replace(" b ", " w ")
        for problem in composed(ComposingOptions.of(3, final=sfen, exact=True), 1):
            mate = reduce(position_after, problem.line, problem.position)
            assert final.board in (mate.board, mate.mirrored.board)
            found += 1
    assert found


def test_problems_stand_round_the_given_pieces() -> None:
    given = parse_sfen(HALF_GIVEN).position
    fixed = tuple(sq for sq, piece in enumerate(given.board) if piece is not None)
    options = ComposingOptions.of(3, around=HALF_GIVEN, fixed=fixed, style=Style.NATURAL)
    assert options.uses_local_search
    found = composed(options, 12)
    assert found
    for problem in found:
        assert has_given_pieces(options, problem.position, problem.line)
        position = problem.position
        assert any(all(p.board[sq] == given.board[sq] for sq in fixed) for p in (position, position.mirrored))
        assert Judge().judge(position, 3).grade is Grade.PERFECT


def test_what_is_not_as_given_is_told() -> None:
    given = parse_sfen(HALF_GIVEN).position
    options = ComposingOptions(3, around=HALF_GIVEN, fixed=tuple(range(81)))
    assert has_given_pieces(options, given, ())
    assert has_given_pieces(options, given.mirrored, ())
    king = given.king(Side.DEFENDER)
    assert king is not None
    assert not has_given_pieces(options, given.with_piece(king + 3, given.board[king + 1]), ())
    assert has_given_pieces(ComposingOptions(3), given, ())


def test_options_with_what_is_given_are_stored_and_read() -> None:
    for options in (
        ComposingOptions.of(5, final=HEAD_GOLD, exact=True),
        ComposingOptions.of(5, around=HALF_GIVEN, fixed=(1, 2), style=Style.NATURAL),
    ):
        assert ComposingOptions.from_dict(options.to_dict()) == options
    assert ComposingOptions.of(5).pass_of_roots is None
    assert ComposingOptions.of(5, final=HEAD_GOLD).pass_of_roots
    assert ComposingOptions.of(5, starts=(HALF_GIVEN, HALF_GIVEN)).pass_of_roots == 2 * (
        ComposingOptions.of(5, starts=(HALF_GIVEN,)).pass_of_roots or 0
    )


@pytest.mark.parametrize(("sfen", "keep", "wishes", "why"), [
    ("4k4/4G4/9/9/9/9/9/9/9 b - 1", "", ProblemConstraints(), "in check"),
    ("4k4/9/3N5/9/9/9/9/9/9 b - 1", "", ProblemConstraints(), "in check"),
    ("4k4/4p4/4R4/9/4R4/9/9/9/9 b - 1", "5a,5b,5c,5e", ProblemConstraints(), None),
    ("4k4/9/4R4/9/9/9/9/9/9 b - 1", "", ProblemConstraints(), None),
    ("4k4/9/4R4/9/9/9/9/9/9 b - 1", "5a,5b,5c", ProblemConstraints(), "in check"),
    ("4k4/4G4/9/9/9/9/9/9/9 b - 1", "5a", ProblemConstraints(), None),
    (HALF_GIVEN, "", ProblemConstraints(region="corner"), "the region corner"),
    (HALF_GIVEN, "6d", ProblemConstraints(region="corner"), None),
    (HALF_GIVEN, "", ProblemConstraints(without="B"), "a kind of piece"),
    (HALF_GIVEN, "5a", ProblemConstraints(without="B"), None),
    (HALF_GIVEN, "", ProblemConstraints(hand="B"), "3 of bishop"),
    (HALF_GIVEN, "", ProblemConstraints(max_pieces=3), "keeps 4 pieces"),
    (HALF_GIVEN, "", ProblemConstraints(max_pieces=4), None),
    (HALF_GIVEN, "5b,6d", ProblemConstraints(max_pieces=2), "keeps 3 pieces"),
    ("4k4/9/4+R4/9/9/9/9/9/9 b - 1", "", ProblemConstraints(no_promoted=True), "a promoted piece"),
    ("4k4/9/4+R4/9/9/9/9/9/9 b - 1", "5a", ProblemConstraints(no_promoted=True), None),
])  # fmt: skip
def test_what_can_never_stand_in_a_problem_is_told(
    sfen: str, keep: str, wishes: ProblemConstraints, why: str | None
) -> None:
    given = parse_sfen(sfen).position
    occupied = [square for square, piece in enumerate(given.board) if piece is not None]
    kept = [parse_square(name) for name in keep.split(",") if name]
    fault = fault_of_given_start(given, kept or occupied, wishes)
    assert fault is None if why is None else fault is not None and why in fault


# --- A given final position is mate, or the answer to its check is named ---------------------------


def test_a_final_position_without_a_check_is_refused() -> None:
    assert escape_from_check(parse_sfen("7nk/7bp/7N1/9/9/9/9/9/9 b -").position) is None
    for sfen in ("4k4/9/9/9/9/9/9/9/9 w - 1", "8k/9/7+RP/9/9/9/9/9/9 w - 1"):
        with pytest.raises(GivenError, match="the side to move is not mated: it is not in check"):
            parse_final_position(sfen)


@pytest.mark.parametrize(("sfen", "answers"), [
    ("8k/8L/9/9/9/9/9/9/9 w - 1", {"1a1b", "1a2a", "1a2b"}),
    ("8k/9/9/8R/9/9/9/9/9 w - 1", {"1a2a", "1a2b"}),
    ("9/9/9/9/9/8r/9/9/8K b - 1", {"1i2h", "1i2i"}),
    ("7lk/7p1/9/9/9/9/9/8L/9 w - 1", {f"{letter}*1{rank}" for letter in "RBGSNLP" for rank in "bcdefg"}),
    ("7nk/7b1/6S2/9/9/9/9/9/8L w - 1", {"2a1c", "2b1c"}),
])  # fmt: skip
def test_where_a_check_is_no_mate_an_answer_is_named(sfen: str, answers: set[str]) -> None:
    """A move of the king or of a piece on the board if there is one, else a drop."""
    with pytest.raises(GivenError, match=r"the side to move is not mated: .* answers the check") as failed:
        parse_final_position(sfen)
    named = str(failed.value).split(": ")[1].split()[0]
    assert named in answers
    held = sfen if "*" not in named else sfen.replace(" - ", " 2r2b4g4s4n2l17p ")
    assert shogi.Move.from_usi(named) in shogi.Board(held).legal_moves


# --- constraints on a walk hold for all its positions and change nothing else ----------------------


def test_what_stands_on_the_board() -> None:
    for board, promoted, number in (
        ("9/8k/6+S2/6G2/9/9/9/9/9", True, 0),
        ("7+lk/9/6S2/9/9/9/9/9/9", True, 1),
        ("5gnkl/6g1p/4R4/4B4/9/9/9/9/K8", False, 5),
        ("4k4/9/9/9/9/9/9/9/9", False, 0),
    ):
        position = parse_sfen(f"{board} b G 1").position
        for one in (position, position.mirrored):
            assert (has_promoted(one), count_defenders(one)) == (promoted, number), board


def test_what_the_first_move_is() -> None:
    position = parse_sfen("7nk/5G1p1/7S1/9/9/9/9/9/9 b G 1").position
    for line, kinds in (
        ("4b3b 1a1b 3b2b", {Key.QUIET}),
        ("2c1b+ 1a1b", {Key.SACRIFICE}),
        ("2c2b+", set()),
        ("2c2b+ 1a2b 4b3b", {Key.SACRIFICE}),
        ("G*1b", {Key.DROP}),
        ("G*1b 1a1b 2c2b", {Key.DROP, Key.SACRIFICE}),
        ("G*3b P*2a 2c2b", {Key.DROP}),
        ("4b3b", {Key.QUIET}),
    ):
        assert key_kinds(position, tuple(map(parse_move, line.split()))) == kinds, line


def test_a_judgement_that_was_not_settled_does_not_say_what_is_absent() -> None:
    judgement = Judgement(Defect.NONE, remarks=Defect.EQUAL_DEFENCES)
    assert not is_free_of_defect(judgement, Defect.EQUAL_DEFENCES)
    assert is_free_of_defect(judgement, Defect.VARIATION_COOK)
    assert not is_free_of_defect(replace(judgement, unresolved=True), Defect.VARIATION_COOK)
