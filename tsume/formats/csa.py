# SPDX-License-Identifier: GPL-3.0-or-later
"""CSA files, read and written (version 2.2, with the encoding named as in version 3; no variations)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial

from tsume.formats.game_record import GameRecord, handicap_start
from tsume.formats.replay import ParsedProblem, ProblemReader, RecordReplay, numbered_lines, parsed_problems
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
_SAID = {"N+": "先手", "N-": "後手", "$START_TIME:": "開始日時"}
"""What lines with other headers begin with, and what files of KIF call it."""


def find_csa(text: str) -> Iterator[ParsedProblem]:
    """Yield the problems of a CSA text, in its order, each with its moves, comments and title.

    The attacker of every position is Black and to move: a problem in which White (``-``) moves first is rotated. Where
    no line says who moves first, the first move does; without moves it is Black, in a handicap game White. Moves
    without a position are a game from the start. Pieces that are nowhere go to the defender's hand. What cannot be read
    is a fault of its problem, also a text without any problem.
    """
    problems: list[list[tuple[int, str]]] = [[]]
    for number, line in numbered_lines(text):
        if line.strip() == "/":
            problems.append([])
        else:
            problems[-1].append((number, line.strip()))
    return parsed_problems(map(_CsaReader, problems), "no position")


class _CsaReader(ProblemReader):
    def __init__(self, lines: list[tuple[int, str]]) -> None:
        super().__init__(lines[-1][0] if lines else None)
        self._line = 1
        self._position_line = 0
        self._board: list[Piece | None] = [None] * 81
        self._hands = dict.fromkeys(Side, Hand())
        self._rest: Side | None = None  # who has the pieces that are nowhere
        self._ranks: set[str] = set()
        self._usual_turn = Side.ATTACKER
        self._turn: Side | None = None
        self._ended = False
        try:
            for number, text in lines:
                self._line = number
                self._read_line(text)
            if self._position_line:
                self._begun()
            elif self.replay is None and (self._turn is not None or self._ended):
                raise FormatError("neither a position nor a move", self._line)
        except FormatError as error:
            self.fault = error

    def _read_line(self, text: str) -> None:  # noqa: PLR0912 - one for each kind of statement
        said = ((key, text.removeprefix(mark)) for mark, key in _SAID.items() if text.startswith(mark))
        self.headers += [(key, value) for key, value in said if value]
        if _LINE_IGNORED.fullmatch(text):
            return
        self.first_line = self.first_line or self._line
        if header := _HEADER.fullmatch(text):
            self.title = header[2].strip() if header[1] == TITLE_KEY else self.title
            return
        statements, mark, comment = text.partition("'")
        if not text.startswith("P"):
            statements = statements.replace("\t", ",")  # as 将棋ウォーズ separates moves
        for part in statements.split(","):
            statement = part.strip()
            if _STATEMENT_IGNORED.fullmatch(statement):
                continue
            if statement.startswith("P"):
                if self.replay is not None or self._ended:
                    raise FormatError("a position after the moves", self._line)
                self._position_line = self._position_line or self._line
                try:
                    self._read_position(statement[1:2], statement[2:])
                except ValueError as error:
                    raise FormatError(f"{error}: {text_excerpt(statement)}", self._line) from None
            elif statement in _SIDE_OF:
                if self._turn is not None:
                    raise FormatError("the side to move is given twice", self._line)
                if self.replay is not None:
                    raise FormatError("the side to move is given after the moves", self._line)
                self._turn = _SIDE_OF[statement]
            elif _ENDING.fullmatch(statement):
                self._ended = True
            elif statement[0] in _SIDE_OF:
                if self._ended:
                    raise FormatError("a move after the end of the game", self._line)
                self._begun(_SIDE_OF[statement[0]]).play(
                    partial(_read_move, statement, self._line), statement, self._line
                )
            else:
                raise FormatError(f"cannot parse: {text_excerpt(statement)}", self._line)
        if mark and (found := _COMMENT.fullmatch(mark + comment)):
            self._comment(found[1])

    def _begun(self, turn: Side | None = None) -> RecordReplay:
        """Return the replay, begun at the position read so far, ``turn`` being used if no line names one."""
        if self.replay is not None:
            return self.replay
        if not self._position_line:
            self._read_start("")
        if self._rest is not None:
            used = Counter(piece.kind.base for piece in self._board if piece is not None)
            for kind in HAND_KINDS:
                held = sum(each[kind] for each in self._hands.values())
                left = max(SET_COUNT[kind] - used[kind] - held, 0)
                self._hands[self._rest] = self._hands[self._rest].plus(kind, left)
        black, white = (self._hands[side] for side in Side)
        given = turn if self._turn is None else self._turn
        mover = self._usual_turn if given is None else given
        position = Position(tuple(self._board), black, white, mover)
        return self._begin(position, self._position_line or self._line)

    def _read_position(self, head: str, rest: str) -> None:
        if head == "I":
            self._read_start(rest)
        elif head in _SIDE_OF:
            side = _SIDE_OF[head]
            for sq, code in _items(rest):
                kind = KIND_OF_CODE.get(code)
                if sq is None and code == _REST and self._rest is None:
                    self._rest = side
                elif sq is None and kind is not None and kind <= Kind.GOLD:
                    self._hands[side] = self._hands[side].plus(kind)
                elif sq is not None and kind is not None:
                    self._put(sq, Piece(side, kind))
                else:
                    raise ValueError(f"invalid piece for its square: {code}")
        elif head and head in "123456789":
            self._read_rank(head, rest)
        else:
            raise ValueError("not a position line")

    def _read_start(self, removed: str) -> None:
        """Read ``PI`` and the pieces that do not take part, with their squares."""
        start, missing = handicap_start(()), []
        for sq, code in _items(removed):
            piece = None if sq is None else start.board[sq]
            if sq is None or piece is None or CODE[piece.kind] != code or sq in missing:
                raise ValueError("a piece is removed that is not there")
            missing.append(sq)
        start = handicap_start(missing)
        self._usual_turn = start.side_to_move
        for at, standing in enumerate(start.board):
            if standing is not None:
                self._put(at, standing)

    def _read_rank(self, rank: str, text: str) -> None:
        """Read nine squares, ``*`` or a piece with any spaces; or of three characters, blank if empty."""
        if rank in self._ranks:
            raise ValueError(f"rank {rank} is given twice")
        self._ranks.add(rank)
        cells = _CELL.findall(text)
        if len(cells) != 9 or _CELL.sub("", text).strip():
            text = text.ljust(27)
            if len(text) > 27:
                raise ValueError("more than 9 squares")
            cells = [text[at : at + 3] for at in range(0, 27, 3)]
        for file, cell in zip(range(9, 0, -1), cells, strict=True):
            if cell.strip() not in ("", "*"):
                side, kind = _SIDE_OF.get(cell[0]), KIND_OF_CODE.get(cell[1:])
                if side is None or kind is None:
                    raise ValueError(f"invalid piece: {cell!r}")
                self._put(square(file, int(rank)), Piece(side, kind))

    def _put(self, sq: Square, piece: Piece) -> None:
        if self._board[sq] is not None:
            raise ValueError("a square is given twice")
        self._board[sq] = piece


def _read_move(text: str, line: int, replay: RecordReplay) -> Move:
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


def _items(text: str) -> Iterator[tuple[Square | None, str]]:
    """Yield codes of pieces with their squares, None for a hand. Raises ValueError for anything else."""
    text = "".join(text.split())
    for at in range(0, len(text), 4):
        item = _ITEM.fullmatch(text[at : at + 4])
        if item is None:
            raise ValueError(f"no piece with a square at {text[at : at + 4]!r}")
        yield None if item[1] == "00" else _parse_csa_square(item[1]), item[2]


def _parse_csa_square(digits: str) -> Square:
    return square(int(digits[0]), int(digits[1]))


# --- writing CSA files -----------------------------------------------------------------------------

VERSION = "V2.2"
_ENCODING_NAMES = {ENCODINGS["utf-8"]: "UTF-8", SHIFT_JIS: "SHIFT_JIS"}
"""Encodings as version 3 names them in the first line, which is a comment for version 2.2."""


def _encoding_line(encoding: str) -> str:
    return f"'CSA encoding={_ENCODING_NAMES[encoding]}\n" if encoding in _ENCODING_NAMES else ""


_HEAD = _encoding_line(ENCODINGS["utf-8"])


def csa_in_encoding(text: str, encoding: str) -> str:
    """Return the beginning of a text that was written here, with the name of another encoding than UTF-8."""
    return _encoding_line(encoding) + text.removeprefix(_HEAD) if text.startswith(_HEAD) else text


def write_csa(record: GameRecord) -> str:
    """Return one problem as a CSA file; the defender's hand is written out: others do not know ``P-00AL``.

    Raises `tsume_rules.moves.ImpossibleMove` when the line cannot be played.
    """
    return "".join(write_csa_collection([record]))


def write_csa_collection(records: Iterable[GameRecord]) -> Iterator[str]:
    """Yield several problems, separated by lines with ``/``."""
    for place, record in enumerate(records):
        lines = ["/"] if place else [f"{_HEAD}{VERSION}"]
        lines += [f"${TITLE_KEY}:{record.title_line}"] if record.title_line else []
        lines += [f"'*{line}" for line in record.comment_lines]
        position = record.position
        for rank in range(1, 10):
            pieces = (position.board[square(file, rank)] for file in range(9, 0, -1))
            cells = (" * " if piece is None else MARK[piece.side] + CODE[piece.kind] for piece in pieces)
            lines.append(f"P{rank}{''.join(cells)}")
        for side in Side:
            if held := position.hand(side):
                lines.append(f"P{MARK[side]}" + "".join(f"00{CODE[kind]}" * held[kind] for kind in HAND_ORDER))
        lines.append(MARK[position.side_to_move])
        for number, move in enumerate(record.line, start=1):
            mark, position = MARK[position.side_to_move], position_after(position, move)
            moved = position.board[move.target]
            kind = moved.kind if moved is not None else Kind.PAWN  # `position_after` has put it there
            lines.append(f"{mark}{_csa_square(move.origin)}{_csa_square(move.target)}{CODE[kind]}")
            lines += [f"'*{comment}" for comment in record.main.comments_on(number)]
        if record.line:
            lines.append("%TSUMI" if record.mates else "%CHUDAN")
        yield "\n".join(lines) + "\n"


def _csa_square(sq: Square | None) -> str:
    return "00" if sq is None else f"{file_of(sq)}{rank_of(sq)}"
