# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume merge``"""

from __future__ import annotations

import sqlite3
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import click

from db.engine import locate_store
from db.errors import StoreError, store_place_name, stored_value_excerpt
from db.selection import ProblemSelection
from db.store import Store
from db.training.merging import TrainingCounts
from generator.run.version import GENERATOR_VERSION
from tsume import __version__
from tsume.commands.answering import INTERRUPTED
from tsume.commands.options import lang_option, store_option
from tsume.files.inputs import print_complaint
from tsume.files.writing import real_path
from tsume.language.voice import Voice
from tsume.merging.copies import DESTINATION, CopyTable
from tsume.merging.merge import MergeInventory, Merger, StorePool, VersionAndRecipe
from tsume.merging.tables import rows_left
from tsume.merging.training import merge_training
from tsume.progress import with_progress_bar


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
            _require_other_stores(place, shards)
            destination = opened.enter_context(Store.open(place))
            folder = opened.enter_context(tempfile.TemporaryDirectory(prefix="tsume-merge-"))
            copies = opened.enter_context(closing(CopyTable(Path(folder))))
            _merge_stores(StorePool([destination, *sources]), copies, voice)
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    except sqlite3.Error as error:  # stores have errors of their own
        raise click.ClickException(
            f"{tempfile.gettempdir()}: {error}; set TMPDIR to use another folder"
        ) from None


def _opened_shard(shard: str) -> Store:
    """A store that is there; no connection to it stays, as there may be many."""
    store = Store.open(shard, create=False)
    store.close()
    return store


def _require_other_stores(place: str, shards: Sequence[str]) -> None:
    """Refuse to merge a store into itself."""
    into = _store_location(place)
    for shard in shards:
        if _store_location(shard) == into:
            raise click.UsageError(
                f"{store_place_name(shard)} is the store given by --db, which is part of the result anyway"
            )


def _store_location(place: str) -> object:
    """The file of a store, or its URL; opening it reports an invalid name."""
    location = locate_store(place)
    try:
        return location.url if location.path is None else real_path(location.path)
    except OSError:
        return location.path


def _merge_stores(stores: StorePool, copies: CopyTable, voice: Voice) -> None:
    """Note all copies, then write what is missing. An interruption says how far that is."""
    inventory = MergeInventory(copies)
    try:
        for number, store in stores:
            if number != DESTINATION or next(store.find(ProblemSelection(limit=1)), None) is not None:
                click.echo(voice("merging.looking", store=store.name), err=True)
            inventory.add_store(number, store, with_progress_bar(store.find()))
            _report_other_versions(store, inventory.made[number], voice)
        steps = copies.plan()
    except KeyboardInterrupt:
        click.echo("interrupted; nothing was written", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None
    merger = Merger(stores)
    try:
        click.echo(voice("merging.writing", store=merger.name), err=True)
        for _ in with_progress_bar(merger.written(copies.steps()), steps):
            pass
        merger.link_versions(copies.versions())
        training = merge_training(stores)
    except KeyboardInterrupt:
        click.echo(
            f"interrupted after {merger.done} of {steps} problems; run the same command to continue", err=True
        )
        raise click.exceptions.Exit(INTERRUPTED) from None
    did = merger.merged
    told = {"new": did.new, "replaced": did.replaced, "noted": did.noted}
    found = sum(made.total() for number, made in inventory.made.items() if number != DESTINATION)
    click.echo(voice("merging.done", store=merger.name, copies=found, **told), err=True)
    _report_training(merger.name, training, voice)
    for name in ("tags", "notes", "versions"):
        if number := getattr(did, name):
            print_complaint(merger.name, voice(f"merging.no_{name}", number=number))
    for number, store in stores:
        for table, rows in rows_left(store).items() if number != DESTINATION else ():
            print_complaint(store.name, voice(f"merging.left_{table}", number=rows))


def _report_training(name: str, did: TrainingCounts, voice: Voice) -> None:
    """Say what was taken over of training, and what was not."""
    told = {"persons": did.persons, "results": did.results, "runs": did.runs, "cards": did.cards}
    if any(told.values()):
        click.echo(voice("merging.training", store=name, **told), err=True)
    if did.results:
        click.echo(voice("merging.rated", store=name), err=True)
    for old, new in did.renamed:
        print_complaint(
            name, voice("merging.renamed", old=stored_value_excerpt(old), new=stored_value_excerpt(new))
        )
    if did.left:
        print_complaint(name, voice("merging.left_cards", number=did.left))


def _report_other_versions(store: Store, made: Counter[VersionAndRecipe], voice: Voice) -> None:
    """Say which problems another version or recipe made; imported ones have no recipe."""
    this = voice("merging.recipe", version=__version__, recipe=GENERATOR_VERSION)
    for (version, recipe), number in sorted(made.items(), key=str):
        if version != __version__ or recipe not in (None, GENERATOR_VERSION):
            name = "merging.no_recipe" if recipe is None else "merging.recipe"
            by = voice(name, version=stored_value_excerpt(version), recipe=recipe)
            print_complaint(store.name, voice("merging.other", number=number, made=by, this=this))
