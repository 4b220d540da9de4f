# SPDX-License-Identifier: GPL-3.0-or-later
"""The network's kernels against NumPy, and what they draw."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from generator.candidate import EMPTY
from generator.learned.kernel.network import (
    HAND_PIECE,
    KING_SQUARE,
    OPTIONS,
    PIECE,
    PIECE_CODES,
    PLACE,
    PLACE_FILES,
    PLACE_RANKS,
    Network,
    draw_learned_position,
    exponential,
)
from generator.learned.network import (
    Decision,
    DecisionReader,
    NotWritable,
    Step,
    network_shapes,
    scratch_for,
    stored_conditions,
    stored_network,
    write_network,
)
from tsume_rules.game import start_faults
from tsume_rules.packed import Record, pack, unpack
from tsume_rules.position import Position, Side
from tsume_rules.sfen import format_sfen, parse_sfen

PLIES = 5


def small_network(seed: int = 1) -> Network:
    rng = np.random.default_rng(seed)
    shapes = network_shapes(24, 16, 8)
    return Network(*(rng.normal(0, 0.3, shapes[name]).astype(np.float32) for name in Network._fields))


def drawn(network: Network, number: int, seed: int = 7) -> list[Position]:
    pos: Record = pack(parse_sfen(EMPTY).position)
    state = np.array([seed], dtype=np.uint64)
    scratch, nothing = scratch_for(network), np.zeros(0, dtype=np.int64)
    positions = []
    for _ in range(number):
        draw_learned_position(pos, PLIES, nothing, network, state, scratch)
        positions.append(unpack(pos.copy(), Side.ATTACKER))
    return positions


def chance_by_numpy(network: Network, step: Step, decision: Decision) -> float:
    """The chance of the option that a decision took, in double precision and by matrices."""
    w = {name: array.astype(np.float64) for name, array in network._asdict().items()}
    one = np.maximum(w["first"][step.features].sum(axis=0) + w["first_bias"], 0)
    two = np.maximum(one @ w["second"] + w["second_bias"], 0)
    if decision.kind == PIECE:
        small = (
            two @ w["piece_hidden"] + w["piece_bias"] + w["piece_place"][decision.place]
            + w["piece_state"][decision.state] + w["piece_rank"][decision.rank]
        )  # fmt: skip
        outputs = np.maximum(small, 0) @ w["piece"] + w["piece_out_bias"]
    else:
        head = {KING_SQUARE: "king", HAND_PIECE: "hand", PLACE: "place"}[decision.kind]
        outputs = two @ w[head] + w[f"{head}_bias"]
    chances = np.where(decision.allowed, np.exp(outputs - outputs.max()), 0)
    return float(chances[decision.option] / chances.sum())


def test_positions_come_as_often_as_their_decisions_say() -> None:
    """The first decisions of drawn positions have the frequencies that NumPy computes."""
    network = small_network()
    positions = drawn(network, 3_000)
    reader = DecisionReader()
    kings = np.zeros(45)
    for position in positions:
        kings[position.king(Side.DEFENDER) or 0] += 1
    (step, *_) = reader.steps(pack(positions[0]), PLIES)
    (taken,) = step.decisions
    expected = np.array(
        [
            chance_by_numpy(network, step, Decision(KING_SQUARE, option, taken.allowed))
            for option in range(int(OPTIONS[KING_SQUARE]))
        ]
    )
    deviations = (kings - 3_000 * expected) / np.sqrt(3_000 * expected * (1 - expected))
    assert expected.sum() == pytest.approx(1)
    assert np.abs(deviations).max() < 4.5


def test_pieces_come_as_often_as_their_decisions_say() -> None:
    """Of all decisions that were drawn, as many took a likely option as their chances add up to."""
    network = small_network(2)
    reader = DecisionReader()
    for kind in (HAND_PIECE, PLACE, PIECE):
        expected, spread, met = 0.0, 0.0, 0
        for position in drawn(network, 250):
            for step in reader.steps(pack(position), PLIES):
                for decision in step.decisions:
                    if decision.kind == kind:
                        first = int(np.flatnonzero(decision.allowed)[0])
                        chance = chance_by_numpy(
                            network, step, Decision(
                                kind, first, decision.allowed, decision.place, decision.state, decision.rank
                            ),
                        )  # fmt: skip
                        expected += chance
                        spread += chance * (1 - chance)
                        met += decision.option == first
        assert abs(met - expected) < 4.5 * np.sqrt(spread) + 1e-9


def test_what_is_drawn_is_legal_to_set_up() -> None:
    """Right numbers of pieces, no two pawns on a file, no dead pieces; the king is not in check."""
    for position in drawn(small_network(3), 300):
        assert not start_faults(position)
        assert format_sfen(parse_sfen(format_sfen(position)).position) == format_sfen(position)


def test_a_seed_draws_the_same_positions() -> None:
    first, second = drawn(small_network(), 20), drawn(small_network(), 20)
    assert first == second
    assert drawn(small_network(), 20, seed=8) != first


def test_the_exponential_is_that_of_the_library() -> None:
    for x in np.linspace(-86, 0, 500):
        assert float(exponential(float(x))) == pytest.approx(float(np.exp(x)), rel=1e-12)
    assert exponential(-100.0) == 0


def test_reading_a_position_gives_the_decisions_that_write_it() -> None:
    for position in drawn(small_network(4), 100):
        record = pack(position)
        steps = DecisionReader().steps(record, PLIES)
        decisions = [one for step in steps for one in step.decisions]
        king = decisions[0].option
        placed = [
            (
                king // 9 + int(PLACE_FILES[one.place]),
                king % 9 + int(PLACE_RANKS[one.place]),
                int(PIECE_CODES[one.option]),
            )
            for one in decisions
            if one.kind == PIECE
        ]
        board = {
            (sq // 9, sq % 9): piece
            for sq, piece in enumerate(position.board)
            if piece is not None and sq != king
        }
        assert {(file, rank) for file, rank, _ in placed} == set(board)
        assert all((code < 16) == (board[file, rank].side is Side.ATTACKER) for file, rank, code in placed)
        held = [one.option + 1 for one in decisions if one.kind == HAND_PIECE][:-1]
        assert [held.count(kind) for kind in range(1, 8)] == list(position.attacker_hand.counts)


@pytest.mark.parametrize(
    "sfen", ["k8/9/1P7/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", "8k/9/7P1/9/9/9/9/9/K8 b G2r2b3g4s4n4l17p 1"]
)
def test_a_position_that_cannot_be_written_is_refused(sfen: str) -> None:
    with pytest.raises(NotWritable):
        DecisionReader().steps(pack(parse_sfen(sfen).position), PLIES)


def test_a_network_on_disk_is_the_same_in_half_precision(tmp_path: Path) -> None:
    path = tmp_path / "network.npz"
    network = small_network()
    write_network(network, {3: [(1, 2), (3, 4, 100)]}, path)
    assert [conditions.tolist() for conditions in stored_conditions(3, path)] == [[1, 2], [3, 4, 100]]
    assert len(stored_conditions(5, path)) == 0
    for name, array in stored_network(path)._asdict().items():
        assert np.array_equal(array, getattr(network, name).astype(np.float16).astype(np.float32))
