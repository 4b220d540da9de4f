# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the class of a second solution, by searches in which turns of the line are barred.

With the turns up to the check barred, a check that does not mate makes a detour; with all turns barred, one
that does not mate joins the line. In the first search the later turns are known to mate: a way through them
cannot come back to an earlier turn, which mates later.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from solver.engines.base import KnownMate, MateEngine
from solver.judging.cook_classes import ENDING, SHORT, ClassifiedCook, CookClass
from solver.judging.cooks import Cook
from solver.judging.joining import WayToLine
from solver.judging.same_effect import leaves_same_position, line_alike, may_have_same_effect
from solver.limits import LimitReached
from solver.results import Limits
from solver.solving.form import differs_in_form_only
from solver.solving.tree import TreeBuilder
from tsume_rules.kernel.state import packed_hand
from tsume_rules.packing import Record
from tsume_rules.record_play import Moves, attacker_turns, first_illegal, line_played, record_after

NODES = 200_000
"""Nodes for each search for a mate that avoids the line."""
LINE_NODES = 300_000
"""Nodes for the line of a second solution."""
_Way = tuple[Moves, int]
"""The moves to a turn of the line, and the ply of that turn."""


class Classifier:
    """Classifies the second solutions along a line.

    The line is a best one by the narrow reading; if ``exact`` is False (its length is another one), no turn
    is taken as known to mate. ``margin``: plies beyond the end within which short works are searched
    completely.
    """

    def __init__(self, engine: MateEngine, record: Record, line: Moves, margin: int, *, exact: bool) -> None:
        self._engine = engine
        self._record = record
        self._line = line
        self._margin = margin
        self._exact = exact
        self._turns = attacker_turns(record, line)

    def classify(self, cook: Cook) -> ClassifiedCook:
        """The class of a second solution at a turn of the line. Raises `LimitReached` for an outer limit."""
        with line_played(self._record, cook.path):
            return _Classification(self._engine, self._record, self._line, self._turns, cook, self).result()

    def mates(self, cook: Cook) -> bool | None:
        """Whether a second solution mates under the restrictions in force; None: not known.

        The record stands at its turn.
        """
        engine, near = self._engine, cook.turn.n + self._margin
        mates_near = partial(engine.mates_after, self._record, cook.check, near)
        if len(self._line) <= SHORT:
            found: bool | None = mates_near()
        else:
            found = engine.answered_within(NODES, mates_near)
        if found or (found is False and engine.refuted_for_good):
            return found
        return engine.answered_within(NODES, partial(engine.mates_ever_after, self._record, cook.check))

    def known(self, turns: range) -> list[KnownMate]:
        """The turns of the line that are known to mate, of those with these numbers."""
        plies = len(self._line)
        return [(self._turns[i], plies - 2 * i) for i in turns] if self._exact else []


class _Classification:
    """The classification of one second solution; the record stands at its turn."""

    def __init__(
        self, engine: MateEngine, record: Record, line: Moves, turns: list[Record], cook: Cook, of: Classifier
    ) -> None:
        self._engine, self._record, self._line, self._cook, self._of = engine, record, line, cook, of
        self._turns = turns
        self._number = len(cook.path) // 2
        self._before = turns[: self._number + 1]
        self._later = of.known(range(self._number + 1, len(turns)))

    def result(self) -> ClassifiedCook:
        """The class, with its line."""
        engine, record, cook = self._engine, self._record, self._cook
        if leaves_same_position(engine, record, cook):
            return self._same_position()
        same_check = differs_in_form_only(record, cook.turn.key, cook.check)
        with engine.restricted(self._before, self._later):
            in_time = self._mates_in_time()
            mates = in_time or self._of.mates(cook)
            bound = engine.length + 1 if mates else 0
        if not mates:
            return self._detour(proved=mates is False)
        if same_check or (in_time and may_have_same_effect(record, cook.turn.key, cook.check)):
            alike = self._alike()
            if alike is not None or same_check:
                line, joins = alike or (None, None)
                return ClassifiedCook(CookClass.FORM, line, joins, same_check=same_check)
        with engine.restricted(self._turns):
            beside = self._of.mates(cook)
            length = engine.length + 1 if beside else 0
        if not beside:
            return self._joining(bound, in_time=in_time, proved=beside is False)
        return self._beside(length)

    def _same_position(self) -> ClassifiedCook:
        """What leaves the position that the line has after the capture."""
        path = self._cook.path
        line = (*path, self._cook.check, *self._line[len(path) + 1 :])
        return ClassifiedCook(CookClass.SAME_POSITION, line, len(path) + 2, same_check=True)

    def _mates_in_time(self) -> bool:
        """Whether it mates as soon as the line."""
        cook = self._cook
        if cook.bound <= cook.turn.n:
            self._engine.mates_after(self._record, cook.check, cook.turn.n)
            return True
        ask = partial(self._engine.mates_after, self._record, cook.check, cook.turn.n)
        return bool(self._engine.answered_within(NODES, ask))

    def _alike(self) -> tuple[Moves, int | None] | None:
        found = line_alike(self._engine, self._record, self._line[len(self._cook.path) :], self._cook.check)
        if found is None:
            return None
        moves, joins = found
        return self._cook.path + moves, None if joins is None else len(self._cook.path) + joins

    def _detour(self, *, proved: bool) -> ClassifiedCook:
        """The detour with its way back."""
        numbers = range(self._number + 1)
        known = [*self._of.known(numbers), *self._later]
        way = self._way(numbers, [], known, (self._before, self._later))
        found, _ = self._found(partial(way.find, self._record, self._cook.check, self._cook.bound))
        return self._coming_to_line(CookClass.DETOUR, found, proved=proved)

    def _joining(self, bound: int, *, in_time: bool, proved: bool) -> ClassifiedCook:
        """What joins the line at a later turn and mates within ``bound`` plies."""
        record, check, ply = self._record, self._cook.check, len(self._cook.path)
        numbers = range(self._number + 1, len(self._turns))
        way = self._way(numbers, self._before, self._later, (self._turns, []))
        complete = True
        if in_time:
            found, complete = self._found(partial(way.in_other_order, record, check, self._line[ply:], ply))
            if found is not None:
                return self._coming_to_line(CookClass.ORDER, found, proved=proved)
        found, _ = self._found(partial(way.find, record, check, bound))
        return self._coming_to_line(CookClass.MERGING, found, proved=proved and complete)

    def _way(
        self,
        numbers: range,
        barred: list[Record],
        known: list[KnownMate],
        beside: tuple[list[Record], list[KnownMate]],
    ) -> WayToLine:
        """The ways to the turns of the line with these numbers."""
        targets = [(2 * i, self._turns[i]) for i in numbers]
        return WayToLine(self._engine, targets, barred, known, beside, exact=len(self._line) <= SHORT)

    def _found(self, find: Callable[[], _Way | None]) -> tuple[_Way | None, bool]:
        """A way to the line, and whether the nodes sufficed to look for it."""
        try:
            with self._engine.within(Limits(nodes=LINE_NODES)):
                return find(), True
        except LimitReached:
            self._engine.check_limits()
            return None, False

    def _coming_to_line(self, kind: CookClass, way: _Way | None, *, proved: bool) -> ClassifiedCook:
        if way is not None:
            moves, joins = way
            rest = self._rest(record_after(self._record, moves), joins)
            if rest is not None:
                return ClassifiedCook(kind, (*self._cook.path, *moves, *rest), joins, proved=proved)
        return ClassifiedCook(kind, proved=proved)

    def _rest(self, record: Record, joins: int) -> Moves | None:
        """The moves to mate from a turn of the line, where the hand may be smaller; None: not known."""
        engine, rest = self._engine, self._line[joins:]
        if packed_hand(record) == packed_hand(self._turns[joins // 2]):
            return rest
        try:
            with engine.within(Limits(nodes=LINE_NODES)):
                if not engine.mates_ever(record):
                    return None
                length = engine.length
                while length > 1 and engine.mates(record, length - 2):
                    length = engine.length
                is_mate = first_illegal(record, rest) is None and engine.is_mated(
                    record_after(record, rest), 0
                )
                if is_mate and length >= len(rest):
                    return rest
                return TreeBuilder(engine, most_turns=200, complete=False).line(record, length)
        except LimitReached:
            engine.check_limits()
            return None

    def _beside(self, length: int) -> ClassifiedCook:
        """A second solution that mates without the line in at most ``length`` plies."""
        line, leaves = self._own_line(length)
        if self._cook.turn.n <= ENDING and len(self._line) > SHORT:
            kind = CookClass.ENDING
        else:
            kind = CookClass.LEFTOVER if leaves else CookClass.TRUE
        return ClassifiedCook(kind, line)

    def _own_line(self, length: int) -> tuple[Moves | None, bool]:
        """Its line, and whether that leaves pieces in hand."""
        engine, record, check = self._engine, self._record, self._cook.check
        try:
            with engine.within(Limits(nodes=LINE_NODES)), engine.restricted(self._turns):
                while length > 1 and engine.mates_after(record, check, length - 2):
                    length = engine.length + 1
                tree = TreeBuilder(engine, most_turns=200, complete=False).after(record, check, length)
        except LimitReached:
            engine.check_limits()
            return None, False
        return self._cook.path + tree.line(), tree.leftover
