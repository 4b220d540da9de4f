"""``tsume import``"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from pathlib import Path

import click

from db.errors import StoreError
from db.store import Store
from generator.problem import STORED
from solver.results import Grade
from tsume.commands.answering import Batch, answered, jobs_option, print_answer
from tsume.commands.importing import Importer
from tsume.commands.options import jsonl_option, lang_option, store_option
from tsume.examiner import Examined, Examiner
from tsume.files.inputs import Entry, Inputs
from tsume.formats.manuscripts import Form
from tsume.language.voice import MIXED, Voice
from tsume.reports.importing import stored_text

_FORMS: dict[str, Form] = {
    "sfen": "lines", "jsonl": "lines", "kif": "kif", "ki2": "kif", "csa": "csa", "jkf": "jkf", "csv": "csv",
}  # fmt: skip


@click.command("import")
@click.argument(
    "sources", metavar="FILE|FOLDER|SFEN...", nargs=-1, required=True, type=click.Path(allow_dash=True)
)
@store_option
@click.option(
    "--format",
    "form",
    type=click.Choice(list(_FORMS)),
    help="File format; by default that of the file name or content.",
)
@click.option("--strict", is_flag=True, help="Also refuse problems with blemishes.")
@click.option(
    "--trusted",
    "takes_trusted",
    is_flag=True,
    help="Skip checking JSON lines that this version exported and whose hash is intact.",
)
@jobs_option("Number of processes; it does not change what is stored.")
@lang_option(MIXED)
@jsonl_option("problem")
@click.pass_context
def import_(
    context: click.Context,
    sources: tuple[str, ...],
    place: str,
    form: str | None,
    strict: bool,
    takes_trusted: bool,
    jobs: int | None,
    voice: Voice,
    jsonl: bool,
) -> None:
    """Import problems from files, folders or SFENs; each is checked, and only perfect and sound ones are
    stored.

    The given line is kept, with its variations, comments and headers. Blemishes, and given lines that
    are not best, are reported. Exits with status 1 if a problem was refused; a problem that is already
    stored does not count as refused.
    """  # fmt: skip
    inputs = _inputs(sources, _FORMS[form] if form else None)
    grades = (Grade.PERFECT,) if strict else STORED
    judging = partial(_Judging, grades)
    batch = Batch(
        inputs, jobs, judging, hint="problems stored so far are kept; run the same command to continue"
    )
    try:
        with Store.open(place) as store:
            importer = Importer(store, voice, grades if takes_trusted else (), jsonl=jsonl)
            try:
                good = answered(batch, importer.finished, importer.known)
            finally:
                last = importer.settled()
                print_answer(last)
            importer.link_versions()
            click.echo(stored_text(importer.stored, store.name, voice), err=True)
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    context.exit(0 if good and last.good else 1)


def _inputs(sources: tuple[str, ...], form: Form | None) -> Inputs:
    sfens = tuple(filter(_is_sfen, sources))
    return Inputs(sfens, tuple(source for source in sources if source not in sfens), form)


def _is_sfen(source: str) -> bool:
    """An SFEN has spaces and slashes; what is the name of a file is one."""
    return " " in source and source.count("/") > 7 and not Path(source).exists()


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
