# SPDX-License-Identifier: GPL-3.0-or-later
"""The network: two layers over the features of an unfinished position, and outputs for each kind of decision.

All sums are taken in a fixed order in single precision, and exponentials are computed here from
additions and multiplications alone: the same numbers on every machine, and so the same positions from a seed.
"""

from __future__ import annotations

import numpy as np

from generator.kernel.positions import (
    POSITION_CONSTRAINTS,
    STATE,
    clear_board,
    exponential,
    meets_position_constraints,
    move_between_hands,
    put_piece_from_hand,
    random_below,
)
from generator.kernel.traits import TRAITS, legal_check_traits, position_traits
from solver.engines.dfpn.kernel.arena import ARENA
from solver.engines.dfpn.kernel.sound import NO, YES, ask_mates_after, ask_mates_within, mates_in_exactly
from tsume_rules.kernel.attacks import effects_of_side, in_check, size
from tsume_rules.kernel.compile import (
    INTEGERS,
    NUMBERS,
    Array,
    Tuple,
    export,
    float32,
    jit,
    jit_inline,
    named_tuple,
    struct,
    unit,
)
from tsume_rules.kernel.move_generation import is_pawn_drop_mate
from tsume_rules.kernel.state import hand_kind, has_pawn, is_dead, lift, make_drop, put, target_of
from tsume_rules.kernel.tables import (
    ATT,
    CELL,
    DEF,
    DIST,
    KING,
    KNIGHT,
    LINE,
    PAWN,
    POSITION_TYPE,
    PROMOTION,
    RANK,
    REACH,
    ROOK,
    SILVER,
    SLIDES,
    SQUARE,
    STEP,
)

# ---------------------------------------------------------------------------------------------------
#
# A position as a sequence of decisions: the king's square, the hand, then piece after piece outwards.
#
# A decision is one of numbered options. Positions are written with the defender's king on files 1 to 5
# (mirror images are the same problem); pieces come in the order of `PLACE_FILES` and `PLACE_RANKS`, from the
# king outwards, so that what a piece may give check from is known when it comes. The network sees the
# position so far as *features*, numbers below `FEATURES`.

KING_SQUARE, HAND_PIECE, PLACE, PIECE = range(4)
"""The kinds of decision."""

_OFFSETS = sorted(
    ((file, rank) for file in range(-8, 9) for rank in range(-8, 9) if (file, rank) != (0, 0)),
    key=lambda offset: (max(map(abs, offset)), offset[1], offset[0]),
)
PLACE_FILES = np.array([file for file, _ in _OFFSETS], dtype=np.int64)
"""[place]: files from the king; nearer places come first."""
PLACE_RANKS = np.array([rank for _, rank in _OFFSETS], dtype=np.int64)
"""[place]: ranks from the king."""
PLACES = len(_OFFSETS)
PLACE_OF_OFFSET = np.full((17, 17), -1, dtype=np.int64)
"""[files + 8, ranks + 8]: the place with this offset from the king."""
PLACE_OF_OFFSET[PLACE_FILES + 8, PLACE_RANKS + 8] = np.arange(PLACES)

PIECE_CODES = np.array(
    [kind + 16 * side for side in range(2) for kind in (*range(1, 8), *range(9, 15))], dtype=np.int64
)
"""[option]: piece code; option 13 and above are the defender's."""
HAND_END = 7
"""The option that ends the hand; options 0 to 6 add a pawn (0) to a gold (6), in ascending order."""
PLACE_END = PLACES
"""The option that ends the position."""
ON_BOARD = 81
"""Options of a piece's place at most: the other squares, and the end."""
PLACES_FROM = np.array(
    [
        [
            place for place in range(PLACES)
            if 0 <= square // 9 + PLACE_FILES[place] < 9 and 0 <= square % 9 + PLACE_RANKS[place] < 9
        ] + [PLACE_END]
        for square in range(81)
    ], dtype=np.int64,
)  # fmt: skip
"""[king's square]: the places that are on the board, in ascending order, and the end."""
OPTIONS = np.array([45, HAND_END + 1, PLACES + 1, len(PIECE_CODES)], dtype=np.int64)
"""[kind of decision]: its number of options."""
MAX_OPTIONS = PLACES + 1
LARGEST_HAND = 12
"""Pieces in the attacker's hand, at most."""

STATES = 18
"""What a cell may be: empty, the attacker's, the defender's; attacked by 0, 1, more of the attacker's pieces;
protected by a piece of the defender other than his king, or not."""
PLIES = TRAITS
"""[plies // 2]: the length asked for, at most 31 plies."""
CONDITIONS = PLIES + 16
"""[condition]: what else is asked for (`generator.learned.search`)."""
MAX_CONDITIONS = 128
STAGE = CONDITIONS + MAX_CONDITIONS
"""[kind of decision]"""
LAST_KIND = STAGE + 4
"""[kind added to the hand last, 0: none]"""
LAST_PLACE = LAST_KIND + 8
"""[place of the piece added last, the last: none]"""
AROUND = LAST_PLACE + PLACES + 1
"""[one of the nearest 24 places, state of its cell]"""
FEATURES = AROUND + 24 * STATES
FEATURE_ROOM = 4096
"""The length of an array that features are written to; the rest is scratch space."""


@jit_inline
def cell_of_place(king, place):
    """Return the cell at a place; 0 if it is not on the board."""
    file = SQUARE[king] // 9 + PLACE_FILES[place]
    rank = SQUARE[king] % 9 + PLACE_RANKS[place]
    return CELL[file * 9 + rank] if 0 <= file < 9 and 0 <= rank < 9 else 0


@export(pos=POSITION_TYPE)
def state_of_cell(pos, cell):
    """Return what a cell is, below `STATES`."""
    piece = int(pos.board[cell])
    occupant = 0 if piece == 0 else 1 + (piece >> 4)
    attackers = min(size(effects_of_side(pos.effects[cell], ATT)), 2)
    protectors = size(effects_of_side(pos.effects[cell], DEF))
    king = int(pos.king[DEF])
    protectors -= LINE[king, cell] >= 0 and LINE[king, cell] < 8 and DIST[king, cell] == 1
    return occupant * 6 + attackers * 2 + (protectors > 0)


@unit(pos=POSITION_TYPE, conditions=INTEGERS, out=INTEGERS)
def write_features(pos, plies, conditions, stage, last, out):
    """Write the features of an unfinished position to ``out`` (`FEATURE_ROOM`); returns their number. ``last`` is the
    kind or the place of the piece added last, 0 or `PLACES` if there is none."""
    end = 0
    if stage != KING_SQUARE:
        end = position_traits(pos, out, 0)
        king = int(pos.king[DEF])
        if stage == HAND_PIECE:
            out[end] = LAST_KIND + last
            end += 1
        else:
            end = legal_check_traits(pos, out, end)
            out[end] = LAST_PLACE + last
            end += 1
            for place in range(24):
                cell = cell_of_place(king, place)
                if cell != 0:
                    out[end] = AROUND + place * STATES + state_of_cell(pos, cell)
                    end += 1
    out[end] = PLIES + min(plies // 2, 15)
    out[end + 1] = STAGE + min(stage, PLACE)
    end += 2
    for condition in conditions:
        out[end] = CONDITIONS + condition
        end += 1
    return end


@unit(pos=POSITION_TYPE, options=INTEGERS)
def write_options(pos, stage, last, options):
    """Write the options that there are of a decision to ``options``, in ascending order; returns their number. For
    `PIECE`, ``last`` is the place that the piece comes to."""
    found = 0
    king = int(pos.king[DEF])
    if stage == KING_SQUARE:
        for option in range(OPTIONS[KING_SQUARE]):
            options[option] = option
        found = int(OPTIONS[KING_SQUARE])
    elif stage == HAND_PIECE:
        held = 0
        for kind in range(1, 8):
            held += pos.hand[ATT, kind]
        for kind in range(max(last, 1), 8):
            if pos.hand[DEF, kind] > 0 and held < LARGEST_HAND:
                options[found] = kind - 1
                found += 1
        options[found] = HAND_END
        found += 1
    elif stage == PLACE:
        for place in PLACES_FROM[SQUARE[king]]:
            options[found] = place
            found += last == PLACES or place > last
    else:
        cell = cell_of_place(king, last)
        line = int(LINE[cell, king])
        is_straight = 0 <= line <= 7
        t = cell + STEP[line] if is_straight else king
        while t != king and pos.board[t] == 0:
            t += STEP[line]
        is_open = is_straight and t == king  # nothing stands between the cell and the king
        for option in range(OPTIONS[PIECE]):
            piece = int(PIECE_CODES[option])
            side = piece >> 4
            attacks = line >= 0 and bool((REACH[piece] >> line) & 1)
            if attacks and DIST[cell, king] != 1:
                attacks = is_open and bool((SLIDES[piece] >> line) & 1)
            if (
                pos.hand[DEF, hand_kind(piece)] > 0
                and not is_dead(piece & 15, cell, side)
                and not (piece & 15 == PAWN and has_pawn(pos, cell, side))
                and not (side == ATT and attacks)
            ):
                options[found] = option
                found += 1
    return found


# --- the network -----------------------------------------------------------------------------------

ROW = Array(float32)
TABLE = Array(float32, 2)

Network = named_tuple(
    "Network",
    "first first_bias second second_bias king king_bias hand hand_bias place place_bias "
    "piece_hidden piece_bias piece_place piece_state piece_rank piece piece_out_bias",
)
"""The weights, float32. ``first`` [feature, unit] and ``second`` [unit, unit] with their biases are the layers that all
decisions share; ``king``, ``hand`` and ``place`` [unit, option] give the outputs from the second. A piece is drawn from
a further small layer: ``piece_hidden`` [unit, unit], with ``piece_place``, ``piece_state`` and ``piece_rank`` added for
the place, its cell's state and rank, and ``piece`` [unit, option]."""
NETWORK = Tuple(
    [TABLE, ROW, TABLE, ROW, TABLE, ROW, TABLE, ROW, TABLE, ROW, TABLE, ROW, TABLE, TABLE, TABLE, TABLE, ROW], Network
)
"""The type of a `Network`, for units."""

Scratch = named_tuple("Scratch", "features options known change rows is_near near chances one two small outputs values")
"""Scratch space for one network. Integers: the features and the options of a decision; the number of features that are
``known``, summed up in ``one``, and these; by feature, how it has changed since; rows of weights, with the ``values``
that they are multiplied by. The other arrays hold units, outputs and chances. ``near`` [king's square, unit, index in
`PLACES_FROM`] has the weights of `Network.place` for the places on the board alone, then their biases, once a king
``is_near`` on that square."""
SCRATCH = Tuple([INTEGERS] * 6 + [Array(float32, 3), NUMBERS] + [ROW] * 5, Scratch)


@jit
def run_layers(network, number, scratch):
    """Return the second layer's units in ``scratch.two`` for the first ``number`` of ``scratch.features``. From the
    first layer's sums of the last call the rows of features that are gone are subtracted, and those of new ones
    added."""
    features, known, change = scratch.features, scratch.known, scratch.change
    end = known[0] + 1
    for i in range(1, end):
        change[known[i]] -= 1
    for i in range(number):
        change[features[i]] += 1
        known[end + i] = features[i]
    changed = 0
    for i in range(1, end + number):
        row = known[i]
        if change[row] != 0:
            scratch.rows[changed] = row
            scratch.values[changed] = change[row]
            changed += 1
            change[row] = 0
    for i in range(number):
        known[1 + i] = features[i]
    known[0] = number
    _add_rows(network.first, 0, changed, scratch, scratch.one)
    _run_layer(scratch.one, network.second, network.second_bias, 0, scratch, scratch.two)


@jit
def _add_rows(weights, first, number, scratch, out):
    """Add to ``out`` the first ``number`` of ``scratch.rows`` from column ``first`` on, times ``scratch.values``. Four
    at once save memory accesses, and are rounded as one after the other is."""
    rows, values = scratch.rows, scratch.values
    for i in range(number, number + 3):
        rows[i] = 0
        values[i] = 0
    for i in range(0, number, 4):
        a, b = weights[rows[i]][first:], weights[rows[i + 1]][first:]
        c, d = weights[rows[i + 2]][first:], weights[rows[i + 3]][first:]
        of_a, of_b, of_c, of_d = values[i], values[i + 1], values[i + 2], values[i + 3]
        for j in range(len(out)):
            out[j] = (((out[j] + of_a * a[j]) + of_b * b[j]) + of_c * c[j]) + of_d * d[j]


@jit
def _add_product(units, weights, first, scratch, out):
    """Add to ``out`` the positive ``units`` times their weights, from column ``first`` on."""
    number = 0
    for i in range(len(units)):
        scratch.rows[number] = i
        scratch.values[number] = units[i]
        number += units[i] > 0  # no jump, which would often be predicted wrongly
    _add_rows(weights, first, number, scratch, out)


@jit
def _run_layer(units, weights, bias, first, scratch, out):
    for j in range(len(out)):
        out[j] = bias[first + j]
    _add_product(units, weights, first, scratch, out)


@jit
def run_output(pos, network, stage, place, number, scratch):
    """Return the outputs for the ``number`` of ``scratch.options`` in ``scratch.outputs``, after `run_layers`."""
    options, outputs = scratch.options, scratch.outputs
    two = scratch.two
    if stage == PLACE:
        square = SQUARE[pos.king[DEF]]
        near = scratch.near[square]
        if not scratch.is_near[square]:
            scratch.is_near[square] = 1
            for j in range(ON_BOARD):
                for i in range(len(two)):
                    near[i, j] = network.place[i, PLACES_FROM[square, j]]
                near[len(two), j] = network.place_bias[PLACES_FROM[square, j]]
        _run_layer(two, near, near[len(two)], ON_BOARD - number, scratch, outputs[:number])
        return
    if stage == KING_SQUARE:
        _run_layer(two, network.king, network.king_bias, 0, scratch, outputs[: len(network.king_bias)])
    elif stage == HAND_PIECE:
        _run_layer(two, network.hand, network.hand_bias, 0, scratch, outputs[: len(network.hand_bias)])
    else:
        cell = cell_of_place(int(pos.king[DEF]), place)
        state, rank = state_of_cell(pos, cell), RANK[cell]
        small = scratch.small
        for j in range(len(small)):
            small[j] = (
                network.piece_bias[j] + network.piece_place[place, j] + network.piece_state[state, j]
                + network.piece_rank[rank, j]
            )  # fmt: skip
        _add_product(two, network.piece_hidden, 0, scratch, small)
        _run_layer(small, network.piece, network.piece_out_bias, 0, scratch, outputs[: len(network.piece_out_bias)])
    for i in range(number):
        outputs[i] = outputs[options[i]]


@jit
def _decide(pos, stage, last, network, state, scratch):
    """Return an option of a decision, each with its chance, after `run_layers`."""
    options, outputs = scratch.options, scratch.outputs
    number = write_options(pos, stage, last, options)
    run_output(pos, network, stage, last, number, scratch)
    most = outputs[0]
    for i in range(1, number):
        most = max(most, outputs[i])
    total = 0.0
    for i in range(number):
        chance = exponential(float(outputs[i]) - float(most))
        scratch.chances[i] = chance
        total += chance
    left = total * (random_below(state, 1 << 30) / float(1 << 30))
    for i in range(number - 1):
        left -= scratch.chances[i]
        if left < 0:
            return options[i]
    return options[number - 1]


@unit(
    pos=POSITION_TYPE, conditions=INTEGERS, network=NETWORK, state=STATE,
    scratch=SCRATCH,
)  # fmt: skip
def draw_learned_position(pos, plies, conditions, network, state, scratch):
    """Write a position, decision by decision, each drawn with its chance; returns the number of pieces."""
    clear_board(pos)
    scratch.known[0] = 0
    for j in range(len(network.first_bias)):
        scratch.one[j] = network.first_bias[j]
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
    """Draw positions into ``arena.pos`` until one mates in exactly n plies; their number, 0 if none does. ``nodes``
    bounds the search of one."""
    pos = arena.pos
    for number in range(tries):
        draw_learned_position(pos, n, conditions, network, state, scratch)
        if in_check(pos, DEF) or not meets_position_constraints(pos, constraints):
            continue
        if mates_in_exactly(arena, n, arena.search.nodes + nodes):
            return number + 1
    return 0


# --- a pawn drop that would be mate, which is forbidden (打歩詰) --------------------------------------


@unit(
    arena=ARENA, conditions=INTEGERS, network=NETWORK, state=STATE, scratch=SCRATCH,
    constraints=struct(POSITION_CONSTRAINTS),
)  # fmt: skip
def draw_forbidden_drop(arena, n, tries, nodes, conditions, avoided, network, state, scratch, constraints):
    """Draw positions into ``arena.pos`` until in one a pawn drop is forbidden and another check mates in n
    plies; the number of positions drawn, 0 if none of ``tries`` will do.

    With ``avoided``, a piece of a position with a forbidden drop is made plain instead, so that the drop is
    legal and mates in n plies. ``nodes`` bounds the search of one position.
    """
    pos = arena.pos
    for number in range(tries):
        draw_learned_position(pos, n, conditions, network, state, scratch)
        if in_check(pos, DEF):
            continue
        drop = _forbidden_drop(pos)
        if drop == 0:
            continue
        end = arena.search.nodes + nodes
        good = _makes_drop_legal(arena, drop, n, state, end) if avoided else mates_in_exactly(arena, n, end)
        if good and meets_position_constraints(pos, constraints):
            return number + 1
    return 0


@jit
def _forbidden_drop(pos):
    """The pawn drop that would be mate, 0 if none would; the attacker is given a pawn if he has none."""
    cell = int(pos.king[DEF]) + STEP[7]
    if pos.board[cell] != 0 or has_pawn(pos, cell, ATT):
        return 0
    if pos.hand[ATT, PAWN] == 0 and not move_between_hands(pos, PAWN, DEF):
        return 0
    drop = make_drop(PAWN, cell)
    return drop if is_pawn_drop_mate(pos, drop) else 0


@jit
def _makes_drop_legal(arena, drop, n, state, end):
    """Make a promoted piece of the attacker plain so that a drop mates in n plies; False if none will do."""
    pos = arena.pos
    start = random_below(state, 81)
    for i in range(81):
        cell = CELL[(start + i) % 81]
        piece = int(pos.board[cell])
        kind = piece - PROMOTION
        if piece > PROMOTION + ROOK or kind < PAWN or kind in (KNIGHT, SILVER) or kind > ROOK:
            continue
        if is_dead(kind, cell, ATT) or (kind == PAWN and has_pawn(pos, cell, ATT)):
            continue
        lift(pos, cell)
        put(pos, cell, kind)
        if (
            not in_check(pos, DEF)
            and not has_pawn(pos, target_of(drop), ATT)
            and not is_pawn_drop_mate(pos, drop)
            and ask_mates_within(arena, n - 2, True, end) == NO
            and ask_mates_after(arena, drop, n, end) == YES
        ):
            return True
        lift(pos, cell)
        put(pos, cell, piece)
    return False


# --- drawing positions that are the same on both sides of the king's file (対称形) --------------------

_MIDDLE = 4
"""The file, counted from 0, with as many files on both sides."""
_HELD = 100
"""Where the room for pieces holds what the attacker has in hand."""


@unit(
    arena=ARENA, conditions=INTEGERS, network=NETWORK, state=STATE, scratch=SCRATCH,
    constraints=struct(POSITION_CONSTRAINTS),
)  # fmt: skip
def draw_symmetric_mate(arena, n, tries, nodes, conditions, network, state, scratch, constraints):
    """Draw positions into ``arena.pos``, one side of the king mirrored, until one mates in exactly n plies. The number
    of positions drawn, 0 if none of ``tries`` will do; ``nodes`` bounds the search of one."""
    pos = arena.pos
    for number in range(tries):
        draw_learned_position(pos, n, conditions, network, state, scratch)
        if not _make_symmetric(pos, 2 * random_below(state, 2) - 1, scratch.features):
            continue
        if in_check(pos, DEF) or not meets_position_constraints(pos, constraints):
            continue
        if mates_in_exactly(arena, n, arena.search.nodes + nodes):
            return number + 1
    return 0


@jit
def _make_symmetric(pos, way, room):
    """Move the king to the middle file, and the pieces on its file and one side with it, and mirror these. False if a
    piece cannot stand there. ``way``, 1 or -1, is the side; ``room`` is for the pieces."""
    king = int(SQUARE[pos.king[DEF]])
    for kind in range(1, 8):
        room[_HELD + kind] = pos.hand[ATT, kind]
    number = 0
    for sq in range(81):
        away = (sq // 9 - king // 9) * way
        piece = int(pos.board[CELL[sq]])
        if piece != 0 and sq != king and 0 <= away <= _MIDDLE:
            room[number] = (piece * 9 + sq % 9) * 9 + away
            number += 1
    clear_board(pos)
    put(pos, CELL[_MIDDLE * 9 + king % 9], KING + 16)
    for kind in range(1, 8):
        for _ in range(room[_HELD + kind]):
            move_between_hands(pos, kind, DEF)
    for i in range(number):
        piece, rank, away = room[i] // 81, room[i] // 9 % 9, room[i] % 9
        for file in (_MIDDLE + away, _MIDDLE - away):
            if not put_piece_from_hand(pos, piece, CELL[file * 9 + rank]):
                return False
            if away == 0:
                break
    return True
