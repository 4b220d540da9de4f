# SPDX-License-Identifier: GPL-3.0-or-later
"""Grades: what people mean by correct (docs/rules.md, "Grades").

Problems of `generate` satisfy all nine conditions; printed problems are judged less strictly. The grade
rests on one line, the *judged line*: the composer's if it is given and best by one of the readings, else
the program's. A defect of that line is a fault, any other a blemish (キズ).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice

from solver.defects import Defect
from solver.engines.base import MateEngine
from solver.judging.case import Case
from solver.judging.classifying import Classifier
from solver.judging.cooks import Cook
from solver.judging.grey import Purist
from solver.judging.line_cooks import CookLimits, cook_along, cook_as_soon, lines_beside
from solver.results import Grade, Interposition, Judgement, Limits
from tsume_rules.kernel.state import packed_hand
from tsume_rules.packing import pack_move
from tsume_rules.record_play import Moves, line_played

_MOST_LINES = 6
"""At most this many other lines with equal defences are examined if the first has a second solution."""


def graded(case: Case, judgement: Judgement) -> Judgement:
    """The judgement with its grade, faults and blemishes; without a grade if the faults are not settled.

    A problem without faults but with unsettled conditions is sound, never perfect; `Judgement.searched`
    then says how far second solutions along the judged line were searched for.
    """
    faults = case.faults
    if _has_cook_found_later(case):
        faults = (faults or Defect.NONE) | Defect.COOK
    if faults is None:
        return replace(judgement, given=case.given)
    if not judgement.settled and not faults:
        judgement = replace(judgement, searched=case.line_searched)
    if faults:
        grade = Grade.UNSOUND
    else:
        grade = Grade.PERFECT if judgement.correct and not _is_longer(case) else Grade.SOUND
    blemishes = _blemishes(case, faults)
    return replace(judgement, grade=grade, faults=faults, blemishes=blemishes, given=case.given)


def _has_cook_found_later(case: Case) -> bool:
    """Whether the judge, which searches further, found a second solution along the judged line."""
    line = judged_line(case)
    cooks = [found.cook for found in case.solutions if found.kind is Defect.COOK]
    return any(_is_on(cook, line) and case.blemish_of(cook) is None for cook in cooks)


def _is_on(cook: Cook, line: Moves) -> bool:
    """Whether a second solution leaves a line before its last move."""
    at = len(cook.path)
    return cook.path == line[:at] and at < max(len(line) - 1, 1) and cook.check != line[at]


def judged_line(case: Case) -> Moves:
    """The given line, completed where it breaks off, if it is best by a reading; else the main line."""
    given = case.given.best_line if case.given else ()
    return tuple(map(pack_move, given)) or case.line


def _is_longer(case: Case) -> bool:
    return case.given is not None and case.given.reading == "longer"


def faults_of(engine: MateEngine, case: Case, limits: CookLimits, *, all_faults: bool = True) -> Defect:
    """The faults, given the length and the main line.

    Raises `LimitReached`. Without ``all_faults``, if there is another fault, only second solutions that
    mate as soon as the judged line are searched for.
    """
    faults = _length_fault(engine, case) | _leftover(case)
    looks_far = all_faults or not faults
    cooked = _is_cooked(engine, case, limits) if looks_far else _is_cooked_as_soon(engine, case, limits)
    return faults | Defect.COOK if cooked else faults


def _length_fault(engine: MateEngine, case: Case) -> Defect:
    said = _said_length(case)
    if said is None or said == case.length:
        return Defect.NONE
    lengths = _lengths(engine, case, said)
    if said in lengths:
        return Defect.NONE
    return Defect.EARLY_MATE if min(lengths) < said else Defect.WRONG_LENGTH


def _leftover(case: Case) -> Defect:
    with line_played(case.record, judged_line(case)):
        leaves = packed_hand(case.record) != 0
    is_fault = leaves and len(case.line) == case.length and (case.root is None or case.root.leftover)
    return Defect.LEFTOVER if is_fault else Defect.NONE


def _is_cooked(engine: MateEngine, case: Case, limits: CookLimits) -> bool:
    """Whether the judged line has a second solution of another kind.

    Of the program's own lines with equal defences (変同), one without a second solution is preferred.
    """
    line = judged_line(case)
    search = _FaultSearch(engine, case, line, limits)
    cook, case.line_searched = search.cook()
    case.minor = search.minor
    if cook is None:
        return False
    beside = lines_beside(case.root, line, cook.path) if case.root and line == case.line else ()
    fewer = replace(limits, unbounded=Limits(nodes=(limits.unbounded.nodes or 0) // _MOST_LINES))
    for other in islice(beside, _MOST_LINES):
        search = _FaultSearch(engine, case, other, fewer)
        found, searched = search.cook()
        if found is None:
            case.line, case.line_searched, case.minor = other, searched, search.minor
            return False
    case.line_cook = cook
    return True


class _FaultSearch:
    """The second solutions along a line, faults apart from blemishes; these come to ``minor``."""

    def __init__(self, engine: MateEngine, case: Case, line: Moves, limits: CookLimits) -> None:
        self._engine, self._case, self._line, self._limits = engine, case, line, limits
        self._classifier: Classifier | None = None
        self.minor: list[Cook] = []

    def cook(self) -> tuple[Cook | None, int]:
        """As `cook_along`: the first that is a fault."""
        case = self._case
        return cook_along(
            self._engine, case.record, self._line, self._limits, case.check_table, self._faults_only()
        )

    def cook_as_soon(self) -> Cook | None:
        """As `line_cooks.cook_as_soon`: the first that is a fault."""
        case = self._case
        return cook_as_soon(self._engine, case.record, self._line, case.check_table, self._faults_only())

    def _faults_only(self) -> Callable[[Cook], bool] | None:
        return self._is_fault if self._case.classes else None

    def _is_fault(self, cook: Cook) -> bool:
        margin = self._limits.furthest_complete
        self._classifier = self._classifier or classifier(self._engine, self._case, self._line, margin)
        found = self._classifier.classify(cook)
        self._case.classify(cook, found, len(cook.path) + cook.turn.n + margin)
        if self._case.blemish_of(cook) is None:
            return True
        self.minor.append(cook)
        return False


def classifier(engine: MateEngine, case: Case, line: Moves, margin: int) -> Classifier:
    """The classifier of second solutions along a line, which is a best one by some reading."""
    by_narrow = case.given is None or case.given.reading in (None, "narrow")
    exact = len(line) == case.length and (by_narrow or line == case.line)
    return Classifier(engine, case.record, line, margin, exact=exact)


def _is_cooked_as_soon(engine: MateEngine, case: Case, limits: CookLimits) -> bool:
    search = _FaultSearch(engine, case, judged_line(case), limits)
    case.line_cook = search.cook_as_soon()
    case.minor = search.minor
    case.line_searched = len(judged_line(case))
    return case.line_cook is not None


def _blemishes(case: Case, faults: Defect) -> Defect:
    blemishes = (case.defects | case.remarks).blemishes
    cooks = [*(found.cook for found in case.solutions if found.kind is Defect.COOK), *case.found]
    minor = list(filter(None, map(case.blemish_of, [*cooks, *case.minor])))
    blemishes |= Defect.union(minor)
    only_minor = minor and all(case.blemish_of(cook) for cook in cooks)
    if Defect.COOK in case.defects and Defect.COOK not in faults and not only_minor:
        blemishes |= Defect.COOK_IN_EQUAL_DEFENCE
    if _is_longer(case):
        blemishes |= Defect.LONGER_WITH_LEFTOVER
    return blemishes


def _said_length(case: Case) -> int | None:
    """The stated length of the problem: as a number, or by a legal line to mate."""
    if case.expected is not None:
        return case.expected
    given = case.given
    if given is None or given.beginning_of or not (given.wrong_at is None or given.better):
        return None
    return len(given.moves) if len(given.moves) % 2 else None


def _lengths(engine: MateEngine, case: Case, said: int) -> set[int]:
    """The lengths by the three readings, as far as they matter for the stated one."""
    assert case.length is not None
    found = {case.length}
    if case.given is not None and case.given.reading:
        found.add(len(case.given.moves))
    if said < case.length:
        with engine.reading(Interposition.WIDE):
            wide = (n for n in range(1, said + 1, 2) if engine.mates(case.record, n))
            found.update(islice(wide, 1))
    else:
        purist = Purist(engine)
        counted = (n for n in range(case.length, said + 1, 2) if purist.mates(case.record, n))
        found.update(islice(counted, 1))
    return found
