# SPDX-License-Identifier: GPL-3.0-or-later
"""The text of スマホ詰パラ (the app of the magazine 詰将棋パラダイス): a problem on a line, read and written.

There is no published specification: this is what its texts have in common, as
https://github.com/mito-shogi/tsshogi-tpa reads them. A line is ``name=value&...``, percent-encoded::

    d=0&workid=15&csv=2311_..._2411_0011&hint=...&progresscnt=3&answercsv=06140_11140_26250_&title=...

``csv`` has all 40 pieces in the order of `_KINDS`, each with file, rank, side (0: Black) and 1, or 2 if
it is promoted. File and rank are 0 in hand, and for a king that is missing, which may also be left out.
``answercsv`` has the moves: origin, target, 1 for a promotion; the origin of a drop is 0 and the number of
the piece in `_DROPS`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from urllib.parse import quote

from tsume.formats.addresses import percent_decoded
from tsume.formats.game_record import AUTHOR, GameRecord, merged_branches
from tsume.formats.replay import ParsedProblem, RecordReplay
from tsume.formats.text import FormatError, text_excerpt
from tsume_rules.moves import Move
from tsume_rules.position import Hand, Kind, Piece, Position, Side, Square, file_of, rank_of, square

_DROPS = (Kind.PAWN, Kind.LANCE, Kind.KNIGHT, Kind.SILVER, Kind.GOLD, Kind.ROOK, Kind.BISHOP)
_KINDS = (*(kind for kind, number in zip(_DROPS, (18, 4, 4, 4, 4, 2, 2), strict=True) for _ in range(number)),
          Kind.KING, Kind.KING)  # fmt: skip
_MIN_PIECES = 39
_TEXT = re.compile(r"(?:[^&=\s]+=[^&\s]*&)*csv=[0-9]{4}_[^\s]*")
_PIECE = re.compile(r"([0-9])([0-9])([01])([12])")
_MOVE = re.compile(r"([0-9])([0-9])([1-9])([1-9])([01])")
_NUMBER = re.compile(r"[0-9]{1,4}")


def is_tpa(text: str) -> bool:
    """Return whether a line is a problem of スマホ詰パラ."""
    return _TEXT.fullmatch(text) is not None


def read_tpa(text: str) -> ParsedProblem:
    """Return the problem of a line; several solutions are variations."""
    fields: dict[str, str] = {}
    for item in text.split("&"):
        name, _, value = item.partition("=")
        fields[name] = percent_decoded(value)
    title = fields.get("title", "")
    try:
        position = _parsed_position(fields["csv"])
        # The solutions: separated by ``@``, or one after the other, each of ``progresscnt`` moves.
        lines = [[item for item in part.replace("a", "").split("_") if item]
                 for part in fields.get("answercsv", "").split("@")]  # fmt: skip
        moves = [[_parsed_move(item) for item in line] for line in lines if line]
        length = fields.get("progresscnt", "")
        if len(moves) == 1 and _NUMBER.fullmatch(length) and 0 < int(length) < len(moves[0]):
            if len(moves[0]) % int(length):
                raise FormatError(f"answercsv has {len(moves[0])} moves, progresscnt is {length}", 1)
            moves = [moves[0][at : at + int(length)] for at in range(0, len(moves[0]), int(length))]
        replays = []
        for line_moves in moves or [[]]:
            replays.append(RecordReplay.of(position, 1))
            for move in line_moves:
                replays[-1].play(partial(_given, move), move.usi, 1)
    except FormatError as error:
        return ParsedProblem(1, title, fault=error)
    headers = [(AUTHOR, fields["authorname"])] if fields.get("authorname") else []
    record = replays[0].record(title, headers)
    main = record.main
    for other in replays[1:]:
        main = merged_branches(main, other.record().main)
    comments = tuple(text for name, text in fields.items() if text and name.startswith(("hint", "mdescsv")))
    return ParsedProblem(1, title, replays[0].parsed, replace(record, comments=comments, branches=main.branches))


def _parsed_move(item: str) -> Move:
    found = _MOVE.fullmatch(item)
    if found is None or found[2] == "0" or (found[1] == "0" and int(found[2]) > len(_DROPS)):
        raise FormatError(f"answercsv: invalid move: {text_excerpt(item)}", 1)
    target = square(int(found[3]), int(found[4]))
    if found[1] == "0":
        return Move(target, drop=_DROPS[int(found[2]) - 1])
    return Move(target, square(int(found[1]), int(found[2])), promotes=found[5] == "1")


def _given(move: Move, _replay: RecordReplay) -> Move:
    return move


def write_tpa(record: GameRecord) -> str:
    """Return a problem as a line, with its end; without the variations and comments."""
    # The pieces in the order of `_KINDS`; a king that is missing is as in hand.
    found: dict[Kind, list[str]] = {kind: [] for kind in (*_DROPS, Kind.KING)}
    for sq, piece in enumerate(record.position.board):
        if piece is not None:
            place = f"{_digits(sq)}{int(piece.side)}{2 if piece.kind.is_promoted else 1}"
            found[piece.kind.base].append(place)
    for side in Side:
        for kind in record.position.hand(side):
            found[kind].append(f"00{int(side)}1")
    found[Kind.KING] += ["0011"] * (2 - len(found[Kind.KING]))
    pieces = "_".join(place for places in found.values() for place in places)
    moves = ""
    for move in record.line:
        origin = f"0{_DROPS.index(move.drop) + 1}" if move.drop is not None else _digits(move.origin or 0)
        moves += f"{origin}{_digits(move.target)}{int(move.promotes)}_"
    author = dict(record.headers).get(AUTHOR, "")
    texts = f"title={quote(record.title_line, safe='')}&authorname={quote(author, safe='')}"
    return f"d=0&workid=0&csv={pieces}&hint=&progresscnt={len(record.line)}&answercsv={moves}&{texts}\n"


def _parsed_position(text: str) -> Position:
    items = [item for item in text.split("_") if item]
    if not _MIN_PIECES <= len(items) <= len(_KINDS):
        raise FormatError(f"csv has {len(items)} pieces, not 40", 1)
    board: list[Piece | None] = [None] * 81
    hands = dict.fromkeys(Side, Hand())
    for number, (item, kind) in enumerate(zip(items, _KINDS, strict=False), start=1):
        found = _PIECE.fullmatch(item)
        promoted = found is not None and found[4] == "2"
        if found is None or (promoted and kind.promoted is kind):
            raise FormatError(f"csv, piece {number}: invalid: {text_excerpt(item)}", 1)
        side = Side(int(found[3]))
        if "0" not in (found[1], found[2]):
            sq = square(int(found[1]), int(found[2]))
            if board[sq] is not None:
                raise FormatError(f"csv, piece {number}: the square of another piece: {item}", 1)
            board[sq] = Piece(side, kind.promoted if promoted else kind)
        elif promoted:
            raise FormatError(f"csv, piece {number}: promoted in hand: {item}", 1)
        elif kind is not Kind.KING:
            hands[side] = hands[side].plus(kind)
    black, white = (hands[side] for side in Side)
    return Position(tuple(board), black, white)


def _digits(sq: Square) -> str:
    return f"{file_of(sq)}{rank_of(sq)}"
