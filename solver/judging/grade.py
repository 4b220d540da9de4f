"""Grades: what people mean by correct (docs/rules.md, "Grades").

The nine conditions are what `generate` publishes; printed problems are judged more kindly. A
problem is graded by one line, the *judged line*: the composer's where it is given and best by one
of the readings, else the program's own. What spoils that line is a fault, anything else that the
conditions forbid a blemish (キズ).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice

from solver.engines.base import MateEngine
from solver.judging.case import Case
from solver.judging.cooks import Cook, Station, Way, refute, refute_ever, way_of
from solver.judging.grey import Purist
from solver.judging.symmetry import mirror_of_key
from solver.limits import LimitReached
from solver.results import Blemish, Fault, Grade, Interposition, Judgement, Limits, Remark, Verdict
from solver.solving.form import differs_in_form_only
from solver.solving.tree import Turn
from tsume_rules.kernel.state import packed_hand
from tsume_rules.packing import Record, pack_move
from tsume_rules.record_moves import legal_checks
from tsume_rules.record_play import Moves, line_played

_MOST_LATE = 5
"""At most this many of the latest second solutions are looked at."""
_OF_VERDICT = {
    Verdict.UNDETERMINED_FORM: Blemish.FORM,
    Verdict.MIRROR_KEY: Blemish.MIRROR_KEY,
    Verdict.UNNECESSARY_PIECE: Blemish.UNNECESSARY_PIECE,
    Verdict.GREY_INTERPOSITION: Blemish.GREY_INTERPOSITION,
}
_OF_REMARK = {
    Remark.EQUAL_DEFENCES: Blemish.EQUAL_DEFENCES,
    Remark.LEFTOVER_IN_VARIATION: Blemish.LEFTOVER_IN_VARIATION,
    Remark.DETOUR: Blemish.DETOUR,
}


@dataclass(frozen=True)
class Reach:
    """How far second solutions along the judged line are looked for.

    Within the first of ``margins`` beyond the end; each check still open at any length with
    ``unbounded_nodes``, which is often the quicker way; within the other ``margins``; then within
    the ``further`` margins while ``nodes`` last.
    """

    margins: tuple[int, ...]
    further: tuple[int, ...]
    unbounded_nodes: int
    nodes: int


def graded(case: Case, judgement: Judgement) -> Judgement:
    """A judgement with its grade, faults and blemishes; without a grade where its faults are not settled.

    A problem without a fault some of whose conditions are not settled is sound, never perfect.
    """
    faults = case.graded_faults
    if Fault.COOK not in (faults or ()) and _has_cook_found_later(case):
        faults = tuple(fault for fault in Fault if fault in {*(faults or ()), Fault.COOK})
    if faults is None:
        return replace(judgement, given=case.given)
    if faults:
        grade = Grade.UNSOUND
    else:
        grade = Grade.PERFECT if judgement.correct and not _is_longer(case) else Grade.SOUND
    marks = tuple(_blemishes(case, faults))
    return replace(judgement, grade=grade, graded_faults=faults, blemishes=marks, given=case.given)


def _has_cook_found_later(case: Case) -> bool:
    """Whether the judge, who looks further, found a second solution along the judged line."""
    line = judged_line(case)
    return any(_is_on(found.cook, line) for found in case.solutions if found.kind is Verdict.COOK)


def _is_on(cook: Cook, line: Moves) -> bool:
    """Whether a second solution leaves a line before its last move, with another move than its own."""
    at = len(cook.path)
    return cook.path == line[:at] and at < max(len(line) - 1, 1) and cook.check != line[at]


def judged_line(case: Case) -> Moves:
    """The given line where it is best by a reading, else the program's main line."""
    given = case.given
    return tuple(map(pack_move, given.moves)) if given and given.reading else case.line


def _is_longer(case: Case) -> bool:
    return case.given is not None and case.given.reading == "longer"


def faults_of(engine: MateEngine, case: Case, reach: Reach) -> tuple[Fault, ...]:
    """What makes a problem unsound, once its length and its main line are known. Raises `LimitReached`."""
    return tuple(_faults(engine, case, reach))


def _faults(engine: MateEngine, case: Case, reach: Reach) -> Iterator[Fault]:
    said = _said_length(case)
    if said is not None and said != case.length:
        lengths = _lengths(engine, case, said)
        if said not in lengths:
            yield Fault.EARLY_MATE if min(lengths) < said else Fault.WRONG_LENGTH
    line = judged_line(case)
    if _is_cooked(engine, case.record, line, reach):
        yield Fault.COOK
    with line_played(case.record, line):
        leaves = packed_hand(case.record) != 0
    if leaves and len(case.line) == case.length and (case.root is None or case.root.leftover):
        yield Fault.LEFTOVER


def _blemishes(case: Case, faults: tuple[Fault, ...]) -> Iterator[Blemish]:
    marks = {mark for flag, mark in _OF_VERDICT.items() if flag in case.verdict}
    marks |= {mark for remark, mark in _OF_REMARK.items() if remark in case.remarks}
    if Verdict.COOK in case.verdict and Fault.COOK not in faults:
        marks.add(Blemish.COOK_IN_EQUAL_DEFENCE)
    if _is_longer(case):
        marks.add(Blemish.LONGER_WITH_LEFTOVER)
    return (mark for mark in Blemish if mark in marks)


def _said_length(case: Case) -> int | None:
    """The length the problem is said to have: as a number, or by a legal line to mate."""
    if case.expected is not None:
        return case.expected
    given = case.given
    legal = given is not None and (given.wrong_at is None or given.better or given.reading)
    return len(given.moves) if given is not None and legal and len(given.moves) % 2 else None


def _lengths(engine: MateEngine, case: Case, said: int) -> set[int]:
    """The lengths by the three readings, as far as they bear on the one that is said."""
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


# --- second solutions along a line --------------------------------------------------------


def _is_cooked(engine: MateEngine, record: Record, line: Moves, reach: Reach) -> bool:
    """Whether a turn of a line before the last has a second solution of another kind, at any length."""
    furthest = reach.margins[-1]
    places = list(_stations(record, line))
    found = chain(
        _mating_within(engine, record, places, reach.margins[:1]),
        _mating_ever(engine, record, places, reach.unbounded_nodes),
        _mating_within(engine, record, places, reach.margins[1:]),
    )
    if any(way_of(engine, record, cook, furthest) is Way.COOK for cook in found):
        return True
    try:
        with engine.within(Limits(nodes=reach.nodes)):
            cooks = list(islice(_mating_within(engine, record, places, reach.further), _MOST_LATE))
    except LimitReached:
        engine.check_limits()
        return False
    return any(way_of(engine, record, cook, furthest) is Way.COOK for cook in cooks)


def _mating_within(
    engine: MateEngine, record: Record, places: list[Station], margins: tuple[int, ...]
) -> Iterator[Cook]:
    for margin in margins:
        for place in places:
            while cook := refute(engine, record, place, margin):
                yield cook


def _mating_ever(engine: MateEngine, record: Record, places: list[Station], nodes: int) -> Iterator[Cook]:
    for place in places:
        while cook := refute_ever(engine, record, place, nodes):
            yield cook


def _stations(record: Record, line: Moves) -> Iterator[Station]:
    """The attacker's turns of a line at which its check must be the only one of its kind."""
    for ply in range(0, max(len(line) - 1, 1), 2):
        with line_played(record, line[:ply]):
            key = line[ply]
            image = mirror_of_key(record, key)
            others = [
                check
                for check in legal_checks(record)
                if not differs_in_form_only(record, key, check)
                and not (image is not None and differs_in_form_only(record, image, check))
            ]
        yield Station(line[:ply], Turn(len(line) - ply, key), others)
