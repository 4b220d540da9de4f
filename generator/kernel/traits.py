"""Traits of a position and its line, as numbers: what the model of likeness counts and adds up.

A trait is a whole number below `TRAITS`. A position has each of its traits once or more; what
it is worth is the sum of the model's values of them (`generator.likeness`). Mirror images have the
same traits.
"""

from tsume_rules.kernel.attacks import attacked, find_checkers
from tsume_rules.kernel.checks import checks
from tsume_rules.kernel.compile import INTEGERS, jit, jit_inline, unit
from tsume_rules.kernel.play import PROMOTES, do, dropped, hand_kind, origin_of, target_of, undo
from tsume_rules.kernel.state import POSITION_TYPE
from tsume_rules.kernel.tables import ATT, BISHOP, CELL, DEF, PAWN, ROOK, SQUARE

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
"""[phase, 2 x 2 x 2: the check takes, promotes, comes from another piece than the one that moved]"""
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
"""[0: cells next to the king that the attacker covers; 1: those of them that are empty; 2: where it may go]"""
ABOVE = COVERED + 3 * 9
"""[side; 0: farther up than the king, 1: on its file, 2: on its rank; pieces, at most 9]"""
TRAITS = ABOVE + 2 * 3 * 10


@jit
def apart(one, other):
    """How many king's steps lie between two cells."""
    a, b = SQUARE[one], SQUARE[other]
    return max(abs(a // 9 - b // 9), abs(a % 9 - b % 9))


@unit(pos=POSITION_TYPE, out=INTEGERS)
def position_traits(pos, out, first):
    """Write a position's traits to ``out`` from ``first`` on; returns the list's end."""
    end = first
    king = int(pos.king[DEF])
    king_file = SQUARE[king] // 9
    king_rank = SQUARE[king] % 9
    mirrored = king_file > 4
    if mirrored:
        king_file = 8 - king_file
    attackers = 0
    defenders = 0
    promoted = 0
    big = 0
    farthest = 0
    own = 0
    others = 0
    inside = 0
    covered = 0
    bare = 0
    flights = 0
    kinds_att = 0
    kinds_def = 0
    far_att = 0
    far_def = 0
    sum_att = 0
    sum_def = 0
    alone_att = 0
    alone_def = 0
    hit_att = 0
    hit_def = 0
    above_att = 0
    above_def = 0
    beside_att = 0
    beside_def = 0
    level_att = 0
    level_def = 0
    for sq in range(81):
        cell = CELL[sq]
        near = apart(king, cell) == 1
        inside += near
        if near:
            ours = attacked(pos, cell, ATT)
            there = int(pos.board[cell])
            covered += ours
            bare += ours and there == 0
            flights += not ours and (there == 0 or there >> 4 == ATT)
        piece = int(pos.board[cell])
        if piece == 0 or cell == king:
            continue
        file = 8 - sq // 9 if mirrored else sq // 9
        rank = sq % 9
        out[end] = OFFSET + piece * PLACES + _place(file - king_file, rank - king_rank)
        out[end + 1] = RANKS + piece * 9 + rank
        out[end + 2] = FILES + piece * 9 + file
        end += 3
        away = apart(king, cell)
        farthest = max(farthest, away)
        up = rank < king_rank
        if piece >> 4 == DEF:
            defenders += 1
            own += near
            kinds_def |= 1 << (piece & 15)
            far_def = max(far_def, away)
            sum_def += away
            alone_def += not attacked(pos, cell, DEF)
            hit_def += attacked(pos, cell, ATT)
            above_def += up
            beside_def += file == king_file
            level_def += rank == king_rank
        else:
            attackers += 1
            others += near
            kinds_att |= 1 << (piece & 15)
            far_att = max(far_att, away)
            sum_att += away
            alone_att += not attacked(pos, cell, ATT)
            hit_att += attacked(pos, cell, DEF)
            above_att += up
            beside_att += file == king_file
            level_att += rank == king_rank
            promoted += 9 <= piece & 15 <= 12
            big += hand_kind(piece) == BISHOP or hand_kind(piece) == ROOK
    hand = 0
    for kind in range(1, 8):
        held = int(pos.hand[ATT, kind])
        hand += held
        out[end] = HANDS + kind * 20 + held
        end += 1
        if kind == BISHOP or kind == ROOK:
            big += held
    out[end] = KINGS + king_file * 9 + king_rank
    out[end + 1] = IN_HAND + min(hand, 23)
    out[end + 2] = ATTACKERS + attackers
    out[end + 3] = DEFENDERS + defenders
    out[end + 4] = PIECES + min(attackers + defenders + hand, 40)
    out[end + 5] = BESIDE + own
    out[end + 6] = BESIDE + 9 + others
    out[end + 7] = BESIDE + 18 + inside - own - others
    out[end + 8] = PROMOTED + min(promoted, 18)
    out[end + 9] = BIG + big
    out[end + 10] = FARTHEST + farthest
    out[end + 11] = FAR_BY_SIDE + far_att
    out[end + 12] = FAR_BY_SIDE + 9 + far_def
    out[end + 13] = MEAN_BY_SIDE + min(15, 3 * sum_att // max(attackers, 1))
    out[end + 14] = MEAN_BY_SIDE + 16 + min(15, 3 * sum_def // max(defenders, 1))
    out[end + 15] = KINDS + _bits(kinds_att)
    out[end + 16] = KINDS + 16 + _bits(kinds_def)
    out[end + 17] = GUARDED + min(alone_att, 9)
    out[end + 18] = GUARDED + 10 + min(hit_att, 9)
    out[end + 19] = GUARDED + 20 + min(alone_def, 9)
    out[end + 20] = GUARDED + 30 + min(hit_def, 9)
    out[end + 21] = COVERED + covered
    out[end + 22] = COVERED + 9 + bare
    out[end + 23] = COVERED + 18 + flights
    out[end + 24] = ABOVE + min(above_att, 9)
    out[end + 25] = ABOVE + 10 + min(beside_att, 9)
    out[end + 26] = ABOVE + 20 + min(level_att, 9)
    out[end + 27] = ABOVE + 30 + min(above_def, 9)
    out[end + 28] = ABOVE + 40 + min(beside_def, 9)
    out[end + 29] = ABOVE + 50 + min(level_def, 9)
    return end + 30


@jit_inline
def _bits(kinds):
    number = 0
    while kinds:
        kinds &= kinds - 1
        number += 1
    return number


@jit_inline
def _place(files, ranks):
    if abs(files) > REACH or abs(ranks) > REACH:
        return PLACES - 1
    return (files + REACH) * (2 * REACH + 1) + ranks + REACH


@unit(pos=POSITION_TYPE, line=INTEGERS, captured=INTEGERS, out=INTEGERS)
def line_traits(pos, line, length, captured, out, first):
    """Write the traits of a line of ``length`` plies; returns the list's end. ``captured`` is scratch space."""
    end = first
    taken = 0
    big_taken = 0
    drops = 0
    ways = 0
    by_move = 0
    by_drop = 0
    taking = 0
    last = checks(pos, out, end)
    for i in range(end, last):
        by_drop += dropped(out[i]) != 0
        by_move += dropped(out[i]) == 0
        taking += dropped(out[i]) == 0 and pos.board[target_of(out[i])] != 0
    out[end] = LEGAL + min(by_move // 2, 15)
    out[end + 1] = LEGAL + 16 + min(by_drop // 2, 15)
    out[end + 2] = TAKING + min(taking, 7)
    end += 3
    flags = 0
    for ply in range(length):
        move = line[ply]
        if ply % 2 == 0:
            phase = 0 if ply == 0 else 2 if ply == length - 1 else 1
            drops += dropped(move) != 0
            out[end] = CHECKS + phase * 64 + _sort_of_check(pos, move)
            out[end + 1] = CHECK_DISTANCE + phase * 9 + apart(int(pos.king[DEF]), target_of(move))
            end += 2
            flags = 4 * (pos.board[target_of(move)] != 0) + 2 * (move & PROMOTES != 0)
        else:
            sort = sort_of_answer(pos, move, target_of(line[ply - 1]))
            out[end] = ANSWERS + (0 if ply == length - 2 else 8) + sort
            end += 1
            taken += sort <= 1
            if sort <= 1:
                kind = hand_kind(int(pos.board[target_of(move)]))
                big_taken += kind == BISHOP or kind == ROOK
            ways += origin_of(move) == pos.king[DEF]
        captured[ply] = do(pos, move, ply % 2)
        if ply % 2 == 0:
            _, checker = find_checkers(pos, DEF)
            out[end] = FLAGS + phase * 8 + flags + (checker != target_of(move))
            end += 1
    king = int(pos.king[DEF])
    empty = 0
    attackers = 0
    for sq in range(81):
        piece = int(pos.board[CELL[sq]])
        empty += piece == 0 and apart(king, CELL[sq]) == 1
        attackers += piece != 0 and piece >> 4 == ATT
    out[end] = OPEN_AT_MATE + empty
    out[end + 1] = ATTACKERS_AT_MATE + attackers
    out[end + 2] = TAKEN_AT_ONCE + min(taken, 19)
    out[end + 3] = DROPS + min(drops, 19)
    out[end + 4] = BIG_TAKEN + min(big_taken, 19)
    out[end + 5] = WAYS + min(ways, 9)
    for ply in range(length - 1, -1, -1):
        undo(pos, line[ply], ply % 2, captured[ply])
    return end + 6


@jit
def _sort_of_check(pos, move):
    if dropped(move):
        return dropped(move) - 1
    kind = int(pos.board[origin_of(move)]) & 15
    takes = pos.board[target_of(move)] != 0
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
