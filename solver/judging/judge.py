# SPDX-License-Identifier: GPL-3.0-or-later
"""The judge: finds every defect of a problem (docs/rules.md), and compares the judgements of two engines."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial

from solver.engines.base import MateEngine
from solver.engines.dfpn.engine import DfPnEngine
from solver.judging import cooks
from solver.judging.cooks import cook_length
from solver.judging.evidence import Evidence, SolutionReport, illegal_start
from solver.judging.findings import SecondSolution
from solver.judging.given import (
    cook_at_any_length,
    each_piece_removed,
    examine_given,
    given_without_mate,
    is_same_problem,
    with_main_line,
)
from solver.judging.grade import CookLimits, JudgementState, faults_of, with_grade
from solver.judging.readings import PURIST_CALLS, ReadingComparer, is_in_grey_zone
from solver.results import WITHOUT_FAULT, Defect, Interposition, Judgement, LimitReached, Limits, Mate, NoMate, Reason
from solver.solving.deepening import search_length, search_suited_to
from solver.solving.tree import TreeBuilder, TreeTooLarge, all_turns, deeper_recursion
from tsume_rules.moves import Move
from tsume_rules.packed import (
    Moves,
    PackedPosition,
    faults_of_start,
    is_in_check,
    legal_checks,
    line_played,
    mirrored,
    pack,
    pack_move,
    record_after,
    unpack_move,
)
from tsume_rules.position import Position, Side
from tsume_rules.sfen import canonical

_NEAR = 2
"""The grade needs a search for second solutions within this many of the margins."""
_SEARCHING_SHARE = 0.9
"""The share of a judgement's time after which a thorough search for second solutions ends."""
_UNBOUNDED_PART = 4
"""A search for them, along the judged line and beside it, takes at most this part of a judgement's limits."""
_EXTRA_NODES = 3
"""Rules 7 and 8 get this many times the nodes of the search for the length, beside `Rigour.reduced_nodes`."""
_EXTRA_TIME = 0.5
"""Rules 7 and 8 each get at most this share of the time left."""
_EASY_PIECE = 2
"""The first round of rule 7 has this many times `Rigour.wide_nodes` for each piece."""
_MIN_LEFT = 20
"""Turns beside the judged line get at least this part of the nodes for second solutions at any length."""


@dataclass(frozen=True)
class Rigour:
    """How far the judge searches for second solutions.

    ``margins`` are plies beyond the end of the main line, in rising order. The first two are always searched.
    Checks that are open then are searched without a bound, all together with ``unbounded_nodes``; those still
    open within the others of the first ``required`` margins, while ``wide_nodes`` last (with a large hand a
    margin may take minutes); again without a bound, if ``thorough``, for most of the time that the judgement
    has left; and then within the other margins while ``nodes`` last. The search stops after the first step
    that finds a second solution: longer ones would not make the problem worse.

    The problem without a piece is searched with ``reduced_nodes``, at most ``wide_nodes`` of them without a bound.
    None: within the required margins only, completely. Rules 7 and 8, which no fault depends on, share nothing with the
    other rules: each has ``reduced_nodes`` and a multiple of what the length took, for all pieces or turns together,
    and at most half of the time left. If that runs out, the rule is not settled. Without ``evidence`` only the nodes
    for each piece are limited, and if they run out the judgement is unresolved.

    ``first_defect`` stops at the first defect, and with an unresolved judgement if the search without a bound leaves a
    check open: no other search for second solutions is made, and a detour counts as one. With it, or without
    ``evidence``, a judgement has no findings and no readings; with it, or without ``grades``, no grade.

    Without ``all_findings`` the judge examines only what the grade needs: it stops at a fault or at the
    first unnecessary piece, and skips mates in shorter variations (a remark that is not a blemish) and the
    tries of a position without a mate.

    ``examining`` is the share of the time left once the main line is known that all the rest may take: less
    than all of it leaves time to a caller who does more with the line.

    With ``classes`` second solutions are classified and graded by their class
    (`solver.judging.findings`); otherwise all but detours are faults.
    """

    margins: tuple[int, ...] = (0, 2, 4, 8, 12, 16, 24, 32)
    required: int = 4
    nodes: int = 60_000
    unbounded_nodes: int = 10_000_000
    wide_nodes: int = 1_000_000
    reduced_nodes: int | None = 10_000_000
    thorough: bool = False
    first_defect: bool = False
    grades: bool = True
    evidence: bool = True
    all_findings: bool = True
    classes: bool = True
    examining: float = 1.0

    @property
    def shows(self) -> bool:
        """Whether findings and readings are gathered."""
        return self.evidence and not self.first_defect


class _Stop(Exception):  # a defect was found and one is enough
    pass


class Judge:
    """Judges problems with one engine; neighbouring positions share its table."""

    def __init__(self, engine: MateEngine | None = None, rigour: Rigour | None = None) -> None:
        self._engine = engine or DfPnEngine()
        self._rigour = rigour or Rigour()
        self._solutions = SolutionReport(self._engine, self._rigour.margins[self._rigour.required - 1])

    def judge(
        self, position: Position, expected: int | None = None, limits: Limits | None = None, line: Sequence[Move] = ()
    ) -> Judgement:
        """Return the judgement on a position with the attacker to move.

        ``expected`` is the stated length, ``line`` the line given with the position (作意). If a limit is reached, the
        judgement is unresolved and has the defects found so far; it has a grade if that was already settled.
        """
        if faults := faults_of_start(position):
            return illegal_start(faults)
        limits, rigour = limits or Limits(), self._rigour
        classes = rigour.classes and not rigour.first_defect and rigour.grades
        case = JudgementState(position, pack(position), expected, tuple(map(pack_move, line)), classes=classes)
        nodes, seconds = rigour.unbounded_nodes, limits.seconds
        if limits.nodes is not None:
            nodes = min(nodes, limits.nodes // _UNBOUNDED_PART)
        case.unbounded = Limits(nodes, None if seconds is None else seconds / _UNBOUNDED_PART)
        if rigour.thorough and seconds is not None:
            case.deadline = time.monotonic() + _SEARCHING_SHARE * seconds
        with self._engine.within(limits):
            unresolved = self._runs_out(case)
            judgement = Judgement(
                defects=case.defects,
                unresolved=unresolved,
                length=case.length,
                line=tuple(map(unpack_move, case.line)),
                cooks=tuple(tuple(map(unpack_move, found.line)) for found in case.solutions),
                searched=case.searched_to(),
                remarks=case.remarks,
                complete=case.complete,
                no_mate_within=case.no_mate_within,
                not_settled=case.not_settled,
            )
            if rigour.first_defect:
                return judgement
            judgement = with_grade(case, judgement)
            if not rigour.evidence:
                return judgement
            with self._suited_to(case):
                return Evidence(self._engine, case).shown(judgement, tries=rigour.all_findings)

    def _examining_limits(self) -> Limits:
        """Return the limits of all that follows the main line."""
        left = self._engine.seconds_left
        return Limits() if left is None else Limits(seconds=self._rigour.examining * left)

    def _runs_out(self, case: JudgementState) -> bool:
        """Examine a case; return whether a limit was reached before the end."""
        try:
            self._measure(case)
            with self._suited_to(case):
                self._solve(case)
                with self._engine.within(self._examining_limits()):
                    self._examine(case)
                    self._solutions.report_line_cook(case)
        except LimitReached:
            minor = self._solutions.minor_cooks(case)
            case.found += minor
            if minor or any(cook.bound <= cook.turn.n for cook in case.found):
                case.defects |= Defect.COOK
            if case.line_cook is not None and Defect.COOK not in case.defects:
                case.defects |= Defect.COOK
                case.found.append(case.line_cook)
            return True
        except _Stop:
            pass
        return False

    @contextmanager
    def _suited_to(self, case: JudgementState) -> Iterator[None]:
        """Inside the block, the engine searches in the way that suits the length of the case. The acceptance
        of generated problems stays the same, node for node."""
        length = case.length or 0
        suited = search_suited_to(self._engine, length) if self._rigour.shows else nullcontext()
        with suited, deeper_recursion(length):
            yield

    def _examine(self, case: JudgementState) -> None:
        """Examine what the grade needs, then all rules, cheapest first."""
        rigour = self._rigour
        self._look_for_faults(case)
        self._shape(case)
        if case.faults and not rigour.all_findings:
            case.complete, case.searched = False, case.line_searched
            return
        if rigour.shows:
            case.not_settled = WITHOUT_FAULT  # until they are examined
        assert case.root is not None
        points = cooks.decision_points(case.packed, case.root, case.check_table)
        required, further = rigour.margins[: rigour.required], rigour.margins[rigour.required :]
        if rigour.first_defect:
            points.sort(key=lambda point: point.turn.n)  # what refutes a check near the mate helps before it
            self._refute_ever(case, points, Limits(nodes=rigour.unbounded_nodes))
        else:
            self._refute(case, points, required[:_NEAR])
            if not case.settled:
                self._refute_ever(case, points, case.unbounded)
                if case.searched is not None:
                    self._refute_while(case, points, required[_NEAR:], rigour.wide_nodes)
        self._examine_extras(case)
        if case.deadline is not None:
            self._refute_ever(case, points, Limits(seconds=case.deadline - time.monotonic()))
        if not case.complete:
            return
        self._refute_while(case, points, further, rigour.nodes)
        if rigour.all_findings:
            lines = (cooks.variation_cook(self._engine, case.packed, point) for point in points)
            case.variation = next(filter(None, lines), None)
            if case.variation:
                case.remarks |= Defect.VARIATION_COOK
        if case.not_settled and not rigour.shows:
            raise LimitReached(Reason.NODES)

    def _defect(self, case: JudgementState, flag: Defect) -> None:
        case.defects |= flag
        if self._rigour.first_defect:
            raise _Stop

    # --- rules 1 to 6 -------------------------------------------------------------

    def _measure(self, case: JudgementState) -> None:
        """Apply the first half of rule 1: whether there is a mate, and its length."""
        before = self._engine.nodes
        result = search_length(self._engine, case.packed, Limits())
        case.length_nodes = self._engine.nodes - before
        if isinstance(result, NoMate):
            case.faults = case.defects = Defect.NO_MATE
            case.complete = self._rigour.all_findings
            if case.moves_given:
                case.given = given_without_mate(case.packed, case.moves_given)
            raise _Stop
        if not isinstance(result, Mate):
            case.no_mate_within = max(0, result.no_mate_within)
            raise LimitReached(result.reason)
        case.length = result.length

    def _solve(self, case: JudgementState) -> None:
        """Apply the second half: the main tree, and whether its length is the expected one."""
        assert case.length is not None
        if case.moves_given and not self._rigour.first_defect:
            case.given = examine_given(self._engine, case.packed, case.length, case.moves_given)
        try:
            self._grow(case)
        except TreeTooLarge:
            self._grow(case, complete=False)
            with self._engine.within(self._examining_limits()):
                self._look_for_faults(case)
            raise
        if case.given is not None:
            case.given = with_main_line(case.given, tuple(map(unpack_move, case.line)), case.length)
        if case.expected is not None and case.expected != case.length:
            self._defect(case, Defect.WRONG_LENGTH)

    def _grow(self, case: JudgementState, *, complete: bool = True) -> None:
        """Build the main tree, or if not ``complete`` the main line alone."""
        assert case.length is not None
        order = mirror_order(case.position)
        root = TreeBuilder(self._engine, order=order, complete=complete).turn(case.packed, case.length)
        case.line = root.line()
        case.root = root if complete else None

    def _look_for_faults(self, case: JudgementState) -> None:
        """Find the faults, before the expensive conditions, which may run out of time."""
        if self._rigour.first_defect or not self._rigour.grades:
            return
        rigour = self._rigour
        near, required = min(_NEAR, rigour.required), rigour.required
        margins = rigour.margins
        limits = CookLimits(
            margins[:near], margins[near:required], margins[required:],
            case.unbounded, rigour.wide_nodes, rigour.nodes,
        )  # fmt: skip
        before = self._engine.nodes
        case.faults = faults_of(self._engine, case, limits, all_faults=rigour.all_findings)
        nodes = case.unbounded.nodes or 0
        left = max(nodes - (self._engine.nodes - before), nodes // _MIN_LEFT)
        case.unbounded = replace(case.unbounded, nodes=left)

    def _shape(self, case: JudgementState) -> None:
        """Rule 4 and the remarks on the start and the main tree."""
        assert case.root is not None
        if is_in_check(case.position, Side.ATTACKER):
            case.remarks |= Defect.STARTS_IN_CHECK
        if case.root.leftover and len(case.line) == case.length:
            self._defect(case, Defect.LEFTOVER)
        for turn in all_turns(case.root):
            if Defect.LEFTOVER not in case.defects and (turn.leftover or any(turn.final_leftovers)):
                case.remarks |= Defect.LEFTOVER_IN_VARIATION
            if len(turn.replies) > 1:
                case.remarks |= Defect.EQUAL_DEFENCES
            if len(turn.finals) > 1 and case.length != 1:  # else they are second solutions
                case.remarks |= Defect.LAST_MOVE_ALTERNATIVES

    def _refute(self, case: JudgementState, points: list[cooks.DecisionPoint], margins: tuple[int, ...]) -> None:
        """Rules 2, 5 and 6 as far as the margins go."""
        for margin in margins:
            for cook in cooks.refute_within(self._engine, case.packed, points, (margin,)):
                case.found.append(cook)
            self._report_found(case)
            open_checks = any(point.open_checks for point in points)
            case.searched = (case.length or 0) + margin if open_checks else None
            if case.settled:
                return

    def _report_found(self, case: JudgementState) -> None:
        """Report each cook found as a defect or a remark."""
        while case.found:
            if self._rigour.first_defect:
                if not self._solutions.leaves_same_position(case, case.found[0]):
                    self._defect(case, Defect.COOK)
            else:
                self._solutions.report(case, case.found[0])
            case.found.pop(0)

    def _refute_while(
        self, case: JudgementState, points: list[cooks.DecisionPoint], margins: tuple[int, ...], nodes: int
    ) -> None:
        """As `_refute`, while the nodes last."""
        try:
            with self._engine.within(Limits(nodes=nodes)):
                if not case.settled:
                    self._refute(case, points, margins)
        except LimitReached:
            self._engine.check_limits()  # outer limits still end the whole judgement
        self._report_found(case)  # a cook found as the nodes ran out

    def _refute_ever(self, case: JudgementState, points: list[cooks.DecisionPoint], limits: Limits) -> None:
        """Rules 2, 5 and 6 at any length, up to the first second solution."""
        if case.settled:
            return
        for cook in cooks.refute_with_growing_nodes(self._engine, case.packed, points, limits):
            case.found.append(cook)
            self._report_found(case)
            if case.settled:
                return
        if not any(point.open_checks for point in points):
            case.searched = None
        elif self._rigour.first_defect:
            raise LimitReached(Reason.NODES)

    # --- rules 7 and 8 ------------------------------------------------------------

    def _examine_extras(self, case: JudgementState) -> None:
        """Examine the rules that no fault depends on; one whose budget runs out is not settled."""
        if not self._rigour.shows:
            self._examine_grey_zone(case)
            if not self._minimal(case):
                case.not_settled |= Defect.UNNECESSARY_PIECE
            return
        extras = {Defect.GREY_INTERPOSITION: self._examine_grey_zone, Defect.UNNECESSARY_PIECE: self._minimal}
        nodes = self._rigour.reduced_nodes
        if nodes is not None:
            nodes += _EXTRA_NODES * case.length_nodes
        for rule, examine in extras.items():
            left = self._engine.seconds_left
            try:
                with self._engine.within(Limits(nodes, None if left is None else _EXTRA_TIME * left)):
                    if examine(case):
                        case.not_settled &= ~rule
            except LimitReached:
                self._engine.check_limits()  # outer limits still end the whole judgement

    def _minimal(self, case: JudgementState) -> bool:
        """Rule 7; return whether it is settled. With a budget for all pieces together, the easy ones come first."""
        rigour = self._rigour
        rounds: tuple[int | None, ...] = (None if rigour.first_defect else rigour.reduced_nodes,)
        easy = _EASY_PIECE * rigour.wide_nodes
        if rigour.shows and rigour.reduced_nodes is not None and easy < rigour.reduced_nodes:
            rounds = (easy, rigour.reduced_nodes)
        to_examine = list(each_piece_removed(case.position))
        for nodes in rounds:
            undecided = []
            for removed, reduced in to_examine:
                needless = self._is_needless(case, reduced, nodes)
                if needless is None:
                    undecided.append((removed, reduced))
                if needless:
                    case.removed.append((removed, reduced))
                    self._defect(case, Defect.UNNECESSARY_PIECE)
                    if case.faults is not None and not rigour.all_findings:
                        case.complete = False  # sound, not perfect
                        return True
            to_examine = undecided
        return not to_examine

    def _is_needless(self, case: JudgementState, reduced: Position, nodes: int | None) -> bool | None:
        """Return whether the problem without a piece is the same; None if the nodes run out."""
        rigour = self._rigour
        margins = rigour.margins[: rigour.required]
        if rigour.first_defect:
            return is_same_problem(self._engine, reduced, case.line, margins, Limits(nodes=rigour.unbounded_nodes))
        if nodes is None:
            return is_same_problem(self._engine, reduced, case.line, margins)
        unbounded = Limits(nodes=rigour.wide_nodes)
        ask = partial(is_same_problem, self._engine, reduced, case.line, margins, unbounded)
        return self._engine.answered_within(nodes, ask)

    def _examine_grey_zone(self, case: JudgementState) -> bool:
        """Apply rule 8: if the narrow, purist and wide readings differ along the main line, the problem is grey.

        If findings are shown (`Rigour.shows`), where they first differ is kept; otherwise only whether they do is
        examined. Returns that the rule is settled; raises `LimitReached` if it is not.
        """
        if self._rigour.shows:
            assert case.root is not None
            comparer = ReadingComparer(self._engine, case.packed, case.root)
            with deeper_recursion(PURIST_CALLS * len(case.line)):
                case.split = comparer.split()
            case.comparer = comparer
            grey = comparer.is_grey(case.split)
        else:
            grey = len(case.line) != case.length or is_in_grey_zone(self._engine, case.packed, case.line)
        if grey:
            self._defect(case, Defect.GREY_INTERPOSITION)
        return True


def mirror_order(position: Position) -> Callable[[int], int]:
    """Return an order of moves by which mirror images get mirrored main trees."""
    return int if canonical(position) == position else mirrored


# --- whether a problem stays the same when every interposition counts, futile ones (無駄合) too -------
#
# This is the strictest reading: its mates are mates of the same length by the others.

COUNTING_NODES = 100_000
"""Nodes for the search."""


def same_when_counted(engine: MateEngine, position: Position, length: int) -> bool | None:
    """Return whether a mate of ``length`` plies has the same length and line if every interposition counts.

    None if that needs more than `COUNTING_NODES` nodes. The engine's table is cleared first, so that the
    answer depends on the position alone. Raises `LimitReached` for a current limit.
    """
    packed = pack(position)

    def line() -> Moves:
        return TreeBuilder(engine, order=mirror_order(position)).line(packed, length)

    def is_same() -> bool:
        with engine.reading(Interposition.COUNT_ALL):
            if not engine.mates(packed, length):
                return False
            counted = line()
        return counted == line()

    engine.forget()
    return engine.answered_within(COUNTING_NODES, is_same)


# --- the judgement of one problem compared between two engines (`check --cross`) -------------------
#
# The second engine shares only the rules with the first. The same judge asks both; they must agree on the length, on
# the checks that mate at each of the attacker's turns of the main line, on the defects and on the faults, so on the
# grade.
#
# Without a bound the second engine gets less far than the first. So a second solution that only the first has found
# is put to the second as a question of its own: does this check mate within the plies that the first says?

SECOND = Rigour(
    margins=(0, 2, 4, 8), nodes=0, unbounded_nodes=200_000, reduced_nodes=None, evidence=False, classes=False
)
"""How far the second engine looks: as far as the first does in any case. At any length it settles little."""

_CONFIRMING_NODES = 10_000_000
"""Nodes of the second engine for a long mate that the first has found in the problem without a piece."""


@dataclass(frozen=True)
class CrossCheckResult:
    """The result of asking a second engine.

    ``differences`` has a text for each difference (empty: they agree). ``unheard`` is the limit that kept the
    second from an answer, None if it has answered.
    """

    differences: tuple[str, ...] = ()
    unheard: Reason | None = None

    @property
    def agrees(self) -> bool | None:
        """Whether both say the same; None if the second engine did not answer."""
        if self.differences:
            return False
        return None if self.unheard else True


def cross_check(
    first: MateEngine,
    second: MateEngine,
    position: Position,
    judgement: Judgement,
    expected: int | None = None,
    limits: Limits | None = None,
    line: Sequence[Move] = (),
) -> CrossCheckResult:
    """Compare a judgement (made with ``first``) with what ``second`` says.

    ``expected`` is the length the problem is said to have, ``line`` the line given with it; the limits hold
    for each engine.
    """
    if judgement.defects & Defect.ILLEGAL_START:
        return CrossCheckResult()
    case = _Comparison(first, second, position, judgement)
    differences: list[str] = []
    try:
        with first.within(limits or Limits()), second.within(limits or Limits()):
            for difference in case.differences(expected, line):
                differences.append(difference)
    except LimitReached as limit:
        return CrossCheckResult(tuple(differences), limit.reason)
    return CrossCheckResult(tuple(differences))


class _Comparison:
    def __init__(self, first: MateEngine, second: MateEngine, position: Position, judgement: Judgement) -> None:
        self._first, self._second = first, second
        self._position, self._judgement = position, judgement
        self._packed: PackedPosition = pack(position)
        self._line: Moves = tuple(map(pack_move, judgement.line))

    def differences(self, expected: int | None, line: Sequence[Move]) -> Iterator[str]:
        """Yield what the engines differ in, the most basic first. Raises `LimitReached`."""
        ours, length = self._judgement, self._judgement.length
        theirs = Judge(self._second, SECOND).judge(self._position, expected, line=line)
        if theirs.unresolved:
            self._second.check_limits()
            raise LimitReached(Reason.MEMORY)
        if theirs.length != length:
            yield f"length {length} and {theirs.length}"
            return
        # If a futile drop makes the line longer than the mate, only the first turn is compared: at the others
        # the plies left are not known.
        last = 0 if length is None else length if len(self._line) == length else 1
        for ply in range(0, last, 2):
            with line_played(self._packed, self._line[:ply]):
                n, checks = (length or 0) - ply, legal_checks(self._packed)
                one, other = (
                    [unpack_move(check).usi for check in checks if engine.mates_after(self._packed, check, n)]
                    for engine in (self._first, self._second)
                )
            if one != other:
                yield f"mating checks after {ply} moves: {' '.join(one)} and {' '.join(other)}"
        defects = theirs.defects
        for flag in ours.defects & ~defects & (Defect.COOK | Defect.UNDETERMINED_FORM):
            if self._confirms_any(flag):
                defects |= flag
        if Defect.UNNECESSARY_PIECE in defects & ~ours.defects and not self._has_unnecessary_piece():
            defects &= ~Defect.UNNECESSARY_PIECE
        yield from _difference("defects", ours.defects, defects)
        if ours.grade is None or theirs.grade is None:
            return
        faults = theirs.faults
        if self._confirms_any(Defect.COOK & ours.faults & ~faults):
            faults |= Defect.COOK
        if Defect.COOK not in ours.faults and Defect.COOK in ours.defects:
            faults &= ~Defect.COOK  # the first engine's judge knows its class
        yield from _difference("faults", ours.faults, faults)

    def _has_unnecessary_piece(self) -> bool:
        """Return whether a piece that the first engine needs is unnecessary for the second. It is not if the
        first finds a second solution without it that mates as soon for the second."""
        for _, reduced in each_piece_removed(self._position):
            if not is_same_problem(self._second, reduced, self._line):
                continue
            cook = cook_at_any_length(self._first, reduced, self._line, Limits(nodes=Rigour.wide_nodes))
            if cook is None:
                return True
            packed = pack(reduced)
            n = cook_length(self._first, packed, cook)
            with self._second.within(Limits(nodes=_CONFIRMING_NODES)):
                if not self._mates_without_detour(packed, cook.path, cook.check, n):
                    return True
        return False

    def _confirms_any(self, defect: Defect) -> bool:
        """Return whether a second solution of this kind is one for the second engine too, as late."""
        for found in self._judgement.findings:
            if found.of is not defect or not isinstance(found, SecondSolution):
                continue
            if found.length is None or found.late is None:
                continue
            *path, check = map(pack_move, found.line[: found.turn + 1])
            if self._mates_without_detour(self._packed, tuple(path), check, found.length - found.turn):
                return True
        return False

    def _mates_without_detour(self, packed: PackedPosition, path: Moves, check: int, n: int) -> bool:
        turns = [record_after(packed, path[:ply]) for ply in range(0, len(path) + 1, 2)]
        with line_played(packed, path), self._second.barring(turns):
            return self._second.mates_after(packed, check, n)


def _difference(what: str, ours: Defect, theirs: Defect) -> Iterator[str]:
    if ours != theirs:
        yield f"{what} {' '.join(ours.names) or 'none'} and {' '.join(theirs.names) or 'none'}"
