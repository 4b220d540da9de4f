"""Growing a problem by a pair of plies: taking back an answer, then a check.

A parent is a position that mates in exactly L plies with one solution as far as
it was looked at. Its cooks would be its children's cooks, so a child is tested
only where it is new: at its own first move, and along the other longest defences.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from generator.reasons import Counts, Rejection
from rules.kernel.retract import MOST_UNMOVES, move_of, un_checks, un_evasions
from rules.kernel.state import packed_hand
from rules.making import taken_back
from rules.packing import Record
from rules.pieces import Side
from solver.cooks import refute, stations
from solver.engine import Solver
from solver.limits import LimitReached
from solver.results import Limits
from solver.tree import Reply, TreeBuilder, Turn

Name = tuple[int, int]
"""The board key and the attacker's hand."""


@dataclass(frozen=True)
class Effort:
    """How much is tried from each parent.

    ``answers`` un-evasions and ``checks`` un-checks of each are sampled,
    ``children`` kept; ``nodes`` bound each candidate's searches; ``margin`` is
    how many plies beyond the end second solutions are looked for.
    """

    answers: int = 40
    checks: int = 12
    children: int = 6
    nodes: int = 6000
    margin: int = 2


@dataclass
class Sprout:
    """A position on the way to a problem: it mates in ``length`` plies."""

    record: Record
    length: int


@dataclass
class Grower:
    """Grows positions with one solver; ``rng`` decides what is sampled."""

    solver: Solver
    rng: np.random.Generator
    effort: Effort
    counts: Counts
    seen: set[Name] = field(default_factory=set)
    _unmoves: np.ndarray = field(default_factory=lambda: np.empty(MOST_UNMOVES, dtype=np.int64))

    def first_moves(self, final: Record) -> Iterator[Sprout]:
        """The mates in one that lead to a final position."""
        unchecks = self._sample(un_checks(final, self._unmoves, True), self.effort.checks)
        if not unchecks:
            self.counts[Rejection.NO_WAY_BACK] += 1
        for unmove in unchecks:
            with taken_back(final, unmove, Side.ATTACKER):
                sprout = self._first_move(final)
            if sprout is not None:
                yield sprout

    def _first_move(self, record: Record) -> Sprout | None:
        self.counts["candidates"] += 1
        if not self._is_new(record):
            return None
        turn = TreeBuilder(self.solver).turn(record, 1)
        if turn.leftover or any(turn.final_leftovers):
            self.counts[Rejection.LEFTOVER_AT_MATE] += 1
            return None
        return Sprout(record.copy(), 1)

    def children(self, parent: Sprout) -> list[Sprout]:
        """Up to ``effort.children`` positions two plies longer, in random order of discovery."""
        found: list[Sprout] = []
        record = parent.record
        unmoves = self._sample(un_evasions(record, self._unmoves, True), self.effort.answers)
        for unmove in unmoves:
            with taken_back(record, unmove, Side.DEFENDER):
                found += self._before_check(record, move_of(unmove), parent.length + 2)
            if len(found) >= self.effort.children:
                break
        return found[: self.effort.children]

    def _before_check(self, record: Record, answer: int, length: int) -> list[Sprout]:
        """Children through one answer; ``record`` stands before it."""
        self.counts["defences"] += 1
        try:
            with self.solver.within(Limits(nodes=self.effort.nodes)):
                replies = self._longest_defences(record, answer, length - 1)
        except LimitReached:
            self.counts[Rejection.UNRESOLVED] += 1
            return []
        if replies is None:
            return []
        found = []
        for unmove in self._sample(un_checks(record, self._unmoves, True), self.effort.checks):
            with taken_back(record, unmove, Side.ATTACKER):
                if self._is_problem(record, Turn(length, move_of(unmove), replies=replies)):
                    found.append(Sprout(record.copy(), length))
        return found

    def _longest_defences(self, record: Record, answer: int, n: int) -> list[Reply] | None:
        """All longest defences, if ``answer`` is one and none lasts longer than n plies."""
        if not self.solver.is_mated(record, n):
            self.counts[Rejection.LONGER_DEFENCE] += 1
            return None
        replies = TreeBuilder(self.solver, most_turns=60).replies(record, n)
        if not any(reply.moves == (answer,) for reply in replies):
            self.counts[Rejection.SHORTER_DEFENCE] += 1
            return None
        if any(reply.turn is None or reply.turn.leftover for reply in replies):
            self.counts[Rejection.LEFTOVER] += 1
            return None
        return replies

    def _is_problem(self, record: Record, turn: Turn) -> bool:
        """Whether a child has one solution, as far as is looked here."""
        self.counts["candidates"] += 1
        if not self._is_new(record):
            return False
        try:
            with self.solver.within(Limits(nodes=self.effort.nodes)):
                reason = self._fault(record, turn)
        except LimitReached:
            reason = Rejection.UNRESOLVED
        if reason is not None:
            self.counts[reason] += 1
        return reason is None

    def _fault(self, record: Record, turn: Turn) -> Rejection | None:
        if self.solver.mates(record, 1) or self.solver.mates(record, turn.n - 2):
            return Rejection.SHORTER_MATE
        places = stations(record, turn)
        if refute(self.solver, record, places[0], 0):
            return Rejection.SECOND_MATE
        for station in places[1:]:
            if refute(self.solver, record, station, self.effort.margin):
                return Rejection.COOK_IN_DEFENCE
        if refute(self.solver, record, places[0], self.effort.margin):
            return Rejection.LONGER_COOK
        return None

    def _is_new(self, record: Record) -> bool:
        name = (int(record.key), int(packed_hand(record)))
        if name in self.seen:
            self.counts[Rejection.ALREADY_SEEN] += 1
            return False
        self.seen.add(name)
        return True

    def _sample(self, number: int, most: int) -> list[int]:
        """At most ``most`` of the un-moves just listed, in random order."""
        order = self.rng.permutation(number)[:most]
        return [int(code) for code in self._unmoves[order]]
