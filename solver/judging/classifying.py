# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds the class of a second solution, by searches in which turns of the line are barred.

With the turns up to the check barred, a check that does not mate makes a detour; with all turns barred, one
that does not mate joins the line. In the first search the later turns are known to mate: a way through them
cannot come back to an earlier turn, which mates later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial

from solver.engines.base import KnownMate, MateEngine
from solver.judging.cooks import Cook, leaves_same_position, line_alike, may_have_same_effect
from solver.judging.findings import ENDING, SHORT, ClassifiedCook, CookClass
from solver.limits import LimitReached
from solver.results import Limits
from solver.solving.tree import TreeBuilder, differs_in_form_only
from tsume_rules.kernel.state import hand_contains, packed_hand
from tsume_rules.packed import (
    Moves,
    Record,
    attacker_turns,
    first_illegal,
    legal_checks,
    legal_evasions,
    line_played,
    played,
    record_after,
)
from tsume_rules.position import Side

# ---------------------------------------------------------------------------------------------------
#
# How a second solution comes to the line: the moves until it reaches one of the line's turns.

MOST_TURNS = 100
"""At most this many turns on the way."""
MOST_REORDERED = 30
"""At most this many plies are played in another order."""
NODES_FOR_AN_ANSWER = 20_000
"""Nodes to see that an answer does not keep the attacker from a mate of his own."""


class WayToLine:
    """The way of a check to one of the ``targets``, the turns of a line where it may arrive.

    On the way the attacker fails at the ``barred`` turns and mates at the ``known`` ones; ``beside`` are all
    turns without which the check does not mate. ``exact``: both sides play for the length, which takes longer
    to find; otherwise the defender goes to the line as soon as possible.
    """

    def __init__(
        self,
        engine: MateEngine,
        targets: Sequence[tuple[int, Record]],
        barred: Sequence[Record],
        known: Sequence[KnownMate],
        beside: tuple[Sequence[Record], Sequence[KnownMate]],
        *,
        exact: bool = False,
    ) -> None:
        self._engine, self._exact = engine, exact
        self._barred, self._known, self._beside = barred, known, beside
        self._targets: dict[int, list[tuple[int, int]]] = {}
        for ply, turn in targets:
            self._targets.setdefault(int(turn.key), []).append((ply, int(packed_hand(turn))))

    def find(self, record: Record, check: int, bound: int) -> tuple[Moves, int] | None:
        """The moves from a check, which mates within ``bound`` plies, and the ply of the turn they reach.

        The defender plays answers after which there is no other mate. None if the way is too long. Raises
        `LimitReached`.
        """
        moves = [check]
        with ExitStack() as game:
            game.enter_context(played(record, check, Side.ATTACKER))
            for _ in range(MOST_TURNS):
                answer = next(self._answers(record, bound - 1), None)
                if answer is None:
                    return None
                moves.append(answer)
                game.enter_context(played(record, answer, Side.DEFENDER))
                if (reached := self._reached(record)) is not None:
                    return tuple(moves), reached
                with self._engine.restricted(self._barred, self._known):
                    following = self._check(record, bound - 2)
                if following is None:
                    return None
                check, bound = following
                moves.append(check)
                game.enter_context(played(record, check, Side.ATTACKER))
        return None

    def in_other_order(self, record: Record, check: int, rest: Moves, ply: int) -> tuple[Moves, int] | None:
        """As `find`, by the attacker's moves of ``rest``, the line from this ply on, in another order.

        The target is reached at its own ply with the same hand. None if there is no such way. Raises
        `LimitReached`.
        """
        return self._reordered(record, (check,), rest, ply) if check in rest[2::2] else None

    def _reordered(self, record: Record, moves: Moves, rest: Moves, ply: int) -> tuple[Moves, int] | None:
        """The way that begins with ``moves``; the record stands before the last of them."""
        if len(moves) >= min(len(rest) - 1, MOST_REORDERED):
            return None
        with played(record, moves[-1], Side.ATTACKER):
            for answer in self._answers(record, len(rest) - len(moves)):
                way = (*moves, answer)
                with played(record, answer, Side.DEFENDER):
                    there = ply + len(way), int(packed_hand(record))
                    is_turn = there in self._targets.get(int(record.key), ())
                    if is_turn and Counter(way[::2]) == Counter(rest[: len(way) : 2]):
                        return way, there[0]
                    for check in self._remaining(record, way, rest):
                        found = self._reordered(record, (*way, check), rest, ply)
                        if found is not None:
                            return found
        return None

    def _remaining(self, record: Record, way: Moves, rest: Moves) -> list[int]:
        """The checks of the rest of a line that are not on the way yet and mate in time."""
        left = Counter(rest[::2]) - Counter(way[::2])
        with self._engine.restricted(self._barred, self._known):
            return [
                check
                for check in legal_checks(record)
                if check in left and self._engine.mates_after(record, check, len(rest) - len(way))
            ]

    def _check(self, record: Record, bound: int) -> tuple[int, int] | None:
        """A check that mates within ``bound`` plies, and the plies as far as the engine knows."""
        if self._exact:
            bound = self._length(record, bound)
        if bound < 1 or not self._engine.mates(record, bound):
            return None
        bound = self._engine.length
        mating = (check for check in legal_checks(record) if self._engine.mates_after(record, check, bound))
        return next(((check, bound) for check in mating), None)

    def _length(self, record: Record, bound: int) -> int:
        """The plies of the mate within ``bound`` plies; 0 if there is none."""
        return next((n for n in range(1, bound + 1, 2) if self._engine.mates(record, n)), 0)

    def _answers(self, record: Record, bound: int) -> Iterator[int]:
        """The answers to a check that lead to the line, best first; it mates within ``bound`` more plies."""
        at_once = [answer for answer in legal_evasions(record) if self._reaches(record, answer)]
        with self._engine.restricted(self._barred, self._known):
            others = [answer for answer in self._engine.defences(record, bound) if answer not in at_once]
            answers = [*at_once, *others]
            if self._exact:
                answers.sort(key=lambda answer: -self._length_after(record, answer, bound - 1))
        for answer in answers:
            if answer in at_once:
                yield answer
                continue
            with self._engine.restricted(*self._beside):
                mates_beside = self._mates_beside(record, answer)
            if not mates_beside:
                yield answer

    def _length_after(self, record: Record, answer: int, bound: int) -> int:
        with played(record, answer, Side.DEFENDER):
            return self._length(record, bound)

    def _reaches(self, record: Record, answer: int) -> bool:
        """Whether an answer leads to a target at once."""
        with played(record, answer, Side.DEFENDER):
            return self._reached(record) is not None

    def _mates_beside(self, record: Record, answer: int) -> bool:
        def question() -> bool:
            return self._engine.mates_ever(record)

        with played(record, answer, Side.DEFENDER):
            return self._engine.answered_within(NODES_FOR_AN_ANSWER, question) is True

    def _reached(self, record: Record) -> int | None:
        """The ply of the target in the record's position, with the same hand or a smaller one."""
        hand = int(packed_hand(record))
        reached = (ply for ply, other in self._targets.get(int(record.key), ()) if hand_contains(other, hand))
        return next(reached, None)


# --- the class of a second solution ----------------------------------------------------------------

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
            # The detour with its way back.
            proved = mates is False
            numbers = range(self._number + 1)
            known = [*self._of.known(numbers), *self._later]
            way = self._way(numbers, [], known, (self._before, self._later))
            found, _ = self._found(partial(way.find, self._record, self._cook.check, self._cook.bound))
            return self._coming_to_line(CookClass.DETOUR, found, proved=proved)
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
