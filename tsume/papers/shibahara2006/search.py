# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a position of small shogi is won, lost or drawn (Shibahara2006, section 3, figure 9).

Two questions with one table: can the side to move win, can the other one? Each is
answered by the check search (`solver.engines.checksearch`, the same as for mates at any length;
figure 10) over PDS, a repetition counted as a failure of the side that wants to win. Two
noes are a draw (theorem 3). Figure 9 deletes what rests on repetitions between the two;
here an entry belongs to a question by its position, seen from who wants to win.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from solver.engines.checksearch import CheckSearch
from solver.limits import LimitMeter, LimitReached
from solver.results import Limits, Reason
from tsume.papers.shibahara2006.game import (
    Result,
    ShogiVariant,
    VariantTables,
    exchanged_sides,
    variant_tables,
)
from tsume.papers.shibahara2006.kernel import pds
from tsume.papers.shibahara2006.kernel.moves import MOST_MOVES
from tsume.papers.shibahara2006.kernel.table import ENTRY, WINDOW

TABLE_BITS = 22
"""The paper's table: 2^22 entries (section 6.1)."""
_SLICE = 100_000
_EPOCHS = 1 << 16
"""How many epochs have a number; then they are numbered anew."""


class _Arena(NamedTuple):
    rules: VariantTables
    table: Any
    frames: Any
    known: Any
    moves: Any
    standing: Any
    candidates: Any
    logged: Any
    accepted: Any
    search: Any
    answer: Any
    seen: Any


def _record_array(shape: int | tuple[int, ...], kind: np.dtype[Any]) -> Any:
    return np.zeros(shape, kind).view(np.recarray)


class VariantSearch:
    """PDS with a table, for one game: a `solver.engines.checksearch.RepetitionSearch` of packed positions.

    All questions raise `LimitReached` when the limits in force are used up.
    """

    def __init__(self, game: ShogiVariant, table_bits: int = TABLE_BITS) -> None:
        self._arena = _Arena(
            variant_tables(game),
            _record_array((1 << table_bits) + WINDOW, ENTRY),
            _record_array(pds.DEPTH, pds.FRAME),
            _record_array((pds.DEPTH, MOST_MOVES), pds.KNOWN),
            np.zeros(MOST_MOVES, np.int64),
            np.zeros(pds.STANDING, np.int32),
            np.zeros(pds.CANDIDATES, np.int64),
            np.zeros((pds.CANDIDATES, 2), np.int64),
            np.zeros(_EPOCHS, np.bool_),
            *(_record_array(1, kind)[0] for kind in (pds.SEARCH, pds.KNOWN, pds.KNOWN)),
        )
        self._arena.search.epoch = 1
        self.logged = 0
        """Positions logged so far, over all questions and starts."""
        self.accepted = 0
        """Those of the starts whose disproof was verified."""
        self._meter = LimitMeter(lambda: self.nodes)
        self.within = self._meter.within

    @property
    def nodes(self) -> int:
        """Positions expanded so far."""
        return int(self._arena.search.nodes)

    @property
    def stored(self) -> int:
        """Places of the table that are taken."""
        return int(self._arena.search.stored)

    def answers(self) -> Iterator[tuple[int, bool]]:
        """What is known for good: positions, and whether their attacker wins."""
        arena = self._arena
        for entry in arena.table[(arena.table.state != 0) & ((arena.table.pn == 0) | (arena.table.dn == 0))]:
            if entry.pn == 0 or entry.epoch == 0 or arena.accepted[entry.epoch]:
                yield int(entry.state), bool(entry.pn == 0)

    def prove(self, position: int) -> bool:
        """See `RepetitionSearch`: the attacker is whose pieces move up the board."""
        pds.begin_pds(self._arena, position)
        while True:
            self._meter.check()
            status = pds.continue_pds(self._arena, self.nodes + self._meter.next_slice(_SLICE))
            if status == pds.DECIDED:
                return bool(self._arena.answer.pn == 0)
            if status == pds.FULL:
                raise LimitReached(Reason.MEMORY)

    def disproof_is_tainted(self) -> bool:
        """See `RepetitionSearch`."""
        return bool(self._arena.answer.tainted)

    def next_candidate(self) -> int | None:
        """See `RepetitionSearch`."""
        return int(pds.next_unverified_candidate(self._arena)) or None

    def accept_tainted(self) -> None:
        """See `RepetitionSearch`."""
        self._arena.accepted[self._arena.search.epoch] = True
        self.accepted += int(self._arena.search.candidates)

    def drop_tainted(self) -> None:
        """See `RepetitionSearch`."""
        search = self._arena.search
        self.logged += int(search.candidates)
        if search.epoch + 1 == _EPOCHS:
            self._forget_epochs()
        search.epoch += 1
        search.candidates = search.handed = search.lost = 0

    def _forget_epochs(self) -> None:
        """Make accepted disproofs entries without an epoch and remove the others: all numbers are free."""
        arena, search = self._arena, self._arena.search
        void = (arena.table.epoch != 0) & ~arena.accepted[arena.table.epoch]
        arena.table.state[void] = 0
        search.stored -= np.count_nonzero(void)
        arena.table.epoch[:] = 0
        arena.accepted[:] = False
        arena.logged[:, 1] = search.epoch = 0


@dataclass(frozen=True)
class SolvedGame:
    """What came out and what it took.

    ``result`` is None where a limit was reached; ``researches`` are the new starts of the
    check search, ``logged`` its candidates in all starts, ``candidates`` those of the last
    starts, which had to be disproved for a no to hold, ``verified`` those that had no
    disproof yet and were searched.
    """

    result: Result | None
    nodes: int
    seconds: float
    researches: int
    logged: int
    candidates: int
    verified: int


def solve_game(
    game: ShogiVariant, start: int, limits: Limits, search: VariantSearch | None = None
) -> SolvedGame:
    """The value of a position for the side to move, the attacker."""
    search = search or VariantSearch(game)
    first, second = CheckSearch(search), CheckSearch(search)
    nodes, logged, accepted, began = search.nodes, search.logged, search.accepted, time.perf_counter()
    result = None
    try:
        with search.within(limits):
            if first.wins(start):
                result = Result.WIN
            else:
                result = Result.LOSS if second.wins(exchanged_sides(game, start)) else Result.DRAW
    except LimitReached:
        pass
    return SolvedGame(
        result,
        search.nodes - nodes,
        round(time.perf_counter() - began, 3),
        first.researches + second.researches,
        search.logged - logged,
        search.accepted - accepted,
        first.verified + second.verified,
    )
