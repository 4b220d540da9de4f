# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawing positions with the frequencies of published problems until one mates in n plies."""

from generator.kernel.positions import (
    POSITION_CONSTRAINTS,
    STATE,
    clear_board,
    may_add_piece,
    meets_position_constraints,
    move_between_hands,
    put_piece_from_hand,
    random_below,
)
from generator.kernel.traits import ATTACKERS, DEFENDERS, HANDS, KINGS, OFFSET, PLACES, REACH
from solver.engines.dfpn.kernel.arena import ARENA
from solver.engines.dfpn.kernel.sound import mates_in_exactly
from tsume_rules.kernel.attacks import in_check
from tsume_rules.kernel.compile import NUMBERS, jit, struct, unit
from tsume_rules.kernel.state import put
from tsume_rules.kernel.tables import ATT, CELL, DEF, KING, SQUARE

MORE = 3
"""Some pieces turn out unnecessary, so up to this many additional defenders are drawn."""
_TRIES = 8
_TRIES_OF_KING = 64


@unit(arena=ARENA, rates=NUMBERS, state=STATE, constraints=struct(POSITION_CONSTRAINTS))
def draw_likely_position(arena, n, tries, nodes, rates, state, constraints):
    """Draw positions into ``arena.pos`` until one mates in exactly n plies; their number, 0 if none does.

    ``rates`` are the frequencies of traits in published problems (`generator.kernel.traits`);
    ``nodes`` bounds the search of one. All keep to the ``constraints``.
    """
    pos = arena.pos
    for number in range(tries):
        _draw_position(pos, rates, state, constraints)
        if in_check(pos, DEF) or not meets_position_constraints(pos, constraints):
            continue
        if mates_in_exactly(arena, n, arena.search.nodes + nodes):
            return number + 1
    return 0


@jit
def _draw_position(pos, rates, state, constraints):
    """Empty the board and put pieces on it, and into the attacker's hand, with their frequencies.

    Those that are required come first.
    """
    clear_board(pos)
    king = _draw_king_cell(rates, state, constraints)
    put(pos, king, KING + 16)
    if constraints.asks:
        for i in range(81):
            piece = constraints.kept[CELL[i]]
            if piece == KING:
                put(pos, CELL[i], KING)
            elif piece > 0 and piece != KING + 16:
                put_piece_from_hand(pos, piece, CELL[i])
        tries = _TRIES_OF_KING if constraints.own_king else 0
        while tries > 0 and pos.king[ATT] == 0:
            cell = CELL[random_below(state, 81)]
            if pos.board[cell] == 0 and constraints.kept[cell] < 0:
                put(pos, cell, KING)
            tries -= 1
    for kind in range(1, 8):
        held = _draw_by_rate(rates, HANDS + 20 * kind, HANDS + 20 * kind + 20, state) - HANDS - 20 * kind
        if constraints.asks and constraints.hand[kind] >= 0:
            held = constraints.hand[kind]
        for _ in range(min(held, int(pos.hand[DEF, kind]))):
            move_between_hands(pos, kind, DEF)
    for side in range(2):
        first = ATTACKERS if side == ATT else DEFENDERS
        number = _draw_by_rate(rates, first, first + 40, state) - first
        if side == DEF:
            number += random_below(state, 1 + MORE)
        if constraints.asks:
            kept = 0
            for i in range(81):
                piece = constraints.kept[CELL[i]]
                kept += piece > 0 and piece & 15 != KING and piece >> 4 == side
            number = min(number, constraints.most[side]) - kept
        for _ in range(number):
            _draw_piece(pos, rates, side, king, state, constraints)


@jit
def _draw_king_cell(rates, state, constraints):
    """Return the king's cell: a kept one, else drawn with the published frequencies."""
    if constraints.asks:
        for i in range(81):
            if constraints.kept[CELL[i]] == KING + 16:
                return CELL[i]
    king = CELL[0]
    for _ in range(_TRIES_OF_KING):
        king = CELL[_draw_by_rate(rates, KINGS, HANDS, state) - KINGS]
        if constraints.asks == 0 or (constraints.kept[king] < 0 and constraints.king_may_stand[king] != 0):
            break
    return king


@jit
def _draw_piece(pos, rates, side, king, state, constraints):
    for _ in range(_TRIES):
        begin = OFFSET + 16 * side * PLACES
        drawn = _draw_by_rate(rates, begin, begin + 16 * PLACES, state) - OFFSET
        piece, place = drawn // PLACES, drawn % PLACES
        if place == PLACES - 1 or piece & 15 == KING:
            continue
        file = SQUARE[king] // 9 + place // (2 * REACH + 1) - REACH
        rank = SQUARE[king] % 9 + place % (2 * REACH + 1) - REACH
        if 0 <= file < 9 and 0 <= rank < 9:
            cell = CELL[file * 9 + rank]
            if may_add_piece(piece, cell, constraints) and put_piece_from_hand(pos, piece, cell):
                return


@jit
def _draw_by_rate(rates, begin, end, state):
    """Return a place between ``begin`` and ``end``, each with the chance of its rate among theirs."""
    total = 0.0
    for i in range(begin, end):
        total += rates[i]
    left = total * (random_below(state, 1 << 30) / float(1 << 30))
    for i in range(begin, end):
        left -= rates[i]
        if left < 0:
            return i
    return end - 1
