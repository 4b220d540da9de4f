# SPDX-License-Identifier: GPL-3.0-or-later
"""Mate at any length: the check search (Shibahara2006, section 5.2) on shogi positions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from solver.engines.dfpn.kernel.arena import ACCEPTED, DROPPED, Arena
from solver.engines.dfpn.kernel.table import LAST_STAMP
from solver.limits import LimitReached
from solver.results import Reason
from tsume_rules.packing import Record, pack_codes


@dataclass(frozen=True)
class Node:
    """A position with the side to move."""

    record: Record
    attacker: bool


class UnboundedSearch:
    """df-pn without a bound: a `solver.engines.checksearch.RepetitionSearch` for one query.

    ``ask`` searches a position, with the attacker to move or not, under the bound `FOREVER`;
    ``forget`` empties the table. ``arena`` holds what that search writes: the repeated positions,
    and the epoch of its tainted disproofs.
    """

    def __init__(self, arena: Arena, ask: Callable[[Record, bool], bool], forget: Callable[[], None]) -> None:
        self._arena = arena
        self._ask = ask
        self._forget = forget
        self._next = 0

    def prove(self, position: Node) -> bool:
        """Whether the attacker mates at any length, a repetition counted as a failure.

        Raises `LimitReached`, also if more positions were repeated than can be logged.
        """
        answer = self._ask(position.record, position.attacker)
        if self._arena.search.lost_candidates:
            raise LimitReached(Reason.MEMORY)
        return answer

    def disproof_is_tainted(self) -> bool:
        """Whether the last answer was no and depends on a repetition."""
        search = self._arena.search
        return bool(search.taint) and int(search.dn) == 0

    def next_candidate(self) -> Node | None:
        """The next repeated position of this query, each once; None if there are no more."""
        if self._next >= self._arena.search.candidates:
            return None
        candidate = self._arena.candidates[self._arena.handed[self._next]]
        self._next += 1
        return Node(pack_codes(candidate.codes, candidate.hands), attacker=True)

    def accept_tainted(self) -> None:
        """Keep the results that depend on repetitions, and start a new query."""
        self._end_question(ACCEPTED)

    def drop_tainted(self) -> None:
        """Drop the results that depend on repetitions, and start a new query."""
        self._end_question(DROPPED)

    def _end_question(self, state: int) -> None:
        search = self._arena.search
        search.epochs[search.epoch] = state
        self._next = 0
        search.candidates = 0
        search.lost_candidates = 0
        if search.epoch == LAST_STAMP:
            self._forget()
            search.epochs[:] = DROPPED
            self._arena.candidates.epoch[:] = 0
            search.epoch = 0
        search.epoch += 1
