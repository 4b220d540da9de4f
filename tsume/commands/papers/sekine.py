# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume papers sekine``: Sekine's table and plot."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.results import Limits
from tsume.commands.options import not_nan
from tsume.commands.output import print_line
from tsume.commands.papers.files import ResultFile, problem_sfens
from tsume.commands.papers.options import draw_plot, files_option, plots_option, rows_option
from tsume.commands.papers.tables import print_beside_paper
from tsume.files.inputs import print_complaint
from tsume.warmup import KernelPart, warm_up

if TYPE_CHECKING:
    from tsume.papers.sekine.experiment import SekineRow


@click.command()
@click.pass_context
@files_option
@click.option("-j", "--jobs", type=click.IntRange(2, 256), default=2, show_default=True,
              help="Number of workers to compare with one.")  # fmt: skip
@click.option("--time", "seconds", type=click.FloatRange(0), default=60.0, show_default=True,
              callback=not_nan, help="Skip a problem after this many seconds.")  # fmt: skip
@rows_option
@plots_option
def sekine(
    context: click.Context,
    files: tuple[str, ...],
    jobs: int,
    seconds: float,
    rows_path: Path | None,
    plots_path: Path | None,
) -> None:
    """Sekine's table: how the king's freedom ranks the right check, and what its weight saves.

    Exits with status 1 if a problem was invalid or skipped.
    """
    from tsume.papers.sekine.experiment import SekineRow, bundled_problems

    sfens, good = problem_sfens(files) if files else (bundled_problems(), True)
    workers = (1, jobs)
    kept = ResultFile(rows_path, SekineRow.from_json)
    warm_up(KernelPart.ITERATIVE)
    try:
        with kept.going_on():
            rows = _measured_problems(sfens, workers, Limits(seconds=seconds), kept)
    except MemoryError:
        raise click.ClickException(f"out of memory with {jobs} workers") from None
    if not rows:
        raise click.ClickException("no problem was measured")
    _print_table(rows, workers)
    if plots_path is not None:
        _plot(rows, workers, plots_path)
    context.exit(0 if good and len(rows) == len(sfens) else 1)


def _measured_problems(
    sfens: list[str], workers: tuple[int, ...], limits: Limits, kept: ResultFile[SekineRow]
) -> list[SekineRow]:
    """The rows, new ones kept as they come."""
    from tsume.papers.sekine.experiment import measure_all
    from tsume.progress import with_progress_bar

    known = {row.sfen: row for row in kept.known if row.covers(workers)}
    rows: list[SekineRow] = []
    for sfen, row in with_progress_bar(measure_all(sfens, known, workers, limits), len(sfens)):
        if row is None:
            print_complaint(sfen, "skipped: no mate found")
            continue
        rows.append(row)
        kept.add(row)
    return rows


def _print_table(rows: list[SekineRow], workers: tuple[int, ...]) -> None:
    from tsume.papers.sekine.experiment import table_of_shares

    lengths = sorted({row.length for row in rows})
    print_line(f"{len(rows)} problems of {lengths[0]} to {lengths[-1]} moves")
    print_beside_paper([
        (share.name, f"{share.here:.1%}", "" if share.paper is None else f"{share.paper:.1%}")
        for share in table_of_shares(rows, workers)
    ])  # fmt: skip


def _plot(rows: list[SekineRow], workers: tuple[int, ...], folder: Path) -> None:
    from tsume.papers.sekine.plot import plot

    draw_plot(partial(plot, rows, workers), folder, "sekine.png")
