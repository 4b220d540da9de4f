"""Writing KIF files."""

from __future__ import annotations

from collections.abc import Iterable

from tsume.formats.diagram import board_lines
from tsume.formats.game_record import GameRecord
from tsume.formats.kif_reader import MOVES_HEADER, read_kif
from tsume.formats.symbols import NAME, hand_text, square_text
from tsume_rules.moves import Move
from tsume_rules.play import position_after
from tsume_rules.position import Position
from tsume_rules.squares import Square, file_of, rank_of

__all__ = ["head_lines", "read_kif", "result_line", "write_kif", "write_kif_collection"]


def write_kif(record: GameRecord) -> str:
    """One problem as a KIF file; every character of it is in Shift_JIS too.

    Raises `tsume_rules.play.ImpossibleMove` when the line cannot be played.
    """
    lines = [*head_lines(record), MOVES_HEADER, *(f"*{line}" for line in record.comment_lines)]
    lines += _move_lines(record.position, record.line)
    if record.line:
        ending = "詰み" if record.mates else "中断"
        lines += [f"{len(record.line) + 1:4} {ending}", result_line(record)]
    return "\n".join(lines) + "\n"


def write_kif_collection(records: Iterable[GameRecord]) -> str:
    """Several problems one after the other, an empty line between them."""
    return "\n".join(map(write_kif, records))


def head_lines(record: GameRecord) -> list[str]:
    """Title, number of plies, hands and board, as KIF and KI2 share them."""
    head = [f"表題：{record.title_line}"] if record.title_line else []
    if record.line:
        head.append(f"手数：{len(record.line)}手")
    position = record.position
    return [
        *head,
        f"後手の持駒：{hand_text(position.defender_hand)}",
        *board_lines(position),
        f"先手の持駒：{hand_text(position.attacker_hand)}",
    ]


def result_line(record: GameRecord) -> str:
    """How the line ends: ``まで3手で詰``."""
    return f"まで{len(record.line)}手で{'詰' if record.mates else '中断'}"


def _move_lines(position: Position, moves: Iterable[Move]) -> list[str]:
    lines, last = [], None
    for number, move in enumerate(moves, start=1):
        lines.append(f"{number:4} {_move(position, move, last)}   ( 0:00/00:00:00)")
        position, last = position_after(position, move), move.target
    return lines


def _move(position: Position, move: Move, last: Square | None) -> str:
    where = "同　" if move.target == last else square_text(move.target)
    if move.origin is None:
        assert move.drop is not None
        return f"{where}{NAME[move.drop]}打"
    piece = position.board[move.origin]
    name = NAME[piece.kind] if piece is not None else ""  # `position_after` refuses the move
    return f"{where}{name}{'成' * move.promotes}({file_of(move.origin)}{rank_of(move.origin)})"
