"""Problems with lines, read from files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tsume_rules.moves import Move
from tsume_rules.packing import pack_move
from tsume_rules.position import Position
from tsume_rules.record_play import Moves
from tsume_rules.sfen import parse_line, parse_sfen


@dataclass(frozen=True)
class Published:
    """A problem, its published line, and the further columns of its row."""

    position: Position
    moves: tuple[Move, ...]
    columns: tuple[str, ...] = ()

    @property
    def line(self) -> Moves:
        """The moves, packed."""
        return tuple(map(pack_move, self.moves))


def read(path: str) -> Iterator[Published]:
    """The problems with lines of a file: ``SFEN moves USI...``, or the SFEN, a tab, the line."""
    with Path(path).open(encoding="utf-8") as lines:
        for text in lines:
            if text.strip() and not text.startswith("#"):
                sfen, _, rest = text.rstrip("\n").partition("\t")
                moves, *columns = rest.split("\t")
                sfen, line = parse_line(f"{sfen} moves {moves}" if rest else text)
                yield Published(parse_sfen(sfen).position, tuple(line), tuple(columns))


def read_all(paths: Iterable[str]) -> list[Published]:
    """The problems with lines of several files."""
    return [problem for path in paths for problem in read(path)]
