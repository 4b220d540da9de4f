# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume list``, ``tsume show`` and ``tsume edit``: the problems of a store."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from itertools import chain, islice, starmap
from typing import Any

import click
from rich.cells import cell_len

from db.errors import StoreError, store_place_name
from db.notebook import MAX_TAGS, TEXTS, Notebook, NotebookEdit, fault_of_tag, fault_of_text, printable_note
from db.problem_rows import ProblemVersions
from db.runs import RunState
from db.selection import ProblemSelection
from db.store import Store
from db.stored_problem import StoredProblem
from db.training.records import PlayedRating
from solver.results import MAX_STARS, Grade
from tsume.commands import options
from tsume.files.exported import problem_text
from tsume.files.inputs import entry_with_start_faults, read_entry
from tsume.formats.text import text_excerpt
from tsume.language.catalogue import MIXED, Language, Voice, difficulty_text, list_separator, theme_name
from tsume.reports.judgement import defect_terms_text
from tsume.reports.notation import board_text, solution_text
from tsume.training.ratings import RatedProblem, plays_fields, problems_with_ratings
from tsume.uses.solving import COMMAND, NoLineError, Solver
from tsume_rules.moves import Move
from tsume_rules.position import Position

_COLUMNS = ("id", "moves", "rating", "stars", "rank", "tree", "quality", "plays", "grade", "title", "sfen")
_SELDOM = ("plays", "grade", "title")
"""Columns that are there if the first lines need them."""
_TEXTS = ("stars", "rank", "grade", "title", "sfen")
"""Columns that begin at the left."""
_LEAST = {"id": 7, "rating": 4, "stars": MAX_STARS, "tree": 6}
"""Characters of a column at least, where more lines may follow."""
_LOOKED_AT = 50
"""Lines that are looked at before the first one is printed."""


@click.command("list")
@options.store_option
@options.selection_options
@options.lang_option(Voice.of("en"))
@options.jsonl_option("problem")
def list_(place: str, voice: Voice, jsonl: bool, wanted: ProblemSelection) -> None:
    """List stored problems."""
    with Store.open(place, create=False) as store:
        problems = problems_with_ratings(store, wanted)
        options.print_lines(starmap(rated_problem_json, problems) if jsonl else problem_table(problems, voice))


def rated_problem_json(problem: StoredProblem, played: PlayedRating | None, **more: Any) -> str:
    """A problem as JSON; how often it was played, if ever, and ``more``, behind what `tsume import` reads."""
    text = problem_text(problem, played.rating.rating if played else None)
    fields = {**(plays_fields(played) if played else {}), **more}
    return f"{text[:-1]}, {json.dumps(fields)[1:]}" if fields else text


def problem_table(problems: Iterable[RatedProblem], voice: Voice) -> Iterator[str]:
    """Yield a heading, and a line for each problem as soon as it is read."""
    stream = iter(problems)
    first = list(islice(stream, _LOOKED_AT))
    layout = _TableLayout([_problem_cells(*one, voice) for one in first], voice)
    yield click.style(layout.heading, bold=True)
    for one in chain(first, stream):
        yield layout.line(_problem_cells(*one, voice))


def _problem_cells(problem: StoredProblem, played: PlayedRating | None, voice: Voice) -> dict[str, str]:
    """Return what a line says of a problem, by column; its grade only if it is not perfect."""
    perfect = problem.grade is Grade.PERFECT
    scale = problem.difficulty.scale_fields(problem.length, played.rating.rating if played else None)
    return {
        "id": str(problem.id),
        "moves": str(problem.length),
        "rating": str(scale["rating"]),
        "stars": "★" * int(scale["stars"] or 0),
        "rank": voice(f"difficulty.fifth_{scale['rank_in_length']}"),
        "tree": str(scale["proof_tree"] or ""),
        "quality": f"{problem.quality:.1f}",
        "plays": "" if played is None else str(played.plays),
        "grade": "" if perfect else voice(f"grades.{problem.grade.value}"),
        "title": printable_note(problem.notebook.title),
        "sfen": problem.sfen,
    }


class _TableLayout:
    """The columns and their widths, chosen by the lines that come first.

    A later value that is wider widens its line; a seldom one without a column stands at its line's end.
    """

    def __init__(self, first: Sequence[Mapping[str, str]], voice: Voice) -> None:
        self._perfect = voice(f"grades.{Grade.PERFECT.value}")
        least = _LEAST if len(first) == _LOOKED_AT else {}
        headings = {
            name: voice(f"problems.column_{name}")
            for name in _COLUMNS
            if name not in _SELDOM or any(row[name] for row in first)
        }
        self._widths = {
            name: max(least.get(name, 0), *map(cell_len, (heading, *(row[name] for row in first))))
            for name, heading in headings.items()
        }
        self.heading = self.line({**dict.fromkeys(_SELDOM, ""), **headings})

    def line(self, cells: Mapping[str, str]) -> str:
        """Return a line of the table."""
        told = []
        for name, width in self._widths.items():
            text = cells[name] or (self._perfect if name == "grade" else "")
            space = " " * (width - cell_len(text))
            told.append(f"{text}{space}" if name in _TEXTS else f"{space}{text}")
        others = [cells[name] for name in _SELDOM if cells[name] and name not in self._widths]
        return "  ".join([*told, *others]).rstrip()


_LAST = 0
"""Stands for the run that began last: ids begin with 1."""
_MAX_DIGITS = 20  # more than any id has, few enough for int()


def _run_named(_context: click.Context, _parameter: click.Parameter, name: str | None) -> int | None:
    if name is None or name == "last":
        return None if name is None else _LAST
    if not (name.isascii() and name.isdigit() and 0 < _problem_id(name) <= options.MAX_NUMBER):
        raise click.BadParameter(f"{text_excerpt(name)} is neither the number of a run nor last")
    return _problem_id(name)


@click.command()
@click.argument("problems", metavar="ID|best|SFEN...", nargs=-1, required=True)
@options.store_option
@options.lang_option(MIXED)
@options.flag("--no-solution", help="Omit the solution.")
@click.option(
    "--run", metavar="ID|last", callback=_run_named,
    help="With best: of the problems of this run; last: of the run that began last.",
)  # fmt: skip
def show(problems: tuple[str, ...], place: str, voice: Voice, no_solution: bool, run: int | None) -> None:
    """Print stored problems or any positions as text diagrams with their solutions.

    ``best`` is the stored problem of the highest quality.
    """
    if run is not None and "best" not in problems:
        raise click.UsageError("--run needs best")
    missing = False
    with ExitStack() as closing:
        opened = cache(lambda: closing.enter_context(Store.open(place, create=False)))
        for number, problem in enumerate(problems):
            if number:
                click.echo()
            try:
                _show_problem(problem, opened, voice, no_solution, run)
            except (StoreError, click.ClickException) as error:
                if len(problems) == 1:
                    raise
                missing = True
                click.echo(f"Error: {error}", err=True)
    options.exit_with_status(not missing)


def _show_problem(problem: str, opened: Callable[[], Store], voice: Voice, no_solution: bool, run: int | None) -> None:
    """Show what is named; only for a stored problem the store is opened."""
    if problem != "best" and not (problem.isascii() and problem.isdigit()):
        text = problem
        entry = entry_with_start_faults(read_entry(text, "argument"))
        if entry.parsed is None:
            raise click.ClickException(f"{text_excerpt(text)}: {entry.error}")
        if entry.parsed.rotated:
            click.echo("note: White is the attacker; the board is shown from White's side", err=True)
        for note in entry.parsed.notes:
            click.echo(f"note: {note}", err=True)
        position = entry.parsed.position
        solution = None
        if not no_solution:
            try:
                solution = Solver(COMMAND).line(position)
            except NoLineError as reason:
                click.echo(str(reason), err=True)
        _show_position(position, voice, solution)
        return
    store = opened()
    number = _best_problem_id(store, run) if problem == "best" else _problem_id(problem)
    stored = store.get(number) if number <= options.MAX_NUMBER else None
    if stored is None:
        raise click.ClickException(f"{store.name}: no problem {number}")
    found, versions = store.playable(stored), store.versions(number)
    played = store.training.results.problem_ratings([number]).get(number)
    scale = found.difficulty.scale_fields(found.length, played.rating.rating if played else None)
    difficulty = difficulty_text("ja" if voice.board == "ja" else "en", scale, found.length)
    label = voice("problems.number", id=found.id)
    length = voice.on_board("common.length", length=found.length)
    quality = voice("common.quality", quality=found.quality)
    click.echo(f"{label}  {length}  {difficulty}  {quality}")
    if found.themes:
        language: Language = "ja" if voice.board == "ja" else "en"
        click.echo(list_separator(language).join(store_place_name(theme_name(language, tag)) for tag in found.themes))
    if found.grade is not Grade.PERFECT:
        remarks = defect_terms_text(found.blemishes.blemish_names, voice) or voice("problems.not_settled")
        grade = voice(f"grades.{found.grade.value}")
        click.echo(voice("problems.graded", grade=grade, remarks=remarks))
    for line in _notebook_lines(found.notebook, versions, voice):
        click.echo(line)
    _show_position(found.position, voice, None if no_solution else found.line)


def _notebook_lines(notebook: Notebook, versions: ProblemVersions, voice: Voice) -> Iterator[str]:
    """Yield a line for each text present, with further lines of notes indented."""
    for name in TEXTS:
        if (text := getattr(notebook, name)) and name != "notes":
            yield voice(f"problems.{name}", text=printable_note(text))
    if notebook.tags:
        yield voice("problems.tags", text=voice.listed(map(printable_note, notebook.tags)))
    if versions.earlier:
        yield voice("problems.version_of", text=" > ".join(map(str, versions.earlier)))
    if versions.later:
        yield voice("problems.versions", text=voice.listed(map(str, versions.later)))
    if notebook.notes:
        first, *others = map(printable_note, notebook.notes.split("\n"))
        yield voice("problems.notes", text=first)
        yield from (f"  {line}" for line in others)


def _best_problem_id(store: Store, run: int | None) -> int:
    """Return the id of the problem of the highest quality, stored or of a run, the lowest id among equals."""
    if run == _LAST:
        began_here = (one for one in store.runs.all() if one.state is not RunState.MERGED)
        run = max(((one.started_at, one.id) for one in began_here), default=(None, None))[1]
        if run is None:
            raise click.ClickException(f"{store.name}: no runs")
    elif run is not None and store.runs.get(run) is None:
        raise click.ClickException(f"{store.name}: no run {run}")
    best = next(iter(store.find(ProblemSelection(run=run, order="quality", limit=1))), None)
    if best is None:
        raise click.ClickException(f"{store.name}: no problems" + (f" of run {run}" if run else ""))
    return best.id


def _problem_id(digits: str) -> int:
    return int(digits.lstrip("0")[:_MAX_DIGITS] or "0")


def _show_position(position: Position, voice: Voice, line: tuple[Move, ...] | None) -> None:
    click.echo(board_text(voice, position))
    if line is not None:
        click.echo(f"\n{solution_text(voice, position, line)}")


_PAGE = 500
"""Problems that are read at once."""


def _text(_context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Return a text without spaces at its ends; one that cannot be kept is refused."""
    if value is None:
        return None
    text = value.strip()
    fault = fault_of_text(str(parameter.name), text)
    if fault is not None:
        raise click.BadParameter(fault)
    return text


def _tags(_context: click.Context, _parameter: click.Parameter, tags: tuple[str, ...]) -> tuple[str, ...]:
    fault = next(filter(None, map(fault_of_tag, tags)), None)
    if fault is not None:
        raise click.BadParameter(fault)
    if len(tags) > MAX_TAGS:
        raise click.BadParameter(f"more than {MAX_TAGS} tags")
    return tuple(dict.fromkeys(tags))


def _text_option(name: str, metavar: str, what: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return click.option(
        f"--{name}", metavar=metavar, callback=_text,
        help=f"{what}, at most {TEXTS[name]} characters; an empty text removes it.",
    )  # fmt: skip


@click.command()
@click.argument("ids", metavar="ID[-ID]...", nargs=-1, required=True, callback=options.parse_ids)
@options.store_option
@_text_option("title", "TEXT", "Title (作品名)")
@_text_option("author", "TEXT", "Author (作者)")
@_text_option("source", "TEXT", "Where it was published (出典)")
@_text_option("notes", "TEXT", "Notes, possibly of several lines")
@click.option(
    "--tag", "tags", multiple=True, callback=_tags, metavar="TAG",
    help="Add a tag, one word; repeatable.",
)  # fmt: skip
@click.option(
    "--untag", "without", multiple=True, callback=_tags, metavar="TAG",
    help="Remove a tag; repeatable.",
)  # fmt: skip
@click.option(
    "--version-of", "parent", type=click.IntRange(1, options.MAX_NUMBER), metavar="ID",
    help="Mark the problems as versions of this one.",
)  # fmt: skip
@options.flag("--no-version", help="The problems are no longer versions of another one.")
@options.lang_option(MIXED)
def edit(
    ids: tuple[int, ...], place: str, tags: tuple[str, ...], without: tuple[str, ...], parent: int | None,
    no_version: bool, voice: Voice, **texts: str | None,
) -> None:  # fmt: skip
    """Edit stored problems: title, author, source, notes, tags, and which problem they are versions of.

    Prints the new data of each problem. Either all the given problems are changed or none.
    """  # fmt: skip
    if parent is not None and no_version:
        raise click.UsageError("--version-of and --no-version contradict each other")
    moves = no_version or parent is not None
    change = NotebookEdit(**texts, tags=tags, without=without, parent=parent, moves=moves)
    with Store.open(place, create=False) as store:
        if change.asks:
            store.edit(ids, change)
        for at in range(0, len(ids), _PAGE):
            _print_problems(store, ids[at : at + _PAGE], voice)


def _print_problems(store: Store, ids: tuple[int, ...], voice: Voice) -> None:
    """Print what problems have; raises StoreError for one that is not there."""
    found = {problem.id: problem for problem in store.find(ProblemSelection(ids=ids))}
    versions = store.versions_among(ids)
    for number in ids:
        if number not in found:
            raise StoreError(f"{store.name}: no problem {number}")
        problem = found[number]
        length = voice.on_board("common.length", length=problem.length)
        click.echo(f"{voice('problems.number', id=problem.id)}  {length}")
        for line in _notebook_lines(problem.notebook, versions.get(number, ProblemVersions()), voice):
            click.echo(f"  {line}")
