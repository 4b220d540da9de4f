# SPDX-License-Identifier: GPL-3.0-or-later
"""A problem in a text that a person pastes: a record, a diagram, an SFEN, or an address with an SFEN."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from tsume.files.entries import (
    Entry,
    address_entry,
    are_checks,
    are_usi,
    csv_text_entries,
    problem_entry,
    read_entry,
)
from tsume.formats.addresses import is_address
from tsume.formats.errors import text_excerpt
from tsume.formats.move_texts import count_moves
from tsume.formats.reading import FILE_FORMATS, FileFormat, file_format_of_texts, find_problems
from tsume.formats.tpa import is_tpa

PastedForm = Literal["address"] | FileFormat
PASTED_FORMS: tuple[PastedForm, ...] = ("address", *FILE_FORMATS)
_PLACE = "text"


class UnknownTextError(ValueError):
    """A text in none of the formats that can be read."""


@dataclass(frozen=True)
class PastedProblem:
    """The first problem of a text, which has been read; ``more``: there are others after it."""

    entry: Entry
    form: PastedForm
    more: bool


def read_pasted_text(text: str, at: int | None = None) -> PastedProblem:
    """The first problem of a text; ``at`` is that of `tsume.files.entries.read_entry`.

    Raises `UnknownTextError` for a text of no known format, and ValueError with one line that says what is
    wrong with the problem, `tsume.formats.addresses.NoPositionError` for an address without one.
    """
    text = text.removeprefix("\ufeff").removesuffix("\x1a")
    if "\n" not in text:
        text = text.replace("\r", "\n")
    form: PastedForm = "address" if is_address(text) else file_format_of_texts([text])
    if form == "lines" and not _resembles_sfen(text):
        raise UnknownTextError("neither an SFEN nor a game record")
    found = list(islice(_entries(text, form, at), 2))
    if not found:
        raise UnknownTextError("no problem in the text")
    entry = found[0]
    if entry.parsed is None:
        raise ValueError(entry.error)
    return PastedProblem(entry, form, more=len(found) > 1)


def _entries(text: str, form: PastedForm, at: int | None) -> Iterator[Entry]:
    if form == "address":
        yield address_entry(text, _PLACE, at)
    elif form == "csv":
        yield from csv_text_entries(text, _PLACE, at)
    elif form == "lines":
        yield from (_line_entry(line, at) for line in _lines_with_moves(text))
    else:
        yield from (problem_entry(one, _PLACE, at) for one in find_problems(text, form))


def _line_entry(line: str, at: int | None) -> Entry:
    """The position of a line.

    Of a command of USI it is the last one, as in `read_entry`, unless its moves may be a solution.
    """
    first = read_entry(line, _PLACE, 0)
    is_clear = at is None and (first.parsed is None or _is_solved(first))
    return first if is_clear else read_entry(line, _PLACE, at)


def _is_solved(entry: Entry) -> bool:
    """Whether the moves of an entry may be the solution of its position."""
    try:
        return entry.parsed is not None and are_checks(entry.parsed.position, entry.line)
    except ValueError:
        return True  # what cannot be played is shown as it is given


def _content_lines(text: str) -> Iterator[str]:
    return (line for line in map(str.strip, text.splitlines()) if line and not line.startswith("#"))


def _lines_with_moves(text: str) -> Iterator[str]:
    """The lines of positions, each with the moves of the line after it. Raises ValueError for other moves."""
    last = ""
    for number, line in enumerate(map(str.strip, text.splitlines()), start=1):
        moves = line.removeprefix("moves ").removeprefix("checkmate ").split()
        after = "/" in last.partition(" ")[0] or last.startswith(("position ", "sfen ", "startpos"))
        if after and moves and " moves" not in last and are_usi(moves):
            last += f" moves {' '.join(moves)}"
        elif after and "/" not in line and count_moves(line):
            raise ValueError(f"line {number}: moves after an SFEN must be those of USI: {text_excerpt(line)}")
        elif line and not line.startswith(("#", "go ")):
            if last:
                yield last
            last = line
    if last:
        yield last


def _resembles_sfen(text: str) -> bool:
    """Whether a text begins like a line with a position: the ranks of a board, or a JSON object."""
    first = next(_content_lines(text), "")
    if is_tpa(first):
        return True
    words = [word for word in first.split() if word not in ("position", "sfen")]
    return first.startswith("{") or (bool(words) and ("/" in words[0] or words[0] == "startpos"))
