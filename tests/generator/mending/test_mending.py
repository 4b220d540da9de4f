# SPDX-License-Identifier: GPL-3.0-or-later
"""Repairs are correct, near, and found again; a problem spoilt by one change is found."""

from collections import Counter
from functools import cache

import pytest

from generator.changes import (
    ChangeKind,
    Improvement,
    PositionChange,
    changed_position,
    changes_of,
    improvement_of_changes,
)
from generator.constraints.problem import ProblemConstraints
from generator.mending import mend
from generator.mending.enrich import (
    Enriched,
    Enricher,
    Idea,
    ImprovementRequest,
    ProblemWorth,
    Suggestion,
    SuggestionDraft,
    worth_of_problem,
)
from solver.engines.iterative.engine import IterativeEngine
from solver.judging.judge import Judge
from solver.results import Defect, Grade, Judgement, Limits
from tests import naive
from tests.positions import position_of
from tests.sampling import few, starts
from tsume_rules.moves import parse_move
from tsume_rules.position import SET_COUNT, Kind, Piece, Position, Side, parse_square, structural_faults
from tsume_rules.sfen import format_sfen

COOKED = "8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1"
PROBLEMS = {
    "6r1k/6S2/9/7L1/6B2/9/9/9/9 b rb4g3s4n3l18p 1": 3,
    "9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1": 3,
    "8k/6S2/7B1/7L1/9/9/9/9/9 b 2rb4g3s4n3l18p 1": 5,
}


@cache
def mended() -> mend.Mended:
    return mend.Mender().mend(position_of(COOKED), mend.RepairRequest(), edits=1, most=12)


def test_repairs_are_what_the_judge_calls_correct() -> None:
    judge = Judge(IterativeEngine(table_bits=18))
    assert len(mended().repairs) == 12
    for repair in mended().repairs[:6]:
        judgement = judge.judge(repair.position, None, Limits(nodes=400_000))
        assert judgement.unresolved or judgement.grade is repair.grade, format_sfen(repair.position)
        assert judgement.length == repair.judgement.length


def test_the_slow_twin_finds_the_same_length_and_one_first_move() -> None:
    threes = [repair for repair in mended().repairs if repair.judgement.length == 3]
    assert threes
    for repair in threes[:4]:
        sfen = format_sfen(repair.position)
        assert naive.length(sfen, 3) == 3, sfen
        assert naive.mating_moves(sfen, 3) == {repair.judgement.line[0].usi}, sfen


def test_the_changes_lead_from_the_one_to_the_other() -> None:
    for repair in mended().repairs:
        after: Position | None = position_of(COOKED)
        for change in repair.changes:
            assert after is not None
            after = changed_position(after, change)
        assert after == repair.position


def test_repairs_that_differ_in_a_detail_are_one() -> None:
    """A rook that keeps the king from leaving may stand on many squares."""
    repairs = mended().repairs
    several = [repair for repair in repairs if repair.alternatives]
    assert several
    for repair in several:
        (change,) = repair.changes
        for alternative in repair.alternatives:
            (other,) = alternative.changes
            assert other.sort is change.sort
            assert other.square == change.square or other.piece == change.piece
    every = [
        (repair.judgement.line, change.sort, change.piece, change.square)
        for repair in repairs
        for change in repair.changes
        if change.sort is not ChangeKind.ADDED
    ]
    assert len(every) == len({*every})


def test_repairs_keep_the_idea() -> None:
    """Those of all repairs that are as asked are found, and no others."""
    every = mended().repairs
    for asked in ({"line": "B K L+", "last": "2c"}, {"mate_on": "1b", "last": "L+"}, {"line": "... G* K x"}):
        wishes = ProblemConstraints.from_dict(asked)
        found = mend.Mender().mend(position_of(COOKED), mend.RepairRequest(wishes=wishes), edits=1, most=12).repairs
        for repair in found:
            assert wishes.allow_position(repair.position)
            assert wishes.allow_line(repair.position, repair.judgement.line)
        fits = [one for one in every if mend.RepairRequest(wishes=wishes).allows(one)]
        assert {one.position for one in fits} <= {one.position for one in found}, asked
        assert fits


def test_a_position_is_one_repair_however_it_was_reached() -> None:
    first, second, *_ = mended().repairs
    longer = mend.ReworkedProblem((*first.changes, *second.changes), first.position, first.judgement)
    shorter = mend.ReworkedProblem(first.changes, first.position, first.judgement)
    for order in ((longer, shorter), (shorter, longer), (longer, longer)):
        found = mend._Repairs(mend.RepairRequest())
        for one in order:
            found.add(one)
        (repair,) = found.best(5)
        assert (repair.changes, repair.alternatives) == (min(order, key=_changes).changes, ())


def _changes(repair: mend.ReworkedProblem) -> int:
    return len(repair.changes)


def test_what_a_quick_judgement_leaves_open_is_settled_before_it_is_shown() -> None:
    for sfen, length, grade in (
        ("7nl/6+P2/7k1/5R3/9/9/9/9/9 b GSr2b3g3s3n3l17p 1", 3, None),  # the lance is not needed
        ("2kb5/9/s1GG5/9/6b2/9/9/9/9 b RNr2g3s3n4l18p 1", 5, Grade.PERFECT),
    ):
        tester = mend.ChangeTester()
        quick = tester.judged_if_correct(mend.ChangedPosition((), position_of(sfen)), length)
        assert quick is not None
        assert quick.judgement.unresolved
        settled = tester.settled(quick)
        assert (settled and settled.grade) is grade


def test_no_repair_has_a_piece_that_the_judge_calls_unnecessary() -> None:
    for sfen in (COOKED, "8k/9/6S1P/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l17p 1"):
        for repair in mend.Mender().mend(position_of(sfen), mend.RepairRequest(), edits=2, most=3).repairs:
            found = Judge(IterativeEngine(table_bits=18)).judge(repair.position, None, Limits(nodes=400_000))
            assert Defect.UNNECESSARY_PIECE not in repair.judgement.blemishes
            assert Defect.UNNECESSARY_PIECE not in found.defects, format_sfen(repair.position)


def test_of_a_bare_king_and_a_far_length_nothing_is_repaired() -> None:
    keep = frozenset(range(81)) - {parse_square("9i"), parse_square("9h")}
    found = mend.Mender().mend(position_of(COOKED), mend.RepairRequest(length=11, keep=keep), edits=1)
    assert (found.repairs, found.complete) == ((), True)
    assert found.tried > found.mating > 0
    assert found.nearest is not None
    assert found.nearest.judgement.length is not None
    assert found.nearest.judgement.faults or found.nearest.judgement.length != 11
    bare = position_of("4k4/9/9/9/9/9/9/9/9 b P2r2b4g4s4n4l17p 1")
    found = mend.Mender().mend(bare, mend.RepairRequest(keep=frozenset(range(81))), edits=1)
    assert (found.repairs, found.mating, found.nearest) == ((), 0, None)
    assert found.tried > 0


def test_repairs_are_in_order() -> None:
    """Fewer changes first, then perfect ones, of these first those that bring no promoted piece."""
    found = mend.Mender().mend(position_of(COOKED), mend.RepairRequest(length=7), edits=2, most=2).repairs
    order = [(len(repair.changes), repair.grade is not Grade.PERFECT) for repair in found]
    assert order == sorted(order)
    assert {repair.judgement.length for repair in found} == {7}
    perfect = [repair for repair in mended().repairs if repair.grade is Grade.PERFECT]
    brings = [any(change.brings_promoted for change in repair.changes) for repair in perfect]
    assert brings == sorted(brings)
    assert not brings[0]
    line = mended().repairs[-1].judgement.line
    first, *_ = mend.Mender().mend(position_of(COOKED), mend.RepairRequest(line=line), edits=1, most=3).repairs
    assert first.judgement.line == line, "the given line comes first"


def test_the_same_position_gives_the_same_repairs_whatever_came_before() -> None:
    mender = mend.Mender()
    mender.mend(position_of(next(iter(PROBLEMS))), mend.RepairRequest(), edits=1, most=2)
    again = mender.mend(position_of(COOKED), mend.RepairRequest(), edits=1, most=12)
    assert [repair.position for repair in again.repairs] == [repair.position for repair in mended().repairs]


def test_kept_squares_are_as_before() -> None:
    keep = frozenset(map(parse_square, ("3b", "2d", "3e", "1a")))
    start = position_of(COOKED)
    repairs = mend.Mender().mend(start, mend.RepairRequest(keep=keep), edits=1, most=4).repairs
    assert repairs
    assert all(repair.position.board[sq] == start.board[sq] for repair in repairs for sq in keep)


@pytest.mark.parametrize("sfen", PROBLEMS)
def test_a_problem_that_one_change_spoilt_is_found(sfen: str) -> None:
    """With its length and as many repairs as there are, since others may be nearer to what people compose."""
    original = position_of(sfen)
    spoilt = [after for change, after in changes_of(original) if change.sort is ChangeKind.TAKEN_OFF]
    mender = mend.Mender()
    for start in spoilt[:2]:
        found = mender.mend(start, mend.RepairRequest(length=PROBLEMS[sfen]), edits=1, most=1000)
        every = {repair.position for repair in found.repairs}
        every |= {other.position for repair in found.repairs for other in repair.alternatives}
        assert original in every, format_sfen(start)


def test_a_limit_ends_the_search_and_keeps_what_was_found() -> None:
    found = mend.Mender().mend(
        position_of(COOKED), mend.RepairRequest(), edits=3, most=1000, limits=Limits(nodes=300_000)
    )
    assert not found.complete
    assert found.repairs


# --- Suggestions are correct, keep the line, gain what they say, and are found again ---------------

PERFECT = "6r1k/6S2/9/7L1/6B2/9/9/9/9 b rb4g3s4n3l18p 1"
PROMOTED = "9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1"
BLEMISHED = "9/9/9/9/9/6p2/7R1/5k3/3s3R1 b Bb4g3s4n4l17p 1"
"""The silver is not needed, and there are two defences as long."""
NEEDLESS = "9/9/9/9/9/9/9/8+R/5Pk2 b Brb4g4s4n4l17p 1"
"""Nor is the pawn."""
NODES = Limits(nodes=400_000)
_ANY = ImprovementRequest()
_FORM = frozenset({Improvement.NATURAL, Improvement.DEFENDERS})


@cache
def judged(sfen: str) -> Judgement:
    return Judge().judge(position_of(sfen))


@cache
def enriched(sfen: str, wish: ImprovementRequest = _ANY) -> Enriched:
    return Enricher().enrich(position_of(sfen), judged(sfen), wish, NODES)


def suggestions() -> list[Suggestion]:
    return [one for sfen in (PERFECT, PROMOTED) for one in enriched(sfen).suggestions]


def test_suggestions_of_each_kind_are_perfect() -> None:
    assert {one.kind for one in suggestions()} == set(Improvement)
    judge = Judge(IterativeEngine(table_bits=18))
    for one in suggestions():
        assert one.grade is Grade.PERFECT
        judgement = judge.judge(one.position, None, Limits(nodes=400_000))
        assert judgement.unresolved or judgement.grade is Grade.PERFECT, format_sfen(one.position)
        assert judgement.length == one.judgement.length
    threes = [one for one in suggestions() if one.judgement.length == 3]
    assert threes
    for one in threes[:3]:
        sfen = format_sfen(one.position)
        assert naive.length(sfen, 3) == 3, sfen
        assert naive.mating_moves(sfen, 3) == {one.judgement.line[0].usi}, sfen
    # Condition 7: an added defender that could be taken off again would be a blemish.
    for one in suggestions():
        assert Defect.UNNECESSARY_PIECE not in one.judgement.defects


@pytest.mark.parametrize("sfen", [PERFECT, PROMOTED])
def test_the_line_is_the_end_of_the_new_one(sfen: str) -> None:
    old = mend.line_course(judged(sfen).line)
    for one in enriched(sfen).suggestions:
        new = mend.line_course(one.judgement.line)
        assert len(one.introduction) == (2 if one.kind is Improvement.INTRODUCTION else 0)
        assert new == mend.line_course(one.introduction) + new[len(one.introduction) :]
        if not any(any(change.step) for change in one.changes):
            assert new[len(one.introduction) :] == old, format_sfen(one.position)
    for one in enriched(sfen).suggestions:
        after: Position | None = position_of(sfen)
        for change in one.changes if not one.introduction else ():
            assert after is not None
            after = changed_position(after, change)
        assert one.introduction or after == one.position


@pytest.mark.parametrize("sfen", [PERFECT, PROMOTED])
def test_the_gain_is_that_of_quality_likeness_and_economy_and_the_greatest_comes_first(sfen: str) -> None:
    found = enriched(sfen)
    before = worth_of_problem(position_of(sfen), judged(sfen).line)
    assert found.worth == before
    for one in found.suggestions:
        after = worth_of_problem(one.position, one.judgement.line)
        assert one.worth == after
        rise = after.quality - before.quality + after.likeness - before.likeness
        rise -= after.material - before.material
        assert one.gain == pytest.approx(rise, abs=0.11)
        assert one.introduction or one.gain > 0
    gains = [one.gain for one in found.suggestions]
    assert gains == sorted(gains, reverse=True)


@pytest.mark.parametrize("sfen", [PROMOTED, NEEDLESS])
def test_no_heavier_piece_comes_alone_and_no_shift(sfen: str) -> None:
    """Economy: a rook for a pawn, or everything elsewhere on the board, is no improvement."""
    found = enriched(sfen, ImprovementRequest(most=1_000, edits=1)).suggestions
    assert found
    for one in found:
        (change, *more) = one.changes or (None,)
        if one.introduction or more or change is None:
            continue
        assert change.sort is not ChangeKind.SHIFTED
        if change.sort is ChangeKind.EXCHANGED:
            assert change.piece is not None
            assert change.other is not None
            assert mend.piece_value(change.other) <= mend.piece_value(change.piece)


def test_where_a_pawn_does_no_bishop_is_added() -> None:
    """In NEEDLESS a silver, a bishop and a rook on 2i would all keep the line."""
    found = enriched(NEEDLESS, ImprovementRequest(most=1_000, kinds=_FORM)).suggestions
    changes = [change for one in found for change in one.changes if change.sort is ChangeKind.ADDED]
    assert not {Kind.BISHOP, Kind.ROOK} & {change.piece.kind for change in changes if change.piece}


def test_material_is_what_is_used() -> None:
    assert mend.material_value(position_of(PERFECT)) == 5 + 3 + 2 + 5
    assert mend.material_value(position_of("8k/9/6+S1P/9/9/9/9/9/9 b G2r2b3g3s4n4l17p 1")) == 4 + 1 + 4
    assert mend.material_value(position_of(NEEDLESS)) == 6 + 1 + 5


def test_no_more_of_a_kind_than_wished_and_no_idea_twice() -> None:
    found = enriched(PERFECT, ImprovementRequest(most=1)).suggestions
    assert len({one.kind for one in found}) == len(found)
    positions = [one.position for one in enriched(PERFECT).suggestions]
    assert len(set(positions)) == len(positions)


def test_an_introduction_that_is_shifted_with_everything_is_the_same_idea() -> None:
    def idea(moves: str) -> Idea:
        line = tuple(map(parse_move, moves.split()))
        return SuggestionDraft(
            mend.ChangedPosition((), position_of(PERFECT)), line, Improvement.INTRODUCTION, 3, ProblemWorth(0.0, 0, 0)
        ).idea

    here = idea("2d3b+ 4b3b N*3d 2b3c G*2d")
    assert idea("7d8b+ 9b8b N*8d 7b8c G*7d") == here
    assert idea("2d3b+ 4b3b N*1d 2b3c G*2d") != here


def test_only_the_kinds_that_are_wished() -> None:
    wish = ImprovementRequest(kinds=frozenset({Improvement.NATURAL}))
    assert {one.kind for one in enriched(PROMOTED, wish).suggestions} == {Improvement.NATURAL}
    perfect = ImprovementRequest(kinds=_FORM, edits=1, grade=Grade.PERFECT)
    assert all(one.grade is Grade.PERFECT for one in enriched(NEEDLESS, perfect).suggestions)


def test_a_longer_introduction() -> None:
    wish = ImprovementRequest(kinds=frozenset({Improvement.INTRODUCTION}), plies=4, edits=0)
    found = enriched(PROMOTED, wish).suggestions
    assert found
    for one in found:
        assert one.judgement.length == 7
        assert mend.line_course(one.judgement.line[4:]) == mend.line_course(judged(PROMOTED).line)


def test_enrichment_keeps_squares() -> None:
    keep = frozenset(map(parse_square, ("1a", "2a", "3b")))
    start = position_of(PROMOTED)
    found = enriched(PROMOTED, ImprovementRequest(keep=keep)).suggestions
    assert found
    assert all(one.position.board[sq] == start.board[sq] for one in found for sq in keep)


def test_the_same_problem_gives_the_same_suggestions_whatever_came_before() -> None:
    enricher = Enricher()
    enricher.enrich(position_of(PROMOTED), judged(PROMOTED), ImprovementRequest(edits=1), Limits(nodes=100_000))
    again = enricher.enrich(position_of(PERFECT), judged(PERFECT), ImprovementRequest(), NODES)
    known = [one.position for one in enriched(PERFECT).suggestions]
    assert [one.position for one in again.suggestions] == known


def test_by_default_a_sound_problem_gets_what_has_no_blemish_but_its_own() -> None:
    before = judged(BLEMISHED)
    assert before.grade is Grade.SOUND
    found = enriched(BLEMISHED, ImprovementRequest(kinds=_FORM, edits=1)).suggestions
    assert any(one.grade is Grade.SOUND for one in found)
    for one in found:
        assert set(one.judgement.blemishes) <= set(before.blemishes)


def test_another_piece_may_make_the_moves_of_the_line() -> None:
    """With a lance for the rook the bishop mates on the same square: another line of the same course."""
    sfen = "9/8k/7P1/6B2/9/9/9/9/7R1 b rb4g4s4n4l17p 1"
    assert judged(sfen).grade is Grade.SOUND
    assert enriched(sfen, ImprovementRequest(kinds=_FORM, edits=1)) is not None


def test_a_needless_piece_is_taken_off_whatever_that_gains() -> None:
    found = enriched(NEEDLESS, ImprovementRequest(kinds=_FORM, edits=1)).suggestions
    (tidy,) = [one for one in found if one.gain <= 0]
    assert tidy.grade is Grade.PERFECT
    assert sum(piece is not None for piece in tidy.position.board) == 2


def test_a_limit_ends_the_enrichment_and_keeps_what_was_found() -> None:
    found = Enricher().enrich(position_of(PERFECT), judged(PERFECT), ImprovementRequest(), Limits(nodes=20_000))
    assert not found.complete


# --- What becomes of a line when its position is changed -------------------------------------------

LINE = tuple(map(parse_move, ["3e4d", "1a1b", "2d2c+"]))
DEFENDER, ATTACKER = Side.DEFENDER, Side.ATTACKER
ALL = frozenset(Improvement)


def moved(kind: Kind, start: str, end: str) -> PositionChange:
    return PositionChange(ChangeKind.MOVED, Piece(ATTACKER, kind), parse_square(start), parse_square(end))


def exchanged(side: Side, kind: Kind, other: Kind, at: int = 3, by: Side | None = None) -> PositionChange:
    new = Piece(side if by is None else by, other)
    return PositionChange(ChangeKind.EXCHANGED, Piece(side, kind), at, other=new)


def usi(lines: tuple[tuple[object, ...], ...]) -> list[str]:
    return [" ".join(map(str, line)) for line in lines]


def test_a_moved_piece_goes_from_its_new_square() -> None:
    assert usi(mend.lines_after_change(LINE, moved(Kind.LANCE, "2d", "2f"))) == ["3e4d 1a1b 2f2c+"]
    assert usi(mend.lines_after_change(LINE, moved(Kind.SILVER, "3b", "9i"))) == ["3e4d 1a1b 2d2c+"]
    taking = tuple(map(parse_move, ["3e4d", "1a1b", "4d2b", "1b1c", "2b1a+"]))
    piece = Piece(DEFENDER, Kind.ROOK)
    change = PositionChange(ChangeKind.MOVED, piece, parse_square("2b"), parse_square("5b"))
    assert mend.lines_after_change(taking, change) == (taking,)
    shifted = PositionChange(ChangeKind.SHIFTED, step=(1, 2))
    assert usi(mend.lines_after_change(LINE, shifted)) == ["4g5f 2c2d 3f3e+"]
    assert mend.lines_after_change(LINE, PositionChange(ChangeKind.SHIFTED, step=(-1, 0))) == ()


def test_another_kind_for_a_piece_that_is_captured() -> None:
    line = tuple(map(parse_move, ["3c3b", "2a3b", "4d2b", "1a1b", "G*1c"]))
    for side, kind, square, is_captured in (
        (DEFENDER, Kind.ROOK, "2b", True),  # stands there to be taken
        (ATTACKER, Kind.ROOK, "3c", True),  # goes where it is taken
        (DEFENDER, Kind.ROOK, "5b", False),
        (ATTACKER, Kind.BISHOP, "4d", False),  # takes, and stays
        (DEFENDER, Kind.DRAGON, "2b", False),  # may become plain
    ):
        change = exchanged(side, kind, Kind.GOLD, parse_square(square))
        assert mend.exchanges_captured_piece(change, line) is is_captured, (side, kind, square)


def test_a_piece_made_plain_may_promote() -> None:
    change = exchanged(ATTACKER, Kind.HORSE, Kind.BISHOP, parse_square("3b"))
    assert usi(mend.lines_after_change((parse_move("3b2a"),), change)) == ["3b2a", "3b2a+"]


def test_a_course_is_of_squares_and_dropped_kinds() -> None:
    one, other, third = (mend.line_course([parse_move(text)]) for text in ("3b2a", "1b2a+", "G*2a"))
    assert one == other != third


def test_which_changes_suit() -> None:
    for change, suited in (
        (PositionChange(ChangeKind.ADDED, Piece(DEFENDER, Kind.LANCE), 3), True),
        (PositionChange(ChangeKind.ADDED, Piece(DEFENDER, Kind.TOKIN), 3), False),
        (PositionChange(ChangeKind.ADDED, Piece(ATTACKER, Kind.LANCE), 3), False),
        (PositionChange(ChangeKind.ADDED, Piece(ATTACKER, Kind.LANCE)), False),
        (PositionChange(ChangeKind.TAKEN_OFF, Piece(ATTACKER, Kind.LANCE), 3), True),
        (PositionChange(ChangeKind.TAKEN_OFF, Piece(ATTACKER, Kind.LANCE)), False),
        (PositionChange(ChangeKind.MOVED, Piece(DEFENDER, Kind.KING), 3, 4), False),
        (exchanged(ATTACKER, Kind.TOKIN, Kind.GOLD), True),
        (exchanged(ATTACKER, Kind.GOLD, Kind.TOKIN), False),
        (exchanged(ATTACKER, Kind.GOLD, Kind.GOLD, by=DEFENDER), False),
        (exchanged(DEFENDER, Kind.GOLD, Kind.PAWN), True),
    ):
        assert mend.suits_improvement(change, ALL) is suited, change
    # defenders are added only where that is wished
    added = PositionChange(ChangeKind.ADDED, Piece(DEFENDER, Kind.LANCE), 3)
    assert not mend.suits_improvement(added, frozenset({Improvement.NATURAL}))
    assert improvement_of_changes((added,)) is Improvement.DEFENDERS
    assert improvement_of_changes((PositionChange(ChangeKind.SHIFTED, step=(1, 0)),)) is Improvement.NATURAL


# --- The changes a composer makes by hand, against what they should leave and reach ----------------

CORNER = "7nl/8k/6G2/9/9/9/9/9/9 b RP 1"


def differences(one: Position, other: Position) -> int:
    """Squares and kinds in hand that differ."""
    squares = sum(a != b for a, b in zip(one.board, other.board, strict=True))
    return squares + sum(a != b for a, b in zip(one.attacker_hand.counts, other.attacker_hand.counts, strict=True))


@pytest.mark.parametrize("start", few(starts(6), 3))
def test_all_lead_to_other_placements_of_one_set(start: Position) -> None:
    for change, after in changes_of(start):
        assert after != start, change
        assert after == Position.completed(after.board, after.attacker_hand), change
        assert structural_faults(after) == [], change
        assert after.king(Side.ATTACKER) is None or start.king(Side.ATTACKER) is not None
        if change.sort is not ChangeKind.SHIFTED:
            assert differences(start, after) <= 2, change


@pytest.mark.parametrize("start", few(starts(4), 2))
def test_no_two_of_a_sort_lead_to_the_same_and_each_can_be_undone_by_one(start: Position) -> None:
    found = list(changes_of(start))
    assert max(Counter((change.sort, after) for change, after in found).values()) == 1
    both_ways = [after for change, after in found if change.sort is not ChangeKind.TAKEN_IN_HAND]
    for after in both_ways[::80]:  # what is taken in hand may have been promoted, or the defender's
        assert start in {back for _, back in changes_of(after)}


def test_what_is_to_be_kept_stays() -> None:
    start = position_of(CORNER)
    keep = frozenset(map(parse_square, ("1b", "1a", "2b")))
    found = list(changes_of(start, keep))
    assert found
    for change, after in found:
        assert change.sort is not ChangeKind.SHIFTED
        assert all(after.board[sq] == start.board[sq] for sq in keep), change
    assert {change.sort for change, _ in changes_of(position_of(CORNER))} == set(ChangeKind)


def test_a_set_has_no_third_rook_and_a_king_is_not_taken_off() -> None:
    start = position_of("7rr/8k/6G2/9/9/9/9/9/9 b - 1")
    rooks = {Kind.ROOK, Kind.DRAGON}
    for change, after in changes_of(start):
        number = sum(piece is not None and piece.kind in rooks for piece in after.board)
        assert number + after.attacker_hand[Kind.ROOK] <= SET_COUNT[Kind.ROOK], change
        assert after.king(Side.DEFENDER) is not None, change
    assert changed_position(start, PositionChange(ChangeKind.ADDED, Piece(Side.ATTACKER, Kind.ROOK))) is None
    taken_off = PositionChange(ChangeKind.TAKEN_OFF, Piece(Side.ATTACKER, Kind.GOLD))
    assert changed_position(start, taken_off) is None
    assert changed_position(start, PositionChange(ChangeKind.SHIFTED, step=(-1, 0))) is None
