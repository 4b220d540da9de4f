# SPDX-License-Identifier: GPL-3.0-or-later
"""Packed hands, and `Counter`s of kinds as their slow twins."""

from collections import Counter

from hypothesis import strategies as st

from tsume_rules.kernel.state import UNIT
from tsume_rules.position import HAND_KINDS, SET_COUNT, Kind

Plain = Counter[Kind]


def as_packed(hand: Plain) -> int:
    return sum(number * int(UNIT[kind]) for kind, number in hand.items())


def sparse(**numbers: int) -> Plain:
    return Counter({Kind[name.upper()]: number for name, number in numbers.items() if number})


hands = st.fixed_dictionaries({kind: st.integers(0, SET_COUNT[kind]) for kind in HAND_KINDS}).map(
    lambda numbers: +Counter(numbers)
)
"""Any hand that a set of pieces allows."""
