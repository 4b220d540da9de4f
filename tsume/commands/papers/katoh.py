# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume papers katoh``: the experiments of Katoh1988, search in a given space."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tsume.commands.output import print_line
from tsume.commands.papers.files import ResultFile
from tsume.commands.papers.options import draw_plot, plots_option, rows_option
from tsume.commands.papers.tables import print_table
from tsume.warmup import KernelPart, warm_up

if TYPE_CHECKING:
    from tsume.papers.katoh1988.experiment import KatohJob, KatohLine, KatohRow

_MEANS = {"leaves": "mean", "typical": "geometric mean"}


@click.command()
@click.option("--positions", "number", type=click.IntRange(1, 1000), default=10, show_default=True,
              help="Number of random positions.")  # fmt: skip
@click.option("--seed", type=int, default=1988, show_default=True, help="Seed of the random positions.")
@click.option("--order", type=click.Choice(("board", "corners")), default="board", show_default=True,
              help="Try moves row by row, or corners first.")  # fmt: skip
@rows_option
@plots_option
def katoh(number: int, seed: int, order: str, rows_path: Path | None, plots_path: Path | None) -> None:
    """Katoh's tables: leaves and cells of recursive SSS* on 6x6 Othello in a given space.

    Leaves and cells are means over the positions, "typical" is the geometric mean of the leaves.
    All searches of a position must find the same value, and none may use more cells than
    the paper's bound allows; otherwise the command fails.
    """
    from tsume.papers.katoh1988.experiment import KatohRow, katoh_jobs

    kept = ResultFile(rows_path, KatohRow.from_json)
    warm_up(KernelPart.KATOH)
    try:
        with kept.going_on():
            rows = _measured_jobs(katoh_jobs(order, number, seed), kept)
    except MemoryError:
        raise click.ClickException("out of memory") from None
    except AssertionError as error:
        raise click.ClickException(str(error)) from None
    print_line(f"{number} random positions of 6x6 Othello, 16 squares empty, seed {seed}, order: {order}")
    _print_tables(rows)
    if plots_path is not None:
        _plot(rows, plots_path)


def _measured_jobs(todo: list[KatohJob], kept: ResultFile[KatohRow]) -> list[KatohRow]:
    """The rows, new ones kept as they come."""
    from tsume.papers.katoh1988.experiment import measure_all
    from tsume.progress import with_progress_bar

    known = {row.job: row for row in kept.known}
    return list(kept.kept(with_progress_bar(measure_all(todo, known), len(todo))))


def _print_tables(rows: list[KatohRow]) -> None:
    from tsume.papers.katoh1988.experiment import (
        exceptions_to_falling,
        figure_3,
        pairs_in_other_order,
        search_from_below_rows,
        split_cells_rows,
        table_1,
        table_2,
    )

    by_depth = list(figure_3(rows).values())
    _print_table(
        "experiment 1 (figure 3)",
        "c",
        [*by_depth, *split_cells_rows(rows).values(), *search_from_below_rows(rows).values()],
    )
    for leaves, name in _MEANS.items():
        print_line(
            f"leaves ({name}) fall and cells rise with c{_except(exceptions_to_falling(by_depth, leaves))}"
        )
    for title, cond, lines in (
        ("experiment 2 (table 1)", "c1", table_1(rows)),
        ("experiment 3 (table 2)", "c11 / c12", table_2(rows)),
    ):
        _print_table(title, cond, lines)
        for leaves, name in _MEANS.items():
            print_line(
                f"in the paper's order by leaves ({name}){_except(pairs_in_other_order(lines, leaves))}"
            )
    print_line(f"{len(rows)} searches: the value of a position is the same in all, cells keep to the bound")


def _except(exceptions: Sequence[str]) -> str:
    return f", but not {'; '.join(exceptions)}" if exceptions else ""


def _print_table(title: str, cond: str, lines: Sequence[KatohLine]) -> None:
    """Means, and the paper's where it has them; ratios are to the first line."""
    print_line(f"\n{title}")
    told = any(line.paper for line in lines)
    heads = [cond, "leaves", "ratio", "paper", "ratio", "typical", "ratio", "cells", "paper", "bound"]
    rows = [heads, *(_table_cells(line, lines[0]) for line in lines)]
    first, *others = rows if told else [[*row[:3], *row[5:8], row[9]] for row in rows]
    print_table(first, others)


def _table_cells(line: KatohLine, base: KatohLine) -> list[str]:
    leaves = cells = ratio = ""
    if line.paper and base.paper:
        leaves, cells = f"{line.paper[0]:,}", f"{line.paper[1]:,}"
        ratio = f"{line.paper[0] / base.paper[0]:.2f}"
    return [
        line.name, f"{line.leaves:,.0f}", f"{line.leaves / base.leaves:.2f}", leaves, ratio,
        f"{line.typical:,.0f}", f"{line.typical / base.typical:.2f}",
        f"{line.cells:,.0f}", cells, f"{line.promised:,.0f}",
    ]  # fmt: skip


def _plot(rows: list[KatohRow], folder: Path) -> None:
    from tsume.papers.katoh1988.plot import plot

    draw_plot(partial(plot, rows), folder, "katoh1988.png")
