# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing CSA files: version 2.2, with the name of the encoding as in version 3; they have no variations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tsume.formats.csa_reader import CODE, MARK, TITLE_KEY, find_csa, read_csa
from tsume.formats.encoding import ENCODINGS, SHIFT_JIS
from tsume.formats.game_record import GameRecord
from tsume_rules.moves import position_after
from tsume_rules.position import (
    HAND_ORDER,
    Hand,
    Kind,
    Piece,
    Position,
    Side,
    Square,
    file_of,
    rank_of,
    square,
)

__all__ = ["csa_in_encoding", "find_csa", "read_csa", "write_csa", "write_csa_collection"]

VERSION = "V2.2"
_ENCODING_NAMES = {ENCODINGS["utf-8"]: "UTF-8", SHIFT_JIS: "SHIFT_JIS"}
"""Encodings as version 3 names them in the first line, which is a comment for version 2.2."""


def _encoding_line(encoding: str) -> str:
    return f"'CSA encoding={_ENCODING_NAMES[encoding]}\n" if encoding in _ENCODING_NAMES else ""


_HEAD = _encoding_line(ENCODINGS["utf-8"])


def csa_in_encoding(text: str, encoding: str) -> str:
    """The beginning of a text that was written here, with the name of another encoding than UTF-8."""
    return _encoding_line(encoding) + text.removeprefix(_HEAD) if text.startswith(_HEAD) else text


def write_csa(record: GameRecord) -> str:
    """One problem as a CSA file; the defender's hand is written out: others do not know ``P-00AL``.

    Raises `tsume_rules.moves.ImpossibleMove` when the line cannot be played.
    """
    return f"{_HEAD}{VERSION}\n{_csa_game(record)}"


def write_csa_collection(records: Iterable[GameRecord]) -> Iterator[str]:
    """Several problems, separated by lines with ``/``, piece by piece."""
    for number, record in enumerate(records):
        yield ("/\n" if number else f"{_HEAD}{VERSION}\n") + _csa_game(record)


def _csa_game(record: GameRecord) -> str:
    lines = [f"${TITLE_KEY}:{record.title_line}"] if record.title_line else []
    lines += [f"'*{line}" for line in record.comment_lines]
    lines += _position_lines(record.position)
    lines += _move_lines(record)
    if record.line:
        lines.append("%TSUMI" if record.mates else "%CHUDAN")
    return "\n".join(lines) + "\n"


def _position_lines(position: Position) -> list[str]:
    ranks = [f"P{rank}{_csa_rank(position, rank)}" for rank in range(1, 10)]
    hands = [f"P{MARK[side]}{_csa_hand(position.hand(side))}" for side in Side if position.hand(side)]
    return [*ranks, *hands, MARK[position.side_to_move]]


def _csa_rank(position: Position, rank: int) -> str:
    return "".join(_csa_cell(position.board[square(file, rank)]) for file in range(9, 0, -1))


def _csa_cell(piece: Piece | None) -> str:
    return " * " if piece is None else MARK[piece.side] + CODE[piece.kind]


def _csa_hand(hand: Hand) -> str:
    return "".join(f"00{CODE[kind]}" * hand[kind] for kind in HAND_ORDER)


def _move_lines(record: GameRecord) -> list[str]:
    lines, position = [], record.position
    for number, move in enumerate(record.line, start=1):
        mark, position = MARK[position.side_to_move], position_after(position, move)
        placed = position.board[move.target]
        kind = placed.kind if placed is not None else Kind.PAWN  # `position_after` has put it there
        lines.append(f"{mark}{_csa_square(move.origin)}{_csa_square(move.target)}{CODE[kind]}")
        lines += [f"'*{comment}" for comment in record.main.comments_on(number)]
    return lines


def _csa_square(sq: Square | None) -> str:
    return "00" if sq is None else f"{file_of(sq)}{rank_of(sq)}"
