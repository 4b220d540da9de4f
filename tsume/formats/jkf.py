# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing JKF, the JSON of json-kifu-format (version 1.0): a problem with its variations as ``forks``."""

from __future__ import annotations

import json
from typing import Any

from tsume.formats.csa_reader import CODE
from tsume.formats.game_record import Branch, GameRecord
from tsume.formats.jkf_reader import COLOURS, SPECIAL, find_jkf, read_jkf
from tsume_rules.moves import Move, can_promote, position_after
from tsume_rules.position import HAND_KINDS, Hand, Piece, Position, Side, Square, file_of, rank_of, square

__all__ = ["find_jkf", "read_jkf", "write_jkf"]

_Fields = dict[str, Any]


def write_jkf(record: GameRecord, *, every_header: bool = False) -> str:
    """One problem as JKF, one line of JSON; with ``every_header`` also those that other programs do not know.

    Raises `tsume_rules.moves.ImpossibleMove` when a line cannot be played.
    """
    header = {"作品名": record.title_line} if record.title_line else {}
    start = {"comments": record.comment_lines} if record.comment_lines else {}
    fields = {
        "header": {**header, **dict(record.headers if every_header else record.header_lines)},
        "initial": {"preset": "OTHER", "data": _jkf_position(record.position)},
        "moves": [start, *_jkf_moves(record.main, record.position, None, main=True)],
    }
    return json.dumps(fields, ensure_ascii=False) + "\n"


def _jkf_position(position: Position) -> _Fields:
    return {
        "color": COLOURS[position.side_to_move],
        "board": [
            [_jkf_piece(position.board[square(file, rank)]) for rank in range(1, 10)] for file in range(1, 10)
        ],
        "hands": [_jkf_hand(position.hand(side)) for side in Side],
    }


def _jkf_piece(piece: Piece | None) -> _Fields:
    return {} if piece is None else {"color": COLOURS[piece.side], "kind": CODE[piece.kind]}


def _jkf_hand(hand: Hand) -> _Fields:
    return {CODE[kind]: hand[kind] for kind in HAND_KINDS}


def _jkf_moves(branch: Branch, position: Position, last: Square | None, *, main: bool) -> list[_Fields]:
    """The moves of a line and its ending, each with its alternatives."""
    items: list[_Fields] = []
    for number, move in enumerate(branch.line, start=branch.first):
        item: _Fields = {"move": _jkf_move(position, move, last)}
        if comments := branch.comments_on(number):
            item["comments"] = comments
        items.append(item | _jkf_forks(branch, number, position, last))
        position, last = position_after(position, move), move.target
    ending = {"special": SPECIAL[branch.mates]} if branch.mates or (branch.line and main) else {}
    ending |= _jkf_forks(branch, branch.end, position, last)
    return [*items, ending] if ending else items


def _jkf_forks(branch: Branch, number: int, position: Position, last: Square | None) -> _Fields:
    forks = [_jkf_moves(other, position, last, main=False) for other in branch.leaving(number)]
    return {"forks": forks} if forks else {}


def _jkf_move(position: Position, move: Move, last: Square | None) -> _Fields:
    position_after(position, move)
    fields: _Fields = {"color": COLOURS[position.side_to_move], "to": _jkf_square(move.target)}
    captured = position.board[move.target]
    piece = None if move.origin is None else position.board[move.origin]
    if move.drop is not None:
        fields |= {"piece": CODE[move.drop], "relative": "H"}
    elif piece is not None and move.origin is not None:
        fields |= {"from": _jkf_square(move.origin), "piece": CODE[piece.kind]}
        if can_promote(piece, move.origin, move.target):
            fields["promote"] = move.promotes
    if captured is not None:
        fields["capture"] = CODE[captured.kind]
    return fields | ({"same": True} if move.target == last else {})


def _jkf_square(sq: Square) -> _Fields:
    return {"x": file_of(sq), "y": rank_of(sq)}
