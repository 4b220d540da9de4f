# SPDX-License-Identifier: GPL-3.0-or-later
"""The grey zone of futile interpositions: two more readings, to reject problems that depend on the choice.

wide: any attacking piece, not only the checker, may be the one that takes.
purist: a drop is futile only if sliding to its square mates no later than the best
answer that is not a futile drop; otherwise all its plies count. An answer that is
played out may be a drop itself, so the definition is circular; the least consistent
solution is taken:

    D_purist(q, n) = for some even m <= n:
        every answer r has A(q.r, m-1) or futile(q, r, m), with D_purist after the slide
        and (m = 0 or some answer r has A(q.r, m-1) and not A(q.r, m-3))

What mates by the purist reading mates by the narrow one, and what mates by the
narrow one mates by the wide one, within the same number of plies.
"""

from __future__ import annotations

from solver.engines.base import MateEngine
from solver.engines.futile_drops import asked_by_cell
from solver.results import Interposition
from solver.solving.deepening import lowered_defence_length
from tsume_rules.kernel.state import packed_hand
from tsume_rules.packing import Record, target_of
from tsume_rules.pieces import Side
from tsume_rules.record_moves import legal_checks, legal_evasions
from tsume_rules.record_play import Moves, line_played, played

PURIST_CALLS = 4
"""A purist walk takes about this many times the calls of a main tree for each ply."""
_NODES = 20_000
"""Nodes for the search with every interposition counted."""


def is_grey(engine: MateEngine, record: Record, line: Moves) -> bool:
    """Whether the readings differ in length or mating first moves along the main line.

    ``record`` stands at the start; ``line`` is the main line, as long as the mate. Raises `LimitReached`.
    """
    purist = Purist(engine)
    for ply in range(2 * engine.readings_agree(record, line), len(line), 2):
        with line_played(record, line[:ply]):
            if _differs(engine, purist, record, len(line) - ply):
                return True
    return False


def _differs(engine: MateEngine, purist: Purist, record: Record, n: int) -> bool:
    checks = legal_checks(record)
    narrow = engine.mating(record, checks, n)
    if any(not purist.mates_after(record, check, n) for check in narrow):
        return True
    with engine.reading(Interposition.WIDE):
        if n > 1 and engine.mates(record, n - 2):
            return True
        return bool(engine.mating(record, [check for check in checks if check not in narrow], n))


class Purist:
    """Mate within n plies by the purist reading, for checks that mate by the narrow one.

    A mate with every interposition counted is a purist mate too. This is searched first, as one search is
    cheaper than a walk.

    A walk tries the bounds from 0 upwards, or with ``from_exact`` from the exact narrow length upwards, below
    which no purist mate exists: faster in long works, where most bounds are below. Only numbers of nodes
    differ, on which the acceptance of generated problems rests.
    """

    def __init__(self, engine: MateEngine, *, from_exact: bool = False) -> None:
        self._engine = engine
        self._from_exact = from_exact
        self._known: dict[tuple[int, int, int], bool] = {}

    def mates(self, record: Record, n: int) -> bool:
        """Whether the attacker, to move, mates within n plies."""
        if n < 1:
            return False
        checks = legal_checks(record)
        likely = [check for check in checks if self._engine.known_after(record, check, n)]
        return any(self.mates_after(record, check, n) for check in likely) or any(
            self.mates_after(record, check, n) for check in checks if check not in likely
        )

    def mates_after(self, record: Record, check: int, n: int) -> bool:
        """Whether a check mates within n plies, itself counted."""
        with played(record, check, Side.ATTACKER):
            return self.is_mated(record, n - 1)

    def is_mated(self, record: Record, n: int) -> bool:
        """Whether the defender, in check, is mated within n plies."""
        name = (int(record.key), int(packed_hand(record)), n)
        if name not in self._known:
            self._known[name] = self._engine.is_mated(record, n) and (
                self._is_mated_when_counted(record, n) or self._is_mated(record, n)
            )
        return self._known[name]

    def _is_mated_when_counted(self, record: Record, n: int) -> bool:
        with self._engine.reading(Interposition.COUNT_ALL):
            return self._engine.answered_within(_NODES, lambda: self._engine.is_mated(record, n)) is True

    def _is_mated(self, record: Record, n: int) -> bool:
        ordinary, cells = self.answers(record)
        answers = [*ordinary, *(drop for drops in cells.values() for drop in drops)]
        least = lowered_defence_length(self._engine, record, n) if self._from_exact else 0
        return any(
            self.all_mated(record, ordinary, cells, m)
            and (m == 0 or any(self._lasts(record, answer, m) for answer in answers))
            for m in range(least, n + 1, 2)
        )

    def all_mated(self, record: Record, ordinary: list[int], cells: dict[int, list[int]], m: int) -> bool:
        """Whether every answer is met within m plies or futile under that bound."""
        return all(self.mates_against(record, answer, m) for answer in ordinary) and all(
            self.slide_mates(record, cell, m) or all(self.mates_against(record, drop, m) for drop in drops)
            for cell, drops in cells.items()
        )

    def _lasts(self, record: Record, answer: int, m: int) -> bool:
        """Whether an answer played out lasts exactly m plies."""
        return self.mates_against(record, answer, m) and not self.mates_against(record, answer, m - 2)

    def answers(self, record: Record) -> tuple[list[int], dict[int, list[int]]]:
        """The ordinary answers, and by cell the drops that might be futile."""
        ordinary: list[int] = []
        cells: dict[int, list[int]] = {}

        def may_slide(cell: int) -> bool:
            return bool(self._engine.slides(record, cell))

        for move, is_taken in asked_by_cell(record, legal_evasions(record), may_slide, False):
            if is_taken:
                cells.setdefault(target_of(move), []).append(move)
            else:
                ordinary.append(move)
        return ordinary, cells

    def mates_against(self, record: Record, answer: int, n: int) -> bool:
        """Whether the attacker mates within n plies, the answer counted."""
        with played(record, answer, Side.DEFENDER):
            return self.mates(record, n - 1)

    def slide_mates(self, record: Record, cell: int, n: int) -> bool:
        """Whether sliding the checking piece to a cell mates within n plies."""
        for take in self._engine.slides(record, cell):
            with played(record, take, Side.ATTACKER):
                if self.is_mated(record, n):
                    return True
        return False
