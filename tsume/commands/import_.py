"""``tsume import``"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from db.errors import StoreError, named
from db.store import Store
from generator.problem import Problem
from solver.results import Judgement, Limits
from tsume.appraisal import appraised
from tsume.commands.options import store_option
from tsume.formats.csa import read_csa
from tsume.formats.encoding import decode
from tsume.formats.kif import read_kif
from tsume.inputs import Inputs, complain
from tsume.proofread import proofread
from tsume.warmup import Part, warm_up
from tsume_rules.position import Position

SECONDS = 60.0
"""Time limit for the judgement of one problem, and for its score."""
_MOST_BYTES = 2**24
"""The largest KIF or CSA file: these are read whole, unlike files of SFENs."""
_NOT_READ = (".ki2", ".csv")


@click.command("import")
@click.argument("file", metavar="FILE", type=click.Path(allow_dash=True))
@store_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["sfen", "jsonl", "kif", "csa"]),
    help="The file format; by default that of the file's ending.",
)
@click.pass_context
def import_(context: click.Context, file: str, place: str, form: str | None) -> None:
    """Import problems from a file; each is checked, and only correct ones are stored.

    Exits 1 when a problem was refused.
    """  # fmt: skip
    form = form or _format_of(file)
    good = True
    stored = 0
    try:
        with Store.open(place) as store:
            importer = _Importer(store)
            for item in _items(file, form):
                fault = item.fault or importer.store(item)
                if fault:
                    complain(item.place, fault)
                    good = False
                else:
                    stored += 1
            click.echo(f"{stored} problems stored in {store.name}", err=True)
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    context.exit(0 if good else 1)


@dataclass(frozen=True)
class _Item:
    place: str
    position: Position | None
    fault: str = ""


def _format_of(file: str) -> str:
    ending = Path(file).suffix.lower()
    if ending in _NOT_READ:
        raise click.ClickException(f"{named(file)}: {ending} files are written, not read")
    return {".kif": "kif", ".kifu": "kif", ".csa": "csa"}.get(ending, "sfen")


def _items(file: str, form: str) -> Iterator[_Item]:
    if form in ("sfen", "jsonl"):  # each line may be either
        inputs = Inputs((), (file,))
        for entry in inputs:
            yield _Item(entry.place, entry.parsed.position if entry.parsed else None, entry.error)
        if inputs.unreadable:
            raise click.exceptions.Exit(1)
        return
    try:
        text = decode(_read(file))
        games = read_kif(text) if form == "kif" else read_csa(text)
    except OSError as error:
        raise click.ClickException(f"{named(file)}: {error.strerror or error}") from None
    except ValueError as error:
        raise click.ClickException(f"{named(file)}: {error}") from None
    for number, (position, _) in enumerate(games, start=1):
        yield _Item(f"{named(file)}, problem {number}", position)


def _read(file: str) -> bytes:
    with click.open_file(file, "rb") as stream:
        data: bytes = stream.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise ValueError(f"more than {_MOST_BYTES >> 20} MB: split the file, or give the problems as SFENs")
    return data


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

    def store(self, item: _Item) -> str:
        """Store a problem if it is correct and new; otherwise return the reason."""
        from solver.limits import LimitReached

        assert item.position is not None
        self._engine.forget()
        judgement = self._judge.judge(item.position, limits=Limits(seconds=SECONDS))
        if not judgement.correct:
            return _refusal(judgement)
        assert judgement.length is not None
        try:
            difficulty = self._scorer.score(item.position, judgement.length, Limits(seconds=SECONDS))
        except LimitReached as limit:
            return f"not scored, limit of {limit.reason.value} reached"
        problem = appraised(Problem(item.position, judgement, difficulty))
        proofread(problem)
        if self._store.add(problem) is None:
            return "stored already"
        return ""


def _refusal(judgement: Judgement) -> str:
    if judgement.verdict:
        return f"not correct: {', '.join([*judgement.verdict.names, *judgement.faults])}"
    return "unresolved: a limit was reached"
