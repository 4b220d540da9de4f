# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume solve``"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click

from db.errors import store_place_name
from solver.results import Interposition, Mate
from tsume.commands import options
from tsume.commands.answering import PrintedAnswer, batch_options, print_answers, threads_and_processes
from tsume.files.inputs import Entry, PositionInputs, complaint_line, entry_with_start_faults
from tsume.files.writing import require_one_file
from tsume.language.catalogue import USI, Voice
from tsume.progress import SearchProgress
from tsume.reports.notation import MoveWriter, solution_fields
from tsume.uses.engines import DEFAULT_CELLS, ENGINES, MIN_CELLS, EngineOptions, TooLittleMemory
from tsume.uses.solving import SavedSearch, SolvedPosition, SolveOptions, Solver, UnusableState


@click.command()
@options.position_inputs
@click.option("--max-moves", type=click.IntRange(1), help="Search for mates of at most this many moves (plies).")
@click.option("--nodes", type=click.IntRange(1), help="Stop searching a position after this many nodes.")
@options.seconds_option(30.0)
@options.memory_option
@click.option(
    "--engine", type=click.Choice(ENGINES), default="df-pn", show_default=True,
    help="Search algorithm: proof numbers, iterative deepening (Sekine), or few cells (Katoh).",
)  # fmt: skip
@click.option(
    "--weight", type=click.FloatRange(0), default=0.4, show_default=True, callback=options.finite_only,
    help="iterative: weight of the king's freedom when choosing the next check.",
)  # fmt: skip
@click.option(
    "--cells", type=click.IntRange(MIN_CELLS, options.MAX_NUMBER), default=DEFAULT_CELLS, show_default=True,
    help="rsearch: maximum number of game-tree nodes kept at once.",
)  # fmt: skip
@options.flag("--count-futile", help="Count every interposition, even futile ones.")
@options.flag("--all-answers", help="At each turn of the line, show all checks that mate equally fast.")
@click.option(
    "--state", type=click.Path(path_type=Path), metavar="FILE",
    help="Save a long search of one position to FILE when it is stopped, and continue from there.",
)  # fmt: skip
@batch_options("For one position, and always with iterative: number of threads in one process (1).")
@options.lang_option(USI)
@options.jsonl_option("position")
def solve(
    inputs: PositionInputs, memory: int, weight: float, cells: int, jobs: int | None, skip: int, count_futile: bool,
    state: Path | None, voice: Voice, jsonl: bool, **given: Any,
) -> None:  # fmt: skip
    """Find the shortest mate of each position and its best line.

    Exits with status 1 if a position is invalid or unresolved.
    """
    engine = given["engine"]
    if engine != "iterative" and options.is_option_given("weight"):
        raise click.UsageError("--weight needs --engine iterative")
    if engine != "rsearch" and options.is_option_given("cells"):
        raise click.UsageError("--cells needs --engine rsearch")
    if state is not None:
        # Refuse what ``--state`` cannot keep.
        if engine != "df-pn":
            raise click.UsageError("--state needs --engine df-pn")
        if inputs.number() != 1:
            raise click.UsageError("--state works for one position only")
    reading = Interposition.COUNT_ALL if count_futile else Interposition.NARROW
    # A limit of nodes holds to the node, which several threads cannot keep.
    threads, processes = (jobs or 1, 1) if engine == "iterative" else (1, jobs)
    if engine == "df-pn":
        threads, processes = threads_and_processes(inputs, jobs)
        threads = threads if given["nodes"] is None else 1
    of_engine = EngineOptions(memory << 20, reading, weight, threads, cells)
    answerer = partial(_solution_answerer, SolveOptions(of_engine=of_engine, **given), state, voice, jsonl)
    options.exit_with_status(print_answers(inputs, processes, answerer, skip))


def _solution_answerer(
    wanted: SolveOptions, state: Path | None, voice: Voice, jsonl: bool
) -> Callable[[Entry], PrintedAnswer]:
    solver = Solver(wanted)

    def answer(given: Entry) -> PrintedAnswer:
        entry = entry_with_start_faults(given)
        if entry.parsed is None:
            error: str | None = entry.error
            fields = solution_fields(options.NOT_PARSED, "invalid", error=error)
            told = voice("solving.invalid")
        else:
            saved = None if state is None else _saved_search(state)
            try:
                solved = solver.solve(entry.parsed, partial(SearchProgress, entry.place), saved)
            except TooLittleMemory as fault:
                raise click.UsageError(f"--memory is too small for {fault}") from None
            except UnusableState as fault:
                name = store_place_name(state or "")
                raise click.ClickException(f"{name}: {fault}; the file is unchanged") from None
            fields, error = solved.to_json(), solved.error
            told = "\n".join(_solution_lines(solved, voice)) if not jsonl else ""
        if jsonl:
            told = options.json_text(**entry.names, sfen=entry.sfen, **fields)
        return PrintedAnswer(told, complaint_line(entry.place, error) if error else "", error is None)

    return answer


def _saved_search(path: Path) -> SavedSearch:
    require_one_file(str(path), "the search state")

    def warn(error: click.ClickException) -> None:
        click.echo(f"{error.message}; the search continues", err=True)

    def stopped(size: int | None) -> None:
        if size is None:
            click.echo("nothing to save yet: only mates of at most 11 moves were searched for", err=True)
        else:
            text = f"saved to {store_place_name(path)} ({size / 1e6:.0f} MB): run the same command to continue"
            click.echo(text, err=True)

    return SavedSearch(path, warn, stopped)


def _solution_lines(solved: SolvedPosition, voice: Voice) -> Iterator[str]:
    parsed, mate = solved.parsed, solved.result
    if not isinstance(mate, Mate):
        yield voice(f"solving.{solved.outcome}")
        return
    writer = MoveWriter(voice, parsed, mate.line)
    if parsed.rotated and voice.board != "usi":
        yield voice("judgement.rotated")
    yield voice("solving.mate", length=mate.length, line=writer.line(mate.line))
    for found in solved.others or ():
        path = mate.line[: found.turn]
        told = [writer.move(path, found.key)]
        if found.form:
            told.append(voice("solving.other_form", moves=writer.moves(path, found.form)))
        if found.other:
            told.append(voice("solving.other_checks", moves=writer.moves(path, found.other)))
        yield voice("solving.turn", number=found.turn + 1, moves=voice("solving.clauses").join(told))
