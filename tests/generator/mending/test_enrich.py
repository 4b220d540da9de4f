# SPDX-License-Identifier: GPL-3.0-or-later
"""Suggestions are correct, keep the line, gain what they say, and are found again."""

from __future__ import annotations

from functools import cache

import pytest

from generator.changes import ChangeKind, Improvement, changed_position
from generator.mending.changed_positions import ChangedPosition, line_course, material_value, piece_value
from generator.mending.enrich import Enriched, Enricher
from generator.mending.suggestions import (
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
from tsume_rules.moves import parse_move
from tsume_rules.position import Kind, Position, parse_square
from tsume_rules.sfen import format_sfen, parse_sfen

PERFECT = "6r1k/6S2/9/7L1/6B2/9/9/9/9 b rb4g3s4n3l18p 1"
PROMOTED = "9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1"
BLEMISHED = "9/9/9/9/9/6p2/7R1/5k3/3s3R1 b Bb4g3s4n4l17p 1"
"""The silver is not needed, and there are two defences as long."""
NEEDLESS = "9/9/9/9/9/9/9/8+R/5Pk2 b Brb4g4s4n4l17p 1"
"""Nor is the pawn."""
NODES = Limits(nodes=400_000)
_ANY = ImprovementRequest()
_FORM = frozenset({Improvement.NATURAL, Improvement.DEFENDERS})


def position(sfen: str) -> Position:
    return parse_sfen(sfen).position


@cache
def judged(sfen: str) -> Judgement:
    return Judge().judge(position(sfen))


@cache
def enriched(sfen: str, wish: ImprovementRequest = _ANY) -> Enriched:
    return Enricher().enrich(position(sfen), judged(sfen), wish, NODES)


def suggestions() -> list[Suggestion]:
    return [one for sfen in (PERFECT, PROMOTED) for one in enriched(sfen).suggestions]


def test_there_are_some_of_each_kind() -> None:
    assert {one.kind for one in suggestions()} == set(Improvement)


def test_they_are_what_the_judge_calls_perfect() -> None:
    judge = Judge(IterativeEngine(table_bits=18))
    for one in suggestions():
        assert one.grade is Grade.PERFECT
        judgement = judge.judge(one.position, None, Limits(nodes=400_000))
        assert judgement.unresolved or judgement.grade is Grade.PERFECT, format_sfen(one.position)
        assert judgement.length == one.judgement.length


def test_the_slow_twin_finds_the_same_length_and_one_first_move() -> None:
    threes = [one for one in suggestions() if one.judgement.length == 3]
    assert threes
    for one in threes[:3]:
        sfen = format_sfen(one.position)
        assert naive.length(sfen, 3) == 3, sfen
        assert naive.mating_moves(sfen, 3) == {one.judgement.line[0].usi}, sfen


@pytest.mark.parametrize("sfen", [PERFECT, PROMOTED])
def test_the_line_is_the_end_of_the_new_one(sfen: str) -> None:
    old = line_course(judged(sfen).line)
    for one in enriched(sfen).suggestions:
        new = line_course(one.judgement.line)
        assert len(one.introduction) == (2 if one.kind is Improvement.INTRODUCTION else 0)
        assert new == line_course(one.introduction) + new[len(one.introduction) :]
        if not any(any(change.step) for change in one.changes):
            assert new[len(one.introduction) :] == old, format_sfen(one.position)


@pytest.mark.parametrize("sfen", [PERFECT, PROMOTED])
def test_without_an_introduction_the_changes_lead_from_the_one_to_the_other(sfen: str) -> None:
    for one in enriched(sfen).suggestions:
        after: Position | None = position(sfen)
        for change in one.changes if not one.introduction else ():
            assert after is not None
            after = changed_position(after, change)
        assert one.introduction or after == one.position


@pytest.mark.parametrize("sfen", [PERFECT, PROMOTED])
def test_the_gain_is_that_of_quality_likeness_and_economy_and_the_greatest_comes_first(sfen: str) -> None:
    found = enriched(sfen)
    before = worth_of_problem(position(sfen), judged(sfen).line)
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


def test_no_piece_of_a_suggestion_is_needless() -> None:
    """Condition 7: an added defender that could be taken off again would be a blemish."""
    for one in suggestions():
        assert Defect.UNNECESSARY_PIECE not in one.judgement.defects


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
            assert piece_value(change.other) <= piece_value(change.piece)


def test_where_a_pawn_does_no_bishop_is_added() -> None:
    """In NEEDLESS a silver, a bishop and a rook on 2i would all keep the line."""
    for one in enriched(NEEDLESS, ImprovementRequest(most=1_000, kinds=_FORM)).suggestions:
        assert not {Kind.BISHOP, Kind.ROOK} & {
            change.piece.kind for change in one.changes if change.sort is ChangeKind.ADDED and change.piece
        }


def test_material_is_what_is_used() -> None:
    assert material_value(position(PERFECT)) == 5 + 3 + 2 + 5
    assert material_value(position("8k/9/6+S1P/9/9/9/9/9/9 b G2r2b3g3s4n4l17p 1")) == 4 + 1 + 4
    assert material_value(position(NEEDLESS)) == 6 + 1 + 5


def test_no_more_of_a_kind_than_wished_and_no_idea_twice() -> None:
    found = enriched(PERFECT, ImprovementRequest(most=1)).suggestions
    assert len({one.kind for one in found}) == len(found)
    positions = [one.position for one in enriched(PERFECT).suggestions]
    assert len(set(positions)) == len(positions)


def test_an_introduction_that_is_shifted_with_everything_is_the_same_idea() -> None:
    def idea(moves: str) -> Idea:
        line = tuple(map(parse_move, moves.split()))
        return SuggestionDraft(
            ChangedPosition((), position(PERFECT)), line, Improvement.INTRODUCTION, 3, ProblemWorth(0.0, 0, 0)
        ).idea

    here = idea("2d3b+ 4b3b N*3d 2b3c G*2d")
    assert idea("7d8b+ 9b8b N*8d 7b8c G*7d") == here
    assert idea("2d3b+ 4b3b N*1d 2b3c G*2d") != here


def test_only_the_kinds_that_are_wished() -> None:
    wish = ImprovementRequest(kinds=frozenset({Improvement.NATURAL}))
    assert {one.kind for one in enriched(PROMOTED, wish).suggestions} == {Improvement.NATURAL}


def test_a_longer_introduction() -> None:
    wish = ImprovementRequest(kinds=frozenset({Improvement.INTRODUCTION}), plies=4, edits=0)
    found = enriched(PROMOTED, wish).suggestions
    assert found
    for one in found:
        assert one.judgement.length == 7
        assert line_course(one.judgement.line[4:]) == line_course(judged(PROMOTED).line)


def test_kept_squares_are_as_before() -> None:
    keep = frozenset(map(parse_square, ("1a", "2a", "3b")))
    start = position(PROMOTED)
    found = enriched(PROMOTED, ImprovementRequest(keep=keep)).suggestions
    assert found
    assert all(one.position.board[sq] == start.board[sq] for one in found for sq in keep)


def test_the_same_problem_gives_the_same_suggestions_whatever_came_before() -> None:
    enricher = Enricher()
    enricher.enrich(position(PROMOTED), judged(PROMOTED), ImprovementRequest(edits=1), Limits(nodes=100_000))
    again = enricher.enrich(position(PERFECT), judged(PERFECT), ImprovementRequest(), NODES)
    assert [one.position for one in again.suggestions] == [
        one.position for one in enriched(PERFECT).suggestions
    ]


def test_by_default_a_sound_problem_gets_what_has_no_blemish_but_its_own() -> None:
    before = judged(BLEMISHED)
    assert before.grade is Grade.SOUND
    found = enriched(BLEMISHED, ImprovementRequest(kinds=_FORM, edits=1)).suggestions
    assert any(one.grade is Grade.SOUND for one in found)
    for one in found:
        assert set(one.judgement.blemishes) <= set(before.blemishes)


def test_where_only_perfect_ones_are_wished_no_blemish_passes() -> None:
    wish = ImprovementRequest(kinds=_FORM, edits=1, grade=Grade.PERFECT)
    assert all(one.grade is Grade.PERFECT for one in enriched(NEEDLESS, wish).suggestions)


def test_another_piece_may_make_the_moves_of_the_line() -> None:
    """With a lance for the rook the bishop mates on the same square: another line of the same course."""
    sfen = "9/8k/7P1/6B2/9/9/9/9/7R1 b rb4g4s4n4l17p 1"
    assert judged(sfen).grade is Grade.SOUND
    assert enriched(sfen, ImprovementRequest(kinds=_FORM, edits=1)) is not None


def test_a_needless_piece_is_taken_off_whatever_that_gains() -> None:
    (tidy,) = [
        one
        for one in enriched(NEEDLESS, ImprovementRequest(kinds=_FORM, edits=1)).suggestions
        if one.gain <= 0
    ]
    assert tidy.grade is Grade.PERFECT
    assert sum(piece is not None for piece in tidy.position.board) == 2


def test_a_limit_ends_the_search_and_keeps_what_was_found() -> None:
    found = Enricher().enrich(position(PERFECT), judged(PERFECT), ImprovementRequest(), Limits(nodes=20_000))
    assert not found.complete
