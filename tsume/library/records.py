# SPDX-License-Identifier: GPL-3.0-or-later
"""Game records: KIF and others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from db.errors import stored_value_excerpt
from tsume.files.entries import read_pasted_text
from tsume.formats.game_record import END, GameRecord
from tsume.formats.registry import WRITERS
from tsume.library.arguments import GivenMove, GivenPosition, check_arguments, read_position

RecordFormat = Literal["kif", "ki2", "csa", "jkf"]


def read(text: str, *, at: int | Literal["end"] | None = None) -> str:
    """The position of a game record, a line or an address as an SFEN, with its solution after ``moves``.

    ``at``: the position after so many moves of the record, whose side to move is the attacker; moves after it
    are its solution if all of the attacker's give check. By default it is the first position of a record,
    the last one of a command of USI (``position ... moves ...``), and the one that an address shows.
    """
    check_arguments("at", at=None if at == "end" else at)
    if not isinstance(text, str):
        raise TypeError(
            f"text must be a record, a line or an address, not {stored_value_excerpt(repr(text))}"
        )
    entry = read_pasted_text(text, END if at == "end" else at).entry
    assert entry.parsed is not None
    moves = " ".join(entry.parsed.outward(move).usi for move in entry.line)
    return f"{entry.parsed.sfen} moves {moves}" if moves else entry.parsed.sfen


def record(
    sfen: GivenPosition, *, line: Sequence[GivenMove] = (), file_format: RecordFormat = "kif", title: str = ""
) -> str:
    """Return the game record of a position and its line, with the attacker as Black.

    The line of an answer is its own; that of an SFEN may follow it after ``moves``. Raises ValueError also
    for a line that cannot be played.
    """
    check_arguments(file_format=file_format, title=title)
    parsed, moves, _ = read_position(sfen, line)
    return WRITERS[file_format].write(GameRecord(parsed.position, moves, title))
