# SPDX-License-Identifier: GPL-3.0-or-later
"""From drafts to suggestions: whether a line is kept, and whether what keeps it is a correct problem."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from generator.acceptance.sound_validation import SoundCandidateValidator
from generator.acceptance.validation import CandidateValidator
from generator.changes import ChangeKind, PositionChange, changed_position, legal_changes
from generator.mending.kept_lines import Line, line_course, lines_after_change
from generator.mending.kinds import Improvement, improvement_of_changes
from generator.mending.material import piece_value
from generator.mending.suggestions import (
    ImprovementRequest,
    ProblemWorth,
    Suggestion,
    SuggestionDraft,
    worth_of_problem,
)
from generator.mending.workbench import (
    QUICK_NODES,
    ChangedPosition,
    ChangeTester,
    combined_changes,
    readable_line,
    removals_between,
)
from generator.quality import appraise
from solver.results import Defect, Grade, Judgement
from tsume_rules.packed import Moves, Record, pack, pack_move
from tsume_rules.position import HAND_KINDS, Piece, Position, Square

_KEEPING_NODES = 3_000
"""For the test whether one position keeps the line."""


class SuggestionTester:
    """Tests what is made of one original, a problem that is perfect or sound as its judgement says.

    ``improves_grade``: the original is sound and only perfect suggestions are wished. ``strict``: only
    perfect ones pass; else those without a blemish that the original has not. ``has_needless``: a piece of
    the original does nothing.
    """

    def __init__(
        self, tester: ChangeTester, position: Position, judgement: Judgement, wish: ImprovementRequest
    ) -> None:
        self._tester, self._engine = tester, tester.engine
        self._keep = wish.keep
        self._length = len(judgement.line)
        self.strict = Grade.PERFECT in (wish.grade, judgement.grade)
        self.improves_grade = self.strict and judgement.grade is not Grade.PERFECT
        self._blemishes = judgement.blemishes
        self.has_needless = Defect.UNNECESSARY_PIECE in self._blemishes
        self.worth = worth_of_problem(position, judgement.line)
        self.original = self.draft(ChangedPosition((), position), judgement.line)
        self._validator, self.lenient = self._examiner_for(position)
        self._is_only = self.strict or self._is_only_solution(position, judgement.line)
        self._keeping: dict[Position, bool] = {}

    def _examiner_for(self, position: Position) -> tuple[CandidateValidator, bool]:
        """Quick tests that a suggestion passes, and whether these are the lenient ones.

        A few perfect problems do not pass the strict ones; their like are found with the others only.
        """
        strict = CandidateValidator(self._engine)
        if self.improves_grade:
            return strict, False
        record = pack(position)
        if self._engine.answered_within(QUICK_NODES, lambda: strict.solution(record, self._length)):
            return strict, False
        return SoundCandidateValidator(self._engine), True

    def draft(self, one: ChangedPosition, line: Line) -> SuggestionDraft:
        """A draft of what keeps the line."""
        worth = worth_of_problem(one.position, line)
        return SuggestionDraft(
            one, line, improvement_of_changes(one.changes), self._length, worth, self._gain(worth)
        )

    def _gain(self, worth: ProblemWorth) -> float:
        return round(worth.sum - self.worth.sum, 1)

    def introduced(self, parent: SuggestionDraft, position: Position, line: Line) -> SuggestionDraft:
        """A draft of what has moves in front of a parent's line."""
        worth = worth_of_problem(position, line)
        return parent._replace(
            changed=ChangedPosition(parent.changed.changes, position),
            line=line,
            kind=Improvement.INTRODUCTION,
            worth=worth,
            gain=self._gain(worth),
        )

    def line_if_kept(self, one: ChangedPosition, line: Line) -> Line | None:
        """The line after the last change, if it is the solution as far as quick tests show; else None."""
        tried = (self._as_kept(one.position, there) for there in lines_after_change(line, one.changes[-1]))
        return next((found for found in tried if found is not None), None)

    def _as_kept(self, position: Position, line: Line) -> Line | None:
        """The solution of a position if it has the course of a line; its pieces may come from elsewhere."""
        if self._is_only:
            return line if self._is_only_solution(position, line) else None
        solution = self._solution(pack(position), len(line))
        if solution is None or line_course(readable_line(solution)) != line_course(line):
            return None
        return readable_line(solution)

    def _is_only_solution(self, position: Position, line: Line) -> bool:
        """As far as the line's own turns show."""
        record, packed = pack(position), tuple(map(pack_move, line))
        found = self._engine.answered_within(_KEEPING_NODES, lambda: self._engine.keeps_line(record, packed))
        return found is True

    def has_needless_change(self, draft: SuggestionDraft) -> bool:
        """Whether a draft has a change that a composer would not call an improvement.

        A piece that was added, or a shift, without which the line is kept as well; a piece in the place of a
        lighter one, or where a lighter one does as well, if the line has no more to show.
        """
        return any(self._known_to_keep(*without) for without in self._with_change_undone(draft)) or any(
            appraise(lighter, draft.line).quality >= draft.worth.quality
            for lighter in _with_lighter_piece(draft.changed)
            if self._known_to_keep(lighter, draft.line)
        )

    def _with_change_undone(self, draft: SuggestionDraft) -> Iterator[tuple[Position, Line]]:
        """A draft without each piece that was added, and without its shift; with its line there."""
        position, line = draft.changed.position, draft.line
        for change in draft.changed.changes:
            if change.sort is ChangeKind.ADDED and change.square is not None:
                yield position.with_piece(change.square, None), line
            elif change.sort is ChangeKind.SHIFTED and not self.improves_grade:
                back = change._replace(step=(-change.step[0], -change.step[1]))
                before = changed_position(position, back)
                if before is not None:
                    yield from ((before, there) for there in lines_after_change(line, back))

    def _known_to_keep(self, position: Position, line: Line) -> bool:
        if position not in self._keeping:
            self._keeping[position] = self._as_kept(position, line) is not None
        return self._keeping[position]

    def suggestion(self, draft: SuggestionDraft) -> Suggestion | None:
        """What a draft leads to if it is correct and has the line."""
        record, length = pack(draft.changed.position), len(draft.line)
        solution = self._solution(record, length)
        if solution is None or line_course(readable_line(solution)) != line_course(draft.line):
            return None
        minimal = self._minimal(draft, record, solution)
        if minimal is None or (self.strict and not self._tester.may_be_perfect(minimal, length)):
            return None
        made = self._tester.judged_if_correct(minimal, length)
        if made is None or not self._is_good(made.judgement):
            return None
        line = made.judgement.line
        if line_course(line) != line_course(draft.line):
            return None
        worth = worth_of_problem(made.position, line)
        introduction = line[: length - self._length]
        return Suggestion(
            made.changes, made.position, made.judgement, draft.kind, introduction, worth, self._gain(worth)
        )

    def _solution(self, record: Record, length: int) -> Moves | None:
        self._engine.check_limits()
        return self._engine.answered_within(QUICK_NODES, lambda: self._validator.solution(record, length))

    def is_as_kept(self, position: Position) -> bool:
        """Whether the squares to keep are as they were."""
        before = self.original.changed.position
        return all(position.board[sq] == before.board[sq] for sq in self._keep)

    def _minimal(self, draft: SuggestionDraft, record: Record, line: Moves) -> ChangedPosition | None:
        """The draft without pieces that an introduction alone made unnecessary."""
        if self.has_needless and not self.strict and not draft.introduction:
            return draft.changed
        position = self._engine.answered_within(QUICK_NODES, lambda: self._validator.minimised(record, line))
        self._engine.check_limits()
        before = draft.changed.position
        if position is None or (position != before and not draft.introduction):
            return None
        if not self.is_as_kept(position):
            return None
        return ChangedPosition(
            combined_changes(draft.changed.changes, removals_between(before, position)), position
        )

    def _is_good(self, judgement: Judgement) -> bool:
        """Whether it is perfect, or has no blemish that the original has not, where that is enough."""
        if judgement.grade is Grade.PERFECT:
            return True
        return not self.strict and judgement.blemishes in self._blemishes


def _with_lighter_piece(one: ChangedPosition) -> Iterator[Position]:
    """A changed position with each lighter piece in the place of one that was added or exchanged.

    Of an exchange only the piece that was there.
    """
    for place, change in enumerate(one.changes):
        new = change.piece if change.sort is ChangeKind.ADDED else change.other
        square = _square_after_changes(change.square, one.changes[place + 1 :])
        if new is None or square is None or one.position.board[square] != new:
            continue
        kinds = [change.piece.kind] if change.sort is ChangeKind.EXCHANGED and change.piece else HAND_KINDS
        lighter = [piece for piece in (Piece(new.side, kind) for kind in kinds) if _is_lighter(piece, new)]
        instead = (PositionChange(ChangeKind.EXCHANGED, new, square, other=other) for other in lighter)
        yield from (after for _, after in legal_changes(one.position, instead))


def _square_after_changes(square: Square | None, changes: Iterable[PositionChange]) -> Square | None:
    """Where what stood on a square stands after changes; None if everything is shifted."""
    for change in changes:
        if change.sort is ChangeKind.SHIFTED:
            return None
        if change.sort is ChangeKind.MOVED and change.square == square:
            square = change.to
    return square


def _is_lighter(piece: Piece, other: Piece) -> bool:
    return piece_value(piece) < piece_value(other)
