# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume import``"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import click

from db.store import Store
from solver.results import Defect, Judgement
from tsume.collection import add_collection
from tsume.commands import options
from tsume.commands.answering import PrintedAnswer, print_answer, print_answers
from tsume.files.inputs import Entry, PositionInputs, UnreadableFile, UnreadEntry, complaint_line, print_complaint
from tsume.formats.addresses import is_address
from tsume.formats.registry import FORMAT_OF_NAME
from tsume.language.catalogue import MIXED, Voice
from tsume.progress import with_progress_bar
from tsume.reports.judgement import given_line_fields
from tsume.reports.runs import import_note_text, known_problem_text, not_scored_text, refusal_text, stored_problems_text
from tsume.uses import importing
from tsume.uses.importing import CheckedEntry, ImportOptions, ImportOutcome, ImportStatus, PriorArt

# --- options that name known problems, which others are compared with ------------------------------


known_options = options.combined_options(
    click.option(
        "--known",
        multiple=True,
        metavar="FILE|FOLDER",
        help="Leave out problems that equal, or nearly equal, known ones in this file, in any format; repeatable.",
    ),
    options.flag("--keep-near", help="With --known: leave out only equal problems; name near ones."),
)
"""The command gets ``known`` and ``keep_near``, for `read_prior_art`."""


def read_prior_art(known: tuple[str, ...], voice: Voice, *, keep_near: bool) -> PriorArt:
    """Return the known problems of files; stderr names the lines that cannot be read.

    Raises `click.ClickException` for an unreadable file: nothing would be compared with it.
    """
    if not known:
        if keep_near:
            raise click.UsageError("--keep-near needs --known")
        return importing.NO_PRIOR_ART
    inputs = PositionInputs((), known)
    prior_art = PriorArt(with_progress_bar(known_entries(inputs), inputs.number()), keeps_near=keep_near)
    if not len(prior_art):
        raise click.ClickException("--known: no problem could be read")
    click.echo(voice("importing.known_read", number=len(prior_art)), err=True)
    return prior_art


def known_entries(inputs: PositionInputs) -> Iterator[Entry]:
    """Yield the positions that can be read; stderr names the others. Raises `click.ClickException` for a file."""
    for found in inputs.entries():
        if isinstance(found, UnreadableFile):
            raise click.ClickException(f"{found.place}: {found.fault}")
        entry = found.read() if isinstance(found, UnreadEntry) else found
        if entry.parsed is None:
            print_complaint(entry.place, f"skipped: {entry.error}")
        else:
            yield entry


# --- the collection in a store, for the commands that add it ---------------------------------------


def import_collection(place: str, voice: Voice) -> None:
    """Add the collection to a store, which is made if it is missing; stderr says how many are new."""
    with Store.open(place) as store:
        click.echo(stored_problems_text(add_collection(store), store.name, voice), err=True)


# --- ``tsume import`` ------------------------------------------------------------------------------

_POSITION = re.compile(r"\s*(?:position\s|startpos\b|(?:\S+\s+)?(?:[^\s/]*/){8}[^/]*[\s_])")


@click.command("import")
@click.argument("sources", metavar="FILE|FOLDER|SFEN...", nargs=-1, type=click.Path(allow_dash=True))
@options.store_option
@click.option(
    "--format", "form", type=click.Choice(list(FORMAT_OF_NAME)),
    help="File format; by default that of the file name or content.",
)  # fmt: skip
@options.flag(
    "--collection", "wants_collection", help="Add the problems that come with tsume, which are not checked again."
)
@options.flag("--strict", help="Also refuse problems with blemishes, or with a promotion that changes nothing.")
@options.flag(
    "--grade-only",
    help="Search for second solutions at any length with a tenth of the nodes, which the grade seldom needs.",
)
@options.flag(
    "--trusted", "takes_trusted", help="Skip checking JSON lines that this version exported and whose hash is intact."
)
@known_options
@options.flag("--dry-run", help="Compare with --known only: check and store nothing.")
@options.jobs_option("Number of processes; it does not change what is stored.")
@options.lang_option(MIXED)
@options.jsonl_option("problem")
def import_(
    sources: tuple[str, ...], place: str, form: str | None, wants_collection: bool, strict: bool, grade_only: bool,
    takes_trusted: bool, known: tuple[str, ...], keep_near: bool, dry_run: bool, jobs: int | None, voice: Voice,
    jsonl: bool,
) -> None:  # fmt: skip
    """Import problems from files, folders or SFENs; each is checked, and only perfect and sound ones are
    stored.

    The given line is kept, with its variations, comments and headers. Blemishes, and given lines that
    are not best, are reported. Exits with status 1 if a problem was refused or left out because of a known
    one; a problem that is already stored does not count as refused.
    """  # fmt: skip
    if wants_collection:
        if sources:
            raise click.UsageError("--collection takes no files")
        import_collection(place, voice)
        return
    sfens = tuple(filter(_is_sfen, sources))
    others = tuple(source for source in sources if source not in sfens)
    inputs = PositionInputs(sfens, others, FORMAT_OF_NAME[form] if form else None)
    if dry_run and not known:
        raise click.UsageError("--dry-run needs --known")
    prior_art = read_prior_art(known, voice, keep_near=keep_near)
    if dry_run:
        options.exit_with_status(_compare_entries(inputs, prior_art, voice, jsonl=jsonl))
    counts: Counter[ImportStatus] = Counter()

    def printed(outcomes: list[ImportOutcome]) -> PrintedAnswer:
        counts.update(outcome.status for outcome in outcomes)
        return _import_answer(outcomes, voice, jsonl=jsonl)

    with Store.open(place) as store:
        importer = importing.Importer(store, prior_art, trusts=takes_trusted, strict=strict)
        try:
            good = print_answers(
                inputs, jobs, partial(_entry_checker, ImportOptions(strict, grade_only)), has_few_answers=True,
                hint="problems stored so far are kept; run the same command to continue",
                finish=lambda _, checked: printed(importer.add(checked)), look=importer.to_check,
            )  # fmt: skip
        finally:
            last = printed(importer.flush())
            print_answer(last)
        for error in importer.link_versions():
            click.echo(f"{error}", err=True)
        if known:
            _print_known_counts(counts, voice)
        click.echo(stored_problems_text(importer.stored, store.name, voice), err=True)
    options.exit_with_status(good and last.good)


def _compare_entries(inputs: PositionInputs, prior_art: PriorArt, voice: Voice, *, jsonl: bool) -> bool:
    """Print what known problems the entries resemble; returns whether none is left out or unreadable."""
    counts: Counter[ImportStatus] = Counter()
    for entry in with_progress_bar(inputs, inputs.number()):
        outcome = importing.compared_outcome(entry, prior_art)
        counts[outcome.status] += 1
        print_answer(_import_answer([outcome], voice, jsonl=jsonl))
    _print_known_counts(counts, voice)
    return not inputs.unreadable and not set(counts) & {ImportStatus.KNOWN, ImportStatus.NEAR, ImportStatus.INVALID}


def _print_known_counts(counts: Counter[ImportStatus], voice: Voice) -> None:
    """How many problems were compared with known ones, and how many are equal and near."""
    numbers = {"equal": counts[ImportStatus.KNOWN], "near": counts[ImportStatus.NEAR]}
    click.echo(voice("importing.known_counts", number=counts.total(), **numbers), err=True)


def _is_sfen(source: str) -> bool:
    """Return what begins like a position or is an address; what is the name of a file is one."""
    return (is_address(source) or _POSITION.match(source) is not None) and not Path(source).exists()


def _entry_checker(wanted: ImportOptions) -> Callable[[Entry | None], CheckedEntry | None]:
    """Make what checks entries, but those that need no check or were not read."""
    checker = importing.EntryChecker(wanted)
    return lambda entry: None if entry is None or entry.parsed is None else checker.check(entry)


def _import_answer(outcomes: list[ImportOutcome], voice: Voice, *, jsonl: bool) -> PrintedAnswer:
    told = [_import_json(outcome) for outcome in outcomes] if jsonl else []
    messages = ((outcome.entry.place, _import_message(outcome, voice)) for outcome in outcomes)
    complaints = [complaint_line(place, message) for place, message in messages if message]
    good = all(outcome.status in (ImportStatus.STORED, ImportStatus.DUPLICATE) for outcome in outcomes)
    return PrintedAnswer("\n".join(told), "\n".join(complaints), good)


def _import_message(outcome: ImportOutcome, voice: Voice) -> str:
    if outcome.status is ImportStatus.DUPLICATE:
        return voice("importing.duplicate")
    note = "" if outcome.known is None else known_problem_text(outcome.known.kind, outcome.known.place, voice)
    if outcome.checked is not None and outcome.entry.parsed is not None:
        judged = import_note_text(outcome.checked.judgement, outcome.entry.parsed, voice)
        note = "; ".join(filter(None, [note, judged]))
    return "; ".join(filter(None, [outcome.entry.note, _import_fault(outcome, voice), note]))


def _import_fault(outcome: ImportOutcome, voice: Voice) -> str:
    checked = outcome.checked
    if checked is None or outcome.status is ImportStatus.STORED:
        return outcome.entry.error if outcome.status is ImportStatus.INVALID else ""
    if checked.limit is not None:
        return not_scored_text(checked.limit, voice)
    return refusal_text(checked.judgement, outcome.entry.parsed or options.NOT_PARSED, voice)


def _import_json(outcome: ImportOutcome) -> str:
    entry = outcome.entry
    judgement = outcome.checked.judgement if outcome.checked else Judgement(Defect.NONE)
    known = outcome.known
    return options.json_text(
        place=entry.place,
        title=entry.title or None,
        sfen=entry.sfen or None,
        id=outcome.id,
        verdict=outcome.status.value,
        grade=judgement.grade.value if judgement.grade else None,
        faults=judgement.faults.names,
        blemishes=judgement.blemishes.blemish_names,
        given=given_line_fields(judgement, entry.parsed or options.NOT_PARSED),
        defects=judgement.defects.names,
        error=_import_fault(outcome, MIXED) or None,
        **({} if known is None else {"known": known.place, "resemblance": known.kind.name.lower()}),
    )
