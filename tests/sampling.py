# SPDX-License-Identifier: GPL-3.0-or-later
"""Seeded random positions for the tests, and how many they look at."""

import os
import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from tests.positions import (
    crowded_position,
    promotable_position,
    random_attack,
    random_checked_position,
    random_position,
)
from tsume_rules.position import Position

Draw = Callable[[random.Random, bool], Position]


def few(cases: Iterable[Any], number: int) -> list[Any]:
    """Parameters of a test: those after the first ``number`` only with `scripts/test --slow`."""
    return [case if i < number else _slow(case) for i, case in enumerate(cases)]


def _slow(case: Any) -> Any:
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.slow)


def drawn(draw: Draw, number: int, seed: object = 0) -> Iterator[Position]:
    """``number`` positions (``TSUME_TEST_POSITIONS`` if that is set), half with an attacker's king."""
    rng = random.Random(f"{seed}")
    for i in range(int(os.environ.get("TSUME_TEST_POSITIONS", number))):
        yield draw(rng, i % 2 == 1)


def starts(number: int, seed: object = 0) -> Iterator[Position]:
    """Positions with the attacker to move: every other one scattered, the others like problems."""
    return drawn(_start, number, seed)


def checked(number: int, seed: object = 0) -> Iterator[Position]:
    """Positions with the defender to move and in check."""
    return drawn(random_checked_position, number, seed)


def attacks(number: int, seed: object = 0) -> Iterator[Position]:
    """Positions like problems, the attacker to move."""
    return drawn(random_attack, number, seed)


def crowded(number: int, seed: object = 0) -> Iterator[Position]:
    """Positions with many pieces around the defender's king, the attacker to move."""
    return drawn(crowded_position, number, seed)


def promotable(number: int, seed: object = 0) -> Iterator[Position]:
    """Positions in which the attacker's pawns, bishops and rooks may promote or not."""
    return drawn(promotable_position, number, seed)


def _start(rng: random.Random, with_attacker_king: bool) -> Position:
    return rng.choice((random_position, random_attack))(rng, with_attacker_king)
