# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume export`` and ``tsume results``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from db.engine import MEMORY
from db.errors import StoreError, store_place_name, stored_value_excerpt
from db.selection import ProblemSelection
from db.store import Store
from db.stored_problem import StoredProblem
from tsume.commands import options
from tsume.extras import require_extra
from tsume.files import exported, writing
from tsume.files.inputs import print_complaint
from tsume.formats.game_record import GameRecord, game_record_of
from tsume.formats.registry import WRITERS
from tsume.formats.text import csv_line
from tsume.formats.tpa import write_tpa
from tsume.language.catalogue import Language, Voice
from tsume.parallel.ordered_map import ordered_map
from tsume.progress import with_progress_bar
from tsume.reports.explanation import annotated_record, explanation_text
from tsume.training.persons import name_key, result_csv_lines, result_fields
from tsume.training.ratings import problems_with_ratings, rated_problems
from tsume.uses.explaining import PRINTED, Explainer

# --- ``tsume export --format parquet``: a data set as a folder -------------------------------------


def export_dataset(
    place: str, output: str | None, wanted: ProblemSelection, language: Language, title: str, licence: str | None
) -> None:
    """Write the problems of a selection as a data set and say what it is. Raises `click.ClickException`."""
    if output in (None, "-"):
        raise click.UsageError("parquet needs a folder: give -o FOLDER")
    require_extra("parquet")
    writing.require_usable_output(output)
    from tsume import dataset

    folder = Path(str(output))
    try:
        writing.require_replaceable(folder, dataset.DATASET)
        with Store.open(place, create=False) as store, writing.new_folder(folder, dataset.DATASET) as draft:
            counts, sizes = dataset.write_tables(draft, with_progress_bar(store.find(wanted)))
            if not counts.problems:
                raise StoreError(f"{store.name}: no problems")
            runs = (run for run in map(store.runs.get, sorted(counts.runs)) if run is not None)
            dataset.write_card_and_runs(draft, dataset.DatasetOptions(language, title, licence), counts, sizes, runs)
            for name, missing in sorted(counts.no_column.items()):
                print_complaint(store.name, f"the feature {name} has no column: it is omitted from {missing} problems")
            number = counts.problems
    except StoreError:
        raise
    except dataset.UnwritableValue as error:
        raise click.ClickException(f"{place}: {error}") from None
    except (OSError, ValueError) as error:
        text = error.strerror if isinstance(error, OSError) else None
        raise click.ClickException(f"{store_place_name(str(output))}: {text or error}") from None
    if licence is None:
        print_complaint(store_place_name(str(output)), "without --licence, no terms of use are stated")
    options.print_line(
        f"{store_place_name(str(output))}: {number} problem{'s' * (number > 1)}, {draft.size / 1e6:.1f} MB"
    )


# --- ``tsume export`` ------------------------------------------------------------------------------


@click.command()
@options.store_option
@click.option(
    "--format", "form", type=click.Choice(["sfen", *WRITERS, "tpa", "jsonl", "csv", "lichess", "parquet"]),
    required=True,
    help="File format.",
)  # fmt: skip
@options.selection_options
@options.flag("--variations", help="Add variations: how other defences are mated and why other checks fail.")
@click.option("--set-title", default="", callback=options.valid_title, metavar="TEXT",
              help="Name of a data set (parquet).")  # fmt: skip
@options.licence_option(
    "Terms of use of a data set (parquet): the name of a licence, or a text or file with the terms."
)
@options.lang_option(Voice.of("ja"))
@options.output_options
def export(
    place: str, form: str, variations: bool, set_title: str, licence: str | None, voice: Voice, output: str | None,
    encoding: str | None, wanted: ProblemSelection,
) -> None:  # fmt: skip
    """Export stored problems to a file format."""  # fmt: skip
    writing.require_usable_output(output)
    if form == "parquet":
        if variations or encoding is not None:
            raise click.UsageError("--variations and --encoding are not for parquet")
        # English unless asked otherwise, as its readers may be anywhere
        language: Language = voice.words if options.is_option_given("voice") else "en"
        export_dataset(place, output, wanted, language, set_title, licence)
        return
    if set_title or licence is not None:
        raise click.UsageError("--set-title and --licence need --format parquet")
    if form not in WRITERS and writing.is_folder(output):
        raise click.UsageError(f"{form} goes into one file, not a folder")
    if variations and (form not in WRITERS or not WRITERS[form].variations):
        raise click.UsageError(f"{form} cannot hold variations: use kif, ki2 or jkf")
    with Store.open(place, create=False) as store:
        if form not in WRITERS:
            table = _TABLES[form](store, wanted) if form in _TABLES else _exported_table(place, store, form, wanted)
            writing.write_table(table, output, encoding)
            return
        record_of = _annotated_records(voice.words) if variations else _stored_record
        records = _records(store, wanted, record_of)
        if WRITERS[form].collection is not None and not writing.is_folder(output):
            writing.write_collection(WRITERS[form], (record for _, record in records), output, encoding)
            return
        files = writing.RecordFiles(WRITERS[form], output, encoding)
        for name, record in records:
            files.write(name, record)
        files.close()


def _records(
    store: Store, wanted: ProblemSelection, record_of: Callable[[StoredProblem], GameRecord]
) -> Iterator[tuple[str, GameRecord]]:
    for problem in map(store.playable, store.find(wanted)):
        try:
            record = record_of(problem)
        except ValueError as error:
            raise StoreError(f"{store.name}: problem {problem.id} cannot be read: {error}") from None
        yield str(problem.id), record


def _stored_record(problem: StoredProblem) -> GameRecord:
    """The composer's record where there is one, else the program's; with what the store's person wrote."""
    record = exported.composers_record(problem.problem) or game_record_of(problem.problem)
    record = exported.record_with_notebook(record, problem.notebook)
    return record if record.title_line else replace(record, title=exported.placeholder_title(problem.id))


def _annotated_records(language: Language) -> Callable[[StoredProblem], GameRecord]:
    """Make what returns records with variations; those of a composer's record stand first."""
    explainer = Explainer(PRINTED)

    def record_of(problem: StoredProblem) -> GameRecord:
        explanation = explainer.explain_judged(problem.problem)
        text = explanation_text(problem.problem, explanation, language)
        if not text.explanation.complete:
            click.echo(f"No. {problem.id}: a limit was reached: some variations are missing", err=True)
        record = _stored_record(problem)
        if problem.record is None:
            return annotated_record(record, text)
        return exported.record_with_variations(record, annotated_record(GameRecord(problem.position), text))

    return record_of


def _exported_table(place: str, store: Store, form: str, wanted: ProblemSelection) -> Iterator[str]:
    """Yield a table of a selection, a page at a time; by several processes if it takes a while."""
    pages = list(store.id_pages(wanted))
    jobs = 1 if place == MEMORY else None
    with closing(ordered_map(partial(partial, _page_text, place, form), pages, jobs)) as texts:
        yield _HEADS.get(form, "")
        for text in texts:
            yield from text.splitlines(keepends=True)


def _page_text(place: str, form: str, page: Sequence[int]) -> str:
    """Return the problems of a page as text, in any process; each page closes its connection."""
    with Store.open(place, create=False) as store:
        problems = rated_problems(store, page)
        return "".join(_LINES[form](one, played.rating.rating if played else None) for one, played in problems)


_LISTS = ("line", "themes", "blemishes", "tags")
_COLUMNS = (
    "id", "sfen", "length", "line", "score", "rating", "stars", "rank_in_length", "proof_tree", "themes", "quality",
    "grade", "blemishes", "searched", "seed", "index", "version", "title", "author", "source", "own_notes", "tags",
    "version_of",
)  # fmt: skip


def _csv_line(problem: StoredProblem, rating: float | None) -> str:
    fields = exported.problem_fields(problem, rating)
    fields |= {name: " ".join(fields[name]) for name in _LISTS}
    return csv_line(fields[name] for name in _COLUMNS)


def _lichess_table(store: Store, wanted: ProblemSelection) -> Iterator[str]:
    return exported.lichess_lines(
        (
            problem,
            (round(problem.difficulty.rating), exported.UNPLAYED_DEVIATION, 0)
            if played is None
            else (round(played.rating.rating), round(played.rating.deviation), played.plays),
        )
        for problem, played in problems_with_ratings(store, wanted)
    )


_LINES: dict[str, Callable[[StoredProblem, float | None], str]] = {
    "jsonl": lambda problem, rating: f"{exported.problem_text(problem, rating)}\n",
    "csv": _csv_line,
    "tpa": lambda problem, _rating: write_tpa(_stored_record(problem)),
}
_HEADS = {"csv": csv_line(_COLUMNS)}
_TABLES: dict[str, Callable[[Store, ProblemSelection], Iterator[str]]] = {
    "sfen": lambda store, wanted: (f"{line}\n" for line in store.sfens_with_lines(wanted)),
    "lichess": _lichess_table,
}


# --- ``tsume results`` -----------------------------------------------------------------------------


@click.group()
def results() -> None:
    """Export the results of solving stored problems."""


@results.command("export")
@options.store_option
@click.option("--format", "form", type=click.Choice(["csv", "jsonl"]), default="csv", show_default=True,
              help="File format.")  # fmt: skip
@click.option("--person", "name", metavar="NAME",
              help="Only the results of this person; '' for the unnamed person of this machine.")  # fmt: skip
@click.option("-o", "--output", metavar="PATH", help="Output file; - for stdout.")
def export_results(place: str, form: str, name: str | None, output: str | None) -> None:
    """Export results, oldest first, with the persons and their ratings."""
    writing.require_usable_output(output)
    if writing.is_folder(output):
        raise click.UsageError(f"{form} goes into one file, not a folder")
    with Store.open(place, create=False) as store:
        person = None if name is None else store.training.persons.named(name_key(name))
        if person is None and name:
            raise click.ClickException(f"{store.name}: no person {stored_value_excerpt(name)!r}")
        number = None if name is None else 0 if person is None else person.id
        found = store.training.results.all(number)
        as_json = (f"{options.json_text(**result_fields(one))}\n" for one in found)
        writing.write_table(result_csv_lines(found) if form == "csv" else as_json, output, None)
