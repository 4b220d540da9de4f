# SPDX-License-Identifier: GPL-3.0-or-later
"""The collection in a store, for the commands that add it."""

from __future__ import annotations

import click

from db.errors import StoreError
from db.store import Store
from tsume.collection.adding import add_collection
from tsume.collection.lines import CollectionError
from tsume.language.voice import Voice
from tsume.reports.importing import stored_text


def import_collection(place: str, voice: Voice) -> None:
    """Add the collection to a store, which is made if it is missing; stderr says how many are new."""
    try:
        with Store.open(place) as store:
            click.echo(stored_text(add_collection(store), store.name, voice), err=True)
    except (CollectionError, StoreError) as error:
        raise click.ClickException(str(error)) from None
