# SPDX-License-Identifier: GPL-3.0-or-later
"""Slow, obvious twins of `generator.kernel.traits`, on readable positions and moves.

They share only the numbers at which each sort of trait begins. Legal checks are those of
`tests.naive`, attacks those of `tsume_rules.moves`.
"""

from collections import Counter
from collections.abc import Iterator

from generator.kernel import traits as first_of
from tests import naive
from tsume_rules.moves import Move, attacked, attacked_squares, parse_move, position_after
from tsume_rules.position import HAND_KINDS, SQUARES, Kind, Piece, Position, Side, Square, file_of, rank_of
from tsume_rules.sfen import format_sfen

Placed = list[tuple[Square, Piece]]

BIG = (Kind.BISHOP, Kind.ROOK)
SMALL_PROMOTED = (Kind.TOKIN, Kind.PROMOTED_LANCE, Kind.PROMOTED_KNIGHT, Kind.PROMOTED_SILVER)
_MIDDLE = 5


def steps(one: Square, other: Square) -> int:
    """How many king's steps lie between two squares."""
    return max(abs(file_of(one) - file_of(other)), abs(rank_of(one) - rank_of(other)))


# --- positions -------------------------------------------------------------------------------------


def position_traits(position: Position) -> Counter[int]:
    """The traits of a position, each with how often it has it."""
    turned = position.mirrored if file_of(_king(position)) > _MIDDLE else position
    return Counter([*_single(turned), *_in_all(turned), *_by_side(turned), *_around(turned)])


def _king(position: Position) -> Square:
    king = position.king(Side.DEFENDER)
    assert king is not None
    return king


def _placed(position: Position, side: Side) -> Placed:
    """A side's pieces and their squares, except the defender's king."""
    king = _king(position)
    return [
        (sq, piece)
        for sq, piece in enumerate(position.board)
        if piece is not None and piece.side is side and sq != king
    ]


def _single(position: Position) -> Iterator[int]:
    king = _king(position)
    yield first_of.KINGS + king
    for sq, piece in _placed(position, Side.ATTACKER) + _placed(position, Side.DEFENDER):
        code = piece.kind + 16 * piece.side
        files, ranks = file_of(sq) - file_of(king), rank_of(sq) - rank_of(king)
        far = max(abs(files), abs(ranks)) > first_of.REACH
        row = 2 * first_of.REACH + 1
        place = row * row if far else row * (files + first_of.REACH) + ranks + first_of.REACH
        yield first_of.OFFSET + first_of.PLACES * code + place
        yield first_of.RANKS + 9 * code + rank_of(sq) - 1
        yield first_of.FILES + 9 * code + file_of(sq) - 1


def _in_all(position: Position) -> Iterator[int]:
    king, hand = _king(position), position.attacker_hand
    ours, theirs = (_placed(position, side) for side in Side)
    for kind in HAND_KINDS:
        yield first_of.HANDS + 20 * kind + hand[kind]
    yield first_of.IN_HAND + min(len(hand), 23)
    yield first_of.ATTACKERS + len(ours)
    yield first_of.DEFENDERS + len(theirs)
    yield first_of.PIECES + len(ours) + len(theirs) + len(hand)
    yield first_of.PROMOTED + sum(piece.kind in SMALL_PROMOTED for _, piece in ours)
    big = sum(piece.kind.base in BIG for _, piece in ours)
    yield first_of.BIG + big + sum(hand[kind] for kind in BIG)
    yield first_of.FARTHEST + max((steps(sq, king) for sq, _ in ours + theirs), default=0)


def _by_side(position: Position) -> Iterator[int]:
    king = _king(position)
    for side in Side:
        placed = _placed(position, side)
        away = [steps(sq, king) for sq, _ in placed]
        yield first_of.FAR_BY_SIDE + 9 * side + max(away, default=0)
        yield first_of.MEAN_BY_SIDE + 16 * side + min(15, 3 * sum(away) // max(1, len(away)))
        yield first_of.KINDS + 16 * side + len({piece.kind for _, piece in placed})
        alone = sum(not attacked(position.board, sq, side) for sq, _ in placed)
        hit = sum(attacked(position.board, sq, side.other) for sq, _ in placed)
        yield first_of.GUARDED + 20 * side + min(9, alone)
        yield first_of.GUARDED + 20 * side + 10 + min(9, hit)
        above = sum(rank_of(sq) < rank_of(king) for sq, _ in placed)
        on_file = sum(file_of(sq) == file_of(king) for sq, _ in placed)
        on_rank = sum(rank_of(sq) == rank_of(king) for sq, _ in placed)
        for which, number in enumerate((above, on_file, on_rank)):
            yield first_of.ABOVE + 30 * side + 10 * which + min(9, number)


def _around(position: Position) -> Iterator[int]:
    king, board = _king(position), position.board
    beside = [sq for sq in range(SQUARES) if steps(sq, king) == 1]
    owners = [None if (piece := board[sq]) is None else piece.side for sq in beside]
    for which, owner in enumerate((Side.DEFENDER, Side.ATTACKER, None)):
        yield first_of.BESIDE + 9 * which + owners.count(owner)
    covered = [attacked(board, sq, Side.ATTACKER) for sq in beside]
    bare = sum(hit and owner is None for hit, owner in zip(covered, owners, strict=True))
    free = sum(not hit and owner is not Side.DEFENDER for hit, owner in zip(covered, owners, strict=True))
    for which, number in enumerate((sum(covered), bare, free)):
        yield first_of.COVERED + 9 * which + number


# --- lines -----------------------------------------------------------------------------------------


def line_traits(position: Position, line: tuple[Move, ...]) -> Counter[int]:
    """The traits of a line that begins with the attacker, each with how often it has it."""
    positions = [position]
    for move in line:
        positions.append(position_after(positions[-1], move))
    found = [*_legal(position), *_in_line(positions, line), *_at_end(positions[-1])]
    for ply, move in enumerate(line):
        here, after, last = positions[ply], positions[ply + 1], len(line) - 1
        if ply % 2:
            which = 0 if ply == last - 1 else 1
            found.append(first_of.ANSWERS + 8 * which + sort_of_answer(here, move, line[ply - 1].target))
        else:
            found += _of_check(here, after, move, 0 if ply == 0 else 2 if ply == last else 1)
    return Counter(found)


def _legal(position: Position) -> Iterator[int]:
    legal = [parse_move(usi) for usi in naive.checks(format_sfen(position))]
    drops = sum(move.drop is not None for move in legal)
    yield first_of.LEGAL + min(15, (len(legal) - drops) // 2)
    yield first_of.LEGAL + 16 + min(15, drops // 2)
    yield first_of.TAKING + min(7, sum(position.board[move.target] is not None for move in legal))


def _of_check(here: Position, after: Position, move: Move, phase: int) -> Iterator[int]:
    king, takes = _king(here), here.board[move.target] is not None
    yield first_of.CHECKS + 64 * phase + _sort_of_check(here, move)
    yield first_of.CHECK_DISTANCE + 9 * phase + steps(king, move.target)
    checkers = {sq for sq in range(SQUARES) if _is_ours(after, sq) and king in attacked_squares(after.board, sq)}
    assert checkers
    discovers = checkers != {move.target}
    yield first_of.FLAGS + 8 * phase + 4 * takes + 2 * move.promotes + discovers


def _is_ours(position: Position, sq: Square) -> bool:
    piece = position.board[sq]
    return piece is not None and piece.side is Side.ATTACKER


def _sort_of_check(here: Position, move: Move) -> int:
    if move.drop is not None:
        return move.drop - 1
    assert move.origin is not None
    piece = here.board[move.origin]
    assert piece is not None
    takes = here.board[move.target] is not None
    return 7 + 4 * (piece.kind - 1) + 2 * move.promotes + takes


def sort_of_answer(here: Position, move: Move, checked_from: Square) -> int:
    """0 to 6, as `generator.kernel.traits.sort_of_answer` has it."""
    if move.drop is not None:
        return 5 if move.drop is Kind.PAWN else 6
    by_king = move.origin == _king(here)
    if here.board[move.target] is None:
        return 2 if by_king else 4
    if move.target != checked_from:
        return 3
    return 0 if by_king else 1


def _in_line(positions: list[Position], line: tuple[Move, ...]) -> Iterator[int]:
    answers = [ply for ply in range(len(line)) if ply % 2]
    taken = [
        piece.kind.base
        for ply in answers
        if line[ply].target == line[ply - 1].target and (piece := positions[ply].board[line[ply].target]) is not None
    ]
    yield first_of.TAKEN_AT_ONCE + min(19, len(taken))
    yield first_of.BIG_TAKEN + min(19, sum(kind in BIG for kind in taken))
    yield first_of.DROPS + min(19, sum(move.drop is not None for move in line[::2]))
    yield first_of.WAYS + min(9, sum(line[ply].origin == _king(positions[ply]) for ply in answers))


def _at_end(end: Position) -> Iterator[int]:
    king = _king(end)
    beside = [sq for sq in range(SQUARES) if steps(sq, king) == 1]
    yield first_of.OPEN_AT_MATE + sum(end.board[sq] is None for sq in beside)
    yield first_of.ATTACKERS_AT_MATE + len(_placed(end, Side.ATTACKER))
