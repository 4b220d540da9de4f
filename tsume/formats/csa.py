# SPDX-License-Identifier: GPL-3.0-or-later
"""CSA files, read and written (version 2.2, with the encoding named as in version 3; no variations)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tsume.formats.game_record import GameRecord, without_pieces
from tsume.formats.replay import Game, ParsedProblem, RecordReplay, numbered_lines, parsed_games
from tsume.formats.text import ENCODINGS, SHIFT_JIS, FormatError, text_excerpt
from tsume_rules.moves import Move, position_after
from tsume_rules.position import (
    HAND_KINDS,
    HAND_ORDER,
    SET_COUNT,
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

# --- reading CSA files: one problem or several, separated by ``/`` ---------------------------------

_CODES = "FUKYKEGIKAHIKIOUTONYNKNGUMRY"
CODE: dict[Kind, str] = {kind: _CODES[2 * i : 2 * i + 2] for i, kind in enumerate(Kind)}
"""The two letters of a kind."""
MARK = {Side.ATTACKER: "+", Side.DEFENDER: "-"}
"""The sign of a side: Black is ``+``."""

KIND_OF_CODE = {code: kind for kind, code in CODE.items()}
"""The reverse."""
_SIDE_OF = {mark: side for side, mark in MARK.items()}
_REST = "AL"

_LINE_IGNORED = re.compile(r"(?:V[0-9].*|N[-+].*|'CSA encoding=.*)?")
_STATEMENT_IGNORED = re.compile(r"(?:V[0-9][0-9.]*|[TL]\s*[0-9.:]*|[a-z_]+=.*)?")
"""Versions, times (``L``: what is left, as 将棋ウォーズ writes), and values of engines such as ``v=12``."""
_COMMENT = re.compile(r"'\*?(.*)")
_HEADER = re.compile(r"\$([^:]*):(.*)|\$.*")
_MOVE = re.compile(r"([+-])([1-9][1-9]|00)([1-9][1-9])([A-Z]{2})")
_ITEM = re.compile(r"([1-9][1-9]|00)([A-Z]{2})")
_CELL = re.compile(r"\s*(\*|[-+][A-Z]{2})")
_ENDING = re.compile(r"%[-+A-Z0-9_]+")
TITLE_KEY = "EVENT"
"""The header that names a problem."""


def find_csa(text: str) -> Iterator[ParsedProblem]:
    """The problems of a CSA text, in its order, each with its moves, comments and title.

    The attacker of every position is Black and to move: a problem in which
    White (``-``) moves first is rotated. Where no line says who moves first, the first move does; without
    moves it is Black, in a handicap game White. Moves without a position are a game from the start. Pieces
    that are nowhere go to the defender's hand. What cannot be read is a fault of its problem, also a text
    without any problem.
    """
    found, last = False, 1
    for lines in _csa_problems(text):
        reader = _CsaReader()
        fault = _csa_fault(reader, lines)
        last = lines[-1][0] if lines else last
        if fault is not None:
            yield ParsedProblem(reader.first_line, reader.title, fault=fault)
        elif reader.replay is not None:
            record = reader.replay.record(reader.title)
            yield ParsedProblem(reader.first_line, reader.title, reader.replay.parsed, record)
        found |= fault is not None or reader.replay is not None
    if not found:
        yield ParsedProblem(1, fault=FormatError("no position", last))


def read_csa(text: str) -> list[Game]:
    """Positions and main lines of `find_csa`; the first fault is raised as `FormatError`."""
    return parsed_games(find_csa(text))


def _csa_problems(text: str) -> Iterator[list[tuple[int, str]]]:
    lines: list[tuple[int, str]] = []
    for number, line in numbered_lines(text):
        if line.strip() == "/":
            yield lines
            lines = []
        else:
            lines.append((number, line))
    yield lines


def _csa_fault(reader: _CsaReader, lines: list[tuple[int, str]]) -> FormatError | None:
    try:
        for number, line in lines:
            reader.feed(line, number)
        reader.finish()
    except FormatError as error:
        return error
    return None


@dataclass
class _CsaDraft:
    """A position as far as it has been read."""

    board: list[Piece | None] = field(default_factory=lambda: [None] * 81)
    hands: dict[Side, Hand] = field(default_factory=lambda: dict.fromkeys(Side, Hand()))
    rest: Side | None = None
    ranks: set[str] = field(default_factory=set)
    first_line: int = 0
    usual_turn: Side = Side.ATTACKER

    def begin(self, turn: Side | None, line: int) -> RecordReplay:
        """The position, complete, with the side to move."""
        if not self.first_line:
            _read_start(self, "")
        if self.rest is not None:
            hand = self.hands[self.rest]
            used = Counter(piece.kind.base for piece in self.board if piece is not None)
            for kind in HAND_KINDS:
                held = sum(each[kind] for each in self.hands.values())
                hand = hand.plus(kind, max(SET_COUNT[kind] - used[kind] - held, 0))
            self.hands[self.rest] = hand
        black, white = (self.hands[side] for side in Side)
        side = self.usual_turn if turn is None else turn
        return RecordReplay.of(Position(tuple(self.board), black, white, side), self.first_line or line)

    def place(self, sq: Square, piece: Piece) -> None:
        if self.board[sq] is not None:
            raise ValueError("a square is given twice")
        self.board[sq] = piece


class _CsaReader:
    """Takes the lines of one problem one by one."""

    def __init__(self) -> None:
        self.first_line = 0
        self.title = ""
        self.replay: RecordReplay | None = None
        self._line = 1
        self._draft = _CsaDraft()
        self._turn: Side | None = None
        self._comments: list[str] = []
        self._ended = False

    def feed(self, text: str, number: int) -> None:
        """Take a line; `FormatError` when it cannot be understood."""
        self._line, text = number, text.strip()
        if _LINE_IGNORED.fullmatch(text):
            return
        self.first_line = self.first_line or number
        if header := _HEADER.fullmatch(text):
            self.title = header[2].strip() if header[1] == TITLE_KEY else self.title
            return
        statements, mark, comment = text.partition("'")
        if not text.startswith("P"):
            statements = statements.replace("\t", ",")  # as 将棋ウォーズ separates moves
        for statement in statements.split(","):
            self._statement(statement.strip())
        if mark and (found := _COMMENT.fullmatch(mark + comment)):
            self._comment(found[1])

    def finish(self) -> None:
        """Take the end of the problem."""
        if self._draft.first_line:
            self._begun()
        elif self.replay is None and (self._turn is not None or self._ended):
            raise FormatError("neither a position nor a move", self._line)

    def _begun(self, turn: Side | None = None) -> RecordReplay:
        """The replay, begun at the position read so far; ``turn`` is used if no line says who moves."""
        if self.replay is None:
            self.replay = self._draft.begin(turn if self._turn is None else self._turn, self._line)
            for comment in self._comments:
                self.replay.comment(comment)
        return self.replay

    def _comment(self, text: str) -> None:
        if self.replay is None:
            self._comments.append(text)
        else:
            self.replay.comment(text)

    def _statement(self, text: str) -> None:
        if _STATEMENT_IGNORED.fullmatch(text):
            return
        if text.startswith("P"):
            self._position(text)
        elif text in _SIDE_OF:
            side = _SIDE_OF[text]
            if self._turn is not None:
                raise FormatError("the side to move is given twice", self._line)
            if self.replay is not None:
                raise FormatError("the side to move is given after the moves", self._line)
            self._turn = side
        elif _ENDING.fullmatch(text):
            self._ended = True
        elif text[0] in _SIDE_OF:
            if self._ended:
                raise FormatError("a move after the end of the game", self._line)
            replay = self._begun(_SIDE_OF[text[0]])
            replay.play(lambda replay: _parse_move(text, replay, self._line), text, self._line)
        else:
            raise FormatError(f"cannot parse: {text_excerpt(text)}", self._line)

    def _position(self, text: str) -> None:
        if self.replay is not None or self._ended:
            raise FormatError("a position after the moves", self._line)
        self._draft.first_line = self._draft.first_line or self._line
        try:
            head, rest = text[1:2], text[2:]
            if head == "I":
                _read_start(self._draft, rest)
            elif head in _SIDE_OF:
                side = _SIDE_OF[head]
                for sq, code in _items(rest):
                    kind = KIND_OF_CODE.get(code)
                    if sq is None and code == _REST and self._draft.rest is None:
                        self._draft.rest = side
                    elif sq is None and kind is not None and kind <= Kind.GOLD:
                        self._draft.hands[side] = self._draft.hands[side].plus(kind)
                    elif sq is not None and kind is not None:
                        self._draft.place(sq, Piece(side, kind))
                    else:
                        raise ValueError(f"invalid piece for its square: {code}")
            elif head and head in "123456789":
                _read_rank(self._draft, head, rest)
            else:
                raise ValueError("not a position line")
        except ValueError as error:
            raise FormatError(f"{error}: {text_excerpt(text)}", self._line) from None


def _read_start(draft: _CsaDraft, removed: str) -> None:
    """``PI``, and after it the pieces that do not take part, with their squares."""
    start, missing = without_pieces(()), []
    for sq, code in _items(removed):
        piece = None if sq is None else start.board[sq]
        if sq is None or piece is None or CODE[piece.kind] != code or sq in missing:
            raise ValueError("a piece is removed that is not there")
        missing.append(sq)
    start = without_pieces(missing)
    draft.usual_turn = start.side_to_move
    for at, standing in enumerate(start.board):
        if standing is not None:
            draft.place(at, standing)


def _read_rank(draft: _CsaDraft, rank: str, text: str) -> None:
    """Nine squares, each ``*`` or a piece, with any spaces; or three characters each, blanks being empty."""
    if rank in draft.ranks:
        raise ValueError(f"rank {rank} is given twice")
    draft.ranks.add(rank)
    cells = _CELL.findall(text)
    if len(cells) != 9 or _CELL.sub("", text).strip():
        text = text.ljust(27)
        if len(text) > 27:
            raise ValueError("more than 9 squares")
        cells = [text[at : at + 3] for at in range(0, 27, 3)]
    for file, cell in zip(range(9, 0, -1), cells, strict=True):
        if cell.strip() not in ("", "*"):
            draft.place(square(file, int(rank)), _parse_piece(cell))


def _items(text: str) -> Iterator[tuple[Square | None, str]]:
    """Pieces by their codes with their squares, None for a hand. Raises ValueError for anything else."""
    text = "".join(text.split())
    for at in range(0, len(text), 4):
        item = _ITEM.fullmatch(text[at : at + 4])
        if item is None:
            raise ValueError(f"no piece with a square at {text[at : at + 4]!r}")
        yield None if item[1] == "00" else _parse_csa_square(item[1]), item[2]


def _parse_piece(cell: str) -> Piece:
    side, kind = _SIDE_OF.get(cell[0]), KIND_OF_CODE.get(cell[1:])
    if side is None or kind is None:
        raise ValueError(f"invalid piece: {cell!r}")
    return Piece(side, kind)


def _parse_move(text: str, replay: RecordReplay, line: int) -> Move:
    found = _MOVE.fullmatch(text)
    kind = KIND_OF_CODE.get(found[4]) if found else None
    if found is None or kind is None:
        raise FormatError(f"invalid move: {text_excerpt(text)}", line)
    if _SIDE_OF[found[1]] is not replay.side_to_move:
        raise FormatError(f"move {text_excerpt(text)}: it is the other side's turn", line)
    target = _parse_csa_square(found[3])
    if found[2] == "00":
        return Move(target, drop=kind)
    piece = replay.piece(_parse_csa_square(found[2]))
    if piece is None or kind not in (piece.kind, piece.kind.promoted):
        raise FormatError(f"move {text_excerpt(text)}: no such piece there", line)
    return Move(target, _parse_csa_square(found[2]), promotes=kind is not piece.kind)


def _parse_csa_square(digits: str) -> Square:
    return square(int(digits[0]), int(digits[1]))


# --- CSA files -------------------------------------------------------------------------------------

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
