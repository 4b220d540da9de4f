# SPDX-License-Identifier: GPL-3.0-or-later
"""The network's weights, and positions drawn from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np

from generator.candidate import EMPTY
from generator.constraints.position import PositionConstraints
from generator.kernel.positions import clear_board, move_between_hands, put_piece_from_hand
from generator.learned.kernel.network import (
    FEATURE_ROOM,
    FEATURES,
    HAND_END,
    HAND_PIECE,
    KING_SQUARE,
    MAX_OPTIONS,
    OPTIONS,
    PIECE,
    PIECE_CODES,
    PLACE,
    PLACE_END,
    PLACE_OF_OFFSET,
    PLACES,
    STATES,
    Network,
    Scratch,
    draw_learned_mate,
    state_of_cell,
    write_features,
    write_options,
)
from solver.engines.dfpn.engine import DfPnEngine
from tsume_rules.kernel.state import put
from tsume_rules.kernel.tables import ATT, CELL, DEF, KING, RANK
from tsume_rules.packed import PackedPosition, pack
from tsume_rules.sfen import parse_sfen

_FILE = Path(__file__).with_name("network.npz")
_CONDITIONS = "conditions"
_NONE = -1
"""Fills the rows of problems that meet fewer conditions than others."""
FIRST, SECOND, SMALL = 320, 192, 64
"""Units of the two layers that all decisions share, and of the one from which pieces are drawn."""


def network_shapes(first: int = FIRST, second: int = SECOND, small: int = SMALL) -> dict[str, tuple[int, ...]]:
    """Return the shape of each array of a `Network` with so many units in its layers."""
    king, hand, place, piece = (int(number) for number in OPTIONS)
    return {
        "first": (FEATURES, first), "first_bias": (first,),
        "second": (first, second), "second_bias": (second,),
        "king": (second, king), "king_bias": (king,),
        "hand": (second, hand), "hand_bias": (hand,),
        "place": (second, place), "place_bias": (place,),
        "piece_hidden": (second, small), "piece_bias": (small,),
        "piece_place": (PLACES, small), "piece_state": (STATES, small), "piece_rank": (9, small),
        "piece": (small, piece), "piece_out_bias": (piece,),
    }  # fmt: skip


@cache
def stored_network(path: Path = _FILE) -> Network:
    """Return the network in a file, by default the one the generator uses."""
    with path.open("rb") as file, np.load(file) as data:
        return Network(*(data[name].astype(np.float32) for name in Network._fields))


@cache
def stored_conditions(length: int, path: Path = _FILE) -> tuple[np.ndarray, ...]:
    """Return the conditions that each published problem of a length meets (`generator.learned.search`). Empty if there
    are no problems of this length."""
    with path.open("rb") as file, np.load(file) as data:
        name = f"{_CONDITIONS} {length}"
        rows = data[name].astype(np.int64) if name in data.files else np.zeros((0, 0), dtype=np.int64)
        return tuple(row[row != _NONE] for row in rows)


def write_network(network: Network, conditions: Mapping[int, Sequence[Sequence[int]]], path: Path = _FILE) -> None:
    """Write a network in half precision, and by length the conditions that published problems meet."""
    arrays: dict[str, np.ndarray] = {
        name: np.asarray(array, dtype=np.float16) for name, array in network._asdict().items()
    }
    for length, problems in conditions.items():
        rows = np.full((len(problems), max(map(len, problems))), _NONE, dtype=np.int8)
        for row, problem in zip(rows, problems, strict=True):
            row[: len(problem)] = problem
        arrays[f"{_CONDITIONS} {length}"] = rows
    with path.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type]  # one of its own options is a bool


def scratch_for(network: Network) -> Scratch:
    """Scratch space for the kernels that run a network."""
    sizes = (len(network.first_bias), len(network.second_bias), len(network.piece_bias), MAX_OPTIONS)
    return Scratch(
        np.zeros(FEATURE_ROOM, dtype=np.int64),
        np.zeros(MAX_OPTIONS, dtype=np.int64),
        *(np.zeros(size, dtype=np.float32) for size in sizes),
    )


# --- positions drawn from the network until one mates in n plies, for Python -----------------------

DRAW_NODES = {3: 1_000, 5: 1_000, 7: 1_500, 9: 3_000}
"""Nodes for the length of one position, by length in plies."""


def nodes_for_tests(length: int) -> int:
    """Nodes for the tests of one position for second solutions."""
    return min(3_000 << (max(0, length - 3) // 2), 24_000)


class LearnedSampler:
    """Draws positions from a network; random choices follow ``state``, the caller's uint64 array [1]."""

    def __init__(self, engine: DfPnEngine, state: np.ndarray, network: Network) -> None:
        self._engine = engine
        self._state = state
        self._network = network
        self._scratch = scratch_for(network)
        self._constraints = PositionConstraints().packed()
        self._empty = pack(parse_sfen(EMPTY).position)

    def set_constraints(self, constraints: PositionConstraints) -> None:
        """From now on draw only positions that meet these constraints."""
        self._constraints = constraints.packed()

    def draw(
        self, n: int, tries: int, nodes: int, conditions: Sequence[int] | np.ndarray = ()
    ) -> tuple[PackedPosition | None, int]:
        """The first of at most ``tries`` positions that mates in exactly n plies, and how many were drawn. ``nodes``
        bounds the search of one."""
        return self.draw_by(draw_learned_mate, n, tries, nodes, conditions)

    def draw_by(
        self,
        kernel: Callable[..., int],
        n: int,
        tries: int,
        nodes: int,
        conditions: Sequence[int] | np.ndarray,
        *options: int,
    ) -> tuple[PackedPosition | None, int]:
        """As `draw`, by another kernel, with ``options`` of its own after the conditions."""
        self._engine.check_limits()
        arena = self._engine.arena(self._empty.copy())
        asked = np.array(conditions, dtype=np.int64)
        number = kernel(
            arena, n, tries, nodes, asked, *options, self._network, self._state, self._scratch,
            self._constraints,
        )  # fmt: skip
        return (arena.pos, number) if number else (None, tries)

    def mates(self, n: int, tries: int, nodes: int, conditions: np.ndarray) -> Iterator[PackedPosition]:
        """Yield those of ``tries`` positions that mate in exactly n plies."""
        left = tries
        while left > 0:
            packed, number = self.draw(n, left, nodes, conditions)
            left -= number
            if packed is not None:
                yield packed


# --- the decisions that write a given position: what the network is fitted to ----------------------

_OPTION_OF_PIECE = {int(code): option for option, code in enumerate(PIECE_CODES)}
MIDDLE_FILE = 4
"""The file, counted from 0, on which both mirror images have their king."""


class NotWritable(ValueError):
    """A position that no sequence of decisions writes."""


@dataclass(frozen=True)
class Decision:
    """One decision: its kind, the option taken and those there were; for a piece the ``place``, and the
    ``state`` and ``rank`` of its cell. A piece is drawn from the features of its place's decision."""

    kind: int
    option: int
    allowed: np.ndarray
    place: int = 0
    state: int = 0
    rank: int = 0


@dataclass(frozen=True)
class Step:
    """Features of an unfinished position, and the decisions taken from them: one, or place and piece."""

    features: np.ndarray
    decisions: tuple[Decision, ...]


@dataclass
class DecisionReader:
    """Reads positions as sequences of decisions."""

    _features: np.ndarray = field(default_factory=lambda: np.zeros(FEATURE_ROOM, dtype=np.int64))
    _allowed: np.ndarray = field(default_factory=lambda: np.zeros(MAX_OPTIONS, dtype=np.int64))
    _empty: PackedPosition = field(default_factory=lambda: pack(parse_sfen(EMPTY).position))

    def steps(self, packed: PackedPosition, plies: int, conditions: Sequence[int] = ()) -> list[Step]:
        """Return the steps that write a position whose defender's king stands on files 1 to 5. Raises `NotWritable`,
        for instance for a position with a king of the attacker."""
        asked = np.array(conditions, dtype=np.int64)
        pos = self._empty.copy()
        clear_board(pos)
        squares = [sq for sq in range(81) if packed.board[CELL[sq]]]
        kings = [sq for sq in squares if packed.board[CELL[sq]] == KING + 16]
        if len(kings) != 1 or kings[0] // 9 > MIDDLE_FILE or packed.king[ATT]:
            raise NotWritable("the defender's king must stand on files 1 to 5, and the attacker have none")
        (king,) = kings
        steps = [self._step(pos, plies, asked, KING_SQUARE, 0, king)]
        put(pos, CELL[king], KING + 16)
        kind = 0
        for held in range(1, 8):
            for _ in range(int(packed.hand[ATT, held])):
                steps.append(self._step(pos, plies, asked, HAND_PIECE, kind, held - 1))
                move_between_hands(pos, held, DEF)
                kind = held
        steps.append(self._step(pos, plies, asked, HAND_PIECE, kind, HAND_END))
        last = PLACES
        placed = sorted(
            (int(PLACE_OF_OFFSET[sq // 9 - king // 9 + 8, sq % 9 - king % 9 + 8]), sq) for sq in squares if sq != king
        )
        for place, sq in placed:
            cell = int(CELL[sq])
            piece = int(packed.board[cell])
            step = self._step(pos, plies, asked, PLACE, last, place)
            option = _OPTION_OF_PIECE[piece]
            extra = (place, int(state_of_cell(pos, cell)), int(RANK[cell]))
            chosen = Decision(PIECE, option, self._options(pos, PIECE, place, option), *extra)
            steps.append(Step(step.features, (*step.decisions, chosen)))
            put_piece_from_hand(pos, piece, cell)
            last = place
        steps.append(self._step(pos, plies, asked, PLACE, last, PLACE_END))
        return steps

    def _step(self, pos: PackedPosition, plies: int, conditions: np.ndarray, kind: int, last: int, option: int) -> Step:
        number = write_features(pos, plies, conditions, kind, last, self._features)
        allowed = self._options(pos, kind, last, option)
        return Step(self._features[:number].astype(np.int32), (Decision(kind, option, allowed),))

    def _options(self, pos: PackedPosition, kind: int, last: int, option: int) -> np.ndarray:
        write_options(pos, kind, last, self._allowed)
        if not self._allowed[option]:
            raise NotWritable(f"option {option} of decision {kind} is not allowed")
        return self._allowed[: OPTIONS[kind]].astype(bool)
