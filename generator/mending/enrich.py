# SPDX-License-Identifier: GPL-3.0-or-later
"""Improvements of a correct problem that keep its line, or have it as the end of a longer one.

Every change that suits is tried; what keeps the line is ranked by what it would be worth, and tested in that
order. Then two changes: what keeps the line is changed once more, and where a piece that was needed is gone
a defender may do what it did. Moves are taken back from the original, and from what keeps its line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from generator.acceptance.pipeline import CandidateValidator, SoundCandidateValidator
from generator.candidate import Candidate
from generator.changes import (
    ChangeKind,
    Improvement,
    PositionChange,
    Wanted,
    changed_position,
    improvement_of_changes,
    legal_changes,
)
from generator.constraints.options import Effort
from generator.likeness import likeness_of
from generator.mending import mend
from generator.quality import appraise
from generator.reverse.extender import Extender
from solver.engines.dfpn.engine import DfPnEngine
from solver.results import Defect, Grade, Judgement, LimitReached, Limits
from tsume_rules.packed import Moves, PackedPosition, pack, pack_move, unpack
from tsume_rules.position import HAND_KINDS, Kind, Piece, Position, Square, file_of, rank_of

# --- what improvements are wished, what one is worth, and the best of those that were found --------

Idea = tuple[object, ...]
"""What two suggestions have in common if they are the same but for a detail."""


@dataclass(frozen=True)
class ImprovementRequest:
    """Which improvements are looked for.

    At most ``edits`` changes, ``most`` of each kind; an introduction is of ``plies`` more. Squares
    to ``keep`` stay as they are. With ``grade`` sound the result may have the blemishes of the original,
    but no other; of a perfect problem it is perfect.
    """

    kinds: frozenset[Improvement] = frozenset(Improvement)
    keep: frozenset[Square] = frozenset()
    edits: int = 2
    plies: int = 2
    most: int = 3
    grade: Grade = Grade.SOUND


@dataclass(frozen=True)
class ProblemWorth:
    """What makes a problem good, and how many pieces that takes. ``quality`` (`generator.quality`) and ``likeness``
    (`generator.likeness`) go from 0 to 100."""

    quality: float
    likeness: int
    material: int
    """`generator.mending.mend.material_value`: the less the better."""

    @property
    def sum(self) -> float:
        """What suggestions are ranked by: quality and likeness, from 0 to 100 each, less the material."""
        return round(self.quality + self.likeness - self.material, 1)


def worth_of_problem(position: Position, line: mend.Line) -> ProblemWorth:
    """Return the worth of a correct problem with its line."""
    return ProblemWorth(appraise(position, line).quality, likeness_of(position, line), mend.material_value(position))


class SuggestionDraft(NamedTuple):
    """A changed position that may become a suggestion, its line, its worth and how much that is more. The last ``kept``
    moves of the line are those of the original."""

    changed: mend.ChangedPosition
    line: mend.Line
    kind: Improvement
    kept: int
    worth: ProblemWorth
    gain: float = 0.0

    @property
    def introduction(self) -> mend.Line:
        """The moves in front of the original line."""
        return self.line[: len(self.line) - self.kept]

    @property
    def idea(self) -> Idea:
        """Which pieces are changed, or which moves added: of drafts with one idea the best is looked for."""
        if self.introduction:  # relative to the line: the same wherever everything is shifted to
            file, rank = file_of(self.line[-self.kept].target), rank_of(self.line[-self.kept].target)
            course = mend.line_course(self.introduction)
            return self.kind, *((drop, file_of(sq) - file, rank_of(sq) - rank) for drop, sq in course)
        pieces: list[tuple[ChangeKind, int, Kind]] = []
        for change in self.changed.changes:
            if change.sort is ChangeKind.ADDED:  # wherever it is
                pieces.append((change.sort, -1, Kind.KING if change.piece is None else change.piece.kind))
            else:
                pieces.append((change.sort, -1 if change.square is None else change.square, Kind.KING))
        return self.kind, *sorted(pieces)


@dataclass(frozen=True)
class Suggestion(mend.ReworkedProblem):
    """An improvement: a correct problem whose line ends with the original one after an ``introduction``."""

    kind: Improvement
    introduction: mend.Line
    worth: ProblemWorth
    gain: float
    """How much more it is worth than the original."""


class BestSuggestions:
    """The best suggestions of each kind, ``most`` of them, no two with the same idea."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: dict[Idea, Suggestion] = {}
        self._gained: dict[tuple[PositionChange, ...], float] = {}

    def wants(self, draft: SuggestionDraft) -> bool:
        """Return whether a draft, if it is correct, is better than what is there."""
        same = self._found.get(draft.idea)
        if same is not None:
            return draft.gain > same.gain
        gains = sorted((one.gain for one in self._found.values() if one.kind is draft.kind), reverse=True)
        return len(gains) < self._most or draft.gain > gains[self._most - 1]

    def add(self, draft: SuggestionDraft, suggestion: Suggestion) -> None:
        """Keep what a draft led to."""
        self._found[draft.idea] = suggestion
        self._gained[draft.changed.changes] = suggestion.gain

    def gain_of(self, changes: tuple[PositionChange, ...]) -> float:
        """What changes have gained, whether or not something better was found since; nothing if not known."""
        return self._gained.get(changes, 0.0)

    def best(self) -> tuple[Suggestion, ...]:
        """Return all that are among the best of their kind, the greatest gain first."""
        ranked = sorted(self._found.values(), key=lambda one: (-one.gain, len(one.changes)))
        of_kind = {kind: [one for one in ranked if one.kind is kind][: self._most] for kind in Improvement}
        return tuple(one for one in ranked if one in of_kind[one.kind])


# --- from drafts to suggestions: whether a line is kept, and whether what keeps it is a correct problem ---

_KEEPING_NODES = 3_000
"""For the test whether one position keeps the line."""


class SuggestionTester:
    """Tests what is made of one original, a problem that is perfect or sound as its judgement says.

    ``improves_grade``: the original is sound and only perfect suggestions are wished. ``strict``: only
    perfect ones pass; else those without a blemish that the original has not. ``has_needless``: a piece of
    the original does nothing.
    """

    def __init__(
        self, tester: mend.ChangeTester, position: Position, judgement: Judgement, wish: ImprovementRequest
    ) -> None:
        self._tester, self._engine = tester, tester.engine
        self._keep = wish.keep
        self._length = len(judgement.line)
        self.strict = Grade.PERFECT in (wish.grade, judgement.grade)
        self.improves_grade = self.strict and judgement.grade is not Grade.PERFECT
        self._blemishes = judgement.blemishes
        self.has_needless = Defect.UNNECESSARY_PIECE in self._blemishes
        self.worth = worth_of_problem(position, judgement.line)
        self.original = self.draft(mend.ChangedPosition((), position), judgement.line)
        # A few perfect problems do not pass the strict quick tests; their like are found with lenient ones.
        strict = CandidateValidator(self._engine)
        self.lenient = not self.improves_grade and not self._engine.answered_within(
            mend.QUICK_NODES, lambda: strict.solution(pack(position), self._length)
        )
        self._validator = SoundCandidateValidator(self._engine) if self.lenient else strict
        self._is_only = self.strict or self._is_only_solution(position, judgement.line)
        self._keeping: dict[Position, bool] = {}

    def draft(self, one: mend.ChangedPosition, line: mend.Line) -> SuggestionDraft:
        """Return a draft of what keeps the line."""
        worth = worth_of_problem(one.position, line)
        return SuggestionDraft(one, line, improvement_of_changes(one.changes), self._length, worth, self._gain(worth))

    def _gain(self, worth: ProblemWorth) -> float:
        return round(worth.sum - self.worth.sum, 1)

    def introduced(self, parent: SuggestionDraft, position: Position, line: mend.Line) -> SuggestionDraft:
        """Return a draft of what has moves in front of a parent's line."""
        worth = worth_of_problem(position, line)
        return parent._replace(
            changed=mend.ChangedPosition(parent.changed.changes, position),
            line=line,
            kind=Improvement.INTRODUCTION,
            worth=worth,
            gain=self._gain(worth),
        )

    def line_if_kept(self, one: mend.ChangedPosition, line: mend.Line) -> mend.Line | None:
        """The line after the last change, if it is the solution as far as quick tests show; else None."""
        tried = (self._as_kept(one.position, there) for there in mend.lines_after_change(line, one.changes[-1]))
        return next((found for found in tried if found is not None), None)

    def _as_kept(self, position: Position, line: mend.Line) -> mend.Line | None:
        """The solution of a position if it has the course of a line; its pieces may come from elsewhere."""
        if self._is_only:
            return line if self._is_only_solution(position, line) else None
        solution = self._solution(pack(position), len(line))
        if solution is None or mend.line_course(mend.readable_line(solution)) != mend.line_course(line):
            return None
        return mend.readable_line(solution)

    def _is_only_solution(self, position: Position, line: mend.Line) -> bool:
        """As far as the line's own turns show."""
        packed, codes = pack(position), tuple(map(pack_move, line))
        found = self._engine.answered_within(_KEEPING_NODES, lambda: self._engine.keeps_line(packed, codes))
        return found is True

    def has_needless_change(self, draft: SuggestionDraft) -> bool:
        """Return whether a draft has a change that a composer would not call an improvement.

        A piece that was added, or a shift, without which the line is kept as well; a piece in the place of a
        lighter one, or where a lighter one does as well, if the line has no more to show.
        """
        return any(self._known_to_keep(*without) for without in self._with_change_undone(draft)) or any(
            appraise(lighter, draft.line).quality >= draft.worth.quality
            for lighter in _with_lighter_piece(draft.changed)
            if self._known_to_keep(lighter, draft.line)
        )

    def _with_change_undone(self, draft: SuggestionDraft) -> Iterator[tuple[Position, mend.Line]]:
        """Yield a draft without each piece that was added, and without its shift; with its line there."""
        position, line = draft.changed.position, draft.line
        for change in draft.changed.changes:
            if change.sort is ChangeKind.ADDED and change.square is not None:
                yield position.with_piece(change.square, None), line
            elif change.sort is ChangeKind.SHIFTED and not self.improves_grade:
                back = change._replace(step=(-change.step[0], -change.step[1]))
                before = changed_position(position, back)
                if before is not None:
                    yield from ((before, there) for there in mend.lines_after_change(line, back))

    def _known_to_keep(self, position: Position, line: mend.Line) -> bool:
        if position not in self._keeping:
            self._keeping[position] = self._as_kept(position, line) is not None
        return self._keeping[position]

    def suggestion(self, draft: SuggestionDraft) -> Suggestion | None:
        """Return what a draft leads to if it is correct and has the line."""
        packed, length = pack(draft.changed.position), len(draft.line)
        solution = self._solution(packed, length)
        if solution is None or mend.line_course(mend.readable_line(solution)) != mend.line_course(draft.line):
            return None
        minimal = self._minimal(draft, packed, solution)
        if minimal is None or (self.strict and not self._tester.may_be_perfect(minimal, length)):
            return None
        made = self._tester.judged_if_correct(minimal, length)
        if made is None:
            return None
        # It is perfect, or has no blemish that the original has not, where that is enough.
        is_allowed = not self.strict and made.judgement.blemishes in self._blemishes
        if made.judgement.grade is not Grade.PERFECT and not is_allowed:
            return None
        line = made.judgement.line
        if mend.line_course(line) != mend.line_course(draft.line):
            return None
        worth = worth_of_problem(made.position, line)
        introduction = line[: length - self._length]
        return Suggestion(
            made.changes, made.position, made.judgement, draft.kind, introduction, worth, self._gain(worth)
        )

    def _solution(self, packed: PackedPosition, length: int) -> Moves | None:
        self._engine.check_limits()
        return self._engine.answered_within(mend.QUICK_NODES, lambda: self._validator.solution(packed, length))

    def is_as_kept(self, position: Position) -> bool:
        """Return whether the squares to keep are as they were."""
        before = self.original.changed.position
        return all(position.board[sq] == before.board[sq] for sq in self._keep)

    def _minimal(self, draft: SuggestionDraft, packed: PackedPosition, line: Moves) -> mend.ChangedPosition | None:
        """Return the draft without pieces that an introduction alone made unnecessary."""
        if self.has_needless and not self.strict and not draft.introduction:
            return draft.changed
        position = self._engine.answered_within(
            mend.QUICK_NODES, lambda: self._validator.minimised(packed, line, quickly=True)
        )
        self._engine.check_limits()
        before = draft.changed.position
        if position is None or (position != before and not draft.introduction):
            return None
        if not self.is_as_kept(position):
            return None
        return mend.ChangedPosition(
            mend.combined_changes(draft.changed.changes, mend.removals_between(before, position)), position
        )


def _with_lighter_piece(one: mend.ChangedPosition) -> Iterator[Position]:
    """Yield a changed position with each lighter piece in the place of one that was added or exchanged. Of an exchange
    only the piece that was there."""
    for place, change in enumerate(one.changes):
        new = change.piece if change.sort is ChangeKind.ADDED else change.other
        square = change.square
        for later in one.changes[place + 1 :]:
            if later.sort is ChangeKind.SHIFTED:
                square = None
                break
            if later.sort is ChangeKind.MOVED and later.square == square:
                square = later.to
        if new is None or square is None or one.position.board[square] != new:
            continue
        kinds = [change.piece.kind] if change.sort is ChangeKind.EXCHANGED and change.piece else HAND_KINDS
        others = [Piece(new.side, kind) for kind in kinds]
        lighter = [piece for piece in others if mend.piece_value(piece) < mend.piece_value(new)]
        instead = (PositionChange(ChangeKind.EXCHANGED, new, square, other=other) for other in lighter)
        yield from (after for _, after in legal_changes(one.position, instead))


# --- introductions: moves in front of a line, taken back from its position (逆算) --------------------

_EFFORT = Effort(answers=200, checks=40, children=200, per_answer=6, parent_nodes=400_000)
_SEED = 1
_BEAM = 6
"""So many positions of one generation are gone on from."""

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
        self._tester = mend.ChangeTester(engine)

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
    def __init__(
        self, tester: mend.ChangeTester, trial: SuggestionTester, wish: ImprovementRequest, shelf: BestSuggestions
    ) -> None:
        self._tester, self._engine = tester, tester.engine
        self._trial, self._wish = trial, wish
        self._extender = Extender(self._engine, _EFFORT, np.zeros(1, dtype=np.uint64), lenient=trial.lenient)
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
        for one in self._tester.positions_after_change(
            parent.changed, self._wish.keep, lambda change: self._suits_request(change, parent.line) and wanted(change)
        ):
            self._engine.check_limits()
            line = self._trial.line_if_kept(one, parent.line)
            if line is not None:
                yield self._trial.draft(one, line)

    def _suits_request(self, change: PositionChange, line: mend.Line) -> bool:
        return mend.suits_improvement(change, self._wish.kinds) and not mend.exchanges_captured_piece(change, line)

    def _originals_with_a_piece_less(self, kept: Sequence[SuggestionDraft]) -> list[SuggestionDraft]:
        """The original without one piece, or with another in its place, where that does not keep the line."""
        keeping = {draft.changed.position for draft in kept}
        original = self._trial.original
        found = mend.possible_starts_after_change(
            original.changed.position,
            self._wish.keep,
            lambda one: one.sort in _LOOSENING and self._suits_request(one, original.line),
        )
        gone_first = sorted(found, key=lambda one: _LOOSENING.index(one[0].sort))
        return [
            original._replace(changed=mend.ChangedPosition((change,), after))
            for change, after in gone_first
            if after not in keeping
        ]

    # --- introductions --------------------------------------------------------------------

    def _introduce(self, parents: Sequence[SuggestionDraft]) -> None:
        for parent in parents:
            self._engine.check_limits()
            found = self._introduced(parent.changed.position, parent.line)
            drafts = [self._trial.introduced(parent, position, line) for position, line in found]
            as_wished = [one for one in drafts if self._trial.is_as_kept(one.changed.position)]
            self._test_drafts(as_wished, _INTRODUCTION_TESTS)

    def _introduced(self, position: Position, line: mend.Line) -> list[tuple[Position, mend.Line]]:
        """Positions from which so many moves as wished lead to the given one, each with its line. They have one
        solution as far as a small margin goes. Of each two plies only what is worth most is gone on from."""
        self._extender.forget()
        self._extender.state[0] = _SEED  # the same random choices each time
        parents = [Candidate(pack(position), len(line), tuple(map(pack_move, line)), 0)]
        for left in range(self._wish.plies, 0, -2):
            children = [child for parent in parents for child in self._extender.children(parent)]
            if left > 2:
                children.sort(key=lambda one: -worth_of_problem(unpack(one.packed), mend.readable_line(one.line)).sum)
                children = children[:_BEAM]
            parents = children
        return [(unpack(one.packed), mend.readable_line(one.line)) for one in parents]

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
