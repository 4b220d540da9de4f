# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that the experiments share, with the same meaning in each. Errors are reported before any work."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from db.errors import store_place_name

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
