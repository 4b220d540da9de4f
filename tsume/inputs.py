"""Positions given to a command, as arguments and as lines of files.

A line is an SFEN, optionally followed by `` moves USI...``, or a JSON object with an
SFEN under ``sfen``, as ``--jsonl`` prints it; ``#`` starts a comment.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, Any, TypeVar

import click

from db.errors import named
from tsume.warmup import Part, warm_up
from tsume_rules.sfen import ParsedSfen, parse_line, parse_sfen

F = TypeVar("F", bound=Callable[..., Any])
_LONGEST_TEXT = 100_000
_LONGEST_LINE = 2 * _LONGEST_TEXT  # room for spaces and a comment
_ENDLESS_LINE = 100_000_000
_LONGEST_FAULT = 500


@dataclass(frozen=True)
class Entry:
    """One given position: where it was read, its SFEN, the parsed SFEN or, if None, the error."""

    place: str
    sfen: str
    parsed: ParsedSfen | None
    error: str = ""


def position_arguments(command: F) -> F:
    """Add ``[SFEN]...`` and ``-f`` to a command."""
    command = click.option(
        "-f",
        "--file",
        "files",
        multiple=True,
        metavar="PATH",
        help="Read positions from a file (- for stdin).",
    )(command)
    return click.argument("sfens", nargs=-1, metavar="[SFEN]...")(command)


class Inputs:
    """Iterates over the given positions; afterwards ``unreadable`` says whether a file could not be read."""

    def __init__(self, sfens: tuple[str, ...], files: tuple[str, ...]) -> None:
        if not sfens and not files:
            raise click.UsageError("no position: give an SFEN or a file (-f PATH, -f - for stdin)")
        self._sfens = sfens
        self._files = files
        self.unreadable = False

    def __iter__(self) -> Iterator[Entry]:
        for number, text in enumerate(self._sfens, start=1):
            yield read_entry(text, f"argument {number}")
        for path in self._files:
            yield from self._from_file(path)

    def _from_file(self, path: str) -> Iterator[Entry]:
        name = "stdin" if path == "-" else named(path)
        try:
            with click.open_file(path, encoding="utf-8", errors="replace") as lines:
                for number, line in enumerate(_bounded(lines), start=1):
                    text = _content(line)
                    if text:
                        yield read_entry(text, f"{name}, line {number}")
        except OSError as error:
            self.unreadable = True
            complain(name, error.strerror or str(error))


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


def read_entry(text: str, place: str) -> Entry:
    """Parse one line. Raises nothing: what is wrong is in the entry's ``error``."""
    sfen = text
    try:
        if len(text) > _LONGEST_TEXT:
            sfen = text[:80] + "..."
            raise ValueError(f"line of more than {_LONGEST_TEXT} characters")
        sfen, _ = parse_line(_sfen_of(text) if text.startswith("{") else text)
        parsed = parse_sfen(sfen)
    except ValueError as error:
        return Entry(place, sfen, None, _cut(str(error)))
    return Entry(place, sfen, parsed)


def _sfen_of(text: str) -> str:
    """The text under ``sfen`` in a JSON object. Raises ValueError."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"not a JSON object: {error}") from None
    sfen = fields.get("sfen")
    if not isinstance(sfen, str):
        raise ValueError('the JSON object has no text under "sfen"')
    return sfen


def _cut(fault: str) -> str:
    return fault if len(fault) <= _LONGEST_FAULT else f"{fault[:_LONGEST_FAULT]}..."


def with_start_faults(entry: Entry) -> Entry:
    """The entry, turned into an error if its position is not a legal start."""
    if entry.parsed is None:
        return entry
    warm_up(Part.ENGINE)
    from tsume_rules.game import start_faults

    faults = start_faults(entry.parsed.position)
    return Entry(entry.place, entry.sfen, None, "; ".join(faults)) if faults else entry


def complain(place: str, fault: str) -> None:
    """Print one line on stderr: where, and what is wrong."""
    click.echo(f"{place}: {' '.join(fault.split())}", err=True)
