# SPDX-License-Identifier: GPL-3.0-or-later
"""A problem being judged, with the results so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from solver.judging.cooks import CheckTable, Cook
from solver.judging.findings import ClassifiedCook
from solver.judging.given import Removed
from solver.judging.readings import Comparer, Split
from solver.results import Defect, GivenLine, Limits
from solver.solving.tree import Turn
from tsume_rules.packed import Moves, PackedPosition
from tsume_rules.position import Position


@dataclass(frozen=True)
class Solution:
    """A second solution: its line, its plies from its check on, and which defect it is."""

    cook: Cook
    line: Moves
    length: int
    kind: Defect


@dataclass
class Case:
    """The state of a judgement: first the position, at the end everything that the judgement rests on."""

    position: Position
    packed: PackedPosition
    expected: int | None = None
    moves_given: Moves = ()
    given: GivenLine | None = None
    defects: Defect = Defect.NONE
    remarks: Defect = Defect.NONE
    length: int | None = None
    no_mate_within: int = 0
    """Without a length: it is known that there is no mate within so many plies."""
    root: Turn | None = None
    line: Moves = ()
    """The main line."""
    faults: Defect | None = None
    """What makes the problem unsound; None: not settled."""
    line_cook: Cook | None = None
    """A second solution along the judged line."""
    line_searched: int = 0
    """Plies from the start up to which second solutions along the judged line were looked for."""
    solutions: list[Solution] = field(default_factory=list)
    found: list[Cook] = field(default_factory=list)
    """Second solutions that are not reported yet."""
    classes: bool = True
    """Whether second solutions are classified."""
    classified: dict[tuple[Moves, int], ClassifiedCook] = field(default_factory=dict)
    """The classes of second solutions, by their path and check."""
    minor: list[Cook] = field(default_factory=list)
    """Second solutions along the judged line whose class is a blemish."""
    detours: list[Cook] = field(default_factory=list)
    same_positions: list[Cook] = field(default_factory=list)
    """Second forms of a check after which the piece is captured at once."""
    detours_to: int | None = None
    """Plies from the start up to which detours that are not settled were searched; None: all are settled."""
    searched: int | None = 0
    unbounded: Limits = field(default_factory=Limits)
    """Of a search for second solutions at any length."""
    deadline: float | None = None
    """When a thorough search for them ends, by the monotonic clock."""
    check_table: CheckTable = field(default_factory=CheckTable)
    """The status of the checks in each position."""
    complete: bool = True
    """Whether everything is examined, not only what the grade needs."""
    removed: list[tuple[Removed, Position]] = field(default_factory=list)
    length_nodes: int = 0
    """The nodes of the search for the length."""
    not_settled: Defect = Defect.NONE
    """The rules whose examination did not come to an end."""
    comparer: Comparer | None = None
    split: Split | None = None
    variation: Moves | None = None

    @property
    def settled(self) -> bool:
        """Whether the search for second solutions is over: one was found, or none can exist."""
        return self.searched is None or Defect.COOK in self.defects

    def class_of(self, cook: Cook) -> ClassifiedCook | None:
        """Return the class of a second solution, None if it has not been classified."""
        return self.classified.get((cook.path, cook.check))

    def blemish_of(self, cook: Cook) -> Defect | None:
        """Return the blemish that a second solution is; None: it is a fault, or not classified."""
        found = self.class_of(cook)
        return found.blemish(self.length or 0) if found else None

    def classify(self, cook: Cook, found: ClassifiedCook, searched: int) -> None:
        """Note the class of a second solution, searched to ``searched`` plies unless it is proved."""
        self.classified[cook.path, cook.check] = found
        if not found.proved:
            self.limit_searched(searched)

    def limit_searched(self, plies: int) -> None:
        """Note a detour that was searched up to ``plies`` from the start and is not settled."""
        self.detours_to = plies if self.detours_to is None else min(plies, self.detours_to)

    def searched_to(self) -> int | None:
        """Plies from the start up to which second solutions were looked for; None: without a bound."""
        known = [plies for plies in (self.searched, self.detours_to) if plies is not None]
        return min(known) if known else None
