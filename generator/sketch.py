"""Composing by local search: `generator.kernel.sketch` as Python uses it."""

from __future__ import annotations

import numpy as np

from generator.kernel.sketch import LINE_ROOM, SKETCHING, Sketch, draw_mate, walk
from generator.likeness.model import Model
from generator.nursery import Sprout
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.sound import STACK
from tsume_rules.kernel.state import POSITION
from tsume_rules.packing import Record

_MOST_TRAITS = 4096
_WALK = {
    "nodes": 3000,
    "margin": 2,
    "turns": 40,
    "away": 60,
    "more": 3,
    "seek": 1500,
    "cook": 1.0,
    "hurry": 2.0,
}
KEPT = 8
"""At most this many positions are kept of a walk, evenly spread over its steps."""


class Sketcher:
    """Walks through positions that mate in n plies towards likely ones, with one engine.

    Random choices follow ``state``, the caller's uint64 array [1].
    """

    def __init__(self, engine: DfPnEngine, state: np.ndarray) -> None:
        self._engine = engine
        options = np.zeros(1, dtype=SKETCHING).view(np.recarray)[0]
        for name, value in _WALK.items():
            setattr(options, name, value)
        self._work = Sketch(
            options, np.zeros(0), np.zeros(0), state, _integers(STACK), _integers(_MOST_TRAITS), _integers(LINE_ROOM),
            _integers(LINE_ROOM), _integers(LINE_ROOM), _integers(100), _records(3), _records(KEPT), _integers(KEPT * LINE_ROOM),
        )  # fmt: skip

    def sprouts(self, start: Sprout, steps: int, model: Model) -> list[Sprout]:
        """Positions of a sprout's length, with one solution as far as the margin goes.

        They come from one walk of ``steps`` steps, which goes on from the sprout; what is met in the
        first of `KEPT` parts of it is still too like the start.
        """
        n = start.length
        work = self._work._replace(values=model.values)
        work.options.nodes = nodes_for(n)
        work.options.gap = max(1, steps // KEPT)
        kept = int(walk(self._engine.arena(start.record), n, steps, work))
        return [self._sprout(work, i, n) for i in range(1, kept)]

    def drawn(self, n: int, steps: int, model: Model, rates: np.ndarray, record: Record) -> list[Sprout]:
        """As `sprouts`, from a drawn position."""
        work = self._work._replace(values=model.values, rates=rates)
        work.options.nodes = nodes_for(n)
        work.options.gap = max(1, steps // KEPT)
        arena = self._engine.arena(record)
        if not draw_mate(arena, n, 2000, work):
            return []
        kept = int(walk(arena, n, steps, work))
        return [self._sprout(work, i, n) for i in range(kept)]

    def _sprout(self, work: Sketch, i: int, n: int) -> Sprout:
        line = work.lines[i * LINE_ROOM : i * LINE_ROOM + n]
        record: Record = work.records[i].copy()
        return Sprout(record, n, tuple(int(move) for move in line), family=i, still=1)


def nodes_for(n: int) -> int:
    """Nodes for the tests of one position."""
    return min(3000 * 2 ** (max(0, n - 5) // 2), 24_000)


def _integers(number: int) -> np.ndarray:
    return np.zeros(number, dtype=np.int64)


def _records(number: int) -> np.ndarray:
    return np.zeros(number, dtype=POSITION).view(np.recarray)
