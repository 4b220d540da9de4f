# SPDX-License-Identifier: GPL-3.0-or-later
"""Moves as people write them: ``▲２二銀``, ``△同玉``, ``▲３一角成``.

After the Japan Shogi Association's rules (棋譜の表記方法): where several pieces of a kind can go to the square, the
motion (上 寄 引) tells them apart; where it does not, the side they come from (右 左, 直 for straight up); then both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tsume.formats.symbols import NAME, square_text
from tsume_rules.moves import ImpossibleMove, Move, can_promote, legal_origins, position_after
from tsume_rules.position import Kind, Position, Side, Square, file_of, rank_of

MARK = {Side.ATTACKER: "▲", Side.DEFENDER: "△"}

_LARGE = (Kind.BISHOP, Kind.ROOK, Kind.HORSE, Kind.DRAGON)


def move_text(position: Position, move: Move, last_target: Square | None = None) -> str:
    """Return a move of ``position`` in Japanese; ``last_target`` is the target of the last move.

    Raises `tsume_rules.moves.ImpossibleMove` when the move cannot be played there.
    """
    position_after(position, move)
    return _japanese_move(position, move, last_target)


def line_texts(position: Position, moves: Iterable[Move], start: int = 0) -> list[str]:
    """Return the texts of moves played one after the other from ``position``, without the first ``start``."""
    texts, last = [], None
    for number, move in enumerate(moves):
        after = position_after(position, move)
        if number >= start:
            texts.append(_japanese_move(position, move, last))
        position, last = after, move.target
    return texts


def line_text(position: Position, moves: Iterable[Move]) -> str:
    """Return a line of moves from ``position``, separated by spaces."""
    return " ".join(line_texts(position, moves))


def _japanese_move(position: Position, move: Move, last_target: Square | None) -> str:
    mover, target = position.side_to_move, move.target
    text = MARK[mover] + ("同" if target == last_target else square_text(target))
    if move.drop is not None:
        return text + NAME[move.drop] + ("打" if legal_origins(position, move.drop, target) else "")
    piece = position.board[move.origin] if move.origin is not None else None
    if piece is None or move.origin is None:
        raise ImpossibleMove(f"{move.usi}: no piece to move")
    kind, origin = piece.kind, move.origin
    others = legal_origins(position, kind, target, but=origin)

    def motion(sq: Square) -> str:
        up = rank_of(sq) - rank_of(target)
        return "寄" if up == 0 else "上" if (up > 0) is (mover is Side.ATTACKER) else "引"

    def side(sq: Square) -> str:
        # Right and left of the target; of large pieces, of the other piece.
        beside = next(other for other in [origin, *others] if other != sq) if kind in _LARGE else target
        left = file_of(sq) - file_of(beside)
        if left == 0:
            return "直" if motion(sq) == "上" and kind not in _LARGE else ""
        return "左" if (left > 0) is (mover is Side.ATTACKER) else "右"

    def both(sq: Square) -> str:
        return side(sq) + motion(sq)

    ways: Sequence[Callable[[Square], str]] = (motion, side, both) if others else ()
    known = "" if not others else both(origin)
    distinguished = next((way(origin) for way in ways if way(origin) not in map(way, others)), known)
    promotion = "成" if move.promotes else "不成" * can_promote(piece, origin, target)
    return text + NAME[kind] + distinguished + promotion
