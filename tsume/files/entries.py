# SPDX-License-Identifier: GPL-3.0-or-later
"""One position that a command is given: its text, what was read, its names and the line that came with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice
from typing import Any, Literal

from db.errors import stored_value_excerpt
from db.notebook import EMPTY, JSON_NAMES, Notebook, notebook_of_fields
from tsume.formats.addresses import is_address, text_of_address
from tsume.formats.game_record import END, START_SFEN, GameRecord, is_game_start, without_handicap_pieces
from tsume.formats.move_texts import count_moves
from tsume.formats.registry import FILE_FORMATS, FileFormat, file_format_of_texts, find_problems
from tsume.formats.replay import ParsedProblem
from tsume.formats.text import (
    FormatError,
    JsonError,
    csv_rows,
    decode_record_file,
    is_integer,
    parse_json,
    text_excerpt,
)
from tsume.formats.tpa import is_tpa, read_tpa
from tsume_rules.moves import Move, in_check, legal_position_after, parse_move, position_after
from tsume_rules.position import IllegalPosition, Position, Side
from tsume_rules.sfen import ParsedSfen, format_sfen, parse_line, parse_placement, parse_sfen

_LONGEST_TEXT = 100_000
_LONGEST_FAULT = 500
_SFEN_WORDS = 3
"""Words of an SFEN at least: board, side to move, hands."""


@dataclass(frozen=True)
class Entry:
    """One position as it was given: its place, its text, and what was read or what is wrong with it.

    ``title`` and ``id`` are its names, if it has any; an id keeps its type, a number or a text. ``line`` is
    the given solution, in the attacker's orientation as ``parsed.position`` is, and empty without one; only
    lines of KIF, KI2, CSA or JKF are known to be playable. ``record`` holds everything that such a file
    says, with variations, comments and headers. ``notebook`` holds title, author, source, notes and tags
    from JSON or CSV; its ``parent`` is the id, in that file, of the problem of which this one is a version.
    ``fields`` is a JSON object with a hash (`tsume.files.exported`) as read. ``file`` names the file, empty
    for an argument; ids belong to their file. ``at`` is known of a position of a game, or one that was asked
    for: so many moves of the record lead to it, and ``note`` says so. ``illegal``: the position, where the
    rules do not allow it; ``parsed`` is None then, and ``error`` says why.
    """

    place: str
    sfen: str
    parsed: ParsedSfen | None
    error: str = ""
    title: str = ""
    id: int | str | None = None
    line: tuple[Move, ...] = ()
    record: GameRecord | None = None
    notebook: Notebook = EMPTY
    fields: dict[str, Any] | None = None
    file: str = ""
    at: int | None = None
    note: str = ""
    illegal: ParsedSfen | None = None
    before: tuple[ParsedSfen, GameRecord] | None = None

    @property
    def judged(self) -> ParsedSfen | None:
        """The position for a judge, who says what is illegal in it; None if none could be read."""
        return self.parsed or self.illegal

    @property
    def names(self) -> dict[str, Any]:
        """Id, title and number of moves before the position, as fields of JSON, those that are known."""
        fields = {"id": self.id, "title": self.title or None, "at": self.at}
        return {name: value for name, value in fields.items() if value is not None}


@dataclass(frozen=True)
class UnreadEntry:
    """A line that holds one position, not read yet; it is read where it is answered."""

    text: str
    place: str
    file: str = ""
    at: int | None = None

    def read(self) -> Entry:
        """Return the position; what is wrong with it is in the entry."""
        return replace(read_entry(self.text, self.place, self.at), file=self.file)


def read_entry(text: str, place: str, at: int | None = None) -> Entry:
    """Parse one line, or an address. Raises nothing: what is wrong is in the entry's ``error``.

    ``at``: the position after so many of its moves, `END` after all. If None, it is that of the address; the
    last one where the text is a command of USI; else the first.
    """
    entry = Entry(place, text, None)
    try:
        if len(text) > _LONGEST_TEXT:
            entry = replace(entry, sfen=text[:80] + "...")
            raise ValueError(f"line of more than {_LONGEST_TEXT} characters")
        if is_address(text):
            return address_entry(text, place, at)
        if is_tpa(text):
            found = read_tpa(text)
            if found.fault is not None:
                raise ValueError(found.fault.reason)
            return problem_entry(found, place, at)
        if text.startswith("{"):
            try:
                fields = parse_json(text)
            except JsonError as error:
                raise ValueError(f"not a JSON object: {error}") from None
            if not isinstance(fields.get("sfen"), str):
                raise ValueError('the JSON object has no string "sfen"')
            return _entry_of_fields(entry, dict(fields), at)
        # An SFEN, in a table with tabs followed by other columns: a line in USI if the first of them is one.
        sfen, _, columns = text.partition("\t")
        if len(sfen.split()) < _SFEN_WORDS:  # tabs instead of spaces
            return _entry_of_fields(entry, {"sfen": text}, at)
        line = columns.partition("\t")[0]
        return _entry_of_fields(entry, {"sfen": sfen, "line": line if are_usi_moves(line.split()) else None}, at)
    except ValueError as error:
        return replace(entry, error=_shortened_fault(str(error)), before=_before_unreadable_move(text))


def _before_unreadable_move(text: str) -> tuple[ParsedSfen, GameRecord] | None:
    """Return the position of a line of USI and its moves up to one that cannot be read; None without such a move."""
    start, _, line = text.removeprefix("position ").partition(" moves ")
    moves: list[Move] = []
    try:
        parsed = parse_sfen(START_SFEN if start.strip() == "startpos" else start)
        for word in line.split():
            moves.append(parsed.outward(parse_move(word)))
    except ValueError:
        pass
    else:
        return None
    return (parsed, GameRecord(parsed.position, tuple(moves))) if moves else None


def entry_with_start_faults(entry: Entry) -> Entry:
    """Return the entry, turned into an error if its position is not a legal start."""
    if entry.parsed is None:
        return entry
    from tsume_rules.packed import start_faults

    faults = start_faults(entry.parsed.position)
    return replace(entry, parsed=None, illegal=entry.parsed, error="; ".join(faults)) if faults else entry


def address_entry(address: str, place: str, at: int | None = None) -> Entry:
    """Return the position of an address. Raises `tsume.formats.addresses.NoPositionError`."""
    held = text_of_address(address)
    form = file_format_of_texts([held.text])

    def entry_at(number: int | None) -> Entry:
        if form in ("lines", "csv"):
            return read_entry(held.text, place, number)
        return problem_entry(next(find_problems(held.text, form)), place, number)

    entry = entry_at(held.at if at is None else at)
    if entry.parsed is None and at is None and held.at is not None:
        first = entry_at(0)
        if first.parsed is not None and first.parsed.position.king(Side.ATTACKER) is None:
            return first  # a problem, of which the address shows the end
    return entry


def csv_entries(data: bytes, name: str, at: int | None = None) -> Iterator[Entry]:
    """Yield the positions of a table in a file; what is wrong with its encoding is in an entry."""
    try:
        text = decode_record_file(data)
    except FormatError as error:
        return iter([Entry(name, "", None, str(error))])
    return csv_text_entries(text, name, at)


def csv_text_entries(text: str, name: str, at: int | None = None) -> Iterator[Entry]:
    """Yield the positions of a table with a column ``sfen``, also ``id``, ``title``, ``line``, ``moves``."""
    columns: list[str] | None = None
    try:
        for line, row in csv_rows(text.removeprefix("\ufeff")):
            if columns is None:
                columns = [column.strip().lower() for column in row]
                if "sfen" not in columns:
                    yield Entry(f"{name}, line 1", "", None, 'no column "sfen"')
                    return
            elif row:
                fields: dict[str, Any] = dict(zip(columns, row, strict=False))
                fields["sfen"] = str(fields.get("sfen", "")).strip()  # a row may be shorter
                for key in ("id", "version_of"):
                    word = fields.get(key, "")
                    is_number = word.isascii() and word.isdigit() and len(word) < 10
                    fields[key] = int(word) if is_number else word
                entry = Entry(f"{name}, line {line}", fields["sfen"], None)
                try:
                    yield _entry_of_fields(entry, fields, at)
                except ValueError as error:
                    yield replace(entry, error=_shortened_fault(str(error)))
    except FormatError as error:
        yield Entry(f"{name}, line {error.line}", "", None, error.reason)


def problem_entry(found: ParsedProblem, place: str, at: int | None = None) -> Entry:
    """Return a problem that was found in a file of KIF, KI2, CSA or JKF, or a later position of its moves."""
    place = _named_place(place, None, found.title)
    if found.parsed is None or found.record is None:
        illegal = found.fault.illegal if found.fault else None
        sfen = format_sfen(illegal.position, rotated=illegal.rotated) if illegal else ""
        fault = _shortened_fault(str(found.fault))
        return Entry(place, sfen, None, fault, found.title, illegal=illegal, before=found.before)
    line, record = found.record.line, found.record
    return _entry_at(Entry(place, found.parsed.sfen, found.parsed, "", found.title, None, line, record), at)


def _entry_of_fields(entry: Entry, fields: dict[str, Any], at: int | None) -> Entry:
    """Return an entry from its fields; ValueError for what is wrong, the names being lost."""
    number, title = fields.get("id"), fields.get("title")
    number = number if is_integer(number) or (isinstance(number, str) and number) else None
    title = title if isinstance(title, str) else ""
    text = str(fields["sfen"])
    # A line of USI as one of SFEN: ``position sfen ...``, ``startpos ...``; underscores may be spaces.
    words = text.split()
    if len(words) == 1:
        words = text.replace("_", " ").split()
    if words[:1] == ["position"]:
        words = words[1:]
    sfen, given = parse_line(" ".join([START_SFEN, *words[1:]] if words[:1] == ["startpos"] else words))
    is_usi = bool(given) and text.split(None, 1)[0] in ("position", "startpos")
    tags, parent = fields.get("tags"), fields.get("version_of")
    tag_words = tags.split() if isinstance(tags, str) else tags if isinstance(tags, list | tuple) else []
    notebook = notebook_of_fields({name: fields.get(field) for name, field in JSON_NAMES.items()}, tag_words)
    entry = replace(
        entry, place=_named_place(entry.place, number, title), sfen=sfen, id=number, title=title,
        notebook=replace(notebook, parent=parent if is_integer(parent) else None),
        fields=fields if "hash" in fields else None,
    )  # fmt: skip
    try:
        for name in ("line", "moves", "solution"):  # programs give the moves under any of these
            value = fields.get(name)
            is_number = isinstance(value, str) and value.strip().isdigit()  # of moves
            line = value.split() if isinstance(value, str) else value if isinstance(value, list | tuple) else []
            if not given and not is_number:
                given = [parse_move(str(word)) for word in line]
        parsed = parse_sfen(sfen)
    except IllegalPosition as error:
        illegal = parse_placement(sfen)
        moves = tuple(map(illegal.outward, given))
        return replace(entry, error=_shortened_fault(str(error)), illegal=illegal, line=moves)
    except ValueError as error:
        return replace(entry, error=_shortened_fault(str(error)))
    read = replace(entry, parsed=parsed, line=tuple(map(parsed.outward, given)))
    return _entry_at(read, END if is_usi and at is None else at)


def _entry_at(entry: Entry, at: int | None) -> Entry:
    """Return the position after so many moves of the line; its side to move is the attacker.

    Moves after it are the line where each of the attacker gives check. A game says which position it is also
    at its start.
    """
    if entry.parsed is None or (at is None and not entry.line):
        return entry
    number, start = len(entry.line), without_handicap_pieces(entry.parsed)
    is_game = bool(entry.line) and is_game_start(start)
    if at is None and not is_game:
        return entry
    moves = number if at == END else at or 0
    if moves > number:
        return replace(entry, parsed=None, error=f"no position after move {moves}: there are {number} moves")
    if moves == 0:
        said = f"the first position of a game of {number} moves; --at N or --at end chooses a later one"
        return replace(entry, at=0, note=said if at is None else "")
    try:
        reached = reduce(legal_position_after, entry.line[:moves], start)
        is_turned = reached.side_to_move is Side.DEFENDER
        parsed = parse_sfen(format_sfen(reached, rotated=entry.parsed.rotated))
    except ValueError as error:
        reason = str(error).partition(" (")[0]  # whose turn it is, the moves say
        fault = f"after move {moves} of {number}: {reason}; --at 0 takes the first position"
        return replace(entry, parsed=None, error=_shortened_fault(fault))
    rest = tuple(move.rotated if is_turned else move for move in entry.line[moves:])
    line = rest if attacker_always_checks(parsed.position, rest) else ()
    note = f"the position after move {moves} of {number}"
    if start != entry.parsed.position:
        note += "; the pieces that the handicap leaves out count as in the defender's hand"
    record = entry.record
    if record is not None:
        record = replace(record, position=parsed.position, line=line, move_comments=(), branches=())
    return replace(entry, sfen=parsed.sfen, parsed=parsed, line=line, record=record, at=moves, note=note)


def attacker_always_checks(position: Position, line: Sequence[Move]) -> bool:
    """Return whether there are moves and the attacker's all give check."""
    for number, move in enumerate(line):
        position = position_after(position, move)
        if number % 2 == 0 and not in_check(position, Side.DEFENDER):
            return False
    return bool(line)


def are_usi_moves(words: list[str]) -> bool:
    """Return whether all words are moves in USI."""
    try:
        return all(map(parse_move, words))
    except ValueError:
        return False


def _named_place(place: str, number: int | str | None, title: str) -> str:
    names = [f"id {number}"] if number is not None else []
    if title.strip():
        names.append(" ".join(title.split()))
    return f"{place} ({stored_value_excerpt(', '.join(names))})" if names else place


def _shortened_fault(fault: str) -> str:
    return fault if len(fault) <= _LONGEST_FAULT else f"{fault[:_LONGEST_FAULT]}..."


# --- a problem in a text that a person pastes: a record, a diagram, an SFEN, or an address with an SFEN ---

PastedForm = Literal["address"] | FileFormat
PASTED_FORMS: tuple[PastedForm, ...] = ("address", *FILE_FORMATS)
_PLACE = "text"

_USI_STARTS = ("position ", "sfen ", "startpos")


class UnknownTextError(ValueError):
    """A text in none of the formats that can be read."""


@dataclass(frozen=True)
class PastedProblem:
    """The first problem of a text, which has been read; ``more``: there are others after it."""

    entry: Entry
    form: PastedForm
    more: bool


def pasted_entries(text: str, at: int | None = None) -> tuple[PastedForm, Iterator[Entry]]:
    """Return the format of a text and its problems or games; what is wrong with one is in its entry.

    ``at`` is that of `tsume.files.entries.read_entry`. Raises `UnknownTextError` for a text of no known format, and
    `tsume.formats.addresses.NoPositionError` for an address without a position.
    """
    text = text.removeprefix("\ufeff").removesuffix("\x1a")
    if "\n" not in text:
        text = text.replace("\r", "\n")
    form: PastedForm = "address" if is_address(text) else file_format_of_texts([text])
    if form == "address":
        entries: Iterator[Entry] = iter([address_entry(text, _PLACE, at)])
    elif form == "csv":
        entries = csv_text_entries(text, _PLACE, at)
    elif form == "lines":
        # A line with a position begins with the ranks of a board, or is a JSON object.
        lines = (line for line in map(str.strip, text.splitlines()) if line and not line.startswith("#"))
        first = next(lines, "")
        words = [word for word in first.split() if word not in ("position", "sfen")]
        is_board = bool(words) and ("/" in words[0] or words[0] == "startpos")
        if not (is_tpa(first) or first.startswith("{") or is_board):
            raise UnknownTextError("neither an SFEN nor a game record")
        entries = _entries_of_lines(text, at)
    else:
        entries = (problem_entry(one, _PLACE, at) for one in find_problems(text, form))
    return form, entries


def read_pasted_text(text: str, at: int | None = None) -> PastedProblem:
    """Return the first problem of a text, as `pasted_entries`.

    Raises ValueError also with one line that says what is wrong with the problem.
    """
    form, entries = pasted_entries(text, at)
    found = list(islice(entries, 2))
    if not found:
        raise UnknownTextError("no problem in the text")
    if found[0].parsed is None:
        raise ValueError(found[0].error)
    return PastedProblem(found[0], form, more=len(found) > 1)


def _entries_of_lines(text: str, at: int | None) -> Iterator[Entry]:
    """Yield the positions of lines.

    Of a command of USI it is the last one, as in `read_entry`, unless its moves may be a solution.
    """
    for line in _lines_with_moves(text):
        entry = read_entry(line, _PLACE, 0)
        if at is None and entry.parsed is not None:
            try:
                is_clear = attacker_always_checks(entry.parsed.position, entry.line)
            except ValueError:
                is_clear = True  # what cannot be played is shown as it is given
        else:
            is_clear = at is None
        yield entry if is_clear else read_entry(line, _PLACE, at)


def _lines_with_moves(text: str) -> Iterator[str]:
    """Yield lines of positions, each with the moves after it. Raises ValueError for other moves."""
    last = ""
    for number, line in enumerate(map(str.strip, text.splitlines()), start=1):
        moves = line.removeprefix("moves ").removeprefix("checkmate ").split()
        after = "/" in last.partition(" ")[0] or last.startswith(_USI_STARTS)
        if after and moves and " moves" not in last and are_usi_moves(moves):
            last += f" moves {' '.join(moves)}"
        elif after and "/" not in line and not line.startswith(_USI_STARTS) and count_moves(line):
            raise ValueError(f"line {number}: moves after an SFEN must be those of USI: {text_excerpt(line)}")
        elif line and not line.startswith(("#", "go ")):
            if last:
                yield last
            last = line
    if last:
        yield last
