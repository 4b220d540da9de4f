"""``tsume db``"""

from __future__ import annotations

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from db.errors import StoreError
from db.location import locate
from db.stats import Stats
from db.store import Store
from tsume.commands.options import store_option


@click.group()
def db() -> None:
    """Look after the store."""


@db.command()
@store_option
def upgrade(place: str) -> None:
    """Bring a store to the newest version."""
    try:
        before, after = Store.upgrade(place)
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    name = locate(place).name
    click.echo(f"{name}: {after}" if before == after else f"{name}: from {before or 'empty'} to {after}")


@db.command()
@store_option
def stats(place: str) -> None:
    """Show what a store holds: problems by length, scores, runs, rejections."""
    try:
        with Store.open(place, create=False) as store:
            _print(store.stats())
    except StoreError as error:
        raise click.ClickException(str(error)) from None


def _print(found: Stats) -> None:
    console = Console(highlight=False)
    console.print(
        f"{found.problems} problems, {found.runs} runs ({found.unfinished_runs} unfinished), "
        f"{found.candidates} candidates"
    )
    console.print(_length_table(found))
    if found.rejections:
        console.print(_rejection_table(found))


def _length_table(found: Stats) -> Table:
    table = Table(title="Scores by length", box=None, title_justify="left")
    for heading in ("moves", "problems", "mean", "lowest", "quartile", "median", "quartile", "highest"):
        table.add_column(heading, justify="right")
    for length, scores in sorted(found.by_length.items()):
        figures = (
            scores.mean, scores.minimum, scores.lower_quartile, scores.median, scores.upper_quartile,
            scores.maximum,
        )  # fmt: skip
        table.add_row(str(length), str(scores.number), *(f"{figure:.2f}" for figure in figures))
    return table


def _rejection_table(found: Stats) -> Table:
    table = Table(title="Rejections", box=None, title_justify="left")
    table.add_column("reason")
    table.add_column("number", justify="right")
    for reason, number in found.rejections.items():
        table.add_row(Text(reason), str(number))
    return table
