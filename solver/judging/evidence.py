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
from solver.explaining.explanation import Proof, Try
from solver.explaining.tries import CauseFinder, TryFinder, forbidden_move, sort_by_plausibility
from solver.judging.cooks import Cook, CookKind, cook_kind, cook_length, cook_line, leaves_same_position, non_key_checks
from solver.judging.findings import (
    SHORT,
    AllChecksFail,
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
from solver.judging.grade import CookWithLine, JudgementState, classifier
from solver.judging.interpositions import MovedReadingLine, moved_reading_line, restoring_length
from solver.results import Defect, Finding, Grade, Judgement, LimitReached, Limits, Readings
from solver.solving.tree import Turn, differs_in_form_only, walk_tree
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
MAX_CAUSES = 10
"""Of the failing checks of a position without a mate, the causes of so many are looked for."""
MAX_LINES = 6
"""At most this many findings of one remark are shown."""


def illegal_start(faults: list[PlacementFault]) -> Judgement:
    """Return the judgement on a position that is not a legal start."""
    findings = tuple(StartFault(Defect.ILLEGAL_START, fault=one.sentence(), reason=one) for one in faults)
    return Judgement(Defect.ILLEGAL_START, findings=findings, grade=Grade.UNSOUND, faults=Defect.ILLEGAL_START)


class Evidence:
    """Builds the findings of a case."""

    def __init__(self, engine: MateEngine, case: JudgementState) -> None:
        self._engine = engine
        self._case = case
        self._packed = case.packed

    def shown(self, judgement: Judgement, *, tries: bool = True) -> Judgement:
        """Return the judgement with its findings and readings. With ``tries`` these say how each check of a
        position without a mate fails, not only the best one."""
        case, engine, packed = self._case, self._engine, self._packed
        comparer, root, length = case.comparer, case.root, case.length
        readings = self._searched(lambda: comparer.readings(case.split)) if comparer else None
        findings = (*self._defects(readings, tries), *self._remarks())
        if readings is not None and engine.spares_drops:
            narrow = readings.narrow
            restoring = self._searched(lambda: restoring_length(engine, packed, narrow, case.line))
            if restoring is not None:
                readings = replace(readings, restoring=restoring.length)
            if restoring is not None and restoring.length != narrow:
                line, drop = _moves(restoring.line), _moves(restoring.drops[0])
                readings = replace(readings, restoring_line=line, restoring_drop=drop)
        # The line without moved interpositions that are only captured; empty if it is not shorter.
        found = self._searched(lambda: moved_reading_line(engine, packed, root)) if root else None
        moved = found or MovedReadingLine()
        # The line that may be meant where every longest defence leaves pieces and none was given.
        is_given = case.given is not None and case.given.reading is not None
        shorter: Moves | None = ()
        if Defect.LEFTOVER in case.defects and not is_given and length is not None:
            shorter = self._searched(lambda: line_without_longer(engine, packed, length))
        return replace(
            judgement,
            findings=findings,
            readings=readings,
            without_longer=_moves(shorter or ()),
            without_moved=_moves(moved.line),
            moved_between=_moves(moved.example),
        )

    # --- defects ------------------------------------------------------------------

    def _defects(self, readings: Readings | None, tries: bool) -> Iterator[Finding]:
        case, defects, line = self._case, self._case.defects, _moves(self._case.line)
        if Defect.NO_MATE in defects:
            checks = legal_checks(self._packed)
            shown = self._failing(checks, tries)
            yield AllChecksFail(Defect.NO_MATE, (), len(checks), tuple(shown), forbidden_move(self._packed))
        if Defect.WRONG_LENGTH in defects:
            yield OtherLength(Defect.WRONG_LENGTH, line, case.expected or 0, case.length or 0)
        yield from self._solutions(Defect.COOK)
        if Defect.LEFTOVER in defects:
            yield LeftInHand(Defect.LEFTOVER, line, self._hand(case.line))
        yield from self._solutions(Defect.UNDETERMINED_FORM)
        for removed, smaller in case.removed:
            yield NeedlessPiece(Defect.UNNECESSARY_PIECE, line, removed.piece, removed.square, smaller)
        if Defect.GREY_INTERPOSITION in defects:
            comparer = case.comparer
            assert comparer is not None
            found = self._searched(lambda: comparer.disputed_drop(case.split))
            drop, futile_by = found or ((), ())
            yield ReadingsDiffer(Defect.GREY_INTERPOSITION, _moves(drop), readings, futile_by)
        yield from self._solutions(Defect.MIRROR_KEY)

    def _failing(self, checks: list[int], tries: bool) -> list[Try]:
        """Return how checks fail, as far as that is found: the given one first, then the most plausible.
        Without ``tries`` return only the first, and one that fails by a rule."""
        engine, packed, given = self._engine, self._packed, self._case.moves_given[:1]
        trier, found = TryFinder(engine, NODES_FOR_A_TRY), list[Try]()
        if not tries:  # those whose refutation is proved with few nodes for all of them, if there are any
            try:
                with engine.within(Limits(nodes=NODES)):
                    for check in checks:
                        one = trier.look_at(packed, check)
                        if isinstance(one, Try) and one.proof is not Proof.BOUNDED:
                            found.append(one)
            except LimitReached:
                pass
        if not found:
            looked_at = (self._searched(partial(trier.look_at, packed, check)) for check in checks)
            found = [one for one in looked_at if isinstance(one, Try)]
        shown = sort_by_plausibility(found)
        shown.sort(key=lambda one: (pack_move(one.check),) != given)
        for i, one in enumerate(shown[:MAX_CAUSES]):
            ask = partial(CauseFinder(engine).with_cause, packed, one, cycles=True)
            shown[i] = self._searched(ask) or one
        if not tries:
            by_rule = [] if shown and shown[0].cause else [one for one in shown[1:] if one.cause]
            shown = [*shown[:1], *by_rule[:1]]
        return shown

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

    # --- remarks ------------------------------------------------------------------

    def _remarks(self) -> Iterator[Finding]:
        case, root, engine, packed = self._case, self._case.root, self._engine, self._packed
        if root is None:
            return
        if Defect.STARTS_IN_CHECK in case.remarks:
            yield StartsInCheck(Defect.STARTS_IN_CHECK, ())
        yield from islice(self._leftovers(root), MAX_LINES)
        yield from islice(self._equal_defences(root), MAX_LINES)
        if Defect.LAST_MOVE_ALTERNATIVES in case.remarks:
            # Those to the main line's last move; if it has none, those of another branch.
            line, turn = case.line, list(root.best_turns())[-1]
            if len(turn.finals) < 2:
                path, turn = next((path, turn) for path, turn in walk_tree(root) if len(turn.finals) > 1)
                line = (*path, turn.key)
            moves = _moves(move for move in turn.finals if move != turn.key)
            yield LastMoves(Defect.LAST_MOVE_ALTERNATIVES, _moves(line), moves)
        for cook in case.detours[:MAX_LINES]:
            detour, length, kind = (*cook.path, cook.check), None, case.class_of(cook)
            if (case.length or 0) <= SHORT:
                own = kind.line if kind else self._searched(partial(cook_line, engine, packed, cook))
                detour = own or detour
                length = self._searched(partial(cook_length, engine, packed, cook)) if own else None
            yield self._second(Defect.DETOUR, cook, detour, length)
        for cook in case.same_positions[:MAX_LINES]:
            line = (*cook.path, cook.check, *cook.turn.line()[1:])
            found = self._second(Defect.SAME_POSITION, cook, line, cook.turn.n)
            joins = found.turn + 2
            yield replace(found, kind=CookClass.SAME_POSITION, joins=joins, same_check=True)
        if line := case.variation or ():
            # Its answer is the move that leaves the main tree.
            at, turn = 1, root
            while reply := next((r for r in turn.replies if line[at : at + len(r.moves)] == r.moves), None):
                if reply.turn is None:
                    break
                at, turn = at + len(reply.moves) + 1, reply.turn
            yield VariationMate(Defect.VARIATION_COOK, _moves(line), at)

    def _leftovers(self, root: Turn) -> Iterator[LeftInHand]:
        """Yield the lines that leave a piece in hand, branching off where the best line leaves none."""
        of = Defect.LEFTOVER_IN_VARIATION
        if root.leftover and Defect.LEFTOVER not in self._case.defects:
            yield LeftInHand(of, _moves(self._case.line), self._hand(self._case.line))
        for path, turn in walk_tree(root):
            lines = [(*path, turn.key, *r.line()) for r in turn.replies if r.turn and r.turn.leftover]
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
                    answer, *rest = reply.line()
                    groups.setdefault((answer_group(answer), tuple(rest)), []).append(answer)
            for (_, onward), answers in groups.items():
                line = (*path, turn.key, answers[0], *onward)
                yield EqualDefence(Defect.EQUAL_DEFENCES, _moves(line), len(path) + 1, _moves(answers))
            path += turn.key_and_defence

    # --- what they share ----------------------------------------------------------

    def _hand(self, line: Moves) -> Hand:
        """Return the attacker's hand after a line."""
        with line_played(self._packed, line):
            return unpack(self._packed).attacker_hand

    def _searched(self, question: Callable[[], T]) -> T | None:
        """Return the answer to a query that needs a search; None if nodes or limits run out."""
        try:
            with self._engine.within(Limits(nodes=NODES)):
                return question()
        except LimitReached:
            return None


def _moves(codes: Iterable[int]) -> tuple[Move, ...]:
    return tuple(map(unpack_move, codes))


# --- reporting second solutions: as a defect with a line, or as the remark that a detour is -------

MAX_COOK_LINES = 20
"""At most this many second solutions get a line; the first that differs in form only always does."""


class SolutionReport:
    """Reports the second solutions of a case.

    Mates that avoid the line are searched for to ``margin`` plies beyond the end.
    """

    def __init__(self, engine: MateEngine, margin: int) -> None:
        self._engine = engine
        self._margin = margin

    def report(self, case: JudgementState, cook: Cook) -> None:
        """Report a second solution behind any longest defence. Raises `LimitReached`."""
        if self.leaves_same_position(case, cook):
            return
        way, found = cook_kind(self._engine, case.packed, cook, self._margin), case.class_of(cook)
        is_shown = way is CookKind.COOK or len(case.detours) < MAX_LINES
        if is_shown and case.classes and found is None and cook.turn.line():
            line = cook.path + cook.turn.line()
            found = classifier(self._engine, case, line, self._margin).classify(cook)
            case.classify(cook, found, len(line) + self._margin)
        if way is CookKind.DETOUR_SO_FAR and found and found.kind is not CookClass.DETOUR:
            way = CookKind.COOK
        if way is CookKind.COOK:
            self._add_solution(case, cook)
            return
        case.remarks |= Defect.DETOUR
        case.detours.append(cook)
        if way is CookKind.DETOUR_SO_FAR:
            case.limit_searched(len(cook.path) + cook.turn.n + self._margin)

    def leaves_same_position(self, case: JudgementState, cook: Cook) -> bool:
        """Return whether it is a form of the key that leaves the same position, which is a remark. Raises
        `LimitReached`."""
        with line_played(case.packed, cook.path):
            same = leaves_same_position(self._engine, case.packed, cook)
        if same:
            case.remarks |= Defect.SAME_POSITION
            case.same_positions.append(cook)
        return same

    def report_line_cook(self, case: JudgementState) -> None:
        """Report the second solutions that the grade found if the search behind all defences did not reach them."""
        if case.line_cook is not None and Defect.COOK not in case.defects:
            self._add_solution(case, case.line_cook)
        for cook in self.minor_cooks(case):
            self._add_solution(case, cook)

    def minor_cooks(self, case: JudgementState) -> list[Cook]:
        """Return those along the judged line that are blemishes and not reported yet; detours become remarks."""
        reported = {(cook.path, cook.check) for cook in [*case.found, *case.detours]}
        reported |= {(found.cook.path, found.cook.check) for found in case.solutions}
        rest = [cook for cook in case.minor if (cook.path, cook.check) not in reported]
        detours = [cook for cook in rest if case.blemish_of(cook) is Defect.DETOUR]
        if detours:
            case.remarks |= Defect.DETOUR
            case.detours += detours
        return [cook for cook in rest if cook not in detours]

    def _add_solution(self, case: JudgementState, cook: Cook) -> None:
        packed, key, kind = record_after(case.packed, cook.path), cook.turn.key, Defect.MIRROR_KEY
        if differs_in_form_only(packed, key, cook.check):
            kind = Defect.UNDETERMINED_FORM
        elif non_key_checks(packed, key, [cook.check]):
            kind = Defect.COOK
        found = case.class_of(cook)
        if found and found.line and (case.length or 0) > SHORT:
            case.solutions.append(CookWithLine(cook, found.line, len(found.line) - len(cook.path), kind))
        elif found and found.line and found.joins is not None:
            length = cook_length(self._engine, case.packed, cook)
            case.solutions.append(CookWithLine(cook, found.line, length, kind))
        elif kind not in case.defects or len(case.solutions) < MAX_COOK_LINES:
            length = cook_length(self._engine, case.packed, cook)
            line = cook_line(self._engine, case.packed, cook)
            if found and found.kind is CookClass.TRUE and found.line is None:
                # Its own line was not found; the shortest says whether it leaves pieces in hand.
                with line_played(case.packed, line):
                    if packed_hand(case.packed) != 0:
                        case.classified[cook.path, cook.check] = replace(found, kind=CookClass.LEFTOVER)
            case.solutions.append(CookWithLine(cook, line, length, kind))
        case.defects |= kind
