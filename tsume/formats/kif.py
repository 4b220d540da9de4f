# SPDX-License-Identifier: GPL-3.0-or-later
"""KIF and KI2 files, read and written, with variations; BOD texts are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from tsume.formats import kif_lines, symbols
from tsume.formats.diagram import DEFENDER_MARKS, board_lines, named_rank, parse_rank_line
from tsume.formats.game_record import EVEN, HEADERS, LENGTH, GameRecord, PlacedBranch, branches_in_order, game_start
from tsume.formats.japanese import move_text
from tsume.formats.move_texts import LineOfMoves, MoveText, count_moves, line_of_moves, read_move
from tsume.formats.replay import (
    CommentedMove,
    MovePlace,
    ParsedProblem,
    ProblemReader,
    RecordReplay,
    numbered_lines,
    parsed_problems,
)
from tsume.formats.text import FormatError, text_excerpt
from tsume_rules.moves import position_after
from tsume_rules.position import Hand, Piece, Position, Side, Square, file_of, rank_of, square

# --- reading KIF, KI2 and BOD texts: one problem or several, with or without moves -----------------
#
# The diagram defines the position. An unknown line that is no comment is an error: no move must be lost.

_FREE_TEXT = (
    *HEADERS,
    *kif_lines.TITLE_KEYS,
    "解説", "短評", "選評", "評", "講評", "感想", "メモ", "コメント", "ヒント", "注", "狙い",
    "note", "notes", "comment", "hint",
)  # fmt: skip
"""Headers whose values may name moves that are not the solution."""
_OF_A_TURN = re.compile("番|先[行攻]|最初|初手|開始|起点|動|^side|turn|move|first|start|stm|colou?r")
"""What is in headers whose value is the side to move."""


def find_kif(text: str) -> Iterator[ParsedProblem]:
    """Yield the problems of a text in KIF or KI2, in its order, with variations, comments and headers.

    The attacker of every position is Black and to move: a problem in which
    White moves first is rotated. Pieces that are nowhere go to the defender's
    hand. What cannot be read is a fault of its problem, also a text without any problem.
    """
    return parsed_problems(map(_KifReader, kif_lines.split_problems(numbered_lines(text))), "no board and no moves")


@dataclass(frozen=True)
class _Aside:
    """A variation or a note on a move, placed when the main line is known.

    ``label`` marks the move that it replaces; ``move`` is the number of its first move, None if
    that is not said. ``lines`` after the first one have no header of their own.
    """

    line: int
    title: str
    label: str = ""
    move: int | None = None
    footnote: bool = False
    lines: list[str] = field(default_factory=list)


class _KifReader(ProblemReader):
    def __init__(self, lines: list[kif_lines.KifLine]) -> None:
        super().__init__(lines[-1].number if lines else None)
        self._headers: dict[str, str] = {}
        self._rows: list[list[Piece | None]] = []
        self._rows_line = 0
        self._named_ranks: list[tuple[int, int | None]] = []  # with the lines of the rows
        self._marks: set[str] = set()  # of the defender's pieces
        self._hands: dict[Side, tuple[Hand, kif_lines.KifLine]] = {}
        self._players: dict[Side, kif_lines.KifLine] = {}
        self._handicap_line = 0
        self._turn: Side | None = None
        self._ended = False
        self._last_number: int | None = None
        self._offset = 0  # the number of the first move, less 1
        self._length: tuple[int, int] | None = None  # moves that are said before any, and the line
        self._solution: kif_lines.KifLine | None = None  # a header that is not played yet
        self._solved = False
        self._labels: dict[str, list[MovePlace]] = {}  # of footnotes, and the moves that they mark
        self._asides: list[_Aside] = []
        self._in_aside = False
        try:
            for line in lines:
                if line.kind not in (
                    kif_lines.LineKind.IGNORED,
                    kif_lines.LineKind.MOVES_HEADER,
                    kif_lines.LineKind.FILES,
                ):
                    self.first_line = self.first_line or line.number
                    self._read_line(line)
            if lines:
                self._finish(lines[-1].number)
        except FormatError as error:
            has_board = self._has_start or any(line.kind is kif_lines.LineKind.RANK for line in lines)
            self.fault = error if has_board else FormatError(f"{error.reason} (there is no board)", error.line)
        self.title, self.headers = kif_lines.title_and_headers(self._headers)

    @property
    def _has_start(self) -> bool:
        """Whether a board, or a handicap, was given."""
        return bool(self._rows) or kif_lines.HANDICAP in self._headers

    def _read_line(self, line: kif_lines.KifLine) -> None:  # noqa: PLR0912 - one for each kind of line
        match line.kind:
            case kif_lines.LineKind.COMMENT:
                self._comment(line.value)
            case kif_lines.LineKind.RANK:
                self._read_rank(line)
            case kif_lines.LineKind.MOVES:
                self._moves(line)
            case kif_lines.LineKind.TURN:
                self._read_turn(line)
            case kif_lines.LineKind.HAND:
                self._hand(line)
            case kif_lines.LineKind.BRANCH:
                self._in_aside = False
                if self._solution is not None:
                    self._play_solution()
                if line.move is None:
                    raise FormatError(f"a variation of which move? {text_excerpt(line.text.strip())}", line.number)
                self._begun(line.number).branch(line.move - self._offset, line.number)
                self._last_number, self._ended = line.move - 1, False
            case kif_lines.LineKind.SOLUTION:
                self._in_aside = False
                if line.value and self._solved:
                    raise FormatError(f"a second main line: {text_excerpt(line.text.strip())}", line.number)
                if line.value:
                    self._solved, self._solution = True, line
            case kif_lines.LineKind.VARIATION:
                label = line.key[-1:] if line.move is None and line.key[-1:] in self._labels else ""
                self._begin_aside(_Aside(line.number, line.key, label, line.move), line.value)
            case kif_lines.LineKind.FOOTNOTE:
                self._footnote(line)
            case kif_lines.LineKind.HEADER:
                self._header(line)
            case _:
                raise FormatError(f"cannot parse: {text_excerpt(line.text)}", line.number)

    def _finish(self, number: int) -> None:
        """Take the end: a problem may have no moves."""
        if self._solution is not None:
            self._play_solution()
        if self._has_start:
            self._begun(number)
        elif self.replay is None and (self._hands or self._turn is not None or self._ended or self._asides):
            raise FormatError("the record ends without a board and without moves", number)
        if self.replay is None:
            return
        if self._length is not None:  # the number of moves that was said before them
            (length, line), played = self._length, self.replay.main_length
            if not played:
                self._headers.setdefault(LENGTH, f"{length}手")
            elif length not in (played, played + self._offset):
                raise _other_length(length, played, line)
        for aside in self._asides:
            self._place(aside, self.replay)

    # --- the position ---------------------------------------------------------------

    def _begun(self, line: int) -> RecordReplay:
        """Return the replay, begun at the position read so far."""
        if self.replay is not None:
            return self.replay
        if not self._rows:
            if self._hands or self._turn:
                first = min((hand.number for _, hand in self._hands.values()), default=line)
                raise FormatError("a hand or a turn is given, but no board", first)
            start = self._start(line)
            if start is None:
                handicap = text_excerpt(self._headers[kif_lines.HANDICAP])
                raise FormatError(f"no board, and {kif_lines.HANDICAP} is {handicap}", self._handicap_line)
            return self._begin(start, line)
        if len(self._rows) != 9:
            raise FormatError(f"the diagram has {len(self._rows)} ranks, not 9", self._rows_line)
        for rank, (number, named) in enumerate(self._named_ranks, start=1):
            if named not in (None, rank):
                raise FormatError(f"rank {named} stands in the place of rank {rank}", number)
        board: list[Piece | None] = [None] * 81
        for rank, row in enumerate(self._rows, start=1):
            for file, piece in zip(range(9, 0, -1), row, strict=True):
                board[square(file, rank)] = piece
        turn = self._turn
        if turn is None:  # White where a handicap game begins, else Black
            start = self._start(line) if kif_lines.HANDICAP in self._headers else None
            turn = start.side_to_move if start is not None and start.board == tuple(board) else Side.ATTACKER
        if turn in self._hands and symbols.is_rest_of_pieces(self._hands[turn][1].value):
            raise FormatError("the attacker's hand is the rest of the pieces", self._hands[turn][1].number)
        unclear = [player for side, player in self._players.items() if side not in self._hands]
        if unclear:
            question = f"a name, or pieces in hand? {text_excerpt(unclear[0].text)}: write 持駒 for a hand"
            raise FormatError(question, unclear[0].number)
        black, white = (self._hands[side][0] if side in self._hands else Hand() for side in Side)
        return self._begin(Position(tuple(board), black, white, turn), self._rows_line)

    def _start(self, line: int) -> Position | None:
        """Return the start of the game that the record names, of 平手 if none; None for no known game."""
        try:
            return game_start(self._headers.get(kif_lines.HANDICAP, EVEN))
        except ValueError as error:
            raise FormatError(str(error), self._handicap_line or line) from None

    def _read_rank(self, line: kif_lines.KifLine) -> None:
        self._rows_line = self._rows_line or line.number
        try:
            self._rows.append(parse_rank_line(line.value))
        except ValueError as error:
            raise FormatError(str(error), line.number) from None
        self._named_ranks.append((line.number, named_rank(line.value)))
        self._marks |= {mark.lower() for mark in line.value if mark in DEFENDER_MARKS}
        if len(self._marks) > 1:
            raise FormatError(f"whose pieces are marked {' and '.join(sorted(self._marks))}?", line.number)

    def _read_turn(self, line: kif_lines.KifLine) -> None:
        if line.side is None:
            raise FormatError(f"whose turn? {text_excerpt(line.text.strip())}", line.number)
        if self.replay is not None:
            raise FormatError("the turn is given after the first move", line.number)
        if self._turn not in (None, line.side):
            raise FormatError(f"another turn: {text_excerpt(line.text.strip())}", line.number)
        self._turn = line.side
        if line.move is not None:
            self._take_length(line.move, line.number)

    def _header(self, line: kif_lines.KifLine) -> None:
        self._in_aside = False
        self._headers[line.key] = line.value
        if line.key == kif_lines.HANDICAP:
            self._handicap_line = line.number
        elif line.key not in _FREE_TEXT:
            # Refuse moves, pieces in hand and a turn; note a player whose name looks like pieces.
            kind, number = kif_lines.kif_line(line.number, line.value).kind, count_moves(line.value)
            if number == 1 and kind is kif_lines.LineKind.MOVES:
                try:
                    line_of_moves(line.value, line.number)
                except FormatError:
                    number = 0  # words that begin like a move: △３三角戦法
            side = kif_lines.side_of_words(line.key)
            if side is None and kif_lines.side_of_words(line.value) is not None and _OF_A_TURN.search(line.key.lower()):
                kind = kif_lines.LineKind.TURN
            if number > (kind is not kif_lines.LineKind.MOVES) or kind in (
                kif_lines.LineKind.HAND,
                kif_lines.LineKind.TURN,
            ):
                what = "moves" if number else "pieces in hand" if kind is kif_lines.LineKind.HAND else "a turn"
                raise FormatError(f"{what} in an unknown header: {text_excerpt(line.text.strip())}", line.number)
            if side is not None and symbols.is_hand(line.value):
                self._players[side] = line
            elif side is None and symbols.is_hand_in_japanese(line.value):
                raise FormatError(f"pieces in an unknown header: {text_excerpt(line.text.strip())}", line.number)

    def _hand(self, line: kif_lines.KifLine) -> None:
        if line.side is None:
            raise FormatError(f"whose pieces in hand? {text_excerpt(line.text.strip())}", line.number)
        if self.replay is not None or line.side in self._hands:
            raise FormatError(f"pieces in hand once more: {text_excerpt(line.text.strip())}", line.number)
        try:
            self._hands[line.side] = symbols.parse_hand_text(line.value), line
        except ValueError as error:
            raise FormatError(str(error), line.number) from None

    # --- the moves ------------------------------------------------------------------

    def _moves(self, line: kif_lines.KifLine) -> None:
        # Whether a line belongs to a footnote or a variation that was begun.
        label, text = kif_lines.leading_footnote_label(line.value)
        if label and self._solution is not None:
            self._play_solution()
        if label in self._labels:
            self._footnote(replace(line, key=label, value=text))
        elif self._in_aside:
            self._add_to_aside(line.value)
        if self._in_aside:
            return
        parsed = line_of_moves(line.value, line.number)
        if parsed.moves and self._ended:
            raise FormatError("a move after the end of the game", line.number)
        begun = self.replay is not None and self.replay.main_length > 0
        if self._solution is not None and not begun and not (parsed.moves and parsed.moves[0].number == 1):
            self._play_solution()
        for one in parsed.moves:
            self._move(one, line.number)
        if parsed.ended:
            self._number(parsed.number, line.number)
            self._ended = True
        if parsed.length is not None:
            self._take_length(parsed.length, line.number)

    def _begin_aside(self, aside: _Aside, text: str) -> None:
        self._asides.append(aside)
        self._in_aside = True
        self._add_to_aside(text)

    def _add_to_aside(self, text: str) -> None:
        """Add a line to the last variation or note; the labels in it have footnotes of their own."""
        self._asides[-1].lines.append(text)
        for label in kif_lines.footnote_labels(text):
            self._labels.setdefault(label, [])

    def _move(self, one: MoveText, line: int) -> None:
        replay = self._begun(line)
        self._number(one.number, line)
        replay.play(partial(read_move, text=one.text, line=line), one.text, line)
        for label in one.labels:
            self._labels.setdefault(label, []).append(replay.place)
        for comment in one.comments:
            replay.comment(comment)

    def _number(self, number: int | None, line: int) -> None:
        """Take the number of a move, if it has one: they follow each other."""
        last = self._last_number
        if number is None:
            self._last_number = None if last is None else last + 1
            return
        if last is None:
            self._offset = number - self._begun(line).next_number
        elif number != last + 1:
            raise FormatError(f"move {number} follows move {last}", line)
        self._last_number = number

    def _take_length(self, length: int, line: int) -> None:
        """Take the number of moves that a text says: of those before it, or of those to come."""
        replay = self.replay
        if replay is None or replay.next_number == 1:
            self._length = length, line
            return
        number = replay.next_number - 1
        if length not in (number, number + self._offset, replay.main_length):
            raise _other_length(length, number, line)

    # --- headers with moves -----------------------------------------------------------

    def _play_solution(self) -> None:
        """Play the main line of a header, or compare it with the moves that were played."""
        line, self._solution = self._solution, None
        assert line is not None
        parsed = line_of_moves(line.value, line.number)
        replay = self._begun(line.number)
        if replay.main_length:
            if replay.shared_with_main(1, _commented(parsed, line.number)) != len(parsed.moves):
                raise FormatError("another main line than that of the moves", line.number)
            return
        for one in parsed.moves:
            self._move(one, line.number)
        self._ended = parsed.ended
        if parsed.length is not None:
            self._take_length(parsed.length, line.number)

    def _footnote(self, line: kif_lines.KifLine) -> None:
        if self._solution is not None:
            self._play_solution()
        if line.key not in self._labels and (line.key != "※" or count_moves(line.value)):
            raise FormatError(f"a footnote of no move: {text_excerpt(line.text.strip())}", line.number)
        title = line.key if line.key[:1] == "※" else f"({line.key})"
        self._begin_aside(_Aside(line.number, title, line.key, footnote=True), line.value)

    def _place(self, aside: _Aside, replay: RecordReplay) -> None:
        """Add a variation or a note; what does not fit is a comment, as it is no main line."""
        if len(aside.lines) > 1 and not replay.main_length:
            raise FormatError("moves after a variation, but no main line", aside.line)
        text = " ".join(aside.lines).strip()
        try:
            parsed = line_of_moves(text, aside.line, note=True)
        except FormatError:
            if len(aside.lines) > 1 and not aside.footnote and not count_moves(aside.lines[0]):
                raise
            parsed = LineOfMoves()
        moves = _commented(parsed, aside.line)
        marked = self._labels.get(aside.label, [])
        found: list[MovePlace] = []
        for place in self._possible_places(aside, parsed, moves, replay):
            try:
                found = replay.vary(place, moves, aside.line)
                break
            except FormatError:
                if not marked:
                    raise
        if not found:
            replay.comment_at(marked[0] if marked else None, f"{aside.title} {text}".strip())
        for one, its in zip(parsed.moves, found, strict=False):
            for label in one.labels:
                self._labels.setdefault(label, []).append(its)

    def _possible_places(
        self, aside: _Aside, parsed: LineOfMoves, moves: list[CommentedMove], replay: RecordReplay
    ) -> list[MovePlace]:
        """Return where a variation may begin: where it says, else in the only place that it fits."""
        if not moves:
            return []
        number, marked = aside.move or parsed.moves[0].number, self._labels.get(aside.label, [])
        if number is not None:
            return [replay.main_place(number - self._offset)]
        if aside.footnote or marked:
            return [*marked, MovePlace(marked[0].branch, marked[0].number - 1)] if len(marked) == 1 else []
        leaving: dict[int, int] = {}
        for start in range(1, replay.main_length + 1):
            shared = replay.shared_with_main(start, moves)
            if shared is not None and shared < len(moves):
                leaving.setdefault(start + shared, start)
        of_the_defender = aside.title.startswith("変化")
        starts = [start for at, start in leaving.items() if (at % 2 == 0) is of_the_defender]
        return [replay.main_place(starts[0])] if len(starts) == 1 else []


def _commented(parsed: LineOfMoves, line: int) -> list[CommentedMove]:
    return [CommentedMove(partial(read_move, text=one.text, line=line), one.text, one.comments) for one in parsed.moves]


def _other_length(said: int, number: int, line: int) -> FormatError:
    return FormatError(f"the text says {said} moves, but there are {number}", line)


# --- KIF and KI2 files, read and written, with variations ------------------------------------------


def write_kif(record: GameRecord, *, is_game: bool = False) -> str:
    """Return one problem, or the record of a game, as a KIF file; all added characters are in Shift_JIS too.

    The variations follow the main line, the last ones first: other programs require this order. ``+`` marks
    a move with alternatives further down. Raises `tsume_rules.moves.ImpossibleMove` for an illegal line.
    """

    def rows(placed: PlacedBranch) -> Iterator[str]:
        branch, position, last = placed.branch, placed.position, placed.last_target

        def row(number: int, text: str) -> str:
            return f"{number:4} {text}   ( 0:00/00:00:00){'+' if placed.has_others(number) else ''}"

        for number, move in enumerate(branch.line, start=branch.first):
            text = "同　" if move.target == last else symbols.square_text(move.target)
            if move.drop is not None:
                text += f"{symbols.NAME[move.drop]}打"
            elif move.origin is not None:
                piece = position.board[move.origin]
                text += symbols.NAME[piece.kind] if piece is not None else ""  # `position_after` refuses the move
                text += f"{'成' * move.promotes}({file_of(move.origin)}{rank_of(move.origin)})"
            yield row(number, text)
            yield from (f"*{line}" for line in branch.comments_on(number))
            position, last = position_after(position, move), move.target
        mates = branch.mates and not is_game
        if mates or (branch.line and placed.main):
            yield row(branch.end, "詰み" if mates else "中断")

    return _record_text(record, "なし", ["手数----指手---------消費時間--"], rows, is_game=is_game)


def _record_text(
    record: GameRecord, empty: str, more: list[str], rows: Callable[[PlacedBranch], Iterator[str]], *,
    is_game: bool = False,
) -> str:  # fmt: skip
    """Return a record: headers, hands (an empty one in a word) and board, ``more``, then its lines."""
    position = record.position
    lines: list[str] = []
    if record.title_line:
        lines.append(f"作品名：{record.title_line}")
    headers = record.headers if is_game else record.header_lines
    lines += [f"{key}：{' '.join(value.split())}" for key, value in headers]
    lines.append(f"後手の持駒：{symbols.hand_text(position.defender_hand) if position.defender_hand else empty}")
    lines += board_lines(position)
    lines.append(f"先手の持駒：{symbols.hand_text(position.attacker_hand) if position.attacker_hand else empty}")
    if position.side_to_move is Side.DEFENDER:
        lines.append("後手番")
    main, *variations = branches_in_order(record)
    lines += [*more, *(f"*{line}" for line in record.comment_lines), *rows(main)]
    if record.line and not is_game:
        lines.append(f"まで{len(record.line)}手で{'詰' if record.mates else '中断'}")
    for placed in variations:
        lines += ["", f"変化：{placed.branch.first}手", *rows(placed)]
    return "\n".join(lines) + "\n"


# --- writing KI2 files: the moves as people write them, with variations ----------------------------

MOVES_PER_LINE = 6


def write_ki2(record: GameRecord) -> str:
    """Return one problem as a KI2 file; all added characters are in Shift_JIS too.

    Moves are separated by spaces of ASCII and an empty hand is left empty, since other readers stop at
    anything else. Raises `tsume_rules.moves.ImpossibleMove` when a line cannot be played.
    """

    def rows(placed: PlacedBranch) -> Iterator[str]:
        # The first move names its square even where others say 同: json-kifu-format takes the wrong one.
        branch, position = placed.branch, placed.position
        last: Square | None = None
        row: list[str] = []
        for number, move in enumerate(branch.line, start=branch.first):
            row.append(move_text(position, move, last))
            position, last = position_after(position, move), move.target
            comments = branch.comments_on(number)
            if comments or len(row) == MOVES_PER_LINE:
                yield " ".join(row)
                yield from (f"*{line}" for line in comments)
                row = []
        if row:
            yield " ".join(row)

    return _record_text(record, "", [], rows)
