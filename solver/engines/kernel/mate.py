"""Mate on the board: D(q, 0) of the definitions."""

from tsume_rules.kernel.attacks import between, blocking_cells, find_checkers, in_check
from tsume_rules.kernel.bits import lowest
from tsume_rules.kernel.compile import INTEGERS, jit, unit
from tsume_rules.kernel.effects import by_side, source
from tsume_rules.kernel.evasions import can_move_to, drops_on, flights
from tsume_rules.kernel.placement import can_promote, is_dead
from tsume_rules.kernel.play import do, dropped, make_move, undo
from tsume_rules.kernel.state import POSITION_TYPE, UNIT
from tsume_rules.kernel.tables import ATT, DEF

NARROW, COUNT_ALL, WIDE = 0, 1, 2
"""Which interpositions are futile; see `solver.results.Interposition`."""
LONGEST_CHAIN = 9
"""Futile drops one upon the other: no line is longer. It ends circles of the wide reading."""

_CELL, _CELLS, _TRIED, _TAKER_COUNT, _TAKERS, _LEVEL = 0, 1, 2, 3, 4, 64
_MATED, _ESCAPES, _TRY = 0, 1, 2


@unit(pos=POSITION_TYPE, out=INTEGERS)
def takers(pos, cell, checker, mode, out, n):
    """Write the attacker's moves to an empty cell that a futile drop could be taken with.

    The narrow reading lets only the checking piece take, the wide one any
    attacking piece. Each must be legal and leave the king in check.
    """
    start = n
    found = by_side(pos.effects[cell], ATT)
    while found:
        bit = lowest(found)
        found &= found - 1
        t = source(pos, cell, bit)
        if mode == NARROW and t != checker:
            continue
        piece = int(pos.board[t])
        if can_promote(piece, t, cell, ATT):
            out[n] = make_move(t, cell, True)
            n += 1
        if not is_dead(piece, cell, ATT):
            out[n] = make_move(t, cell, False)
            n += 1
    return _keep_checks(pos, out, start, n)


@jit
def _keep_checks(pos, out, start, end):
    kept = start
    for i in range(start, end):
        move = out[i]
        do(pos, move, ATT)
        if in_check(pos, DEF) and not in_check(pos, ATT):
            out[kept] = move
            kept += 1
        undo(pos, move, ATT, 0)
    return kept


@jit
def drop_checks_attacker(pos, move):
    """Whether a drop of the defender's gives check to the attacker's king."""
    if pos.king[ATT] == 0:
        return False
    do(pos, move, DEF)
    check = in_check(pos, ATT)
    undo(pos, move, DEF, 0)
    return check


@jit
def may_be_futile(pos, move):
    """Whether an answer is a drop that could be futile: one that does not check the attacker's king."""
    return dropped(move) != 0 and not drop_checks_attacker(pos, move)


@unit(pos=POSITION_TYPE, out=INTEGERS)
def is_mated(pos, mode, out, n):
    """D(q, 0): whether every answer to the check is a futile drop, or there is none.

    ``out[n:]`` is scratch space. A drop is futile if some taker leads to a mate
    again: an AND/OR search with its own stack, because compiled code that calls
    itself cannot be cached. A level holds the cell it is at, how many cells there
    are, the taker being tried, how many there are, and the takers.
    """
    base = n
    entering = True
    mated = False
    while True:
        if entering:
            cells = _open_cells(pos)
            out[base + _CELL] = 0
            out[base + _CELLS] = cells
            state = _next_cell(pos, mode, out, base, n) if cells >= 0 else _ESCAPES
        else:
            base -= _LEVEL
            undo(pos, out[base + _TAKERS + out[base + _TRIED]], ATT, 0)
            if mated:
                state = _next_cell(pos, mode, out, base, n)
            else:
                out[base + _TRIED] += 1
                state = _TRY if out[base + _TRIED] < out[base + _TAKER_COUNT] else _ESCAPES
        entering = state == _TRY
        if entering:
            do(pos, out[base + _TAKERS + out[base + _TRIED]], ATT)
            base += _LEVEL
            continue
        mated = state == _MATED
        if base == n:
            return mated


@jit
def _open_cells(pos):
    """How many cells a drop could block the check on; -1 if a piece on the board answers it."""
    if flights(pos):
        return -1
    count, checker = find_checkers(pos, DEF)
    if count >= 2:
        return 0
    if can_move_to(pos, checker):
        return -1
    cells, step = blocking_cells(pos, count, checker)
    for i in range(1, cells + 1):
        if can_move_to(pos, pos.king[DEF] + i * step):
            return -1
    return cells


@jit
def _next_cell(pos, mode, out, base, n):
    """Go on to the next cell with legal drops and list what could take on it.

    _MATED when there is none left, _ESCAPES when its drops are no futile ones.
    """
    _, checker = find_checkers(pos, DEF)
    king = int(pos.king[DEF])
    _, step = between(king, checker)
    takers_at = base + _TAKERS
    while out[base + _CELL] < out[base + _CELLS]:
        out[base + _CELL] += 1
        cell = king + out[base + _CELL] * step
        end = drops_on(pos, cell, out, takers_at)
        if end == takers_at:
            continue
        if mode == COUNT_ALL or base - n >= LONGEST_CHAIN * _LEVEL:
            return _ESCAPES
        for i in range(takers_at, end):
            if drop_checks_attacker(pos, out[i]):
                return _ESCAPES
        out[base + _TRIED] = 0
        out[base + _TAKER_COUNT] = takers(pos, cell, checker, mode, out, takers_at) - takers_at
        return _TRY if out[base + _TAKER_COUNT] else _ESCAPES
    return _MATED


@jit
def blocking_hand(pos, count, checker):
    """What the attacker must hold for a proof to stay one, because it could block the check.

    Of each kind that the defender has none of, the attacker must keep all:
    otherwise the defender could drop one (packed hand; 0 where nothing can block).
    """
    if blocking_cells(pos, count, checker)[0] == 0:
        return 0
    total = 0
    for kind in range(1, 8):
        if pos.hand[DEF, kind] == 0:
            total += int(pos.hand[ATT, kind]) * UNIT[kind]
    return total
