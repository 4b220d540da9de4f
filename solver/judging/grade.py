# SPDX-License-Identifier: GPL-3.0-or-later
"""The state of a judgement, and grades: what people mean by correct (docs/rules.md, "Grades").

Problems of `generate` satisfy all nine conditions; printed problems are judged less strictly. The grade
rests on one line, the *judged line*: the composer's if it is given and best by one of the readings, else
the program's. A defect of that line is a fault, any other a blemish (キズ).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from solver.engines.base import MateEngine
from solver.judging.classifying import Classifier
from solver.judging.cooks import (
    CheckTable,
    Cook,
    CookKind,
    DecisionPoint,
    cook_kind,
    decision_point,
    non_key_checks,
    refute_with_growing_nodes,
    refute_within,
)
from solver.judging.findings import ClassifiedCook
from solver.judging.given import RemovedPiece
from solver.judging.readings import PackedReadingsDifference, PuristReading, ReadingComparer
from solver.results import Defect, GivenLine, Grade, Interposition, Judgement, LimitReached, Limits
from solver.solving.tree import Turn
from tsume_rules.kernel.state import packed_hand
from tsume_rules.packed import Moves, PackedPosition, legal_checks, line_played, pack_move
from tsume_rules.position import Position


@dataclass(frozen=True)
class CookWithLine:
    """A second solution: its line, its plies from its check on, and which defect it is."""

    cook: Cook
    line: Moves
    length: int
    kind: Defect


@dataclass
class JudgementState:
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
    solutions: list[CookWithLine] = field(default_factory=list)
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
    removed: list[tuple[RemovedPiece, Position]] = field(default_factory=list)
    length_nodes: int = 0
    """The nodes of the search for the length."""
    not_settled: Defect = Defect.NONE
    """The rules whose examination did not come to an end."""
    comparer: ReadingComparer | None = None
    split: PackedReadingsDifference | None = None
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


# --- second solutions along one line of play, on which the grade rests -----------------------------

_MAX_LATE = 5
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
        """Return the last margin that is always searched."""
        return (*self.margins, *self.wide)[-1]


def cook_along_line(
    engine: MateEngine,
    packed: PackedPosition,
    line: Moves,
    limits: CookLimits,
    table: CheckTable,
    is_fault: Callable[[Cook], bool] | None = None,
) -> tuple[Cook | None, int]:
    """Return a second solution of another kind at a turn of a line before the last, at any length.

    The second value is how many plies from the start were searched. Adds what it learns of checks to the ``table``.
    ``is_fault`` says which second solutions count; without it detours do not. Raises `LimitReached`.
    """
    margin = limits.furthest_complete
    counts = is_fault or (lambda cook: cook_kind(engine, packed, cook, margin) is CookKind.COOK)
    points = decision_points_along_line(packed, line, table)
    near_margins = (*limits.margins[1:], *limits.wide)
    near = chain(
        refute_within(engine, packed, points, limits.margins[:1]),
        refute_with_growing_nodes(engine, packed, points, limits.unbounded),
        *(refute_within(engine, packed, points, near_margins, nodes) for nodes in _EASY_NODES),
        refute_within(engine, packed, points, limits.margins[1:]),
    )
    searched = len(line) + limits.margins[-1]
    if cook := next(filter(counts, near), None):
        return cook, searched
    for margins, nodes in ((limits.wide, limits.wide_nodes), (limits.further, limits.nodes)):
        late, done = _late(engine, packed, points, margins, nodes)
        searched = max(searched, len(line) + done)
        if cook := next(filter(counts, late), None):
            return cook, searched
    return None, searched


def _late(
    engine: MateEngine, packed: PackedPosition, points: list[DecisionPoint], margins: tuple[int, ...], nodes: int
) -> tuple[list[Cook], int]:
    """Second solutions within some margins while the nodes last, and the last margin searched completely."""
    cooks: list[Cook] = []
    done = 0
    try:
        with engine.within(Limits(nodes=nodes)):
            for margin in margins:
                for cook in refute_within(engine, packed, points, (margin,)):
                    cooks.append(cook)
                    if len(cooks) == _MAX_LATE:
                        return cooks, done
                done = margin
    except LimitReached:
        pass  # an outer limit is noticed at the next question
    return cooks, done


def alternative_best_lines(root: Turn, line: Moves, path: Moves) -> Iterator[Moves]:
    """Yield the best lines of a main tree that leave ``line`` at a longest defence before the end of ``path``.

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


def decision_points_along_line(
    packed: PackedPosition, line: Moves, table: CheckTable | None = None
) -> list[DecisionPoint]:
    """Return the attacker's turns of a line at which its check must be the only one of its kind."""
    table, points = table or CheckTable(), []
    for ply in range(0, max(len(line) - 1, 1), 2):
        path, turn = line[:ply], Turn(len(line) - ply, line[ply])
        with line_played(packed, path):
            others = non_key_checks(packed, turn.key, legal_checks(packed))
            points.append(decision_point(packed, path, turn, others, table))
    return points


# --- grades ----------------------------------------------------------------------------------------

_MAX_LINES = 6
"""At most this many other lines with equal defences are examined if the first has a second solution."""


def with_grade(case: JudgementState, judgement: Judgement) -> Judgement:
    """Return the judgement with its grade, faults and blemishes; with no grade if the faults are not settled.

    A problem without faults but with unsettled conditions is sound, never perfect; `Judgement.searched`
    then says how far second solutions along the judged line were searched for.
    """
    faults, line = case.faults, judged_line(case)
    cooks = [found.cook for found in case.solutions if found.kind is Defect.COOK]
    # The judge, which searches further, may have found a second solution that leaves the judged line.
    for cook in cooks:
        at = len(cook.path)
        is_on = cook.path == line[:at] and at < max(len(line) - 1, 1) and cook.check != line[at]
        if is_on and case.blemish_of(cook) is None:
            faults = (faults or Defect.NONE) | Defect.COOK
    if faults is None:
        return replace(judgement, given=case.given)
    if not judgement.settled and not faults:
        judgement = replace(judgement, searched=case.line_searched)
    is_longer = case.given is not None and case.given.reading == "longer"
    sound = Grade.PERFECT if judgement.correct and not is_longer else Grade.SOUND
    grade = Grade.UNSOUND if faults else sound
    cooks += case.found
    minor = list(filter(None, map(case.blemish_of, [*cooks, *case.minor])))
    blemishes = (case.defects | case.remarks).blemishes | Defect.union(minor)
    only_minor = minor and all(case.blemish_of(cook) for cook in cooks)
    if Defect.COOK in case.defects and Defect.COOK not in faults and not only_minor:
        blemishes |= Defect.COOK_IN_EQUAL_DEFENCE
    if is_longer:
        blemishes |= Defect.LONGER_WITH_LEFTOVER
    return replace(judgement, grade=grade, faults=faults, blemishes=blemishes, given=case.given)


def judged_line(case: JudgementState) -> Moves:
    """Return the given line, completed where it breaks off, if it is best by a reading; else the main line."""
    given = case.given.best_line if case.given else ()
    return tuple(map(pack_move, given)) or case.line


def faults_of(engine: MateEngine, case: JudgementState, limits: CookLimits, *, all_faults: bool = True) -> Defect:
    """Return the faults, given the length and the main line.

    Raises `LimitReached`. Without ``all_faults``, if there is another fault, only second solutions that mate
    as soon as the judged line are searched for.
    """
    faults, line = _length_fault(engine, case), judged_line(case)
    with line_played(case.packed, line):
        leaves = packed_hand(case.packed) != 0
    if leaves and len(case.line) == case.length and (case.root is None or case.root.leftover):
        faults |= Defect.LEFTOVER
    if all_faults or not faults:
        cooked = _is_cooked(engine, case, limits)
    else:
        is_fault, minor = _fault_search(engine, case, line, limits)
        points = decision_points_along_line(case.packed, line, case.check_table)
        case.line_cook = next(filter(is_fault, refute_within(engine, case.packed, points, (0,))), None)
        case.minor, case.line_searched = minor, len(line)
        cooked = case.line_cook is not None
    return faults | Defect.COOK if cooked else faults


def _length_fault(engine: MateEngine, case: JudgementState) -> Defect:
    # The stated length of the problem: as a number, or by a legal line to mate.
    said, given = case.expected, case.given
    if said is None and given and not given.beginning_of and (given.wrong_at is None or given.better):
        said = len(given.moves) if len(given.moves) % 2 else None
    if said is None or said == case.length:
        return Defect.NONE
    # The lengths by the three readings, as far as they matter for the stated one.
    assert case.length is not None
    lengths = {case.length}
    if given is not None and given.reading:
        lengths.add(len(given.moves))
    if said < case.length:
        with engine.reading(Interposition.WIDE):
            wide = (n for n in range(1, said + 1, 2) if engine.mates(case.packed, n))
            lengths.update(islice(wide, 1))
    else:
        purist = PuristReading(engine)
        counted = (n for n in range(case.length, said + 1, 2) if purist.mates(case.packed, n))
        lengths.update(islice(counted, 1))
    if said in lengths:
        return Defect.NONE
    return Defect.EARLY_MATE if min(lengths) < said else Defect.WRONG_LENGTH


def _is_cooked(engine: MateEngine, case: JudgementState, limits: CookLimits) -> bool:
    """Return whether the judged line has a second solution of another kind. Of the program's own lines with
    equal defences (変同), one without a second solution is preferred."""
    line, table = judged_line(case), case.check_table
    is_fault, minor = _fault_search(engine, case, line, limits)
    cook, case.line_searched = cook_along_line(engine, case.packed, line, limits, table, is_fault)
    case.minor = minor
    if cook is None:
        return False
    beside = alternative_best_lines(case.root, line, cook.path) if case.root and line == case.line else ()
    fewer = replace(limits, unbounded=Limits(nodes=(limits.unbounded.nodes or 0) // _MAX_LINES))
    for other in islice(beside, _MAX_LINES):
        is_fault, minor = _fault_search(engine, case, other, fewer)
        found, searched = cook_along_line(engine, case.packed, other, fewer, table, is_fault)
        if found is None:
            case.line, case.line_searched, case.minor = other, searched, minor
            return False
    case.line_cook = cook
    return True


def _fault_search(
    engine: MateEngine, case: JudgementState, line: Moves, limits: CookLimits
) -> tuple[Callable[[Cook], bool] | None, list[Cook]]:
    """Return which second solutions along a line are faults, and a list to which the others come.

    None where second solutions are not classified.
    """
    minor: list[Cook] = []
    if not case.classes:
        return None, minor
    margin = limits.furthest_complete
    classified = classifier(engine, case, line, margin)

    def is_fault(cook: Cook) -> bool:
        found = classified.classify(cook)
        case.classify(cook, found, len(cook.path) + cook.turn.n + margin)
        if case.blemish_of(cook) is None:
            return True
        minor.append(cook)
        return False

    return is_fault, minor


def classifier(engine: MateEngine, case: JudgementState, line: Moves, margin: int) -> Classifier:
    """Return the classifier of second solutions along a line, which is a best one by some reading."""
    by_narrow = case.given is None or case.given.reading in (None, "narrow")
    exact = len(line) == case.length and (by_narrow or line == case.line)
    return Classifier(engine, case.packed, line, margin, exact=exact)
