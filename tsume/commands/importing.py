"""What becomes of problems that are imported, and how they get into the store."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial

import click

from db.errors import StoreError
from db.notebook import Edit
from db.problem_rows import Added, Addition
from db.store import Store
from solver.defects import Defect
from solver.results import Grade, Judgement
from tsume.commands.answering import Answer
from tsume.commands.output import NOT_PARSED, json_text
from tsume.examiner import Examined
from tsume.files.composer_records import notebook_of
from tsume.files.exported import Trusted, trusted
from tsume.files.inputs import Entry, complaint
from tsume.language.voice import MIXED, Voice
from tsume.reports.importing import not_scored_text, note_text, refusal_text
from tsume.reports.judgement import given_fields

_AT_ONCE = 500
"""Problems that are stored in one transaction, at most."""
_MOMENT = 0.25
"""Seconds that the first of them may wait for the last."""


class _Verdict(Enum):
    """What became of a problem."""

    STORED = "stored"
    DUPLICATE = "already stored"
    REFUSED = "refused"
    UNRESOLVED = "unresolved"
    INVALID = "invalid"


@dataclass(frozen=True)
class _Outcome:
    """``number`` is the problem's id in the store, ``fault`` says why it is not there.

    ``told`` says the same in the voice of the command, ``note`` what a person should know of a problem that
    is there; ``judgement`` is None if there was none.
    """

    verdict: _Verdict
    number: int | None = None
    fault: str = ""
    told: str = ""
    note: str = ""
    judgement: Judgement | None = None

    @property
    def message(self) -> str:
        """The line for stderr, empty where there is nothing to say."""
        return "; ".join(filter(None, [self.told or self.fault, self.note]))


@dataclass(frozen=True)
class _Pending:
    """What becomes of an entry: ``addition`` is yet to be stored, ``outcome`` says the rest."""

    entry: Entry
    outcome: _Outcome
    addition: Addition | None = None


class Importer:
    """Stores problems that were judged, or are trusted, in the order in which they are given.

    Several are stored in one transaction: as many as come within a moment. Lines of JSON with a fitting hash
    are trusted if their problems have a grade of ``trusts``.
    """

    def __init__(self, store: Store, voice: Voice, trusts: Collection[Grade], *, jsonl: bool) -> None:
        self._store = store
        self._voice = voice
        self._jsonl = jsonl
        self._trusts = trusts
        self._entries: deque[tuple[Entry, Trusted | int | None]] = deque()
        self._pending: list[_Pending] = []
        self._stored_at = time.monotonic()
        self._numbers: dict[tuple[str, int | str], int] = {}
        self._versions: list[tuple[int, tuple[str, int]]] = []
        self.stored: list[int] = []

    def known(self, entry: Entry) -> Entry | None:
        """The entry if it is to be judged: that takes long, and is not done for what is known already."""
        found: Trusted | int | None = trusted(entry) if self._trusts else None
        if isinstance(found, Trusted) and found.problem.grade not in self._trusts:
            found = None
        if found is None and entry.parsed is not None:
            found = self._store.id_of(entry.parsed.position)
        self._entries.append((entry, found))
        return entry if found is None and entry.parsed is not None else None

    def finished(self, _number: int, examined: Examined | None) -> Answer:
        """What is printed about this entry and earlier ones once they are stored or refused."""
        entry, found = self._entries.popleft()
        self._pending.append(self._decided(entry, found, examined))
        hurry = len(self._pending) >= _AT_ONCE or time.monotonic() - self._stored_at >= _MOMENT
        return self.settled() if hurry else Answer()

    def settled(self) -> Answer:
        """Store what is pending, and say what is printed about it."""
        pending, self._pending = self._pending, []
        self._stored_at = time.monotonic()
        additions = [one.addition for one in pending if one.addition is not None]
        added = iter(self._store.add_all(additions) if additions else ())
        outcomes = [self._after(one, None if one.addition is None else next(added)) for one in pending]
        told = [_json(one.entry, outcome) for one, outcome in zip(pending, outcomes, strict=True)]
        complaints = [
            complaint(one.entry.place, outcome.message)
            for one, outcome in zip(pending, outcomes, strict=True)
            if outcome.message
        ]
        good = all(outcome.verdict in (_Verdict.STORED, _Verdict.DUPLICATE) for outcome in outcomes)
        return Answer("\n".join(told) if self._jsonl else "", "\n".join(complaints), good)

    def _after(self, pending: _Pending, added: Added | None) -> _Outcome:
        """The outcome when the store has taken what was pending."""
        outcome, entry = pending.outcome, pending.entry
        if added is not None:
            outcome = replace(outcome, number=added.id) if added.is_new else self._duplicate(added.id)
        if outcome.number is not None:
            self._note(entry, outcome.verdict, outcome.number)
        return outcome

    def _note(self, entry: Entry, verdict: _Verdict, number: int) -> None:
        if entry.id is not None:
            self._numbers[entry.file, entry.id] = number
        if verdict is _Verdict.STORED:
            self.stored.append(number)
            if entry.notebook.parent is not None:
                self._versions.append((number, (entry.file, entry.notebook.parent)))

    def link_versions(self) -> None:
        """Link the problems stored with those that their file says they are versions of, where these are."""
        for number, parent in self._versions:
            if parent in self._numbers and self._numbers[parent] != number:
                try:
                    self._store.edit([number], Edit(parent=self._numbers[parent], moves=True))
                except StoreError as error:  # a circle of versions
                    click.echo(f"{error}", err=True)

    def _decided(self, entry: Entry, found: Trusted | int | None, examined: Examined | None) -> _Pending:
        if entry.parsed is None:
            return _Pending(entry, _Outcome(_Verdict.INVALID, fault=entry.error))
        if isinstance(found, Trusted):
            return self._new(entry, Addition(found.problem, version=found.version), _Outcome(_Verdict.STORED))
        if examined is None:
            return _Pending(entry, self._duplicate(found))
        note = note_text(examined.judgement, entry.parsed, self._voice)
        about = _Outcome(_Verdict.STORED, note=note, judgement=examined.judgement)
        if examined.limit is not None:
            return _Pending(
                entry, self._unstored(_Verdict.UNRESOLVED, partial(not_scored_text, examined.limit), about)
            )
        if examined.problem is None:
            return _Pending(entry, self._refusal(examined.judgement, about))
        return self._new(entry, Addition(examined.problem), about)

    def _new(self, entry: Entry, addition: Addition, outcome: _Outcome) -> _Pending:
        notebook = replace(notebook_of(entry), parent=None)
        return _Pending(entry, outcome, replace(addition, notebook=notebook))

    def _duplicate(self, number: int | None) -> _Outcome:
        return _Outcome(_Verdict.DUPLICATE, number, told=self._voice("importing.duplicate"))

    def _refusal(self, judgement: Judgement, about: _Outcome) -> _Outcome:
        verdict = _Verdict.UNRESOLVED if judgement.grade is None else _Verdict.REFUSED
        return self._unstored(verdict, partial(refusal_text, judgement), about)

    def _unstored(self, verdict: _Verdict, why: Callable[[Voice], str], about: _Outcome) -> _Outcome:
        return replace(about, verdict=verdict, fault=why(MIXED), told=why(self._voice))


def _json(entry: Entry, outcome: _Outcome) -> str:
    judgement = outcome.judgement or Judgement(Defect.NONE)
    return json_text(
        place=entry.place,
        title=entry.title or None,
        sfen=entry.sfen or None,
        id=outcome.number,
        verdict=outcome.verdict.value,
        grade=judgement.grade.value if judgement.grade else None,
        faults=judgement.faults.names,
        blemishes=judgement.blemishes.blemish_names,
        given=given_fields(judgement.given, entry.parsed or NOT_PARSED),
        defects=judgement.defects.names,
        error=outcome.fault or None,
    )
