# SPDX-License-Identifier: GPL-3.0-or-later
"""The positions that are measured: files with one on each line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import click

from tsume_rules.position import IllegalPosition, Position
from tsume_rules.sfen import SfenError, parse_line, parse_sfen

DATA = Path(__file__).parents[3] / "shared" / "data"
"""Files of problems beside the project; they do not belong to it."""
JISSEN = "jissen_mate{}.txt"
LENGTHS = (3, 5, 7, 9, 11)

_LENGTH = re.compile(r"mate(\d+)")


@dataclass(frozen=True)
class Named:
    """A position as it was written and as it was read, with its name in the file."""

    name: str
    sfen: str
    position: Position


def read(path: Path, number: int | None = None) -> list[Named]:
    """The first ``number`` positions of a file; a line without one is named on stderr and left out.

    A line holds an SFEN (``moves ...`` allowed) or columns separated by tabs, one of which is
    an SFEN; the first other column is the name. Empty lines and lines that begin with ``#`` are
    passed over. Raises `click.ClickException` for a file without any position.
    """
    found: list[Named] = []
    for row, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if number is not None and len(found) >= number:
            break
        if line.strip() and not line.startswith("#"):
            try:
                found.append(_parse(line, path, row))
            except ValueError as fault:
                click.echo(f"{path}:{row}: {fault}; left out", err=True)
    if not found:
        raise click.ClickException(f"{path}: no positions")
    return found


def _parse(line: str, path: Path, row: int) -> Named:
    fault: ValueError = SfenError("no column holds a board")
    columns = [column.strip() for column in line.split("\t")]
    for i, column in enumerate(columns):
        if column.count("/") != 8:
            continue
        try:
            sfen = parse_line(column)[0]
            position = parse_sfen(sfen).position
        except (SfenError, IllegalPosition) as error:
            fault = error
            continue
        others = [other for other in columns[:i] + columns[i + 1 :] if other]
        return Named(others[0] if others else f"{path.name}:{row}", sfen, position)
    raise fault


def length_in_name(path: Path) -> int | None:
    """The length that a file's name gives all its problems (``...mate7...``)."""
    found = _LENGTH.search(path.name)
    return int(found[1]) if found else None


def files_or_default(files: tuple[Path, ...], lengths: tuple[int, ...] = LENGTHS) -> list[Path]:
    """The files given; without any, those beside the project. Raises `click.UsageError` if there are none."""
    if files:
        return list(files)
    default = [DATA / JISSEN.format(length) for length in lengths]
    if not all(path.is_file() for path in default):
        raise click.UsageError(
            f"give FILES of one SFEN a line: there is no {JISSEN.format('N')} in ../shared/data"
        )
    return default
