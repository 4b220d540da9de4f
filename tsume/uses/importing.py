# SPDX-License-Identifier: GPL-3.0-or-later
"""Importing problems: each is judged, scored, appraised and proofread, then stored."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from db.errors import StoreError
from db.notebook import NotebookEdit
from db.problem_rows import ProblemAddition
from db.store import Store
from generator.problem import STORED, Problem
from generator.resemblance import Placement, Resemblance, ResemblanceIndex
from solver.results import Defect, Judgement, Limits, Reason
from tsume.files.entries import Entry
from tsume.files.exported import TrustedProblem, imported_notebook, record_to_store, trusted_problem
from tsume.uses.checking import Checker, CheckOptions, appraised_problem, proofread
from tsume_rules.moves import Move
from tsume_rules.position import Position

if TYPE_CHECKING:
    from solver.engines.dfpn.engine import DfPnEngine
    from solver.scoring.difficulty import Scorer


# --- prior art: which problems equal known ones, or nearly so (`generator.resemblance`) ------------


@dataclass(frozen=True)
class KnownProblem:
    """A known problem that resembles another one: where it stands, and how much they are alike.

    ``excludes``: the other one is to be left out.
    """

    place: str
    kind: Resemblance
    excludes: bool


class PriorArt:
    """Known problems, which exclude equal ones and, unless ``keeps_near``, near ones."""

    def __init__(self, entries: Iterable[Entry] = (), *, keeps_near: bool = False) -> None:
        self._keeps_near = keeps_near
        self._index = ResemblanceIndex()
        self._places: list[str] = []
        for entry in entries:
            assert entry.parsed is not None
            self._index.add(Placement(entry.parsed.position, entry.line))
            self._places.append(entry.place)

    def __len__(self) -> int:
        return len(self._places)

    def resembling(self, position: Position, line: tuple[Move, ...] = ()) -> KnownProblem | None:
        """The known problem that is most like this one; None without any. ``line`` is empty if unknown."""
        found = self._index.nearest(Placement(position, line)) if self._places else None
        if found is None:
            return None
        excludes = found.kind.is_equal or not self._keeps_near
        return KnownProblem(self._places[found.number], found.kind, excludes)


NO_PRIOR_ART = PriorArt()


# --- importing problems ----------------------------------------------------------------------------

SECONDS = 60.0
"""Time limit for the judgement of one problem, and for its score."""
_AT_ONCE = 500
"""Problems that are stored in one transaction, at most."""
_MOMENT = 0.25
"""Seconds that the first of them may wait for the last."""


@dataclass(frozen=True)
class CheckedEntry:
    """The judgement of an entry, and the problem if it may be stored.

    ``limit`` is the limit that kept a correct problem from its score; then it may not be stored.
    """

    judgement: Judgement
    problem: Problem | None = None
    limit: Reason | None = None


def _is_accepted(judgement: Judgement, *, strict: bool) -> bool:
    """Return whether the grade allows a problem to be stored."""
    return judgement.strictly_perfect if strict else judgement.grade in STORED


@dataclass(frozen=True)
class ImportOptions:
    """What may be stored: what is perfect or, unless ``strict``, sound.

    With ``evidence`` the judgement has findings. Judgement and score may take ``seconds`` each; None:
    `SECONDS`. ``grade_only``: second solutions at any length, which the grade seldom depends on, are searched
    for with a tenth of the nodes.
    """

    strict: bool = False
    grade_only: bool = False
    evidence: bool = False
    seconds: float | None = None


COMMAND = ImportOptions()
"""Of the command: a refused problem is one line."""
BOARD = ImportOptions(evidence=True)
"""Of the board, which shows why a problem is refused."""


class EntryChecker:
    """Checks entries with one engine, made when it is first needed unless one is given."""

    def __init__(self, options: ImportOptions = COMMAND, engine: DfPnEngine | None = None) -> None:
        self._strict = options.strict
        self._seconds = SECONDS if options.seconds is None else options.seconds
        judging = CheckOptions(evidence=options.evidence, all_findings=False, quick=options.grade_only)
        self._checker = Checker(judging, engine)

    @cached_property
    def _scorer(self) -> Scorer:
        from solver.scoring.difficulty import Scorer

        return Scorer()

    def check(self, entry: Entry, judgement: Judgement | None = None) -> CheckedEntry:
        """Return the judgement of an entry whose position was read, and the problem to be stored. The judgement can be
        given if it is known already."""
        assert entry.parsed is not None
        judgement = judgement or self._judged(entry.parsed.position, entry.line)
        if not _is_accepted(judgement, strict=self._strict):
            return CheckedEntry(judgement)
        from solver.judging.judge import same_when_counted
        from solver.results import LimitReached

        assert entry.parsed is not None
        assert judgement.length is not None
        position, given = entry.parsed.position, judgement.given
        try:
            difficulty = self._scorer.score(position, judgement.length, Limits(seconds=self._seconds))
        except LimitReached as limit:
            return CheckedEntry(judgement, limit=limit.reason)
        best = given.best_line if given and given.reading in (None, "narrow") else ()
        line = best or judgement.line
        problem = Problem(
            position, replace(judgement, line=line), difficulty, record=record_to_store(entry, line, given),
            same_when_counted=same_when_counted(self._scorer.engine, position, judgement.length),
        )  # fmt: skip
        problem = appraised_problem(problem, self._scorer.engine)
        proofread(problem)
        return CheckedEntry(judgement, problem)

    def _judged(self, position: Position, line: tuple[Move, ...]) -> Judgement:
        """Return the judgement; a given line that is not best is named but has no effect on it."""
        judgement = self._checker.judge(position, line=line, seconds=self._seconds)
        given = judgement.given
        is_line_alone_at_fault = judgement.faults and judgement.faults in Defect.EARLY_MATE | Defect.WRONG_LENGTH
        if given is None or given.reading or not is_line_alone_at_fault:
            return judgement
        return replace(self._checker.judge(position, seconds=self._seconds), given=given)


class ImportStatus(Enum):
    """What became of an entry; `NEW`: it was compared with known problems only."""

    STORED = "stored"
    DUPLICATE = "stored already"
    REFUSED = "refused"
    UNRESOLVED = "unresolved"
    INVALID = "invalid"
    KNOWN = "known"
    NEAR = "near"
    NEW = "new"


@dataclass(frozen=True)
class ImportOutcome:
    """What became of an entry: the ``id`` of its problem in the store; without a check no ``checked``.

    ``known`` is the known problem that it resembles, also if it is stored all the same.
    """

    entry: Entry
    status: ImportStatus
    id: int | None = None
    checked: CheckedEntry | None = None
    known: KnownProblem | None = None


def compared_outcome(entry: Entry, prior_art: PriorArt) -> ImportOutcome:
    """Return the outcome for an entry that is only compared with known problems."""
    if entry.parsed is None:
        return ImportOutcome(entry, ImportStatus.INVALID)
    known = prior_art.resembling(entry.parsed.position, entry.line)
    if known is None or not known.excludes:
        return ImportOutcome(entry, ImportStatus.NEW, known=known)
    return ImportOutcome(entry, ImportStatus.KNOWN if known.kind.is_equal else ImportStatus.NEAR, known=known)


class Importer:
    """Stores problems that were checked, or are trusted, in the order in which they are given.

    Those that come within a moment are stored in one transaction. Lines of JSON with a fitting hash are
    trusted with ``trusts`` if their problems are acceptable, as for an `EntryChecker`. ``prior_art`` excludes
    problems before they are checked. ``stored`` lists the ids of new problems.
    """

    def __init__(self, store: Store, prior_art: PriorArt = NO_PRIOR_ART, *, trusts: bool, strict: bool = False) -> None:
        self._store = store
        self._trusts, self._strict = trusts, strict
        self._prior_art = prior_art
        self._found: deque[tuple[ImportOutcome, TrustedProblem | int | None]] = deque()
        self._pending: list[tuple[ImportOutcome, ProblemAddition | None]] = []
        self._stored_at = time.monotonic()
        self._ids: dict[tuple[str, int | str], int] = {}
        self._versions: list[tuple[int, tuple[str, int]]] = []
        self.stored: list[int] = []

    def to_check(self, entry: Entry) -> Entry | None:
        """The entry if it must be checked, which takes long: not one that is known, stored or trusted."""
        compared = compared_outcome(entry, self._prior_art)
        found = self._trusted_or_stored(entry) if compared.status is ImportStatus.NEW else None
        self._found.append((compared, found))
        return entry if found is None and compared.status is ImportStatus.NEW else None

    def _trusted_or_stored(self, entry: Entry) -> TrustedProblem | int | None:
        """Return what need not be checked: the problem of a trusted line, or the id of a stored one."""
        found = trusted_problem(entry) if self._trusts else None
        if found is not None and _is_accepted(found.problem.judgement, strict=self._strict):
            return found
        return None if entry.parsed is None else self._store.id_of(entry.parsed.position)

    def add(self, checked: CheckedEntry | None) -> list[ImportOutcome]:
        """Take the check of the next entry; returns the outcomes of those that are settled by now."""
        compared, found = self._found.popleft()
        if compared.status is ImportStatus.NEW:
            outcome, addition = _import_decision(compared.entry, found, checked)
            self._pending.append((replace(outcome, known=compared.known), addition))
        else:
            self._pending.append((compared, None))
        is_due = len(self._pending) >= _AT_ONCE or time.monotonic() - self._stored_at >= _MOMENT
        return self.flush() if is_due else []

    def flush(self) -> list[ImportOutcome]:
        """Store what is pending; returns its outcomes."""
        pending, self._pending = self._pending, []
        self._stored_at = time.monotonic()
        additions = [addition for _, addition in pending if addition is not None]
        added = iter(self._store.add_all(additions) if additions else ())
        outcomes = []
        for outcome, addition in pending:
            if addition is not None:
                row = next(added)
                outcome = replace(outcome, id=row.id) if row.is_new else _duplicate(outcome.entry, row.id)  # noqa: PLW2901
            outcomes.append(outcome)
            if outcome.id is not None:
                if outcome.entry.id is not None:
                    self._ids[outcome.entry.file, outcome.entry.id] = outcome.id
                if outcome.status is ImportStatus.STORED:
                    self.stored.append(outcome.id)
                    if outcome.entry.notebook.parent is not None:
                        parent = outcome.entry.file, outcome.entry.notebook.parent
                        self._versions.append((outcome.id, parent))
        return outcomes

    def link_versions(self) -> list[StoreError]:
        """Link the stored problems with those of which their file says they are versions.

        Returns the errors: circles of versions.
        """
        errors = []
        for number, parent in self._versions:
            if parent in self._ids and self._ids[parent] != number:
                try:
                    self._store.edit([number], NotebookEdit(parent=self._ids[parent], moves=True))
                except StoreError as error:
                    errors.append(error)
        return errors


def _import_decision(
    entry: Entry, found: TrustedProblem | int | None, checked: CheckedEntry | None
) -> tuple[ImportOutcome, ProblemAddition | None]:
    """Return what becomes of an entry, and the problem that is to be stored."""
    if isinstance(found, TrustedProblem):
        return _outcome_of_new_problem(entry, ProblemAddition(found.problem, version=found.version), None)
    if checked is None:
        return _duplicate(entry, found), None
    if checked.problem is not None:
        return _outcome_of_new_problem(entry, ProblemAddition(checked.problem), checked)
    is_open = checked.limit is not None or checked.judgement.grade is None
    return ImportOutcome(entry, ImportStatus.UNRESOLVED if is_open else ImportStatus.REFUSED, checked=checked), None


def _outcome_of_new_problem(
    entry: Entry, addition: ProblemAddition, checked: CheckedEntry | None
) -> tuple[ImportOutcome, ProblemAddition]:
    notebook = replace(imported_notebook(entry), parent=None)
    return ImportOutcome(entry, ImportStatus.STORED, checked=checked), replace(addition, notebook=notebook)


def _duplicate(entry: Entry, number: int | None) -> ImportOutcome:
    return ImportOutcome(entry, ImportStatus.DUPLICATE, number)
