# SPDX-License-Identifier: GPL-3.0-or-later
"""Random positions and lines, each determined by its seed."""

from __future__ import annotations

import random

from tsume.formats.game_record import GameRecord
from tsume_rules.legality import reached
from tsume_rules.moves import Move, can_promote, position_after
from tsume_rules.position import HAND_KINDS, SET_COUNT, SQUARES, Hand, Kind, Piece, Position, Side, file_of, is_dead

Board = list[Piece | None]


def random_record(seed: int, *, moves: bool = True) -> GameRecord:
    """A record with a random position, a random line if wanted, perhaps a title and comments."""
    rng = random.Random(seed)
    position = random_position(rng)
    title = rng.choice(["", "tsume-7", "作品 一"])
    comments = rng.choice([(), ("難易度 ★★☆☆☆ (2.50)",), ("one\ntwo", "三 ：")])
    line = random_line(position, rng, rng.randrange(12)) if moves else ()
    return GameRecord(position, line, title, comments)


def random_position(rng: random.Random) -> Position:
    """Pieces anywhere they may stand; the attacker's king in a third of the positions."""
    board: Board = [None] * SQUARES
    board[rng.randrange(SQUARES)] = Piece(Side.DEFENDER, Kind.KING)
    if rng.random() < 1 / 3:
        _scatter(board, Piece(Side.ATTACKER, Kind.KING), rng)
    held = dict.fromkeys(HAND_KINDS, 0)
    for kind in HAND_KINDS:
        for _ in range(SET_COUNT[kind]):
            fate = rng.random()
            held[kind] += fate < 0.1
            if fate > 0.6:
                _scatter(board, Piece(rng.choice(list(Side)), rng.choice([kind, kind.promoted])), rng)
    return Position.completed(tuple(board), Hand.of(held))


def random_line(position: Position, rng: random.Random, length: int) -> tuple[Move, ...]:
    """Moves that pieces can make, without regard to the safety of kings."""
    moves: list[Move] = []
    for _ in range(length):
        possible = possible_moves(position)
        if not possible:
            break
        moves.append(rng.choice(possible))
        position = position_after(position, moves[-1])
    return tuple(moves)


def possible_moves(position: Position) -> list[Move]:
    """All moves by the pieces' ways of moving, kings not taken, no dead pieces, no two pawns."""
    moves = [move for origin in range(SQUARES) for move in _moves_from(position, origin)]
    for kind in HAND_KINDS:
        if position.hand(position.side_to_move)[kind]:
            moves += [Move(sq, drop=kind) for sq in range(SQUARES) if _may_stand(position, kind, sq)]
    return moves


def _moves_from(position: Position, origin: int) -> list[Move]:
    piece, moves = position.board[origin], []
    if piece is None or piece.side is not position.side_to_move:
        return []
    for target in sorted(reached(position.board, origin)):
        taken = position.board[target]
        if taken is not None and (taken.side is piece.side or taken.kind is Kind.KING):
            continue
        if not is_dead(piece, target):
            moves.append(Move(target, origin))
        if can_promote(piece, origin, target):
            moves.append(Move(target, origin, promotes=True))
    return moves


def _may_stand(position: Position, kind: Kind, sq: int) -> bool:
    piece = Piece(position.side_to_move, kind)
    return position.board[sq] is None and not is_dead(piece, sq) and not _second_pawn(position.board, piece, sq)


def _second_pawn(board: Board | tuple[Piece | None, ...], piece: Piece, sq: int) -> bool:
    file = board[(file_of(sq) - 1) * 9 : file_of(sq) * 9]
    return piece.kind is Kind.PAWN and piece in file


def _scatter(board: Board, piece: Piece, rng: random.Random) -> None:
    sq = rng.randrange(SQUARES)
    if board[sq] is None and not is_dead(piece, sq) and not _second_pawn(board, piece, sq):
        board[sq] = piece
