# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions given to a command, as arguments and in files.

A line of a file is an SFEN, optionally followed by `` moves USI...`` or by a tab, the moves and
further columns, or a JSON object with an SFEN under ``sfen``, as ``--jsonl`` prints it; ``#`` starts a
comment. Files of KIF, KI2, CSA, JKF
and CSV are known by their ending or their content.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

import click

from db.errors import store_place_name
from tsume.files.entries import Entry, UnreadEntry, csv_entries, entry_with_start_faults, problem_entry, read_entry
from tsume.formats.addresses import is_address
from tsume.formats.registry import ENDINGS, FileFormat, file_format_of, read_problem_file
from tsume.formats.text import encoding_of_lines

# --- the files of positions in a folder ------------------------------------------------------------

RESULT_KINDS = ("check", "explain")
"""What the results of manuscripts are called after: ``NAME.check.txt`` (`tsume.commands.answering`)."""
EMPTY_FOLDER = f"a folder without problem files ({', '.join(ENDINGS)})"
"""What is wrong with one that holds none."""
EMPTY_FILE = "there is no position in it"
"""What is wrong with a file, or stdin, of which nothing is left without blank lines and comments."""
_RESULT = re.compile(rf".+\.(?:{'|'.join(RESULT_KINDS)})\.[^.]+", re.DOTALL)


def files_at_path(path: str, *, recursive: bool = True) -> list[str]:
    """Return the file itself; of a folder and the folders in it, the files whose names end as a format's do.

    They come by name, numbers in names by size: ``2.kif`` before ``10.kif``. Results are left out, and so are
    files whose names begin with a dot.
    """
    if path == "-" or not is_folder(path):
        return [path]
    found = []
    for inner, folders, names in os.walk(path):
        if not recursive:
            folders.clear()
        for file in (Path(inner, name) for name in names):
            is_named = file.suffix.lower() in ENDINGS and not file.name.startswith(".")
            if is_named and not _RESULT.fullmatch(file.name) and file.is_file():
                found.append(str(file))
    parts = {name: re.findall(r"(\D*)([0-9]*)", name) for name in found}
    return sorted(found, key=lambda name: [(text, int(digits or 0)) for text, digits in parts[name]])


def is_file(text: str) -> bool:
    """Return whether an argument is the name of a file or a folder, not an SFEN."""
    return os.path.isfile(text) or is_folder(text)  # noqa: PTH113 - as there


def is_folder(path: str) -> bool:
    """Return whether a path is that of a folder."""
    return os.path.isdir(path)  # noqa: PTH112 - false, no error, for too long a name


# --- positions given to a command, as arguments and in files ---------------------------------------

__all__ = [
    "Entry", "PositionInputs", "UnreadEntry", "UnreadableFile",
    "complaint_line", "entry_with_start_faults", "print_complaint", "read_entry",
]  # fmt: skip

_LONGEST_LINE = 200_000  # twice the longest SFEN that is read: spaces and a comment may come on top
_ENDLESS_LINE = 100_000_000
_MAX_BYTES = 2**24
"""The largest file of KIF, KI2, CSA, JKF or CSV: these are read whole, unlike files of SFENs."""
_OF_A_STORE = b"SQLite format 3\0"
_LOOKED_AT = 2**16


@dataclass(frozen=True)
class UnreadableFile:
    """A file that cannot be read, or not to its end, and why."""

    place: str
    fault: str


class PositionInputs:
    """Iterates over the given positions; afterwards ``unreadable`` says whether a file could not be read.

    Folders are read with the folders in them if ``recursive``. ``at`` is that of `read_entry`.
    """

    def __init__(
        self,
        sfens: tuple[str, ...],
        files: tuple[str, ...],
        form: FileFormat | None = None,
        *,
        recursive: bool = True,
        allow_none: bool = False,
        at: int | None = None,
    ) -> None:
        if not sfens and not files and not allow_none:
            raise click.UsageError("no position: give an SFEN or a file (-f PATH, -f - for stdin)")
        self._sfens = sfens
        self._files = files
        self._form = form
        self._recursive = recursive
        self._at = at
        self.unreadable = False

    def __iter__(self) -> Iterator[Entry]:
        for found in self.entries():
            if isinstance(found, UnreadableFile):
                self.unreadable = True
                print_complaint(found.place, found.fault)
            else:
                entry = found.read() if isinstance(found, UnreadEntry) else found
                if entry.note:
                    print_complaint(entry.place, entry.note)
                yield entry

    def entries(self, skip: int = 0) -> Iterator[Entry | UnreadEntry | UnreadableFile]:
        """Yield the positions but the first ``skip``, and in their places the files that cannot be read."""
        for found in self._all_entries():
            if skip > 0 and not isinstance(found, UnreadableFile):
                skip -= 1
            else:
                yield found

    def _all_entries(self) -> Iterator[Entry | UnreadEntry | UnreadableFile]:
        for number, text in enumerate(self._sfens, start=1):
            if _is_place(text):
                yield from self._entries_of_path(text)
            else:
                yield read_entry(text, f"argument {number}", self._at)
        for path in self._files:
            yield from self._entries_of_path(path)

    def number(self) -> int | None:
        """Return how many positions there are, if that is soon known: of lines in files, not in pipes."""
        places = [*filter(_is_place, self._sfens), *self._files]
        total = len(self._sfens) + len(self._files) - len(places)
        for path in (file for place in places for file in files_at_path(place, recursive=self._recursive)):
            try:
                if path == "-" or not Path(path).is_file():
                    return None
                with Path(path).open("rb") as file:
                    beginning = file.peek(_LOOKED_AT)
                    if (self._form or file_format_of(path, beginning)) != "lines":
                        return None
                    total += sum(1 for _ in _numbered_contents(file, beginning))
            except (OSError, ValueError):
                return None
        return total

    def _entries_of_path(self, path: str) -> Iterator[Entry | UnreadEntry | UnreadableFile]:
        files = files_at_path(path, recursive=self._recursive)
        if not files:
            yield UnreadableFile(store_place_name(path), EMPTY_FOLDER)
        for file in files:
            yield from self._entries_from_file(file)

    def _entries_from_file(self, path: str) -> Iterator[Entry | UnreadEntry | UnreadableFile]:
        name = "stdin" if path == "-" else store_place_name(path)
        try:
            with _opened(path) as file:
                beginning = file.peek(_LOOKED_AT)
                form = self._form or file_format_of(path, beginning)
                if beginning.startswith(_OF_A_STORE):
                    yield UnreadableFile(name, "a store, not a problem file: export or merge it")
                    return
                is_empty = True
                for found in self._entries_of_file(file, beginning, form, name):
                    is_empty = False
                    yield found
                if is_empty:
                    yield UnreadableFile(name, EMPTY_FILE)
        except OSError as error:
            yield UnreadableFile(name, error.strerror or str(error))

    def _entries_of_file(
        self, file: io.BufferedReader, beginning: bytes, form: FileFormat, name: str
    ) -> Iterator[Entry | UnreadEntry]:
        if form == "lines":
            for number, text in _numbered_contents(file, beginning):
                yield UnreadEntry(text, f"{name}, line {number}", name, self._at)
            return
        if len(beginning) < _LOOKED_AT and not beginning.removeprefix(codecs.BOM_UTF8).strip():
            return  # a blank file holds no position in any format
        data = file.read(_MAX_BYTES + 1)
        if len(data) > _MAX_BYTES:
            fault = f"more than {_MAX_BYTES >> 20} MB: split the file, or give the problems as SFENs"
            yield Entry(name, "", None, fault, file=name)
        elif form == "csv":
            yield from (replace(entry, file=name) for entry in csv_entries(data, name, self._at))
        else:
            for number, found in enumerate(read_problem_file(data, form), start=1):
                entry = problem_entry(found, f"{name}, problem {number}", self._at)
                yield replace(entry, file=name)


def _is_place(text: str) -> bool:
    """Return whether an argument names a file, a folder, stdin or a pipe (``<(...)``), not an SFEN."""
    return text == "-" or os.path.exists(text)  # noqa: PTH110 - false, no error, for too long a name


@contextmanager
def _opened(path: str) -> Iterator[io.BufferedReader]:
    """Open a file, or stdin once more: Python cannot end while a thread waits at the reader that it has."""
    opened: Any = None
    if path == "-":
        with suppress(OSError):  # it is no file of the system
            opened = os.fdopen(os.dup(sys.stdin.fileno()), "rb")
    with opened or click.open_file(path, "rb") as found:
        file: Any = found
        yield file if hasattr(file, "peek") else io.BufferedReader(file)


def _numbered_contents(file: io.BufferedReader, beginning: bytes) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not empty, with their numbers, each as soon as it is there.

    Overlong lines are cut short, and comments removed; in a JSON object ``#`` does not start one, nor inside
    an address. Raises OSError for an endless line.
    """
    lines = io.TextIOWrapper(file, encoding=encoding_of_lines(beginning), errors="replace")
    try:
        for number in count(1):
            line = rest = lines.readline(_LONGEST_LINE)
            if not line:
                return
            text = line.lstrip("\ufeff").strip()
            if not text.startswith("{"):
                text = text.split(" #" if is_address(text) else "#", 1)[0].strip()
            if text:
                yield number, text
            length = len(line)
            while len(rest) == _LONGEST_LINE and not rest.endswith("\n"):
                rest = lines.readline(_LONGEST_LINE)
                length += len(rest)
                if length > _ENDLESS_LINE:
                    raise OSError(errno.EFBIG, "a line has no end")
    finally:
        lines.detach()


def print_complaint(place: str, fault: str) -> None:
    """Print one line on stderr: where, and what is wrong."""
    click.echo(complaint_line(place, fault), err=True)


def complaint_line(place: str, fault: str) -> str:
    """Return one line: where, and what is wrong."""
    return f"{place}: {' '.join(fault.split())}"
