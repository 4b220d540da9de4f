# SPDX-License-Identifier: GPL-3.0-or-later
"""Writing KI2 files: the moves as people write them, with variations."""

from __future__ import annotations

from collections.abc import Iterator

from tsume.formats.game_record import GameRecord
from tsume.formats.japanese import move_text
from tsume.formats.kif import head_lines, record_text
from tsume.formats.variations import PlacedBranch
from tsume_rules.moves import position_after
from tsume_rules.position import Square

MOVES_PER_LINE = 6


def write_ki2(record: GameRecord) -> str:
    """One problem as a KI2 file; all added characters are in Shift_JIS too.

    Moves are separated by spaces of ASCII and an empty hand is left empty, since other readers stop at
    anything else. Raises `tsume_rules.moves.ImpossibleMove` when a line cannot be played.
    """
    return record_text(record, head_lines(record, ""), _ki2_lines)


def _ki2_lines(placed: PlacedBranch) -> Iterator[str]:
    """The moves, a new line after each comment and after every few moves.

    The first one names its square even where others say 同: json-kifu-format takes the wrong one there.
    """
    branch, position = placed.branch, placed.position
    last: Square | None = None
    row: list[str] = []
    for number, move in enumerate(branch.line, start=branch.first):
        row.append(move_text(position, move, last))
        position, last = position_after(position, move), move.target
        comments = branch.comments_on(number)
        if comments or len(row) == MOVES_PER_LINE:
            yield " ".join(row)
            yield from (f"*{line}" for line in comments)
            row = []
    if row:
        yield " ".join(row)
