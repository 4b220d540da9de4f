# SPDX-License-Identifier: GPL-3.0-or-later
"""What improvements are wished, what one is worth, and the best of those that were found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from generator.changes import ChangeKind, PositionChange
from generator.likeness.measure import likeness_of
from generator.mending.kept_lines import Line, line_course
from generator.mending.kinds import Improvement
from generator.mending.material import material_value
from generator.mending.workbench import ChangedPosition, ReworkedProblem
from generator.quality import appraise
from solver.results import Grade
from tsume_rules.position import Kind, Position, Square, file_of, rank_of

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
    """What makes a problem good, and how many pieces that takes.

    ``quality`` (`generator.quality`) and ``likeness`` (`generator.likeness.measure`) go from 0 to 100.
    """

    quality: float
    likeness: int
    material: int
    """`generator.mending.material.material_value`: the less the better."""

    @property
    def sum(self) -> float:
        """What suggestions are ranked by: quality and likeness, from 0 to 100 each, less the material."""
        return round(self.quality + self.likeness - self.material, 1)


def worth_of_problem(position: Position, line: Line) -> ProblemWorth:
    """The worth of a correct problem with its line."""
    return ProblemWorth(
        appraise(position, line).quality, likeness_of(position, line), material_value(position)
    )


class SuggestionDraft(NamedTuple):
    """A changed position that may become a suggestion, its line, its worth and how much that is more.

    The last ``kept`` moves of the line are those of the original.
    """

    changed: ChangedPosition
    line: Line
    kind: Improvement
    kept: int
    worth: ProblemWorth
    gain: float = 0.0

    @property
    def introduction(self) -> Line:
        """The moves in front of the original line."""
        return self.line[: len(self.line) - self.kept]

    @property
    def idea(self) -> Idea:
        """Which pieces are changed, or which moves added: of drafts with one idea the best is looked for."""
        if self.introduction:
            return self.kind, *_line_relative_to(self.line[-self.kept].target, self.introduction)
        return self.kind, *sorted(map(_changed_piece, self.changed.changes))


@dataclass(frozen=True)
class Suggestion(ReworkedProblem):
    """An improvement: a correct problem whose line ends with the original one after an ``introduction``."""

    kind: Improvement
    introduction: Line
    worth: ProblemWorth
    gain: float
    """How much more it is worth than the original."""


def _line_relative_to(place: Square, line: Line) -> Idea:
    """The course of moves, their squares relative to another: the same wherever everything is shifted to."""
    return tuple(
        (drop, file_of(square) - file_of(place), rank_of(square) - rank_of(place))
        for drop, square in line_course(line)
    )


def _changed_piece(change: PositionChange) -> tuple[ChangeKind, int, Kind]:
    """What a change does, to which piece; for an added piece, wherever it is."""
    square = -1 if change.sort is ChangeKind.ADDED or change.square is None else change.square
    kind = Kind.KING if change.piece is None or change.sort is not ChangeKind.ADDED else change.piece.kind
    return change.sort, square, kind


class BestSuggestions:
    """The best suggestions of each kind, ``most`` of them, no two with the same idea."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: dict[Idea, Suggestion] = {}
        self._gained: dict[tuple[PositionChange, ...], float] = {}

    def wants(self, draft: SuggestionDraft) -> bool:
        """Whether a draft, if it is correct, is better than what is there."""
        same = self._found.get(draft.idea)
        if same is not None:
            return draft.gain > same.gain
        gains = self._gains(draft.kind)
        return len(gains) < self._most or draft.gain > gains[self._most - 1]

    def add(self, draft: SuggestionDraft, suggestion: Suggestion) -> None:
        """Keep what a draft led to."""
        self._found[draft.idea] = suggestion
        self._gained[draft.changed.changes] = suggestion.gain

    def gain_of(self, changes: tuple[PositionChange, ...]) -> float:
        """What changes have gained, whether or not something better was found since; nothing if not known."""
        return self._gained.get(changes, 0.0)

    def _gains(self, kind: Improvement) -> list[float]:
        return sorted((one.gain for one in self._found.values() if one.kind is kind), reverse=True)

    def best(self) -> tuple[Suggestion, ...]:
        """All that are among the best of their kind, the greatest gain first."""
        ranked = sorted(self._found.values(), key=lambda one: (-one.gain, len(one.changes)))
        of_kind = {kind: [one for one in ranked if one.kind is kind][: self._most] for kind in Improvement}
        return tuple(one for one in ranked if one in of_kind[one.kind])
