"""The check search (Shibahara2006, section 5.2): disproofs that no repetition can make wrong.

On a graph with cycles a search calls a position that repeats on its path a failure
of the attacker. That holds on that path only, but a table keeps what follows from
it for every path: the graph-history-interaction problem (4.3, figure 2). Proofs are
never touched by it, for repetition only ever counts against the attacker (5.2.1, by
definition 1); disproofs may be.

The search therefore logs the repeated positions (candidates, 5.1.2) and flags the table
entries whose disproof rests on one (tainted: the paper's candidates and affected
positions, definition 3). If the root is disproved and tainted, each candidate is searched
too (5.2.2). If none is proved, the
disproved positions support one another: in each of them every move of the attacker, and
some move of the defender, stays among them, so the attacker can never get out and none
of them is a mate (theorem 5, with lost positions beside drawn ones: 5.1.3). If one is
proved, the assumption was wrong: all tainted entries are dropped (5.2.3) and the root is
searched again, the proof of the candidate known by now, so that this ends (theorem 6).

Figure 10 of the paper is `CheckSearch.wins`, with one difference. The paper stores a
repeated position as lost at once (5.3): that entry claims what nothing has been searched
for, and so each candidate has to be searched, its own entry not looked at. Here an entry
is written only when the position itself has been searched. The argument above is about
all disproofs claimed so since the last drop, wherever they were claimed and whether or
not the table still holds them. So a candidate with a tainted disproof needs no search of
its own, and a table may overwrite tainted entries; what must not be lost is a candidate.
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
        """A repeated position that was logged and not handed out yet; None if there is none."""

    def accept_tainted(self) -> None:
        """The tainted entries have been verified: they are entries like any other now."""

    def drop_tainted(self) -> None:
        """Forget all tainted entries and all candidates (5.2.3)."""


class CheckSearch(Generic[Position]):
    """Decides positions with a `RepetitionSearch`; ``researches`` counts the new starts."""

    def __init__(self, search: RepetitionSearch[Position]) -> None:
        self._search = search
        self.researches = 0
        self.verified = 0

    def wins(self, root: Position) -> bool:
        """Whether the attacker wins from the root, by any path."""
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
            self._search.drop_tainted()  # what was not verified must not outlive the question

    def _verify(self) -> bool:
        """Whether every candidate is disproved too, those included that turn up meanwhile (5.2.2)."""
        while (candidate := self._search.next_candidate()) is not None:
            self.verified += 1
            if self._search.prove(candidate):
                return False
        return True
