# SPDX-License-Identifier: GPL-3.0-or-later
"""The hands that proofs and disproofs rest on."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solver.engines.dfpn.kernel.table import FULL_HAND, before_attack, disproof_start, less_one
from tests.tsume_rules.kernel.hands import Plain, hands, packed
from tsume_rules.kernel.state import POSITION, make_drop, make_move
from tsume_rules.position import HAND_KINDS, PROMOTION, SET_COUNT, Kind, Side

CELL = 20
DEFENDERS = 16
kinds = st.sampled_from(HAND_KINDS)


def test_a_full_hand_holds_a_set() -> None:
    assert packed(Counter(SET_COUNT)) == FULL_HAND


@given(hands, kinds, st.booleans())
def test_before_a_drop_there_was_one_more(hand: Plain, kind: Kind, full: bool) -> None:
    found = before_attack(packed(hand), make_drop(kind, CELL), 0, full)
    more = hand + Counter({kind: 1})
    if full:
        more &= Counter(SET_COUNT)
    if more[kind] <= SET_COUNT[kind]:
        assert found == packed(more)


@given(hands, kinds, st.booleans(), st.booleans())
def test_before_a_capture_there_was_one_fewer(hand: Plain, kind: Kind, promoted: bool, full: bool) -> None:
    captured = kind + DEFENDERS + PROMOTION * (promoted and kind is not Kind.GOLD)
    found = before_attack(packed(hand), make_move(CELL, CELL + 1, False), captured, full)
    assert found == packed(hand - Counter({kind: 1}))


@given(hands)
def test_a_plain_move_leaves_the_hand(hand: Plain) -> None:
    assert before_attack(packed(hand), make_move(CELL, CELL + 1, True), 0, False) == packed(hand)


@given(hands)
def test_a_disproof_begins_with_all_pieces_of_the_kinds_held(hand: Plain) -> None:
    assert disproof_start(packed(hand)) == packed(Counter({kind: SET_COUNT[kind] for kind in hand}))


@given(hands, hands, kinds)
def test_the_defender_keeps_one_to_drop(hand: Plain, held: Plain, kind: Kind) -> None:
    record = np.zeros(1, dtype=POSITION).view(np.recarray)[0]
    record.hand[Side.ATTACKER, kind] = held[kind]
    record.hand[Side.DEFENDER, kind] = 1
    expected = hand.copy()
    expected[kind] = min(hand[kind], held[kind])
    assert less_one(packed(hand), kind, record) == packed(expected)
