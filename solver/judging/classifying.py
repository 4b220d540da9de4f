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
from typing import TypeVar

from solver.engines.base import KnownMate, MateEngine
from solver.judging.cooks import Cook, leaves_same_position, line_alike, may_have_same_effect
from solver.judging.findings import ENDING, SHORT, ClassifiedCook, CookClass
from solver.results import LimitReached, Limits
from solver.solving.tree import TreeBuilder, Turn, differs_in_form_only
from tsume_rules.kernel.state import hand_contains, packed_hand
from tsume_rules.packed import (
    Moves,
    PackedPosition,
    attacker_turns,
    first_illegal,
    legal_checks,
    legal_evasions,
    line_played,
    played,
    record_after,
)
from tsume_rules.position import Side

# --- how a second solution comes to the line: the moves until it reaches one of the line's turns ---

MAX_TURNS = 100
"""At most this many turns on the way."""
MAX_REORDERED = 30
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
        targets: Sequence[tuple[int, PackedPosition]],
        barred: Sequence[PackedPosition],
        known: Sequence[KnownMate],
        beside: tuple[Sequence[PackedPosition], Sequence[KnownMate]],
        *,
        exact: bool = False,
    ) -> None:
        self._engine, self._exact = engine, exact
        self._barred, self._known, self._beside = barred, known, beside
        self._targets: dict[int, list[tuple[int, int]]] = {}
        for ply, turn in targets:
            self._targets.setdefault(int(turn.key), []).append((ply, int(packed_hand(turn))))

    def find(self, packed: PackedPosition, check: int, bound: int) -> tuple[Moves, int] | None:
        """Return the moves from a check, which mates in ``bound`` plies, and the ply of the turn they reach.

        The defender plays answers after which there is no other mate. None if the way is too long. Raises
        `LimitReached`.
        """
        engine, moves = self._engine, [check]
        with ExitStack() as game:
            game.enter_context(played(packed, check, Side.ATTACKER))
            for _ in range(MAX_TURNS):
                answer = next(self._answers(packed, bound - 1), None)
                if answer is None:
                    return None
                moves.append(answer)
                game.enter_context(played(packed, answer, Side.DEFENDER))
                if (reached := self._reached(packed)) is not None:
                    return tuple(moves), reached
                # A check that mates in time, and the plies of its mate as far as the engine knows.
                with engine.restricted(self._barred, self._known):
                    bound = self._length(packed, bound - 2) if self._exact else bound - 2
                    if bound < 1 or not engine.mates(packed, bound):
                        return None
                    bound = engine.length
                    mating = (one for one in legal_checks(packed) if engine.mates_after(packed, one, bound))
                    check = next(mating, 0)
                if not check:
                    return None
                moves.append(check)
                game.enter_context(played(packed, check, Side.ATTACKER))
        return None

    def in_other_order(self, packed: PackedPosition, check: int, rest: Moves, ply: int) -> tuple[Moves, int] | None:
        """As `find`, by the attacker's moves of ``rest``, the line from this ply on, in another order.

        The target is reached at its own ply with the same hand. None if there is no such way. Raises `LimitReached`.
        """
        return self._reordered(packed, (check,), rest, ply) if check in rest[2::2] else None

    def _reordered(self, packed: PackedPosition, moves: Moves, rest: Moves, ply: int) -> tuple[Moves, int] | None:
        """Return the way that begins with ``moves``; the packed position stands before the last of them."""
        engine, left = self._engine, len(rest) - len(moves)
        if len(moves) >= min(len(rest) - 1, MAX_REORDERED):
            return None
        with played(packed, moves[-1], Side.ATTACKER):
            for answer in self._answers(packed, left):
                way = (*moves, answer)
                with played(packed, answer, Side.DEFENDER):
                    there = ply + len(way), int(packed_hand(packed))
                    is_turn = there in self._targets.get(int(packed.key), ())
                    if is_turn and Counter(way[::2]) == Counter(rest[: len(way) : 2]):
                        return way, there[0]
                    # The checks of the rest of the line that are not on the way yet and mate in time.
                    remaining = Counter(rest[::2]) - Counter(way[::2])
                    checks = [check for check in legal_checks(packed) if check in remaining]
                    with engine.restricted(self._barred, self._known):
                        checks = [check for check in checks if engine.mates_after(packed, check, left - 1)]
                    for check in checks:
                        found = self._reordered(packed, (*way, check), rest, ply)
                        if found is not None:
                            return found
        return None

    def _length(self, packed: PackedPosition, bound: int) -> int:
        """Return the plies of the mate within ``bound`` plies; 0 if there is none."""
        return next((n for n in range(1, bound + 1, 2) if self._engine.mates(packed, n)), 0)

    def _answers(self, packed: PackedPosition, bound: int) -> Iterator[int]:
        """Yield the answers to a check, which mates within ``bound`` more plies, that lead to the line, best first."""
        engine, at_once = self._engine, []
        for answer in legal_evasions(packed):
            with played(packed, answer, Side.DEFENDER):
                if self._reached(packed) is not None:
                    at_once.append(answer)
        with engine.restricted(self._barred, self._known):
            answers = at_once + [one for one in engine.defences(packed, bound) if one not in at_once]
            if self._exact:
                lengths = {}
                for answer in answers:
                    with played(packed, answer, Side.DEFENDER):
                        lengths[answer] = self._length(packed, bound - 1)
                answers.sort(key=lambda answer: -lengths[answer])
        for answer in answers:
            mates_beside: bool | None = False
            if answer not in at_once:
                with engine.restricted(*self._beside), played(packed, answer, Side.DEFENDER):
                    ask = partial(engine.mates_ever, packed)
                    mates_beside = engine.answered_within(NODES_FOR_AN_ANSWER, ask)
            if not mates_beside:
                yield answer

    def _reached(self, packed: PackedPosition) -> int | None:
        """Return the ply of the target of this position, with the same hand or a smaller one."""
        hand = int(packed_hand(packed))
        reached = (ply for ply, other in self._targets.get(int(packed.key), ()) if hand_contains(other, hand))
        return next(reached, None)


# --- the class of a second solution ----------------------------------------------------------------

NODES = 200_000
"""Nodes for each search for a mate that avoids the line."""
LINE_NODES = 300_000
"""Nodes for the line of a second solution."""
T = TypeVar("T")


class Classifier:
    """Classifies the second solutions along a line.

    The line is a best one by the narrow reading; if ``exact`` is False (its length is another one), no turn is taken as
    known to mate. ``margin``: plies beyond the end within which short works are searched completely.
    """

    def __init__(self, engine: MateEngine, packed: PackedPosition, line: Moves, margin: int, *, exact: bool) -> None:
        self._engine = engine
        self._packed = packed
        self._line = line
        self._margin = margin
        self._exact = exact
        self._turns = attacker_turns(packed, line)

    def classify(self, cook: Cook) -> ClassifiedCook:
        """Return the class of a second solution at a turn of the line, with its line. Raises `LimitReached` for
        an outer limit."""
        with line_played(self._packed, cook.path):
            return self._class_of(cook)

    def _class_of(self, cook: Cook) -> ClassifiedCook:
        """As `classify`; the packed position stands at the turn of the second solution."""
        engine, packed, path, check, turns = self._engine, self._packed, cook.path, cook.check, self._turns
        turn, ply, number = cook.turn, len(path), len(path) // 2
        before, later = turns[: number + 1], self._known(range(number + 1, len(turns)))
        if leaves_same_position(engine, packed, cook):
            line = (*path, check, *self._line[ply + 1 :])
            return ClassifiedCook(CookClass.SAME_POSITION, line, ply + 2, same_check=True)
        same_check = differs_in_form_only(packed, turn.key, check)
        with engine.restricted(before, later):
            ask = partial(engine.mates_after, packed, check, turn.n)
            if cook.bound <= turn.n:
                in_time = True
                ask()
            else:
                in_time = bool(engine.answered_within(NODES, ask))
            mates = in_time or self._mates(cook)
            bound = engine.length + 1 if mates else 0
        if not mates:
            # The detour with its way back.
            numbers = range(number + 1)
            way = self._way(numbers, [], [*self._known(numbers), *later], (before, later))
            back, _ = self._found(partial(way.find, packed, check, cook.bound))
            return self._coming_to_line(CookClass.DETOUR, path, back, proved=mates is False)
        if same_check or (in_time and may_have_same_effect(packed, turn.key, check)):
            alike = line_alike(engine, packed, self._line[ply:], check)
            if alike is not None:
                joins = None if alike[1] is None else ply + alike[1]
                return ClassifiedCook(CookClass.FORM, path + alike[0], joins, same_check=same_check)
            if same_check:
                return ClassifiedCook(CookClass.FORM, same_check=True)
        with engine.restricted(turns):
            beside = self._mates(cook)
            length = engine.length + 1 if beside else 0
        if beside:
            return self._beside(cook, length)
        # It joins the line at a later turn and mates within ``bound`` plies.
        way = self._way(range(number + 1, len(turns)), before, later, (turns, []))
        proved = beside is False
        if in_time:
            other, complete = self._found(partial(way.in_other_order, packed, check, self._line[ply:], ply))
            if other is not None:
                return self._coming_to_line(CookClass.ORDER, path, other, proved=proved)
            proved = proved and complete
        found, _ = self._found(partial(way.find, packed, check, bound))
        return self._coming_to_line(CookClass.MERGING, path, found, proved=proved)

    def _mates(self, cook: Cook) -> bool | None:
        """Return whether a second solution mates under the restrictions in force; None: not known.

        The packed position stands at its turn.
        """
        engine, near = self._engine, cook.turn.n + self._margin
        mates_near = partial(engine.mates_after, self._packed, cook.check, near)
        if len(self._line) <= SHORT:
            found: bool | None = mates_near()
        else:
            found = engine.answered_within(NODES, mates_near)
        if found or (found is False and engine.refuted_for_good):
            return found
        return engine.answered_within(NODES, partial(engine.mates_ever_after, self._packed, cook.check))

    def _known(self, turns: range) -> list[KnownMate]:
        """Return the turns of the line that are known to mate, of those with these numbers."""
        plies = len(self._line)
        return [(self._turns[i], plies - 2 * i) for i in turns] if self._exact else []

    def _way(
        self,
        numbers: range,
        barred: list[PackedPosition],
        known: list[KnownMate],
        beside: tuple[list[PackedPosition], list[KnownMate]],
    ) -> WayToLine:
        """Return the ways to the turns of the line with these numbers."""
        targets = [(2 * i, self._turns[i]) for i in numbers]
        return WayToLine(self._engine, targets, barred, known, beside, exact=len(self._line) <= SHORT)

    def _found(self, find: Callable[[], T]) -> tuple[T | None, bool]:
        """Return what a search with `LINE_NODES` finds, and whether the nodes sufficed."""
        try:
            with self._engine.within(Limits(nodes=LINE_NODES)):
                return find(), True
        except LimitReached:
            self._engine.check_limits()
            return None, False

    def _coming_to_line(
        self, kind: CookClass, path: Moves, way: tuple[Moves, int] | None, *, proved: bool
    ) -> ClassifiedCook:
        """Return the class of what comes to the line after ``path`` by a way: its moves, and the ply of the turn."""
        if way is None:
            return ClassifiedCook(kind, proved=proved)
        moves, joins = way
        engine, packed, line = self._engine, record_after(self._packed, moves), self._line[joins:]

        def rest() -> Moves | None:
            """Return the moves to mate from the turn, where the hand may be smaller; None: not known."""
            if packed_hand(packed) == packed_hand(self._turns[joins // 2]):
                return line
            if not engine.mates_ever(packed):
                return None
            length = engine.length
            while length > 1 and engine.mates(packed, length - 2):
                length = engine.length
            is_mate = first_illegal(packed, line) is None and engine.is_mated(record_after(packed, line), 0)
            if is_mate and length >= len(line):
                return line
            return TreeBuilder(engine, most_turns=200, complete=False).line(packed, length)

        onward, _ = self._found(rest)
        if onward is None:
            return ClassifiedCook(kind, proved=proved)
        return ClassifiedCook(kind, (*path, *moves, *onward), joins, proved=proved)

    def _beside(self, cook: Cook, length: int) -> ClassifiedCook:
        """Return the class of what mates without the line in at most ``length`` plies."""
        engine, packed, check = self._engine, self._packed, cook.check

        def own_tree() -> Turn:
            n = length
            with engine.restricted(self._turns):
                while n > 1 and engine.mates_after(packed, check, n - 2):
                    n = engine.length + 1
                return TreeBuilder(engine, most_turns=200, complete=False).after(packed, check, n)

        tree, _ = self._found(own_tree)
        line = None if tree is None else cook.path + tree.line()
        if cook.turn.n <= ENDING and len(self._line) > SHORT:
            return ClassifiedCook(CookClass.ENDING, line)
        return ClassifiedCook(CookClass.LEFTOVER if tree and tree.leftover else CookClass.TRUE, line)
