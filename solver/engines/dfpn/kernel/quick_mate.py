# SPDX-License-Identifier: GPL-3.0-or-later
"""Mate in one for the last plies: `mate_in_one` without the estimates, which only new nodes of df-pn use.

Most cells are passed over as a whole: those that a defender's piece reaches, and those from which
no piece attacks all cells to which the king can flee.
"""

from collections import namedtuple

import numpy as np

from solver.engines.dfpn.kernel.mate_in_one import (
    CHECKING_KINDS,
    FAR,
    FIRM,
    KNIGHTS,
    TAKEN_AWAY,
    held_kinds,
    mates,
    opened_lines,
    shields,
    uncovered_mate,
)
from solver.engines.kernel.mate import COUNT_ALL
from tsume_rules.kernel.attacks import SIDE_BITS, SLIDE_BIT, by_side, in_check, slides_of, source
from tsume_rules.kernel.bits import lowest
from tsume_rules.kernel.compile import INTEGERS, PAIR, jit_inline, unit
from tsume_rules.kernel.move_generation import king_flight_directions, promotion_loses_no_move
from tsume_rules.kernel.state import POSITION_TYPE, can_promote, is_dead, make_drop, make_move
from tsume_rules.kernel.tables import ATT, DEF, KING, KNIGHT, ON_BOARD, PAWN, PROMOTION, REACH, SLIDES, STEP

_ALL_FREE = 1 << 8


MATING_DROPS = np.zeros((FAR, 8, _ALL_FREE), dtype=np.uint8)
"""[distance up to 3, less one][ray][cells to which the king can flee] -> the kinds, as bits, that check from
there and attack all those cells; never a pawn."""
for _far in range(1, FAR + 1):
    for _ray in range(8):
        _checking = int(CHECKING_KINDS[0 if _far == 1 else 1, 7 - _ray]) & ~(1 << PAWN)
        for _kind in range(1, 8):
            for _free in range(_ALL_FREE) if (_checking >> _kind) & 1 else ():
                if not _free & ~int(TAKEN_AWAY[_kind, _ray, _far]):
                    MATING_DROPS[_far - 1, _ray, _free] |= 1 << _kind

_Sight = namedtuple("_Sight", "king free pinned pressed kinds firm blocks covers mode")
"""As `mate_in_one`'s view, and the rays on which a move of the attacker's uncovers a check."""


@unit(PAIR, pos=POSITION_TYPE, out=INTEGERS)
def quick_mate(pos, mode, out, base):
    """Return the first check that mates (0: none), and whether there certainly are checks.

    It finds what `mate_in_one` finds, in the same order. ``out[base:]`` is scratch space; the proof hand
    of a mate goes to ``out[base]``.
    """
    king = int(pos.king[DEF])
    pinned, covers = shields(pos, king)
    firm = held_kinds(pos, DEF) & FIRM != 0
    blocks = mode == COUNT_ALL and firm
    kinds = held_kinds(pos, ATT)
    sight = _Sight(king, king_flight_directions(pos), pinned, in_check(pos, ATT), kinds, firm, blocks, covers, mode)
    seen = 0
    for d in range(8):
        t = (king + STEP[d]) & ON_BOARD
        far = 1
        reached = False
        shut_off = blocks or (firm and not by_side(pos.effects[t], ATT))
        while pos.board[t] == 0 or pos.board[t] >> 4 == DEF:
            here = pos.effects[t]
            guards = here >> SIDE_BITS
            arriving = by_side(here, ATT)
            if far == 1:
                guards &= ~(1 << d)
            guarded = guards != 0 and not pinned
            if pos.board[t] == 0:
                seen |= kinds & CHECKING_KINDS[0 if far == 1 else 1, 7 - d] & ~(1 << PAWN)
                held = kinds & int(MATING_DROPS[min(far, FAR) - 1, d, sight.free])
                if held and not guarded:
                    move = _by_drop(pos, sight, t, d, far, held, reached, shut_off, out, base)
                    if move:
                        return move, 1
            if arriving:
                move = _by_move(pos, sight, t, d, far, arriving, guarded, shut_off, out, base)
                if move:
                    return move, 1
            if pos.board[t] != 0 or (blocks and not covers):
                break
            reached |= guards != 0
            t = (t + STEP[d]) & ON_BOARD
            far += 1
    for d in range(8, 10):
        move = _by_knight(pos, sight, d, out, base)
        if move:
            return move, 1
    while covers:
        d = lowest(covers)
        covers &= covers - 1
        move, number = uncovered_mate(pos, sight, d, out, base)
        seen |= number
        if move:
            return move, 1
    return 0, int(seen != 0)


@jit_inline
def _by_drop(pos, sight, t, d, far, held, reached, shut_off, out, base):
    """Return a drop on an empty cell of ray d that mates (0: none); ``held``: kinds of `MATING_DROPS`."""
    arriving = by_side(pos.effects[t], ATT)
    if far == 1:
        shut = arriving == 0
    else:
        shut = shut_off and (sight.blocks or (arriving >> (SLIDE_BIT + 7 - d)) & 1 == 0)
    if shut or (reached and not sight.pinned):
        return 0
    while held:
        kind = lowest(held)
        held &= held - 1
        move = make_drop(kind, t)
        if mates(pos, sight, move, out, base):
            return move
    return 0


@jit_inline
def _by_move(pos, sight, t, d, far, arriving, guarded, shut_off, out, base):
    """Return a move to a cell of ray d that mates (0: none)."""
    reach = REACH if far == 1 else SLIDES
    alone = far == 1 and arriving & (arriving - 1) == 0
    closed = guarded or (far > 1 and sight.blocks)
    shut = closed or alone
    if far > 1 and shut_off:
        shut |= (arriving >> (SLIDE_BIT + 7 - d)) & 1 == 0
    while arriving:
        bit = lowest(arriving)
        arriving &= arriving - 1
        origin = source(pos, t, bit) & ON_BOARD
        left = sight.free
        lines = slides_of(by_side(pos.effects[origin], ATT))
        if lines:
            extra, forced, backed = opened_lines(pos, origin, t, sight.king, lines)
            left &= ~extra
            if not forced and (closed or (alone and not backed)):
                continue
        elif shut:
            continue
        piece = int(pos.board[origin]) & 15
        if piece == KING:
            continue
        promotable = can_promote(piece, origin, t, ATT)
        if promotable:
            moved = piece + PROMOTION
            if (reach[moved] >> (7 - d)) & 1 and not left & ~TAKEN_AWAY[moved, d, min(far, FAR)]:
                move = make_move(origin, t, True)
                if mates(pos, sight, move, out, base):
                    return move
            if promotion_loses_no_move(piece):
                continue
        if (reach[piece] >> (7 - d)) & 1 and not left & ~TAKEN_AWAY[piece, d, min(far, FAR)]:
            move = make_move(origin, t, False)
            if not is_dead(piece, t, ATT) and mates(pos, sight, move, out, base):
                return move
    return 0


@jit_inline
def _by_knight(pos, sight, d, out, base):
    """Return a knight's check in direction d that mates (0: none)."""
    t = (sight.king - STEP[d]) & ON_BOARD
    if pos.board[t] != 0 and pos.board[t] >> 4 != DEF:
        return 0
    here = pos.effects[t]
    guarded = here >> SIDE_BITS != 0 and not sight.pinned
    if pos.board[t] == 0 and (sight.kinds >> KNIGHT) & 1 and not (guarded or sight.free):
        move = make_drop(KNIGHT, t)
        if mates(pos, sight, move, out, base):
            return move
    arriving = here & KNIGHTS
    while arriving:
        bit = lowest(arriving)
        arriving &= arriving - 1
        origin = (t - STEP[bit]) & ON_BOARD
        left = sight.free
        closed = guarded
        lines = slides_of(by_side(pos.effects[origin], ATT))
        if lines:
            extra, forced, _ = opened_lines(pos, origin, t, sight.king, lines)
            left &= ~extra
            closed &= not forced
        if not (closed or left):
            move = make_move(origin, t, False)
            if mates(pos, sight, move, out, base):
                return move
    return 0
