"""Writing KI2 files: the moves as people write them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tsume.formats.game_record import GameRecord
from tsume.formats.japanese import line_texts
from tsume.formats.kif import head_lines, result_line

MOVES_PER_LINE = 6


def write_ki2(record: GameRecord) -> str:
    """One problem as a KI2 file; every character of it is in Shift_JIS too.

    Raises `tsume_rules.play.ImpossibleMove` when the line cannot be played.
    """
    lines = [*head_lines(record), *(f"*{line}" for line in record.comment_lines)]
    if record.line:
        lines += [*_rows(line_texts(record.position, record.line)), result_line(record)]
    return "\n".join(lines) + "\n"


def write_ki2_collection(records: Iterable[GameRecord]) -> str:
    """Several problems one after the other, an empty line between them."""
    return "\n".join(map(write_ki2, records))


def _rows(texts: list[str]) -> Iterator[str]:
    for at in range(0, len(texts), MOVES_PER_LINE):
        yield "　".join(texts[at : at + MOVES_PER_LINE])
