"""``tsume import``"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

import click

from db.errors import StoreError
from db.store import Store
from generator.problem import Problem
from solver.results import Judgement, Limits
from tsume.appraisal import appraised
from tsume.commands.options import jsonl_option, store_option
from tsume.formats.manuscripts import Form
from tsume.inputs import Entry, Inputs, complain
from tsume.output import print_json
from tsume.proofread import proofread
from tsume.warmup import Part, warm_up
from tsume_rules.position import Position

SECONDS = 60.0
"""Time limit for the judgement of one problem, and for its score."""
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
    """``number`` is the problem's id in the store, ``fault`` says why it is not there."""

    verdict: _Verdict
    number: int | None = None
    defects: list[str] = field(default_factory=list)
    fault: str = ""


@click.command("import")
@click.argument("file", metavar="FILE", type=click.Path(allow_dash=True))
@store_option
@click.option(
    "--format",
    "form",
    type=click.Choice(list(_FORMS)),
    help="The file format; by default that of the file's ending or content.",
)
@jsonl_option("problem")
@click.pass_context
def import_(context: click.Context, file: str, place: str, form: str | None, jsonl: bool) -> None:
    """Import problems from a file; each is checked, and only correct ones are stored.

    Exits 1 when a problem was refused; one that is stored already is not.
    """  # fmt: skip
    inputs = Inputs((), (file,), _FORMS[form] if form else None)
    counts = dict.fromkeys(_Verdict, 0)
    try:
        with Store.open(place) as store:
            importer = _Importer(store)
            for entry in inputs:
                outcome = importer.outcome(entry)
                counts[outcome.verdict] += 1
                if outcome.verdict is not _Verdict.STORED:
                    complain(entry.place, outcome.fault or outcome.verdict.value)
                if jsonl:
                    _print(entry, outcome)
            click.echo(f"{counts[_Verdict.STORED]} problems stored in {store.name}", err=True)
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    done = counts[_Verdict.STORED] + counts[_Verdict.DUPLICATE]
    context.exit(0 if done == sum(counts.values()) and not inputs.unreadable else 1)


def _print(entry: Entry, outcome: _Outcome) -> None:
    print_json(
        place=entry.place,
        title=entry.title or None,
        sfen=entry.sfen or None,
        id=outcome.number,
        verdict=outcome.verdict.value,
        defects=outcome.defects,
        error=outcome.fault or None,
    )


class _Importer:
    """Judges problems and stores the correct ones."""

    def __init__(self, store: Store) -> None:
        warm_up(Part.ENGINE)
        from solver.engines.dfpn.engine import DfPnEngine
        from solver.judging.judge import Judge, Rigour
        from solver.scoring.difficulty import Scorer

        self._store = store
        self._engine = DfPnEngine()
        self._judge = Judge(self._engine, Rigour(evidence=False))
        self._scorer = Scorer()

    def outcome(self, entry: Entry) -> _Outcome:
        """What becomes of a position: a correct problem is stored."""
        if entry.parsed is None:
            return _Outcome(_Verdict.INVALID, fault=entry.error)
        position = entry.parsed.position
        if (number := self._store.id_of(position)) is not None:  # before the long judgement
            return _Outcome(_Verdict.DUPLICATE, number)
        self._engine.forget()
        judgement = self._judge.judge(position, limits=Limits(seconds=SECONDS))
        if not judgement.correct:
            return _refusal(judgement)
        return self._stored(position, judgement)

    def _stored(self, position: Position, judgement: Judgement) -> _Outcome:
        from solver.limits import LimitReached

        assert judgement.length is not None
        try:
            difficulty = self._scorer.score(position, judgement.length, Limits(seconds=SECONDS))
        except LimitReached as limit:
            fault = f"not scored, limit of {limit.reason.value} reached"
            return _Outcome(_Verdict.UNRESOLVED, fault=fault)
        problem = appraised(Problem(position, judgement, difficulty))
        proofread(problem)
        number = self._store.add(problem)
        if number is None:  # another process was faster
            return _Outcome(_Verdict.DUPLICATE, self._store.id_of(position))
        return _Outcome(_Verdict.STORED, number)


def _refusal(judgement: Judgement) -> _Outcome:
    names = judgement.verdict.names
    if names:
        fault = f"not correct: {', '.join([*names, *judgement.faults])}"
        return _Outcome(_Verdict.REFUSED, defects=names, fault=fault)
    return _Outcome(_Verdict.UNRESOLVED, fault="unresolved: a limit was reached")
