# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading KIF, KI2 and BOD texts: one problem or several, with or without moves.

The diagram defines the position. An unknown line that is no comment is an
error: no move must be lost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from tsume.formats.diagram import parse_rank_line
from tsume.formats.errors import FormatError, text_excerpt
from tsume.formats.game_starts import EVEN, game_start
from tsume.formats.kif_lines import HAND_KEYS, HANDICAP, TITLE_KEYS, TURNS, KifLine, LineKind, split_problems
from tsume.formats.move_texts import ki2_move, ki2_move_texts, kif_move
from tsume.formats.parsed_problem import ParsedProblem, numbered_lines, parsed_games
from tsume.formats.replay import Game, RecordReplay
from tsume.formats.symbols import parse_hand_text
from tsume_rules.hands import Hand
from tsume_rules.pieces import Piece, Side
from tsume_rules.position import Board, Position
from tsume_rules.squares import square

_ENDINGS = re.compile(
    "中断|投了|持将棋|千日手|不?詰み?|切れ負け|時間切れ|反則(?:勝ち|負け)|入玉(?:勝ち|宣言)|不戦[勝敗]|封じ手|"
    "最大手数|引き?分け?"
)
_NOTHING = "no board and no moves"


def find_kif(text: str) -> Iterator[ParsedProblem]:
    """The problems of a text in KIF or KI2, in its order, with variations, comments and headers.

    The attacker of every position is Black and to move: a problem in which
    White moves first is rotated. Pieces that are nowhere go to the defender's
    hand. What cannot be read is a fault of its problem, also a text without any problem.
    """
    found, last = False, 1
    for lines in split_problems(numbered_lines(text)):
        reader = _KifReader()
        fault = _kif_fault(reader, lines)
        last = lines[-1].number if lines else last
        if fault is not None:
            yield ParsedProblem(reader.first_line, reader.title, fault=fault)
        elif reader.replay is not None:
            record = reader.replay.record(reader.title, reader.other_headers)
            yield ParsedProblem(reader.first_line, reader.title, reader.replay.parsed, record)
        found |= fault is not None or reader.replay is not None
    if not found:
        yield ParsedProblem(1, fault=FormatError(_NOTHING, last))


def read_kif(text: str) -> list[Game]:
    """Positions and main lines of `find_kif`; the first fault is raised as `FormatError`."""
    return parsed_games(find_kif(text))


def _kif_fault(reader: _KifReader, lines: list[KifLine]) -> FormatError | None:
    try:
        for line in lines:
            reader.feed(line)
        if lines:
            reader.finish(lines[-1].number)
    except FormatError as error:
        return error
    return None


class _KifReader:
    """Takes the lines of one problem one by one."""

    def __init__(self) -> None:
        self.first_line = 0
        self.replay: RecordReplay | None = None
        self._headers: dict[str, str] = {}
        self._rows: list[list[Piece | None]] = []
        self._rows_line = 0
        self._hands: dict[Side, Hand] = {}
        self._handicap_line = 0
        self._turn: Side | None = None
        self._comments: list[str] = []
        self._ended = False
        self._last_number: int | None = None
        self._offset = 0  # the number of the first move, less 1
        self._kinds: dict[LineKind, Callable[[KifLine], None]] = {
            LineKind.COMMENT: self._comment,
            LineKind.RANK: self._row,
            LineKind.KIF_MOVE: self._kif_move,
            LineKind.KI2_MOVES: self._ki2_moves,
            LineKind.TURN: self._side_to_move,
            LineKind.RESULT: self._result,
            LineKind.BRANCH: self._branch,
            LineKind.HEADER: self._header,
            LineKind.UNKNOWN: self._unknown,
        }

    @property
    def title(self) -> str:
        """The title, or an empty text."""
        return next((self._headers[key] for key in TITLE_KEYS if self._headers.get(key)), "")

    @property
    def other_headers(self) -> list[tuple[str, str]]:
        """The headers with a value, in their order, title and position apart."""
        spoken_for = {
            HANDICAP,
            *HAND_KEYS,
            *(key for key in TITLE_KEYS if self._headers.get(key) == self.title),
        }
        return [(key, value) for key, value in self._headers.items() if value and key not in spoken_for]

    def feed(self, line: KifLine) -> None:
        """Take a line. Raises `FormatError` for an invalid one."""
        if line.kind in self._kinds:
            self.first_line = self.first_line or line.number
            self._kinds[line.kind](line)

    def finish(self, number: int) -> None:
        """Take the end: a problem may have no moves."""
        if self._rows or HANDICAP in self._headers:
            self._begun(number)
        elif self.replay is None and (self._hands or self._turn or self._ended):
            raise FormatError("the record ends without a board and without moves", number)

    # --- the position ---------------------------------------------------------------

    def _begun(self, line: int) -> RecordReplay:
        """The replay, begun at the position read so far."""
        if self.replay is None:
            self.replay = RecordReplay.of(self._position(line), self._rows_line or line)
            for comment in self._comments:
                self.replay.comment(comment)
        return self.replay

    def _position(self, line: int) -> Position:
        if not self._rows:
            return self._without_diagram(line)
        if len(self._rows) != 9:
            raise FormatError(f"the diagram has {len(self._rows)} ranks, not 9", self._rows_line)
        board: list[Piece | None] = [None] * 81
        for rank, row in enumerate(self._rows, start=1):
            for file, piece in zip(range(9, 0, -1), row, strict=True):
                board[square(file, rank)] = piece
        black, white = (self._hands.get(side, Hand()) for side in Side)
        turn = self._usual_turn(tuple(board), line) if self._turn is None else self._turn
        return Position(tuple(board), black, white, turn)

    def _usual_turn(self, board: Board, line: int) -> Side:
        """The side to move if the record does not say: White where a handicap game begins, else Black."""
        start = self._start(line) if HANDICAP in self._headers else None
        return start.side_to_move if start is not None and start.board == board else Side.ATTACKER

    def _start(self, line: int) -> Position | None:
        """The start of the game that the record names, of 平手 if it names none; None for no known game."""
        try:
            return game_start(self._headers.get(HANDICAP, EVEN))
        except ValueError as error:
            raise FormatError(str(error), self._handicap_line or line) from None

    def _without_diagram(self, line: int) -> Position:
        if self._hands or self._turn:
            raise FormatError("a hand or a turn is given, but no board", line)
        start = self._start(line)
        if start is None:
            handicap = text_excerpt(self._headers[HANDICAP])
            raise FormatError(f"no board, and {HANDICAP} is {handicap}", self._handicap_line)
        return start

    def _row(self, line: KifLine) -> None:
        self._rows_line = self._rows_line or line.number
        try:
            self._rows.append(parse_rank_line(line.text))
        except ValueError as error:
            raise FormatError(str(error), line.number) from None

    def _header(self, line: KifLine) -> None:
        self._headers[line.key] = line.value
        if line.key == HANDICAP:
            self._handicap_line = line.number
        elif line.key in HAND_KEYS:
            try:
                self._hands[HAND_KEYS[line.key]] = parse_hand_text(line.value)
            except ValueError as error:
                raise FormatError(str(error), line.number) from None

    def _side_to_move(self, line: KifLine) -> None:
        if self.replay is not None:
            raise FormatError("the turn is given after the first move", line.number)
        self._turn = TURNS[line.key]

    def _unknown(self, line: KifLine) -> None:
        raise FormatError(f"cannot parse: {text_excerpt(line.text)}", line.number)

    # --- the moves ------------------------------------------------------------------

    def _comment(self, line: KifLine) -> None:
        if self.replay is None:
            self._comments.append(line.value)
        else:
            self.replay.comment(line.value)

    def _kif_move(self, line: KifLine) -> None:
        self._require_going_on(line)
        number = int(line.key)
        if self._last_number is not None and number != self._last_number + 1:
            raise FormatError(f"move {number} follows move {self._last_number}", line.number)
        if self._last_number is None:
            self._offset = number - 1
        self._last_number = number
        replay = self._begun(line.number)
        if _ENDINGS.fullmatch(line.value.partition("(")[0].rstrip(" 　+")):
            self._ended = True
        else:
            replay.play(partial(kif_move, text=line.value, line=line.number), line.value, line.number)

    def _ki2_moves(self, line: KifLine) -> None:
        self._require_going_on(line)
        replay = self._begun(line.number)
        for text in ki2_move_texts(line.value, line.number):
            replay.play(partial(ki2_move, text=text, line=line.number), text, line.number)

    def _require_going_on(self, line: KifLine) -> None:
        if self._ended:
            raise FormatError("a move after the end of the game", line.number)

    def _result(self, _line: KifLine) -> None:
        self._ended = True

    def _branch(self, line: KifLine) -> None:
        number = int(line.key)
        self._begun(line.number).branch(number - self._offset, line.number)
        self._last_number, self._ended = number - 1, False
