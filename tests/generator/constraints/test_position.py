# SPDX-License-Identifier: GPL-3.0-or-later
"""What is demanded of a walk's positions holds for all of them, and nothing else changes where nothing is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.candidate import Candidate
from generator.changes import changes_of
from generator.constraints.options import ComposingOptions
from generator.constraints.position import PositionConstraints, position_constraints
from generator.constraints.problem import KingRegion, ProblemConstraints, parse_hand, parse_kinds
from generator.kernel.positions import meets_position_constraints
from generator.likeness.model import model_for_length
from generator.local_search.sampler import REPAIR_EDITS, PositionSampler
from solver.engines.dfpn.engine import DfPnEngine
from tests.grown import grown
from tsume_rules.kernel.tables import CELL
from tsume_rules.packed import pack, unpack
from tsume_rules.position import SQUARES, Kind, Position, Side
from tsume_rules.sfen import format_sfen, parse_sfen

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
            yield unpack(start.record)
            yield from (unpack(candidate.record) for candidate in sampler.walks(start, 3, 50, model))


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
    ],
    ids=repr,
)
def test_wishes_hold_at_every_step(wishes: ProblemConstraints) -> None:
    found = list(walked(position_constraints(ComposingOptions(3, wishes))))
    assert found
    assert all(map(wishes.allow_position, found))


def test_no_promoted_piece_comes_up() -> None:
    found = list(walked(PositionConstraints(promoted=False)))
    assert found
    assert not [p for position in found for p in position.board if p and p.kind.base != p.kind]


def test_given_pieces_stay_where_they_are() -> None:
    pieces = {square: piece for square, piece in enumerate(HALF.board) if piece}
    empty = {square: None for square in range(SQUARES) if square % 9 == 1 and square not in pieces}
    found = list(walked(PositionConstraints(kept={**pieces, **empty}), tries=40))
    assert found
    for position in found:
        assert all(position.board[square] == piece for square, piece in pieces.items()), format_sfen(position)
        assert not any(position.board[square] for square in empty), format_sfen(position)


@pytest.mark.parametrize("side", list(Side))
def test_a_side_has_no_more_pieces_than_asked(side: Side) -> None:
    found = list(
        walked(
            PositionConstraints(attackers=2) if side is Side.ATTACKER else PositionConstraints(defenders=1)
        )
    )
    assert found
    numbers = [sum(p is not None and p.side is side for p in position.board) for position in found]
    assert max(numbers) == 2  # of the defender one is the king


def test_an_attackers_king_comes_and_stays() -> None:
    found = list(walked(PositionConstraints(own_king=True), tries=30))
    assert found
    assert all(position.king(Side.ATTACKER) is not None for position in found)
    assert not any(
        position.king(Side.ATTACKER) is not None for position in walked(PositionConstraints(promoted=False))
    )


@given(st.integers(0, SQUARES - 1), st.sampled_from(REGIONS))
def test_the_regions_are_those_of_the_wishes(square: int, region: KingRegion | None) -> None:
    packed = PositionConstraints(region=region).packed()
    assert bool(packed.king_may_stand[CELL[square]]) == (region is None or region.contains_king(square))


@given(
    st.integers(0, 10_000),
    st.sampled_from([None, "-", "G", "R2P"]),
    st.frozensets(st.sampled_from("PLNSGBR"), min_size=4).map("".join),
    st.booleans(),
    st.integers(3, 12),
    st.sampled_from(REGIONS),
)
def test_a_slow_twin_agrees(
    number: int, hand: str | None, only: str, promoted: bool, pieces: int, region: KingRegion | None
) -> None:
    candidates = _grown()
    position = unpack(candidates[number % len(candidates)].record)
    wishes = ProblemConstraints(hand=hand, only=only, max_pieces=pieces, region=region)
    asked = PositionConstraints(
        hand=None if hand is None else parse_hand(hand),
        kinds=sum(1 << kind for kind in parse_kinds(only)),
        promoted=promoted, pieces=pieces, region=region,
    )  # fmt: skip
    plain = not any(piece and piece.kind > Kind.KING for piece in position.board)
    assert bool(meets_position_constraints(pack(position), asked.packed())) == (
        wishes.allow_position(position) and (promoted or plain)
    )


def test_kept_squares_are_compared() -> None:
    asked = PositionConstraints(kept=dict(enumerate(HALF.board))).packed()
    assert meets_position_constraints(pack(HALF), asked)
    others = [other for _, other in changes_of(HALF) if other.board != HALF.board]
    assert len(others) > 100
    assert not any(meets_position_constraints(pack(other), asked) for other in others)
