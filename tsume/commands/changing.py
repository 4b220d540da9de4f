# SPDX-License-Identifier: GPL-3.0-or-later
"""What the commands share that change problems: `tsume mend` and `tsume enrich`."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import click

from tsume.commands.options import F
from tsume.commands.output import print_json
from tsume.files.inputs import Entry, PositionInputs, print_complaint
from tsume_rules.sfen import ParsedSfen

_MOST_EDITS = 3


def edits_option(what: str, least: int = 1) -> Callable[[F], F]:
    """``--edits``: the most changes of one ``what``."""
    return click.option(
        "--edits", type=click.IntRange(least, _MOST_EDITS), default=2, show_default=True,
        help=f"Maximum number of changes in one {what}.",
    )  # fmt: skip


def count_option(default: int, text: str) -> Callable[[F], F]:
    """``-n``: how many are looked for."""
    return click.option(
        "-n", "--count", type=click.IntRange(1, 1000), default=default, show_default=True, help=text
    )


class ReadablePositions:
    """Iterates over the given positions that can be read, as `ParsedSfen` too; complains about the others.

    With ``jsonl`` each of the others gets an object with its error. Afterwards ``failed`` says whether
    there was one, or a file that could not be read.
    """

    def __init__(self, inputs: PositionInputs, *, jsonl: bool) -> None:
        self._inputs = inputs
        self._jsonl = jsonl
        self.failed = False

    def __iter__(self) -> Iterator[tuple[Entry, ParsedSfen]]:
        for entry in self._inputs:
            if entry.judged is not None:
                yield entry, entry.judged
                continue
            self.failed = True
            print_complaint(entry.place, entry.error)
            if self._jsonl:
                print_json(**entry.names, sfen=entry.sfen, error=entry.error)
        self.failed |= self._inputs.unreadable
