"""``tsume export``"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import click

from db.errors import StoreError
from db.selection import Selection
from db.store import Store
from db.stored_problem import StoredProblem
from tsume.commands.explain import Explainer
from tsume.commands.options import DEFAULT_MEMORY, lang_option, selection_options, store_option
from tsume.composers import composers_record, placeholder, with_notebook, with_variations
from tsume.exported import problem_fields
from tsume.formats.game_record import GameRecord, game_record_of
from tsume.formats.writers import WRITERS
from tsume.language.catalogue import Language
from tsume.language.voice import Voice
from tsume.output import json_text
from tsume.record_files import (
    RecordFiles,
    is_folder,
    output_options,
    require_usable,
    write_collection,
    write_table,
)
from tsume.reports.annotated import annotated

SECONDS = 60.0
"""The time that the variations of one problem may take."""


@click.command()
@store_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["sfen", *WRITERS, "jsonl", "csv"]),
    required=True,
    help="The file format.",
)
@selection_options
@click.option("--variations", is_flag=True, help="Add how each answer mates and why other checks fail.")
@lang_option(Voice.of("ja"))
@output_options
def export(
    place: str,
    form: str,
    variations: bool,
    voice: Voice,
    output: str | None,
    encoding: str | None,
    wanted: Selection,
) -> None:
    """Export stored problems to a file format."""  # fmt: skip
    require_usable(output)
    if form not in WRITERS and is_folder(output):
        raise click.UsageError(f"{form} is written to one file, not to a folder")
    if variations and (form not in WRITERS or not WRITERS[form].variations):
        raise click.UsageError(f"{form} has no variations: choose kif, ki2 or jkf")
    try:
        with Store.open(place, create=False) as store:
            if form not in WRITERS:
                write_table(_TABLES[form](store.find(wanted)), output, encoding)
                return
            record_of = _Annotated(voice.words) if variations else _plain
            records = _records(store, wanted, record_of)
            if WRITERS[form].collection is not None and not is_folder(output):
                write_collection(WRITERS[form], (record for _, record in records), output, encoding)
                return
            files = RecordFiles(WRITERS[form], output, encoding)
            for name, record in records:
                files.write(name, record)
            files.close()
    except StoreError as error:
        raise click.ClickException(str(error)) from None


def _records(
    store: Store, wanted: Selection, record_of: Callable[[StoredProblem], GameRecord]
) -> Iterator[tuple[str, GameRecord]]:
    """The names and records of problems."""
    for problem in map(store.playable, store.find(wanted)):
        try:
            record = record_of(problem)
        except ValueError as error:
            raise StoreError(f"{store.name}: problem {problem.id} cannot be read: {error}") from None
        yield str(problem.id), record


def _plain(problem: StoredProblem) -> GameRecord:
    """The composer's record where there is one, else the program's; with what the store's person wrote."""
    record = composers_record(problem.problem) or game_record_of(problem.problem)
    record = with_notebook(record, problem.notebook)
    return record if record.title_line else replace(record, title=placeholder(problem.id))


class _Annotated:
    """Records with variations; those of a composer's record stand first."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._explainer = Explainer(SECONDS, DEFAULT_MEMORY)

    def __call__(self, problem: StoredProblem) -> GameRecord:
        text = self._explainer.explained(problem.problem, self._language)
        if not text.explanation.complete:
            click.echo(f"No. {problem.id}: a limit was reached, some variations are missing", err=True)
        record = _plain(problem)
        if problem.record is None:
            return annotated(record, text)
        return with_variations(record, annotated(GameRecord(problem.position), text))


def _sfen(problems: Iterable[StoredProblem]) -> Iterator[str]:
    return (f"{p.sfen} moves {' '.join(move.usi for move in p.line)}\n" for p in problems)


def _jsonl(problems: Iterable[StoredProblem]) -> Iterator[str]:
    return (json_text(**problem_fields(p)) + "\n" for p in problems)


_LISTS = ("line", "themes", "blemishes", "tags")
_COLUMNS = (
    "id", "sfen", "length", "line", "score", "stars", "themes", "quality", "grade", "blemishes",
    "searched", "seed", "index", "version", "title", "author", "source", "own_notes",
    "tags", "version_of",
)  # fmt: skip


class _Echo:
    """A file that gives back what is written to it."""

    def write(self, text: str) -> str:
        return text


def _csv(problems: Iterable[StoredProblem]) -> Iterator[str]:
    writer = csv.writer(_Echo(), lineterminator="\n")
    yield writer.writerow(_COLUMNS)
    for problem in problems:
        fields = problem_fields(problem)
        fields |= {name: " ".join(fields[name]) for name in _LISTS}
        yield writer.writerow(fields[name] for name in _COLUMNS)


_TABLES: dict[str, Callable[[Iterable[StoredProblem]], Iterator[str]]] = {
    "sfen": _sfen, "jsonl": _jsonl, "csv": _csv,
}  # fmt: skip
