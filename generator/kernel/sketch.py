"""Composing by local search: a walk through positions that mate in exactly n plies.

A position's weight is the model's (`generator.kernel.traits`): likely pieces in likely places, with a
likely line; second solutions cost. A step edits the position and is taken with the chance of
Metropolis and others (1953). What is asked first is what costs least: the position, then the length,
then second solutions, then the line. Sound positions met on the way are stripped of needless
pieces and kept.
"""

from collections import namedtuple

import numpy as np
from numba import types

from generator.kernel.final import draw
from generator.kernel.traits import (
    ATTACKERS,
    DEFENDERS,
    HANDS,
    KINGS,
    OFFSET,
    PLACES,
    REACH,
    apart,
    line_traits,
    position_traits,
    sort_of_answer,
)
from solver.engines.dfpn.kernel.arena import ARENA
from solver.engines.dfpn.kernel.sound import (
    LEFTOVER,
    NO,
    SECOND,
    SOUND,
    UNANSWERED,
    YES,
    ask,
    ask_after,
    find_key,
    is_sound,
    keeps_line,
    longest_defences,
)
from tsume_rules.kernel.attacks import in_check
from tsume_rules.kernel.checks import checks
from tsume_rules.kernel.compile import INTEGERS, jit, jit_inline, struct, structs, unit
from tsume_rules.kernel.placement import has_pawn, is_dead
from tsume_rules.kernel.play import PROMOTES, do, hand_kind, lift, put, target_of, undo
from tsume_rules.kernel.state import POSITION, packed_hand
from tsume_rules.kernel.tables import ATT, CELL, DEF, KING, PAWN, RANK, SIZE, SQUARE

SKETCHING = np.dtype(
    [
        ("nodes", np.int64),  # for the tests of one position
        ("margin", np.int64),  # plies beyond the end within which second solutions are looked for
        ("turns", np.int64),  # of the main tree that are looked at
        ("gap", np.int64),  # steps between two positions that are kept
        ("away", np.int64),  # steps that it may stay without a sound position
        ("more", np.int64),  # defenders drawn beyond people's number, at most
        ("seek", np.int64),  # steps to the first sound position
        ("cook", np.float64),  # what a second solution costs
        ("hurry", np.float64),  # the same before the first sound position
    ],
    align=True,
)
"""How the walk goes."""

Sketch = namedtuple(
    "Sketch", "options values rates state stack traits line best captured squares saved records lines"
)
"""Arrays of a walk: the options, the value of each trait, the random state, scratch space
(the stack of `is_sound`, traits, a line and what it takes, squares), the position gone from, the positions
kept and their lines, `LINE_ROOM` integers each."""
LINE_ROOM = 64

SKETCH = types.NamedTuple(
    [
        struct(SKETCHING), types.Array(types.float64, 1, "C"), types.Array(types.float64, 1, "C"), types.Array(types.uint64, 1, "C"), INTEGERS,
        INTEGERS, INTEGERS, INTEGERS, INTEGERS, INTEGERS, structs(POSITION), structs(POSITION), INTEGERS,
    ],
    Sketch,
)  # fmt: skip
"""The type of a `Sketch`, for units."""

REFUSED = -1
_MOST_COOKS = 5
_KINDS = np.array(
    [1] * 14 + [2] * 6 + [3] * 7 + [4] * 10 + [5] * 5 + [6] * 6 + [7] * 10 + [9, 12, 13, 13, 14, 14],
    dtype=np.int64,
)
"""Kinds to put on the board, in 64ths."""


# --- the walk -----------------------------------------------------------------------------


@unit(a=ARENA, work=SKETCH)
def walk(a, n, steps, work):
    """Go ``steps`` steps from ``a.pos``, which mates in exactly n plies; returns how many were kept."""
    pos, options = a.pos, work.options
    if not _seek(a, n, work) or not _settle(a, n, work):
        return 0
    best = value = _value_of_position(pos, work)
    best_rest = rest = _value_of_line(a, n, work)
    work.saved[2] = pos
    kept = 0
    since = 0
    away = 0
    moved = False
    for _ in range(steps):
        since += 1
        if away > options.away:
            _restore(pos, work.saved[2])
            value, rest, away = best, best_rest, 0
        if moved and away == 0 and since >= options.gap:
            work.records[kept] = pos
            for ply in range(n):
                work.lines[kept * LINE_ROOM + ply] = work.best[ply]
            kept += 1
            since = 0
            moved = False
            if kept == len(work.records):
                return kept
        away += away > 0
        work.saved[0] = pos
        if not _edit(pos, work) or in_check(pos, DEF):
            _restore(pos, work.saved[0])
            continue
        new = _value_of_position(pos, work)
        if new - value < _log_chance(work.state):
            _restore(pos, work.saved[0])
            continue
        flaws = _flaws(a, n, work.stack, options, a.search.nodes + options.nodes)
        if flaws != 0:
            new_rest = best_rest - options.cook * flaws
            if flaws < 0 or new_rest - rest < _log_chance(work.state):
                _restore(pos, work.saved[0])
            else:
                value, rest = new, new_rest
                away += away == 0
            continue
        settled = _find_line(a, n, work, a.search.nodes + 2 * options.nodes)
        if settled and away == 0 and _same_line(work, n) and draw(work.state, 16) and _has_more(pos, work):
            settled = False  # what came is not needed
        if settled:
            _strip(a, n, work)
            new = _value_of_position(pos, work)
            new_rest = _value_of_line(a, n, work)
            settled = new + new_rest - best - best_rest >= _log_chance(work.state)
        if settled:
            moved = moved or pos.key != work.saved[2].key
            best, best_rest = new, new_rest
            work.saved[2] = pos
            for ply in range(n):
                work.best[ply] = work.line[ply]
        else:
            _restore(pos, work.saved[2])
        value, rest, away = best, best_rest, 0
    return kept


@jit
def _seek(a, n, work):
    """Go on from a position that mates in exactly n plies to a sound one; False if none is met."""
    pos, options = a.pos, work.options
    value = _value_of_position(pos, work)
    flaws = _flaws(a, n, work.stack, options, a.search.nodes + options.nodes)
    if flaws < 0:
        flaws = 2 + _MOST_COOKS  # not known for lack of nodes
    for _ in range(options.seek):
        if flaws == 0:
            break
        work.saved[0] = pos
        if not _edit(pos, work) or in_check(pos, DEF):
            _restore(pos, work.saved[0])
            continue
        new = _value_of_position(pos, work)
        if new - value < _log_chance(work.state):
            _restore(pos, work.saved[0])
            continue
        other = _flaws(a, n, work.stack, options, a.search.nodes + options.nodes)
        if other < 0 or options.hurry * (flaws - other) < _log_chance(work.state):
            _restore(pos, work.saved[0])
        else:
            value, flaws = new, other
    return flaws == 0


@jit
def _same_line(work, n):
    for ply in range(n):
        if work.line[ply] != work.best[ply]:
            return False
    return True


@jit
def _has_more(pos, work):
    """Whether the last edit only added a piece, to the board or the hand."""
    for kind in range(8):
        if pos.hand[ATT, kind] < work.saved[0].hand[ATT, kind]:
            return False
    for sq in range(81):
        if work.saved[0].board[CELL[sq]] != 0 and pos.board[CELL[sq]] != work.saved[0].board[CELL[sq]]:
            return False
    return True


@jit_inline
def _log_chance(state):
    return np.log((draw(state, 1 << 30) + 1) / float(1 << 30))


@jit
def _value_of_position(pos, work):
    last = position_traits(pos, work.traits, 0)
    total = 0.0
    for i in range(last):
        total += work.values[work.traits[i]]
    return total


@jit
def _settle(a, n, work):
    """Find the line of a sound position and strip it of needless pieces; False if that does not succeed."""
    if not _find_line(a, n, work, a.search.nodes + 2 * work.options.nodes):
        return False
    _strip(a, n, work)
    return True


@jit
def _value_of_line(a, n, work):
    last = line_traits(a.pos, work.line, n, work.captured, work.traits, 0)
    total = 0.0
    for i in range(last):
        total += work.values[work.traits[i]]
    return total


@jit
def _flaws(a, n, stack, options, end):
    """How many second solutions were found, few of them; `REFUSED` if the length is another or not known."""
    if n > 1 and ask(a, n - 2, True, end) != NO:
        return REFUSED
    key, stop = find_key(a, n, stack, 0, end)
    if key <= 0:
        return REFUSED
    cooks = 0
    for i in range(stop):
        if stack[i] == key:
            continue
        answer = ask_after(a, stack[i], n + options.margin, end)
        if answer == UNANSWERED:
            return REFUSED
        cooks += answer == YES
        if cooks == _MOST_COOKS:
            break
    if cooks:
        return 1 + cooks
    found = is_sound(a, n, options.margin, stack, options.turns, end)
    if found == SOUND:
        return 0
    return 1 if found in (SECOND, LEFTOVER) else REFUSED


@jit
def _find_line(a, n, work, end):
    """Write a best line to ``work.line``; False if the nodes ran out."""
    pos = a.pos
    done = 0
    good = True
    while good and done < n:
        left = n - done
        if done % 2 == 0:
            move = _last_check(a, work.stack) if left == 1 else find_key(a, left, work.stack, 0, end)[0]
        else:
            last = longest_defences(a, left, work.stack, 0, end)
            move = _likely_answer(pos, work.stack, last, target_of(work.line[done - 1])) if last > 0 else 0
        good = move > 0
        if good:
            work.line[done] = move
            work.captured[done] = do(pos, move, done % 2)
            done += 1
    for ply in range(done - 1, -1, -1):
        undo(pos, work.line[ply], ply % 2, work.captured[ply])
    return good


@jit
def _last_check(a, stack):
    """The mating check that takes nothing, promotes and comes nearest, if it can."""
    pos = a.pos
    stop = checks(pos, stack, 0)
    best = 0
    least = 1000
    for i in range(stop):
        move = stack[i]
        takes = pos.board[target_of(move)] != 0
        cost = 100 * takes + 20 * (move & PROMOTES == 0) + apart(int(pos.king[DEF]), target_of(move))
        captured = do(pos, move, ATT)
        mated = packed_hand(pos) == 0 and ask(a, 0, False, a.search.nodes) == YES
        undo(pos, move, ATT, captured)
        if mated and cost < least:
            best, least = move, cost
    return best


@jit
def _likely_answer(pos, moves, last, checked_from):
    """Of some answers the likeliest in a main line, roughly as `solver.solving.main_line` weighs them."""
    best = 0
    most = -10000
    for i in range(last):
        move = moves[i]
        sort = sort_of_answer(pos, move, checked_from)
        if sort <= 1:
            worth = 305 + 32 * (sort == 0)
        elif sort == 2:
            king = int(pos.king[DEF])
            worth = (
                -166 if RANK[target_of(move)] < RANK[king] else -79 * (RANK[target_of(move)] == RANK[king])
            )
        elif sort == 3:
            worth = 86
        else:
            worth = -76 if sort == 4 else 39 if sort == 5 else -234
        if move & PROMOTES:
            worth += 104
        if worth > most:
            best, most = move, worth
    return best


@jit
def _strip(a, n, work):
    """Take off, in random order, the pieces without which the line stays the only solution."""
    pos, options = a.pos, work.options
    start = draw(work.state, 81)
    stride = 1 + 3 * draw(work.state, 26) + draw(work.state, 2)  # not a multiple of 3: passes every square
    for i in range(81):
        cell = CELL[(start + i * stride) % 81]
        piece = int(pos.board[cell])
        if piece == 0 or piece & 15 == KING:
            continue
        work.saved[1] = pos
        lift(pos, cell)
        pos.hand[DEF, hand_kind(piece)] += 1
        if in_check(pos, DEF) or not _keeps(a, n, work, options):
            _restore(pos, work.saved[1])
    for kind in range(1, 8):
        while pos.hand[ATT, kind] > 0:
            pos.hand[ATT, kind] -= 1
            pos.hand[DEF, kind] += 1
            if not _keeps(a, n, work, options):
                pos.hand[ATT, kind] += 1
                pos.hand[DEF, kind] -= 1
                break


@jit_inline
def _keeps(a, n, work, options):
    end = a.search.nodes + options.nodes
    return (
        keeps_line(a, work.line[:n], work.stack, end) == YES
        and is_sound(a, n, options.margin, work.stack, options.turns, end) == SOUND
    )


# --- drawing -----------------------------------------------------------------------------


@unit(a=ARENA, work=SKETCH)
def draw_mate(a, n, tries, work):
    """Draw positions into ``a.pos`` until one mates in exactly n plies; how many were drawn, 0 if none does.

    ``work.rates`` says how often people have each trait.
    """
    pos = a.pos
    for number in range(tries):
        _draw_position(pos, work)
        if in_check(pos, DEF):
            continue
        end = a.search.nodes + work.options.nodes
        if n > 1 and ask(a, n - 2, True, end) != NO:
            continue
        if ask(a, n, True, end) == YES:
            return number + 1
    return 0


@jit
def _draw_position(pos, work):
    """Empty the board and put pieces on it, and into the attacker's hand, as often as people do."""
    state = work.state
    for sq in range(81):
        piece = int(pos.board[CELL[sq]])
        if piece:
            lift(pos, CELL[sq])
            if piece & 15 != KING:
                pos.hand[DEF, hand_kind(piece)] += 1
    for kind in range(1, 8):
        pos.hand[DEF, kind] += pos.hand[ATT, kind]
        pos.hand[ATT, kind] = 0
    which = _drawn(work.rates, KINGS, HANDS, state) - KINGS
    king = CELL[which]
    put(pos, king, KING + 16)
    pos.king[DEF] = king
    for kind in range(1, 8):
        held = _drawn(work.rates, HANDS + 20 * kind, HANDS + 20 * kind + 20, state) - HANDS - 20 * kind
        for _ in range(min(held, int(pos.hand[DEF, kind]))):
            _to_hand(pos, kind)
    for side in range(2):
        first = ATTACKERS if side == ATT else DEFENDERS
        number = _drawn(work.rates, first, first + 40, state) - first
        if side == DEF:
            number += draw(state, 1 + work.options.more)
        for _ in range(number):
            _draw_piece(pos, work, side, king)


@jit
def _draw_piece(pos, work, side, king):
    for _ in range(8):
        begin = OFFSET + 16 * side * PLACES
        drawn = _drawn(work.rates, begin, begin + 16 * PLACES, work.state) - OFFSET
        piece, place = drawn // PLACES, drawn % PLACES
        if place == PLACES - 1 or piece & 15 == KING:
            continue
        file = SQUARE[king] // 9 + place // (2 * REACH + 1) - REACH
        rank = SQUARE[king] % 9 + place % (2 * REACH + 1) - REACH
        if 0 <= file < 9 and 0 <= rank < 9 and _add(pos, piece, CELL[file * 9 + rank]):
            return


@jit
def _drawn(rates, begin, end, state):
    """A place between ``begin`` and ``end``, each with the chance of its rate among theirs."""
    total = 0.0
    for i in range(begin, end):
        total += rates[i]
    left = total * (draw(state, 1 << 30) / float(1 << 30))
    for i in range(begin, end):
        left -= rates[i]
        if left < 0:
            return i
    return end - 1


# --- edits --------------------------------------------------------------------------------


@jit
def _restore(pos, saved):
    for t in range(SIZE):
        pos.board[t] = saved.board[t]
        pos.effects[t] = saved.effects[t]
    for side in range(2):
        pos.king[side] = saved.king[side]
        for kind in range(8):
            pos.hand[side, kind] = saved.hand[side, kind]
    pos.key = saved.key
    pos.slot = saved.slot


@jit
def _edit(pos, work):
    """Change a position at random; False if the change is not possible (the position may then be spoilt)."""
    state = work.state
    sort = draw(state, 32)
    if sort < 8:
        piece = _KINDS[draw(state, 64)] + 16 * draw(state, 2)
        return _add(pos, piece, _cell_near(state, int(pos.king[DEF])))
    if sort == 8:
        return _shift(pos, work, draw(state, 3) - 1, draw(state, 3) - 1)
    if sort == 9:
        return _step_of_king(pos, state)
    if sort == 10:
        return _to_hand(pos, 1 + draw(state, 7))
    if sort == 11:
        return _from_hand(pos, 1 + draw(state, 7))
    cell = _drawn_piece(pos, state)
    if cell == 0:
        return False
    piece = int(pos.board[cell])
    if sort < 16:
        _take_off(pos, cell, piece)
        return True
    if sort < 20:
        _take_off(pos, cell, piece)
        return _add(pos, piece, _cell_near(state, int(pos.king[DEF])))
    if sort < 25:
        _take_off(pos, cell, piece)
        return _add(pos, piece, _cell_near(state, cell))
    if sort < 29:
        _take_off(pos, cell, piece)
        return _add(pos, _KINDS[draw(state, 64)] + (piece & 16), cell)
    if sort == 29:
        _take_off(pos, cell, piece)
        return _to_hand(pos, hand_kind(piece))
    if sort == 30:
        kind = 1 + draw(state, 7)
        return _from_hand(pos, kind) and _add(pos, kind, _cell_near(state, int(pos.king[DEF])))
    _take_off(pos, cell, piece)
    return _add(pos, piece ^ 16, cell)


@jit_inline
def _take_off(pos, cell, piece):
    lift(pos, cell)
    pos.hand[DEF, hand_kind(piece)] += 1


@jit
def _add(pos, piece, cell):
    kind = hand_kind(piece)
    side = piece >> 4
    if cell == 0 or pos.board[cell] != 0 or pos.hand[DEF, kind] == 0 or is_dead(piece & 15, cell, side):
        return False
    if piece & 15 == PAWN and has_pawn(pos, cell, side):
        return False
    pos.hand[DEF, kind] -= 1
    put(pos, cell, piece)
    return True


@jit
def _to_hand(pos, kind):
    if pos.hand[DEF, kind] == 0:
        return False
    pos.hand[DEF, kind] -= 1
    pos.hand[ATT, kind] += 1
    return True


@jit
def _from_hand(pos, kind):
    if pos.hand[ATT, kind] == 0:
        return False
    pos.hand[ATT, kind] -= 1
    pos.hand[DEF, kind] += 1
    return True


@jit
def _cell_near(state, cell):
    """A cell at most 1, 2 or, now and then, 8 files and ranks away; 0 if it lies off the board."""
    reach = draw(state, 8)
    reach = 1 if reach < 3 else 2 if reach < 7 else 8
    square = SQUARE[cell]
    file = square // 9 + draw(state, 2 * reach + 1) - reach
    rank = square % 9 + draw(state, 2 * reach + 1) - reach
    return CELL[file * 9 + rank] if 0 <= file < 9 and 0 <= rank < 9 else 0


@jit
def _drawn_piece(pos, state):
    """The cell of a random piece other than the king; 0 if there is none."""
    number = 0
    for i in range(81):
        piece = int(pos.board[CELL[i]])
        number += piece != 0 and piece & 15 != KING
    if number == 0:
        return 0
    which = draw(state, number)
    for i in range(81):
        piece = int(pos.board[CELL[i]])
        if piece != 0 and piece & 15 != KING:
            if which == 0:
                return CELL[i]
            which -= 1
    return 0


@jit
def _step_of_king(pos, state):
    square = SQUARE[int(pos.king[DEF])]
    file = square // 9 + draw(state, 3) - 1
    rank = square % 9 + draw(state, 3) - 1
    if not (0 <= file < 9 and 0 <= rank < 9):
        return False
    cell = CELL[file * 9 + rank]
    if pos.board[cell] != 0:
        return False
    lift(pos, int(pos.king[DEF]))
    put(pos, cell, KING + 16)
    pos.king[DEF] = cell
    return True


@jit
def _shift(pos, work, files, ranks):
    """Move everything by the same step."""
    number = 0
    for sq in range(81):
        piece = int(pos.board[CELL[sq]])
        if piece:
            file, rank = sq // 9 + files, sq % 9 + ranks
            if not (0 <= file < 9 and 0 <= rank < 9):
                return False
            if is_dead(piece & 15, CELL[file * 9 + rank], piece >> 4):
                return False
            work.squares[number] = file * 9 + rank
            work.squares[number + 41] = piece
            number += 1
    for sq in range(81):
        if pos.board[CELL[sq]] != 0:
            lift(pos, CELL[sq])
    for i in range(number):
        cell = CELL[work.squares[i]]
        put(pos, cell, work.squares[i + 41])
        if work.squares[i + 41] == KING + 16:
            pos.king[DEF] = cell
    return True
