"""``tsume papers sekine``: Sekine's table and plot."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.results import Limits
from tsume.commands.options import number
from tsume.commands.papers.files import keep, known, problems
from tsume.inputs import complain
from tsume.output import print_line

if TYPE_CHECKING:
    from papers.sekine import Row


@click.command()
@click.pass_context
@click.option(
    "-f",
    "--file",
    "files",
    multiple=True,
    metavar="PATH",
    help="Measure on these problems instead of the project's own set.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(2, 256),
    default=2,
    show_default=True,
    help="How many workers beside one.",
)
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(0),
    default=60.0,
    show_default=True,
    callback=number,
    help="Leave a problem out after so many seconds.",
)
@click.option(
    "--rows",
    "rows_path",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep a line for each problem here; those in it are not measured again.",
)
@click.option("--plot", "plot_path", type=click.Path(dir_okay=False, path_type=Path),
              help="Draw the work with and without the weight (PNG, PDF, SVG).")  # fmt: skip
def sekine(
    context: click.Context,
    files: tuple[str, ...],
    jobs: int,
    seconds: float,
    rows_path: Path | None,
    plot_path: Path | None,
) -> None:
    """Sekine's table: how the king's freedom ranks the right check, what its weight saves.

    Exits 1 when a problem could not be read or was left out.
    """
    from papers.sekine import own_problems

    sfens, good = problems(files) if files else (own_problems(), True)
    if plot_path is not None and not plot_path.absolute().parent.is_dir():
        raise click.ClickException(f"{plot_path}: no such folder")
    workers = (1, jobs)
    try:
        rows = _measured(sfens, workers, Limits(seconds=seconds), rows_path)
    except MemoryError:
        raise click.ClickException(f"out of memory with {jobs} workers") from None
    if not rows:
        raise click.ClickException("no problem was measured")
    _print_table(rows, workers)
    if plot_path is not None:
        _plot(rows, workers, plot_path)
    context.exit(0 if good and len(rows) == len(sfens) else 1)


def _measured(
    sfens: list[str], workers: tuple[int, ...], limits: Limits, rows_path: Path | None
) -> list[Row]:
    """The rows, new ones kept as they come."""
    from papers.sekine import Row, measure_all
    from tsume.progress import counted

    before = {row.sfen: row for row in known(rows_path, Row.from_json)}
    rows: list[Row] = []
    for sfen, row in counted(measure_all(sfens, before, workers, limits), len(sfens)):
        if row is None:
            complain(sfen, "left out: no mate found in time")
            continue
        rows.append(row)
        if rows_path is not None and row is not before.get(sfen):
            keep(row, rows_path)
    return rows


def _print_table(rows: list[Row], workers: tuple[int, ...]) -> None:
    from papers.sekine import Share, table

    def text(share: Share) -> str:
        paper = f"{share.paper:9.1%}" if share.paper is not None else ""
        return f"{share.name:46}{share.here:7.1%}{paper}".rstrip()

    lengths = sorted({row.length for row in rows})
    print_line(f"{len(rows)} problems of {lengths[0]} to {lengths[-1]} moves")
    print_line(f"{'':46}{'here':>7}{'paper':>9}")
    for share in table(rows, workers):
        print_line(text(share))


def _plot(rows: list[Row], workers: tuple[int, ...], path: Path) -> None:
    from papers.sekine_plot import plot

    try:
        plot(rows, workers, path)
    except (OSError, ValueError) as error:
        raise click.ClickException(f"{path}: {error}") from None
