# SPDX-License-Identifier: GPL-3.0-or-later
"""Extending a position by a pair of plies in one call: take back an answer, then a check."""

from __future__ import annotations

import numpy as np

from generator.kernel.positions import STATE, random_below, restore_position
from solver.engines.dfpn.kernel.arena import ARENA
from solver.engines.dfpn.kernel.sound import (
    NO,
    NOT_SEARCHED,
    SOUND,
    UNANSWERED,
    YES,
    ask_mates_within,
    has_other_mate,
    is_sound,
    keeps_line,
    leaves_empty_hand,
    longest_defences,
)
from tsume_rules.kernel.attacks import effects_of_side, in_check, size
from tsume_rules.kernel.compile import (
    INTEGERS,
    Array,
    Tuple,
    int64,
    jit,
    jit_inline,
    named_tuple,
    record,
    struct,
    structs,
    uint64,
    unit,
)
from tsume_rules.kernel.move_generation import checks, differs_in_form_only
from tsume_rules.kernel.retract import captured_of, move_of, un_checks, un_evasions
from tsume_rules.kernel.state import do, dropped, hand_kind, in_zone, lift, origin_of, packed_hand, target_of, undo
from tsume_rules.kernel.tables import ATT, BISHOP, CELL, DEF, DIST, KING, LANCE, LIKE, PAWN, POSITION, ROOK, SIZE

# ---------------------------------------------------------------------------------------------------
#
# The numbers of the tests that a candidate goes through, and the columns of their tally.
#
# `generator.reverse.extender` says what each test asks.

ANSWER_HOLDS, ANSWER_LASTS, OTHER_ANSWERS, NEW, IN_ONE, IN_THREE, SHORTER, ONE_KEY = range(8)
"""The values of `generator.reverse.extender.Stage`."""
TESTED, FAILED, OPEN, NODES = range(4)
"""How many candidates were tested, failed and were left open, and the nodes that took."""


# --- checks that are the key in another form are left out of a list --------------------------------


@jit_inline
def without_other_forms_of_key(pos, key, moves, stop):
    """Keep those of ``moves[:stop]`` that are the key itself or no other form of it; returns their end."""
    kept = 0
    for i in range(stop):
        move = moves[i]
        if move == key or not differs_in_form_only(pos, key, move):
            moves[kept] = move
            kept += 1
    return kept


# --- extending a position by a pair of plies in one call -------------------------------------------

LIMITS = record(
    [
        ("answers", np.int32),  # un-evasions tried of each parent
        ("checks", np.int32),  # un-checks tried before each answer
        ("children", np.int32),  # children kept of each parent
        ("per_answer", np.int32),  # and of each answer
        ("margin", np.int32),  # plies beyond the end within which second solutions are looked for
        ("turns", np.int32),  # of the main tree that are looked at after another answer
        ("lenient", np.int32),  # not 0: let blemishes pass
        ("nodes", np.int64),  # for the tests of one answer, and of one candidate
        ("parent_nodes", np.int64),  # for one parent, looked at between answers
        ("pieces", np.int32),  # most pieces on the board and in the attacker's hand
        ("kinds", np.int32),  # a bit for each unpromoted kind that may be among them
        ("hand", np.int64, (8,)),  # most of each kind in the attacker's hand
        ("answer", np.int32),  # the sort of answers that are taken back
        ("check", np.int32),  # the sort of checks that are taken back
        ("again", np.int64, (4,)),  # of a motif that repeats: its answer, its check's piece, target and step
    ]
)
"""Limits of an extension: how much is tried, and which children are kept."""

CHILD = record(
    [
        ("check", np.int64),  # un-moves: the check that was taken back
        ("answer", np.int64),  # and the answer after it
        ("open", np.int32),  # other checks that are not refuted for good
        ("checks", np.int32),  # all checks of the position
        ("defences", np.int32),  # how many answers to the key last longest
    ]
)
"""The moves and numbers of a child, beside its position."""

ExtensionWork = named_tuple(
    "ExtensionWork", "limits order state tally seen stack unevasions unchecks packed_positions children"
)
"""Arrays of an extension: the options, the order of the tests, the random state, the
tally of the stages, the set of positions met, the stack of `is_sound`, both lists of un-moves,
the positions and the particulars of the children found."""

EXTENSION_WORK = Tuple(
    [
        struct(LIMITS), INTEGERS, STATE, Array(int64, 2),
        Array(uint64), INTEGERS, INTEGERS, INTEGERS, structs(POSITION), structs(CHILD),
    ],
    ExtensionWork,
)  # fmt: skip
"""The type of a `ExtensionWork`, for units."""
ANY_ANSWER, NOT_BY_KING, GIVEN, SAME_ANSWER = range(4)
"""Sorts of answers: any; of a piece other than the king; an interposition next to the king that only the king
guards; that of a motif."""
ANY_CHECK, UNPROMOTED, ALIKE = range(3)
"""Sorts of checks: any; by a rook, a bishop, a lance or a pawn that may promote and does not; like that of a motif: a
drop to the same cell, or a move of the same piece to it, or by the same step."""
SEEN = 1 << 17
"""Places of the set of positions met; a newer position takes an older one's place."""
_HAND_KEY = np.uint64(0xD6E8FEB86659FD93)


@unit(arena=ARENA, work=EXTENSION_WORK)
def mates_in_one_before(arena, work):
    """Write the mates in one that lead to the mated position ``arena.pos``; returns how many."""
    found = 0
    unmoves = work.unchecks
    number = un_checks(arena.pos, unmoves, True)
    drops = _put_drop_un_moves_first(unmoves, number)
    for i in range(min(number, work.limits.checks)):
        unmove = _un_move_in_random_order(work.state, unmoves, i, drops, number)
        undo(arena.pos, move_of(unmove), ATT, captured_of(unmove))
        if (
            found < len(work.children)
            and _is_within_material_limits(arena.pos, work.limits)
            and _is_new_position(arena.pos, work)
            and leaves_empty_hand(arena, work.stack, 0)
        ):
            _write_child(arena, work, found, unmove, 0, 0, 1)
            found += 1
        do(arena.pos, move_of(unmove), ATT)
    return found


@unit(arena=ARENA, work=EXTENSION_WORK)
def extend_parent(arena, length, work):
    """Write the children of ``arena.pos``, which mates in exactly ``length`` plies; returns how many.

    Each mates in two plies more and has one solution as far as the margin goes, given that its parent has. If the
    limits is lenient, other forms of a check and what comes after other longest defences do not count.
    """
    pos, limits = arena.pos, work.limits
    found = 0
    end = arena.search.nodes + limits.parent_nodes
    number = un_evasions(pos, work.unevasions, True)
    if limits.answer != ANY_ANSWER:
        number = _answers_of_sort(pos, work.unevasions, number, limits.answer, limits.again)
    drops = _put_drop_un_moves_first(work.unevasions, number)
    for i in range(min(number, limits.answers)):
        unmove = _un_move_in_random_order(work.state, work.unevasions, i, drops, number)
        answer = move_of(unmove)
        undo(pos, answer, DEF, captured_of(unmove))
        if _is_within_material_limits(pos, limits):
            defences = _assess_answer(arena, answer, length + 1, work)
            if defences > 0:
                found = _children_through_answer(arena, unmove, length + 2, defences, work, found)
        do(pos, answer, DEF)
        if found >= limits.children or found == len(work.children) or arena.search.nodes >= end:
            break
    return found


@jit
def _answers_of_sort(pos, items, number, sort, again):
    """Keep the un-evasions of a sort at the front; returns how many."""
    king = pos.king[DEF]
    kept = 0
    for i in range(number):
        if sort == SAME_ANSWER:
            if move_of(items[i]) == again[0]:
                items[kept] = items[i]
                kept += 1
            continue
        cell = target_of(move_of(items[i]))
        if cell == king:
            continue
        if sort == GIVEN and (
            captured_of(items[i]) != 0 or DIST[king, cell] != 1 or size(effects_of_side(pos.effects[cell], DEF)) != 1
        ):
            continue
        items[kept] = items[i]
        kept += 1
    return kept


@jit
def _unpromoted_checks(pos, items, number):
    """Keep the un-checks by a piece that may promote and does not at the front, knights and silvers apart;
    returns how many."""
    kept = 0
    for i in range(number):
        move = move_of(items[i])
        cell = target_of(move)
        kind = int(pos.board[cell])
        if (
            dropped(move) == 0
            and kind in (PAWN, LANCE, BISHOP, ROOK)
            and (in_zone(cell, ATT) or in_zone(origin_of(move), ATT))
        ):
            items[kept] = items[i]
            kept += 1
    return kept


@jit
def _checks_alike(pos, items, number, again):
    """Keep the un-checks that are like that of a motif at the front; returns how many."""
    kept = 0
    for i in range(number):
        move = move_of(items[i])
        cell = target_of(move)
        if dropped(move):
            alike = again[3] == 0 and cell == again[2]
        else:
            step = cell - origin_of(move)
            same = LIKE[int(pos.board[cell]) & 15] == LIKE[again[1] & 15]
            alike = same and again[3] != 0 and (cell == again[2] or step == again[3])
        if alike:
            items[kept] = items[i]
            kept += 1
    return kept


@jit
def _put_drop_un_moves_first(items, number):
    """Put the drops among the un-moves first; returns how many."""
    drops = 0
    for i in range(number):
        if dropped(move_of(items[i])):
            item = items[i]
            items[i] = items[drops]
            items[drops] = item
            drops += 1
    return drops


@jit
def _un_move_in_random_order(state, items, i, drops, number):
    """Return the i-th of a random order of ``items[:number]`` in which the drops come first.

    A side has few drops to take back among dozens of moves, and they make the problems with
    pieces in hand and with interpositions. The items are exchanged as they are drawn.
    """
    end = drops if i < drops else number
    j = i + random_below(state, end - i)
    item = items[j]
    items[j] = items[i]
    items[i] = item
    return item


@jit
def _is_within_material_limits(pos, limits):
    number = 40
    for kind in range(1, 8):
        number -= pos.hand[DEF, kind]
        if pos.hand[ATT, kind] > limits.hand[kind]:
            return False
    if pos.king[ATT] == 0:
        number -= 1
    if number > limits.pieces:
        return False
    if limits.kinds == 254:
        return True
    for t in range(SIZE):
        piece = int(pos.board[t])
        if 0 < piece < 32 and piece & 15 != KING and not (limits.kinds >> hand_kind(piece)) & 1:
            return False
    return True


@jit_inline
def _assess_answer(arena, answer, n, work):
    """Return how many answers last longest, n plies, if the one taken back is one of them; 0 if not."""
    limits = work.limits
    before = arena.search.nodes
    end = before + limits.nodes
    holds = ask_mates_within(arena, n, False, end)
    if not _count_stage_test(work.tally, ANSWER_HOLDS, holds == YES, holds == UNANSWERED, arena.search.nodes - before):
        return 0
    before = arena.search.nodes
    stack = work.stack
    defences = longest_defences(arena, n, stack, np.int64(0), end)
    lasts = False
    for i in range(max(defences, 0)):
        if stack[i] == answer:
            stack[i] = stack[0]
            stack[0] = answer
            lasts = True
    if not _count_stage_test(work.tally, ANSWER_LASTS, lasts, defences < 0, arena.search.nodes - before):
        return 0
    if defences == 1 or limits.lenient:
        return defences
    before = arena.search.nodes
    found = SOUND
    for i in range(1, defences):  # whether the positions after the other longest defences are sound
        if found == SOUND:
            other = stack[i]
            captured = do(arena.pos, other, DEF)
            found = is_sound(arena, n - 1, np.int64(limits.margin), stack[defences:], np.int64(limits.turns), end)
            undo(arena.pos, other, DEF, captured)
    others = _count_stage_test(
        work.tally, OTHER_ANSWERS, found == SOUND, found == NOT_SEARCHED, arena.search.nodes - before
    )
    return defences if others else 0


@jit_inline
def _count_stage_test(tally, stage, good, unanswered, nodes):
    """Count a test; whether it was passed."""
    tally[stage, TESTED] += 1
    tally[stage, NODES] += nodes
    if unanswered:
        tally[stage, OPEN] += 1
    elif not good:
        tally[stage, FAILED] += 1
    return good


@jit_inline
def _children_through_answer(arena, unevasion, n, defences, work, found):
    """Children through one answer; ``arena.pos`` stands before it."""
    pos, limits = arena.pos, work.limits
    unmoves = work.unchecks
    number = un_checks(pos, unmoves, True)
    if limits.check == UNPROMOTED:
        number = _unpromoted_checks(pos, unmoves, number)
    elif limits.check == ALIKE:
        number = _checks_alike(pos, unmoves, number, limits.again)
    drops = _put_drop_un_moves_first(unmoves, number)
    start = found
    for i in range(min(number, limits.checks)):
        if found == len(work.children) or found - start >= limits.per_answer:
            break
        unmove = _un_move_in_random_order(work.state, unmoves, i, drops, number)
        key = move_of(unmove)
        undo(pos, key, ATT, captured_of(unmove))
        if _is_within_material_limits(pos, limits):
            open_checks, count = _assess_candidate(arena, key, n, work)
            if open_checks >= 0:
                _write_child(arena, work, found, unmove, unevasion, open_checks, count)
                work.children[found].defences = defences
                found += 1
        do(pos, key, ATT)
    return found


@jit_inline
def _assess_candidate(arena, key, n, work):
    """Return how many other checks are not refuted for good (-1: no problem), and how many checks there are. The tests
    come in the order of ``work.order`` (`generator.reverse.extender.OF_CANDIDATE`)."""
    end = arena.search.nodes + work.limits.nodes
    open_checks = 0
    stop = 0
    for i in range(len(work.order)):
        stage = work.order[i]
        before = arena.search.nodes
        answer = NO
        if stage == NEW:
            answer = NO if _is_new_position(arena.pos, work) else YES
        elif stage == ONE_KEY:
            stop = checks(arena.pos, work.stack, 0)
            last = without_other_forms_of_key(arena.pos, key, work.stack, stop) if work.limits.lenient else stop
            answer, open_checks = has_other_mate(arena, key, n, work.limits.margin, work.stack, 0, last, end)
        else:
            plies = 1 if stage == IN_ONE else 3 if stage == IN_THREE else n - 2
            if plies >= n or (stage == SHORTER and plies <= 3):
                continue
            answer = ask_mates_within(arena, plies, True, end)
        if not _count_stage_test(work.tally, stage, answer == NO, answer == UNANSWERED, arena.search.nodes - before):
            return -1, 0
    return open_checks, stop


@jit_inline
def _is_new_position(pos, work):
    """Return whether a position was not met before, as far as the set remembers; then it is."""
    name = pos.key ^ (np.uint64(packed_hand(pos) + 1) * _HAND_KEY)
    place = np.int64(pos.slot & np.uint64(SEEN - 1))
    if work.seen[place] == name:
        return False
    work.seen[place] = name
    return True


@jit_inline
def _write_child(arena, work, i, check, answer, open_checks, number):
    work.packed_positions[i] = arena.pos
    child = work.children[i]
    child.check = check
    child.answer = answer
    child.open = open_checks
    child.checks = number
    child.defences = 1


# --- how many pieces of a position on the way to a problem are unnecessary -------------------------


@unit(arena=ARENA, line=INTEGERS, stack=INTEGERS, saved=structs(POSITION))
def count_unnecessary_pieces(arena, line, stack, saved, margin, turns, nodes):
    """Return how many pieces on the board can each be taken off so that a line stays the only solution.

    Second solutions are looked for up to ``margin`` plies beyond the end, and in at most ``turns`` turns of
    the main tree; ``nodes`` bounds the tests of one piece, and a piece that needs more is necessary.
    ``saved`` is scratch space for a position, ``stack`` for searches.
    """
    pos = arena.pos
    saved[0] = pos
    n = len(line)
    unnecessary = 0
    for i in range(81):
        cell = CELL[i]
        piece = int(pos.board[cell])
        if piece == 0 or piece & 15 == KING:
            continue
        lift(pos, cell)
        pos.hand[DEF, hand_kind(piece)] += 1
        end = arena.search.nodes + nodes
        unnecessary += (
            not in_check(pos, DEF)
            and keeps_line(arena, line, stack, end) == YES
            and is_sound(arena, n, margin, stack, turns, end) == SOUND
        )
        restore_position(pos, saved[0])
    return unnecessary
