"""Fixed-depth search at new nodes (Kaneko2005, sections 4.1, 4.2): mate in three, mated in two.

Plain depth-first search with `mate_in_one` at its leaves; the outcome, for a proof with its
hand, goes to the search state. If only a longer search could tell whether drops are futile,
the answer is `UNKNOWN`.
"""

from solver.engines.dfpn.kernel.arena import DISPROVEN, PROVEN, UNKNOWN, set_outcome
from solver.engines.dfpn.kernel.hands import before_attack, disproof_start
from solver.engines.dfpn.kernel.mate_in_one import liberties_after, mate_in_one
from solver.engines.dfpn.kernel.table import FOREVER, INFINITE
from solver.engines.kernel.mate import COUNT_ALL, blocking_hand, drop_checks_attacker, is_mated, takers
from tsume_rules.kernel.attacks import between, blocking_cells, find_checkers
from tsume_rules.kernel.checks import gains_all, pseudo_checks
from tsume_rules.kernel.compile import jit
from tsume_rules.kernel.evasions import board_evasions, drops_on, flights
from tsume_rules.kernel.order import bring_forward, sort_by_rank
from tsume_rules.kernel.play import PROMOTES, do, dropped, origin_of, undo
from tsume_rules.kernel.state import packed_hand, union
from tsume_rules.kernel.tables import ATT, DEF, PAWN

_MIXED = 3


@jit
def try_mate_in_one(a, base):
    """Whether the attacker mates in one: PROVEN or DISPROVEN."""
    pos, search = a.pos, a.search
    search.nodes += 1
    move, search.checks, search.liberties = mate_in_one(pos, search.mode, a.buf, base)
    if move:
        set_outcome(search, 0, INFINITE, 1, a.buf[base], 0)
        return PROVEN
    if search.checks == 0:
        set_outcome(search, INFINITE, 0, FOREVER, disproof_start(packed_hand(pos)), 0)
    else:
        set_outcome(search, INFINITE, 0, 1, packed_hand(pos), 0)
    return DISPROVEN


@jit
def try_mate_in_three(a, base):
    """Whether the attacker, who has no mate in one, mates within three plies.

    Pieces that lose nothing by promotion (`gains_all`) always promote: leaving them unpromoted
    only helps a later pawn drop, and the mating move cannot be one.
    """
    pos, buf, search = a.pos, a.buf, a.search
    end = pseudo_checks(pos, False, buf, base)
    if end == base:
        set_outcome(search, INFINITE, 0, FOREVER, disproof_start(packed_hand(pos)), 0)
        return DISPROVEN
    search.nodes += 1
    if search.depth == 0:
        tightest_first(pos, buf, base, end)
    buf[end] = 0  # the answer that refuted the last check
    open_end = False
    for_good = True
    for i in range(base, end):
        move = buf[i]
        captured = do(pos, move, ATT)
        found = try_mated_in_two(a, end, buf[end])
        undo(pos, move, ATT, captured)
        if found == PROVEN:
            if search.length == 0 and dropped(move) == PAWN:
                continue  # a pawn drop that mates is illegal
            hand = before_attack(search.hand, move, captured, False)
            set_outcome(search, 0, INFINITE, search.length + 1, hand, 0)
            return PROVEN
        if found == UNKNOWN:
            open_end = True
        elif search.length != FOREVER or _has_twin(pos, move):
            for_good = False
    if open_end:
        return UNKNOWN
    set_outcome(search, INFINITE, 0, FOREVER if for_good else 3, packed_hand(pos), 0)
    return DISPROVEN


@jit
def tightest_first(pos, buf, base, end):
    """Sort checks by the number of neighbouring cells to which they let the king flee, fewest first."""
    king = int(pos.king[DEF])
    free = flights(pos)
    for i in range(base, end):
        buf[end + i - base] = liberties_after(pos, buf[i], king, free)
    sort_by_rank(buf, base, end)


@jit
def _has_twin(pos, move):
    """Whether a check has an unpromoted twin that was left out."""
    return move & PROMOTES and gains_all(int(pos.board[origin_of(move)]))


@jit
def try_mated_in_two(a, base, killer):
    """Whether the defender, in check, is mated within two plies.

    ``killer``: an answer to try first. The answer that refutes a mate is left in ``buf[base]``.
    """
    search = a.search
    count, checker = find_checkers(a.pos, DEF)
    state, index, hand, length = _look(a, base, killer, 0, count, checker)
    while state == UNKNOWN:  # drops on one cell decide
        cell = a.pos.king[DEF] + index * between(int(a.pos.king[DEF]), checker)[1]
        state = _slide(a, cell, checker, base + 1)
        if state != PROVEN:
            search.length = 2
            return state
        hand = union(hand, search.hand)
        length = max(length, search.length)
        state, index, more, longer = _look(a, base, 0, index + 1, count, checker)
        hand = union(hand, more)
        length = max(length, longer)
    if state == PROVEN:
        set_outcome(search, 0, INFINITE, length, hand, 0)
    return UNKNOWN if state == _MIXED else state


@jit
def _look(a, base, killer, index, count, checker):
    """Whether answers are met by mates in one or are drops shown futile by a slide that mates.

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
        bring_forward(buf, first, end, killer)
        if not _all_mated(a, base, first, end):
            return DISPROVEN, 0, 0, 0
        length = 2 if end > first else 0
        hand = _with_hands(buf, first, end, hand)
        index = 1
    for i in range(index, cells + 1):
        cell = pos.king[DEF] + i * step
        end = drops_on(pos, cell, buf, first)
        if end == first:
            continue
        quiet = mode != COUNT_ALL and _all_quiet(pos, buf, first, end)
        if quiet and _futile(a, cell, checker, end):
            hand = union(hand, a.search.hand)
        elif _all_mated(a, base, first, end):
            length = 2
            hand = _with_hands(buf, first, end, hand)
        else:
            if not quiet:
                return DISPROVEN if mode == COUNT_ALL else _MIXED, i, hand, length
            return UNKNOWN, i, hand, length
    return PROVEN, 0, hand, length


@jit
def _with_hands(buf, first, end, hand):
    """The union of a hand with the proof hands that `_all_mated` has left."""
    for i in range(first, end):
        hand = union(hand, buf[end + i - first])
    return hand


@jit
def _all_quiet(pos, buf, first, end):
    """Whether no drop in buf[first:end] checks the attacker's king (such a drop is never futile)."""
    for i in range(first, end):
        if drop_checks_attacker(pos, buf[i]):
            return False
    return True


@jit
def _slide(a, cell, checker, base):
    """Whether a slide to a cell mates within two plies; hand and length go to the search state."""
    pos, buf, search = a.pos, a.buf, a.search
    end = takers(pos, cell, checker, search.mode, buf, base)
    open_end = False
    for i in range(base, end):
        move = buf[i]
        do(pos, move, ATT)
        count, there = find_checkers(pos, DEF)
        state, _, search.hand, search.length = _look(a, end, 0, 0, count, there)
        undo(pos, move, ATT, 0)
        if state == PROVEN:
            return PROVEN
        open_end |= state != DISPROVEN
    return UNKNOWN if open_end else DISPROVEN


@jit
def _all_mated(a, base, first, end):
    """Whether every answer in buf[first:end] is met by a mate in one.

    The proof hands go to ``buf[end:]``. The first answer that is not met goes to ``buf[base]``,
    the length of the disproof to the search state.
    """
    pos, buf, search = a.pos, a.buf, a.search
    scratch = 2 * end - first
    for i in range(first, end):
        move = buf[i]
        captured = do(pos, move, DEF)
        mate, number, _ = mate_in_one(pos, search.mode, buf, scratch)
        buf[end + i - first] = buf[scratch]
        undo(pos, move, DEF, captured)
        search.nodes += 1
        if mate == 0:
            buf[base] = move
            search.length = 2 if number else FOREVER
            return False
    return True


@jit
def _futile(a, cell, checker, base):
    """Whether a slide to a cell mates on the board; the proof hand goes to the search state."""
    pos, buf = a.pos, a.buf
    end = takers(pos, cell, checker, a.search.mode, buf, base)
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
