# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume usi``"""

from __future__ import annotations

import io
import os
import sys
from functools import partial
from typing import cast

import click

from tsume.commands.options import lang_option
from tsume.language.catalogue import USI, Voice
from tsume.usi.protocol import Settings
from tsume.usi.session import Read, serve_gui


@click.command()
@lang_option(USI)
def usi(voice: Voice) -> None:
    """Search for mates as an engine of shogi programs: speaks USI on stdin and stdout.

    Answers `go mate` with the shortest mate. Register the command `tsume-usi`, which is the same, where a
    program wants one file without arguments.
    """
    try:
        try:  # by the file descriptor no lock of a buffer is held while the interpreter ends
            read: Read = partial(os.read, sys.stdin.fileno())
        except io.UnsupportedOperation:
            read = cast("io.BufferedReader", sys.stdin.buffer).read1
        has_ended = serve_gui(read, _write, Settings(language=voice.words))
    except KeyboardInterrupt:
        os._exit(130)
    if not has_ended:
        os._exit(0)  # a search in a compiled kernel would delay the end


def _write(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
