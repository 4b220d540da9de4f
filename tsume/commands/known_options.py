# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that name known problems, which others are compared with."""

from __future__ import annotations

from collections.abc import Iterator

import click

from tsume.commands.options import F
from tsume.files.inputs import Entry, PositionInputs, UnreadableFile, UnreadEntry, print_complaint
from tsume.language.voice import Voice
from tsume.progress import with_progress_bar
from tsume.services.prior_art import NO_PRIOR_ART, PriorArt


def known_options(command: F) -> F:
    """``--known``, ``--keep-near``: the command gets ``known`` and ``keep_near``, for `read_prior_art`."""
    command = click.option(
        "--keep-near", is_flag=True, help="With --known: leave out only equal problems; name near ones."
    )(command)
    return click.option(
        "--known", multiple=True, metavar="FILE|FOLDER",
        help="Leave out problems that equal, or nearly equal, known ones in this file, in any format; "
             "repeatable.",
    )(command)  # fmt: skip


def read_prior_art(known: tuple[str, ...], voice: Voice, *, keep_near: bool) -> PriorArt:
    """The known problems of files; stderr names the lines that cannot be read.

    Raises `click.ClickException` for an unreadable file: nothing would be compared with it.
    """
    if not known:
        if keep_near:
            raise click.UsageError("--keep-near needs --known")
        return NO_PRIOR_ART
    inputs = PositionInputs((), known)
    prior_art = PriorArt(with_progress_bar(_known_entries(inputs), inputs.number()), keeps_near=keep_near)
    if not len(prior_art):
        raise click.ClickException("--known: no problem could be read")
    click.echo(voice("importing.known_read", number=len(prior_art)), err=True)
    return prior_art


def _known_entries(inputs: PositionInputs) -> Iterator[Entry]:
    for found in inputs.entries():
        if isinstance(found, UnreadableFile):
            raise click.ClickException(f"{found.place}: {found.fault}")
        entry = found.read() if isinstance(found, UnreadEntry) else found
        if entry.parsed is None:
            print_complaint(entry.place, f"skipped: {entry.error}")
        else:
            yield entry
