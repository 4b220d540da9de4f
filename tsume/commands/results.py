# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume results``"""

from __future__ import annotations

from collections.abc import Iterator

import click

from db.errors import StoreError, stored_value_excerpt
from db.store import Store
from db.training.records import StoredResult
from tsume.commands.options import store_option
from tsume.commands.output import json_text
from tsume.files.record_files import write_table
from tsume.files.writing import is_folder, require_usable_output
from tsume.training.persons import name_key
from tsume.training.result_table import result_csv_lines, result_fields


@click.group()
def results() -> None:
    """Export the results of solving stored problems."""


@results.command("export")
@store_option
@click.option("--format", "form", type=click.Choice(["csv", "jsonl"]), default="csv", show_default=True,
              help="File format.")  # fmt: skip
@click.option("--person", "name", metavar="NAME",
              help="Only the results of this person; '' for the unnamed person of this machine.")  # fmt: skip
@click.option("-o", "--output", metavar="PATH", help="Output file; - for stdout.")
def export_results(place: str, form: str, name: str | None, output: str | None) -> None:
    """Export results, oldest first, with the persons and their ratings."""
    require_usable_output(output)
    if is_folder(output):
        raise click.UsageError(f"{form} goes into one file, not a folder")
    try:
        with Store.open(place, create=False) as store:
            found = store.training.results.all(None if name is None else _person_id(store, name))
            write_table(result_csv_lines(found) if form == "csv" else _json_lines(found), output, None)
    except StoreError as error:
        raise click.ClickException(str(error)) from None


def _person_id(store: Store, name: str) -> int:
    person = store.training.persons.named(name_key(name))
    if person is None and name:
        raise click.ClickException(f"{store.name}: no person {stored_value_excerpt(name)!r}")
    return 0 if person is None else person.id


def _json_lines(found: Iterator[StoredResult]) -> Iterator[str]:
    return (f"{json_text(**result_fields(one))}\n" for one in found)
