# SPDX-License-Identifier: GPL-3.0-or-later
"""How a second solution comes to the line: the moves until it reaches one of the line's turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from solver.engines.base import KnownMate, MateEngine
from tsume_rules.kernel.state import hand_contains, packed_hand
from tsume_rules.packing import Record
from tsume_rules.pieces import Side
from tsume_rules.record_moves import legal_checks, legal_evasions
from tsume_rules.record_play import Moves, played

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
