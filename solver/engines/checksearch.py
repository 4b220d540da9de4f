# SPDX-License-Identifier: GPL-3.0-or-later
"""The check search (Shibahara2006, section 5.2): disproofs that hold in spite of repetitions.

On a graph with cycles a search counts a position that repeats on its path as a failure
of the attacker. That holds on this path only, but the table keeps the consequences for
every path: the graph-history-interaction problem (4.3, figure 2). Proofs are not affected,
because a repetition only counts against the attacker (5.2.1, by definition 1); disproofs
may be.

The search therefore logs the repeated positions (candidates, 5.1.2) and marks the table
entries whose disproof rests on one (tainted: the paper's candidates and affected
positions, definition 3). If the root is disproved and tainted, each candidate is searched
too (5.2.2). If none is proved, the disproved positions support one another: in each of
them every move of the attacker, or some move of the defender, leads to another of them, so
the attacker cannot leave them and none of them is a mate (theorem 5, with lost positions
besides drawn ones: 5.1.3). If one is proved, the assumption was wrong: all tainted entries
are dropped (5.2.3) and the root is searched again, with the candidate's proof in the table,
so the search terminates (theorem 6).

Figure 10 of the paper is `CheckSearch.wins`, with one difference. The paper stores a
repeated position as lost at once (5.3). No search supports that entry, so each candidate
must be searched, ignoring its own entry. Here an entry is written only when the position
itself has been searched. The argument above covers all such disproofs since the last drop,
at any point of the search and whether or not the table still holds them. So a candidate
with a tainted disproof need not be searched again, and tainted entries may be overwritten;
but no candidate may be lost.
"""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

Position = TypeVar("Position")


class RepetitionSearch(Protocol[Position]):
    """A search with a table, on a graph that may have cycles."""

    def prove(self, position: Position) -> bool:
        """Whether the attacker wins, a repetition on the path counted as a failure.

        A disproof that rests on a repetition is stored as tainted.
        """

    def disproof_is_tainted(self) -> bool:
        """Whether the last answer was a disproof that rests on a repetition."""

    def next_candidate(self) -> Position | None:
        """A logged position that was not returned before; None if there are no more."""

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
        """Whether the attacker wins from the root."""
        try:
            while not self._search.prove(root):
                if not self._search.disproof_is_tainted():
                    return False
                if self._verify():
                    self._search.accept_tainted()
                    return False
                self._search.drop_tainted()
                self.researches += 1
            return True
        finally:
            self._search.drop_tainted()  # unverified entries must not answer another query

    def _verify(self) -> bool:
        """Whether every candidate is disproved too, including those logged meanwhile (5.2.2)."""
        while (candidate := self._search.next_candidate()) is not None:
            self.verified += 1
            if self._search.prove(candidate):
                return False
        return True
