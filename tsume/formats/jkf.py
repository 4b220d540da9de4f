# SPDX-License-Identifier: GPL-3.0-or-later
"""JKF, the JSON of json-kifu-format (version 1.0), read and written, variations as ``forks``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from tsume.formats.csa import CODE, KIND_OF_CODE
from tsume.formats.game_record import EVEN, Branch, GameRecord, game_start, preset_start
from tsume.formats.kif_lines import HANDICAP, LineKind, kif_line, title_and_headers
from tsume.formats.move_texts import resolved_move
from tsume.formats.replay import ParsedProblem, RecordReplay
from tsume.formats.text import FormatError, JsonError, is_integer, json_excerpt, parse_json, text_excerpt
from tsume_rules.moves import Move, can_promote, position_after
from tsume_rules.position import HAND_KINDS, Hand, Kind, Piece, Position, Side, Square, file_of, rank_of, square

# --- reading JKF, the JSON of json-kifu-format (version 1.0): one problem, or a list of several ----

COLOURS = {Side.ATTACKER: 0, Side.DEFENDER: 1}
"""A side's number: Black is 0."""
SPECIAL = {True: "TSUMI", False: "CHUDAN"}
"""The ending of a line, by whether it mates."""

_WAYS = {"L": "左", "C": "直", "R": "右", "U": "上", "M": "寄", "D": "引"}
_SIDES = dict(zip(COLOURS.values(), COLOURS, strict=True))
_DEEPEST = 200
"""Variations inside variations; Python's own stack would end later."""


def find_jkf(text: str) -> Iterator[ParsedProblem]:
    """Yield the problems of a JKF text, with variations, comments and headers.

    The attacker of every position is Black and to move: a problem in which White moves first is rotated. Pieces that
    are nowhere go to the defender's hand. An invalid problem has a fault, which names the place in the JSON.
    """
    try:
        read = parse_json(text.removeprefix("\ufeff"))
    except JsonError as error:
        yield ParsedProblem(1, fault=FormatError(f"invalid JSON: {error}", error.line))
        return
    problems = read if isinstance(read, list | tuple) else [read]
    if not problems:
        yield ParsedProblem(1, fault=FormatError("an empty list", 1))
    for fields in problems:
        title, replay = "", None
        others: list[tuple[str, str]] = []
        try:
            whole = _require_object(fields, "a problem")
            if not {"header", "initial", "moves"} & set(whole):
                hint = ": write one object with sfen a line" if "sfen" in whole else ""
                raise FormatError(f"neither header, initial nor moves{hint}", 1)
            given = _require_object(whole.get("header", {}), "header")
            header = {key: str(value) for key, value in given.items()}
            title, others = title_and_headers(header)
            replay = RecordReplay.of(_parsed_start(whole), 1)
            moves = _require_list(whole.get("moves", []), "moves")
            played = [item.get("move") if isinstance(item, dict) else None for item in moves]
            # If a move says from which square, then those of its record that do not are drops.
            named = any(isinstance(move, dict) and move.get("from") is not None for move in played)
            _play_moves(replay, moves, named=named)
        except FormatError as error:
            before = None if replay is None else (replay.parsed, replay.record(title, others))
            yield ParsedProblem(1, title, fault=error, before=before)
            continue
        yield ParsedProblem(1, title, replay.parsed, replay.record(title, others))


# --- the position -------------------------------------------------------------------------------


def _named_start(header: dict[str, Any]) -> Position:
    for key, value in header.items():
        if kif_line(1, f"{key}：{value}").kind in (LineKind.HAND, LineKind.TURN):
            raise FormatError(f"{text_excerpt(key)} is given, but no board", 1)
    handicap = str(header.get(HANDICAP, EVEN))
    try:
        start = game_start(handicap)
    except ValueError as error:
        raise FormatError(str(error), 1) from None
    if start is None:
        raise FormatError(f"no board, and {HANDICAP} is {text_excerpt(handicap)}", 1)
    return start


def _parsed_start(whole: dict[str, Any]) -> Position:
    if not whole.get("initial"):
        return _named_start(whole.get("header", {}))
    initial = _require_object(whole["initial"], "initial")
    preset, data = initial.get("preset"), initial.get("data")
    if data is None:
        start = preset_start(str(preset))
        if start is None:
            raise FormatError(f"no board, and preset is {text_excerpt(str(preset))}", 1)
        return start
    data = _require_object(data, "data")
    board: list[Piece | None] = [None] * 81
    for file, cells in enumerate(_require_list(data.get("board"), "board", 9), start=1):
        for rank, given in enumerate(_require_list(cells, f"file {file}", 9), start=1):
            cell = _require_object(given, f"square {file}{rank}")
            if cell.get("kind"):
                side = _parsed_side(cell.get("color"))
                board[square(file, rank)] = Piece(side, _parsed_kind(cell["kind"]))
    hands = []
    for fields in _require_list(data.get("hands", [{}, {}]), "hands"):
        held = _require_object(fields, "a hand").items()
        counts = {_parsed_kind(code): number for code, number in held if number}
        for kind, number in counts.items():
            if kind not in HAND_KINDS or not is_integer(number) or not 0 <= number <= 18:
                what = f"{text_excerpt(str(number))} of {kind.name.lower()}"
                raise FormatError(f"invalid number in hand: {what}", 1)
        hands.append(Hand.of(counts))
    if len(hands) != 2:
        raise FormatError(f"{len(hands)} hands, not 2", 1)
    return Position(tuple(board), hands[0], hands[1], _parsed_side(data.get("color", 0)))


# --- the moves ----------------------------------------------------------------------------------


def _play_moves(replay: RecordReplay, items: Sequence[Any], depth: int = 0, *, named: bool) -> None:
    """Play a line, then its variations, the last ones first. ``named``: moves of the record have origins."""
    if depth > _DEEPEST:
        raise FormatError(f"variations nested more than {_DEEPEST} deep", 1)
    forks: list[tuple[int, Sequence[Any]]] = []
    for item in items:
        fields = _require_object(item, "a move")
        number = replay.next_number
        forks += [(number, _require_list(fork, "a fork")) for fork in _require_list(fields.get("forks", []), "forks")]
        if "move" in fields:
            text = json_excerpt(fields["move"])
            replay.play(partial(_parsed_move, fields=fields["move"], text=text, named=named), text, 1)
        for comment in _require_list(fields.get("comments", []), "comments"):
            replay.comment(str(comment))
    for number, fork in sorted(forks, key=lambda one: -one[0]):
        if any(_require_object(item, "a move").get("move") for item in fork):
            replay.branch(number, 1)
            _play_moves(replay, fork, depth + 1, named=named)


def _parsed_move(replay: RecordReplay, fields: object, text: str, named: bool) -> Move:
    move = _require_object(fields, "move")
    if "color" in move and _parsed_side(move["color"]) is not replay.side_to_move:
        raise FormatError(f"move {text_excerpt(text)}: it is the other side's turn", 1)
    target = replay.last_target if "to" not in move else _parsed_square(move["to"])
    if target is None:
        raise FormatError(f"move {text_excerpt(text)}: no target square", 1)
    kind = _parsed_kind(move.get("piece"))
    promotes = move.get("promote") is True
    if move.get("from") is None:
        # A drop, or a move whose origin is given in words, as in files made from KI2.
        words = str(move.get("relative") or "")
        if not set(words) <= {*_WAYS, "H"}:
            raise FormatError(f"move {text_excerpt(text)}: relative is {text_excerpt(words)}", 1)
        unsaid = True if named else None
        drop = True if "H" in words else unsaid if not words and not promotes else False
        way = "".join(_WAYS[word] for word in words if word != "H")
        return resolved_move(replay, target, kind, way=way, drop=drop, promotes=promotes, text=text, line=1)
    origin = _parsed_square(move["from"])
    if replay.piece(origin) != Piece(replay.side_to_move, kind):
        raise FormatError(f"move {text_excerpt(text)}: no such piece there", 1)
    return Move(target, origin, promotes=promotes)


# --- the values ---------------------------------------------------------------------------------


def _require_object(value: object, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FormatError(f"{name} is not a JSON object", 1)
    return value


def _require_list(value: object, name: str, length: int | None = None) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise FormatError(f"{name} is not a list", 1)
    if length is not None and len(value) != length:
        raise FormatError(f"{name} does not have {length} items", 1)
    return value


def _parsed_side(value: object) -> Side:
    if not is_integer(value) or value not in _SIDES:
        raise FormatError(f"invalid color: {text_excerpt(str(value))}", 1)
    return _SIDES[value]


def _parsed_kind(value: object) -> Kind:
    if not isinstance(value, str) or value not in KIND_OF_CODE:
        raise FormatError(f"invalid piece: {text_excerpt(str(value))}", 1)
    return KIND_OF_CODE[value]


def _parsed_square(value: object) -> Square:
    place = _require_object(value, "a square")
    file, rank = place.get("x"), place.get("y")
    if not (is_integer(file) and is_integer(rank)) or not (1 <= file <= 9 and 1 <= rank <= 9):
        raise FormatError(f"invalid square: {text_excerpt(str(value))}", 1)
    return square(file, rank)


# --- writing JKF -----------------------------------------------------------------------------------

_Fields = dict[str, Any]


def write_jkf(record: GameRecord, *, every_header: bool = False) -> str:
    """Return one problem as a line of JKF, ``every_header`` with those that other programs do not know.

    Raises `tsume_rules.moves.ImpossibleMove` when a line cannot be played.
    """
    header = {"作品名": record.title_line} if record.title_line else {}
    start = {"comments": record.comment_lines} if record.comment_lines else {}
    position = record.position
    columns = [[position.board[square(file, rank)] for rank in range(1, 10)] for file in range(1, 10)]
    board = [
        [{} if one is None else {"color": COLOURS[one.side], "kind": CODE[one.kind]} for one in column]
        for column in columns
    ]
    hands = [{CODE[kind]: position.hand(side)[kind] for kind in HAND_KINDS} for side in Side]
    data = {"color": COLOURS[position.side_to_move], "board": board, "hands": hands}
    fields = {
        "header": {**header, **dict(record.headers if every_header else record.header_lines)},
        "initial": {"preset": "OTHER", "data": data},
        "moves": [start, *_jkf_moves(record.main, position, None, main=True)],
    }
    return json.dumps(fields, ensure_ascii=False) + "\n"


def _jkf_moves(branch: Branch, position: Position, last: Square | None, *, main: bool) -> list[_Fields]:
    """Return the moves of a line and its ending, each with its alternatives."""
    items: list[_Fields] = []
    for number, move in enumerate(branch.line, start=branch.first):
        after = position_after(position, move)
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
        item: _Fields = {"move": fields | ({"same": True} if move.target == last else {})}
        if comments := branch.comments_on(number):
            item["comments"] = comments
        items.append(item | _jkf_forks(branch, number, position, last))
        position, last = after, move.target
    ending = {"special": SPECIAL[branch.mates]} if branch.mates or (branch.line and main) else {}
    ending |= _jkf_forks(branch, branch.end, position, last)
    return [*items, ending] if ending else items


def _jkf_forks(branch: Branch, number: int, position: Position, last: Square | None) -> _Fields:
    forks = [_jkf_moves(other, position, last, main=False) for other in branch.leaving(number)]
    return {"forks": forks} if forks else {}


def _jkf_square(sq: Square) -> _Fields:
    return {"x": file_of(sq), "y": rank_of(sq)}
