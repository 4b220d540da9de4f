# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume backup``"""

from __future__ import annotations

from pathlib import Path

import click

from db.engine import locate_store
from db.errors import StoreError, store_place_name
from db.schema import back_up
from tsume.commands.options import lang_option, store_option
from tsume.language.voice import Voice

_KILOBYTE = 1000


@click.command()
@click.argument("target", metavar="FILE")
@store_option
@click.option("--replace", is_flag=True, help="Replace FILE if it is there.")
@lang_option(Voice.of("en"))
def backup(target: str, place: str, voice: Voice, *, replace: bool) -> None:
    """Write a copy of a store to FILE, also while a server uses the store.

    FILE is a store itself, or for a store in PostgreSQL what pg_dump writes. It is of one moment, and is
    written whole or not at all.
    """
    if target in ("", "-"):
        raise click.UsageError("a backup goes into a file")
    try:
        size = back_up(place, Path(target), replace=replace)
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    told = {"store": locate_store(place).name, "file": store_place_name(target)}
    click.echo(voice("runs.backed_up", **told, size=f"{max(1, round(size / _KILOBYTE)):,}"))
