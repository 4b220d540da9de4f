# SPDX-License-Identifier: GPL-3.0-or-later
"""Candidates as the growth makes them: an answer and a check taken back from a parent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from generator.candidate import Candidate
from generator.constraints.options import ComposingOptions, Effort
from generator.reverse.construction import ReverseConstruction
from generator.reverse.stages import new_stage_tally
from generator.run.composer import Composer
from scripts.measuring.timed_roots import VERSION
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.dfpn.kernel.sound import SOUND
from solver.limits import LimitReached
from solver.results import Limits
from tsume_rules.kernel.retract import MOST_UNMOVES, move_of, un_checks, un_evasions
from tsume_rules.kernel.state import POSITION
from tsume_rules.packing import Record
from tsume_rules.pieces import Side
from tsume_rules.record_play import played, retracted

_OF_A_PARENT = 8
"""At most this many candidates are taken of one parent, so that many parents give some."""


@dataclass
class Sample:
    """Candidates: positions that mate in exactly ``length`` plies by their keys, if they pass all tests.

    ``tally`` counts what the tests did while these were looked for (`generator.reverse.stages`).
    """

    length: int
    positions: np.ndarray
    keys: np.ndarray
    parents: int = 0
    tally: np.ndarray = field(default_factory=new_stage_tally)


class _Watched(Composer):
    """A composer that keeps the parents of its last generations."""

    def __init__(self, seed: int, options: ComposingOptions) -> None:
        super().__init__(seed, options, VERSION)
        self.parents: list[Candidate] = []
        assert isinstance(self._source, ReverseConstruction)
        extender = self._source._extender
        children = extender.children

        def watched(parent: Candidate) -> list[Candidate]:
            if parent.length == options.length - 2:
                self.parents.append(parent)
            return children(parent)

        extender.children = watched  # type: ignore[method-assign]


def draw(length: int, number: int, seed: int) -> Sample:
    """``number`` candidates of a length, from the roots of a seed in order."""
    options = ComposingOptions.of(length)
    composer, rng = _Watched(seed, options), np.random.default_rng(seed)
    asker = Asker(DfPnEngine(), options.effort, rng)
    found: list[tuple[Record, int]] = []
    index = parents = 0
    while len(found) < number:
        composer.root(index)
        for parent in composer.parents:
            candidates = list(asker.candidates(parent))
            chosen = rng.permutation(len(candidates))[:_OF_A_PARENT]
            found += [candidates[int(i)] for i in chosen]
            parents += bool(candidates)
        composer.parents.clear()
        index += 1
    positions = np.zeros(number, dtype=POSITION).view(np.recarray)
    for i in range(number):
        positions[i] = found[i][0]
    keys = np.array([key for _, key in found[:number]], dtype=np.int64)
    return Sample(length, positions, keys, parents, composer.tally)


@dataclass
class Asker:
    """The steps of `generator.reverse.kernel.extension.extend_parent` up to the tests of a candidate."""

    engine: DfPnEngine
    effort: Effort
    rng: np.random.Generator
    _unevasions: np.ndarray = field(default_factory=lambda: np.zeros(MOST_UNMOVES, dtype=np.int64))
    _unchecks: np.ndarray = field(default_factory=lambda: np.zeros(MOST_UNMOVES, dtype=np.int64))

    def candidates(self, parent: Candidate) -> Iterator[tuple[Record, int]]:
        """The positions before a parent, answer by answer, each with its key."""
        record = parent.record.copy()
        number = un_evasions(record, self._unevasions, True)
        for i in self.rng.permutation(number)[: self.effort.answers]:
            unevasion = int(self._unevasions[i])
            with retracted(record, unevasion, Side.DEFENDER):
                if self._is_defence(record, int(move_of(unevasion)), parent.length + 1):
                    yield from self._before(record)

    def _before(self, record: Record) -> Iterator[tuple[Record, int]]:
        number = un_checks(record, self._unchecks, True)
        for i in self.rng.permutation(number)[: self.effort.checks]:
            uncheck = int(self._unchecks[i])
            with retracted(record, uncheck, Side.ATTACKER):
                yield record.copy(), int(move_of(uncheck))

    def _is_defence(self, record: Record, answer: int, n: int) -> bool:
        try:
            with self.engine.within(Limits(nodes=self.effort.nodes)):
                return self.engine.is_mated(record, n) and self._stands(record, answer, n)
        except LimitReached:
            return False

    def _stands(self, record: Record, answer: int, n: int) -> bool:
        """Whether the answer is a longest defence, and the positions after the others are sound."""
        defences = self.engine.longest_defences(record, n)
        return answer in defences and all(self._is_sound(record, d, n) for d in defences if d != answer)

    def _is_sound(self, record: Record, answer: int, n: int) -> bool:
        with played(record, answer, Side.DEFENDER):
            return self.engine.is_sound(record, n - 1, self.effort.margin, self.effort.turns) == SOUND
