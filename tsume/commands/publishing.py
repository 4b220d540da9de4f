"""``tsume export --format parquet``: a data set as a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from db.errors import StoreError, named
from db.selection import Selection
from db.store import Store
from tsume.commands.output import print_line
from tsume.extras import require
from tsume.files.inputs import complain
from tsume.files.made_folder import Draft, new_folder, require_free
from tsume.files.writing import require_usable
from tsume.language.catalogue import Language
from tsume.progress import counted

if TYPE_CHECKING:
    from tsume.dataset.options import DatasetOptions


def export_dataset(
    place: str, output: str | None, wanted: Selection, language: Language, title: str, licence: str | None
) -> None:
    """Write the problems of a selection as a data set and say what it is. Raises `click.ClickException`."""
    if output in (None, "-"):
        raise click.UsageError("parquet needs a folder: give -o FOLDER")
    require("parquet")
    require_usable(output)
    from tsume.dataset.folder import DATASET
    from tsume.dataset.options import DatasetOptions
    from tsume.dataset.tables import UnwritableValue

    folder = Path(str(output))
    try:
        require_free(folder, DATASET)
        with Store.open(place, create=False) as store, new_folder(folder, DATASET) as draft:
            number = _write(store, wanted, draft, DatasetOptions(language, title, licence))
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    except UnwritableValue as error:
        raise click.ClickException(f"{place}: {error}") from None
    except (OSError, ValueError) as error:
        text = error.strerror if isinstance(error, OSError) else None
        raise click.ClickException(f"{named(str(output))}: {text or error}") from None
    if licence is None:
        complain(named(str(output)), "without --licence, no terms of use are stated")
    print_line(f"{named(str(output))}: {number} problem{'s' * (number > 1)}, {draft.size / 1e6:.1f} MB")


def _write(store: Store, wanted: Selection, draft: Draft, options: DatasetOptions) -> int:
    """Write a set; returns its number of problems."""
    from tsume.dataset.folder import write_tables, write_texts

    counts, sizes = write_tables(draft, counted(store.find(wanted)))
    if not counts.problems:
        raise StoreError(f"{store.name}: no problems")
    runs = (run for run in map(store.runs.get, sorted(counts.runs)) if run is not None)
    write_texts(draft, options, counts, sizes, runs)
    for name, number in sorted(counts.no_column.items()):
        complain(store.name, f"the feature {name} has no column: it is omitted from {number} problems")
    return counts.problems
