# SPDX-License-Identifier: GPL-3.0-or-later
"""Mate in one, without generating moves (Kaneko2005, section 4.3).

Conditions on the king's neighbourhood select the checks that can mate: the piece that arrives must attack all cells to
which the king can flee (``free``), it must be protected beside the king or on an open line, and no other piece of the
defender's may reach it. Tables say which neighbours a piece attacks from where. The selected checks are tried on the
board, so the conditions may select too many checks but must not miss a mate.

The paper has four masks of the king's neighbours, (1) to (4), and a table over two of them that says which pieces in
hand can mate by a drop; it tests only direct checks beside the king. Here cells farther off, knights and uncovered
checks are tested as well, and each piece has a table of its own (`TAKEN_AWAY`); ``free`` is the paper's mask (2).
"""

from __future__ import annotations

import numpy as np

from solver.engines.dfpn.kernel.table import hand_before_attack
from solver.engines.kernel.mate import COUNT_ALL, blocking_hand, is_mated
from tsume_rules.kernel.attacks import (
    SIDE_BITS,
    SLIDE_BIT,
    attacker_cell,
    effects_of_side,
    find_checkers,
    in_check,
    lowest,
    size,
    slides_of,
)
from tsume_rules.kernel.compile import INTEGERS, PAIR, TRIPLE, jit, jit_inline, named_tuple, unit
from tsume_rules.kernel.move_generation import (
    append_discovered_checks,
    king_flight_directions,
    leaves_own_king_attacked,
    promotion_loses_no_move,
)
from tsume_rules.kernel.state import (
    PROMOTES,
    can_promote,
    do,
    dropped,
    has_pawn,
    is_dead,
    make_drop,
    make_move,
    origin_of,
    target_of,
    undo,
)
from tsume_rules.kernel.tables import (
    ATT,
    BISHOP,
    DEF,
    DIST,
    GOLD,
    KING,
    KNIGHT,
    LINE,
    ON_BOARD,
    OURS,
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
# The cells beside the defender's king: which of them a check takes from it (Kaneko2005, section 4.3).

NEIGHBOURS = 8
FAR = 3
"""From this distance on a piece attacks only those neighbours that are on its line to the king."""


_OFFSETS = [(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (1, 1), (-1, 1), (0, 1), (1, -2), (-1, -2)]
"""File and rank of each direction of `tsume_rules.kernel.tables`."""
_WIDTH = 17
PLACE = SQUARE // 9 * _WIDTH + RANK
"""[cell] -> a number; the difference of two cells' numbers is different for each offset."""
_HERE = 8 * _WIDTH + 8


COVERED = np.zeros((16, _WIDTH * _WIDTH), dtype=np.uint8)
"""[piece, offset from the king] -> the king's neighbours, as bits, that it attacks from there. Slides pass
through all pieces, the king included."""
for _piece in range(1, 15):
    for _d in range(10):
        _steps = (8 if (SLIDES[_piece] >> _d) & 1 else 1) if (REACH[_piece] >> _d) & 1 else 0
        for _step in range(1, _steps + 1):
            for _neighbour in range(NEIGHBOURS):
                _file, _rank = (_OFFSETS[_neighbour][i] - _step * _OFFSETS[_d][i] for i in range(2))
                if max(abs(_file), abs(_rank)) <= 8:
                    COVERED[_piece, _file * _WIDTH + _rank + _HERE] |= 1 << _neighbour
TAKEN_AWAY = np.zeros((16, 8, FAR + 1), dtype=np.int64)
"""[piece, ray, distance up to 3] -> the king's neighbours that it attacks from there, as bits."""
for _ray, (_file, _rank) in enumerate(_OFFSETS[:8]):
    for _far in range(1, FAR + 1):
        TAKEN_AWAY[:, _ray, _far] = COVERED[:, _far * (_file * _WIDTH + _rank) + _HERE]
CHECKING_KINDS = np.zeros((2, 10), dtype=np.int64)
"""[0: beside the king, 1: farther][direction] -> the kinds that attack in it, as bits."""
for _d in range(10):
    for _kind in range(1, 8):
        CHECKING_KINDS[0, _d] |= ((REACH[_kind] >> _d) & 1) << _kind
        CHECKING_KINDS[1, _d] |= ((SLIDES[_kind] >> _d) & 1) << _kind


@jit
def covered_king_neighbours(kind, cell, king):
    """Return the king's neighbours that an attacker's piece on a cell attacks at most."""
    return int(COVERED[kind, PLACE[cell] - PLACE[king] + _HERE])


@unit(TRIPLE, pos=POSITION_TYPE)
def opened_lines(pos, origin, target, king, lines):
    """What the attacker's sliders do when a piece leaves ``origin`` for ``target`` and opens their lines.

    ``lines``: the directions in which they attack ``origin``. Returns (the king's neighbours that
    they attack then, whether they attack the king or pin a piece, whether they attack ``target``).
    """
    extra = 0
    forced = 0
    backed = 0
    while lines:
        d = lowest(lines)
        lines &= lines - 1
        t = origin + STEP[d]
        while t != target and t != king:
            if DIST[king, t] == 1 and LINE[king, t] < 8:
                extra |= 1 << int(LINE[king, t])
            if pos.board[t] != 0:
                break
            t += STEP[d]
        if t == king:
            forced = 1
            extra |= 1 << d
        elif t == target:
            backed = 1
        elif LINE[t, king] == d and pos.board[t] >> 4 == DEF:
            forced = 1
    return extra, forced, backed


@jit
def liberties_after(pos, move, king, free):
    """Return the number of cells of ``free`` to which the king certainly can flee after a check, not yet played."""
    target = target_of(move)
    d = int(LINE[king, target])
    if d < 0 or d > 7:
        return size(free)
    kind = dropped(move)
    if kind == 0:
        kind = int(pos.board[origin_of(move)]) + (PROMOTION if move & PROMOTES else 0)
    return size(free & ~TAKEN_AWAY[kind, d, min(int(DIST[king, target]), FAR)])


# --- mate in one, without generating moves ---------------------------------------------------------

KNIGHTS = 3 << 8
"""The directions in which knights arrive, as bits."""
FIRM = (1 << SILVER) | (1 << BISHOP) | (1 << ROOK) | (1 << GOLD)
"""The kinds that can be dropped on any empty cell, as bits."""

_View = named_tuple("_View", "king free pinned pressed kinds firm blocks mode")
"""The facts by which all checks of a position are tested: the king's cell, the directions in which it can flee,
whether any defender's piece is pinned (`pins_and_discoveries`), whether the attacker's king is in check, the kinds in
the attacker's hand, whether the defender holds a kind of `FIRM`, whether its drops count as answers, and the
reading."""


@jit
def held_kinds(pos, side):
    """Return the kinds in a side's hand, as bits."""
    kinds = 0
    for kind in range(1, 8):
        if pos.hand[side, kind]:
            kinds |= 1 << kind
    return kinds


@unit(TRIPLE, pos=POSITION_TYPE, out=INTEGERS)
def mate_in_one(pos, mode, out, base):
    """Return the first check that mates; if there is none, estimates of the position's numbers.

    Returns (move, checks, liberties). If no check mates, ``move`` is 0, ``checks`` the number of checks, ``liberties``
    the least number of neighbouring cells to which the king certainly can flee after any of them. These are lower
    bounds of the disproof and the proof number (Kaneko2005, section 4.4: H'), except that checks which leave one's own
    king attacked are counted too. ``out[base:]`` is scratch space; the proof hand of a mate goes to ``out[base]``.
    """
    king = int(pos.king[DEF])
    pinned, covers = pins_and_discoveries(pos, king)
    firm = held_kinds(pos, DEF) & FIRM != 0
    blocks = mode == COUNT_ALL and firm
    view = _View(
        king, king_flight_directions(pos), pinned, in_check(pos, ATT), held_kinds(pos, ATT), firm, blocks, mode
    )
    found = 0
    least = NEIGHBOURS
    for d in range(8):
        mate, number, left = _along_ray(pos, view, d, out, base)
        if mate:
            return mate, 0, 0
        found += number
        least = min(least, left)
    for d in range(8, 10):
        mate, number, left = _by_knight(pos, view, d, out, base)
        if mate:
            return mate, 0, 0
        found += number
        least = min(least, left)
    while covers:
        d = lowest(covers)
        covers &= covers - 1
        mate, number = uncovered_mate(pos, view, d, out, base)
        if mate:
            return mate, 0, 0
        found += number
        if number:
            least = 0
    return 0, found, least


@jit_inline
def _next_piece(pos, cell, d):
    """Return the first cell after one in direction d that is not empty; beyond the edge if there is none."""
    t = (cell + STEP[d]) & ON_BOARD
    while pos.board[t] == 0:
        t = (t + STEP[d]) & ON_BOARD
    return t


@jit
def pins_and_discoveries(pos, king):
    """Return whether any defender's piece is pinned, and the rays (bits) on which a move uncovers a check. A
    piece counts as pinned if a move of the attacker's piece between it and the king pins it."""
    pinned = False
    covers = 0
    for d in range(8):
        t = _next_piece(pos, king, d)
        if (effects_of_side(pos.effects[t], ATT) >> (SLIDE_BIT + 7 - d)) & 1:
            if pos.board[t] < OURS:
                covers |= 1 << d
            elif pos.board[t] >> 4 == DEF:
                pinned = True
        elif pos.board[t] < OURS:
            t = _next_piece(pos, t, d)
            if pos.board[t] >> 4 == DEF and (effects_of_side(pos.effects[t], ATT) >> (SLIDE_BIT + 7 - d)) & 1:
                pinned = True
    return pinned, covers


@jit_inline
def _along_ray(pos, view, d, out, base):
    """As `mate_in_one`, for pieces that arrive on a ray from the king."""
    board = pos.board
    t = (view.king + STEP[d]) & ON_BOARD
    far = 1
    found = 0
    least = NEIGHBOURS
    reached = False  # whether a defender's piece can interpose by a move
    # a drop beside the king that no piece of the attacker's can take is not futile
    blocks = view.blocks or (view.firm and not effects_of_side(pos.effects[t], ATT))
    backed = SLIDE_BIT + 7 - d  # a slider behind a captured piece stands behind the checking one
    while board[t] == 0 or board[t] >> 4 == DEF:
        guards = effects_of_side(pos.effects[t], DEF)
        if far == 1:
            guards &= ~(1 << d)  # the king itself
        guards_shut = guards != 0 and not view.pinned
        shut = guards_shut
        if far > 1 and blocks:
            shut |= view.blocks or (effects_of_side(pos.effects[t], ATT) >> backed) & 1 == 0
        if board[t] == 0:
            shut |= reached and not view.pinned  # not for moves: they may capture the interposing piece
            mate, number, left = _by_drop(pos, view, t, d, far, shut, out, base)
            if mate:
                return mate, 0, 0
            found += number
            least = min(least, left)
        mate, number, left = _by_move(pos, view, t, d, far, guards_shut, shut, out, base)
        if mate:
            return mate, 0, 0
        found += number
        least = min(least, left)
        if board[t] != 0:
            break
        reached |= guards != 0
        t = (t + STEP[d]) & ON_BOARD
        far += 1
    return 0, found, least


@jit_inline
def _by_drop(pos, view, t, d, far, shut, out, base):
    """As `_along_ray`, for drops on an empty cell of ray d; ``shut``: none of them mates."""
    kinds = view.kinds & CHECKING_KINDS[0 if far == 1 else 1, 7 - d]
    if kinds == 0:
        return 0, 0, NEIGHBOURS
    found = size(kinds)
    if (kinds >> PAWN) & 1 and has_pawn(pos, t, ATT):
        kinds &= ~(1 << PAWN)
        found -= 1
    shut |= far == 1 and not effects_of_side(pos.effects[t], ATT)
    least = NEIGHBOURS
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        left = view.free & ~TAKEN_AWAY[kind, d, min(far, FAR)]
        least = min(least, size(left))
        if not (shut or left or kind == PAWN):  # a pawn drop must not mate
            move = make_drop(kind, t)
            if is_mating_check(pos, view, move, out, base):
                return move, 0, 0
    return 0, found, least


@jit_inline
def _by_move(pos, view, t, d, far, guards_shut, shut, out, base):
    """As `_along_ray`, for moves to a cell of ray d; ``shut``: only those that open a line can mate."""
    reach = REACH if far == 1 else SLIDES
    arriving = effects_of_side(pos.effects[t], ATT)
    alone = far == 1 and size(arriving) == 1
    closed = guards_shut or (far > 1 and view.blocks)
    found = 0
    least = NEIGHBOURS
    while arriving:
        bit = lowest(arriving)
        arriving &= arriving - 1
        origin = attacker_cell(pos, t, bit)
        piece = int(pos.board[origin & ON_BOARD]) & 15
        if piece == KING:
            continue
        lines = slides_of(effects_of_side(pos.effects[origin & ON_BOARD], ATT))
        extra, forced, backed = 0, 0, 0
        barred = shut or alone
        if lines:
            extra, forced, backed = opened_lines(pos, origin, t, view.king, lines)
            barred = not forced and (closed or (alone and not backed))
        promotable = can_promote(piece, origin, t, ATT)
        for promotion in range(PROMOTION, -1, -PROMOTION):
            moved = piece + promotion
            if promotion:
                if not promotable:
                    continue
            elif is_dead(piece, t, ATT) or (promotable and promotion_loses_no_move(piece)):
                continue
            if not (reach[moved] >> (7 - d)) & 1:
                continue
            found += 1
            left = view.free & ~TAKEN_AWAY[moved, d, min(far, FAR)]
            least = 0 if lines else min(least, size(left))
            if not (barred or left & ~extra):
                move = make_move(origin, t, promotion != 0)
                if is_mating_check(pos, view, move, out, base):
                    return move, 0, 0
    return 0, found, least


@jit
def _by_knight(pos, view, d, out, base):
    """As `_along_ray`, for a knight that arrives where it checks in direction d."""
    t = view.king - STEP[d]
    if pos.board[t] != 0 and pos.board[t] >> 4 != DEF:
        return 0, 0, NEIGHBOURS
    guarded = effects_of_side(pos.effects[t], DEF) != 0 and not view.pinned
    shut = view.free != 0 or guarded
    found = 0
    least = size(view.free)
    if pos.board[t] == 0 and (view.kinds >> KNIGHT) & 1:
        found += 1
        move = make_drop(KNIGHT, t)
        if not shut and is_mating_check(pos, view, move, out, base):
            return move, 0, 0
    arriving = effects_of_side(pos.effects[t], ATT) & KNIGHTS
    while arriving:
        bit = lowest(arriving)
        arriving &= arriving - 1
        origin = t - STEP[bit]
        found += 1
        lines = slides_of(effects_of_side(pos.effects[origin & ON_BOARD], ATT))
        if lines:
            least = 0
            extra, forced, _ = opened_lines(pos, origin, t, view.king, lines)
            barred = view.free & ~extra or (guarded and not forced)
        else:
            barred = shut
        if not barred:
            move = make_move(origin, t, False)
            if is_mating_check(pos, view, move, out, base):
                return move, 0, 0
    return 0, found, least if found else NEIGHBOURS


@jit
def uncovered_mate(pos, view, d, out, base):
    """Return a mate by a piece that moves out of a slider's way on ray d (0: none), and the number of these."""
    t = _next_piece(pos, view.king, d)
    end = append_discovered_checks(pos, t, 7 - d, view.king, False, out, base)
    if not view.blocks:
        lines = slides_of(effects_of_side(pos.effects[t], ATT))
        piece = int(pos.board[t])
        checker = attacker_cell(pos, t, SLIDE_BIT + 7 - d)
        left = view.free & ~covered_king_neighbours(int(pos.board[checker]), checker, view.king)
        for i in range(base, end):
            move = out[i]
            kind = piece + (PROMOTION if move & PROMOTES else 0)
            rest = left & ~covered_king_neighbours(kind, target_of(move), view.king)
            if rest and rest & ~opened_lines(pos, t, target_of(move), view.king, lines)[0]:
                continue
            if is_mating_check(pos, view, move, out, end):
                out[base] = out[end]
                return move, 0
    return 0, end - base


@jit
def is_mating_check(pos, view, move, out, base):
    """Return whether a check is legal and mates, tried on the board; the proof hand goes to ``out[base]``."""
    if pos.king[ATT] != 0 and leaves_own_king_attacked(pos, move, view.pressed):
        return False
    captured = do(pos, move, ATT)
    mated = is_mated(pos, view.mode, out, base)
    if mated:
        count, checker = find_checkers(pos, DEF)
        out[base] = blocking_hand(pos, count, checker)
    undo(pos, move, ATT, captured)
    if mated:
        out[base] = hand_before_attack(out[base], move, captured, False)
    return mated


# ---------------------------------------------------------------------------------------------------
#
# Mate in one for the last plies: without the estimates, which only new nodes of df-pn use. Most cells are
# passed over as a whole: those that a defender's piece reaches, and those from which no piece attacks all
# cells to which the king can flee.

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

_Sight = named_tuple("_Sight", "king free pinned pressed kinds firm blocks covers mode")
"""As `mate_in_one`'s view, and the rays on which a move of the attacker's uncovers a check."""


@unit(PAIR, pos=POSITION_TYPE, out=INTEGERS)
def quick_mate(pos, mode, out, base):
    """Return the first check that mates (0: none), and whether there certainly are checks.

    It finds what `mate_in_one` finds, in the same order. ``out[base:]`` is scratch space; the proof hand
    of a mate goes to ``out[base]``.
    """
    king = int(pos.king[DEF])
    pinned, covers = pins_and_discoveries(pos, king)
    firm = held_kinds(pos, DEF) & FIRM != 0
    blocks = mode == COUNT_ALL and firm
    kinds = held_kinds(pos, ATT)
    sight = _Sight(king, king_flight_directions(pos), pinned, in_check(pos, ATT), kinds, firm, blocks, covers, mode)
    seen = 0
    for d in range(8):
        t = (king + STEP[d]) & ON_BOARD
        far = 1
        reached = False
        shut_off = blocks or (firm and not effects_of_side(pos.effects[t], ATT))
        while pos.board[t] == 0 or pos.board[t] >> 4 == DEF:
            here = pos.effects[t]
            guards = here >> SIDE_BITS
            arriving = effects_of_side(here, ATT)
            if far == 1:
                guards &= ~(1 << d)
            guarded = guards != 0 and not pinned
            if pos.board[t] == 0:
                seen |= kinds & CHECKING_KINDS[0 if far == 1 else 1, 7 - d] & ~(1 << PAWN)
                held = kinds & int(MATING_DROPS[min(far, FAR) - 1, d, sight.free])
                if held and not guarded:
                    move = _quickly_by_drop(pos, sight, t, d, far, held, reached, shut_off, out, base)
                    if move:
                        return move, 1
            if arriving:
                move = _quickly_by_move(pos, sight, t, d, far, arriving, guarded, shut_off, out, base)
                if move:
                    return move, 1
            if pos.board[t] != 0 or (blocks and not covers):
                break
            reached |= guards != 0
            t = (t + STEP[d]) & ON_BOARD
            far += 1
    for d in range(8, 10):
        move = _quickly_by_knight(pos, sight, d, out, base)
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
def _quickly_by_drop(pos, sight, t, d, far, held, reached, shut_off, out, base):
    """Return a drop on an empty cell of ray d that mates (0: none); ``held``: kinds of `MATING_DROPS`."""
    arriving = effects_of_side(pos.effects[t], ATT)
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
        if is_mating_check(pos, sight, move, out, base):
            return move
    return 0


@jit_inline
def _quickly_by_move(pos, sight, t, d, far, arriving, guarded, shut_off, out, base):
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
        origin = attacker_cell(pos, t, bit) & ON_BOARD
        left = sight.free
        lines = slides_of(effects_of_side(pos.effects[origin], ATT))
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
                if is_mating_check(pos, sight, move, out, base):
                    return move
            if promotion_loses_no_move(piece):
                continue
        if (reach[piece] >> (7 - d)) & 1 and not left & ~TAKEN_AWAY[piece, d, min(far, FAR)]:
            move = make_move(origin, t, False)
            if not is_dead(piece, t, ATT) and is_mating_check(pos, sight, move, out, base):
                return move
    return 0


@jit_inline
def _quickly_by_knight(pos, sight, d, out, base):
    """Return a knight's check in direction d that mates (0: none)."""
    t = (sight.king - STEP[d]) & ON_BOARD
    if pos.board[t] != 0 and pos.board[t] >> 4 != DEF:
        return 0
    here = pos.effects[t]
    guarded = here >> SIDE_BITS != 0 and not sight.pinned
    if pos.board[t] == 0 and (sight.kinds >> KNIGHT) & 1 and not (guarded or sight.free):
        move = make_drop(KNIGHT, t)
        if is_mating_check(pos, sight, move, out, base):
            return move
    arriving = here & KNIGHTS
    while arriving:
        bit = lowest(arriving)
        arriving &= arriving - 1
        origin = (t - STEP[bit]) & ON_BOARD
        left = sight.free
        closed = guarded
        lines = slides_of(effects_of_side(pos.effects[origin], ATT))
        if lines:
            extra, forced, _ = opened_lines(pos, origin, t, sight.king, lines)
            left &= ~extra
            closed &= not forced
        if not (closed or left):
            move = make_move(origin, t, False)
            if is_mating_check(pos, sight, move, out, base):
                return move
    return 0
