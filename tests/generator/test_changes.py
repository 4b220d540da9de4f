# SPDX-License-Identifier: GPL-3.0-or-later
"""The changes a composer makes by hand, against what they should leave and reach."""

from __future__ import annotations

from collections import Counter

import pytest

from generator.changes import ChangeKind, PositionChange, changed_position, changes_of
from tests.sampling import few, starts
from tsume_rules.position import SET_COUNT, Kind, Piece, Position, Side, parse_square, structural_faults
from tsume_rules.sfen import parse_sfen

CORNER = "7nl/8k/6G2/9/9/9/9/9/9 b RP 1"


def position(sfen: str) -> Position:
    return parse_sfen(sfen).position


def differences(one: Position, other: Position) -> int:
    """Squares and kinds in hand that differ."""
    squares = sum(a != b for a, b in zip(one.board, other.board, strict=True))
    return squares + sum(
        a != b for a, b in zip(one.attacker_hand.counts, other.attacker_hand.counts, strict=True)
    )


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
def test_no_two_of_a_sort_lead_to_the_same(start: Position) -> None:
    reached = Counter((change.sort, after) for change, after in changes_of(start))
    assert max(reached.values()) == 1


@pytest.mark.parametrize("start", few(starts(3), 1))
def test_each_can_be_undone_by_one(start: Position) -> None:
    both_ways = [after for change, after in changes_of(start) if change.sort is not ChangeKind.TAKEN_IN_HAND]
    for after in both_ways[::80]:  # what is taken in hand may have been promoted, or the defender's
        assert start in {back for _, back in changes_of(after)}


def test_every_sort_comes() -> None:
    assert {change.sort for change, _ in changes_of(position(CORNER))} == set(ChangeKind)


def test_what_is_to_be_kept_stays() -> None:
    start = position(CORNER)
    keep = frozenset(map(parse_square, ("1b", "1a", "2b")))
    found = list(changes_of(start, keep))
    assert found
    for change, after in found:
        assert change.sort is not ChangeKind.SHIFTED
        assert all(after.board[sq] == start.board[sq] for sq in keep), change


def test_a_set_has_no_third_rook_and_a_king_is_not_taken_off() -> None:
    start = position("7rr/8k/6G2/9/9/9/9/9/9 b - 1")
    rooks = {Kind.ROOK, Kind.DRAGON}
    for change, after in changes_of(start):
        number = sum(piece is not None and piece.kind in rooks for piece in after.board)
        assert number + after.attacker_hand[Kind.ROOK] <= SET_COUNT[Kind.ROOK], change
        assert after.king(Side.DEFENDER) is not None, change


def test_a_change_that_is_not_possible_is_none() -> None:
    start = position("7rr/8k/6G2/9/9/9/9/9/9 b - 1")
    assert changed_position(start, PositionChange(ChangeKind.ADDED, Piece(Side.ATTACKER, Kind.ROOK))) is None
    assert (
        changed_position(start, PositionChange(ChangeKind.TAKEN_OFF, Piece(Side.ATTACKER, Kind.GOLD))) is None
    )
    assert changed_position(start, PositionChange(ChangeKind.SHIFTED, step=(-1, 0))) is None
