# SPDX-License-Identifier: GPL-3.0-or-later
"""How a second solution comes to the line: the moves until it reaches one of the line's turns."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from solver.engines.base import KnownMate, MateEngine
from tsume_rules.kernel.state import hand_contains, packed_hand
from tsume_rules.packing import Record
from tsume_rules.pieces import Side
from tsume_rules.record_moves import legal_checks, legal_evasions
from tsume_rules.record_play import Moves, played

MOST_TURNS = 100
"""At most this many turns on the way."""
NODES_FOR_AN_ANSWER = 20_000
"""Nodes to see that an answer does not keep the attacker from a mate of his own."""


class WayToLine:
    """The way of a check to one of the ``targets``, the turns of a line where it may arrive.

    On the way the attacker fails at the ``barred`` turns and mates at the ``known`` ones; ``beside`` are all
    turns without which the check does not mate.
    """

    def __init__(
        self,
        engine: MateEngine,
        targets: Sequence[tuple[int, Record]],
        barred: Sequence[Record],
        known: Sequence[KnownMate],
        beside: tuple[Sequence[Record], Sequence[KnownMate]],
    ) -> None:
        self._engine = engine
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
                answer = self._answer(record, bound - 1)
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

    def _check(self, record: Record, bound: int) -> tuple[int, int] | None:
        """A check that mates within ``bound`` plies, and the plies as far as the engine knows."""
        if not self._engine.mates(record, bound):
            return None
        bound = self._engine.length
        mating = (check for check in legal_checks(record) if self._engine.mates_after(record, check, bound))
        return next(((check, bound) for check in mating), None)

    def _answer(self, record: Record, bound: int) -> int | None:
        """An answer that leads to the line, preferably at once; None if there is none."""
        answers = legal_evasions(record)
        for answer in answers:
            with played(record, answer, Side.DEFENDER):
                if self._reached(record) is not None:
                    return answer
        with self._engine.restricted(self._barred, self._known):
            answers = list(self._engine.defences(record, bound))
        with self._engine.restricted(*self._beside):
            return next((answer for answer in answers if not self._mates_beside(record, answer)), None)

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
