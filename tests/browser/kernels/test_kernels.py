# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels as WebAssembly answer as the native ones."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from browser.kernels import KernelModule, name_of
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.arena import FINISHED, RUNNING, node_key
from solver.engines.dfpn.kernel.main_tree import REPLY, TURN, main_tree
from solver.engines.dfpn.kernel.outcome import is_known_mated
from solver.engines.dfpn.kernel.proof_tree import SUBTREE, SUMS, proof_tree, refutation_work
from solver.engines.dfpn.kernel.queries import raise_bound, raise_bound_for_each, readings_agree, refute_each_ever
from solver.engines.dfpn.kernel.search import begin, run
from solver.engines.dfpn.kernel.sound import STACK, is_sound, longest_defences, refute_each
from solver.scoring.kernel.glance import ROOM, refuted_at_a_glance
from tests.browser.kernels.kernels_in_node import Calls, same_calls
from tests.places import COMPOSED
from tests.positions import crowded_position, promotable_position, random_attack, random_checked_position
from tsume_rules.kernel import attacks, move_generation, state
from tsume_rules.kernel.move_generation import MAX_MOVES, checks, evasions, king_moves
from tsume_rules.kernel.state import can_promote, has_pawn
from tsume_rules.kernel.tables import ATT, DEF
from tsume_rules.packed import legal_checks, legal_evasions, pack, pack_all
from tsume_rules.position import Position
from tsume_rules.sfen import parse_sfen

MANY_NODES = 1 << 40


def problems(number: int) -> list[Position]:
    lines = [line for line in COMPOSED.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
    return [parse_sfen(line).position for line in lines[:: len(lines) // number]][:number]


def attacks_of_all_kinds(number: int) -> list[Position]:
    rng = random.Random(1)
    kinds = (random_attack, crowded_position, promotable_position)
    return [kinds[turn % 3](rng) for turn in range(number)]


def test_legal_moves(module: KernelModule, tmp_path: Path) -> None:
    calls = Calls()
    rng = random.Random(2)
    out = np.zeros(MAX_MOVES, dtype=np.int64)
    for position in attacks_of_all_kinds(60):
        calls.call(checks, pack(position), out, 0)
        calls.call(attacks.find_checkers, pack(position), DEF)
        calls.call(state.packed_hand, pack(position))
    for _ in range(60):
        record = pack(random_checked_position(rng, with_attacker_king=False))
        calls.call(evasions, record, out, 3)
        calls.call(king_moves, record, out, 0)
        calls.call(attacks.in_check, record, DEF)
        calls.call(has_pawn, record, 20, ATT)
    same_calls(calls.in_node(module, tmp_path), calls.native)


def test_moves_that_are_taken_back(module: KernelModule, tmp_path: Path) -> None:
    calls = Calls()
    for position in attacks_of_all_kinds(20):
        for check in legal_checks(pack(position))[:4]:
            record = pack(position)
            before = record.tobytes()
            captured = calls.call(state.do, record, check, ATT)
            for answer in legal_evasions(record)[:3]:
                taken = calls.call(state.do, record, answer, DEF)
                calls.call(state.undo, record, answer, DEF, taken)
            calls.call(state.undo, record, check, ATT, captured)
            assert record.tobytes() == before
    same_calls(calls.in_node(module, tmp_path), calls.native)


def test_positions_that_are_set_up(module: KernelModule, tmp_path: Path) -> None:
    calls = Calls()
    for position in attacks_of_all_kinds(20):
        record = np.zeros(1, dtype=state.POSITION).view(np.recarray)[0]
        codes = np.array([one.kind + 16 * one.side if one else 0 for one in position.board], np.int8)
        hands = np.array([(0, *position.attacker_hand.counts), (0, *position.defender_hand.counts)], np.int8)
        calls.call(state.set_up_position, record, codes, hands)
    same_calls(calls.in_node(module, tmp_path), calls.native)


def test_kernels_of_numbers(module: KernelModule, tmp_path: Path) -> None:
    calls = Calls()
    for king, checker in ((25, 69), (36, 37), (25, 48)):
        calls.call(attacks.between, king, checker)
    for value in (0, 5, -1, (1 << 53) - 1, 1 << 53, -(1 << 53), (1 << 62) + 12345, -(1 << 63)):
        calls.call(attacks.by_side, value, ATT)
        calls.call(attacks.by_side, value, DEF)
        calls.call(state.target_of, value)
    calls.call(state.hand_contains, 7, 3)
    calls.call(state.hand_contains, 3, 7)
    calls.call(can_promote, 1, 30, 25, ATT)
    same_calls(calls.in_node(module, tmp_path), calls.native)


def test_large_scratch_space(module: KernelModule, tmp_path: Path) -> None:
    calls = Calls()
    out, room = np.zeros(ROOM, dtype=np.int64), np.zeros(move_generation.ROOM, dtype=np.int64)
    for position in attacks_of_all_kinds(3):
        calls.call(move_generation.answered_checks, pack(position), room)
        for check in legal_checks(pack(position)):
            calls.call(refuted_at_a_glance, pack(position), check, out)
    same_calls(calls.in_node(module, tmp_path), calls.native)


def test_shortest_mates(module: KernelModule, tmp_path: Path) -> None:
    engine = DfPnEngine(table_bits=14)
    calls = Calls(engine)
    for position in problems(12):
        calls.call(raise_bound, engine.arena(pack(position)), 15, MANY_NODES)
        calls.call(node_key, pack(position), engine._search, 1)
    assert sum(call.result[1] for call in calls.native if call.kernel.endswith("raise_bound")) == 12
    same_calls(calls.in_node(module, tmp_path), calls.native)


def test_searches_in_slices(module: KernelModule, tmp_path: Path) -> None:
    engine = DfPnEngine(table_bits=14)
    calls = Calls(engine)
    for position in problems(4):
        arena = engine.arena(pack(position))
        status = FINISHED if calls.call(begin, arena, 9, 1) else RUNNING
        while status == RUNNING:
            status = calls.call(run, arena, 50)
    same_calls(calls.in_node(module, tmp_path), calls.native)


def test_many_positions_in_one_call(module: KernelModule, tmp_path: Path) -> None:
    engine = DfPnEngine(table_bits=14)
    calls = Calls(engine)
    lengths = np.zeros(10, dtype=np.int64)
    calls.call(raise_bound_for_each, pack_all(problems(10)), engine._box, 11, MANY_NODES, lengths)
    assert lengths.all()
    same_calls(calls.in_node(module, tmp_path), calls.native)


def test_questions_about_mates(module: KernelModule, tmp_path: Path) -> None:
    engine = DfPnEngine(table_bits=16)
    calls = Calls(engine)
    stack, memo = np.zeros(STACK, dtype=np.int64), np.zeros(64 * SUBTREE, dtype=np.int64)
    for position in problems(6):
        record = pack(position)
        arena = engine.arena(record)
        length, _ = calls.call(raise_bound, arena, 15, MANY_NODES)
        moves = np.array(legal_checks(record), dtype=np.int64)
        states, spent = np.zeros(len(moves), dtype=np.int8), np.zeros(1, dtype=np.int64)
        depths = np.zeros_like(moves)
        calls.call(refute_each, arena, moves, states, 0, length, len(moves), MANY_NODES)
        calls.call(refute_each_ever, arena, moves, states, spent, 0, 200, MANY_NODES, MANY_NODES)
        calls.call(is_sound, arena, length, 2, stack, 500, MANY_NODES)
        calls.call(proof_tree, arena, length, memo, stack, np.zeros(SUMS, dtype=np.int64), MANY_NODES)
        calls.call(readings_agree, arena, moves[:1], stack, 4000, MANY_NODES)
        calls.call(refutation_work, arena, moves, depths, depths.copy(), 0, length, 300, MANY_NODES)
        played = record.copy()
        state.do(played, int(moves[0]), ATT)
        calls.call(is_known_mated, engine.arena(played), length - 1)
        calls.call(longest_defences, engine.arena(played), length - 1, stack, 0, MANY_NODES)
        turns, replies = np.zeros(300 * TURN, dtype=np.int64), np.zeros(4000 * REPLY, dtype=np.int64)
        walk = np.array([0, 0, 100], dtype=np.int64)
        weights, places = np.linspace(-1, 1, 14), np.zeros(1024, dtype=np.int64)
        calls.call(
            main_tree, arena, length, 0, 1, turns, replies, places, walk, stack, weights, 5, 3, MANY_NODES
        )  # fmt: skip
    same_calls(calls.in_node(module, tmp_path), calls.native)


def test_wrong_arguments(module: KernelModule, tmp_path: Path) -> None:
    calls = Calls()
    record, out = pack(problems(1)[0]), np.zeros(MAX_MOVES, dtype=np.int64)
    calls.call_in_node(name_of(checks), record, out.astype(np.int8), 0)
    calls.call_in_node(name_of(checks), out, out, 0)
    calls.call_in_node(name_of(checks), record, out, None)
    calls.call_in_node(name_of(checks), record, out)
    calls.call_in_node("tsume_rules.kernel.move_generation.no_checks", record)
    wanted = ("an array of int8", "for a tsume_rules", "null for an integer", "takes 3 arguments, not 2", "no kernel")
    for said, words in zip(calls.errors_in_node(module, tmp_path), wanted, strict=True):
        assert words in said


def test_an_engine_fits_into_64_megabytes(module: KernelModule, tmp_path: Path) -> None:
    engine = DfPnEngine(table_bits=20)
    calls = Calls(engine)
    for position in problems(3):
        calls.call(raise_bound, engine.arena(pack(position)), 15, MANY_NODES)
        calls.call(move_generation.answered_checks, pack(position), np.zeros(move_generation.ROOM, dtype=np.int64))
    assert max(calls.memory_in_node(module, tmp_path)) <= 64 << 20


@pytest.mark.parametrize("limit", [1 << 20, 12 << 20])
def test_arrays_make_room_for_others(module: KernelModule, tmp_path: Path, limit: int) -> None:
    engine = DfPnEngine(table_bits=10)
    calls = Calls(engine)
    for position in problems(4):
        calls.call(raise_bound, engine.arena(pack(position)), 7, MANY_NODES)
        for _ in range(3):
            calls.call(move_generation.answered_checks, pack(position), np.zeros(move_generation.ROOM, dtype=np.int64))
    same_calls(calls.in_node(module, tmp_path, limit=limit), calls.native)
