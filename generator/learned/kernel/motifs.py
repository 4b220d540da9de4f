# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawing positions with a pattern that makes a theme possible: a forbidden pawn drop, or symmetry."""

from __future__ import annotations

from generator.kernel.positions import (
    POSITION_CONSTRAINTS,
    STATE,
    clear_board,
    meets_position_constraints,
    move_between_hands,
    put_piece_from_hand,
    random_below,
)
from generator.learned.kernel.network import NETWORK, SCRATCH, draw_learned_position
from solver.engines.dfpn.kernel.arena import ARENA
from solver.engines.dfpn.kernel.sound import NO, YES, ask, ask_after, mates_in_exactly
from tsume_rules.kernel.attacks import in_check
from tsume_rules.kernel.compile import INTEGERS, jit, struct, unit
from tsume_rules.kernel.move_generation import is_pawn_drop_mate
from tsume_rules.kernel.state import has_pawn, is_dead, lift, make_drop, put, target_of
from tsume_rules.kernel.tables import ATT, CELL, DEF, KING, KNIGHT, PAWN, PROMOTION, ROOK, SILVER, SQUARE, STEP

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
            and ask(arena, n - 2, True, end) == NO
            and ask_after(arena, drop, n, end) == YES
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
    """Draw positions into ``arena.pos``, one side of the king mirrored, until one mates in exactly n plies.

    The number of positions drawn, 0 if none of ``tries`` will do; ``nodes`` bounds the search of one.
    """
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
    """Move the king to the middle file, and the pieces on its file and one side with it, and mirror these.

    False if a piece cannot stand there. ``way``, 1 or -1, is the side; ``room`` is for the pieces.
    """
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
