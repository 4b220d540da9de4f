# SPDX-License-Identifier: GPL-3.0-or-later
"""Measurements of experiments as lines of JSON, from which an interrupted run continues."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import click
from matplotlib.axes import Axes
from rich.cells import cell_len

from db.errors import store_place_name
from tsume.commands.output import print_line
from tsume.files.inputs import PositionInputs, print_complaint, with_start_faults
from tsume_rules.sfen import format_sfen

_LARGEST = 2**63


@dataclass(frozen=True)
class StoredRow:
    """A measurement stored as a line of a file: a dataclass of plain values."""

    def to_json(self) -> str:
        """The row as one line of JSON."""
        return json.dumps(asdict(self))


class InvalidRow(ValueError):
    """A line that is not a measurement of the experiment."""

    def __init__(self, reason: str = "") -> None:
        super().__init__("no row of this experiment" + (f": {reason}" if reason else ""))


def read_row_fields(text: str) -> dict[str, Any]:
    """The fields of a line. Raises `InvalidRow` unless it is an object of finite numbers."""
    try:
        fields = json.loads(
            text, parse_float=_finite_number, parse_int=_bounded_integer, parse_constant=_finite_number
        )
    except (ValueError, RecursionError):
        raise InvalidRow from None
    if not isinstance(fields, dict):
        raise InvalidRow
    return fields


def require_valid_row(holds: bool, reason: str = "a value of another type") -> None:
    """Raise `InvalidRow` unless the condition holds."""
    if not holds:
        raise InvalidRow(reason)


def is_number_row_value(value: object) -> bool:
    """Whether a field is a non-negative number and no Boolean."""
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0


def is_whole_row_value(value: object) -> bool:
    """Whether a field is an integer and no Boolean."""
    return isinstance(value, int) and not isinstance(value, bool)


def _finite_number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _bounded_integer(text: str) -> int:
    number = int(text)
    if abs(number) >= _LARGEST:
        raise ValueError(text)
    return number


# ---------------------------------------------------------------------------------------------------
#
# Scatter plots of the experiments: one way of doing it against another, a point for each problem.


def draw_diagonals(panels: Sequence[Axes]) -> None:
    """Give all panels the same logarithmic axes and a diagonal: below it the second way took less."""
    for axes in panels:
        axes.set(xscale="log", yscale="log")
    ends = [end for axes in panels for end in (*axes.get_xlim(), *axes.get_ylim())]
    low, high = min(ends), max(ends)
    for axes in panels:
        axes.plot((low, high), (low, high), color="grey", linewidth=0.8)
        axes.set(xlim=(low, high), ylim=(low, high), aspect="equal")


# ---------------------------------------------------------------------------------------------------
#
# The files of the experiments: problems to read, and measurements to keep, one a line.

Row = TypeVar("Row", bound=StoredRow)


def problem_sfens(files: tuple[str, ...]) -> tuple[list[str], bool]:
    """The problems of files, each once, and whether all could be read; ends the command if none could."""
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
                content = file.read()
                *lines, last = content.split(b"\n")
                for number, line in enumerate(lines, start=1):
                    self.known.append(self._row(line, number, read))
                if _is_incomplete_line(last):
                    print_complaint(self._name, f"line {len(lines) + 1}: incomplete row, dropped")
                    self._torn_at = len(content) - len(last)
                elif last:
                    self.known.append(self._row(last, len(lines) + 1, read))
                    self._before = b"\n"
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


# ---------------------------------------------------------------------------------------------------
#
# Options that the experiments share, with the same meaning in each. Errors are reported before any work.

F = TypeVar("F", bound=Callable[..., Any])


def files_option(command: F) -> F:
    """``-f/--file`` as ``files``: the positions to measure on (`files.problem_sfens` reads them)."""
    return click.option(
        "-f", "--file", "files", multiple=True, metavar="PATH",
        help="Measure on these positions instead of the project's own problems; - for stdin.",
    )(command)  # fmt: skip


def rows_option(command: F) -> F:
    """``--rows`` as ``rows_path``: where measurements are kept (`files.ResultFile`)."""
    return click.option(
        "--rows", "rows_path", type=click.Path(path_type=Path), metavar="PATH",
        help="File with a line per measurement; existing measurements are not repeated.",
    )(command)  # fmt: skip


def plots_option(command: F) -> F:
    """``--plots`` as ``plots_path``: the folder for the plots, which is there."""
    return click.option(
        "--plots", "plots_path", type=click.Path(path_type=Path), metavar="FOLDER", callback=_folder,
        help="Folder for the plots of the paper.",
    )(command)  # fmt: skip


def _folder(_context: click.Context, _parameter: click.Parameter, path: Path | None) -> Path | None:
    try:
        if path is None or path.is_dir():
            return path
    except (OSError, ValueError):
        pass
    raise click.ClickException(f"{store_place_name(str(path))}: no such folder")


def draw_plot(plot: Callable[[Path], None], folder: Path, name: str) -> None:
    """Draw a plot into a file of the folder; one clear line if it cannot be written."""
    path = folder / name
    try:
        plot(path)
    except OSError as error:
        raise click.ClickException(f"{store_place_name(str(path))}: {error.strerror or error}") from None


# --- tables of figures measured here beside the paper's --------------------------------------------

_GAP = "  "


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows of cells below their heads, the first column flush left, the others flush right.

    Full-width characters take two columns, as in a terminal.
    """
    lines = [heads, *rows]
    widths = [max(cell_len(line[i]) for line in lines) for i in range(len(heads))]
    for line in lines:
        blanks = [" " * (width - cell_len(cell)) for cell, width in zip(line, widths, strict=True)]
        others = (blank + cell for blank, cell in zip(blanks[1:], line[1:], strict=True))
        print_line(_GAP.join((line[0] + blanks[0], *others)).rstrip())


def print_beside_paper(rows: Sequence[tuple[str, str, str]], what: str = "") -> None:
    """Print rows of a name, the figure measured here and the paper's ("" if it has none)."""
    print_table((what, "here", "paper"), rows)
