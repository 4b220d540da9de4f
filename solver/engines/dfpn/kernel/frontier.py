# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixed-depth search: the last three plies, and new nodes of df-pn (Kaneko2005, section 4).

Plain depth-first search with `quick_mate` at its leaves; the outcome, for a proof with its hand, goes to the search
state. If only a longer search could tell whether drops are futile, the answer is `UNKNOWN`.
"""

from __future__ import annotations

import numpy as np

from solver.engines.dfpn.kernel.arena import (
    A3_FEW,
    ARENA,
    DISPROVEN,
    LIKELIEST,
    PROVEN,
    UNKNOWN,
    estimates_as_in_paper,
    is_proven,
    set_outcome,
)
from solver.engines.dfpn.kernel.mate_in_one import (
    CHECKING_KINDS,
    TAKEN_AWAY,
    held_kinds,
    liberties_after,
    mate_in_one,
    quick_mate,
)
from solver.engines.dfpn.kernel.table import FOREVER, INFINITE, hand_before_attack, largest_disproof_hand
from solver.engines.kernel.mate import COUNT_ALL, blocking_hand, drop_checks_attacker, futile_drop_captures, is_mated
from tsume_rules.kernel.attacks import (
    attacker_cell,
    blocking_cells,
    cells_between_count,
    effects_of_side,
    find_checkers,
    is_pinned,
    lowest,
    size,
)
from tsume_rules.kernel.compile import INTEGERS, PAIR, export, jit, jit_inline, uint64, unit, void
from tsume_rules.kernel.move_generation import (
    board_evasions,
    bring_move_forward,
    drops_on,
    king_flight_directions,
    promotion_loses_no_move,
    pseudo_checks,
    sort_moves_by_rank,
)
from tsume_rules.kernel.state import (
    PROMOTES,
    can_promote,
    do,
    dropped,
    hand_kind,
    hand_union,
    make_move,
    origin_of,
    packed_hand,
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
    LANCE,
    LINE,
    ON_BOARD,
    OURS,
    PAWN,
    POSITION_TYPE,
    PROMOTION,
    REACH,
    ROOK,
    SILVER,
    SIZE,
    STEP,
    WALL,
)

# ---------------------------------------------------------------------------------------------------
#
# Taking back several moves at once: what they changed is copied back instead of undone.
#
# Undoing a move walks the rays of its pieces once more; a copy has no branches. Only the effects are
# copied, a kilobyte; the rest of a position is restored move by move, the last one first.


@export(void, pos=POSITION_TYPE, out=INTEGERS)
def save_effects(pos, out, base):
    """Copy the effects to out[base : base + SIZE]."""
    for t in range(SIZE):
        out[base + t] = pos.effects[t]


@export(void, pos=POSITION_TYPE, out=INTEGERS, key=uint64, slot=uint64)
def restore_effects(pos, out, base, key, slot):
    """Copy the effects back, and set the keys."""
    for t in range(SIZE):
        pos.effects[t] = out[base + t]
    pos.key = key
    pos.slot = slot


@export(void, pos=POSITION_TYPE)
def take_back(pos, move, side, captured):
    """Undo a side's move except for the effects and the keys; ``captured`` is what `do` returned."""
    target = target_of(move)
    kind = dropped(move)
    if kind:
        pos.board[target] = 0
        pos.hand[side, kind] += 1
        return
    piece = int(pos.board[target])
    pos.board[target] = captured
    if captured:
        pos.hand[side, hand_kind(captured)] -= 1
    if move & PROMOTES:
        piece -= PROMOTION
    origin = origin_of(move) & ON_BOARD
    pos.board[origin] = piece
    if piece & 15 == KING:
        pos.king[side] = origin


# --- mate in three, mated in two -------------------------------------------------------------------

_MIXED = 3
_NOTHING = -1
_FAR_OFF, _ALONE, _GUARDED, _CAPTURES = 2, 5, 2, 2


@export(a=ARENA)
def try_mate_in_one(a, base):
    """Return whether the attacker mates in one: PROVEN or DISPROVEN."""
    pos, search = a.pos, a.search
    search.nodes += 1
    move, search.checks, search.liberties = mate_in_one(pos, search.mode, a.buf, base)
    return _decided(a, move, search.checks, base)


@jit
def try_mate_at_once(a, base):
    """As `try_mate_in_one`, without the numbers of a new node."""
    pos, search = a.pos, a.search
    search.nodes += 1
    move, checks = quick_mate(pos, search.mode, a.buf, base)
    if move == 0 and checks == 0:
        _, checks, _ = mate_in_one(pos, search.mode, a.buf, base)
    return _decided(a, move, checks, base)


@jit_inline
def _decided(a, move, checks, base):
    """Set the outcome by the check that mates (0: none) and the number of checks."""
    if move:
        set_outcome(a.search, 0, INFINITE, 1, a.buf[base], 0)
        return PROVEN
    if checks:
        set_outcome(a.search, INFINITE, 0, 1, packed_hand(a.pos), 0)
    else:
        set_outcome(a.search, INFINITE, 0, FOREVER, largest_disproof_hand(packed_hand(a.pos)), 0)
    return DISPROVEN


@jit
def estimate(a, base):
    """Set the numbers of a new node without a mate in one."""
    _, a.search.checks, a.search.liberties = mate_in_one(a.pos, a.search.mode, a.buf, base)


@export(a=ARENA)
def try_mate_in_three(a, base):
    """Return whether the attacker, who has no mate in one, mates within three plies.

    Pieces that lose nothing by promotion (`promotion_loses_no_move`) always promote: leaving them unpromoted
    only helps a later pawn drop, and the mating move cannot be one.
    """
    pos, buf, search = a.pos, a.buf, a.search
    first = base + SIZE
    end = pseudo_checks(pos, False, buf, first)
    if end == first:
        set_outcome(search, INFINITE, 0, FOREVER, largest_disproof_hand(packed_hand(pos)), 0)
        return DISPROVEN
    search.nodes += 1
    together = search.leaves == LIKELIEST
    if together:
        sort_likeliest_first(pos, buf, first, end)
    elif search.depth == 0:
        sort_tightest_first(pos, buf, first, end)
    buf[end] = 0  # the answer that refuted the last check
    open_end = False
    for_good = True
    key, slot = pos.key, pos.slot
    save_effects(pos, buf, base)
    taken = 0  # the last cell on which a drop was tried, negative if no piece dropped there mates
    for i in range(first, end):
        move = buf[i]
        if together and dropped(move) and not for_good:
            cell = target_of(move)
            if cell != abs(taken):
                taken = -cell if _all_drops_fail(pos, search, buf, cell, end + 1) else cell
                restore_effects(pos, buf, base, key, slot)
            if taken < 0:
                continue
        captured = do(pos, move, ATT)
        found, left = _mated_in_two(a, end, buf[end], for_good, True)
        if left != _NOTHING:
            take_back(pos, buf[end], DEF, left)
        take_back(pos, move, ATT, captured)
        restore_effects(pos, buf, base, key, slot)
        if found == PROVEN:
            if search.length == 0 and dropped(move) == PAWN:
                continue  # a pawn drop that mates is illegal
            hand = hand_before_attack(search.hand, move, captured, False)
            set_outcome(search, 0, INFINITE, search.length + 1, hand, 0)
            return PROVEN
        if found == UNKNOWN:
            open_end = True
        elif search.length != FOREVER:
            for_good = False
        elif move & PROMOTES and promotion_loses_no_move(int(pos.board[origin_of(move)])):
            for_good = False  # its unpromoted twin was left out
    if open_end:
        return UNKNOWN
    set_outcome(search, INFINITE, 0, FOREVER if for_good else 3, packed_hand(pos), 0)
    return DISPROVEN


@jit
def _all_drops_fail(pos, search, buf, cell, base):
    """Return whether taking a piece dropped on a cell refutes a mate in three, whichever piece it is.

    The taking piece is put on the cell, without a change of hands: the attacker has at least the pieces
    he has after a drop, the defender at most. Effects and keys are not undone.
    """
    king = int(pos.king[DEF])
    found = effects_of_side(pos.effects[cell], DEF)
    while found:
        origin = attacker_cell(pos, cell, lowest(found))
        found &= found - 1
        promotion = False
        if origin == king:
            if effects_of_side(pos.effects[cell], ATT):
                continue
        elif is_pinned(pos, origin, DEF):
            continue
        else:
            promotion = can_promote(int(pos.board[origin]) - OURS, origin, cell, DEF)
        move = make_move(origin, cell, promotion)
        search.nodes += 1
        do(pos, move, DEF)
        mate, _ = quick_mate(pos, search.mode, buf, base)
        take_back(pos, move, DEF, 0)
        return mate == 0
    return False


@export(void, pos=POSITION_TYPE, buf=INTEGERS)
def sort_tightest_first(pos, buf, base, end):
    """Sort checks by the number of neighbouring cells to which they let the king flee, fewest first."""
    king = int(pos.king[DEF])
    free = king_flight_directions(pos)
    for i in range(base, end):
        buf[end + i - base] = liberties_after(pos, buf[i], king, free)
    sort_moves_by_rank(buf, base, end)


@export(void, pos=POSITION_TYPE, buf=INTEGERS)
def sort_likeliest_first(pos, buf, base, end):
    """Sort checks: first those that leave the king few cells and are not given away. The weights were chosen
    by the nodes of mates in 3 and 5."""
    king = int(pos.king[DEF])
    free = king_flight_directions(pos)
    for i in range(base, end):
        move = buf[i]
        target = target_of(move)
        guards = effects_of_side(pos.effects[target], DEF)
        support = effects_of_side(pos.effects[target], ATT)
        rank = 2 * liberties_after(pos, move, king, free)
        d = int(LINE[king, target])
        if 0 <= d < 8:
            if DIST[king, target] > 1:
                rank += _FAR_OFF
            else:
                guards &= ~(1 << d)
                if dropped(move) == 0:
                    support &= support - 1
                if support == 0:
                    rank += _ALONE
        if guards:
            rank += _GUARDED
        if pos.board[target]:
            rank -= _CAPTURES
        buf[end + i - base] = rank
    sort_moves_by_rank(buf, base, end)


@export(a=ARENA)
def try_mated_in_two(a, base, killer):
    """Return whether the defender, in check, is mated within two plies. ``killer``: an answer to try first.
    The answer that refutes a mate is left in ``buf[base]``."""
    return _mated_in_two(a, base, killer, True, False)[0]


@jit
def _mated_in_two(a, base, killer, ever, stay):
    """As `try_mated_in_two`: (state, what the refuting answer captured; `_NOTHING` if it was undone).

    ``ever``: tell whether a disproof holds at any length; ``stay``: leave an answer on the board,
    except a drop, that refutes the mate.
    """
    search = a.search
    count, checker = find_checkers(a.pos, DEF)
    state, index, hand, length, left = _look(a, base, killer, 0, count, checker, ever, stay)
    while state == UNKNOWN:  # drops on one cell decide
        cell = a.pos.king[DEF] + index * cells_between_count(int(a.pos.king[DEF]), checker)[1]
        state = _slide(a, cell, checker, base + 1)
        if state != PROVEN:
            search.length = 2
            return state, _NOTHING
        hand = hand_union(hand, search.hand)
        length = max(length, search.length)
        state, index, more, longer, _ = _look(a, base, 0, index + 1, count, checker, ever, False)
        hand = hand_union(hand, more)
        length = max(length, longer)
    if state == PROVEN:
        set_outcome(search, 0, INFINITE, length, hand, 0)
    return UNKNOWN if state == _MIXED else state, left


@jit
def _look(a, base, killer, index, count, checker, ever, stay):
    """Return whether answers are met by mates in one or are drops shown futile by a slide that mates.

    All answers if ``index`` is 0, else the drops from the cell with that index on (1: beside the
    king). Returns (state, index, proof hand, length): `UNKNOWN` with the index of a cell whose drops
    are neither; `_MIXED` instead if one of these checks the attacker's king.
    """
    pos, buf, mode = a.pos, a.buf, a.search.mode
    first = base + 1
    cells, step = blocking_cells(pos, count, checker)
    hand = blocking_hand(pos, count, checker) if cells else 0
    length = 0
    if index == 0:
        a.search.nodes += 1
        end = board_evasions(pos, count, checker, buf, first)
        bring_move_forward(buf, first, end, killer)
        mated, left = _all_mated(a, base, first, end, ever, stay)
        if not mated:
            return DISPROVEN, 0, 0, 0, left
        length = 2 if end > first else 0
        hand = _with_hands(buf, first, end, hand)
        index = 1
    for i in range(index, cells + 1):
        cell = pos.king[DEF] + i * step
        end = drops_on(pos, cell, buf, first)
        if end == first:
            continue
        quiet = mode != COUNT_ALL  # no drop checks the attacker's king: such a drop is never futile
        for j in range(first, end):
            quiet = quiet and not drop_checks_attacker(pos, buf[j])
        if quiet and _futile(a, cell, checker, end):
            hand = hand_union(hand, a.search.hand)
        elif _all_mated(a, base, first, end, ever, False)[0]:
            length = 2
            hand = _with_hands(buf, first, end, hand)
        else:
            if not quiet:
                return DISPROVEN if mode == COUNT_ALL else _MIXED, i, hand, length, _NOTHING
            return UNKNOWN, i, hand, length, _NOTHING
    return PROVEN, 0, hand, length, _NOTHING


@jit
def _with_hands(buf, first, end, hand):
    """Return the union of a hand with the proof hands that `_all_mated` has left."""
    for i in range(first, end):
        hand = hand_union(hand, buf[end + i - first])
    return hand


@jit
def _slide(a, cell, checker, base):
    """Return whether a slide to a cell mates within two plies; hand and length go to the search state."""
    pos, buf, search = a.pos, a.buf, a.search
    end = futile_drop_captures(pos, cell, checker, search.mode, buf, base)
    open_end = False
    for i in range(base, end):
        move = buf[i]
        do(pos, move, ATT)
        count, there = find_checkers(pos, DEF)
        state, _, search.hand, search.length, _ = _look(a, end, 0, 0, count, there, True, False)
        undo(pos, move, ATT, 0)
        if state == PROVEN:
            return PROVEN
        open_end |= state != DISPROVEN
    return UNKNOWN if open_end else DISPROVEN


@jit
def _all_mated(a, base, first, end, ever, stay):
    """Return whether every answer in buf[first:end] is met by a mate in one; see `_mated_in_two` for the rest.

    The proof hands go to ``buf[end:]``. The first answer that is not met goes to ``buf[base]``, the length of
    the disproof to the search state.
    """
    pos, buf, search = a.pos, a.buf, a.search
    scratch = 2 * end - first
    for i in range(first, end):
        move = buf[i]
        captured = do(pos, move, DEF)
        mate, checks = quick_mate(pos, search.mode, buf, scratch)
        search.nodes += 1
        if mate == 0:
            if ever and checks == 0:
                _, checks, _ = mate_in_one(pos, search.mode, buf, scratch)
            search.length = 2 if checks or not ever else FOREVER
            buf[base] = move
            if not stay:
                undo(pos, move, DEF, captured)
            return False, captured if stay else _NOTHING
        buf[end + i - first] = buf[scratch]
        undo(pos, move, DEF, captured)
    return True, _NOTHING


@jit
def _futile(a, cell, checker, base):
    """Return whether a slide to a cell mates on the board; the proof hand goes to the search state."""
    pos, buf = a.pos, a.buf
    end = futile_drop_captures(pos, cell, checker, a.search.mode, buf, base)
    for i in range(base, end):
        move = buf[i]
        do(pos, move, ATT)
        mated = is_mated(pos, a.search.mode, buf, end)
        if mated:
            count, there = find_checkers(pos, DEF)
            a.search.hand = blocking_hand(pos, count, there)
        undo(pos, move, ATT, 0)
        if mated:
            return True
    return False


# --- the search of a new node, and its proof and disproof number (Kaneko2005, 4.1 to 4.4) -----------

_BEFORE = 7
"""The ray to the cell before the king, where a gold takes most cells from it: the paper's 真上."""
_FEW = 4
"""How many checks `A3_FEW` searches."""
_STRONG, _ANY, _NOT_GOLD = 0, 1, 2
_GOLDS = (GOLD, PAWN + PROMOTION, LANCE + PROMOTION, KNIGHT + PROMOTION, SILVER + PROMOTION)
_STRONGEST = (BISHOP + PROMOTION, ROOK + PROMOTION)
FLIGHTS_LEFT = np.zeros((3, 8, 1 << 8), dtype=np.uint8)
"""[dragons and horses; other pieces; these without golds before the king][ray][cells to which the king can flee]
-> the fewest that a piece which checks from the cell on that ray leaves (section 4.4.1)."""
_SIZES = np.array([_free.bit_count() for _free in range(1 << 8)], dtype=np.uint8)
FLIGHTS_LEFT[:] = _SIZES
for _ray in range(8):
    for _piece in range(1, 15):
        _left = _SIZES[np.arange(1 << 8) & ~int(TAKEN_AWAY[_piece, _ray, 1])]
        for _case in (_STRONG,) if _piece in _STRONGEST else (_ANY, _NOT_GOLD):
            _absent = _case == _NOT_GOLD and _ray == _BEFORE and _piece in _GOLDS
            if (REACH[_piece] >> (7 - _ray)) & 1 and _piece != KING and not _absent:
                np.minimum(FLIGHTS_LEFT[_case, _ray], _left, out=FLIGHTS_LEFT[_case, _ray])


@unit(PAIR, pos=POSITION_TYPE)
def optimistic_numbers(pos):
    """Return proof and disproof number of a position without a mate in one, not generating checks: H' (4.4).

    The proof number is the fewest cells that a check leaves to the king: of a check from afar all but one; of a drop on
    a neighbouring cell that only the king defends; of the best move to such a cell that two pieces attack, whatever
    pieces they are. The disproof number is how many such cells there are.
    """
    king = int(pos.king[DEF])
    free = king_flight_directions(pos)
    kinds = held_kinds(pos, ATT)
    pn = size(free) - 1
    dn = 0
    case = -1
    for d in range(8):
        t = (king + STEP[d]) & ON_BOARD
        arriving = effects_of_side(pos.effects[t], ATT)
        if arriving == 0 or effects_of_side(pos.effects[t], DEF) & ~(1 << d):
            continue
        if pos.board[t] == 0:
            dn += 1
            held = kinds & int(CHECKING_KINDS[0, 7 - d])
            while held:
                kind = lowest(held)
                held &= held - 1
                pn = min(pn, size(free & ~int(TAKEN_AWAY[kind, d, 1])))
        if arriving & (arriving - 1) and (pos.board[t] == 0 or pos.board[t] >> 4 == DEF):
            dn += 1
            if case < 0:
                case = _strongest_case(pos, king)
            pn = min(pn, int(FLIGHTS_LEFT[case, d, free]))
    return max(pn, 1), max(dn, 1)


@jit
def _strongest_case(pos, king):
    """Return what can come beside the king (4.4.1): dragons or horses, any others, these without golds before."""
    case = _NOT_GOLD
    for d in range(8):
        t = (king + STEP[d]) & ON_BOARD
        arriving = effects_of_side(pos.effects[t], ATT) if pos.board[t] != WALL else 0
        while arriving:
            piece = int(pos.board[attacker_cell(pos, t, lowest(arriving)) & ON_BOARD])
            arriving &= arriving - 1
            if piece == BISHOP + PROMOTION or piece == ROOK + PROMOTION:
                return _STRONG
            if d == _BEFORE and (piece == GOLD or (piece > PROMOTION and piece <= SILVER + PROMOTION)):
                case = _ANY
    return case


@jit
def assess_leaf(a, base, estimated):
    """Return PROVEN with the outcome if the attacker mates in one; else UNKNOWN with the numbers of the leaf.

    ``estimated``: by an estimate, of Kaneko2005 or ours; 1 and 1 otherwise."""
    search = a.search
    if not estimates_as_in_paper(search):
        if try_mate_in_one(a, base) == PROVEN:
            return PROVEN
        set_outcome(search, max(int(search.liberties), 1), max(int(search.checks), 1), 0, 0, 0)
        return UNKNOWN
    search.nodes += 1
    move, _ = quick_mate(a.pos, search.mode, a.buf, base)
    if move:
        return _decided(a, move, 1, base)
    search.liberties, search.checks = optimistic_numbers(a.pos) if estimated else (1, 1)
    set_outcome(search, search.liberties, search.checks, 0, 0, 0)
    return UNKNOWN


@unit(void, a=ARENA)
def search_to_depth(a, plies, estimated):
    """Search an OR node one or three plies deep: a proof or disproof, or the numbers backed up from the leaves."""
    pos, buf, search = a.pos, a.buf, a.search
    if assess_leaf(a, 0, estimated) == PROVEN or plies == 1:
        return
    end = pseudo_checks(pos, False, buf, SIZE)
    if search.frontier == A3_FEW and end > SIZE + _FEW:
        sort_likeliest_first(pos, buf, SIZE, end)
        end = SIZE + _FEW
    pn, dn = INFINITE, 0
    key, slot = pos.key, pos.slot
    save_effects(pos, buf, 0)
    for i in range(SIZE, end):
        move = buf[i]
        captured = do(pos, move, ATT)
        _search_answers(a, end, estimated)
        take_back(pos, move, ATT, captured)
        restore_effects(pos, buf, 0, key, slot)
        if not is_proven(search):
            pn = min(pn, search.pn)
            dn += search.dn
        elif search.length > 0 or dropped(move) != PAWN:
            hand = hand_before_attack(search.hand, move, captured, False)
            set_outcome(search, 0, INFINITE, search.length + 1, hand, 0)
            return
    hand = packed_hand(pos) if dn else largest_disproof_hand(packed_hand(pos))
    set_outcome(search, pn, dn, FOREVER, hand, 0)


@jit
def _search_answers(a, base, estimated):
    """Search an AND node two plies deep. The first drop on a cell that is not met stands for all on that cell."""
    pos, buf, search = a.pos, a.buf, a.search
    count, checker = find_checkers(pos, DEF)
    hand = blocking_hand(pos, count, checker)
    pn, dn, length = 0, INFINITE, 0
    cells, step = blocking_cells(pos, count, checker)
    first = base + SIZE
    key, slot = pos.key, pos.slot
    save_effects(pos, buf, base)
    for cell in range(cells + 1):
        end = (
            drops_on(pos, pos.king[DEF] + cell * step, buf, first)
            if cell
            else board_evasions(pos, count, checker, buf, first)
        )
        for i in range(first, end):
            move = buf[i]
            captured = do(pos, move, DEF)
            assess_leaf(a, end, estimated)
            take_back(pos, move, DEF, captured)
            restore_effects(pos, buf, base, key, slot)
            if is_proven(search):
                hand = hand_union(hand, search.hand)
                length = 2
            else:
                pn += search.pn
                dn = min(dn, search.dn)
                if cell:
                    break
    set_outcome(search, pn, dn, length, hand, 0)


@unit(void, a=ARENA)
def repeat_search_to_depth(a, plies, estimated, times):
    """Search an OR node again and again: what a position costs (table 3), without the cost of a call from Python."""
    for _ in range(times):
        search_to_depth(a, plies, estimated)
