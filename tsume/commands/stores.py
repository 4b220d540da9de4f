# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume db``, ``tsume stats``, ``tsume backup`` and ``tsume merge``: whole stores."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack, closing
from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from db.engine import locate_store
from db.errors import store_place_name, stored_value_excerpt
from db.query import NumberSpread, StoreStats
from db.schema import back_up_store
from db.selection import ProblemSelection
from db.store import Store
from db.training.merging import TrainingCounts
from generator.problem import GENERATOR_VERSION
from generator.theme_names import counts_by_theme_name
from solver.results import Grade, rating_of_score
from tsume import __version__
from tsume.commands.answering import INTERRUPTED
from tsume.commands.options import flag, lang_option, store_option, table_console
from tsume.files.inputs import print_complaint
from tsume.files.writing import real_path
from tsume.language.catalogue import Voice
from tsume.merging import DESTINATION, MergeInventory, Merger, StorePool, merge_training, remaining_row_counts
from tsume.progress import with_progress_bar


@click.command()
@store_option
@click.option("--plot", "picture", type=click.Path(dir_okay=False), metavar="PNG",
              help="Draw ratings, quality, themes and rejections as a chart in this file.")  # fmt: skip
@lang_option(Voice.of("en"))
def stats(place: str, picture: str | None, voice: Voice) -> None:
    """Show statistics of a store: problems by length, ratings, proof trees, quality, themes, runs, rejections."""
    with Store.open(place, create=False) as store:
        found = store.stats()
        figures = store.figures() if picture is not None else None
    if picture is not None and figures is not None:  # first: if it fails, the error is all that is printed
        from tsume.reports.chart import plot_stats

        try:
            plot_stats(found, figures, Path(picture), voice)
        except OSError as error:
            raise click.ClickException(f"{store_place_name(picture) or '--plot'}: {error.strerror or error}") from None
        except ValueError as error:  # the ending is not a format
            raise click.ClickException(f"{store_place_name(picture) or '--plot'}: {error}") from None
    console = table_console()
    counts = (_problems(found, voice), _runs(found, voice), _count_text(found.candidates, "candidate", voice))
    console.print(voice.listed(counts))
    ratings = {str(length): spread.map(rating_of_score) for length, spread in sorted(found.by_length.items())}
    console.print(_spread_table("ratings_by_length", "moves", ratings, voice, digits=0))
    trees = {str(length): spread for length, spread in sorted(found.trees.items())}
    if trees:
        console.print(_spread_table("trees_by_length", "moves", trees, voice, digits=0))
    if found.quality is not None:
        console.print(_spread_table("quality", "", {voice("statistics.all"): found.quality}, voice))
    reasons = {voice.known(f"reasons.{name}", name): number for name, number in found.rejections.items()}
    for title, heading, numbers in (
        ("themes", "theme", counts_by_theme_name(found.themes, voice.theme)),
        ("rejections", "reason", reasons),
    ):
        if numbers:
            table = Table(title=voice(f"statistics.{title}"), box=None, title_justify="left")
            table.add_column(voice(f"statistics.{heading}"))
            table.add_column(voice("statistics.number"), justify="right")
            for name, number in numbers.items():
                table.add_row(Text(name), str(number))
            console.print(table)


def _count_text(count: int, noun: str, voice: Voice) -> str:
    return voice(f"statistics.one_{noun}" if count == 1 else f"statistics.{noun}s", number=count)


def _problems(found: StoreStats, voice: Voice) -> str:
    """Return how many problems there are, by grade if not all are perfect."""
    problems = _count_text(found.problems, "problem", voice)
    if set(found.grades) <= {Grade.PERFECT.value}:
        return problems
    names = {grade: voice.known(f"grades.{grade}", stored_value_excerpt(grade)) for grade in found.grades}
    grades = (voice("statistics.of_grade", grade=names[grade], number=number) for grade, number in found.grades.items())
    return voice("statistics.graded", problems=problems, grades=voice.listed(grades))


def _runs(found: StoreStats, voice: Voice) -> str:
    runs = _count_text(found.runs, "run", voice)
    if not found.unfinished_runs:
        return runs
    unfinished = voice("statistics.unfinished")
    if found.runs != 1:
        unfinished = voice("statistics.some_unfinished", number=found.unfinished_runs)
    return voice("statistics.with_unfinished", runs=runs, unfinished=unfinished)


def _spread_table(title: str, first: str, rows: Mapping[str, NumberSpread], voice: Voice, digits: int = 2) -> Table:
    table = Table(title=voice(f"statistics.{title}"), box=None, title_justify="left")
    for heading in (first, "problems", "mean", "lowest", "quartile", "median", "quartile", "highest"):
        table.add_column(voice(f"statistics.column_{heading}") if heading else "", justify="right")
    for name, spread in rows.items():
        figures = (
            spread.mean, spread.minimum, spread.lower_quartile, spread.median, spread.upper_quartile,
            spread.maximum,
        )  # fmt: skip
        table.add_row(name, str(spread.number), *(f"{figure:.{digits}f}" for figure in figures))
    return table


_BEFORE_QUALITY = "0001_problems"


@click.group()
def db() -> None:
    """Upgrade a store."""


@db.command()
@store_option
@lang_option(Voice.of("en"))
def upgrade(place: str, voice: Voice) -> None:
    """Upgrade a store to the current version."""
    before, after = Store.upgrade(place)
    name = locate_store(place).name
    changed = voice("runs.upgraded", name=name, before=before or voice("runs.empty"), after=after)
    click.echo(f"{name}: {after}" if before == after else changed)
    if before == _BEFORE_QUALITY:
        click.echo("note: the problems in it have no themes and quality 0", err=True)


db.add_command(stats)

_KILOBYTE = 1000


@click.command()
@click.argument("target", metavar="FILE")
@store_option
@flag("--replace", help="Replace FILE if it is there.")
@lang_option(Voice.of("en"))
def backup(target: str, place: str, voice: Voice, *, replace: bool) -> None:
    """Write a copy of a store to FILE, also while a server uses the store.

    FILE is a store itself, or for a store in PostgreSQL what pg_dump writes. It is of one moment, and is
    written whole or not at all.
    """
    if target in ("", "-"):
        raise click.UsageError("a backup goes into a file")
    size = back_up_store(place, Path(target), replace=replace)
    told = {"store": locate_store(place).name, "file": store_place_name(target)}
    click.echo(voice("runs.backed_up", **told, size=f"{max(1, round(size / _KILOBYTE)):,}"))


@click.command()
@click.argument("shards", metavar="SHARD...", nargs=-1, required=True)
@store_option
@lang_option(Voice.of("en"))
def merge(shards: tuple[str, ...], place: str, voice: Voice) -> None:
    """Merge stores that were filled separately, for example on several machines, into the store of --db.

    Mirror images are one problem. Of several copies, the one with the lowest seed, root and place is kept,
    so the order of the stores does not matter. Persons, their results, runs and repetitions are taken over.
    Nothing is checked again: the stores are trusted.
    """
    try:
        with ExitStack() as opened:
            sources = [opened.enter_context(_opened_shard(shard)) for shard in shards]
            into = _store_location(place)
            for shard in shards:
                if _store_location(shard) == into:
                    text = f"{store_place_name(shard)} is the store given by --db"
                    raise click.UsageError(f"{text}, which is part of the result anyway")
            destination = opened.enter_context(Store.open(place))
            folder = opened.enter_context(tempfile.TemporaryDirectory(prefix="tsume-merge-"))
            inventory = opened.enter_context(closing(MergeInventory(Path(folder))))
            _merge_stores(StorePool([destination, *sources]), inventory, voice)
    except sqlite3.Error as error:  # stores have errors of their own
        raise click.ClickException(f"{tempfile.gettempdir()}: {error}; set TMPDIR to use another folder") from None


def _opened_shard(shard: str) -> Store:
    """Return a store that is there; no connection to it stays, as there may be many."""
    store = Store.open(shard, create=False)
    store.close()
    return store


def _store_location(place: str) -> object:
    """Return the file of a store, or its URL; opening it reports an invalid name."""
    location = locate_store(place)
    try:
        return location.url if location.path is None else real_path(location.path)
    except OSError:
        return location.path


def _merge_stores(stores: StorePool, inventory: MergeInventory, voice: Voice) -> None:
    """Note all copies, then write what is missing. An interruption says how far that is."""
    try:
        for number, store in stores:
            if number != DESTINATION or next(store.find(ProblemSelection(limit=1)), None) is not None:
                click.echo(voice("merging.looking", store=store.name), err=True)
            inventory.add_store(number, store, with_progress_bar(store.find()))
            # Say which problems another version or recipe made; imported ones have no recipe.
            this = voice("merging.recipe", version=__version__, recipe=GENERATOR_VERSION)
            for (version, recipe), count in sorted(inventory.made[number].items(), key=str):
                if version != __version__ or recipe not in (None, GENERATOR_VERSION):
                    label = "merging.no_recipe" if recipe is None else "merging.recipe"
                    by = voice(label, version=stored_value_excerpt(version), recipe=recipe)
                    print_complaint(store.name, voice("merging.other", number=count, made=by, this=this))
        steps = inventory.plan()
    except KeyboardInterrupt:
        click.echo("interrupted; nothing was written", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None
    merger = Merger(stores)
    try:
        click.echo(voice("merging.writing", store=merger.name), err=True)
        for _ in with_progress_bar(merger.written(inventory.steps()), steps):
            pass
        merger.link_versions(inventory.versions())
        training = merge_training(stores)
    except KeyboardInterrupt:
        click.echo(f"interrupted after {merger.done} of {steps} problems; run the same command to continue", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None
    did = merger.merged
    told = {name: did[name] for name in ("new", "replaced", "noted")}
    found = sum(made.total() for number, made in inventory.made.items() if number != DESTINATION)
    click.echo(voice("merging.done", store=merger.name, copies=found, **told), err=True)
    _report_training(merger.name, training, voice)
    for name in ("tags", "notes", "versions"):
        if number := did[name]:
            print_complaint(merger.name, voice(f"merging.no_{name}", number=number))
    for number, store in stores:
        for table, rows in remaining_row_counts(store).items() if number != DESTINATION else ():
            print_complaint(store.name, voice(f"merging.left_{table}", number=rows))


def _report_training(name: str, did: TrainingCounts, voice: Voice) -> None:
    told = {"persons": did.persons, "results": did.results, "runs": did.runs, "cards": did.cards}
    if any(told.values()):
        click.echo(voice("merging.training", store=name, **told), err=True)
    if did.results:
        click.echo(voice("merging.rated", store=name), err=True)
    for old, new in did.renamed:
        print_complaint(name, voice("merging.renamed", old=stored_value_excerpt(old), new=stored_value_excerpt(new)))
    if did.left:
        print_complaint(name, voice("merging.left_cards", number=did.left))
