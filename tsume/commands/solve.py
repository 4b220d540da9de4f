# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume solve``"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import click

from db.errors import store_place_name
from solver.results import Interposition, Mate
from tsume.commands.answering import AnswerBatch, PrintedAnswer, batch_options, print_answers, threads_and_processes
from tsume.commands.options import (
    MAX_NUMBER,
    NOT_PARSED,
    finite_only,
    json_text,
    jsonl_option,
    lang_option,
    memory_option,
    position_arguments,
    seconds_option,
)
from tsume.files.inputs import Entry, PositionInputs, complaint, with_start_faults
from tsume.files.writing import require_one_file
from tsume.language.catalogue import USI, Voice
from tsume.progress import SearchProgress
from tsume.reports.notation import MoveWriter, solution_fields
from tsume.uses.engines import DEFAULT_CELLS, ENGINES, MIN_CELLS, EngineOptions, TooLittleMemory
from tsume.uses.solving import SavedSearch, Solved, SolveOptions, Solver, UnusableState
from tsume.warmup import KernelPart
from tsume_rules.sfen import ParsedSfen


@click.command()
@position_arguments
@click.option("--max-moves", type=click.IntRange(1), help="Search for mates of at most this many moves (plies).")
@click.option("--nodes", type=click.IntRange(1), help="Stop searching a position after this many nodes.")
@seconds_option(30.0)
@memory_option
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default="df-pn",
    show_default=True,
    help="Search algorithm: proof numbers, iterative deepening (Sekine), or few cells (Katoh).",
)
@click.option(
    "--weight",
    type=click.FloatRange(0),
    default=0.4,
    show_default=True,
    callback=finite_only,
    help="iterative: weight of the king's freedom when choosing the next check.",
)
@click.option(
    "--cells",
    type=click.IntRange(MIN_CELLS, MAX_NUMBER),
    default=DEFAULT_CELLS,
    show_default=True,
    help="rsearch: maximum number of game-tree nodes kept at once.",
)
@click.option("--count-futile", is_flag=True, help="Count every interposition, even futile ones.")
@click.option("--all-answers", is_flag=True, help="At each turn of the line, show all checks that mate equally fast.")
@click.option(
    "--state",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Save a long search of one position to FILE when it is stopped, and continue from there.",
)
@batch_options("For one position, and always with iterative: number of threads in one process (1).")
@lang_option(USI)
@jsonl_option("position")
@click.pass_context
def solve(
    context: click.Context,
    sfens: tuple[str, ...],
    files: tuple[str, ...],
    at: int | None,
    max_moves: int | None,
    nodes: int | None,
    seconds: float,
    memory: int,
    engine: str,
    weight: float,
    cells: int,
    jobs: int | None,
    skip: int,
    count_futile: bool,
    all_answers: bool,
    state: Path | None,
    voice: Voice,
    jsonl: bool,
) -> None:
    """Find the shortest mate of each position and its best line.

    Exits with status 1 if a position is invalid or unresolved.
    """
    inputs = PositionInputs(sfens, files, at=at)
    if engine != "iterative" and _is_given(context, "weight"):
        raise click.UsageError("--weight needs --engine iterative")
    if engine != "rsearch" and _is_given(context, "cells"):
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
        threads = threads if nodes is None else 1
    of_engine = EngineOptions(memory << 20, reading, weight, threads, cells)
    options = SolveOptions(seconds, nodes, max_moves, engine, of_engine, all_answers)
    answerer = partial(_SolutionAnswerer, options, state, voice, jsonl)
    parts = (KernelPart.ENGINE, KernelPart.RSEARCH) if engine == "rsearch" else (KernelPart.ENGINE,)
    good = print_answers(AnswerBatch(inputs, processes, answerer, skip, parts))
    context.exit(0 if good else 1)


def _is_given(context: click.Context, *names: str) -> bool:
    default = click.core.ParameterSource.DEFAULT
    return any(context.get_parameter_source(name) is not default for name in names)


class _SolutionAnswerer:
    """Answers with the mates of positions."""

    def __init__(self, options: SolveOptions, state: Path | None, voice: Voice, jsonl: bool) -> None:
        self._solver = Solver(options)
        self._state = state
        self._voice = voice
        self._jsonl = jsonl

    def __call__(self, given: Entry) -> PrintedAnswer:
        """Return what is printed about a position."""
        entry = with_start_faults(given)
        if entry.parsed is None:
            error: str | None = entry.error
            fields = solution_fields(NOT_PARSED, "invalid", error=error)
            told = self._voice("solving.invalid")
        else:
            solved = self._solve(entry.place, entry.parsed)
            fields, error = solved.to_json(), solved.error
            told = "\n".join(_solution_lines(solved, self._voice)) if not self._jsonl else ""
        if self._jsonl:
            told = json_text(**entry.names, sfen=entry.sfen, **fields)
        return PrintedAnswer(told, complaint(entry.place, error) if error else "", error is None)

    def _solve(self, place: str, parsed: ParsedSfen) -> Solved:
        saved = None if self._state is None else _saved_search(self._state)
        try:
            return self._solver.solve(parsed, partial(SearchProgress, place), saved)
        except TooLittleMemory as error:
            raise click.UsageError(f"--memory is too small for {error}") from None
        except UnusableState as error:
            name = store_place_name(self._state or "")
            raise click.ClickException(f"{name}: {error}; the file is unchanged") from None


def _saved_search(path: Path) -> SavedSearch:
    """Return the search that ``--state`` continues and saves."""
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


def _solution_lines(solved: Solved, voice: Voice) -> Iterator[str]:
    """Length and line, then each turn of ``--all-answers``."""
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
