"""``tsume show``"""

from __future__ import annotations

import click

from db.errors import StoreError, named
from db.notebook_rows import Versions
from db.selection import Selection
from db.store import Store
from db.stored_problem import StoredProblem
from generator.theme_names import japanese_name
from solver.results import Grade, Limits, Mate, NoMate
from tsume.commands.options import MOST, store_option
from tsume.formats.diagram import diagram
from tsume.formats.errors import shown
from tsume.formats.japanese import line_text
from tsume.inputs import read_entry, with_start_faults
from tsume.reports.judgement import terms_text
from tsume.reports.notebook import notebook_lines
from tsume.warmup import Part, warm_up
from tsume_rules.moves import Move
from tsume_rules.position import Position

_SECONDS = 30.0
_MOST_DIGITS = 20  # more than any id has, few enough for int()


@click.command()
@click.argument("problems", metavar="ID|best|SFEN...", nargs=-1, required=True)
@store_option
@click.option("--no-solution", is_flag=True, help="Leave the solution out.")
@click.pass_context
def show(context: click.Context, problems: tuple[str, ...], place: str, no_solution: bool) -> None:
    """Show stored problems, or any positions, as Japanese diagrams with their solutions.

    ``best`` is the stored problem of the highest quality.
    """
    missing = False
    for number, problem in enumerate(problems):
        if number:
            click.echo()
        try:
            _show(problem, place, no_solution)
        except click.ClickException as error:
            if len(problems) == 1:
                raise
            missing = True
            click.echo(f"Error: {error.format_message()}", err=True)
    context.exit(1 if missing else 0)


def _show(problem: str, place: str, no_solution: bool) -> None:
    if problem == "best":
        _show_stored(*_stored(_best(place), place), no_solution)
    elif problem.isascii() and problem.isdigit():
        _show_stored(*_stored(_number(problem), place), no_solution)
    else:
        _show_sfen(problem, no_solution)


def _best(place: str) -> int:
    """The id of the stored problem of the highest quality, the lowest id among equals."""
    try:
        with Store.open(place, create=False) as store:
            best = next(iter(store.find(Selection(order="quality", limit=1))), None)
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    if best is None:
        raise click.ClickException(f"{store.name}: no problems")
    return best.id


def _number(digits: str) -> int:
    return int(digits.lstrip("0")[:_MOST_DIGITS] or "0")


def _stored(number: int, place: str) -> tuple[StoredProblem, Versions]:
    try:
        with Store.open(place, create=False) as store:
            found = store.get(number) if number <= MOST else None
            if found is None:
                raise click.ClickException(f"{store.name}: no problem {number}")
            return store.playable(found), store.versions(number)
    except StoreError as error:
        raise click.ClickException(str(error)) from None


def _show_stored(problem: StoredProblem, versions: Versions, no_solution: bool) -> None:
    stars = "★" * problem.difficulty.stars + "☆" * (5 - problem.difficulty.stars)
    score = f"{stars} {problem.difficulty.score:.2f}  quality {problem.quality:.1f}"
    click.echo(f"No. {problem.id}  {problem.length}手詰  {score}")
    if problem.themes:
        click.echo("、".join(named(japanese_name(tag)) for tag in problem.themes))
    if problem.grade is not Grade.PERFECT:
        click.echo(f"{problem.grade.value}: {terms_text(problem.blemishes) or 'not settled to the end'}")
    for line in notebook_lines(problem.notebook, versions):
        click.echo(line)
    _show_position(problem.position, None if no_solution else problem.line)


def _show_sfen(text: str, no_solution: bool) -> None:
    entry = with_start_faults(read_entry(text, "argument"))
    if entry.parsed is None:
        raise click.ClickException(f"{shown(text)}: {entry.error}")
    if entry.parsed.rotated:
        click.echo("note: White attacks here; the board is shown from White's side", err=True)
    for note in entry.parsed.notes:
        click.echo(f"note: {note}", err=True)
    _show_position(entry.parsed.position, None if no_solution else _solution(entry.parsed.position))


def _solution(position: Position) -> tuple[Move, ...] | None:
    warm_up(Part.ENGINE)
    from solver.engines.dfpn.engine import DfPnEngine
    from solver.solving.solve import solve

    result = solve(position, Limits(seconds=_SECONDS), DfPnEngine())
    if isinstance(result, Mate):
        return result.line
    click.echo("no mate" if isinstance(result, NoMate) else "unresolved: a limit was reached", err=True)
    return None


def _show_position(position: Position, line: tuple[Move, ...] | None) -> None:
    click.echo(diagram(position))
    if line is not None:
        click.echo(f"\n{line_text(position, line)}  まで{len(line)}手詰")
