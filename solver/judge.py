"""The judge: every defect of a problem, by the names of docs/rules.md."""

from __future__ import annotations

from dataclasses import dataclass, field

from rules.game import start_faults
from rules.making import after
from rules.packing import Record, pack, unpack_move
from rules.position import Position
from solver.cooks import (
    Cook,
    Station,
    Way,
    cook_line,
    differs_in_form_only,
    refute,
    refute_ever,
    stations,
    way_of,
)
from solver.deepening import search_length
from solver.engine import LimitReached, Solver
from solver.grey import is_grey
from solver.minimal import is_same_problem, reductions
from solver.results import Judgement, Limits, Mate, NoMate, Reason, Remark, Verdict
from solver.tree import TreeBuilder, Turn, all_turns
from solver.variations import has_variation_cook

MOST_COOK_LINES = 20
"""So many second solutions are told move by move."""


@dataclass(frozen=True)
class Rigour:
    """How far the judge looks for second solutions.

    ``margins``: plies beyond the main line's end, in rising order; the first
    ``required`` of them must be searched through, the others are as long as
    ``nodes`` last. Between the two, each check still open is searched without a
    bound with at most ``unbounded_nodes``. ``first_defect`` stops at the first
    defect found, and as unresolved at the first check that stays open without a
    bound; a detour counts as a cook then.
    """

    margins: tuple[int, ...] = (0, 2, 4, 8, 12, 16, 24, 32)
    required: int = 4
    nodes: int = 60_000
    unbounded_nodes: int = 20_000
    first_defect: bool = False


class _Stop(Exception):  # a defect was found and one is enough
    pass


@dataclass
class _Case:
    """A problem before the judge, and what was found so far."""

    record: Record
    rigour: Rigour
    verdict: Verdict = Verdict.CORRECT
    remarks: Remark = Remark.NONE
    length: int | None = None
    root: Turn | None = None
    cooks: list[tuple[int, ...]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    searched: int | None = 0
    found: list[Cook] = field(default_factory=list)
    detours_to: int | None = None
    """How far the detours that are not settled were followed."""

    def limit_searched(self, plies: int) -> None:
        self.detours_to = plies if self.detours_to is None else min(plies, self.detours_to)

    def searched_to(self) -> int | None:
        known = [plies for plies in (self.searched, self.detours_to) if plies is not None]
        return min(known) if known else None

    def defect(self, flag: Verdict) -> None:
        self.verdict |= flag
        if self.rigour.first_defect:
            raise _Stop

    @property
    def line(self) -> tuple[int, ...]:
        return self.root.line() if self.root else ()


class Judge:
    """Judges problems with one solver, whose table neighbouring positions share."""

    def __init__(self, solver: Solver | None = None, rigour: Rigour | None = None) -> None:
        self._solver = solver or Solver()
        self._rigour = rigour or Rigour()

    def judge(
        self, position: Position, expected: int | None = None, limits: Limits | None = None
    ) -> Judgement:
        """The verdict on a position with the attacker to move.

        ``expected`` is the length it is said to have. A limit that is reached
        makes the judgement unresolved; the defects found before are in it.
        """
        faults = start_faults(position)
        if faults:
            return Judgement(Verdict.ILLEGAL_START, faults=tuple(faults))
        case = _Case(pack(position), self._rigour)
        unresolved = False
        try:
            with self._solver.within(limits or Limits()):
                self._examine(case, position, expected)
        except LimitReached:
            unresolved = True
            if any(cook.bound <= cook.turn.n for cook in case.found):
                case.verdict |= Verdict.COOK
        except _Stop:
            pass
        return _judgement(case, unresolved)

    def _examine(self, case: _Case, position: Position, expected: int | None) -> None:
        """All rules, cheapest first."""
        if not self._solve(case, expected):
            return
        places = self._shape(case)
        self._refute(case, places, self._rigour.margins[: self._rigour.required])
        self._report_found(case)
        if len(case.line) != case.length or is_grey(self._solver, case.record, case.line):
            case.defect(Verdict.GREY_INTERPOSITION)
        self._minimal(case, position)
        self._refute_further(case, places)
        self._report_found(case)
        self._look_at_variations(case, places)

    # --- rules 1 to 6 -------------------------------------------------------------

    def _solve(self, case: _Case, expected: int | None) -> bool:
        """Rule 1: there is a mate, and it has the length it should have."""
        result = search_length(self._solver, case.record, Limits())
        if isinstance(result, NoMate):
            case.defect(Verdict.NO_MATE)
            return False
        if not isinstance(result, Mate):
            raise LimitReached(result.reason)
        case.length = result.length
        case.root = TreeBuilder(self._solver).turn(case.record, result.length)
        if expected is not None and expected != result.length:
            case.defect(Verdict.WRONG_LENGTH)
        return True

    def _shape(self, case: _Case) -> list[Station]:
        """Rule 4 and what is remarked of the main tree; returns the turns to defend."""
        assert case.root is not None
        if case.root.leftover and len(case.line) == case.length:
            case.defect(Verdict.LEFTOVER)
        for turn in all_turns(case.root):
            if turn.leftover or any(turn.final_leftovers):
                case.remarks |= Remark.LEFTOVER_IN_VARIATION
            if len(turn.replies) > 1:
                case.remarks |= Remark.EQUAL_DEFENCES
            if len(turn.finals) > 1:
                case.remarks |= Remark.LAST_MOVE_ALTERNATIVES
        return stations(case.record, case.root)

    def _refute(self, case: _Case, places: list[Station], margins: tuple[int, ...]) -> None:
        """Rules 2, 5 and 6 as far as the margins go."""
        for margin in margins:
            for station in places:
                while cook := refute(self._solver, case.record, station, margin):
                    case.found.append(cook)
                    if self._rigour.first_defect:
                        self._report_found(case)
            if any(station.open_checks for station in places):
                case.searched = (case.length or 0) + margin
            else:
                case.searched = None
                return

    def _report_found(self, case: _Case) -> None:
        """Make defects or remarks of the cooks found."""
        while case.found:
            self._report(case, case.found[0])
            case.found.pop(0)

    def _report(self, case: _Case, cook: Cook) -> None:
        if self._rigour.first_defect:
            case.defect(Verdict.COOK)
        furthest = self._rigour.margins[self._rigour.required - 1]
        way = way_of(self._solver, case.record, cook, furthest)
        if way is not Way.COOK:
            case.remarks |= Remark.DETOUR
            if way is Way.DETOUR_SO_FAR:
                case.limit_searched(len(cook.path) + cook.turn.n + furthest)
            return
        if len(case.cooks) < MOST_COOK_LINES:
            case.cooks.append(cook_line(self._solver, case.record, cook))
        if differs_in_form_only(after(case.record, cook.path), cook.turn, cook.check):
            case.verdict |= Verdict.UNDETERMINED_FORM
        case.defect(Verdict.COOK)

    def _refute_further(self, case: _Case, places: list[Station]) -> None:
        """Look for longer cooks: without a bound, then bounded while the nodes for it last."""
        if case.searched is None:
            return
        self._refute_ever(case, places)
        try:
            with self._solver.within(Limits(nodes=self._rigour.nodes)):
                for margin in self._rigour.margins[self._rigour.required :]:
                    if case.searched is not None:
                        self._refute(case, places, (margin,))
        except LimitReached:
            self._solver.check_limits()  # the outer limits still end the whole judgement

    def _refute_ever(self, case: _Case, places: list[Station]) -> None:
        for station in places:
            while cook := refute_ever(self._solver, case.record, station, self._rigour.unbounded_nodes):
                case.found.append(cook)
                if self._rigour.first_defect:
                    self._report_found(case)
            if self._rigour.first_defect and station.open_checks:
                raise LimitReached(Reason.NODES)
        if not any(station.open_checks for station in places):
            case.searched = None

    def _look_at_variations(self, case: _Case, places: list[Station]) -> None:
        if any(has_variation_cook(self._solver, case.record, station) for station in places):
            case.remarks |= Remark.VARIATION_COOK

    # --- rule 7 -------------------------------------------------------------------

    def _minimal(self, case: _Case, position: Position) -> None:
        margins = self._rigour.margins[: self._rigour.required]
        for name, reduced in reductions(position):
            if is_same_problem(self._solver, reduced, case.line, margins):
                case.faults.append(f"{name} is not needed")
                case.defect(Verdict.UNNECESSARY_PIECE)


def _judgement(case: _Case, unresolved: bool) -> Judgement:
    return Judgement(
        verdict=case.verdict,
        unresolved=unresolved,
        length=case.length,
        line=tuple(unpack_move(code) for code in case.line),
        cooks=tuple(tuple(unpack_move(code) for code in cook) for cook in case.cooks),
        searched=case.searched_to(),
        remarks=case.remarks,
        faults=tuple(case.faults),
    )
