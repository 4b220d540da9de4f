"""Reading a file line by line, as both KIF and CSA are read."""

from __future__ import annotations

from io import StringIO
from typing import Protocol

from tsume.formats.errors import FormatError
from tsume.formats.replay import Game

MOST_GAMES = 10_000
"""So many problems of one file are held in memory; a few bytes may stand for one."""


class LineReader(Protocol):
    """Takes a file's lines one by one and gathers the problems in it."""

    games: list[Game]

    def feed(self, line: str, number: int) -> None:
        """Take a line (without trailing white space) and its number, from 1 on."""

    def finish(self) -> None:
        """Take the end of the file."""


def read_by_line(reader: LineReader, text: str, nothing: str) -> list[Game]:
    """The problems of a text with any kind of line ends; `FormatError` saying ``nothing`` if none."""
    number = 1
    for number, line in enumerate(StringIO(text.removeprefix("\ufeff"), newline=None), start=1):
        reader.feed(line.rstrip(), number)
        if len(reader.games) > MOST_GAMES:
            raise FormatError(f"more than {MOST_GAMES} problems", number)
    reader.finish()
    if not reader.games:
        raise FormatError(nothing, number)
    return reader.games
