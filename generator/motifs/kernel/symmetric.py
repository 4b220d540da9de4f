# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawing positions that are the same on both sides of the king's file (対称形)."""

from generator.kernel.board import clear_board
from generator.kernel.position_constraints import POSITION_CONSTRAINTS, meets_position_constraints
from generator.kernel.random import STATE, random_below
from generator.learned.kernel.network import NETWORK, SCRATCH, draw_learned_position
from generator.local_search.kernel.edits import move_between_hands, put_piece_from_hand
from solver.engines.dfpn.kernel.arena import ARENA
from solver.engines.dfpn.kernel.sound import mates_in_exactly
from tsume_rules.kernel.attacks import in_check
from tsume_rules.kernel.compile import INTEGERS, jit, struct, unit
from tsume_rules.kernel.state import put
from tsume_rules.kernel.tables import ATT, CELL, DEF, KING, SQUARE

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
