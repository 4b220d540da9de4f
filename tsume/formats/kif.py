# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing KIF files, with variations."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tsume.formats.diagram import board_lines
from tsume.formats.game_record import GameRecord
from tsume.formats.kif_reader import find_kif, read_kif
from tsume.formats.symbols import NAME, hand_text, square_text
from tsume.formats.variations import PlacedBranch, in_writing_order
from tsume_rules.moves import Move, position_after
from tsume_rules.position import Position, Square, file_of, rank_of

__all__ = ["find_kif", "head_lines", "read_kif", "record_text", "write_kif"]

MOVES_HEADER = "手数----指手---------消費時間--"
_TIME = "( 0:00/00:00:00)"
_EMPTY = "なし"


def write_kif(record: GameRecord) -> str:
    """One problem as a KIF file; all added characters are in Shift_JIS too.

    The variations follow the main line, the last ones first: other programs require this order. ``+`` marks
    a move with alternatives further down. Raises `tsume_rules.moves.ImpossibleMove` for an illegal line.
    """
    return record_text(record, [*head_lines(record, _EMPTY), MOVES_HEADER], _kif_lines)


def record_text(
    record: GameRecord, head: list[str], line_rows: Callable[[PlacedBranch], Iterator[str]]
) -> str:
    """A record in KIF or KI2: head, comments, main line with its result, variations."""
    main, *variations = in_writing_order(record)
    lines = [*head, *(f"*{line}" for line in record.comment_lines), *line_rows(main)]
    if record.line:
        lines.append(f"まで{len(record.line)}手で{'詰' if record.mates else '中断'}")
    for placed in variations:
        lines += ["", f"変化：{placed.branch.first}手", *line_rows(placed)]
    return "\n".join(lines) + "\n"


def head_lines(record: GameRecord, empty_hand: str) -> list[str]:
    """Title, other headers, hands and board."""
    head = [f"作品名：{record.title_line}"] if record.title_line else []
    position = record.position
    return [
        *head,
        *(f"{key}：{value}" for key, value in record.header_lines),
        f"後手の持駒：{hand_text(position.defender_hand) if position.defender_hand else empty_hand}",
        *board_lines(position),
        f"先手の持駒：{hand_text(position.attacker_hand) if position.attacker_hand else empty_hand}",
    ]


def _kif_lines(placed: PlacedBranch) -> Iterator[str]:
    branch, position, last = placed.branch, placed.position, placed.last_target
    for number, move in enumerate(branch.line, start=branch.first):
        yield _numbered_kif_line(number, _kif_move(position, move, last), placed)
        yield from (f"*{line}" for line in branch.comments_on(number))
        position, last = position_after(position, move), move.target
    if branch.mates:
        yield _numbered_kif_line(branch.end, "詰み", placed)
    elif branch.line and placed.main:
        yield _numbered_kif_line(branch.end, "中断", placed)


def _numbered_kif_line(number: int, text: str, placed: PlacedBranch) -> str:
    mark = "+" if placed.has_others(number) else ""
    return f"{number:4} {text}   {_TIME}{mark}"


def _kif_move(position: Position, move: Move, last: Square | None) -> str:
    where = "同　" if move.target == last else square_text(move.target)
    if move.origin is None:
        assert move.drop is not None
        return f"{where}{NAME[move.drop]}打"
    piece = position.board[move.origin]
    name = NAME[piece.kind] if piece is not None else ""  # `position_after` refuses the move
    return f"{where}{name}{'成' * move.promotes}({file_of(move.origin)}{rank_of(move.origin)})"
