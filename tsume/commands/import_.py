"""``tsume import``"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from pathlib import Path

import click

from db.errors import StoreError
from db.notebook import Edit
from db.store import Store
from generator.problem import STORED
from solver.results import Grade, Judgement, Verdict
from tsume.commands.answering import Answer, Batch, answered, jobs_option
from tsume.commands.options import jsonl_option, lang_option, store_option
from tsume.composers import notebook_of
from tsume.examiner import Examined, Examiner
from tsume.formats.manuscripts import Form
from tsume.inputs import Entry, Inputs, complaint
from tsume.language.voice import MIXED, Voice
from tsume.output import NOT_PARSED, json_text
from tsume.reports.importing import not_scored_text, note_text, refusal_text, stored_text
from tsume.reports.judgement import given_fields

_FORMS: dict[str, Form] = {
    "sfen": "lines", "jsonl": "lines", "kif": "kif", "ki2": "kif", "csa": "csa", "jkf": "jkf", "csv": "csv",
}  # fmt: skip


class _Verdict(Enum):
    """What became of a problem."""

    STORED = "stored"
    DUPLICATE = "stored already"
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


@click.command("import")
@click.argument("source", metavar="FILE|SFEN", type=click.Path(allow_dash=True))
@store_option
@click.option(
    "--format",
    "form",
    type=click.Choice(list(_FORMS)),
    help="The file format; by default that of the file's ending or content.",
)
@click.option("--strict", is_flag=True, help="Refuse problems with blemishes too.")
@jobs_option("How many processes judge; what is stored is the same for any number.")
@lang_option(MIXED)
@jsonl_option("problem")
@click.pass_context
def import_(
    context: click.Context,
    source: str,
    place: str,
    form: str | None,
    strict: bool,
    jobs: int | None,
    voice: Voice,
    jsonl: bool,
) -> None:
    """Import problems from a file, or one problem given as an SFEN; each is checked, and only perfect
    and sound ones are stored.

    The composer's line is kept, with his variations, comments and headers. Blemishes, and a given
    line that is not best, are told. Exits 1 when a problem was refused; one that is stored already
    is not.
    """  # fmt: skip
    inputs = _inputs(source, _FORMS[form] if form else None)
    judging = partial(_Judging, (Grade.PERFECT,) if strict else STORED)
    batch = Batch(inputs, jobs, judging, hint="what was stored stays, the same command goes on")
    try:
        with Store.open(place) as store:
            importer = _Importer(store, voice, jsonl=jsonl)
            good = answered(batch, importer.finished, importer.known)
            importer.link_versions()
            click.echo(stored_text(importer.stored, store.name, voice), err=True)
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    context.exit(0 if good else 1)


def _inputs(source: str, form: Form | None) -> Inputs:
    """An SFEN has spaces and slashes; what is the name of a file is one."""
    is_sfen = " " in source and source.count("/") > 7 and not Path(source).exists()
    return Inputs((source,), (), form) if is_sfen else Inputs((), (source,), form)


def _json(entry: Entry, outcome: _Outcome) -> str:
    judgement = outcome.judgement or Judgement(Verdict.CORRECT)
    return json_text(
        place=entry.place,
        title=entry.title or None,
        sfen=entry.sfen or None,
        id=outcome.number,
        verdict=outcome.verdict.value,
        grade=judgement.grade.value if judgement.grade else None,
        faults=[fault.name for fault in judgement.graded_faults],
        blemishes=[blemish.name for blemish in judgement.blemishes],
        given=given_fields(judgement.given, entry.parsed or NOT_PARSED),
        defects=judgement.verdict.names,
        error=outcome.fault or None,
    )


class _Judging:
    """Judges entries; those of a grade of ``grades`` may be stored."""

    def __init__(self, grades: Collection[Grade]) -> None:
        self._grades = grades
        self._examiner: Examiner | None = None

    def __call__(self, entry: Entry | None) -> Examined | None:
        """None for no entry, or one that was not read."""
        if entry is None or entry.parsed is None:
            return None
        if self._examiner is None:
            self._examiner = Examiner(self._grades)
        return self._examiner.examined(entry)


class _Importer:
    """Stores problems that were judged, in the order in which they are given."""

    def __init__(self, store: Store, voice: Voice, *, jsonl: bool) -> None:
        self._store = store
        self._voice = voice
        self._jsonl = jsonl
        self._entries: deque[Entry] = deque()
        self._numbers: dict[int | str, int] = {}
        self._versions: list[tuple[int, int]] = []
        self.stored: list[int] = []

    def known(self, entry: Entry) -> Entry | None:
        """The entry if it is to be judged: that takes long, and is not done for what is stored already."""
        self._entries.append(entry)
        return None if entry.parsed is None or self._stored(entry) is not None else entry

    def finished(self, _number: int, examined: Examined | None) -> Answer:
        """What is printed about the entry that was looked at first, once it is stored or refused."""
        entry = self._entries.popleft()
        outcome = self._outcome(entry, examined)
        if outcome.number is not None:
            self._note(entry, outcome.verdict, outcome.number)
        told = _json(entry, outcome) if self._jsonl else ""
        good = outcome.verdict in (_Verdict.STORED, _Verdict.DUPLICATE)
        return Answer(told, complaint(entry.place, outcome.message) if outcome.message else "", good)

    def _note(self, entry: Entry, verdict: _Verdict, number: int) -> None:
        if entry.id is not None:
            self._numbers[entry.id] = number
        if verdict is _Verdict.STORED:
            self.stored.append(number)
            if entry.notebook.parent is not None:
                self._versions.append((number, entry.notebook.parent))

    def link_versions(self) -> None:
        """Link the problems stored with those that the file says they are versions of, where these are."""
        for number, parent in self._versions:
            if parent in self._numbers and self._numbers[parent] != number:
                try:
                    self._store.edit([number], Edit(parent=self._numbers[parent], moves=True))
                except StoreError as error:  # a circle of versions
                    click.echo(f"{error}", err=True)

    def _stored(self, entry: Entry) -> int | None:
        return self._store.id_of(entry.parsed.position) if entry.parsed else None

    def _outcome(self, entry: Entry, examined: Examined | None) -> _Outcome:
        if entry.parsed is None:
            return _Outcome(_Verdict.INVALID, fault=entry.error)
        number = self._stored(entry)
        if number is not None or examined is None:  # it may stand twice in the file
            return self._duplicate(number)
        note = note_text(examined.judgement, entry.parsed, self._voice)
        return replace(self._decided(entry, examined), note=note, judgement=examined.judgement)

    def _decided(self, entry: Entry, examined: Examined) -> _Outcome:
        if examined.limit is not None:
            return self._unstored(_Verdict.UNRESOLVED, partial(not_scored_text, examined.limit))
        problem = examined.problem
        if problem is None:
            return self._refusal(examined.judgement)
        number = self._store.add(problem, notebook=replace(notebook_of(entry), parent=None))
        if number is None:  # another process was faster
            return self._duplicate(self._store.id_of(problem.position))
        return _Outcome(_Verdict.STORED, number)

    def _duplicate(self, number: int | None) -> _Outcome:
        return _Outcome(_Verdict.DUPLICATE, number, told=self._voice("importing.duplicate"))

    def _refusal(self, judgement: Judgement) -> _Outcome:
        verdict = _Verdict.UNRESOLVED if judgement.grade is None else _Verdict.REFUSED
        return self._unstored(verdict, partial(refusal_text, judgement))

    def _unstored(self, verdict: _Verdict, why: Callable[[Voice], str]) -> _Outcome:
        return _Outcome(verdict, fault=why(MIXED), told=why(self._voice))
