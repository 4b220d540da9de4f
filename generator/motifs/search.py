# SPDX-License-Identifier: GPL-3.0-or-later
"""Composing for a theme whose pattern is drawn first."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from generator.acceptance.statistics import RootStatistics
from generator.candidate import Candidate
from generator.constraints.options import ComposingOptions
from generator.learned.network import stored_conditions
from generator.learned.sampler import DRAW_NODES
from generator.learned.search import LearnedSearch
from generator.motifs.motif import MOTIFS, Motif, MotifSampler, drawn_length
from solver.engines.dfpn.engine import DfPnEngine

_FEW_EDITS = 3
"""How often an edit is looked for that leaves a pattern which most edits spoil."""
_TRIES = 20_000
"""Positions drawn under the same conditions, at most; few have the pattern."""


def motif_for(options: ComposingOptions) -> Motif | None:
    """The pattern that is drawn first for what is asked, if there is one."""
    asked = (MOTIFS[theme] for theme in options.wishes.themes if theme in MOTIFS)
    return next((motif for motif in asked if options.uses_network and options.length >= motif.shortest), None)


class MotifSearch(LearnedSearch):
    """Local search whose walks start from positions that were drawn with a pattern (`MOTIFS`)."""

    def __init__(
        self, engine: DfPnEngine, options: ComposingOptions, state: np.ndarray, motif: Motif
    ) -> None:
        super().__init__(engine, options, state)
        self._motif = MotifSampler(motif, engine, state, self._learned)
        self._is_alone = motif.alone
        if not motif.editable:
            self._repairs, self._edits = 1, _FEW_EDITS
        self._drawn_length = drawn_length(motif, options.length)
        self._drawn_conditions = stored_conditions(self._drawn_length)

    def begin(self, index: int, statistics: RootStatistics) -> None:
        """Begin a root."""
        super().begin(index, statistics)
        self._motif.forget()

    def _drawn(self, nodes: int, rng: np.random.Generator) -> Iterator[Candidate]:
        """Positions of the length, with a line, whose pattern was drawn; not yet sound."""
        if not self._is_alone and rng.integers(2):
            yield from super()._drawn(nodes, rng)
            return
        length = self._options.length
        asked = self._drawn_conditions[rng.integers(len(self._drawn_conditions))]
        for record in self._motif.positions(length, _TRIES, DRAW_NODES[self._drawn_length], asked):
            drawn = self._sampler.with_line(record, length, nodes)
            if drawn is not None:
                yield drawn
