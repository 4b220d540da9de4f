# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves as people write them: ``▲２二銀``, ``△同玉``, ``▲３一角成``.

After the Japan Shogi Association's rules (棋譜の表記方法): where several pieces
of a kind can go to the square, the motion (上 寄 引) tells them apart; where it
does not, the side they come from (右 左, 直 for straight up); then both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tsume.formats.symbols import NAME, square_text
from tsume_rules.legality import origins
from tsume_rules.moves import ImpossibleMove, Move, can_promote, position_after
from tsume_rules.position import Kind, Position, Side, Square, file_of, rank_of

MARK = {Side.ATTACKER: "▲", Side.DEFENDER: "△"}

_LARGE = (Kind.BISHOP, Kind.ROOK, Kind.HORSE, Kind.DRAGON)


def move_text(position: Position, move: Move, last_target: Square | None = None) -> str:
    """A move of ``position`` in Japanese; ``last_target`` is the target of the last move.

    Raises `tsume_rules.moves.ImpossibleMove` when the move cannot be played there.
    """
    position_after(position, move)
    return _japanese_move(position, move, last_target)


def line_texts(position: Position, moves: Iterable[Move], start: int = 0) -> list[str]:
    """The texts of moves played one after the other from ``position``, without the first ``start``."""
    texts, last = [], None
    for number, move in enumerate(moves):
        after = position_after(position, move)
        if number >= start:
            texts.append(_japanese_move(position, move, last))
        position, last = after, move.target
    return texts


def line_text(position: Position, moves: Iterable[Move]) -> str:
    """A line of moves from ``position``, separated by spaces."""
    return " ".join(line_texts(position, moves))


def _japanese_move(position: Position, move: Move, last_target: Square | None) -> str:
    where = "同" if move.target == last_target else square_text(move.target)
    return MARK[position.side_to_move] + where + _piece_text(position, move)


def _piece_text(position: Position, move: Move) -> str:
    if move.drop is not None:
        ambiguous = origins(position, move.drop, move.target)
        return NAME[move.drop] + ("打" if ambiguous else "")
    piece = position.board[move.origin] if move.origin is not None else None
    if piece is None or move.origin is None:
        raise ImpossibleMove(f"{move.usi}: no piece to move")
    promotion = "成" if move.promotes else "不成" * can_promote(piece, move.origin, move.target)
    return (
        NAME[piece.kind] + _distinguishing_suffix(position, piece.kind, move.origin, move.target) + promotion
    )


def _distinguishing_suffix(position: Position, kind: Kind, origin: Square, target: Square) -> str:
    """The words that distinguish the moving piece from others of its kind; empty if there are none."""
    others = origins(position, kind, target, but=origin)
    if not others:
        return ""

    def motion(sq: Square) -> str:
        return _motion_character(position.side_to_move, sq, target)

    def side(sq: Square) -> str:
        return _side_character(
            position.side_to_move,
            kind,
            sq,
            _reference_square(kind, sq, [origin, *others], target),
            motion(sq),
        )

    def both(sq: Square) -> str:
        return side(sq) + motion(sq)

    ways: Sequence[Callable[[Square], str]] = (motion, side, both)
    return next((way(origin) for way in ways if way(origin) not in map(way, others)), both(origin))


def _motion_character(mover: Side, origin: Square, target: Square) -> str:
    up = rank_of(origin) - rank_of(target)
    if up == 0:
        return "寄"
    return "上" if (up > 0) is (mover is Side.ATTACKER) else "引"


def _reference_square(kind: Kind, sq: Square, pieces: Sequence[Square], target: Square) -> Square:
    """The reference of right and left: the target, for large pieces the other piece."""
    if kind not in _LARGE:
        return target
    return next(other for other in pieces if other != sq)


def _side_character(mover: Side, kind: Kind, origin: Square, reference: Square, motion: str) -> str:
    left = file_of(origin) - file_of(reference)
    if left == 0:
        return "直" if motion == "上" and kind not in _LARGE else ""
    return "左" if (left > 0) is (mover is Side.ATTACKER) else "右"
