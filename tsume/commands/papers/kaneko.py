# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume papers kaneko``: Kaneko's tables and scatter plots."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tsume.commands.options import MOST
from tsume.commands.output import print_line
from tsume.commands.papers.files import ResultFile, problem_sfens
from tsume.commands.papers.options import draw_plot, files_option, plots_option, rows_option
from tsume.commands.papers.tables import print_table
from tsume.files.inputs import print_complaint
from tsume.warmup import KernelPart, warm_up

if TYPE_CHECKING:
    from solver.results import Interposition
    from tsume.papers.kaneko2005.experiment import KanekoLine, KanekoRow, KanekoSearch, KanekoTable

Sets = dict[str, list[str]]


@click.command()
@click.pass_context
@files_option
@click.option("--no-mates", "most", type=click.IntRange(0, MOST), default=200, show_default=True,
              help="Maximum number of positions without a mate.")  # fmt: skip
@click.option("--nodes", type=click.IntRange(1, MOST), default=1_000_000, show_default=True,
              help="Maximum number of nodes; a search that needs more counts as failed.")  # fmt: skip
@click.option("--count-futile", is_flag=True, help="Count futile interpositions.")
@rows_option
@plots_option
def kaneko(
    context: click.Context,
    files: tuple[str, ...],
    most: int,
    nodes: int,
    count_futile: bool,
    rows_path: Path | None,
    plots_path: Path | None,
) -> None:
    """Kaneko's tables: what a fixed-depth search at new nodes saves eight kinds of df-pn.

    Given positions without a mate are measured with the no-mates. Exits with status 1 if a position is
    invalid or stays unresolved.
    """
    from solver.results import Interposition
    from tsume.papers.kaneko2005.experiment import KanekoRow, searches_of_positions
    from tsume.papers.sekine.experiment import bundled_problems

    reading = Interposition.COUNT_ALL if count_futile else Interposition.NARROW
    sfens, good = problem_sfens(files) if files else (bundled_problems(), True)
    kept = ResultFile(rows_path, KanekoRow.from_json)
    warm_up(KernelPart.ENGINE)
    sets, decided = _position_sets(sfens, most, reading, nodes)
    if not any(sets.values()):
        raise click.ClickException("no position was measured")
    todo = [search for chosen in sets.values() for search in searches_of_positions(chosen, reading, nodes)]
    rows = _measured_searches(todo, kept)
    rows_of = {name: [row for row in rows if row.sfen in set(chosen)] for name, chosen in sets.items()}
    _print_tables(rows_of)
    if plots_path is not None:
        _plot(rows_of, plots_path)
    context.exit(0 if good and decided else 1)


def _position_sets(sfens: list[str], most: int, reading: Interposition, nodes: int) -> tuple[Sets, bool]:
    """The mates, and the no-mates with those made from the mates; whether all positions were decided."""
    from tsume.papers.kaneko2005.positions import PATIENCE, MateClassifier, positions_without_mate
    from tsume.progress import with_progress_bar

    sorter = MateClassifier(reading, nodes)
    answers = {sfen: sorter.is_mate(sfen) for sfen in sfens}
    for sfen in (sfen for sfen, answer in answers.items() if answer is None):
        print_complaint(sfen, "skipped: unknown whether there is a mate")
    mates, none = ([sfen for sfen in sfens if answers[sfen] is answer] for answer in (True, False))
    made = with_progress_bar(
        positions_without_mate(MateClassifier(reading, min(nodes, PATIENCE)), mates, most), most
    )
    none += [sfen for sfen in made if answers.get(sfen) is None]
    return {"mates": mates, "no-mates": none}, None not in answers.values()


def _measured_searches(todo: list[KanekoSearch], kept: ResultFile[KanekoRow]) -> list[KanekoRow]:
    """The rows, new ones kept as they come."""
    from tsume.papers.kaneko2005.experiment import contradictions, measure_all
    from tsume.progress import with_progress_bar

    known = {row.search: row for row in kept.known}
    with kept.going_on():
        rows = list(with_progress_bar(kept.kept(measure_all(todo, known)), len(todo)))
    for sfen in contradictions(rows):
        raise click.ClickException(f"the methods do not agree whether {sfen} has a mate")
    return rows


def _print_tables(rows_of: dict[str, list[KanekoRow]]) -> None:
    from tsume.papers.kaneko2005.experiment import EXTENSIONS, PAPER_MATES, PAPER_NO_MATES, table_of_ratios

    papers = {"mates": PAPER_MATES, "no-mates": PAPER_NO_MATES}
    for name, rows in rows_of.items():
        for extension in EXTENSIONS if rows else ():
            _print_table(name, table_of_ratios(rows, extension, papers[name]))


def _print_table(name: str, table: KanekoTable) -> None:
    """One set with one extension: sums, their ratios to those of plain df-pn, the paper's ratios."""
    print_line(
        f"{name}: {table.positions} positions, {table.left_out} skipped; extension of thresholds: "
        f"{table.extension}"
    )
    heads = [part for head in ("seconds", "df-pn nodes", "table nodes") for part in (head, "ratio", "paper")]
    print_table(("", *heads, "failures"), [_table_cells(table, line) for line in table.lines])


def _table_cells(table: KanekoTable, line: KanekoLine) -> list[str]:
    here, paper = table.ratios(line)
    printed = [f"{ratio:.2f}" for ratio in paper] + [""] * (len(here) - len(paper))
    sums = [f"{line.sums[0]:.3f}"] + [f"{number:.0f}" for number in line.sums[1:]]
    parts = [cell for s, h, p in zip(sums, here, printed, strict=True) for cell in (s, f"{h:.2f}", p)]
    return [line.method, *parts, str(line.failures)]


def _plot(rows_of: dict[str, list[KanekoRow]], folder: Path) -> None:
    from tsume.papers.kaneko2005.plot import plot

    for quantity, word in (("time", "time"), ("df-pn nodes", "nodes")):
        draw_plot(partial(plot, rows_of, "p2d2", quantity), folder, f"kaneko2005_{word}.png")
