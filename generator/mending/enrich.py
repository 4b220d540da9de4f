# SPDX-License-Identifier: GPL-3.0-or-later
"""Improvements of a correct problem that keep its line, or have it as the end of a longer one.

Every change that suits is tried; what keeps the line is ranked by what it would be worth, and tested in that
order. Then two changes: what keeps the line is changed once more, and where a piece that was needed is gone
a defender may do what it did. Moves are taken back from the original, and from what keeps its line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from generator.candidate import Candidate
from generator.changes import ChangeKind, Improvement, PositionChange, Wanted
from generator.constraints.options import Effort
from generator.mending.changed_positions import (
    ChangedPosition,
    ChangeTester,
    Line,
    exchanges_captured_piece,
    possible_starts_after_change,
    readable_line,
    suits_improvement,
)
from generator.mending.suggestions import (
    BestSuggestions,
    ImprovementRequest,
    ProblemWorth,
    Suggestion,
    SuggestionDraft,
    SuggestionTester,
    worth_of_problem,
)
from generator.reverse.extender import Extender
from solver.engines.dfpn.engine import DfPnEngine
from solver.limits import LimitReached
from solver.results import Judgement, Limits
from tsume_rules.packed import pack, pack_move, unpack
from tsume_rules.position import Position

# --- introductions: moves in front of a line, taken back from its position (逆算) --------------------

_EFFORT = Effort(answers=200, checks=40, children=200, per_answer=6, parent_nodes=400_000)
_SEED = 1
_BEAM = 6
"""So many positions of one generation are gone on from."""

Worth = Callable[[Position, Line], float]


class Introducer:
    """Takes moves back with one engine; the same random choices each time."""

    def __init__(self, engine: DfPnEngine, *, lenient: bool = False) -> None:
        state = np.full(1, _SEED, dtype=np.uint64)
        self._extender = Extender(engine, _EFFORT, state, lenient=lenient)

    def begin(self) -> None:
        """Forget what was met before."""
        self._extender.forget()
        self._extender.state[0] = _SEED

    def introduced(self, position: Position, line: Line, plies: int, worth: Worth) -> list[tuple[Position, Line]]:
        """Positions from which ``plies`` moves lead to the given one, each with its line.

        They have one solution as far as a small margin goes. Of each two plies only what is ``worth`` most is
        gone on from.
        """
        parents = [Candidate(pack(position), len(line), tuple(map(pack_move, line)), 0)]
        for left in range(plies, 0, -2):
            children = [child for parent in parents for child in self._extender.children(parent)]
            if left > 2:
                children.sort(key=lambda one: -worth(unpack(one.packed), readable_line(one.line)))
                children = children[:_BEAM]
            parents = children
        return [(unpack(one.packed), readable_line(one.line)) for one in parents]


# --- improvements of a correct problem that keep its line ------------------------------------------

_WIDTH = 16
"""So many positions that keep the line are changed once more."""
_LOOSENING = (ChangeKind.TAKEN_OFF, ChangeKind.EXCHANGED)
"""Changes after which a further one may make up for what a piece did."""
_MAKING_UP = (ChangeKind.ADDED, ChangeKind.MOVED)
_TESTS = 60
"""So many of what one parent leads to are tested in full."""
_INTRODUCTION_TESTS = 15
"""And of the introductions of one parent."""
_GROWN = 60
"""From so many positions that keep the line are moves taken back."""
_GROWN_FIRST = 12
"""From so many before two changes are tried."""


@dataclass(frozen=True)
class Enriched:
    """The suggestions, best first; ``complete`` unless a limit ended the search before."""

    worth: ProblemWorth
    suggestions: tuple[Suggestion, ...]
    complete: bool


class Enricher:
    """Looks for improvements with one engine."""

    def __init__(self, engine: DfPnEngine | None = None) -> None:
        self._tester = ChangeTester(engine)

    def enrich(
        self, position: Position, judgement: Judgement, wish: ImprovementRequest, limits: Limits | None = None
    ) -> Enriched:
        """Return the best improvements of a problem that is perfect or sound, as its judgement says."""
        self._tester.begin(position)
        worth, shelf = worth_of_problem(position, judgement.line), BestSuggestions(wish.most)
        complete = True
        try:
            with self._tester.engine.within(limits or Limits()):
                _ImprovementSearch(
                    self._tester, SuggestionTester(self._tester, position, judgement, wish), wish, shelf
                ).run()
        except LimitReached:
            complete = False
        return Enriched(worth, shelf.best(), complete)


class _ImprovementSearch:
    """The search for the improvements of one problem."""

    def __init__(
        self, tester: ChangeTester, trial: SuggestionTester, wish: ImprovementRequest, shelf: BestSuggestions
    ) -> None:
        self._tester, self._engine = tester, tester.engine
        self._trial, self._wish = trial, wish
        self._introducer = Introducer(self._engine, lenient=trial.lenient)
        self._shelf = shelf

    def run(self) -> None:
        """Fill the shelf. Raises `LimitReached`."""
        kinds, edits, trial = self._wish.kinds, self._wish.edits, self._trial
        kept = self._drafts_keeping_line([trial.original]) if edits else []
        grown = [trial.original, *_most_valuable_drafts(kept, _GROWN)]
        if Improvement.INTRODUCTION in kinds:
            self._introduce(grown[:_GROWN_FIRST])
        if kinds != {Improvement.INTRODUCTION}:
            parents = kept
            for level in range(2, edits + 1):
                made_up_for: list[SuggestionDraft] = []
                if level == 2:
                    lacking = self._originals_with_a_piece_less(kept)
                    made_up_for = self._drafts_keeping_line(lacking, lambda change: change.sort in _MAKING_UP)
                # A perfect problem needs no further piece.
                changed = self._drafts_keeping_line(
                    _most_valuable_drafts(parents, _WIDTH),
                    lambda change: trial.improves_grade or change.sort is not ChangeKind.ADDED,
                )
                parents = [*made_up_for, *changed]
        if Improvement.INTRODUCTION in kinds:
            self._introduce(grown[_GROWN_FIRST:])

    # --- changes that keep the line -------------------------------------------------------

    def _drafts_keeping_line(
        self, parents: Sequence[SuggestionDraft], wanted: Wanted = lambda _: True
    ) -> list[SuggestionDraft]:
        """What keeps the line one change from the parents; suggestions among it are put on the shelf."""
        found: list[SuggestionDraft] = []
        for parent in parents:
            drafts = list(self._drafts_of_parent(parent, wanted))
            self._test_drafts([draft for draft in drafts if self._may_be_better(draft)])
            found += drafts
        return found

    def _may_be_better(self, draft: SuggestionDraft) -> bool:
        """Return whether a draft is worth more, also than with a change fewer, and has no needless change."""
        trial, changes = self._trial, draft.changed.changes
        fewer = ((*changes[:number], *changes[number + 1 :]) for number in range(len(changes)))
        gains = (
            trial.improves_grade
            or (trial.has_needless and any(change.sort is ChangeKind.TAKEN_OFF for change in changes))
            or (draft.gain > 0 and not any(self._shelf.gain_of(without) >= draft.gain for without in fewer))
        )
        is_better = draft.kind in self._wish.kinds and gains and self._shelf.wants(draft)
        return is_better and not trial.has_needless_change(draft)

    def _drafts_of_parent(self, parent: SuggestionDraft, wanted: Wanted) -> Iterator[SuggestionDraft]:
        """Yield what one change of a parent leads to, if it keeps the line."""
        for one in self._tester.positions_after_change(
            parent.changed, self._wish.keep, lambda change: self._suits_request(change, parent.line) and wanted(change)
        ):
            self._engine.check_limits()
            line = self._trial.line_if_kept(one, parent.line)
            if line is not None:
                yield self._trial.draft(one, line)

    def _suits_request(self, change: PositionChange, line: Line) -> bool:
        return suits_improvement(change, self._wish.kinds) and not exchanges_captured_piece(change, line)

    def _originals_with_a_piece_less(self, kept: Sequence[SuggestionDraft]) -> list[SuggestionDraft]:
        """The original without one piece, or with another in its place, where that does not keep the line."""
        keeping = {draft.changed.position for draft in kept}
        original = self._trial.original
        found = possible_starts_after_change(
            original.changed.position,
            self._wish.keep,
            lambda one: one.sort in _LOOSENING and self._suits_request(one, original.line),
        )
        gone_first = sorted(found, key=lambda one: _LOOSENING.index(one[0].sort))
        return [
            original._replace(changed=ChangedPosition((change,), after))
            for change, after in gone_first
            if after not in keeping
        ]

    # --- introductions --------------------------------------------------------------------

    def _introduce(self, parents: Sequence[SuggestionDraft]) -> None:
        for parent in parents:
            self._engine.check_limits()
            self._introducer.begin()
            found = self._introducer.introduced(
                parent.changed.position,
                parent.line,
                self._wish.plies,
                lambda start, line: worth_of_problem(start, line).sum,
            )
            drafts = [self._trial.introduced(parent, position, line) for position, line in found]
            as_wished = [one for one in drafts if self._trial.is_as_kept(one.changed.position)]
            self._test_drafts(as_wished, _INTRODUCTION_TESTS)

    # --- tests ----------------------------------------------------------------------------

    def _test_drafts(self, drafts: Sequence[SuggestionDraft], most: int = _TESTS) -> None:
        """Put on the shelf what is correct, the most valuable first, after at most so many tests."""
        tests = 0
        for draft in sorted(drafts, key=lambda one: -one.gain):
            if tests == most:
                return
            if self._shelf.wants(draft):
                tests += 1
                suggestion = self._trial.suggestion(draft)
                if suggestion is not None and self._shelf.wants(draft):
                    self._shelf.add(draft, suggestion)


def _most_valuable_drafts(drafts: Sequence[SuggestionDraft], most: int) -> list[SuggestionDraft]:
    return sorted(drafts, key=lambda draft: -draft.gain)[:most]
