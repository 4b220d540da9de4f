# SPDX-License-Identifier: GPL-3.0-or-later
"""The network's weights, and positions drawn from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from generator.learned.kernel.decisions import FEATURE_ROOM, FEATURES, MOST_OPTIONS, OPTIONS, PLACES, STATES
from generator.learned.kernel.network import Network, Scratch

_FILE = Path(__file__).with_name("network.npz")
_CONDITIONS = "conditions"
_NONE = -1
"""Fills the rows of problems that meet fewer conditions than others."""
FIRST, SECOND, SMALL = 320, 192, 64
"""Units of the two layers that all decisions share, and of the one from which pieces are drawn."""


def network_shapes(
    first: int = FIRST, second: int = SECOND, small: int = SMALL
) -> dict[str, tuple[int, ...]]:
    """The shape of each array of a `Network` with so many units in its layers."""
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
    """The network in a file, by default the one the generator uses."""
    with path.open("rb") as file, np.load(file) as data:
        return Network(*(data[name].astype(np.float32) for name in Network._fields))


@cache
def stored_conditions(length: int, path: Path = _FILE) -> tuple[np.ndarray, ...]:
    """The conditions that each published problem of a length meets (`generator.learned.conditions`).

    Empty if there are no problems of this length.
    """
    with path.open("rb") as file, np.load(file) as data:
        name = f"{_CONDITIONS} {length}"
        rows = data[name].astype(np.int64) if name in data.files else np.zeros((0, 0), dtype=np.int64)
        return tuple(row[row != _NONE] for row in rows)


def write_network(
    network: Network, conditions: Mapping[int, Sequence[Sequence[int]]], path: Path = _FILE
) -> None:
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
    sizes = (len(network.first_bias), len(network.second_bias), len(network.piece_bias), MOST_OPTIONS)
    return Scratch(
        np.zeros(FEATURE_ROOM, dtype=np.int64),
        np.zeros(MOST_OPTIONS, dtype=np.int64),
        *(np.zeros(size, dtype=np.float32) for size in sizes),
    )
