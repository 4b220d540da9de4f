"""Positions given to a command, as arguments and in files.

A line of a file is an SFEN, optionally followed by `` moves USI...``, or a JSON object with an
SFEN under ``sfen``, as ``--jsonl`` prints it; ``#`` starts a comment. Files of KIF, KI2, CSA, JKF
and CSV are known by their ending or their content.
"""

from __future__ import annotations

import errno
import io
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, BinaryIO, TypeVar, cast

import click

from db.errors import named
from tsume.entries import Entry, csv_entries, manuscript_entry, read_entry
from tsume.formats.encoding import decode_utf_16
from tsume.formats.manuscripts import Form, form_of, read_manuscript
from tsume.warmup import Part, warm_up

__all__ = ["Entry", "Inputs", "complain", "position_arguments", "read_entry", "with_start_faults"]

F = TypeVar("F", bound=Callable[..., Any])
_LONGEST_LINE = 200_000  # twice the longest SFEN that is read: spaces and a comment may come on top
_ENDLESS_LINE = 100_000_000
_MOST_BYTES = 2**24
"""The largest file of KIF, KI2, CSA, JKF or CSV: these are read whole, unlike files of SFENs."""
_LOOKED_AT = 2**16


def position_arguments(command: F) -> F:
    """Add ``[SFEN|FILE]...`` and ``-f`` to a command."""
    command = click.option(
        "-f",
        "--file",
        "files",
        multiple=True,
        metavar="PATH",
        help="Read positions from a file in any format (- for stdin).",
    )(command)
    return click.argument("sfens", nargs=-1, metavar="[SFEN|FILE]...")(command)


class Inputs:
    """Iterates over the given positions; afterwards ``unreadable`` says whether a file could not be read."""

    def __init__(self, sfens: tuple[str, ...], files: tuple[str, ...], form: Form | None = None) -> None:
        if not sfens and not files:
            raise click.UsageError("no position: give an SFEN or a file (-f PATH, -f - for stdin)")
        self._sfens = sfens
        self._files = files
        self._form = form
        self.unreadable = False

    def __iter__(self) -> Iterator[Entry]:
        for number, text in enumerate(self._sfens, start=1):
            if _is_file(text):
                yield from self._from_file(text)
            else:
                yield read_entry(text, f"argument {number}")
        for path in self._files:
            yield from self._from_file(path)

    def _from_file(self, path: str) -> Iterator[Entry]:
        name = "stdin" if path == "-" else named(path)
        try:
            with click.open_file(path, "rb") as opened:
                file = _peekable(cast(BinaryIO, opened))
                beginning = file.peek(_LOOKED_AT)
                form = self._form or form_of(path, beginning)
                if form == "lines":
                    yield from _from_lines(file, beginning, name)
                else:
                    yield from _from_whole(file, form, name)
        except OSError as error:
            self.unreadable = True
            complain(name, error.strerror or str(error))


def _is_file(text: str) -> bool:
    """Whether an argument is the name of a file, not an SFEN."""
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long a name, or one with NUL
        return False


def _peekable(file: BinaryIO) -> io.BufferedReader:
    """A file whose beginning can be looked at."""
    if hasattr(file, "peek"):
        return cast(io.BufferedReader, file)
    return io.BufferedReader(cast(io.RawIOBase, file))


def _from_lines(file: io.BufferedReader, beginning: bytes, name: str) -> Iterator[Entry]:
    """One position a line, each as soon as its line is there."""
    encoding = "utf-8" if decode_utf_16(beginning[: len(beginning) & ~1]) is None else "utf-16"
    lines = io.TextIOWrapper(file, encoding=encoding, errors="replace")
    try:
        for number, line in enumerate(_bounded(lines), start=1):
            text = _content(line)
            if text:
                yield read_entry(text, f"{name}, line {number}")
    finally:
        lines.detach()


def _from_whole(file: io.BufferedReader, form: Form, name: str) -> Iterator[Entry]:
    """The problems of a file of another format."""
    data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        fault = f"more than {_MOST_BYTES >> 20} MB: split the file, or give the problems as SFENs"
        yield Entry(name, "", None, fault)
    elif form == "csv":
        yield from csv_entries(data, name)
    else:
        for number, found in enumerate(read_manuscript(data, form), start=1):
            yield manuscript_entry(found, f"{name}, problem {number}")


def _content(line: str) -> str:
    """A line without its comment; in a JSON object ``#`` does not start one."""
    text = line.lstrip("\ufeff").strip()
    return text if text.startswith("{") else text.split("#", 1)[0].strip()


def _bounded(lines: IO[str]) -> Iterator[str]:
    """The lines of a file, overlong ones cut short. Raises OSError for an endless line."""
    while line := lines.readline(_LONGEST_LINE):
        yield line
        length = len(line)
        while len(line) == _LONGEST_LINE and not line.endswith("\n"):
            line = lines.readline(_LONGEST_LINE)
            length += len(line)
            if length > _ENDLESS_LINE:
                raise OSError(errno.EFBIG, "a line has no end")


def with_start_faults(entry: Entry) -> Entry:
    """The entry, turned into an error if its position is not a legal start."""
    if entry.parsed is None:
        return entry
    warm_up(Part.ENGINE)
    from tsume_rules.game import start_faults

    faults = start_faults(entry.parsed.position)
    return replace(entry, parsed=None, error="; ".join(faults)) if faults else entry


def complain(place: str, fault: str) -> None:
    """Print one line on stderr: where, and what is wrong."""
    click.echo(f"{place}: {' '.join(fault.split())}", err=True)
