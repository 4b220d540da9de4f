# SPDX-License-Identifier: GPL-3.0-or-later
"""A record while it is read: its position, and its moves played, variations included."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from tsume.formats.game_record import Branch, GameRecord, without_handicap_pieces
from tsume.formats.text import FormatError, text_excerpt
from tsume_rules.moves import Move, attacked_squares, position_after
from tsume_rules.position import IllegalPosition, Piece, Position, Side, Square, rotated
from tsume_rules.sfen import ParsedSfen, format_sfen, parse_placement, parse_sfen

MoveReader = Callable[["RecordReplay"], Move]
"""Finds a move in the position that was reached. Raises `FormatError`."""


@dataclass
class _ReplayedBranch:
    """A line being read: ``positions`` has one before each move and the last one."""

    first: int
    positions: list[Position]
    before: Move | None = None
    moves: list[Move] = field(default_factory=list)
    comments: list[tuple[int, str]] = field(default_factory=list)
    branches: list[_ReplayedBranch] = field(default_factory=list)

    @property
    def end(self) -> int:
        return self.first + len(self.moves)

    def move_before(self, number: int) -> Move | None:
        return self.before if number == self.first else self.moves[number - self.first - 1]

    def leave(self, number: int) -> _ReplayedBranch:
        """Return a line that begins in place of a move of this one; it is not among the branches yet."""
        return _ReplayedBranch(number, [self.positions[number - self.first]], self.move_before(number))

    def has(self, number: int, move: Move) -> bool:
        """Return whether a move is among those at a number."""
        own = self.moves[number - self.first] if number < self.end else None
        return move in (own, *(branch.moves[0] for branch in self.branches if branch.first == number))

    def play(self, move: Move) -> None:
        """Play a move; `ValueError` when it cannot be played."""
        position = self.positions[-1]
        following = position_after(position, move)
        if move.origin is not None and move.target not in attacked_squares(position.board, move.origin):
            raise ValueError("the piece does not move that way")
        self.positions.append(following)
        self.moves.append(move)

    def following(self, line: _ReplayedBranch) -> list[_ReplayedBranch]:
        """Return where the moves of a line are found: in this one or in a variation, as far as they are."""
        found: list[_ReplayedBranch] = []
        at = self
        for number, move in enumerate(line.moves, start=line.first):
            if number >= at.end or at.moves[number - at.first] != move:
                others = [one for one in at.branches if one.first == number and one.moves[0] == move]
                if not others:
                    break
                at = others[0]
            found.append(at)
        return found

    @property
    def branch(self) -> Branch:
        branches = sorted((line.branch for line in self.branches if line.moves), key=lambda one: one.first)
        comments = sorted(self.comments, key=lambda one: one[0])
        return Branch(self.first, tuple(self.moves), tuple(comments), tuple(branches))


@dataclass(frozen=True)
class MovePlace:
    """A move of a line that was read: the line, and the number of the move."""

    branch: _ReplayedBranch
    number: int


@dataclass(frozen=True)
class CommentedMove:
    """A move that is not read yet, its text and the comments on it."""

    read: MoveReader
    text: str
    comments: tuple[str, ...] = ()


class RecordReplay:
    """The moves of a record, played one by one; squares are those of the record.

    The pieces that a handicap leaves out are not played, though ``parsed`` has them in the defender's hand.
    """

    def __init__(self, parsed: ParsedSfen) -> None:
        self.parsed = parsed
        self._line = _ReplayedBranch(1, [without_handicap_pieces(parsed)])
        self._around = [self._line]  # the line itself and those it left, the main line first
        # where a variation may begin: how many lines are around it
        self._choices: list[tuple[int, _ReplayedBranch]] = []
        self._comments: list[str] = []
        self._held: list[str] = []  # comments on a first move that is still to come

    @classmethod
    def of(cls, given: Position, line: int) -> RecordReplay:
        """Begin at a position as written; `FormatError` when the rules do not allow it."""
        sfen = format_sfen(given)
        try:
            return cls(parse_sfen(sfen))
        except IllegalPosition as error:
            raise FormatError(str(error), line, parse_placement(sfen)) from None
        except ValueError as error:
            raise FormatError(str(error), line) from None

    @property
    def position(self) -> Position:
        """The position that was reached, the attacker Black."""
        return self._line.positions[-1]

    @property
    def next_number(self) -> int:
        """The number of the next move, from 1 on."""
        return self._line.end

    @property
    def side_to_move(self) -> Side:
        """The side to move in the record (Black is `Side.ATTACKER`)."""
        return self.position.side_to_move.other if self.parsed.rotated else self.position.side_to_move

    @property
    def last_target(self) -> Square | None:
        """The target of the last move, None before the first one."""
        last = self._line.move_before(self._line.end)
        return None if last is None else self.parsed.outward(last).target

    def piece(self, sq: Square) -> Piece | None:
        """Return the piece on a square, with the sides of the record."""
        piece = self.position.board[self.turned(sq)]
        return piece.rotated if piece is not None and self.parsed.rotated else piece

    def turned(self, sq: Square) -> Square:
        """Return a square of the record as `position` has it, or the reverse."""
        return rotated(sq) if self.parsed.rotated else sq

    def play(self, read: MoveReader, text: str, line: int) -> None:
        """Play the move that ``read`` finds. Raises `FormatError` if there is none or it is illegal.

        The first move of a variation is tried in the innermost line that has a move of its number,
        then in those around it.
        """
        if not self._choices:
            return self._play(read, text, line)
        faults = []
        for new in (True, False):  # a move that is there already is meant for a line around
            for around, choice in self._choices:
                self._line = choice
                try:
                    self._play(read, text, line)
                except FormatError as error:
                    faults.append(error)
                    continue
                if new and self._around[around - 1].has(choice.first, choice.moves[0]):
                    choice.positions.pop()
                    choice.moves.pop()
                    continue
                self._around[around - 1].branches.append(choice)
                self._around[around:] = [choice]
                choice.comments.extend((choice.first, comment) for comment in self._held)
                self._choices, self._held = [], []
                return None
        raise faults[0]

    def _play(self, read: MoveReader, text: str, line: int) -> None:
        move = self.parsed.outward(read(self))
        try:
            self._line.play(move)
        except ValueError as error:
            raise FormatError(f"move {text_excerpt(text)}: {error}", line) from None

    def comment(self, text: str) -> None:
        """A comment: on the last move, or on the position, or on the variation that is about to begin."""
        if self._choices:
            self._held.append(text)
        elif self.next_number == 1:
            self._comments.append(text)
        else:
            self._line.comments.append((self.next_number - 1, text))

    def branch(self, number: int, line: int) -> None:
        """Begin a variation: the next move replaces move ``number``. Raises `FormatError`."""
        self._choices = [
            (around, one.leave(number))
            for around, one in enumerate(self._around, start=1)
            if one.first <= number <= one.end and (one.first < number or around == 1)
        ][::-1]
        self._held = []
        if not self._choices:
            raise FormatError(f"a variation of move {number}, which does not exist", line)
        self._line = self._choices[0][1]

    @property
    def main_length(self) -> int:
        """The number of moves of the main line."""
        return len(self._around[0].moves)

    @property
    def place(self) -> MovePlace:
        """The place of the last move."""
        return MovePlace(self._line, self._line.end - 1)

    def main_place(self, number: int) -> MovePlace:
        """Return the place of a move of the main line, or of the one after its end."""
        return MovePlace(self._around[0], number)

    def vary(self, place: MovePlace, moves: Iterable[CommentedMove], line: int) -> list[MovePlace]:
        """Add a variation whole: moves that replace the one at a place, as far as they are not there already.

        Return the places of all its moves, none if nothing is new. Raises `FormatError`, and then nothing is added.
        """
        new = self._played_from(place, moves, line)
        branches = place.branch.following(new)
        at = len(branches)
        if at == len(new.moves):
            return []
        number = new.first + at
        added = _ReplayedBranch(number, new.positions[at:], new.move_before(number), new.moves[at:])
        added.comments = [one for one in new.comments if one[0] >= number]
        (branches[-1] if branches else place.branch).branches.append(added)
        branches.extend([added] * len(added.moves))
        return [MovePlace(branch, number) for number, branch in enumerate(branches, start=new.first)]

    def shared_with_main(self, number: int, moves: Iterable[CommentedMove]) -> int | None:
        """Return how many moves from a number on are the main line's; None if they cannot be played there."""
        place = self.main_place(number)
        try:
            new = self._played_from(place, moves, 0)
        except FormatError:
            return None
        return sum(one is place.branch for one in place.branch.following(new))

    def _played_from(self, place: MovePlace, moves: Iterable[CommentedMove], line: int) -> _ReplayedBranch:
        if not place.branch.first <= place.number <= place.branch.end:
            raise FormatError(f"a variation of move {place.number}, which does not exist", line)
        new = place.branch.leave(place.number)
        saved, choices = self._line, self._choices
        self._line, self._choices = new, []
        try:
            for one in moves:
                self._play(one.read, one.text, line)
                new.comments.extend((new.end - 1, comment) for comment in one.comments)
        finally:
            self._line, self._choices = saved, choices
        return new

    def comment_at(self, place: MovePlace | None, text: str) -> None:
        """A comment on the move at a place; None: on the position."""
        if place is None:
            self._comments.append(text)
        else:
            place.branch.comments.append((place.number, text))

    def record(self, title: str = "", headers: Iterable[tuple[str, str]] = ()) -> GameRecord:
        """Return all that was read, the attacker Black."""
        main = self._around[0].branch
        return GameRecord(
            self.parsed.position, main.line, title, tuple(self._comments), tuple(headers),
            main.move_comments, main.branches,
        )  # fmt: skip


# --- a problem of a file, or the reason why it is invalid; reading continues with the next one -----

MAX_GAMES = 10_000
"""The most problems of one file in memory: a problem may take only a few bytes."""


@dataclass(frozen=True)
class ParsedProblem:
    """A problem of a file. Either ``fault`` is set, or ``parsed`` and ``record`` are.

    It begins in ``line`` (from 1). ``parsed`` tells how the position was given, ``record`` has the
    attacker as Black. ``title`` is known of a faulty problem too, if it was read, and so is what was read
    ``before`` the fault, as ``parsed`` and ``record``.
    """

    line: int
    title: str = ""
    parsed: ParsedSfen | None = None
    record: GameRecord | None = None
    fault: FormatError | None = None
    before: tuple[ParsedSfen, GameRecord] | None = None


class ProblemReader:
    """The lines of one problem of a text, read one by one; a subclass reads them when it is made.

    ``fault`` or ``replay`` is set, unless the lines hold no problem. ``last_line`` is the number of the last.
    """

    def __init__(self, last_line: int | None) -> None:
        self.first_line = 0
        self.last_line = last_line
        self.title = ""
        self.headers: list[tuple[str, str]] = []
        self.replay: RecordReplay | None = None
        self.fault: FormatError | None = None
        self._comments: list[str] = []

    def _begin(self, position: Position, line: int) -> RecordReplay:
        self.replay = RecordReplay.of(position, line)
        for comment in self._comments:
            self.replay.comment(comment)
        return self.replay

    def _comment(self, text: str) -> None:
        if self.replay is None:
            self._comments.append(text)
        else:
            self.replay.comment(text)


def parsed_problems(readers: Iterable[ProblemReader], nothing: str) -> Iterator[ParsedProblem]:
    """Yield the problems of a text; the fault ``nothing`` if there is none."""
    found, last = False, 1
    for reader in readers:
        last, replay = reader.last_line or last, reader.replay
        read = None if replay is None else (replay.parsed, replay.record(reader.title, reader.headers))
        if reader.fault is not None:
            yield ParsedProblem(reader.first_line, reader.title, fault=reader.fault, before=read)
        elif read is not None:
            yield ParsedProblem(reader.first_line, reader.title, *read)
        else:
            continue
        found = True
    if not found:
        yield ParsedProblem(1, fault=FormatError(nothing, last))


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text with any kind of line ends, without trailing white space, from 1 on."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return enumerate((line.rstrip() for line in lines), start=1)
