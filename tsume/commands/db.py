# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume db``"""

from __future__ import annotations

import click

from db.engine import locate_store
from db.errors import StoreError
from db.store import Store
from tsume.commands.options import lang_option, store_option
from tsume.commands.stats import stats
from tsume.language.voice import Voice

_BEFORE_QUALITY = "0001_problems"


@click.group()
def db() -> None:
    """Upgrade a store."""


@db.command()
@store_option
@lang_option(Voice.of("en"))
def upgrade(place: str, voice: Voice) -> None:
    """Upgrade a store to the current version."""
    try:
        before, after = Store.upgrade(place)
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    name = locate_store(place).name
    changed = voice("runs.upgraded", name=name, before=before or voice("runs.empty"), after=after)
    click.echo(f"{name}: {after}" if before == after else changed)
    if before == _BEFORE_QUALITY:
        click.echo("note: the problems in it have no themes and quality 0", err=True)


db.add_command(stats)
