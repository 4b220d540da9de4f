# SPDX-License-Identifier: GPL-3.0-or-later
"""What the experiments share: options, measurements kept as lines of JSON, tables, scatter plots."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Generic, Self, TypeVar

import click
from matplotlib.axes import Axes
from rich.cells import cell_len

from tsume.commands.options import print_line
from tsume.files.inputs import PositionInputs, entry_with_start_faults, print_complaint
from tsume_rules.sfen import format_sfen

# --- options, with the same meaning in each experiment ---------------------------------------------

files_option = click.option(
    "-f", "--file", "files", multiple=True, metavar="PATH",
    help="Measure on these positions instead of the project's own problems; - for stdin.",
)  # fmt: skip
rows_option = click.option(
    "--rows", "rows_path", type=click.Path(dir_okay=False, path_type=Path), metavar="PATH",
    help="File with a line per measurement; existing measurements are not repeated.",
)  # fmt: skip
plots_option = click.option(
    "--plots", "plots_path", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="FOLDER",
    help="Folder for the plots of the paper.",
)  # fmt: skip


def problem_sfens(files: tuple[str, ...]) -> tuple[list[str], bool]:
    """Return the problems of files, each once, and whether all could be read; exit if none could."""
    sfens, inputs, good = [], PositionInputs((), files), True
    for entry in map(entry_with_start_faults, inputs):
        if entry.parsed is None:
            print_complaint(entry.place, entry.error)
            good = False
        else:
            sfens.append(format_sfen(entry.parsed.position))
    good &= not inputs.unreadable
    if not (sfens or good):
        raise click.exceptions.Exit(1)  # the errors are printed already
    return list(dict.fromkeys(sfens)), good


# --- measurements, kept in a file from which an interrupted run continues --------------------------


class InvalidRow(ValueError):
    """A line that is not a measurement of the experiment."""


@dataclass(frozen=True)
class StoredRow:
    """A measurement stored as a line of a file: a dataclass of plain values."""

    def to_json(self) -> str:
        """Return the row as one line of JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the row of such a line. Raises `InvalidRow` unless it is an object with these fields."""
        try:
            return cls(**json.loads(text))
        except (TypeError, ValueError, RecursionError):
            raise InvalidRow("no row of this experiment") from None


Row = TypeVar("Row", bound=StoredRow)


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
        if path is None:
            return
        try:
            with path.open("a+b") as file:
                file.seek(0)
                content = file.read()
        except OSError as error:
            raise click.ClickException(f"{path}: {error.strerror}") from None
        *lines, last = content.split(b"\n")
        if last:
            try:
                json.loads(last)
            except (ValueError, RecursionError):
                if last.startswith(b"{"):
                    print_complaint(str(path), f"line {len(lines) + 1}: incomplete row, dropped")
                    self._torn_at = len(content) - len(last)
            if self._torn_at is None:
                lines.append(last)
                self._before = b"\n"
        for number, line in enumerate(lines, start=1):
            try:
                self.known.append(read(line.decode()))
            except ValueError as error:
                reason = error if isinstance(error, InvalidRow) else "not UTF-8"
                raise click.ClickException(f"{path}, line {number}: {reason}") from None
        self._known_ids = set(map(id, self.known))

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
            raise click.ClickException(f"{self._path}: {error.strerror}") from None
        self._torn_at, self._before = None, b""

    @contextmanager
    def going_on(self) -> Iterator[None]:
        """If the measuring inside is interrupted, say that the same command continues it."""
        try:
            yield
        except KeyboardInterrupt:
            if self._path is not None:
                note = "measurements so far are kept; run the same command to continue"
                print_complaint(str(self._path), note)
            raise

    def kept(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Yield measurements as they come, each kept."""
        for row in rows:
            self.add(row)
            yield row


# --- tables of figures measured here beside the paper's, and scatter plots -------------------------


def print_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print rows of cells below their heads, the first column flush left, the others flush right.

    Full-width characters take two columns, as in a terminal.
    """
    lines = [heads, *rows]
    widths = [max(cell_len(line[i]) for line in lines) for i in range(len(heads))]
    for line in lines:
        blanks = [" " * (width - cell_len(cell)) for cell, width in zip(line, widths, strict=True)]
        others = (blank + cell for blank, cell in zip(blanks[1:], line[1:], strict=True))
        print_line("  ".join((line[0] + blanks[0], *others)).rstrip())


def print_beside_paper(rows: Iterable[tuple[str, str, str]], what: str = "") -> None:
    """Print rows of a name, the figure measured here and the paper's ("" if it has none)."""
    print_table((what, "here", "paper"), list(rows))


def draw_diagonals(panels: Sequence[Axes]) -> None:
    """Give all panels the same logarithmic axes and a diagonal: below it the second way took less."""
    for axes in panels:
        axes.set(xscale="log", yscale="log")
    ends = [end for axes in panels for end in (*axes.get_xlim(), *axes.get_ylim())]
    low, high = min(ends), max(ends)
    for axes in panels:
        axes.plot((low, high), (low, high), color="grey", linewidth=0.8)
        axes.set(xlim=(low, high), ylim=(low, high), aspect="equal")
