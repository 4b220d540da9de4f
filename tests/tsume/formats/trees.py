# SPDX-License-Identifier: GPL-3.0-or-later
"""Random records with variations, and a common form to compare what readers make of them."""

import random
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

from tsume.formats.csa import find_csa
from tsume.formats.game_record import Branch, GameRecord
from tsume.formats.jkf import find_jkf
from tsume.formats.kif import find_kif
from tsume.formats.replay import ParsedProblem
from tsume_rules.moves import Move, attacked_squares, can_promote, in_check, position_after
from tsume_rules.position import HAND_KINDS, SET_COUNT, SQUARES, Hand, Kind, Piece, Position, Side, file_of, is_dead

Board = list[Piece | None]
Game = tuple[Position, tuple[Move, ...]]
"""A position, the attacker Black and to move, and its main line."""


def read_kif(text: str) -> list[Game]:
    return _games(find_kif(text))


def read_csa(text: str) -> list[Game]:
    return _games(find_csa(text))


def read_jkf(text: str) -> list[Game]:
    return _games(find_jkf(text))


def _games(found: Iterable[ParsedProblem]) -> list[Game]:
    """Positions and main lines; raises the first fault."""
    games = []
    for one in found:
        if one.fault is not None:
            raise one.fault
        assert one.record is not None
        games.append((one.record.position, one.record.line))
    return games


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
    for target in sorted(attacked_squares(position.board, origin)):
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


HEADERS = (("作者", "某 氏"), ("発表誌", "詰将棋"), ("発表年月", "2026年1月"), ("完全性", "完全作"), ("分類", "短編"))
DEEPEST = 3

Tree = list[Any]
"""The moves that may be played, the main line's first, each as [USI, the moves that may follow]."""


def random_tree(seed: int, *, commented: bool = True) -> GameRecord:
    """A record with variations inside variations, comments on moves, and headers.

    All moves are legal: other readers refuse the rest.
    """
    rng = random.Random(seed)
    record = random_record(seed, moves=False)
    headers = tuple(rng.sample(HEADERS, rng.randrange(len(HEADERS) + 1)))
    main = _random_branch(record.position, 1, frozenset(), rng, 0, commented)
    return replace(record, line=main.line, headers=headers, move_comments=main.move_comments, branches=main.branches)


def _random_branch(
    position: Position, first: int, taken: frozenset[Move], rng: random.Random, depth: int, commented: bool
) -> Branch:
    """A line that begins with none of the moves ``taken``; empty where there is no other."""
    line: list[Move] = []
    branches: list[Branch] = []
    for number in range(first, first + rng.randrange(1, 7)):
        move = _legal_move(position, taken if number == first else frozenset(), rng)
        if move is None:
            break
        line.append(move)
        if depth < DEEPEST and (number > first or depth == 0):
            branches += _siblings(position, number, {move}, rng, depth, commented)
        position = position_after(position, line[-1])
    comments = [
        (number, rng.choice(["good", "一\n二", "変化：2手", "   3 ▲２二金"]))
        for number in range(first, first + len(line))
        if commented and rng.random() < 0.3
    ]
    return Branch(first, tuple(line), tuple(comments), tuple(branches))


def _siblings(
    position: Position, number: int, taken: set[Move], rng: random.Random, depth: int, commented: bool
) -> list[Branch]:
    found = []
    for _ in range(rng.choice([0, 0, 0, 1, 1, 2])):
        branch = _random_branch(position, number, frozenset(taken), rng, depth + 1, commented)
        if branch.line:
            found.append(branch)
            taken.add(branch.line[0])
    return found


def _legal_move(position: Position, taken: Collection[Move], rng: random.Random) -> Move | None:
    """A move after which the mover's king is safe, not one of those taken."""
    moves = [move for move in possible_moves(position) if move not in taken]
    rng.shuffle(moves)
    safe = (move for move in moves[:40] if not in_check(position_after(position, move), position.side_to_move))
    return next(safe, None)


def fair(record: GameRecord) -> bool:
    """Whether the game may begin so for every reader: the side that is not to move is not in check."""
    return not in_check(record.position, Side.DEFENDER)


def tree_of(record: GameRecord) -> Tree:
    """The moves of a record in the common form."""
    return _line(record.main)


def _line(branch: Branch) -> Tree:
    if not branch.line:
        return []
    nodes: list[Tree] = []
    for number, move in enumerate(branch.line, start=branch.first):
        others = [_line(other)[0] for other in branch.leaving(number)] if number > 1 or branch.first == 1 else []
        nodes.append([[move.usi, []], *others])
    tail = [_line(other)[0] for other in branch.leaving(branch.end)]
    for before, following in zip(nodes, [*nodes[1:], tail], strict=True):
        before[0][1].extend(following)
    return nodes[0]
