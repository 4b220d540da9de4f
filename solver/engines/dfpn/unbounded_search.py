# SPDX-License-Identifier: GPL-3.0-or-later
"""Mate at any length: the check search (Shibahara2006, section 5.2) on shogi positions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from solver.engines.dfpn.kernel.arena import ACCEPTED, DROPPED, Arena
from solver.engines.dfpn.kernel.table import LAST_STAMP
from solver.results import LimitReached, Reason
from tsume_rules.packed import PackedPosition, pack_codes


@dataclass(frozen=True)
class Node:
    """A position with the side to move."""

    packed: PackedPosition
    attacker: bool


class UnboundedSearch:
    """df-pn without a bound: a `solver.engines.dfpn.unbounded_search.RepetitionSearch` for one query.

    ``ask`` searches a position, with the attacker to move or not, under the bound `FOREVER`; ``forget`` empties the
    table. ``arena`` holds what that search writes: the repeated positions, and the epoch of its tainted disproofs.
    """

    def __init__(self, arena: Arena, ask: Callable[[PackedPosition, bool], bool], forget: Callable[[], None]) -> None:
        self._arena = arena
        self._ask = ask
        self._forget = forget
        self._next = 0

    def prove(self, position: Node) -> bool:
        """Return whether the attacker mates at any length, a repetition counted as a failure.

        Raises `LimitReached`, also if more positions were repeated than can be logged.
        """
        answer = self._ask(position.packed, position.attacker)
        if self._arena.search.lost_candidates:
            raise LimitReached(Reason.MEMORY)
        return answer

    def disproof_is_tainted(self) -> bool:
        """Return whether the last answer was no and depends on a repetition."""
        search = self._arena.search
        return bool(search.taint) and int(search.dn) == 0

    def next_candidate(self) -> Node | None:
        """Return the next repeated position of this query, each once; None if there are no more."""
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


# --- the check search (Shibahara2006, section 5.2): disproofs that hold in spite of repetitions ----
#
# On a graph with cycles a search counts a position that repeats on its path as a failure
# of the attacker. That holds on this path only, but the table keeps the consequences for
# every path: the graph-history-interaction problem (4.3, figure 2). Proofs are not affected,
# because a repetition only counts against the attacker (5.2.1, by definition 1); disproofs
# may be.
#
# The search therefore logs the repeated positions (candidates, 5.1.2) and marks the table
# entries whose disproof rests on one (tainted: the paper's candidates and affected
# positions, definition 3). If the root is disproved and tainted, each candidate is searched
# too (5.2.2). If none is proved, the disproved positions support one another: in each of
# them every move of the attacker, or some move of the defender, leads to another of them, so
# the attacker cannot leave them and none of them is a mate (theorem 5, with lost positions
# besides drawn ones: 5.1.3). If one is proved, the assumption was wrong: all tainted entries
# are dropped (5.2.3) and the root is searched again, with the candidate's proof in the table,
# so the search terminates (theorem 6).
#
# Figure 10 of the paper is `CheckSearch.wins`, with one difference. The paper stores a
# repeated position as lost at once (5.3). No search supports that entry, so each candidate
# must be searched, ignoring its own entry. Here an entry is written only when the position
# itself has been searched. The argument above covers all such disproofs since the last drop,
# at any point of the search and whether or not the table still holds them. So a candidate
# with a tainted disproof need not be searched again, and tainted entries may be overwritten;
# but no candidate may be lost.

Position = TypeVar("Position")


class RepetitionSearch(Protocol[Position]):
    """A search with a table, on a graph that may have cycles."""

    def prove(self, position: Position) -> bool:
        """Return whether the attacker wins, a repetition on the path counted as a failure.

        A disproof that rests on a repetition is stored as tainted.
        """

    def disproof_is_tainted(self) -> bool:
        """Return whether the last answer was a disproof that rests on a repetition."""

    def next_candidate(self) -> Position | None:
        """Return a logged position that was not returned before; None if there are no more."""

    def accept_tainted(self) -> None:
        """Make the tainted entries, now verified, ordinary ones."""

    def drop_tainted(self) -> None:
        """Forget all tainted entries and all candidates (5.2.3)."""


class CheckSearch(Generic[Position]):
    """Decides positions with a `RepetitionSearch`.

    ``researches``: how often a root was searched again; ``verified``: candidates searched.
    """

    def __init__(self, search: RepetitionSearch[Position]) -> None:
        self._search = search
        self.researches = 0
        self.verified = 0

    def wins(self, root: Position) -> bool:
        """Return whether the attacker wins from the root."""
        search = self._search
        try:
            while not search.prove(root):
                if not search.disproof_is_tainted():
                    return False
                if self._verify():
                    search.accept_tainted()
                    return False
                search.drop_tainted()
                self.researches += 1
            return True
        finally:
            search.drop_tainted()  # unverified entries must not answer another query

    def _verify(self) -> bool:
        """Return whether every candidate is disproved too, including those logged meanwhile (5.2.2)."""
        while (candidate := self._search.next_candidate()) is not None:
            self.verified += 1
            if self._search.prove(candidate):
                return False
        return True
