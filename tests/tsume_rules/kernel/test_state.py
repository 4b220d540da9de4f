# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tsume_rules.kernel.hands import Plain, hands, packed
from tsume_rules.kernel.state import (
    POSITION,
    count_in_hand,
    hand_contains,
    hand_intersection,
    hand_union,
    packed_hand,
)
from tsume_rules.position import HAND_KINDS, Kind, Side


@given(hands, hands)
def test_one_hand_contains_another(one: Plain, other: Plain) -> None:
    assert hand_contains(packed(one), packed(other)) == (one >= other)


@given(hands, hands)
def test_a_hand_contains_its_part(one: Plain, other: Plain) -> None:
    assert hand_contains(packed(one | other), packed(one))
    assert hand_contains(packed(one), packed(one & other))


@given(hands, hands)
def test_union_and_intersection(one: Plain, other: Plain) -> None:
    assert hand_union(packed(one), packed(other)) == packed(one | other)
    assert hand_intersection(packed(one), packed(other)) == packed(one & other)


@given(hands, st.sampled_from(HAND_KINDS))
def test_counts(hand: Plain, kind: Kind) -> None:
    assert count_in_hand(packed(hand), kind) == hand[kind]


@given(hands)
def test_the_attackers_hand_of_a_record(hand: Plain) -> None:
    record = np.zeros(1, dtype=POSITION).view(np.recarray)[0]
    for kind, number in hand.items():
        record.hand[Side.ATTACKER, kind] = number
    record.hand[Side.DEFENDER, Kind.GOLD] = 1
    assert packed_hand(record) == packed(hand)
