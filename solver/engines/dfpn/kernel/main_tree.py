# SPDX-License-Identifier: GPL-3.0-or-later
"""The main tree of a mate in one call: every longest defence against the attacker's shortest mate.

The same as `solver.solving.tree` builds step by step, in the same order of questions, with a
stack of its own; only futile drops that last longest are left to it.
"""

import numpy as np

from solver.engines.dfpn.kernel.arena import ARENA
from solver.engines.dfpn.kernel.sound import (
    LEVEL,
    LEVELS,
    MAX_DEFENCES,
    UNANSWERED,
    YES,
    ask_mates_after,
    first_to_mate,
    longest_defences,
)
from tsume_rules.kernel.attacks import find_checkers
from tsume_rules.kernel.compile import INTEGERS, NUMBERS, jit_inline, unit
from tsume_rules.kernel.move_generation import checks, differs_in_form_only
from tsume_rules.kernel.state import (
    PROMOTES,
    do,
    dropped,
    make_drop,
    make_move,
    origin_of,
    packed_hand,
    target_of,
    undo,
)
from tsume_rules.kernel.tables import ATT, BISHOP, DEF, DIST, LANCE, PAWN, RANK, ROOK

FUTILE_ONLY, FULL, TOO_LARGE = -2, -3, -4
"""Only futile drops last longest at a turn; the arrays are full; the tree may have no more turns."""

TURN = 10
"""Integers for a turn, by the following places."""
BOARD, HAND, PLIES, KEY, LEFTOVER, FIRST, COUNT, DONE, DEFENCES = range(9)
"""The position and its plies; the check played, 0: not chosen; whether pieces are left in hand; its replies
(of a turn with one ply: its mating checks), the first and how many of them; whether it is finished; how many
longest defences it has, -1: not known yet."""
REPLY = 2
"""Integers for a reply: the move, the turn it leads to; for a mating check: whether it leaves pieces."""
ANY_KEY, MIN_KEY, MIN_MIRRORED_KEY = 0, 1, 2
"""Which check is played: if possible one that the table knows to mate; the least; the least when mirrored."""
TURNS, REPLIES, ROOM = 0, 1, 2
"""Places of the state: turns and replies in use, turns that may still be added."""

_TURN, _CAPTURED, _COUNT, _NEXT, _ANSWERED, _KEYED = 0, 1, 2, 3, 4, 5
_LIST = 8
"""Places of a level of the stack: a turn's fields, then its longest defences or its checks."""

_WEIGHTS = 14
(
    _TAKES_CHECKER, _TAKES, _KING_TAKES, _BACK, _ASIDE, _BETWEEN, _DROPS, _PAWN, _LANCE, _BIG, _PROMOTES,
    _RIVAL, _NEXT_TAKES, _CHOICE,
) = range(_WEIGHTS)  # fmt: skip


@jit_inline
def rank_of(move, order):
    """Return the number by which moves are sorted."""
    if order != MIN_MIRRORED_KEY:
        return move
    target = _mirrored(target_of(move))
    kind = dropped(move)
    if kind:
        return make_drop(kind, target)
    return make_move(_mirrored(origin_of(move)), target, move & PROMOTES != 0)


@jit_inline
def _mirrored(cell):
    return cell + 11 * (8 - 2 * ((cell - 14) // 11))


@jit_inline
def sort_moves(out, first, stop, order):
    """Sort moves: few, so by insertion."""
    for i in range(first + 1, stop):
        move = out[i]
        rank = rank_of(move, order)
        j = i
        while j > first and rank_of(out[j - 1], order) > rank:
            out[j] = out[j - 1]
            j -= 1
        out[j] = move


@jit_inline
def _natural(pos, out, first, stop, order):
    """Return the place of the check that is the most natural in form: promoting, near the king, the least."""
    king = int(pos.king[DEF])
    best = first
    for i in range(first + 1, stop):
        move, kept = out[i], out[best]
        if (move & PROMOTES) != (kept & PROMOTES):
            better = move & PROMOTES != 0
        else:
            near, far = int(DIST[king, target_of(move)]), int(DIST[king, target_of(kept)])
            better = near < far or (near == far and rank_of(move, order) < rank_of(kept, order))
        if better:
            best = i
    return best


@jit_inline
def _find_key(a, n, order, out, first, end):
    """Return the key as it is played (0: none mates; -1: the nodes ran out)."""
    pos = a.pos
    stop = checks(pos, out, first)
    sort_moves(out, first, stop, order)
    key = first_to_mate(a, n, order == ANY_KEY, out, first, stop, end)
    if key <= 0:
        return key
    kept = first
    for i in range(first, stop):
        if differs_in_form_only(pos, key, out[i]):
            out[kept] = out[i]
            kept += 1
    while True:
        place = _natural(pos, out, first, kept, order)
        form = out[place]
        if form == key:
            return key
        answer = ask_mates_after(a, form, n, end)
        if answer == UNANSWERED:
            return -1
        if answer == YES:
            return form
        for i in range(place, kept - 1):
            out[i] = out[i + 1]
        kept -= 1


@jit_inline
def _mating(a, n, order, out, first, end):
    """List the checks that mate within n plies, sorted. Returns the end of the list; -1: the nodes ran out."""
    stop = checks(a.pos, out, first)
    sort_moves(out, first, stop, order)
    kept = first
    for i in range(first, stop):
        answer = ask_mates_after(a, out[i], n, end)
        if answer == UNANSWERED:
            return -1
        if answer == YES:
            out[kept] = out[i]
            kept += 1
    return kept


@jit_inline
def _finish_last(a, turns, at, replies, state, order, out, first, end):
    """Find the checks that mate in one, and which is played. Returns YES, UNANSWERED or `FULL`."""
    pos = a.pos
    kept = _mating(a, 1, order, out, first, end)
    if kept < 0:
        return UNANSWERED
    count = kept - first
    place = state[REPLIES]
    if (place + count) * REPLY > len(replies):
        return FULL
    state[REPLIES] = place + count
    liked = out[_natural(pos, out, first, kept, order)]
    best, best_rank, best_leaves = 0, 16, 0
    for i in range(count):
        move = out[first + i]
        captured = do(pos, move, ATT)
        leaves = 1 if packed_hand(pos) != 0 else 0
        undo(pos, move, ATT, captured)
        replies[(place + i) * REPLY] = move
        replies[(place + i) * REPLY + 1] = leaves
        rank = 8 * leaves
        rank += 4 if pos.board[target_of(move)] != 0 else 0
        rank += 2 if move != liked else 0
        rank += 1 if move & PROMOTES == 0 else 0
        if rank < best_rank:
            best, best_rank, best_leaves = move, rank, leaves
    turns[at + KEY] = best
    turns[at + LEFTOVER] = best_leaves
    turns[at + FIRST] = place
    turns[at + COUNT] = count
    turns[at + DONE] = 1
    return YES


@jit_inline
def _preference(a, move, turns, at, weights, longest, most, out, first, end):
    """As `solver.solving.tree.defence_preference`; whether the nodes sufficed comes first."""
    pos = a.pos
    target, king = target_of(move), int(pos.king[DEF])
    kind = dropped(move)
    total = 0.0
    if kind:
        total += weights[_DROPS]
        if kind == PAWN:
            total += weights[_PAWN]
        elif kind == LANCE:
            total += weights[_LANCE]
        elif kind in (BISHOP, ROOK):
            total += weights[_BIG]
    else:
        by_king = origin_of(move) == king
        if pos.board[target] != 0:
            _, checker = find_checkers(pos, DEF)
            total += weights[_TAKES_CHECKER] if target == checker else weights[_TAKES]
            if by_king:
                total += weights[_KING_TAKES]
        elif not by_king:
            total += weights[_BETWEEN]
        elif RANK[target] < RANK[king]:
            total += weights[_BACK]
        elif RANK[target] == RANK[king]:
            total += weights[_ASIDE]
        if move & PROMOTES:
            total += weights[_PROMOTES]
    captured = do(pos, move, DEF)
    if pos.board[target_of(turns[at + KEY])] != 0:
        total += weights[_NEXT_TAKES]
    rivals = 0
    if turns[at + PLIES] <= longest:
        rivals = _rivals(a, turns[at + PLIES], most, out, first, end)
    undo(pos, move, DEF, captured)
    for _ in range(rivals):
        total += weights[_RIVAL]
    replying = turns[at + COUNT] if turns[at + PLIES] > 1 else 0
    if replying > 1:
        total += weights[_CHOICE]
    return rivals >= 0, total


@jit_inline
def _rivals(a, n, most, out, first, end):
    """Kinds of checks besides the first that mate within n plies, at most so many; -1: the nodes ran out."""
    pos = a.pos
    kept = _mating(a, n, MIN_KEY, out, first, end)
    if kept < 0:
        return -1
    kinds = 0
    for i in range(first, kept):
        new = True
        for j in range(first, first + kinds):
            if differs_in_form_only(pos, out[j], out[i]):
                new = False
                break
        if new:
            kept_kind = out[first + kinds]
            out[first + kinds] = out[i]
            out[i] = kept_kind
            kinds += 1
    return min(kinds - 1, most)


@jit_inline
def _fits(turns, replies, place, i, every):
    """Return whether a reply leaves nothing in hand, or all count."""
    return every or turns[replies[(place + i) * REPLY + 1] * TURN + LEFTOVER] == 0


@jit_inline
def _is_idle(turns, replies, place, count, i, every):
    """Return whether a reply might as well promote, as another that fits does."""
    move = replies[(place + i) * REPLY]
    if move & PROMOTES:
        return False
    for j in range(count):
        if replies[(place + j) * REPLY] == move | PROMOTES and _fits(turns, replies, place, j, every):
            return True
    return False


@jit_inline
def _prefer(a, turns, at, replies, weights, longest, most, out, first, end):
    """Put the reply that a composer would write before all others. Returns YES or UNANSWERED."""
    place, count = turns[at + FIRST], turns[at + COUNT]
    if len(weights) == 0:
        return YES
    fitting = 0
    for i in range(count):
        if not turns[replies[(place + i) * REPLY + 1] * TURN + LEFTOVER]:
            fitting += 1
    every = fitting == 0
    if fitting == 1 or (every and count == 1):
        return YES
    best, best_total = -1, 0.0
    for i in range(count):
        if not _fits(turns, replies, place, i, every):
            continue
        if _is_idle(turns, replies, place, count, i, every):
            continue
        child = replies[(place + i) * REPLY + 1] * TURN
        answered, total = _preference(
            a, replies[(place + i) * REPLY], turns, child, weights, longest, most, out, first, end
        )
        if not answered:
            return UNANSWERED
        if best < 0 or total > best_total:
            best, best_total = i, total
    move, child = replies[(place + best) * REPLY], replies[(place + best) * REPLY + 1]
    for i in range(best, 0, -1):
        replies[(place + i) * REPLY] = replies[(place + i - 1) * REPLY]
        replies[(place + i) * REPLY + 1] = replies[(place + i - 1) * REPLY + 1]
    replies[place * REPLY] = move
    replies[place * REPLY + 1] = child
    return YES


@jit_inline
def _arrive(pos, n, complete, turns, memo, state):
    """Return the number of a turn, new or known; `TOO_LARGE` or `FULL` where there is no room for it."""
    hand = packed_hand(pos)
    key = np.int64(pos.key)
    place = (key ^ (hand * 0x9E3779B1) ^ (n * 0x85EBCA77)) & (len(memo) - 1)
    while memo[place] != 0:
        at = (memo[place] - 1) * TURN
        if turns[at + BOARD] == key and turns[at + HAND] == hand and turns[at + PLIES] == n:
            return memo[place] - 1
        place = (place + 1) & (len(memo) - 1)
    if state[ROOM] <= 0 and complete:
        return TOO_LARGE
    found = state[TURNS]
    if (found + 1) * TURN > len(turns) or 2 * found > len(memo):
        return FULL
    state[ROOM] -= 1
    state[TURNS] = found + 1
    memo[place] = found + 1
    at = found * TURN
    turns[at + BOARD] = key
    turns[at + HAND] = hand
    turns[at + PLIES] = n
    turns[at + DEFENCES] = -1
    return found


@unit(
    a=ARENA, turns=INTEGERS, replies=INTEGERS, memo=INTEGERS, state=INTEGERS, stack=INTEGERS,
    weights=NUMBERS,
)  # fmt: skip
def main_tree(a, n, order, complete, turns, replies, memo, state, stack, weights, longest, most, end):
    """Build the main tree of a turn that mates in exactly n plies.

    Returns the number of the turn, or `UNANSWERED` (the nodes ran out; a further call goes on),
    `FUTILE_ONLY`, `FULL` or `TOO_LARGE`. ``turns`` and ``replies`` hold what was found, ``memo`` (a power of
    two, emptied at first) where each turn is, ``state`` how much is used and how many turns may be added:
    then a ``complete`` tree is `TOO_LARGE`, and any other follows only the first defence at each further
    turn. ``weights``, if there are any, ``longest`` and ``most`` are those of `solver.solving.tree`.
    """
    pos = a.pos
    base = 0
    entering = True
    while True:
        if entering:
            stack[base + _COUNT] = -1  # its key is not played
            found = _arrive(pos, n, complete, turns, memo, state)
            code = YES
            if found < 0:
                code = found
            elif not turns[found * TURN + DONE]:
                at = found * TURN
                if n == 1:
                    code = _finish_last(a, turns, at, replies, state, order, stack, base + _LIST, end)
                else:
                    code = _enter(a, n, order, turns, at, replies, state, stack, base, end)
            if code != YES:
                _leave_all(a, stack, base)
                return code
            stack[base + _TURN] = found
        at = stack[base + _TURN] * TURN
        if stack[base + _COUNT] >= 0:
            done = stack[base + _NEXT]
            if done < stack[base + _COUNT] and not (done > 0 and state[ROOM] < 0):
                stack[base + _ANSWERED] = do(pos, stack[base + _LIST + done], DEF)
                base += LEVEL
                n -= 2
                entering = True
                continue
            turns[at + COUNT] = done
            free = base + _LIST + MAX_DEFENCES
            if _prefer(a, turns, at, replies, weights, longest, most, stack, free, end) != YES:
                _leave_all(a, stack, base)
                return UNANSWERED
            turns[at + LEFTOVER] = _all_leave(turns, at, replies)
            turns[at + DONE] = 1
            undo(pos, turns[at + KEY], ATT, stack[base + _CAPTURED])
        found = stack[base + _TURN]
        if base == 0:
            return found
        base -= LEVEL
        n += 2
        done = stack[base + _NEXT]
        answer = stack[base + _LIST + done]
        undo(pos, answer, DEF, stack[base + _ANSWERED])
        reply = (turns[stack[base + _TURN] * TURN + FIRST] + done) * REPLY
        replies[reply] = answer
        replies[reply + 1] = found
        stack[base + _NEXT] = done + 1
        entering = False


@jit_inline
def _enter(a, n, order, turns, at, replies, state, stack, base, end):
    """Find the key of a turn, play it and list its longest defences. Returns YES or why it is not played."""
    first = base + _LIST
    if turns[at + KEY] == 0:
        key = _find_key(a, n, order, stack, first, end)
        if key < 0:
            return UNANSWERED
        if key == 0:
            return FULL  # no mate of this length: the caller finds out
        turns[at + KEY] = key
    captured = do(a.pos, turns[at + KEY], ATT)
    last = longest_defences(a, n - 1, stack, first, end)
    count = last - first
    answer = YES
    if last < 0:
        answer = UNANSWERED
    elif count == 0:
        answer = FUTILE_ONLY
    elif count > MAX_DEFENCES or base + 2 * LEVEL > LEVEL * LEVELS:
        answer = FULL
    elif turns[at + DEFENCES] < 0:
        if (state[REPLIES] + count) * REPLY > len(replies):
            answer = FULL
        else:
            turns[at + DEFENCES] = count
            turns[at + FIRST] = state[REPLIES]
            state[REPLIES] += count
    if answer != YES:
        undo(a.pos, turns[at + KEY], ATT, captured)
        return answer
    sort_moves(stack, first, last, order)
    stack[base + _CAPTURED] = captured
    stack[base + _KEYED] = turns[at + KEY]
    stack[base + _COUNT] = count
    stack[base + _NEXT] = 0
    return YES


@jit_inline
def _all_leave(turns, at, replies):
    """Return 1 if pieces are left in hand after every reply, else 0."""
    for i in range(turns[at + COUNT]):
        child = replies[(turns[at + FIRST] + i) * REPLY + 1]
        if turns[child * TURN + LEFTOVER] == 0:
            return 0
    return 1


@jit_inline
def _leave_all(a, stack, base):
    """Undo all moves of a walk."""
    while True:
        if stack[base + _COUNT] >= 0:
            undo(a.pos, stack[base + _KEYED], ATT, stack[base + _CAPTURED])
        if base == 0:
            return
        base -= LEVEL
        undo(a.pos, stack[base + _LIST + stack[base + _NEXT]], DEF, stack[base + _ANSWERED])
