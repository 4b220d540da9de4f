# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sampling import starts
from tsume_rules.position import (
    HAND_KINDS,
    SET_COUNT,
    Hand,
    IllegalPosition,
    Kind,
    Piece,
    Position,
    Side,
    is_dead,
    parse_square,
)
from tsume_rules.sfen import parse_sfen

GOLD = Piece(Side.ATTACKER, Kind.GOLD)


def given_position() -> Position:
    return parse_sfen("4k4/9/4P4/9/9/9/9/9/9 b 2G 1").position


def test_the_defender_holds_what_is_missing() -> None:
    position = given_position()
    assert position.defender_hand[Kind.PAWN] == 17
    assert position.with_piece(parse_square("1a"), GOLD).defender_hand[Kind.GOLD] == 1
    assert position.with_piece(parse_square("5c"), None).defender_hand[Kind.PAWN] == 18
    assert position.with_attacker_hand(Hand()).defender_hand[Kind.GOLD] == 4
    with pytest.raises(IllegalPosition, match="5 of gold"):
        position.with_attacker_hand(Hand.of({Kind.GOLD: 5}))


def test_kings_and_pieces_are_counted() -> None:
    position = given_position()
    assert position.king(Side.DEFENDER) == parse_square("5a")
    assert position.king(Side.ATTACKER) is None
    assert position.piece_count() == 4


def test_forty_pieces_whatever_is_where() -> None:
    for position in starts(100, seed=19):
        kings = sum(position.king(side) is not None for side in Side)
        assert position.piece_count() + len(position.defender_hand) == sum(SET_COUNT.values()) + kings


@pytest.mark.parametrize(
    ("side", "kind", "name", "dead"),
    [
        (Side.ATTACKER, Kind.PAWN, "5a", True),
        (Side.ATTACKER, Kind.PAWN, "5b", False),
        (Side.ATTACKER, Kind.LANCE, "5a", True),
        (Side.ATTACKER, Kind.KNIGHT, "5b", True),
        (Side.ATTACKER, Kind.KNIGHT, "5c", False),
        (Side.ATTACKER, Kind.TOKIN, "5a", False),
        (Side.ATTACKER, Kind.SILVER, "5a", False),
        (Side.DEFENDER, Kind.PAWN, "5i", True),
        (Side.DEFENDER, Kind.PAWN, "5a", False),
        (Side.DEFENDER, Kind.KNIGHT, "5h", True),
        (Side.DEFENDER, Kind.KNIGHT, "5g", False),
    ],
)
def test_dead_pieces(side: Side, kind: Kind, name: str, dead: bool) -> None:
    assert is_dead(Piece(side, kind), parse_square(name)) is dead


@given(st.dictionaries(st.sampled_from(HAND_KINDS), st.integers(0, 18)), st.sampled_from(list(Kind)[:7]))
def test_hands(counts: dict[Kind, int], kind: Kind) -> None:
    hand = Hand.of(counts)
    assert len(hand) == len(list(hand)) == sum(counts.values())
    assert bool(hand) == (len(hand) > 0)
    assert hand.plus(kind)[kind] == counts.get(kind, 0) + 1
    assert hand.plus(kind.promoted) == hand.plus(kind)
    assert hand.plus(kind).plus(kind, -1) == hand
