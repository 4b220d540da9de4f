# SPDX-License-Identifier: GPL-3.0-or-later
"""Long works: positions of every length are kept on the way back, so that the search returns where it dies out.

A child of a sound position is sound if its first turn is: so two plies more cost the same at 11 plies and at 61.
Most positions have no sound child, a few have dozens. The longest that are left go on, the best of them first; where
none is left, those two plies shorter do.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from generator.acceptance.pipeline import CandidateAcceptance
from generator.candidate import Candidate
from generator.constraints.options import ComposingOptions
from generator.reverse.construction import ReverseConstruction
from solver.engines.dfpn.engine import DfPnEngine
from tsume_rules.kernel.tables import ATT, DEF, DIST, WALL
from tsume_rules.packed import attacker_turns

_STARTS = 80
"""Given problems with which a root begins, at most."""
_PARENTS = 6_000
"""Positions of a root that are extended, at most."""
_ENOUGH = 60
"""Positions of the length asked for after which a root ends."""
_SHARE, _FEW = 6, 4
"""Of the positions that go on at a time, at most one in so many, or so many, come from one core."""
_FOR_A_SQUARE, _FOR_A_PIECE, _FOR_HELD = 0.5, -0.2, -0.25
"""Merit for each square on which the king stands, for each piece on the board, for each one in hand beyond `_HELD`."""
_HELD = 3
_FOR_A_CHECK, _FOR_A_NEIGHBOUR, _FOR_A_GUARD = -0.12, -0.2, -0.3
"""Merit for each check that the position has, and for each piece next to the king: the attacker's, the defender's.
Positions with many of these seldom have a sound child (rank correlations of -0.5, -0.4, -0.4 at 21 to 24 pieces)."""
_WELCOME = 4.0
"""Merit that a core loses when all positions that go on at a time have been its own."""


def merit(candidate: Candidate) -> float:
    """How good a position is among others of its length: likely to go on, and the king travels among few pieces."""
    packed = candidate.packed
    board, king = np.asarray(packed.board), int(packed.king[DEF])
    cells = np.flatnonzero((board > 0) & (board < WALL))
    next_to_king = board[cells[DIST[king, cells] == 1]] >> 4
    squares = len({int(turn.king[DEF]) for turn in attacker_turns(packed, candidate.line)})
    return (
        _FOR_A_SQUARE * squares
        + _FOR_A_PIECE * len(cells)
        + _FOR_HELD * max(0, int(packed.hand[0].sum()) - _HELD)
        + _FOR_A_CHECK * candidate.checks
        + _FOR_A_NEIGHBOUR * int((next_to_king == ATT).sum())
        + _FOR_A_GUARD * int((next_to_king == DEF).sum())
    )


class Weighed(NamedTuple):
    """A position with its merit."""

    merit: float
    candidate: Candidate


def weighed(candidate: Candidate) -> Weighed:
    """Return a position with its merit."""
    return Weighed(merit(candidate), candidate)


class LongConstruction(ReverseConstruction):
    """Extends given problems to the length asked for."""

    def __init__(
        self, engine: DfPnEngine, options: ComposingOptions, state: np.ndarray, acceptance: CandidateAcceptance
    ) -> None:
        super().__init__(engine, options, state, acceptance, lenient=True)  # the judge knows which blemishes count

    def shortlist(self, index: int, rng: np.random.Generator) -> Iterator[Candidate]:
        """Yield the candidates of a root, the best first."""
        for candidate in sorted(self.candidates(index, rng), key=merit, reverse=True):
            if not self._acceptance.known.has_any(self._acceptance.key_hashes(candidate)):
                yield candidate

    def candidates(self, _index: int, rng: np.random.Generator) -> list[Candidate]:
        """Return the positions of the length asked for that a root comes to; none if it does not get so far."""
        length, most = self._options.length, self._options.beam
        waiting: defaultdict[int, list[Weighed]] = defaultdict(list)
        for start in self._starts(rng):
            waiting[start.length].append(weighed(start))
        gone_on: defaultdict[int, Counter[int]] = defaultdict(Counter)
        for _ in range(_PARENTS // most):
            at = max((plies for plies, some in waiting.items() if some and plies < length), default=0)
            if not at or len(waiting[length]) >= _ENOUGH:
                break
            with self._statistics.timed("grow"):
                parents, waiting[at] = self._parted(waiting[at], gone_on[at], rng)
                for parent in parents:
                    waiting[at + 2] += map(weighed, self._extender.children(parent))
        return [one.candidate for one in waiting[length]]

    def _starts(self, rng: np.random.Generator) -> Iterator[Candidate]:
        starts = self._options.starts
        for family in rng.permutation(len(starts))[:_STARTS]:
            found = self._seeds.given(starts[family])
            if found is not None:
                yield replace(found, family=int(family))

    def _parted(
        self, some: list[Weighed], gone_on: Counter[int], rng: np.random.Generator
    ) -> tuple[list[Candidate], list[Weighed]]:
        """Return the best positions of one length, which go on now, few of them of one core, and those that wait."""
        most = self._options.beam
        noise = rng.gumbel(size=len(some)) * self._options.temperature
        dues = {family: _WELCOME * number / most for family, number in gone_on.items()}
        order = sorted(
            range(len(some)),
            key=lambda i: some[i].merit - dues.get(some[i].candidate.family, 0.0) + float(noise[i]),
            reverse=True,
        )
        families = Counter[int]()
        chosen: list[Candidate] = []
        left: list[Weighed] = []
        for i in order:
            candidate = some[i].candidate
            if len(chosen) < most and families[candidate.family] < max(_FEW, most // _SHARE):
                chosen.append(candidate)
                families[candidate.family] += 1
            else:
                left.append(some[i])
        gone_on.update(families)
        return chosen, left
