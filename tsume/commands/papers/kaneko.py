"""``tsume papers kaneko``: Kaneko's tables and scatter plots."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tsume.commands.options import MOST
from tsume.commands.papers.files import keep, known, problems
from tsume.inputs import complain
from tsume.output import print_line

if TYPE_CHECKING:
    from papers.kaneko2005 import Line, Row, Search, Table
    from solver.results import Interposition

Sets = dict[str, list[str]]


@click.command()
@click.pass_context
@click.option("-f", "--file", "files", multiple=True, metavar="PATH",
              help="Measure on these positions instead of the project's own problems.")  # fmt: skip
@click.option("--no-mates", "most", type=click.IntRange(0, MOST), default=200, show_default=True,
              help="Make at most so many positions without a mate.")  # fmt: skip
@click.option("--nodes", type=click.IntRange(1, MOST), default=1_000_000, show_default=True,
              help="A search of more nodes is a failure.")  # fmt: skip
@click.option("--count-futile", is_flag=True, help="Count futile interpositions.")
@click.option("--rows", "rows_path", type=click.Path(dir_okay=False, path_type=Path),
              help="Keep a line for each search here; those in it are not made again.")  # fmt: skip
@click.option("--plots", "plots_path", type=click.Path(file_okay=False, path_type=Path),
              help="Draw time and nodes of each method against df-pn into this folder.")  # fmt: skip
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

    Positions given that have no mate are measured among the no-mates. Exits 1 when a
    position could not be read or stays open.
    """
    from papers.kaneko2005 import Row, searches
    from papers.sekine import own_problems
    from solver.results import Interposition

    reading = Interposition.COUNT_ALL if count_futile else Interposition.NARROW
    sfens, good = problems(files) if files else (own_problems(), True)
    if plots_path is not None and not plots_path.is_dir():
        raise click.ClickException(f"{plots_path}: no such folder")
    before = {row.search: row for row in known(rows_path, Row.from_json)}
    sets, decided = _sets(list(dict.fromkeys(sfens)), most, reading, nodes)
    if not any(sets.values()):
        raise click.ClickException("no position was measured")
    todo = [search for chosen in sets.values() for search in searches(chosen, reading, nodes)]
    rows = _measured(todo, before, rows_path)
    rows_of = {name: [row for row in rows if row.sfen in set(chosen)] for name, chosen in sets.items()}
    _print_tables(rows_of)
    if plots_path is not None:
        _plot(rows_of, plots_path)
    context.exit(0 if good and decided else 1)


def _sets(sfens: list[str], most: int, reading: Interposition, nodes: int) -> tuple[Sets, bool]:
    """The mates and the no-mates, those made from the mates added; whether all could be told apart."""
    from papers.kaneko2005_positions import PATIENCE, Sorter, no_mates
    from tsume.progress import counted

    sorter = Sorter(reading, nodes)
    answers = {sfen: sorter.is_mate(sfen) for sfen in sfens}
    for sfen in (sfen for sfen, answer in answers.items() if answer is None):
        complain(sfen, "left out: open whether there is a mate")
    mates, none = ([sfen for sfen in sfens if answers[sfen] is answer] for answer in (True, False))
    made = counted(no_mates(Sorter(reading, min(nodes, PATIENCE)), mates, most), most)
    none += [sfen for sfen in made if answers.get(sfen) is None]
    return {"mates": mates, "no-mates": none}, None not in answers.values()


def _measured(todo: list[Search], before: dict[Search, Row], rows_path: Path | None) -> list[Row]:
    """The rows, new ones kept as they come."""
    from papers.kaneko2005 import contradictions, measure_all
    from tsume.progress import counted

    rows: list[Row] = []
    for row in counted(measure_all(todo, before), len(todo)):
        rows.append(row)
        if rows_path is not None and row.search not in before:
            keep(row, rows_path)
    for sfen in contradictions(rows):
        raise AssertionError(f"the methods do not agree whether {sfen} has a mate")
    return rows


def _print_tables(rows_of: dict[str, list[Row]]) -> None:
    from papers.kaneko2005 import EXTENSIONS, PAPER_MATES, PAPER_NO_MATES, table

    papers = {"mates": PAPER_MATES, "no-mates": PAPER_NO_MATES}
    for name, rows in rows_of.items():
        for extension in EXTENSIONS if rows else ():
            _print_table(name, table(rows, extension, papers[name]))


def _print_table(name: str, table: Table) -> None:
    """One set with one extension: sums, their shares of plain df-pn's, the paper's shares."""
    print_line(
        f"{name}: {table.positions} positions, {table.left_out} left out; "
        f"extension of thresholds: {table.extension}"
    )
    heads = ("seconds", "df-pn nodes", "table nodes")
    print_line(f"{'':10}" + "".join(f"{head:>12} ratio paper" for head in heads) + "  failures")
    for line in table.lines:
        print_line(_text(table, line))


def _text(table: Table, line: Line) -> str:
    here, paper = table.ratios(line)
    told = [f"{ratio:6.2f}" for ratio in paper] + [" " * 6] * (len(here) - len(paper))
    sums = [f"{line.sums[0]:12.3f}"] + [f"{number:12.0f}" for number in line.sums[1:]]
    cells = (f"{s}{h:6.2f}{p}" for s, h, p in zip(sums, here, told, strict=True))
    return f"{line.method:10}{''.join(cells)}{line.failures:10}"


def _plot(rows_of: dict[str, list[Row]], folder: Path) -> None:
    from papers.kaneko2005_plot import plot

    for quantity, word in (("time", "time"), ("df-pn nodes", "nodes")):
        path = folder / f"kaneko2005_{word}.png"
        try:
            plot(rows_of, "p2d2", quantity, path)
        except (OSError, ValueError) as error:
            raise click.ClickException(f"{path}: {error}") from None
