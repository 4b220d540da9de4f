# SPDX-License-Identifier: GPL-3.0-or-later
"""Traits of a position and its line, as numbers: what the model of likeness counts and adds up.

A trait is a whole number below `TRAITS`. A position has each of its traits once or more; what
it is worth is the sum of the model's values of them (`generator.likeness`). Mirror images have the
same traits, unless the king stands on the middle file: then where single pieces stand differs.
"""

from __future__ import annotations

from tsume_rules.kernel.attacks import attacked, find_checkers, size
from tsume_rules.kernel.compile import INTEGERS, jit, jit_inline, unit
from tsume_rules.kernel.move_generation import checks
from tsume_rules.kernel.state import PROMOTES, do, dropped, hand_kind, origin_of, target_of, undo
from tsume_rules.kernel.tables import ATT, BISHOP, CELL, DEF, PAWN, POSITION_TYPE, ROOK, SQUARE

OFFSET = 0
"""[piece code, place]: files and ranks from the king, each up to `REACH`, or the last place, farther away"""
REACH = 4
PLACES = (2 * REACH + 1) ** 2 + 1
RANKS = OFFSET + 32 * PLACES
"""[piece code, rank]"""
FILES = RANKS + 32 * 9
"""[piece code, file], mirrored so that the king stands on files 1 to 5"""
KINGS = FILES + 32 * 9
"""[file, rank] of the defender's king"""
HANDS = KINGS + 81
"""[kind, pieces of it in the attacker's hand]"""
IN_HAND = HANDS + 8 * 20
ATTACKERS = IN_HAND + 24
DEFENDERS = ATTACKERS + 40
PIECES = DEFENDERS + 40
"""[number of pieces]: in the attacker's hand, on the board by side, all of these"""
BESIDE = PIECES + 41
"""[0: its own, 1: the attacker's, 2: none, how many of the cells next to the king]"""
PROMOTED = BESIDE + 27
"""[how many of the attacker's promoted pawns, lances, knights and silvers]"""
BIG = PROMOTED + 19
"""[how many of the attacker's rooks, bishops and what they promote to, hand included]"""
FARTHEST = BIG + 5
"""[files or ranks between the king and the piece farthest from it]"""
CHECKS = FARTHEST + 9
"""[phase: first, between, last; move: a kind dropped, or kind, promotion, capture]"""
CHECK_DISTANCE = CHECKS + 3 * 64
"""[phase, files or ranks from the king]"""
ANSWERS = CHECK_DISTANCE + 3 * 9
"""[0: the last one, 1: any before; which sort]"""
OPEN_AT_MATE = ANSWERS + 16
"""[empty cells next to the king at the end]"""
ATTACKERS_AT_MATE = OPEN_AT_MATE + 9
"""[the attacker's pieces on the board at the end]"""
TAKEN_AT_ONCE = ATTACKERS_AT_MATE + 40
"""[checks whose piece is taken at once]"""
DROPS = TAKEN_AT_ONCE + 20
"""[the attacker's drops in the line]"""
BIG_TAKEN = DROPS + 20
"""[rooks, bishops, dragons and horses among the pieces taken at once]"""
FLAGS = BIG_TAKEN + 20
"""[phase, 2 x 2 x 2: the check takes, promotes, comes from another piece too or only]"""
WAYS = FLAGS + 3 * 8
"""[squares the king passed through, 0 to 9]"""
FAR_BY_SIDE = WAYS + 10
"""[side, files or ranks between the king and that side's farthest piece]"""
MEAN_BY_SIDE = FAR_BY_SIDE + 2 * 9
"""[side, mean of these, in thirds, at most 15]"""
LEGAL = MEAN_BY_SIDE + 2 * 16
"""[0: by a move, 1: by a drop; legal checks at the start, in pairs, at most 15]"""
TAKING = LEGAL + 2 * 16
"""[legal checks at the start that take, at most 7]"""
KINDS = TAKING + 8
"""[side, different kinds on the board]"""
GUARDED = KINDS + 2 * 16
"""[side, 0: not guarded by its own, 1: attacked by the other; pieces, at most 9]"""
COVERED = GUARDED + 4 * 10
"""[0: cells next to the king that the attacker covers; 1: empty ones of them; 2: where the king may go]"""
ABOVE = COVERED + 3 * 9
"""[side; 0: farther up than the king, 1: on its file, 2: on its rank; pieces, at most 9]"""
TRAITS = ABOVE + 2 * 3 * 10


@jit
def king_steps_between(one, other):
    """Return how many king's steps lie between two cells."""
    a, b = SQUARE[one], SQUARE[other]
    return max(abs(a // 9 - b // 9), abs(a % 9 - b % 9))


_NUMBER, _NEAR, _KINDS, _FAR, _SUM, _ALONE, _HIT, _UP, _FILE, _RANK, _SMALL, _BIG = range(12)
_OF_SIDE = 12
"""What is counted for each side: its pieces; next to the king; kinds as bits; steps to the king, most
and all; not guarded by their own; attacked; farther up than the king, on its file, on its rank;
small promoted ones; rooks and bishops."""
_INSIDE, _COVERED, _BARE, _FREE = range(2 * _OF_SIDE, 2 * _OF_SIDE + 4)
"""Cells next to the king; those the attacker covers; empty ones among these; those where the king may go."""
COUNTS = 2 * _OF_SIDE + 4


@unit(pos=POSITION_TYPE, out=INTEGERS)
def position_traits(pos, out, first):
    """Write a position's traits to ``out`` from ``first`` on; returns the list's end. The last `COUNTS` places of
    ``out`` are scratch space."""
    counts = out[len(out) - COUNTS :]
    counts[:] = 0
    end = _piece_traits(pos, counts, out, first)
    hand = 0
    big = counts[_BIG]
    for kind in range(1, 8):
        held = int(pos.hand[ATT, kind])
        hand += held
        big += held * (kind in (BISHOP, ROOK))
        out[end] = HANDS + kind * 20 + held
        end += 1
    own, others = counts[_OF_SIDE + _NEAR], counts[_NEAR]
    out[end] = IN_HAND + min(hand, 23)
    out[end + 1] = ATTACKERS + counts[_NUMBER]
    out[end + 2] = DEFENDERS + counts[_OF_SIDE + _NUMBER]
    out[end + 3] = PIECES + min(counts[_NUMBER] + counts[_OF_SIDE + _NUMBER] + hand, 40)
    out[end + 4] = BESIDE + own
    out[end + 5] = BESIDE + 9 + others
    out[end + 6] = BESIDE + 18 + counts[_INSIDE] - own - others
    out[end + 7] = PROMOTED + counts[_SMALL]
    out[end + 8] = BIG + big
    out[end + 9] = FARTHEST + max(counts[_FAR], counts[_OF_SIDE + _FAR])
    out[end + 10] = COVERED + counts[_COVERED]
    out[end + 11] = COVERED + 9 + counts[_BARE]
    out[end + 12] = COVERED + 18 + counts[_FREE]
    end += 13
    for side in range(2):
        of = side * _OF_SIDE
        out[end] = FAR_BY_SIDE + side * 9 + counts[of + _FAR]
        out[end + 1] = MEAN_BY_SIDE + side * 16 + min(15, 3 * counts[of + _SUM] // max(counts[of + _NUMBER], 1))
        out[end + 2] = KINDS + side * 16 + size(counts[of + _KINDS])
        out[end + 3] = GUARDED + side * 20 + min(counts[of + _ALONE], 9)
        out[end + 4] = GUARDED + side * 20 + 10 + min(counts[of + _HIT], 9)
        for i in range(3):
            out[end + 5 + i] = ABOVE + side * 30 + i * 10 + min(counts[of + _UP + i], 9)
        end += 8
    return end


@jit_inline
def place_from_king(king, cell):
    """Return the place of a cell among those near the king, who is mirrored to the right; `PLACES` - 1: it is
    farther."""
    files, ranks = SQUARE[cell] // 9 - SQUARE[king] // 9, SQUARE[cell] % 9 - SQUARE[king] % 9
    if SQUARE[king] // 9 > 4:
        files = -files
    if abs(files) > REACH or abs(ranks) > REACH:
        return PLACES - 1
    return (files + REACH) * (2 * REACH + 1) + ranks + REACH


@jit
def _piece_traits(pos, counts, out, first):
    """Count what there is on the board, and write the traits of single pieces."""
    end = first
    king = int(pos.king[DEF])
    square = SQUARE[king]
    mirrored = square // 9 > 4
    king_file = 8 - square // 9 if mirrored else square // 9
    king_rank = square % 9
    out[end] = KINGS + king_file * 9 + king_rank
    end += 1
    for sq in range(81):
        cell = CELL[sq]
        piece = int(pos.board[cell])
        away = king_steps_between(king, cell)
        if away == 1:
            covered = attacked(pos, cell, ATT)
            counts[_INSIDE] += 1
            counts[_COVERED] += covered
            counts[_BARE] += covered and piece == 0
            counts[_FREE] += not covered and (piece == 0 or piece >> 4 == ATT)
        if piece == 0 or cell == king:
            continue
        file = 8 - sq // 9 if mirrored else sq // 9
        rank = sq % 9
        out[end] = OFFSET + piece * PLACES + place_from_king(king, cell)
        out[end + 1] = RANKS + piece * 9 + rank
        out[end + 2] = FILES + piece * 9 + file
        end += 3
        side = piece >> 4
        of = side * _OF_SIDE
        counts[of + _NUMBER] += 1
        counts[of + _NEAR] += away == 1
        counts[of + _KINDS] |= 1 << (piece & 15)
        counts[of + _FAR] = max(counts[of + _FAR], away)
        counts[of + _SUM] += away
        counts[of + _ALONE] += not attacked(pos, cell, side)
        counts[of + _HIT] += attacked(pos, cell, 1 - side)
        counts[of + _UP] += rank < king_rank
        counts[of + _FILE] += file == king_file
        counts[of + _RANK] += rank == king_rank
        counts[of + _SMALL] += 9 <= piece & 15 <= 12
        counts[of + _BIG] += hand_kind(piece) in (BISHOP, ROOK)
    return end


@unit(pos=POSITION_TYPE, line=INTEGERS, captured=INTEGERS, out=INTEGERS)
def line_traits(pos, line, length, captured, out, first):
    """Write the traits of a line of ``length`` plies; returns the list's end. ``captured`` is scratch space."""
    end = legal_check_traits(pos, out, first)
    taken = 0
    big_taken = 0
    drops = 0
    ways = 0
    flags = 0
    for ply in range(length):
        move = line[ply]
        if ply % 2 == 0:
            phase = 0 if ply == 0 else 2 if ply == length - 1 else 1
            drops += dropped(move) != 0
            takes = pos.board[target_of(move)] != 0
            promotes = move & PROMOTES != 0
            kind = 0 if dropped(move) else int(pos.board[origin_of(move)]) & 15
            out[end] = CHECKS + phase * 64 + sort_of_check(move, kind, takes)
            out[end + 1] = CHECK_DISTANCE + phase * 9 + king_steps_between(int(pos.king[DEF]), target_of(move))
            end += 2
            flags = 4 * takes + 2 * promotes
        else:
            sort = sort_of_answer(pos, move, target_of(line[ply - 1]))
            out[end] = ANSWERS + (0 if ply == length - 2 else 8) + sort
            end += 1
            taken += sort <= 1
            if sort <= 1:
                kind = hand_kind(int(pos.board[target_of(move)]))
                big_taken += kind in (BISHOP, ROOK)
            ways += origin_of(move) == pos.king[DEF]
        captured[ply] = do(pos, move, ply % 2)
        if ply % 2 == 0:
            number, checker = find_checkers(pos, DEF)
            out[end] = FLAGS + phase * 8 + flags + (number > 1 or checker != target_of(move))
            end += 1
    out[end] = TAKEN_AT_ONCE + min(taken, 19)
    out[end + 1] = DROPS + min(drops, 19)
    out[end + 2] = BIG_TAKEN + min(big_taken, 19)
    out[end + 3] = WAYS + min(ways, 9)
    end = _mate_traits(pos, out, end + 4)
    for ply in range(length - 1, -1, -1):
        undo(pos, line[ply], ply % 2, captured[ply])
    return end


@jit
def legal_check_traits(pos, out, first):
    """Write the traits of the legal checks to ``out`` from ``first`` on; returns the list's end. Their moves are
    written after it first."""
    last = checks(pos, out, first)
    by_move = 0
    by_drop = 0
    taking = 0
    for i in range(first, last):
        by_drop += dropped(out[i]) != 0
        by_move += dropped(out[i]) == 0
        taking += dropped(out[i]) == 0 and pos.board[target_of(out[i])] != 0
    out[first] = LEGAL + min(by_move // 2, 15)
    out[first + 1] = LEGAL + 16 + min(by_drop // 2, 15)
    out[first + 2] = TAKING + min(taking, 7)
    return first + 3


@jit
def _mate_traits(pos, out, first):
    king = int(pos.king[DEF])
    empty = 0
    attackers = 0
    for sq in range(81):
        piece = int(pos.board[CELL[sq]])
        empty += piece == 0 and king_steps_between(king, CELL[sq]) == 1
        attackers += piece != 0 and piece >> 4 == ATT
    out[first] = OPEN_AT_MATE + empty
    out[first + 1] = ATTACKERS_AT_MATE + attackers
    return first + 2


@jit
def sort_of_check(move, kind, takes):
    """Return 0 to 6 for the kind dropped; else 7 and more by the kind that moves, 2 if it promotes, 1 if it takes."""
    if dropped(move):
        return dropped(move) - 1
    return 7 + (kind - 1) * 4 + (2 if move & PROMOTES else 0) + (1 if takes else 0)


@jit
def sort_of_answer(pos, move, checked_from):
    """0 the king takes the checking piece, 1 a piece does; 2 the king goes, 3 something else is taken;
    4 a piece moves between, 5 a pawn is dropped, 6 another piece."""
    if dropped(move):
        return 5 if dropped(move) == PAWN else 6
    by_king = origin_of(move) == pos.king[DEF]
    if target_of(move) == checked_from and pos.board[checked_from] != 0:
        return 0 if by_king else 1
    if pos.board[target_of(move)] != 0:
        return 3
    return 2 if by_king else 4
