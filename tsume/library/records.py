# SPDX-License-Identifier: GPL-3.0-or-later
"""Game records: KIF and others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from tsume.formats.game_record import GameRecord
from tsume.formats.writers import WRITERS
from tsume.library.arguments import check_arguments
from tsume.library.boards import GivenMove, GivenPosition
from tsume.library.reading import read_position

RecordFormat = Literal["kif", "ki2", "csa", "jkf"]


def record(
    sfen: GivenPosition, *, line: Sequence[GivenMove] = (), file_format: RecordFormat = "kif", title: str = ""
) -> str:
    """The game record of a position and its line, with the attacker as Black.

    The line of an answer is its own; that of an SFEN may follow it after ``moves``. Raises ValueError also
    for a line that cannot be played.
    """
    check_arguments(file_format=file_format, title=title)
    parsed, moves, _ = read_position(sfen, line)
    return WRITERS[file_format].write(GameRecord(parsed.position, moves, title))
