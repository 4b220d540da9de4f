# SPDX-License-Identifier: GPL-3.0-or-later
"""Patterns that make a theme possible: they are drawn first, most in a shorter position that is extended."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from generator.candidate import Candidate
from generator.constraints.options import Effort
from generator.learned.kernel.network import draw_learned_mate
from generator.learned.sampler import LearnedSampler
from generator.motifs.kernel.pawn_drops import draw_forbidden_drop
from generator.motifs.kernel.symmetric import draw_symmetric_mate
from generator.reverse.extender import Extender
from generator.reverse.kernel.extension import (
    ANY_ANSWER,
    ANY_CHECK,
    GIVEN,
    NOT_BY_KING,
    UNPROMOTED,
)
from solver.engines.dfpn.engine import DfPnEngine
from tsume_rules.packed import Record

_EFFORT = Effort(answers=60, checks=60, children=32, per_answer=6, parent_nodes=40_000, nodes=4_000)
"""Few positions have a pattern, so much is tried from each."""


@dataclass(frozen=True)
class Motif:
    """How positions for a theme are drawn: by a ``kernel`` with its ``options``.

    If it is ``extended``, it is drawn two plies shorter, and an answer and a check of the sorts named
    (`generator.reverse.kernel.extension`) are taken back. ``shortest``: the length of the shortest problems
    that are drawn so. ``alone``: other draws seldom show the theme. ``editable``: some edits leave the
    pattern.
    """

    kernel: Callable[..., int]
    options: tuple[int, ...] = ()
    answer: int = ANY_ANSWER
    check: int = ANY_CHECK
    shortest: int = 5
    extended: bool = True
    alone: bool = True
    editable: bool = True


MOTIFS = {
    "pawn-drop-avoidance": Motif(draw_forbidden_drop, (1,), check=UNPROMOTED),
    "pawn-drop-lure": Motif(draw_forbidden_drop, (0,), answer=NOT_BY_KING, shortest=7),
    "given-interposition": Motif(draw_learned_mate, answer=GIVEN, alone=False),
    "symmetric": Motif(draw_symmetric_mate, shortest=3, extended=False, editable=False),
}
"""The patterns by theme.

Of ``pawn-drop-avoidance``: a pawn drop that would be forbidden if some piece were promoted, and the check of
a piece that did not promote. Of ``pawn-drop-lure``: a forbidden pawn drop, and an answer not by the king. Of
``given-interposition``: an interposition next to the king. Of ``symmetric``: one side of the king, mirrored.
"""


def drawn_length(motif: Motif, n: int) -> int:
    """The length of the positions that are drawn for problems of n plies."""
    return n - 2 if motif.extended else n


class MotifSampler:
    """Draws positions with a pattern and extends them."""

    def __init__(self, motif: Motif, engine: DfPnEngine, state: np.ndarray, learned: LearnedSampler) -> None:
        self._motif = motif
        self._learned = learned
        self._extender = Extender(engine, _EFFORT, state, lenient=True)
        self._extender.take_back_only(motif.answer, motif.check)

    def forget(self) -> None:
        """Forget which positions were met."""
        self._extender.forget()

    def positions(
        self, n: int, tries: int, nodes: int, conditions: Sequence[int] | np.ndarray
    ) -> Iterator[Record]:
        """Positions that mate in exactly n plies, from those of ``tries`` draws with the pattern.

        ``conditions`` are for `drawn_length`; ``nodes`` bounds the search of one draw.
        """
        motif, left = self._motif, tries
        length = drawn_length(motif, n)
        while left > 0:
            record, number = self._learned.draw_by(
                motif.kernel, length, left, nodes, conditions, *motif.options
            )
            left -= number
            if record is not None and not motif.extended:
                yield record
            elif record is not None:
                extended = self._extender.children(Candidate(record, length, (), 0))
                yield from (child.record for child in extended)
