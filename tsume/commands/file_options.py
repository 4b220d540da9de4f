# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that name files: positions to read, a place to write to."""

from __future__ import annotations

import click

from tsume.commands.options import F
from tsume.formats.encoding import ENCODINGS


def position_arguments(command: F) -> F:
    """Add ``[SFEN|FILE]...`` and ``-f`` to a command."""
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
