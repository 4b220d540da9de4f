"""Mate in one, without generating moves (Kaneko2005, section 4.3).

The king's neighbourhood says which checks can mate: the cells it can flee to (``free``)
must all be taken away by the piece that arrives, that piece must stand protected beside
the king or on an open line, and no other piece of the defender's may reach it. Tables
tell which neighbours a piece takes away from where. What passes is tried on the board;
so the tables may let too much pass, but never too little.

The paper has four masks of the king's neighbours, (1) to (4), and a table over two of them
that tells which pieces in hand can mate by a drop; it judges direct checks beside the king
only. Here cells farther off, knights and uncovered checks are judged as well, and each
piece has a table of its own (`TAKEN_AWAY`); ``free`` is the paper's mask (2).
"""

from collections import namedtuple

import numpy as np

from solver.engines.dfpn.kernel.hands import before_attack
from solver.engines.kernel.mate import COUNT_ALL, blocking_hand, is_mated
from tsume_rules.kernel.attacks import find_checkers, in_check
from tsume_rules.kernel.bits import lowest, size
from tsume_rules.kernel.checks import gains_all, is_suicide, uncoverings
from tsume_rules.kernel.compile import INTEGERS, TRIPLE, jit, jit_inline, unit
from tsume_rules.kernel.effects import SLIDE_BIT, by_side, slides_of, source
from tsume_rules.kernel.evasions import flights
from tsume_rules.kernel.placement import can_promote, has_pawn, is_dead
from tsume_rules.kernel.play import (
    PROMOTES,
    do,
    dropped,
    make_drop,
    make_move,
    origin_of,
    target_of,
    undo,
)
from tsume_rules.kernel.state import POSITION_TYPE
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
    PROMOTION,
    REACH,
    ROOK,
    SILVER,
    SLIDES,
    STEP,
)

_KNIGHTS = 3 << 8
"""The directions in which knights arrive, as bits."""
_NEIGHBOURS = 8
_FAR = 3
"""Distances from here on are alike: of the neighbours only those on the line are taken away."""


def _offsets() -> list[tuple[int, int]]:
    """File and rank of each direction of `tsume_rules.kernel.tables`."""
    return [(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (1, 1), (-1, 1), (0, 1), (1, -2), (-1, -2)]


def _taken_away(piece: int, ray: int, far: int) -> int:
    """The neighbours, as bits, that a piece attacks from ``far`` steps along a ray of the king's."""
    offsets = _offsets()
    file, rank = offsets[ray][0] * far, offsets[ray][1] * far
    bits = 0
    for d, (df, dr) in enumerate(offsets):
        if not (REACH[piece] >> d) & 1:
            continue
        for n in range(1, 9 if (SLIDES[piece] >> d) & 1 else 2):
            place = (file + n * df, rank + n * dr)
            if place in offsets[:8]:
                bits |= 1 << offsets.index(place)
    return bits


TAKEN_AWAY = np.zeros((16, 8, _FAR + 1), dtype=np.int64)
"""[piece, ray, distance up to 3] -> the king's neighbours it attacks from there, as bits.

A slide goes on through whatever stands in its way, the king included.
"""
for _piece in range(1, 15):
    for _ray in range(8):
        for _far in range(1, _FAR + 1):
            TAKEN_AWAY[_piece, _ray, _far] = _taken_away(_piece, _ray, _far)
CHECKING_KINDS = np.zeros((2, 10), dtype=np.int64)
"""[0 beside the king, 1 farther off][direction] -> the kinds that attack in it, as bits."""
for _d in range(10):
    for _kind in range(1, 8):
        CHECKING_KINDS[0, _d] |= ((REACH[_kind] >> _d) & 1) << _kind
        CHECKING_KINDS[1, _d] |= ((SLIDES[_kind] >> _d) & 1) << _kind
_FIRM = (1 << SILVER) | (1 << BISHOP) | (1 << ROOK) | (1 << GOLD)
"""Kinds that may be dropped on any cell."""

_View = namedtuple("_View", "king free pinned pressed kinds firm blocks mode")
"""What all checks are judged by: the king's cell, the directions it can flee in, whether
any piece of the defender's is pinned, whether the attacker's king is in check, the kinds
in the attacker's hand, whether the defender can drop a piece anywhere, whether such drops
count as answers, and the reading of interpositions."""


@jit
def held_kinds(pos, side):
    """The kinds in a side's hand, as bits."""
    kinds = 0
    for kind in range(1, 8):
        if pos.hand[side, kind]:
            kinds |= 1 << kind
    return kinds


@jit
def liberties_after(pos, move, king, free):
    """How many cells a check (not yet played) certainly leaves of those the king could flee to."""
    target = target_of(move)
    d = int(LINE[king, target])
    if d < 0 or d > 7:
        return size(free)
    kind = dropped(move)
    if kind == 0:
        kind = int(pos.board[origin_of(move)]) + (PROMOTION if move & PROMOTES else 0)
    return size(free & ~TAKEN_AWAY[kind, d, min(int(DIST[king, target]), _FAR)])


@unit(TRIPLE, pos=POSITION_TYPE, out=INTEGERS)
def mate_in_one(pos, mode, out, n):
    """The first check that mates at once; if there is none, how hard a mate and its refutation look.

    Returns (move, checks, liberties): move 0 where no check mates; then the number of
    checks, and the least number of neighbouring cells that any of them certainly leaves
    the king to flee to. These bound the disproof and the proof number of the position
    from below, but for checks that leave one's own king attacked, which are counted too
    (Kaneko2005, section 4.4: H'). ``out[n:]`` is scratch space; the proof hand of a mate is
    left in ``out[n]``.
    """
    king = int(pos.king[DEF])
    pinned, covers = _shields(pos, king)
    firm = held_kinds(pos, DEF) & _FIRM != 0
    blocks = mode == COUNT_ALL and firm
    view = _View(king, flights(pos), pinned, in_check(pos, ATT), held_kinds(pos, ATT), firm, blocks, mode)
    found = 0
    least = _NEIGHBOURS
    for d in range(8):
        mate, number, left = _along_ray(pos, view, d, out, n)
        if mate:
            return mate, 0, 0
        found += number
        least = min(least, left)
    for d in range(8, 10):
        mate, number, left = _by_knight(pos, view, d, out, n)
        if mate:
            return mate, 0, 0
        found += number
        least = min(least, left)
    while covers:
        d = lowest(covers)
        covers &= covers - 1
        mate, number = _by_uncovering(pos, view, d, out, n)
        if mate:
            return mate, 0, 0
        found += number
        if number:
            least = 0
    return 0, found, least


@jit
def _shields(pos, king):
    """Whether any piece of the defender's is pinned; the rays on which a move uncovers a check."""
    pinned = False
    covers = 0
    for d in range(8):
        t = (king + STEP[d]) & ON_BOARD
        while pos.board[t] == 0:
            t = (t + STEP[d]) & ON_BOARD
        if (by_side(pos.effects[t], ATT) >> (SLIDE_BIT + 7 - d)) & 1:
            if pos.board[t] < OURS:
                covers |= 1 << d
            elif pos.board[t] >> 4 == DEF:
                pinned = True
    return pinned, covers


@jit_inline
def _along_ray(pos, view, d, out, n):
    """A mate by a piece that arrives on a ray of the king's; if there is none, how many checks.

    And the least number of cells to flee to after any of them.
    """
    board = pos.board
    t = (view.king + STEP[d]) & ON_BOARD
    far = 1
    found = 0
    least = _NEIGHBOURS
    reached = False  # whether the defender can move between
    # a drop beside the king cannot be taken there if nothing attacks that cell: it is not futile
    blocks = view.blocks or (view.firm and not by_side(pos.effects[t], ATT))
    while board[t] == 0 or board[t] >> 4 == DEF:
        guards = by_side(pos.effects[t], DEF)
        if far == 1:
            guards &= ~(1 << d)  # the king itself
        shut = (guards != 0 and not view.pinned) or (far > 1 and blocks)
        if board[t] == 0:
            shut |= reached and not view.pinned  # a piece taken may be the one that could move between
            mate, number, left = _by_drop(pos, view, t, d, far, shut, out, n)
            if mate:
                return mate, 0, 0
            found += number
            least = min(least, left)
        mate, number, left = _by_move(pos, view, t, d, far, shut, out, n)
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
def _by_drop(pos, view, t, d, far, shut, out, n):
    """As `_along_ray` for drops on an empty cell of ray d (``shut``: certainly none mates)."""
    kinds = view.kinds & CHECKING_KINDS[0 if far == 1 else 1, 7 - d]
    if kinds == 0:
        return 0, 0, _NEIGHBOURS
    found = size(kinds)
    if (kinds >> PAWN) & 1 and has_pawn(pos, t, ATT):
        kinds &= ~(1 << PAWN)
        found -= 1
    shut |= far == 1 and not by_side(pos.effects[t], ATT)
    least = _NEIGHBOURS
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        left = view.free & ~TAKEN_AWAY[kind, d, min(far, _FAR)]
        least = min(least, size(left))
        if not (shut or left or kind == PAWN):  # a pawn dropped must not mate
            move = make_drop(kind, t)
            if _mates(pos, view, move, out, n):
                return move, 0, 0
    return 0, found, least


@jit_inline
def _by_move(pos, view, t, d, far, shut, out, n):
    """As `_along_ray` for moves to a cell of ray d (``shut``: none mates but by opening a line)."""
    reach = REACH if far == 1 else SLIDES
    arriving = by_side(pos.effects[t], ATT)
    alone = far == 1 and size(arriving) == 1
    found = 0
    least = _NEIGHBOURS
    while arriving:
        bit = lowest(arriving)
        arriving &= arriving - 1
        origin = source(pos, t, bit)
        piece = int(pos.board[origin & ON_BOARD]) & 15
        if piece == KING:
            continue
        opens = slides_of(by_side(pos.effects[origin & ON_BOARD], ATT)) != 0
        promotable = can_promote(piece, origin, t, ATT)
        for promotion in range(PROMOTION, -1, -PROMOTION):
            moved = piece + promotion
            if promotion:
                if not promotable:
                    continue
            elif is_dead(piece, t, ATT) or (promotable and gains_all(piece)):
                continue
            if not (reach[moved] >> (7 - d)) & 1:
                continue
            found += 1
            left = view.free & ~TAKEN_AWAY[moved, d, min(far, _FAR)]
            least = 0 if opens else min(least, size(left))
            if opens or not (shut or alone or left):
                move = make_move(origin, t, promotion != 0)
                if _mates(pos, view, move, out, n):
                    return move, 0, 0
    return 0, found, least


@jit
def _by_knight(pos, view, d, out, n):
    """As `_along_ray` for a knight that arrives where it checks in direction d."""
    t = view.king - STEP[d]
    if pos.board[t] != 0 and pos.board[t] >> 4 != DEF:
        return 0, 0, _NEIGHBOURS
    shut = view.free != 0 or (by_side(pos.effects[t], DEF) != 0 and not view.pinned)
    found = 0
    least = size(view.free)
    if pos.board[t] == 0 and (view.kinds >> KNIGHT) & 1:
        found += 1
        move = make_drop(KNIGHT, t)
        if not shut and _mates(pos, view, move, out, n):
            return move, 0, 0
    arriving = by_side(pos.effects[t], ATT) & _KNIGHTS
    while arriving:
        bit = lowest(arriving)
        arriving &= arriving - 1
        origin = t - STEP[bit]
        found += 1
        opens = slides_of(by_side(pos.effects[origin & ON_BOARD], ATT)) != 0
        if opens:
            least = 0
        if opens or not shut:
            move = make_move(origin, t, False)
            if _mates(pos, view, move, out, n):
                return move, 0, 0
    return 0, found, least if found else _NEIGHBOURS


@jit
def _by_uncovering(pos, view, d, out, n):
    """A mate by a piece that moves out of a slider's way on ray d; if there is none, how many checks."""
    t = view.king + STEP[d]
    while pos.board[t] == 0:
        t += STEP[d]
    end = uncoverings(pos, t, 7 - d, view.king, False, out, n)
    if not view.blocks:
        for i in range(n, end):
            move = out[i]
            if _mates(pos, view, move, out, end):
                out[n] = out[end]
                return move, 0
    return 0, end - n


@jit
def _mates(pos, view, move, out, n):
    """Whether a check mates, tried on the board."""
    if pos.king[ATT] != 0 and is_suicide(pos, move, view.pressed):
        return False
    captured = do(pos, move, ATT)
    mated = is_mated(pos, view.mode, out, n)
    if mated:
        count, checker = find_checkers(pos, DEF)
        out[n] = blocking_hand(pos, count, checker)
    undo(pos, move, ATT, captured)
    if mated:
        out[n] = before_attack(out[n], move, captured, False)
    return mated
