"""What the experiments read and keep: problems, and a line for each measurement."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol, TypeVar

import click

from tsume.inputs import Inputs, complain, with_start_faults

Row = TypeVar("Row")


class Kept(Protocol):
    """A measurement that is a line of a file."""

    def to_json(self) -> str:
        """The line."""


def problems(files: tuple[str, ...]) -> tuple[list[str], bool]:
    """The problems of files, and whether all could be read."""
    from rules.sfen import format_sfen

    sfens, inputs, good = [], Inputs((), files), True
    for entry in map(with_start_faults, inputs):
        if entry.reading is None:
            complain(entry.place, entry.error)
            good = False
        else:
            sfens.append(format_sfen(entry.reading.position))
    return sfens, good and not inputs.unreadable


def known(path: Path | None, read: Callable[[str], Row]) -> list[Row]:
    """The measurements kept in a file, each read by ``read``; none if there is no file."""
    if path is None or not path.exists():
        return []
    if not path.is_file():
        raise click.ClickException(f"{path}: not a regular file")
    try:
        return [read(line) for line in path.read_text().splitlines()]
    except (OSError, ValueError) as error:
        raise click.ClickException(f"{path}: {error}") from None


def keep(row: Kept, path: Path) -> None:
    """Add a measurement to a file."""
    try:
        with path.open("a") as out:
            out.write(row.to_json() + "\n")
    except OSError as error:
        raise click.ClickException(f"{path}: {error.strerror}") from None
