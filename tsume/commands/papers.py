"""``tsume papers``: the experiments of the papers the project is built on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from solver.results import Limits
from tsume.commands.options import number
from tsume.inputs import Inputs, complain
from tsume.output import print_line

if TYPE_CHECKING:
    from papers.sekine import Row


@click.group()
def papers() -> None:
    """Repeat the experiments of the papers the solver is built on."""


@papers.command()
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
    files: tuple[str, ...], jobs: int, seconds: float, rows_path: Path | None, plot_path: Path | None
) -> None:
    """Sekine's table: how the king's freedom ranks the right check, what its weight saves."""
    from papers.sekine import Share, measure_all, own_problems, table
    from tsume.progress import counted

    sfens = _problems(files) if files else own_problems()
    workers = (1, jobs)
    known = _known(rows_path)
    rows: list[Row] = []
    for sfen, row in counted(measure_all(sfens, known, workers, Limits(seconds=seconds)), len(sfens)):
        if row is None:
            complain(sfen, "left out: no mate found in time")
            continue
        rows.append(row)
        if rows_path is not None and sfen not in known:
            with rows_path.open("a") as out:
                out.write(row.to_json() + "\n")

    def text(share: Share) -> str:
        paper = f"{share.paper:9.1%}" if share.paper is not None else ""
        return f"{share.name:46}{share.here:7.1%}{paper}".rstrip()

    lengths = sorted({row.length for row in rows})
    print_line(f"{len(rows)} problems of {lengths[0]} to {lengths[-1]} moves" if rows else "no problems")
    print_line(f"{'':46}{'here':>7}{'paper':>9}")
    for share in table(rows, workers):
        print_line(text(share))
    if plot_path is not None:
        _plot(rows, workers, plot_path)


def _problems(files: tuple[str, ...]) -> list[str]:
    from rules.sfen import format_sfen

    sfens = []
    for entry in Inputs((), files):
        if entry.reading is None:
            complain(entry.place, entry.error)
        else:
            sfens.append(format_sfen(entry.reading.position))
    return sfens


def _known(path: Path | None) -> dict[str, Row]:
    from papers.sekine import Row

    if path is None or not path.exists():
        return {}
    try:
        rows = [Row.from_json(line) for line in path.read_text().splitlines()]
    except (OSError, ValueError) as error:
        raise click.ClickException(f"{path}: {error}") from None
    return {row.sfen: row for row in rows}


def _plot(rows: list[Row], workers: tuple[int, ...], path: Path) -> None:
    from papers.sekine_plot import plot

    try:
        plot(rows, workers, path)
    except (OSError, ValueError) as error:
        raise click.ClickException(f"{path}: {error}") from None
