"""``tsume stats``"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from db.errors import StoreError, named, shown
from db.stats import Spread, Stats
from db.store import Store
from generator.theme_names import by_name
from solver.results import Grade
from tsume.commands.options import store_option


@click.command()
@store_option
@click.option("--plot", "picture", type=click.Path(dir_okay=False), metavar="PNG",
              help="Draw scores, quality, themes and rejections into this file.")  # fmt: skip
def stats(place: str, picture: str | None) -> None:
    """Show what a store holds: problems by length, scores, quality, themes, runs, rejections."""
    try:
        with Store.open(place, create=False) as store:
            found = store.stats()
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    if picture is not None:  # first: if it fails, the error is all that is printed
        _draw(found, picture)
    _print(found)


def _draw(found: Stats, picture: str) -> None:
    from tsume.chart import plot_stats

    try:
        plot_stats(found, Path(picture))
    except OSError as error:
        raise click.ClickException(f"{named(picture) or '--plot'}: {error.strerror or error}") from None
    except ValueError as error:  # the ending is not a format
        raise click.ClickException(f"{named(picture) or '--plot'}: {error}") from None


def _print(found: Stats) -> None:
    console = Console(highlight=False)
    counts = (_problems(found), _runs(found), _counted(found.candidates, "candidate"))
    console.print(", ".join(counts))
    scores = {str(length): spread for length, spread in sorted(found.by_length.items())}
    console.print(_spread_table("Scores by length", "moves", scores))
    if found.quality is not None:
        console.print(_spread_table("Quality", "", {"all": found.quality}))
    for title, heading, numbers in (
        ("Themes", "theme", by_name(found.figures.themes)),
        ("Rejections", "reason", found.rejections),
    ):
        if numbers:
            console.print(_number_table(title, heading, numbers))


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _problems(found: Stats) -> str:
    """How many problems there are, by grade if not all are perfect."""
    problems = _counted(found.problems, "problem")
    if set(found.grades) <= {Grade.PERFECT.value}:
        return problems
    return f"{problems} ({', '.join(f'{number} {shown(grade)}' for grade, number in found.grades.items())})"


def _runs(found: Stats) -> str:
    runs = _counted(found.runs, "run")
    if not found.unfinished_runs:
        return runs
    number = "" if found.runs == 1 else f"{found.unfinished_runs} "
    return f"{runs} ({number}unfinished)"


def _spread_table(title: str, first: str, rows: Mapping[str, Spread]) -> Table:
    table = Table(title=title, box=None, title_justify="left")
    for heading in (first, "problems", "mean", "lowest", "quartile", "median", "quartile", "highest"):
        table.add_column(heading, justify="right")
    for name, spread in rows.items():
        figures = (
            spread.mean, spread.minimum, spread.lower_quartile, spread.median, spread.upper_quartile,
            spread.maximum,
        )  # fmt: skip
        table.add_row(name, str(spread.number), *(f"{figure:.2f}" for figure in figures))
    return table


def _number_table(title: str, heading: str, numbers: Mapping[str, int]) -> Table:
    table = Table(title=title, box=None, title_justify="left")
    table.add_column(heading)
    table.add_column("number", justify="right")
    for name, number in numbers.items():
        table.add_row(Text(name), str(number))
    return table
