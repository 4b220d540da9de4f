# SPDX-License-Identifier: GPL-3.0-or-later
"""Introductions: moves in front of a line, taken back from its position (逆算)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from generator.candidate import Candidate
from generator.constraints.options import Effort
from generator.mending.kept_lines import Line
from generator.mending.workbench import readable_line
from generator.reverse.extender import Extender
from solver.engines.dfpn.engine import DfPnEngine
from tsume_rules.packed import pack, pack_move, unpack
from tsume_rules.position import Position

_EFFORT = Effort(answers=200, checks=40, children=200, per_answer=6, parent_nodes=400_000)
_SEED = 1
_BEAM = 6
"""So many positions of one generation are gone on from."""

Worth = Callable[[Position, Line], float]


class Introducer:
    """Takes moves back with one engine; the same random choices each time."""

    def __init__(self, engine: DfPnEngine, *, lenient: bool = False) -> None:
        state = np.full(1, _SEED, dtype=np.uint64)
        self._extender = Extender(engine, _EFFORT, state, lenient=lenient)

    def begin(self) -> None:
        """Forget what was met before."""
        self._extender.forget()
        self._extender.state[0] = _SEED

    def introduced(
        self, position: Position, line: Line, plies: int, worth: Worth
    ) -> list[tuple[Position, Line]]:
        """Positions from which ``plies`` moves lead to the given one, each with its line.

        They have one solution as far as a small margin goes. Of each two plies only what is ``worth`` most is
        gone on from.
        """
        parents = [Candidate(pack(position), len(line), tuple(map(pack_move, line)), 0)]
        for left in range(plies, 0, -2):
            children = [child for parent in parents for child in self._extender.children(parent)]
            if left > 2:
                children.sort(key=lambda one: -worth(unpack(one.record), readable_line(one.line)))
                children = children[:_BEAM]
            parents = children
        return [(unpack(one.record), readable_line(one.line)) for one in parents]
