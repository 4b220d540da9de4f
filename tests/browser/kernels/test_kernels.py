# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels as WebAssembly answer as the native ones."""

import base64
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from browser.files import KernelModule, runtime_source
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.arena import FINISHED, RUNNING, Arena, node_key
from solver.engines.dfpn.kernel.main_tree import REPLY, TURN, main_tree
from solver.engines.dfpn.kernel.outcome import is_known_mated
from solver.engines.dfpn.kernel.proof_tree import SUBTREE, SUMS, proof_tree, refutation_work
from solver.engines.dfpn.kernel.search import begin, run
from solver.engines.dfpn.kernel.sound import (
    STACK,
    is_sound,
    longest_defences,
    raise_bound,
    raise_bound_for_each,
    readings_agree,
    refute_each,
    refute_each_ever,
)
from solver.engines.kernel.mate import GLANCE_ROOM, refuted_at_a_glance
from tests.javascript.node import answers
from tests.places import COMPOSED
from tests.positions import crowded_position, promotable_position, random_attack, random_checked_position
from tsume_rules.kernel import attacks, move_generation, state, tables
from tsume_rules.kernel.move_generation import MAX_MOVES, checks, evasions, king_moves
from tsume_rules.kernel.state import can_promote, has_pawn
from tsume_rules.kernel.tables import ATT, DEF
from tsume_rules.packed import legal_checks, legal_evasions, pack, pack_all
from tsume_rules.position import Position
from tsume_rules.sfen import parse_sfen

LARGE = 1 << 20
"""Bytes of arrays that are not compared, as in the script."""
_SCRIPT = Path(__file__).with_name("calls.mjs")


@dataclass(frozen=True)
class Call:
    """What a call returned, and what its arguments held afterwards: bytes of arrays and records."""

    kernel: str
    result: Any
    after: list[bytes | None]
    search: list[int]


@dataclass
class Calls:
    """Native calls, recorded to be made again in Node.js."""

    engine: DfPnEngine | None = None
    questions: list[dict[str, Any]] = field(default_factory=list)
    native: list[Call] = field(default_factory=list)

    def call(self, kernel: Any, *arguments: Any) -> Any:
        """Call a kernel natively; its arguments are as they were when it is called again."""
        name = kernel.kernel.name
        self.call_in_node(name, *arguments)
        result = kernel(*arguments)
        after = [_bytes_of(one) for one in arguments]
        self.native.append(Call(name, _plain(result), after, self._search()))
        return result

    def call_in_node(self, name: str, *arguments: Any) -> None:
        """Call a kernel in Node.js only."""
        self.questions.append({"kernel": name, "arguments": [self._encoded(one) for one in arguments]})

    def in_node(self, module: KernelModule, folder: Path, **options: Any) -> list[Call]:
        """The same calls by the module, in the same order."""
        found = self._answers(module, folder, options)
        return [
            Call(native.kernel, _decoded(one["result"]), list(map(_unpacked, one["after"])), _decoded(one["search"]))
            for native, one in zip(self.native, found[1:], strict=True)
        ]

    def memory_in_node(self, module: KernelModule, folder: Path, **options: Any) -> list[int]:
        """The bytes of the module's memory at the start and after each call."""
        return [one["bytes"] for one in self._answers(module, folder, options)]

    def errors_in_node(self, module: KernelModule, folder: Path) -> list[str]:
        """The errors that the calls raise there."""
        return [one["error"] for one in self._answers(module, folder, {})[1:]]

    def _answers(self, module: KernelModule, folder: Path, options: dict[str, Any]) -> list[Any]:
        script, wasm, manifest = (folder / name for name in ("runtime.js", "kernels.wasm", "manifest.json"))
        script.write_text(runtime_source(), encoding="utf-8")
        wasm.write_bytes(module.wasm)
        manifest.write_text(json.dumps(module.manifest), encoding="utf-8")
        setup = {"runtime": str(script), "wasm": str(wasm), "manifest": str(manifest), "options": options}
        return answers(str(_SCRIPT), [{**setup, **self._arena()}, *self.questions])

    def _arena(self) -> dict[str, Any]:
        if self.engine is None:
            return {}
        arena = self.engine._box
        names = {"search": "searches"}
        parts = [
            {"name": names.get(name, name), "type": _type_of(part), "shape": len(part)}
            for name, part in zip(Arena._fields, arena, strict=True)
            if part is not None
        ]
        search = DfPnEngine(table_bits=4)._search
        state = {name: int(search[name]) for name in search.dtype.names if search[name].shape == ()}
        return {"arena": parts, "state": state}

    def _encoded(self, value: Any) -> Any:
        match value:
            case Arena(pos=None):
                return {"searches": True}
            case Arena():
                return {"arena": self._encoded(value.pos)}
            case np.record() | np.void():
                if value.nbytes >= LARGE:
                    return {"element": "searches"}
                return {"record": True, "type": _type_of(value), "shape": 1, "bytes": _packed(value)}
            case np.ndarray():
                plain = {"type": _type_of(value), "shape": list(value.shape)}
                empty = value.dtype.names is None and not value.any()
                return plain if empty else {**plain, "bytes": _packed(value)}
            case int() if abs(value) >= 1 << 53:
                return {"integer": str(value)}
        return value

    def _search(self) -> list[int]:
        if self.engine is None:
            return []
        return [int(self.engine._search[name]) for name in ("nodes", "pn", "dn", "length")]


def _type_of(value: Any) -> str:
    from solver.engines.dfpn.kernel import arena
    from tsume_rules.kernel.tables import POSITION

    if value.dtype.names is None:
        return str(value.dtype)
    layouts: dict[str, np.dtype[Any]] = {"POSITION": POSITION}
    for name in ("SEARCH", "FRAME", "CHILD", "ENTRY", "BARRED", "CANDIDATE"):
        layouts[name] = getattr(arena, name)
    names = tuple(value.dtype.names)
    return next(name for name, layout in layouts.items() if layout.names == names)


def _packed(value: Any) -> str:
    return str(base64.b64encode(value.tobytes()), "ascii")


def _unpacked(text: str | None) -> bytes | None:
    return None if text is None else base64.b64decode(text)


def _bytes_of(value: Any) -> bytes | None:
    if isinstance(value, Arena):
        return None if value.pos is None else _bytes_of(value.pos)
    if isinstance(value, np.ndarray | np.void) and value.nbytes < LARGE:
        return value.tobytes()
    return None


def _plain(result: Any) -> Any:
    if isinstance(result, tuple):
        return [_plain(one) for one in result]
    return result.item() if isinstance(result, np.generic) else result


def _decoded(value: Any) -> Any:
    if isinstance(value, list):
        return [_decoded(one) for one in value if one is not None]
    return int(value["integer"]) if isinstance(value, dict) else value


def same_calls(found: Sequence[Call], expected: Sequence[Call]) -> None:
    """Assert that two sequences of calls are the same."""
    for one, other in zip(found, expected, strict=True):
        assert one == other, one.kernel


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
        record = np.zeros(1, dtype=tables.POSITION).view(np.recarray)[0]
        codes = np.array([one.kind + 16 * one.side if one else 0 for one in position.board], np.int8)
        hands = np.array([(0, *position.attacker_hand.counts), (0, *position.defender_hand.counts)], np.int8)
        calls.call(state.set_up_position, record, codes, hands)
    same_calls(calls.in_node(module, tmp_path), calls.native)


def test_kernels_of_numbers(module: KernelModule, tmp_path: Path) -> None:
    calls = Calls()
    for king, checker in ((25, 69), (36, 37), (25, 48)):
        calls.call(attacks.cells_between_count, king, checker)
    for value in (0, 5, -1, (1 << 53) - 1, 1 << 53, -(1 << 53), (1 << 62) + 12345, -(1 << 63)):
        calls.call(attacks.effects_of_side, value, ATT)
        calls.call(attacks.effects_of_side, value, DEF)
    calls.call(can_promote, 1, 30, 25, ATT)
    same_calls(calls.in_node(module, tmp_path), calls.native)


def test_large_scratch_space(module: KernelModule, tmp_path: Path) -> None:
    calls = Calls()
    out, room = np.zeros(GLANCE_ROOM, dtype=np.int64), np.zeros(move_generation.ROOM, dtype=np.int64)
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
    calls.call_in_node(checks.kernel.name, record, out.astype(np.int8), 0)
    calls.call_in_node(checks.kernel.name, out, out, 0)
    calls.call_in_node(checks.kernel.name, record, out, None)
    calls.call_in_node(checks.kernel.name, record, out)
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
