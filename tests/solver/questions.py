# SPDX-License-Identifier: GPL-3.0-or-later
"""What the slow twin answers, and the same questions put to the solver."""

from __future__ import annotations

from collections.abc import Iterator

from solver.engines.base import MateEngine
from solver.results import Interposition
from tests import naive
from tsume_rules.packed import Record, legal_checks, unpack_move
from tsume_rules.position import HAND_KINDS, Hand, Position
from tsume_rules.sfen import format_sfen

LENGTHS = (1, 3, 5)
READINGS: dict[Interposition, naive.Reading] = {
    Interposition.NARROW: "narrow",
    Interposition.COUNT_ALL: "count_all",
    Interposition.WIDE: "wide",
}
Mating = dict[int, set[str]]
"""For each n the first moves, in USI, that mate within n plies."""


def expected(position: Position, reading: naive.Reading, lengths: tuple[int, ...] = LENGTHS) -> Mating:
    board, search = naive.board_of(format_sfen(position)), naive.Search(reading)
    checks = naive.check_moves(board)
    return {n: {check.usi() for check in checks if search.mates(board, check, n)} for n in lengths}


def answered(engine: MateEngine, record: Record, lengths: tuple[int, ...] = LENGTHS) -> Mating:
    return {n: mating(engine, record, n) for n in lengths}


def mating(engine: MateEngine, record: Record, n: int) -> set[str]:
    checks = legal_checks(record)
    return {unpack_move(check).usi for check in checks if engine.mates_after(record, check, n)}


def with_neighbours(position: Position) -> Iterator[Position]:
    """A position, and the same board with a piece more or fewer in the attacker's hand."""
    yield position
    for kind in HAND_KINDS:
        if position.attacker_hand[kind]:
            yield position.with_attacker_hand(position.attacker_hand.plus(kind, -1))
            break
    held = next((kind for kind in reversed(HAND_KINDS) if position.defender_hand[kind]), None)
    if held is not None:
        yield position.with_attacker_hand(position.attacker_hand.plus(held))
    if position.attacker_hand:
        yield position.with_attacker_hand(Hand())
