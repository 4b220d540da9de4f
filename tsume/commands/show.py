# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume show``"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from functools import cache

import click

from db.errors import StoreError, store_place_name
from db.notebook_rows import Versions
from db.runs import RunState
from db.selection import ProblemSelection
from db.store import Store
from db.stored_problem import StoredProblem
from solver.results import Grade, Limits
from tsume.commands.options import MOST, lang_option, store_option
from tsume.files.inputs import read_entry, with_start_faults
from tsume.formats.errors import text_excerpt
from tsume.formats.symbols import stars_text
from tsume.language.catalogue import Language
from tsume.language.voice import MIXED, Voice, separator, theme_name
from tsume.reports.judgement import terms_text
from tsume.reports.notation import board_text, solution_text
from tsume.reports.notebook import notebook_lines
from tsume.services.solving import NoLine, Solver
from tsume_rules.moves import Move
from tsume_rules.position import Position

_LIMITS = Limits(seconds=30.0)
_LAST = 0
"""Stands for the run that began last: ids begin with 1."""
_MOST_DIGITS = 20  # more than any id has, few enough for int()


def _run_named(_context: click.Context, _parameter: click.Parameter, name: str | None) -> int | None:
    if name is None or name == "last":
        return None if name is None else _LAST
    if not (name.isascii() and name.isdigit() and 0 < _problem_id(name) <= MOST):
        raise click.BadParameter(f"{text_excerpt(name)} is neither the number of a run nor last")
    return _problem_id(name)


@click.command()
@click.argument("problems", metavar="ID|best|SFEN...", nargs=-1, required=True)
@store_option
@lang_option(MIXED)
@click.option("--no-solution", is_flag=True, help="Omit the solution.")
@click.option(
    "--run", metavar="ID|last", callback=_run_named,
    help="With best: of the problems of this run; last: of the run that began last.",
)  # fmt: skip
@click.pass_context
def show(
    context: click.Context, problems: tuple[str, ...], place: str, voice: Voice, no_solution: bool,
    run: int | None,
) -> None:  # fmt: skip
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
            except click.ClickException as error:
                if len(problems) == 1:
                    raise
                missing = True
                click.echo(f"Error: {error.format_message()}", err=True)
    context.exit(1 if missing else 0)


def _show_problem(
    problem: str, opened: Callable[[], Store], voice: Voice, no_solution: bool, run: int | None
) -> None:
    """Show what is named; only for a stored problem the store is opened."""
    if problem != "best" and not (problem.isascii() and problem.isdigit()):
        _show_sfen(problem, voice, no_solution)
        return
    try:
        store = opened()
        number = _best_problem_id(store, run) if problem == "best" else _problem_id(problem)
        found, versions = _stored_problem(number, store)
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    _show_stored(found, versions, voice, no_solution)


def _best_problem_id(store: Store, run: int | None) -> int:
    """The id of the problem of the highest quality, stored or of a run, the lowest id among equals."""
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
    return int(digits.lstrip("0")[:_MOST_DIGITS] or "0")


def _stored_problem(number: int, store: Store) -> tuple[StoredProblem, Versions]:
    found = store.get(number) if number <= MOST else None
    if found is None:
        raise click.ClickException(f"{store.name}: no problem {number}")
    return store.playable(found), store.versions(number)


def _show_stored(problem: StoredProblem, versions: Versions, voice: Voice, no_solution: bool) -> None:
    stars = stars_text(problem.difficulty.stars)
    number = voice("problems.number", id=problem.id)
    length = voice.on_board("common.length", length=problem.length)
    quality = voice("common.quality", quality=problem.quality)
    click.echo(f"{number}  {length}  {stars} {problem.difficulty.score:.2f}  {quality}")
    if problem.themes:
        language: Language = "ja" if voice.board == "ja" else "en"
        click.echo(
            separator(language).join(store_place_name(theme_name(language, tag)) for tag in problem.themes)
        )
    if problem.grade is not Grade.PERFECT:
        remarks = terms_text(problem.blemishes.blemish_names, voice) or voice("problems.not_settled")
        grade = voice(f"grades.{problem.grade.value}")
        click.echo(voice("problems.graded", grade=grade, remarks=remarks))
    for line in notebook_lines(problem.notebook, versions, voice):
        click.echo(line)
    _show_position(problem.position, voice, None if no_solution else problem.line)


def _show_sfen(text: str, voice: Voice, no_solution: bool) -> None:
    entry = with_start_faults(read_entry(text, "argument"))
    if entry.parsed is None:
        raise click.ClickException(f"{text_excerpt(text)}: {entry.error}")
    if entry.parsed.rotated:
        click.echo("note: White is the attacker; the board is shown from White's side", err=True)
    for note in entry.parsed.notes:
        click.echo(f"note: {note}", err=True)
    position = entry.parsed.position
    _show_position(position, voice, None if no_solution else _solution(position))


def _solution(position: Position) -> tuple[Move, ...] | None:
    try:
        return Solver(_LIMITS).line(position)
    except NoLine as reason:
        click.echo(str(reason), err=True)
        return None


def _show_position(position: Position, voice: Voice, line: tuple[Move, ...] | None) -> None:
    click.echo(board_text(voice, position))
    if line is not None:
        click.echo(f"\n{solution_text(voice, position, line)}")
