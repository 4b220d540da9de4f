# SPDX-License-Identifier: GPL-3.0-or-later
"""Composing round a pattern that makes a theme possible."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from generator.acceptance.reasons import RootStatistics
from generator.candidate import Candidate
from generator.constraints.options import ComposingOptions, Effort
from generator.learned.kernel.motifs import draw_forbidden_drop, draw_symmetric_mate
from generator.learned.kernel.network import draw_learned_mate
from generator.learned.network import DRAW_NODES, LearnedSampler, stored_conditions
from generator.learned.search import LearnedSearch
from generator.reverse.extender import Extender
from generator.reverse.kernel.extension import ANY_ANSWER, ANY_CHECK, GIVEN, NOT_BY_KING, UNPROMOTED
from solver.engines.dfpn.engine import DfPnEngine
from tsume_rules.packed import PackedPosition

# ---------------------------------------------------------------------------------------------------
#
# Patterns that make a theme possible: they are drawn first, most in a shorter position that is extended.

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
    """Return the length of the positions that are drawn for problems of n plies."""
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
    ) -> Iterator[PackedPosition]:
        """Positions that mate in exactly n plies, from those of ``tries`` draws with the pattern.

        ``conditions`` are for `drawn_length`; ``nodes`` bounds the search of one draw.
        """
        motif, left = self._motif, tries
        length = drawn_length(motif, n)
        while left > 0:
            packed, number = self._learned.draw_by(motif.kernel, length, left, nodes, conditions, *motif.options)
            left -= number
            if packed is not None and not motif.extended:
                yield packed
            elif packed is not None:
                extended = self._extender.children(Candidate(packed, length, (), 0))
                yield from (child.packed for child in extended)


# --- composing for a theme whose pattern is drawn first --------------------------------------------

_FEW_EDITS = 3
"""How often an edit is looked for that leaves a pattern which most edits spoil."""
_TRIES = 20_000
"""Positions drawn under the same conditions, at most; few have the pattern."""


def motif_for(options: ComposingOptions) -> Motif | None:
    """Return the pattern that is drawn first for what is asked, if there is one."""
    asked = (MOTIFS[theme] for theme in options.wishes.themes if theme in MOTIFS)
    return next((motif for motif in asked if options.uses_network and options.length >= motif.shortest), None)


class MotifSearch(LearnedSearch):
    """Local search whose walks start from positions that were drawn with a pattern (`MOTIFS`)."""

    def __init__(self, engine: DfPnEngine, options: ComposingOptions, state: np.ndarray, motif: Motif) -> None:
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
        for packed in self._motif.positions(length, _TRIES, DRAW_NODES[self._drawn_length], asked):
            drawn = self._sampler.with_line(packed, length, nodes)
            if drawn is not None:
                yield drawn
