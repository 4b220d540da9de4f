# SPDX-License-Identifier: GPL-3.0-or-later
"""Findings: the lines that prove the judge's results.

Most lines are known from judging. A line that needs a search has its own nodes; if these or the current
limits run out, the finding has no line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TypeVar

from solver.engines.base import MateEngine
from solver.explaining.causes import Causes, forbidden_move
from solver.explaining.explanation import Proof, Try
from solver.explaining.tries import Trier, by_plausibility
from solver.judging.case import Case, Solution
from solver.judging.cooks import (
    Cook,
    CookKind,
    cook_kind,
    cook_length,
    cook_line,
    leaves_same_position,
    of_other_kind,
)
from solver.judging.findings import (
    SHORT,
    AllFail,
    CookClass,
    EqualDefence,
    LastMoves,
    LeftInHand,
    NeedlessPiece,
    OtherLength,
    ReadingsDiffer,
    SecondSolution,
    StartFault,
    StartsInCheck,
    VariationMate,
)
from solver.judging.given import line_without_longer
from solver.judging.grade import classifier
from solver.judging.interpositions import WithoutMoved, restored, without_moved
from solver.limits import LimitReached
from solver.results import Defect, Finding, Grade, Judgement, Limits, Readings
from solver.solving.tree import Reply, Turn, differs_in_form_only
from tsume_rules.kernel.state import packed_hand
from tsume_rules.moves import Move
from tsume_rules.packed import (
    Moves,
    answer_group,
    legal_checks,
    line_played,
    pack_move,
    record_after,
    unpack,
    unpack_move,
)
from tsume_rules.position import Hand, PlacementFault

T = TypeVar("T")
NODES = 300_000
"""Nodes for a search that one finding needs."""
NODES_FOR_A_TRY = 10_000
"""Nodes for each query about a check of a position without a mate."""
MOST_CAUSES = 10
"""Of the failing checks of a position without a mate, the causes of so many are looked for."""
MOST_LINES = 6
"""At most this many findings of one remark are shown."""


def illegal_start(faults: list[PlacementFault]) -> Judgement:
    """The judgement on a position that is not a legal start."""
    findings = tuple(StartFault(Defect.ILLEGAL_START, fault=one.sentence(), reason=one) for one in faults)
    return Judgement(
        Defect.ILLEGAL_START,
        findings=findings,
        grade=Grade.UNSOUND,
        faults=Defect.ILLEGAL_START,
    )


class Evidence:
    """Builds the findings of a case."""

    def __init__(self, engine: MateEngine, case: Case) -> None:
        self._engine = engine
        self._case = case
        self._record = case.record

    def shown(self, judgement: Judgement, *, tries: bool = True) -> Judgement:
        """The judgement with its findings and readings, and with ``tries`` how each check fails, not only the
        best one.
        """
        comparer = self._case.comparer
        readings = self._searched(lambda: comparer.readings(self._case.split)) if comparer else None
        findings = (*self._defects(readings, tries), *self._remarks())
        if readings is not None:
            readings = self._with_restoring(readings)
        # The line without moved interpositions that are only captured; empty if it is not shorter.
        root = self._case.root
        found = self._searched(lambda: without_moved(self._engine, self._record, root)) if root else None
        moved = found or WithoutMoved()
        return replace(
            judgement,
            findings=findings,
            readings=readings,
            without_longer=self._without_longer(),
            without_moved=_moves(moved.line),
            moved_between=_moves(moved.example),
        )

    def _without_longer(self) -> tuple[Move, ...]:
        """The line that may be meant where every longest defence leaves pieces and none was given."""
        case = self._case
        is_given = case.given is not None and case.given.reading is not None
        if Defect.LEFTOVER not in case.defects or is_given or case.length is None:
            return ()
        length = case.length
        found = self._searched(lambda: line_without_longer(self._engine, self._record, length))
        return _moves(found or ())

    # --- defects ------------------------------------------------------------------

    def _defects(self, readings: Readings | None, tries: bool) -> Iterator[Finding]:
        case, defects, line = self._case, self._case.defects, _moves(self._case.line)
        if Defect.NO_MATE in defects:
            yield self._all_fail(tries)
        if Defect.WRONG_LENGTH in defects:
            yield OtherLength(Defect.WRONG_LENGTH, line, case.expected or 0, case.length or 0)
        yield from self._solutions(Defect.COOK)
        if Defect.LEFTOVER in defects:
            yield LeftInHand(Defect.LEFTOVER, line, self._hand(case.line))
        yield from self._solutions(Defect.UNDETERMINED_FORM)
        for removed, smaller in case.removed:
            yield NeedlessPiece(Defect.UNNECESSARY_PIECE, line, removed.piece, removed.square, smaller)
        if Defect.GREY_INTERPOSITION in defects:
            yield self._grey(readings)
        yield from self._solutions(Defect.MIRROR_KEY)

    def _all_fail(self, tries: bool) -> AllFail:
        checks = legal_checks(self._record)
        shown = self._tries(checks) if tries else self._proved_tries(checks)
        shown.sort(key=lambda one: (pack_move(one.check),) != self._case.moves_given[:1])
        shown = [self._with_cause(one) for one in shown[:MOST_CAUSES]] + shown[MOST_CAUSES:]
        if not tries:  # the given or most plausible one, and one that fails by a rule
            named = [] if shown and shown[0].cause else [one for one in shown[1:] if one.cause]
            shown = [*shown[:1], *named[:1]]
        return AllFail(Defect.NO_MATE, (), len(checks), tuple(shown), forbidden_move(self._record))

    def _with_cause(self, found: Try) -> Try:
        ask = partial(Causes(self._engine).with_cause, self._record, found, cycles=True)
        return self._searched(ask) or found

    def _tries(self, checks: list[int]) -> list[Try]:
        """How checks fail, as far as that is found, the most plausible first."""
        trier = Trier(self._engine, NODES_FOR_A_TRY)
        found = (self._searched(partial(trier.look_at, self._record, check)) for check in checks)
        return by_plausibility(one for one in found if isinstance(one, Try))

    def _proved_tries(self, checks: list[int]) -> list[Try]:
        """The tries whose refutation is proved with few nodes for all of them, the most plausible first."""
        trier, proved = Trier(self._engine, NODES_FOR_A_TRY), []
        try:
            with self._engine.within(Limits(nodes=NODES)):
                for check in checks:
                    one = trier.look_at(self._record, check)
                    if isinstance(one, Try) and one.proof is not Proof.BOUNDED:
                        proved.append(one)
        except LimitReached:
            pass
        return by_plausibility(proved) or self._tries(checks)

    def _solutions(self, kind: Defect) -> Iterator[Finding]:
        for found in self._case.solutions:
            if found.kind is kind:
                yield self._second(kind, found.cook, found.line, found.length)
        if kind is Defect.COOK and kind in self._case.defects:  # found in a round that a limit cut short
            for cook in self._case.found:
                yield self._second(Defect.COOK, cook, (*cook.path, cook.check), None)

    def _second(self, of: Defect, cook: Cook, line: Moves, length: int | None) -> SecondSolution:
        turn = len(cook.path)
        found = self._case.class_of(cook)
        if found is not None and found.line is not None and len(line) == turn + 1:
            line, length = found.line, len(found.line) - turn
        return SecondSolution(
            of,
            _moves(line),
            turn,
            unpack_move(cook.turn.key),
            unpack_move(cook.check),
            None if length is None else turn + length,
            None if length is None else length - cook.turn.n,
            found.kind if found else None,
            found.joins if found else None,
            found.proved if found else True,
            found.same_check if found else False,
        )

    def _with_restoring(self, readings: Readings) -> Readings:
        """The readings with the restoring one, which searches only if the main line has a restoring drop."""
        case = self._case
        if not self._engine.spares_drops:
            return readings
        found = self._searched(lambda: restored(self._engine, self._record, readings.narrow, case.line))
        if found is None:
            return readings
        if found.length == readings.narrow:
            return replace(readings, restoring=found.length)
        return replace(
            readings,
            restoring=found.length,
            restoring_line=_moves(found.line),
            restoring_drop=_moves(found.drops[0]),
        )

    def _grey(self, readings: Readings | None) -> ReadingsDiffer:
        comparer, split = self._case.comparer, self._case.split
        assert comparer is not None
        found = self._searched(lambda: comparer.disputed_drop(split))
        line, futile_by = found or ((), ())
        return ReadingsDiffer(Defect.GREY_INTERPOSITION, _moves(line), readings, futile_by)

    # --- remarks ------------------------------------------------------------------

    def _remarks(self) -> Iterator[Finding]:
        case = self._case
        if case.root is None:
            return
        if Defect.STARTS_IN_CHECK in case.remarks:
            yield StartsInCheck(Defect.STARTS_IN_CHECK, ())
        yield from islice(self._leftovers(case.root), MOST_LINES)
        yield from islice(self._equal_defences(case.root), MOST_LINES)
        if Defect.LAST_MOVE_ALTERNATIVES in case.remarks:
            yield self._last_moves(case.root)
        for cook in case.detours[:MOST_LINES]:
            yield self._detour(cook)
        for cook in case.same_positions[:MOST_LINES]:
            yield self._same_position(cook)
        if case.variation:
            yield self._variation(case.root, case.variation)

    def _leftovers(self, root: Turn) -> Iterator[LeftInHand]:
        """The lines that leave a piece in hand, branching off where the best line leaves none."""
        of = Defect.LEFTOVER_IN_VARIATION
        if root.leftover and Defect.LEFTOVER not in self._case.defects:
            yield LeftInHand(of, _moves(self._case.line), self._hand(self._case.line))
        for path, turn in _walk(root):
            lines = [path + _through(turn, r) for r in turn.replies if r.turn and r.turn.leftover]
            finals = zip(turn.finals, turn.final_leftovers, strict=True)
            lines += [(*path, final) for final, leaves in finals if leaves]
            for line in lines if not turn.leftover else ():
                yield LeftInHand(of, _moves(line), self._hand(line))

    def _equal_defences(self, root: Turn) -> Iterator[EqualDefence]:
        path: Moves = ()
        for turn in root.best_turns():
            groups: dict[tuple[int, Moves], list[int]] = {}
            for reply in turn.replies:
                if reply is not turn.reply:
                    _, answer, *rest = _through(turn, reply)
                    groups.setdefault((answer_group(answer), tuple(rest)), []).append(answer)
            for (_, onward), answers in groups.items():
                line = (*path, turn.key, answers[0], *onward)
                yield EqualDefence(Defect.EQUAL_DEFENCES, _moves(line), len(path) + 1, _moves(answers))
            path += turn.key_and_defence

    def _last_moves(self, root: Turn) -> LastMoves:
        """The alternatives to the main line's last move; if it has none, those of another branch."""
        of = Defect.LAST_MOVE_ALTERNATIVES
        last = list(root.best_turns())[-1]
        if len(last.finals) > 1:
            return LastMoves(of, _moves(self._case.line), _moves(m for m in last.finals if m != last.key))
        path, turn = next((path, turn) for path, turn in _walk(root) if len(turn.finals) > 1)
        moves = _moves(move for move in turn.finals if move != turn.key)
        return LastMoves(of, _moves((*path, turn.key)), moves)

    def _detour(self, cook: Cook) -> SecondSolution:
        found = self._case.class_of(cook)
        if (self._case.length or 0) > SHORT:
            return self._second(Defect.DETOUR, cook, (*cook.path, cook.check), None)
        line = found.line if found else self._searched(lambda: cook_line(self._engine, self._record, cook))
        length = self._searched(lambda: cook_length(self._engine, self._record, cook)) if line else None
        return self._second(Defect.DETOUR, cook, line or (*cook.path, cook.check), length)

    def _same_position(self, cook: Cook) -> SecondSolution:
        line = (*cook.path, cook.check, *cook.turn.line()[1:])
        found = self._second(Defect.SAME_POSITION, cook, line, cook.turn.n)
        return replace(found, kind=CookClass.SAME_POSITION, joins=found.turn + 2, same_check=True)

    def _variation(self, root: Turn, line: Moves) -> VariationMate:
        """The finding on a line; its answer is the move that leaves the main tree."""
        at, turn = 1, root
        while reply := next((r for r in turn.replies if line[at : at + len(r.moves)] == r.moves), None):
            if reply.turn is None:
                break
            at, turn = at + len(reply.moves) + 1, reply.turn
        return VariationMate(Defect.VARIATION_COOK, _moves(line), at)

    # --- what they share ----------------------------------------------------------

    def _hand(self, line: Moves) -> Hand:
        """The attacker's hand after a line."""
        with line_played(self._record, line):
            return unpack(self._record).attacker_hand

    def _searched(self, question: Callable[[], T]) -> T | None:
        """The answer to a query that needs a search; None if nodes or limits run out."""
        try:
            with self._engine.within(Limits(nodes=NODES)):
                return question()
        except LimitReached:
            return None


def _moves(codes: Iterable[int]) -> tuple[Move, ...]:
    return tuple(map(unpack_move, codes))


def _through(turn: Turn, reply: Reply) -> Moves:
    """The best line from a turn through one of its replies."""
    return (turn.key, *reply.moves, *(reply.turn.line() if reply.turn else ()))


def _walk(root: Turn) -> Iterator[tuple[Moves, Turn]]:
    """Every turn of a main tree, once, with the moves that lead to it; those nearer the start first."""
    seen: set[int] = set()
    queue: list[tuple[Moves, Turn]] = [((), root)]
    for path, turn in queue:
        if id(turn) not in seen:
            seen.add(id(turn))
            yield path, turn
            queue += [((*path, turn.key, *r.moves), r.turn) for r in turn.replies if r.turn is not None]


# ---------------------------------------------------------------------------------------------------
#
# Reporting second solutions: as a defect with a line, or as the remark that a detour is.

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
