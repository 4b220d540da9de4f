# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that name files: positions to read, a place to write to."""

from __future__ import annotations

import click

from db.errors import stored_value_excerpt
from tsume.commands.options import F
from tsume.formats.encoding import ENCODINGS
from tsume.formats.game_record import END


def move_number(_context: click.Context, _parameter: click.Parameter, text: str | None) -> int | None:
    """A number of moves, or `END`."""
    if text is None or text == "end":
        return None if text is None else END
    if not (text.isascii() and text.isdigit() and len(text) < 6):
        raise click.BadParameter(f'{stored_value_excerpt(text)!r} is neither a number of moves nor "end"')
    return int(text)


def position_arguments(command: F) -> F:
    """Add ``[SFEN|FILE]...``, ``-f`` and ``--at``: the command gets ``sfens``, ``files`` and ``at``."""
    command = click.option(
        "--at", callback=move_number, metavar="N|end",
        help="Take the position after this many moves of each record; its side to move is the attacker.",
    )(command)  # fmt: skip
    command = click.option(
        "-f",
        "--file",
        "files",
        multiple=True,
        metavar="PATH",
        help="Read positions from a file in any format, or from the files of a folder; - for stdin.",
    )(command)
    return click.argument("sfens", nargs=-1, metavar="[SFEN|FILE]...")(command)


def output_options(command: F) -> F:
    """``-o`` and ``--encoding``: the command gets ``output`` and ``encoding``."""
    command = click.option(
        "--encoding", type=click.Choice(list(ENCODINGS)),
        help="Encoding; by default that of the format and the file name.",
    )(command)  # fmt: skip
    return click.option(
        "-o", "--output", metavar="PATH",
        help="Output file, or a folder for one file per problem; - for stdout.",
    )(command)  # fmt: skip
