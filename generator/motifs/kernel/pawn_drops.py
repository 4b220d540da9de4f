# SPDX-License-Identifier: GPL-3.0-or-later
"""Drawing positions in which a pawn drop would be mate, which is forbidden (打歩詰)."""

from generator.kernel.position_constraints import POSITION_CONSTRAINTS, meets_position_constraints
from generator.kernel.random import STATE, random_below
from generator.learned.kernel.network import NETWORK, SCRATCH, draw_learned_position
from generator.local_search.kernel.edits import move_between_hands
from solver.engines.dfpn.kernel.arena import ARENA
from solver.engines.dfpn.kernel.sound import NO, YES, ask, ask_after, mates_in_exactly
from tsume_rules.kernel.attacks import in_check
from tsume_rules.kernel.compile import INTEGERS, jit, struct, unit
from tsume_rules.kernel.move_generation import is_pawn_drop_mate
from tsume_rules.kernel.state import has_pawn, is_dead, lift, make_drop, put, target_of
from tsume_rules.kernel.tables import (
    ATT,
    CELL,
    DEF,
    KNIGHT,
    PAWN,
    PROMOTION,
    ROOK,
    SILVER,
    STEP,
)


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
