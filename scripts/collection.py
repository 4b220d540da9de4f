# SPDX-License-Identifier: GPL-3.0-or-later
"""The first collection: chosen, verified, published. Run through `scripts/collection`."""

from __future__ import annotations

import sys
import time
from itertools import chain
from pathlib import Path

import click

from scripts.collecting.making import chosen_collection, publish_collection, readme_texts
from scripts.collecting.verifying import has_outside_engine, problem_faults, set_faults
from tsume.collection.problems import (
    PROBLEMS,
    CollectionError,
    checked_text,
    collection_folder,
    write_collection,
)

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.group(invoke_without_command=True)
@click.option("--folder", type=_FOLDER, default=collection_folder, help="The collection.")
@click.option("--verify", is_flag=True, help="Check every claim; exit with status 1 at any wrong one.")
@click.option("--sample", type=click.IntRange(1), metavar="N", help="With --verify: only N problems.")
@click.option("--seed", default=1, show_default=True, help="With --sample: which ones.")
@click.option("-j", "--jobs", type=click.IntRange(1), help="With --verify: processes; one per processor.")
@click.pass_context
def collection(
    context: click.Context, folder: Path, verify: bool, sample: int | None, seed: int, jobs: int | None
) -> None:
    """Choose, verify and publish the collection (docs/collection.md)."""
    context.obj = folder
    if verify:
        try:
            text = checked_text(folder)
        except CollectionError as error:
            raise click.ClickException(str(error)) from None
        if not has_outside_engine():
            click.echo("cshogi is not installed: lengths are not checked by an outside engine", err=True)
        began, wrong = time.monotonic(), 0
        for fault in chain(set_faults(folder), problem_faults(text, sample, seed, jobs)):
            click.echo(fault)
            wrong += 1
        number = len(text.splitlines())
        checked = number if sample is None else min(sample, number)
        click.echo(
            f"{checked} of {number} problems checked in {time.monotonic() - began:.0f} s: "
            + (f"{wrong} wrong claims" if wrong else "every claim is right")
        )
        sys.exit(1 if wrong else 0)
    elif context.invoked_subcommand is None:
        raise click.UsageError("give --verify or a command")


@collection.command()
@click.argument("stores", nargs=-1, required=True, type=_FILE, metavar="STORE...")
@click.option("--known", multiple=True, type=_FILE, metavar="FILE",
              help="Published problems, which are left out; repeatable.")  # fmt: skip
@click.pass_obj
def make(folder: Path, stores: tuple[Path, ...], known: tuple[Path, ...]) -> None:
    """Choose the problems from stores and write the collection."""
    problems = chosen_collection(stores, known)
    write_collection(folder, problems)
    for name, text in readme_texts(problems).items():
        (folder / name).write_text(text, encoding="utf-8")
    size = (folder / PROBLEMS).stat().st_size
    click.echo(f"{folder / PROBLEMS}: {len(problems)} problems, {size:,} bytes")


@collection.command()
@click.argument("target", type=_FOLDER, metavar="FOLDER")
@click.pass_obj
def publish(folder: Path, target: Path) -> None:
    """Make the files of a release from the collection: books, cards, site, data set, records."""
    for path in publish_collection(folder, target):
        click.echo(f"{path}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    collection()
