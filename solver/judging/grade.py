# SPDX-License-Identifier: GPL-3.0-or-later
"""Grades: what people mean by correct (docs/rules.md, "Grades").

Problems of `generate` satisfy all nine conditions; printed problems are judged less strictly. The grade
rests on one line, the *judged line*: the composer's if it is given and best by one of the readings, else
the program's. A defect of that line is a fault, any other a blemish (キズ).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice

from solver.engines.base import MateEngine
from solver.judging.case import Case
from solver.judging.classifying import Classifier
from solver.judging.cooks import (
    CheckTable,
    Cook,
    CookKind,
    DecisionPoint,
    cook_kind,
    decision_point,
    of_other_kind,
    refute,
    refute_with_growing_nodes,
)
from solver.judging.readings import Purist
from solver.limits import LimitReached
from solver.results import Defect, Grade, Interposition, Judgement, Limits
from solver.solving.tree import Turn
from tsume_rules.kernel.state import packed_hand
from tsume_rules.packed import Moves, Record, legal_checks, line_played, pack_move

# --- second solutions along one line of play, on which the grade rests -----------------------------

_MOST_LATE = 5
"""At most this many of the latest second solutions are looked at."""
_EASY_NODES = (500, 3_000)
"""Nodes for one search within a bound in the first and the second round: most second solutions need few."""


@dataclass(frozen=True)
class CookLimits:
    """How far to search for second solutions along the judged line.

    The searches, in order, each for the checks that are still open: within the first of ``margins`` beyond
    the end; at any length within the ``unbounded`` limits; with few nodes within the other margins and the
    ``wide`` ones; within the other ``margins``; within the ``wide`` ones while ``wide_nodes`` last; and
    within the ``further`` ones while ``nodes`` last.
    """

    margins: tuple[int, ...]
    wide: tuple[int, ...]
    further: tuple[int, ...]
    unbounded: Limits
    wide_nodes: int
    nodes: int

    @property
    def furthest_complete(self) -> int:
        """The last margin that is always searched."""
        return (*self.margins, *self.wide)[-1]


def cook_along(
    engine: MateEngine,
    record: Record,
    line: Moves,
    limits: CookLimits,
    table: CheckTable,
    is_fault: Callable[[Cook], bool] | None = None,
) -> tuple[Cook | None, int]:
    """A second solution of another kind at a turn of a line before the last, at any length.

    The second value is how many plies from the start were searched. Adds what it learns of checks to the
    ``table``. ``is_fault`` says which second solutions count; without it detours do not. Raises
    `LimitReached`.
    """
    is_fault = is_fault or partial(_is_cook, engine, record, limits.furthest_complete)
    points = list(_decision_points(record, line, table))
    near = chain(
        _mating_within(engine, record, points, limits.margins[:1]),
        refute_with_growing_nodes(engine, record, points, limits.unbounded),
        _mating_easily(engine, record, points, (*limits.margins[1:], *limits.wide)),
        _mating_within(engine, record, points, limits.margins[1:]),
    )
    searched = len(line) + limits.margins[-1]
    if cook := next(filter(is_fault, near), None):
        return cook, searched
    for margins, nodes in ((limits.wide, limits.wide_nodes), (limits.further, limits.nodes)):
        late, margin = _late(engine, record, points, margins, nodes)
        searched = max(searched, len(line) + margin)
        if cook := next(filter(is_fault, late), None):
            return cook, searched
    return None, searched


def cook_as_soon(
    engine: MateEngine,
    record: Record,
    line: Moves,
    table: CheckTable,
    is_fault: Callable[[Cook], bool] | None = None,
) -> Cook | None:
    """A second solution of another kind at a turn of a line before the last that mates as soon as the line.

    ``is_fault`` as in `cook_along`; without it all count. Raises `LimitReached`.
    """
    cooks = _mating_within(engine, record, list(_decision_points(record, line, table)), (0,))
    return next(filter(is_fault, cooks), None)


def _is_cook(engine: MateEngine, record: Record, margin: int, cook: Cook) -> bool:
    return cook_kind(engine, record, cook, margin) is CookKind.COOK


def _late(
    engine: MateEngine, record: Record, points: list[DecisionPoint], margins: tuple[int, ...], nodes: int
) -> tuple[list[Cook], int]:
    """Second solutions within some margins while the nodes last, and the last margin searched completely."""
    cooks: list[Cook] = []
    done = 0
    try:
        with engine.within(Limits(nodes=nodes)):
            for margin in margins:
                for cook in _mating_within(engine, record, points, (margin,)):
                    cooks.append(cook)
                    if len(cooks) == _MOST_LATE:
                        return cooks, done
                done = margin
    except LimitReached:
        pass  # an outer limit is noticed at the next question
    return cooks, done


def lines_beside(root: Turn, line: Moves, path: Moves) -> Iterator[Moves]:
    """The best lines of a main tree that leave ``line`` at a longest defence before the end of ``path``.

    ``path`` begins the line. The latest defences come first; lines that leave pieces are left out.
    """
    turns = [root]
    for answer in path[1::2]:
        after = (reply.turn for reply in turns[-1].replies if reply.moves == (answer,))
        turns.extend(turn for turn in after if turn is not None)
    for i in range(len(turns) - 2, -1, -1):
        before = line[: 2 * i + 1]
        for reply in turns[i].replies:
            if reply.turn and not reply.turn.leftover and reply.moves != (line[2 * i + 1],):
                yield (*before, *reply.moves, *reply.turn.line())


def _mating_within(
    engine: MateEngine, record: Record, points: list[DecisionPoint], margins: tuple[int, ...]
) -> Iterator[Cook]:
    for margin in margins:
        for point in points:
            while cook := refute(engine, record, point, margin):
                yield cook


def _mating_easily(
    engine: MateEngine, record: Record, points: list[DecisionPoint], margins: tuple[int, ...]
) -> Iterator[Cook]:
    for nodes in _EASY_NODES:
        for margin in margins:
            for point in points:
                ask = partial(refute, engine, record, point, margin)
                while point.open_checks and (cook := engine.answered_within(nodes, ask)):
                    yield cook


def _decision_points(record: Record, line: Moves, table: CheckTable) -> Iterator[DecisionPoint]:
    """The attacker's turns of a line at which its check must be the only one of its kind."""
    for ply in range(0, max(len(line) - 1, 1), 2):
        path, turn = line[:ply], Turn(len(line) - ply, line[ply])
        with line_played(record, path):
            others = of_other_kind(record, turn.key, legal_checks(record))
            point = decision_point(record, path, turn, others, table)
        yield point


# --- grades ----------------------------------------------------------------------------------------

_MOST_LINES = 6
"""At most this many other lines with equal defences are examined if the first has a second solution."""


def graded(case: Case, judgement: Judgement) -> Judgement:
    """The judgement with its grade, faults and blemishes; without a grade if the faults are not settled.

    A problem without faults but with unsettled conditions is sound, never perfect; `Judgement.searched`
    then says how far second solutions along the judged line were searched for.
    """
    faults = case.faults
    # Whether the judge, which searches further, found a second solution along the judged line.
    line = judged_line(case)
    cooks = [found.cook for found in case.solutions if found.kind is Defect.COOK]
    if any(_is_on(cook, line) and case.blemish_of(cook) is None for cook in cooks):
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
    # The lengths by the three readings, as far as they matter for the stated one.
    assert case.length is not None
    lengths = {case.length}
    if case.given is not None and case.given.reading:
        lengths.add(len(case.given.moves))
    if said < case.length:
        with engine.reading(Interposition.WIDE):
            wide = (n for n in range(1, said + 1, 2) if engine.mates(case.record, n))
            lengths.update(islice(wide, 1))
    else:
        purist = Purist(engine)
        counted = (n for n in range(case.length, said + 1, 2) if purist.mates(case.record, n))
        lengths.update(islice(counted, 1))
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
