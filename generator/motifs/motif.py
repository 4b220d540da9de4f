"""Patterns that make a theme possible: they are drawn in a shorter position, which is then extended."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from generator.candidate import Candidate
from generator.constraints.options import Effort
from generator.learned.kernel.network import draw_learned_mate
from generator.learned.sampler import LearnedSampler
from generator.motifs.kernel.pawn_drops import draw_forbidden_drop
from generator.reverse.extender import Extender
from generator.reverse.kernel.extension import (
    ANY_ANSWER,
    ANY_CHECK,
    GIVEN,
    NOT_BY_KING,
    UNPROMOTED,
)
from solver.engines.dfpn.engine import DfPnEngine
from tsume_rules.packing import Record

_EFFORT = Effort(answers=60, checks=60, children=32, per_answer=6, parent_nodes=40_000, nodes=4_000)
"""Few positions have a pattern, so much is tried from each."""


@dataclass(frozen=True)
class Motif:
    """How positions for a theme are drawn: by a ``kernel`` with its ``options``, two plies shorter.

    Then an answer and a check of the sorts named (`generator.reverse.kernel.extension`) are taken back.
    ``shortest``: the length of the shortest problems that are drawn so.
    """

    kernel: Callable[..., int]
    options: tuple[int, ...] = ()
    answer: int = ANY_ANSWER
    check: int = ANY_CHECK
    shortest: int = 5


MOTIFS = {
    "pawn-drop-avoidance": Motif(draw_forbidden_drop, (1,), check=UNPROMOTED),
    "pawn-drop-lure": Motif(draw_forbidden_drop, (0,), answer=NOT_BY_KING, shortest=7),
    "given-interposition": Motif(draw_learned_mate, answer=GIVEN),
}
"""The patterns by theme.

Of ``pawn-drop-avoidance``: a pawn drop that would be forbidden if some piece were promoted, and the check of
a piece that did not promote. Of ``pawn-drop-lure``: a forbidden pawn drop, and an answer not by the king. Of
``given-interposition``: an interposition next to the king.
"""


class MotifSampler:
    """Draws positions with a pattern and extends them."""

    def __init__(self, motif: Motif, engine: DfPnEngine, state: np.ndarray, learned: LearnedSampler) -> None:
        self._motif = motif
        self._learned = learned
        self._extender = Extender(engine, _EFFORT, state, lenient=True)
        self._extender.take_back_only(motif.answer, motif.check)

    @property
    def is_one_of_two(self) -> bool:
        """Whether other draws show the theme about as often."""
        return self._motif.kernel is draw_learned_mate

    def forget(self) -> None:
        """Forget which positions were met."""
        self._extender.forget()

    def positions(
        self, n: int, tries: int, nodes: int, conditions: Sequence[int] | np.ndarray
    ) -> Iterator[Record]:
        """Positions that mate in exactly n plies: extensions of those of ``tries`` draws with the pattern.

        ``nodes`` bounds the search of one draw.
        """
        motif, left = self._motif, tries
        while left > 0:
            record, number = self._learned.draw_by(
                motif.kernel, n - 2, left, nodes, conditions, *motif.options
            )
            left -= number
            if record is not None:
                yield from (
                    child.record for child in self._extender.children(Candidate(record, n - 2, (), 0))
                )
