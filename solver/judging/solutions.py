# SPDX-License-Identifier: GPL-3.0-or-later
"""Reporting second solutions: as a defect with a line, or as the remark that a detour is."""

from __future__ import annotations

from dataclasses import replace

from solver.defects import Defect
from solver.engines.base import MateEngine
from solver.judging.case import Case, Solution
from solver.judging.cook_classes import SHORT, CookClass
from solver.judging.cooks import Cook, CookKind, cook_kind, cook_length, cook_line
from solver.judging.evidence import MOST_LINES
from solver.judging.grade import classifier
from solver.judging.same_effect import leaves_same_position
from solver.judging.symmetry import of_other_kind
from solver.solving.form import differs_in_form_only
from tsume_rules.kernel.state import packed_hand
from tsume_rules.record_play import Moves, line_played, record_after

MOST_COOK_LINES = 20
"""At most this many second solutions get a line; the first that differs in form only always does."""


class SolutionReport:
    """Reports the second solutions of a case.

    Mates that avoid the line are searched for to ``margin`` plies beyond the end.
    """

    def __init__(self, engine: MateEngine, margin: int) -> None:
        self._engine = engine
        self._margin = margin

    def report(self, case: Case, cook: Cook) -> None:
        """Report a second solution behind any longest defence. Raises `LimitReached`."""
        if self.leaves_same_position(case, cook):
            return
        way = cook_kind(self._engine, case.record, cook, self._margin)
        if way is CookKind.COOK or len(case.detours) < MOST_LINES:
            self._classify(case, cook)
        found = case.class_of(cook)
        if way is CookKind.DETOUR_SO_FAR and found and found.kind is not CookClass.DETOUR:
            way = CookKind.COOK
        if way is not CookKind.COOK:
            case.remarks |= Defect.DETOUR
            case.detours.append(cook)
            if way is CookKind.DETOUR_SO_FAR:
                case.limit_searched(len(cook.path) + cook.turn.n + self._margin)
            return
        self._add_solution(case, cook)

    def leaves_same_position(self, case: Case, cook: Cook) -> bool:
        """Whether it is a form of the key that leaves the same position, which is a remark. Raises
        `LimitReached`.
        """
        with line_played(case.record, cook.path):
            same = leaves_same_position(self._engine, case.record, cook)
        if same:
            case.remarks |= Defect.SAME_POSITION
            case.same_positions.append(cook)
        return same

    def report_line_cook(self, case: Case) -> None:
        """Report the second solutions that the grade found if the search behind all defences did not reach
        them."""
        if case.line_cook is not None and Defect.COOK not in case.defects:
            self._add_solution(case, case.line_cook)
        for cook in self.minor_cooks(case):
            self._add_solution(case, cook)

    def minor_cooks(self, case: Case) -> list[Cook]:
        """Those along the judged line that are blemishes and not reported yet; detours become remarks."""
        reported = {(cook.path, cook.check) for cook in [*case.found, *case.detours]}
        reported |= {(found.cook.path, found.cook.check) for found in case.solutions}
        rest = [cook for cook in case.minor if (cook.path, cook.check) not in reported]
        detours = [cook for cook in rest if case.blemish_of(cook) is Defect.DETOUR]
        if detours:
            case.remarks |= Defect.DETOUR
            case.detours += detours
        return [cook for cook in rest if cook not in detours]

    def _classify(self, case: Case, cook: Cook) -> None:
        """Find the class of a second solution behind any longest defence."""
        if not case.classes or case.class_of(cook) is not None or not cook.turn.line():
            return
        line = cook.path + cook.turn.line()
        found = classifier(self._engine, case, line, self._margin).classify(cook)
        case.classify(cook, found, len(line) + self._margin)

    def _add_solution(self, case: Case, cook: Cook) -> None:
        kind = _kind(case, cook)
        classified = case.class_of(cook)
        if classified and classified.line and (case.length or 0) > SHORT:
            line = classified.line
            case.solutions.append(Solution(cook, line, len(line) - len(cook.path), kind))
        elif classified and classified.line and classified.joins is not None:
            length = cook_length(self._engine, case.record, cook)
            case.solutions.append(Solution(cook, classified.line, length, kind))
        elif kind not in case.defects or len(case.solutions) < MOST_COOK_LINES:
            length = cook_length(self._engine, case.record, cook)
            line = cook_line(self._engine, case.record, cook)
            self._look_at_hand(case, cook, line)
            case.solutions.append(Solution(cook, line, length, kind))
        case.defects |= kind

    def _look_at_hand(self, case: Case, cook: Cook, line: Moves) -> None:
        """Correct the class of a second solution whose own line was not found, by its shortest line."""
        found = case.class_of(cook)
        if found is None or found.kind is not CookClass.TRUE or found.line is not None:
            return
        with line_played(case.record, line):
            if packed_hand(case.record) != 0:
                case.classified[cook.path, cook.check] = replace(found, kind=CookClass.LEFTOVER)


def _kind(case: Case, cook: Cook) -> Defect:
    """What a second solution is: the key in another form, its mirror image, or a cook."""
    record, key = record_after(case.record, cook.path), cook.turn.key
    if differs_in_form_only(record, key, cook.check):
        return Defect.UNDETERMINED_FORM
    return Defect.COOK if of_other_kind(record, key, [cook.check]) else Defect.MIRROR_KEY
