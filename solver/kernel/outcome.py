"""What is known of a node without expanding it."""

from rules.kernel.attacks import find_checkers, slides_between
from rules.kernel.compile import jit
from rules.kernel.evasions import board_evasions, drops_on
from rules.kernel.play import do, undo
from rules.kernel.state import packed_hand
from rules.kernel.tables import ATT, DEF, LINE, STEP
from solver.kernel.arena import node_key, set_outcome
from solver.kernel.hands import before_attack, disproof_start
from solver.kernel.mate import blocking_hand, is_mated, mate_in_one
from solver.kernel.repetition import is_barred, log_candidate, repeats
from solver.kernel.table import FOREVER, INFINITE, look_up, store


@jit
def judge_attack(a, base, n):
    """What is known at once of an OR node; the outcome goes to the search record.

    ``buf[base:]`` is scratch space.
    """
    search = a.search
    hand = packed_hand(a.pos)
    key = node_key(a.pos, search, True)
    if search.barred and is_barred(a, key, hand):
        set_outcome(search, INFINITE, 0, FOREVER, hand, 0)
        return
    pn, dn, length, certain, taint = look_up(a.table, search, key, a.pos.slot, hand, n)
    if pn == 0 and dn == 0:
        if n == 1:
            _try_mate_in_one(a, key, hand, base)
            return
        pn, dn = 1, 1
    if pn != 0 and dn != 0 and repeats(a, key, hand, n):
        log_candidate(a, key, hand)
        pn, dn, length, certain, taint = INFINITE, 0, FOREVER, hand, 1
    set_outcome(search, pn, dn, length, certain, taint)


@jit
def _try_mate_in_one(a, key, hand, base):
    """An OR node with one ply left: decided at once."""
    pos, search = a.pos, a.search
    search.nodes += 1
    move = mate_in_one(pos, search.mode, a.buf, base)
    if move > 0:
        captured = do(pos, move, ATT)
        count, checker = find_checkers(pos, DEF)
        needed = blocking_hand(pos, count, checker)
        undo(pos, move, ATT, captured)
        set_outcome(search, 0, INFINITE, 1, before_attack(needed, move, captured, False), 0)
    elif move < 0:
        set_outcome(search, INFINITE, 0, FOREVER, disproof_start(hand), 0)
    else:
        set_outcome(search, INFINITE, 0, 1, hand, 0)
    store(a.table, search, key, pos.slot, hand, search.pn, search.dn, search.length, search.hand, 0, 1)


@jit
def judge_defence(a, base, n):
    """What is known at once of an AND node (n >= 2); the outcome goes to the search record."""
    pos, search = a.pos, a.search
    hand = packed_hand(pos)
    key = node_key(pos, search, False)
    pn, dn, length, certain, taint = look_up(a.table, search, key, pos.slot, hand, n)
    if pn != 0 or dn != 0:
        set_outcome(search, pn, dn, length, certain, taint)
        return
    count, checker = find_checkers(pos, DEF)
    answers = _count_answers(a, base, count, checker)
    if answers == 0:
        set_outcome(search, 0, INFINITE, 0, blocking_hand(pos, count, checker), 0)
    else:
        set_outcome(search, answers, 1, n, hand, 0)


@jit
def _count_answers(a, base, count, checker):
    """How many answers there are, the drops on one cell counted once."""
    answers = board_evasions(a.pos, count, checker, a.buf, base) - base
    king = int(a.pos.king[DEF])
    between = slides_between(checker, king) if count == 1 else 0
    step = STEP[max(LINE[king, checker], 0)]
    for i in range(1, between + 1):
        answers += min(drops_on(a.pos, king + i * step, a.buf, base) - base, 1)
    return answers


@jit
def judge_mated(a):
    """An AND node with no ply left: mated or not, nothing between."""
    if is_mated(a.pos, a.search.mode, a.buf, 0):
        count, checker = find_checkers(a.pos, DEF)
        set_outcome(a.search, 0, INFINITE, 0, blocking_hand(a.pos, count, checker), 0)
    else:
        set_outcome(a.search, INFINITE, 0, 0, packed_hand(a.pos), 0)


@jit
def peek(a, n, attacker):
    """Whether a node is decided without a search; the outcome is in the search record."""
    a.search.depth = 0
    if attacker:
        judge_attack(a, 0, n)
    elif n > 0:
        judge_defence(a, 0, n)
    else:
        judge_mated(a)
    return a.search.pn == 0 or a.search.dn == 0
