"""Reading a file line by line, as both KIF and CSA are read."""

from __future__ import annotations

from typing import Protocol

from tsume.formats.errors import FormatError
from tsume.formats.replay import Game


class LineReader(Protocol):
    """Takes a file's lines one by one and gathers the problems in it."""

    games: list[Game]

    def feed(self, line: str, number: int) -> None:
        """Take a line (without trailing white space) and its number, from 1 on."""

    def finish(self) -> None:
        """Take the end of the file."""


def read_by_line(reader: LineReader, text: str, nothing: str) -> list[Game]:
    """The problems of a text with any kind of line ends; `FormatError` saying ``nothing`` if none."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines, start=1):
        reader.feed(line.rstrip(), number)
    reader.finish()
    if not reader.games:
        raise FormatError(nothing, len(lines))
    return reader.games
