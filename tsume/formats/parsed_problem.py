# SPDX-License-Identifier: GPL-3.0-or-later
"""A problem of a file, or the reason why it is invalid; reading continues with the next one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from tsume.formats.errors import FormatError
from tsume.formats.game_record import GameRecord
from tsume.formats.replay import Game
from tsume_rules.sfen import ParsedSfen

MOST_GAMES = 10_000
"""The most problems of one file in memory: a problem may take only a few bytes."""


@dataclass(frozen=True)
class ParsedProblem:
    """A problem of a file. Either ``fault`` is set, or ``parsed`` and ``record`` are.

    It begins in ``line`` (from 1). ``parsed`` tells how the position was given, ``record`` has the
    attacker as Black. ``title`` is known of a faulty problem too, if it was read.
    """

    line: int
    title: str = ""
    parsed: ParsedSfen | None = None
    record: GameRecord | None = None
    fault: FormatError | None = None


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text with any kind of line ends, without trailing white space, from number 1 on."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return enumerate((line.rstrip() for line in lines), start=1)


def parsed_games(found: Iterable[ParsedProblem]) -> list[Game]:
    """Positions and main lines; raises the first fault as `FormatError`, also one for too many problems."""
    read = []
    for one in islice(found, MOST_GAMES + 1):
        if one.fault is not None:
            raise one.fault
        assert one.record is not None
        read.append((one.record.position, one.record.line))
        if len(read) > MOST_GAMES:
            raise FormatError(f"more than {MOST_GAMES} problems", one.line)
    return read
