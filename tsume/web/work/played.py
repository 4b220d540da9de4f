# SPDX-License-Identifier: GPL-3.0-or-later
"""Jobs about a problem of the store after some moves of a person."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tsume.web.work.results import SECONDS, Refused, Rendered, json_bytes, search_timeout
from tsume_rules.moves import Move
from tsume_rules.position import Position
from tsume_rules.sfen import parse_sfen

if TYPE_CHECKING:
    from tsume.web.work.context import WorkerContext

MOST_SHORT = 9
"""The most plies of a problem whose jobs are among the quick ones."""


@dataclass(frozen=True)
class PlayedJob(ABC):
    """A job about a problem of ``length`` plies after some moves, within ``limit`` seconds."""

    sfen: str
    length: int
    moves: tuple[Move, ...] = ()
    limit: float = SECONDS

    @property
    def slot(self) -> str:
        """Long problems do not delay others."""
        return slot_of_length(self.length)

    @property
    def timeout(self) -> float:
        """Seconds after which the process is killed."""
        return search_timeout(self.limit)

    def run(self, context: WorkerContext) -> Iterator[Rendered | Refused]:
        """The result, or why there is none."""
        began = time.monotonic()
        try:
            fields, known = self.fields(context)
        except ValueError as error:
            yield Refused(str(error))
            return
        yield Rendered(self._written(fields), settled=known and time.monotonic() - began < self.limit)

    def fields(self, context: WorkerContext) -> tuple[dict[str, Any], bool]:
        """The result, and whether more time would not change it. Raises ValueError for illegal moves."""
        start = parse_sfen(self.sfen).position
        _require_legal(start, self.moves)
        return self._fields(context, start)

    @abstractmethod
    def _fields(self, context: WorkerContext, start: Position) -> tuple[dict[str, Any], bool]:
        """As `fields`."""

    def _written(self, fields: dict[str, Any]) -> bytes:
        return json_bytes(fields)


def slot_of_length(length: int) -> str:
    """The slot of jobs about a problem of ``length`` plies."""
    return "tree" if length <= MOST_SHORT else "long tree"


def _require_legal(position: Position, moves: tuple[Move, ...]) -> None:
    """Raise ValueError unless the moves are legal checks and, in turn, legal answers."""
    from tsume_rules.packed import first_illegal, pack, pack_move  # loads numba

    ply = first_illegal(pack(position), tuple(map(pack_move, moves)))
    if ply is not None:
        name = "answer" if ply % 2 else "check"
        raise ValueError(f"moves: move {ply + 1}, {moves[ply].usi}, is not a legal {name}")
