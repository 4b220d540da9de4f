# SPDX-License-Identifier: GPL-3.0-or-later
"""The network: two layers over the features of an unfinished position, and outputs for each kind of decision.

All sums are taken in a fixed order in single precision, and exponentials are computed here from
additions and multiplications alone: the same numbers on every machine, and so the same positions from a seed.
"""

from collections import namedtuple

import numpy as np
from numba import types

from generator.kernel.board import clear_board
from generator.kernel.position_constraints import POSITION_CONSTRAINTS, meets_position_constraints
from generator.kernel.random import STATE, random_below
from generator.learned.kernel.decisions import (
    HAND_END,
    HAND_PIECE,
    KING_SQUARE,
    PIECE,
    PIECE_CODES,
    PLACE,
    PLACE_END,
    PLACES,
    cell_of_place,
    state_of_cell,
    write_features,
    write_options,
)
from generator.local_search.kernel.edits import move_between_hands, put_piece_from_hand
from solver.engines.dfpn.kernel.arena import ARENA
from solver.engines.dfpn.kernel.sound import mates_in_exactly
from tsume_rules.kernel.attacks import in_check
from tsume_rules.kernel.compile import INTEGERS, jit, struct, unit
from tsume_rules.kernel.state import POSITION_TYPE, put
from tsume_rules.kernel.tables import CELL, DEF, KING, RANK

ROW = types.Array(types.float32, 1, "C")
TABLE = types.Array(types.float32, 2, "C")

Network = namedtuple(
    "Network",
    "first first_bias second second_bias king king_bias hand hand_bias place place_bias "
    "piece_hidden piece_bias piece_place piece_state piece_rank piece piece_out_bias",
)
"""The weights, float32. ``first`` [feature, unit] and ``second`` [unit, unit] with their biases are the
layers that all decisions share; ``king``, ``hand`` and ``place`` [unit, option] give the outputs from the
second. A piece is drawn from a further small layer: ``piece_hidden`` [unit, unit], with ``piece_place``,
``piece_state`` and ``piece_rank`` added for the place, its cell's state and rank, and ``piece`` [unit,
option]."""
NETWORK = types.NamedTuple(
    [TABLE, ROW, TABLE, ROW, TABLE, ROW, TABLE, ROW, TABLE, ROW, TABLE, ROW, TABLE, TABLE, TABLE, TABLE, ROW],
    Network,
)
"""The type of a `Network`, for units."""

Scratch = namedtuple("Scratch", "features allowed one two small outputs")
"""Scratch space: `FEATURE_ROOM` and `MOST_OPTIONS` integers; float32 arrays for the layers; outputs."""
SCRATCH = types.NamedTuple([INTEGERS, INTEGERS, ROW, ROW, ROW, ROW], Scratch)

_LOG2_E = 1.4426950408889634
_LN_2 = 0.6931471805599453
_POWERS_OF_2 = 2.0 ** np.arange(-127, 1)


@jit
def exponential(x):
    """e to a number of at most 0, by additions and multiplications alone; 0 below -87."""
    if x < -87.0:
        return 0.0
    whole = int(np.floor(x * _LOG2_E))
    rest = x - whole * _LN_2
    total = 1.0
    for i in range(13, 0, -1):
        total = 1.0 + total * rest / i
    return total * _POWERS_OF_2[whole + 127]


@jit
def run_layers(network, number, scratch):
    """The second layer's units in ``scratch.two`` for the first ``number`` of ``scratch.features``."""
    one, two = scratch.one, scratch.two
    for j in range(len(one)):
        one[j] = network.first_bias[j]
    for i in range(number):
        row = scratch.features[i]
        for j in range(len(one)):
            one[j] += network.first[row, j]
    for j in range(len(two)):
        two[j] = network.second_bias[j]
    _add_product(one, network.second, two)
    for j in range(len(two)):
        two[j] = max(two[j], np.float32(0))


@jit
def _add_product(units, weights, out):
    """Add the weights of positive units to ``out``."""
    for i in range(len(units)):
        value = units[i]
        if value > 0:
            for j in range(len(out)):
                out[j] += value * weights[i, j]


@jit
def _run_output(weights, bias, scratch):
    for j in range(len(bias)):
        scratch.outputs[j] = bias[j]
    out = scratch.outputs[: len(bias)]
    _add_product(scratch.two, weights, out)


@jit
def run_output(pos, network, stage, place, scratch):
    """The outputs for the options of a decision in ``scratch.outputs``, after `run_layers`."""
    if stage == KING_SQUARE:
        _run_output(network.king, network.king_bias, scratch)
    elif stage == HAND_PIECE:
        _run_output(network.hand, network.hand_bias, scratch)
    elif stage == PLACE:
        _run_output(network.place, network.place_bias, scratch)
    else:
        cell = cell_of_place(int(pos.king[DEF]), place)
        state, rank = state_of_cell(pos, cell), RANK[cell]
        small = scratch.small
        for j in range(len(small)):
            small[j] = (
                network.piece_bias[j] + network.piece_place[place, j] + network.piece_state[state, j]
                + network.piece_rank[rank, j]
            )  # fmt: skip
        _add_product(scratch.two, network.piece_hidden, small)
        for j in range(len(network.piece_out_bias)):
            scratch.outputs[j] = network.piece_out_bias[j]
        out = scratch.outputs[: len(network.piece_out_bias)]
        _add_product(small, network.piece, out)


@jit
def _draw_option(scratch, number, state):
    """An option that is allowed, each with its probability."""
    outputs, allowed = scratch.outputs, scratch.allowed
    most = np.float32(-1e30)
    for i in range(number):
        if allowed[i] and outputs[i] > most:
            most = outputs[i]
    total = 0.0
    for i in range(number):
        if allowed[i]:
            outputs[i] = np.float32(exponential(float(outputs[i]) - float(most)))
            total += float(outputs[i])
    left = total * (random_below(state, 1 << 30) / float(1 << 30))
    last = 0
    for i in range(number):
        if allowed[i]:
            left -= float(outputs[i])
            last = i
            if left < 0:
                break
    return last


@jit
def _decide(pos, stage, last, network, state, scratch):
    write_options(pos, stage, last, scratch.allowed)
    run_output(pos, network, stage, last, scratch)
    number = len(network.king_bias)
    if stage == HAND_PIECE:
        number = len(network.hand_bias)
    elif stage == PLACE:
        number = len(network.place_bias)
    elif stage == PIECE:
        number = len(network.piece_out_bias)
    return _draw_option(scratch, number, state)


@unit(
    pos=POSITION_TYPE, conditions=INTEGERS, network=NETWORK, state=STATE,
    scratch=SCRATCH,
)  # fmt: skip
def draw_learned_position(pos, plies, conditions, network, state, scratch):
    """Write a position, decision by decision, each drawn with its chance; returns the number of pieces."""
    clear_board(pos)
    number = write_features(pos, plies, conditions, KING_SQUARE, 0, scratch.features)
    run_layers(network, number, scratch)
    king = CELL[_decide(pos, KING_SQUARE, 0, network, state, scratch)]
    put(pos, king, KING + 16)
    kind = 0
    while True:
        number = write_features(pos, plies, conditions, HAND_PIECE, kind, scratch.features)
        run_layers(network, number, scratch)
        option = _decide(pos, HAND_PIECE, kind, network, state, scratch)
        if option == HAND_END:
            break
        kind = option + 1
        move_between_hands(pos, kind, DEF)
    pieces = 0
    last = PLACES
    while True:
        number = write_features(pos, plies, conditions, PLACE, last, scratch.features)
        run_layers(network, number, scratch)
        place = _decide(pos, PLACE, last, network, state, scratch)
        if place == PLACE_END:
            return pieces
        piece = int(PIECE_CODES[_decide(pos, PIECE, place, network, state, scratch)])
        last = place
        pieces += put_piece_from_hand(pos, piece, cell_of_place(king, place))


@unit(
    arena=ARENA, conditions=INTEGERS, network=NETWORK, state=STATE, scratch=SCRATCH,
    constraints=struct(POSITION_CONSTRAINTS),
)  # fmt: skip
def draw_learned_mate(arena, n, tries, nodes, conditions, network, state, scratch, constraints):
    """Draw positions into ``arena.pos`` until one mates in exactly n plies; their number, 0 if none does.

    ``nodes`` bounds the search of one.
    """
    pos = arena.pos
    for number in range(tries):
        draw_learned_position(pos, n, conditions, network, state, scratch)
        if in_check(pos, DEF) or not meets_position_constraints(pos, constraints):
            continue
        if mates_in_exactly(arena, n, arena.search.nodes + nodes):
            return number + 1
    return 0
