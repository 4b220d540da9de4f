# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume export --format parquet``: a data set as a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from db.errors import StoreError, store_place_name
from db.selection import ProblemSelection
from db.store import Store
from tsume.commands.output import print_line
from tsume.extras import require_extra
from tsume.files.inputs import print_complaint
from tsume.files.made_folder import FolderDraft, new_folder, require_replaceable
from tsume.files.writing import require_usable_output
from tsume.language.catalogue import Language
from tsume.progress import with_progress_bar

if TYPE_CHECKING:
    from tsume.dataset.folder import DatasetOptions


def export_dataset(
    place: str,
    output: str | None,
    wanted: ProblemSelection,
    language: Language,
    title: str,
    licence: str | None,
) -> None:
    """Write the problems of a selection as a data set and say what it is. Raises `click.ClickException`."""
    if output in (None, "-"):
        raise click.UsageError("parquet needs a folder: give -o FOLDER")
    require_extra("parquet")
    require_usable_output(output)
    from tsume.dataset.folder import DATASET, DatasetOptions
    from tsume.dataset.tables import UnwritableValue

    folder = Path(str(output))
    try:
        require_replaceable(folder, DATASET)
        with Store.open(place, create=False) as store, new_folder(folder, DATASET) as draft:
            number = _write_dataset(store, wanted, draft, DatasetOptions(language, title, licence))
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    except UnwritableValue as error:
        raise click.ClickException(f"{place}: {error}") from None
    except (OSError, ValueError) as error:
        text = error.strerror if isinstance(error, OSError) else None
        raise click.ClickException(f"{store_place_name(str(output))}: {text or error}") from None
    if licence is None:
        print_complaint(store_place_name(str(output)), "without --licence, no terms of use are stated")
    print_line(
        f"{store_place_name(str(output))}: {number} problem{'s' * (number > 1)}, {draft.size / 1e6:.1f} MB"
    )


def _write_dataset(
    store: Store, wanted: ProblemSelection, draft: FolderDraft, options: DatasetOptions
) -> int:
    """Write a set; returns its number of problems."""
    from tsume.dataset.folder import write_card_and_runs, write_tables

    counts, sizes = write_tables(draft, with_progress_bar(store.find(wanted)))
    if not counts.problems:
        raise StoreError(f"{store.name}: no problems")
    runs = (run for run in map(store.runs.get, sorted(counts.runs)) if run is not None)
    write_card_and_runs(draft, options, counts, sizes, runs)
    for name, number in sorted(counts.no_column.items()):
        print_complaint(store.name, f"the feature {name} has no column: it is omitted from {number} problems")
    return counts.problems
