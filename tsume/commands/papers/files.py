# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of the experiments: problems to read, and measurements to keep, one a line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, TypeVar

import click

from db.errors import store_place_name
from tsume.files.inputs import PositionInputs, print_complaint, with_start_faults
from tsume.papers.stored_row import StoredRow

Row = TypeVar("Row", bound=StoredRow)


def problem_sfens(files: tuple[str, ...]) -> tuple[list[str], bool]:
    """The problems of files, each once, and whether all could be read; ends the command if none could."""
    from tsume_rules.sfen import format_sfen

    sfens, inputs, good = [], PositionInputs((), files), True
    for entry in map(with_start_faults, inputs):
        if entry.parsed is None:
            print_complaint(entry.place, entry.error)
            good = False
        else:
            sfens.append(format_sfen(entry.parsed.position))
    good &= not inputs.unreadable
    if not (sfens or good):
        raise click.exceptions.Exit(1)  # the errors are printed already
    return list(dict.fromkeys(sfens)), good


class ResultFile(Generic[Row]):
    """The measurements of an experiment, kept in a file as they come; without a path, not kept.

    ``known`` are those that were in the file before. A run that is killed may leave half a line at
    the end: it is dropped, with a note. Whatever else cannot be read or written raises
    `click.ClickException`, and the file is left as it is.
    """

    def __init__(self, path: Path | None, read: Callable[[str], Row]) -> None:
        self._path = path
        self._torn_at: int | None = None
        self._before = b""
        self.known: list[Row] = []
        self._known_ids: set[int] = set()
        if path is None:
            return
        try:
            if path.exists() and not path.is_file():
                raise click.ClickException(f"{self._name}: not a regular file")
            with path.open("a+b") as file:
                file.seek(0)
                self._read(file.read(), read)
            self._known_ids.update(map(id, self.known))
        except (OSError, ValueError) as error:
            raise self._fault(error) from None

    def add(self, row: Row) -> None:
        """Keep a measurement unless it is already in the file. It is there when this returns."""
        if self._path is None or id(row) in self._known_ids:
            return
        try:
            with self._path.open("r+b" if self._torn_at is not None else "ab") as file:
                if self._torn_at is not None:
                    file.truncate(self._torn_at)
                    file.seek(self._torn_at)
                file.write(self._before + row.to_json().encode() + b"\n")
        except OSError as error:
            raise self._fault(error) from None
        self._torn_at, self._before = None, b""

    @contextmanager
    def going_on(self) -> Iterator[None]:
        """If the measuring inside is interrupted, say that the same command continues it."""
        try:
            yield
        except KeyboardInterrupt:
            if self._path is not None:
                print_complaint(self._name, "measurements so far are kept; run the same command to continue")
            raise

    def kept(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Measurements as they come, each kept."""
        for row in rows:
            self.add(row)
            yield row

    @property
    def _name(self) -> str:
        return store_place_name(str(self._path))

    def _fault(self, error: OSError | ValueError) -> click.ClickException:
        reason = error.strerror if isinstance(error, OSError) else None
        return click.ClickException(f"{self._name}: {reason or error}")

    def _read(self, content: bytes, read: Callable[[str], Row]) -> None:
        *lines, last = content.split(b"\n")
        for number, line in enumerate(lines, start=1):
            self.known.append(self._row(line, number, read))
        if _is_incomplete_line(last):
            print_complaint(self._name, f"line {len(lines) + 1}: incomplete row, dropped")
            self._torn_at = len(content) - len(last)
        elif last:
            self.known.append(self._row(last, len(lines) + 1, read))
            self._before = b"\n"

    def _row(self, line: bytes, number: int, read: Callable[[str], Row]) -> Row:
        try:
            return read(line.decode())
        except ValueError as error:
            reason = "not UTF-8" if isinstance(error, UnicodeDecodeError) else error
            raise click.ClickException(f"{self._name}, line {number}: {reason}") from None


def _is_incomplete_line(line: bytes) -> bool:
    """Whether a line without an end is the beginning of an object."""
    if not line.startswith(b"{"):
        return False
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return True
    return False
