# SPDX-License-Identifier: GPL-3.0-or-later
"""The answers to a mating check: the best one, and the mate after each."""

from __future__ import annotations

from solver.engines.base import MateEngine
from solver.engines.futile_drops import asked_by_cell
from solver.explaining.tree_draft import DraftAnswer, place_of
from solver.solving.tree import TreeBuilder
from tsume_rules.packing import Record
from tsume_rules.pieces import Side
from tsume_rules.record_moves import legal_evasions
from tsume_rules.record_play import Moves, played

TURNS_FOR_A_LINE = 400
"""Turns of main trees to search for the best of equally long defences."""


class Replies:
    """Finds the answers to mating checks. All methods raise `LimitReached`."""

    def __init__(self, engine: MateEngine) -> None:
        self._engine = engine
        self._lines = TreeBuilder(engine, most_turns=TURNS_FOR_A_LINE, complete=False)

    def length(self, record: Record, at_most: int) -> int:
        """The plies of the shortest mate, known to be no more than ``at_most`` (odd)."""
        shorter = (n for n in range(1, at_most, 2) if self._engine.mates(record, n))
        return next(shorter, at_most)

    def key(self, record: Record, n: int) -> int:
        """The check that the best line gives at a turn that mates in exactly n plies."""
        return self._lines.turn(record, n).key

    def best(self, record: Record, check: int, n: int) -> int | None:
        """The best answer to a check that mates in exactly n plies; None after mate."""
        reply = self._lines.after(record, check, n).reply if n > 1 else None
        return reply.moves[0] if reply else None

    def answers(
        self, record: Record, n: int, best: int | None, *, only_best: bool = False
    ) -> list[DraftAnswer]:
        """All answers of a defender mated in exactly n plies, ``best`` first, then the longest.

        Futile drops come last. The answers have no lines. With ``only_best`` it is ``best`` alone, or after
        mate one futile drop, if there is any.
        """
        found = []
        moves = legal_evasions(record)
        if only_best:
            moves = moves[:1] if best is None else [best]

        def taken(cell: int) -> int | None:
            return self._engine.futile_by(record, cell, n)

        for move, take in asked_by_cell(record, moves, taken, None):
            with played(record, move, Side.DEFENDER):
                length = self.length(record, n - 1 if take is None else n + 1)
                found.append(DraftAnswer(move, length, place_of(record), take, move == best))
        return sorted(found, key=lambda answer: (not answer.best, answer.take is not None, -answer.length))

    def mate(self, record: Record, answer: DraftAnswer) -> Moves:
        """A shortest mate after an answer; after a futile drop it starts with the capture if that mates as
        soon.

        ``record`` stands before the answer.
        """
        take, n = answer.take, answer.length
        with played(record, answer.move, Side.DEFENDER):
            if take is not None and self._engine.mates_after(record, take, n):
                return self._lines.after(record, take, n).line()
            return self._lines.turn(record, n).line()
