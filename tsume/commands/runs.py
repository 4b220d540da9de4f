# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume runs``, and the session that works on a run, which `tsume generate` shares."""

from __future__ import annotations

import time
from functools import partial
from itertools import chain
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from db.errors import BusyRunError, StoreError, stored_value_excerpt
from db.runs import RunState, StoredRun
from db.store import Store
from generator.acceptance.reasons import Rejection, RootsFailedError
from generator.constraints.options import SAMPLED, ComposingOptions
from generator.problem import GENERATOR_VERSION, Problem
from generator.run.processes import WorkerLostError
from tsume import __version__
from tsume.collection import CollectionError
from tsume.commands.options import (
    DEFAULT_STORE,
    MAX_NUMBER,
    jobs_option,
    jsonl_option,
    lang_option,
    memory_errors,
    print_json,
    print_line,
    store_option,
    time_options,
    verbose_option,
)
from tsume.commands.worker import Scheduler, scheduler_options
from tsume.language.catalogue import MIXED, Voice
from tsume.progress import RunProgress
from tsume.reports.notation import problem_line
from tsume.reports.runs import (
    asked_text,
    failure_lines,
    long_summary_lines,
    nearest_lines,
    problem_figure_lines,
    request_lines,
    run_account_lines,
    run_head_line,
    short_summary_lines,
    state_text,
    theme_lines,
)
from tsume.uses.composing import compose_into_store, composed_fields, nearest_problems
from tsume.warmup import KernelPart, warm_up

# --- what ``generate`` and ``runs resume`` share: work on a run, and its summary -------------------

_NEAREST_SECONDS, _MIN_SECONDS = 8.0, 1.0
"""Seconds for hints after a run that found nothing: at most, and at least."""
UNFINISHED = 3
"""The exit status when a run was out of time, or exhausted, before all problems were found."""


def continue_run(
    store: Store,
    run: StoredRun,
    options: ComposingOptions,
    voice: Voice,
    *,
    jobs: int,
    scheduler: Scheduler | None,
    time_limit: float | None,
    jsonl: bool,
    verbose: bool,
) -> int:
    """Compose until a run is complete, out of time or interrupted; print its summary.

    By ``jobs`` processes of this machine, or by the workers of a ``scheduler``.

    Returns the exit status: 1 if an error ended a root, else `UNFINISHED` unless the run is complete.
    """
    warm_up(KernelPart.GENERATOR)
    store.report_outages(partial(click.echo, err=True))
    if (method := method_line(options, voice)) is not None:
        click.echo(method, err=True)
    deadline = None if time_limit is None else time.monotonic() + time_limit
    pool = None if scheduler is None else scheduler.pool()
    progress = RunProgress(
        run.count, asked_text(run, voice), voice, found=run.totals.found, deadline=deadline, verbose=verbose
    )

    def on_stored(problem: Problem, number: int) -> None:
        if jsonl:
            print_json(**composed_fields(problem), id=number)
        else:
            print_line(problem_line(problem))

    try:
        state, found = compose_into_store(
            store, run, options, on_stored, progress, jobs=jobs, pool=pool, deadline=deadline
        )
        _print_run_summary(store, run.id, voice)
    except BusyRunError as error:
        raise click.ClickException(str(error)) from None
    except (StoreError, WorkerLostError, RootsFailedError) as error:
        failed = click.ClickException(str(error))
        failed.add_note(_resume_hint(store, run.id))
        raise failed from None
    except KeyboardInterrupt:
        try:
            _print_run_summary(store, run.id, voice)
        except StoreError:
            click.echo(_resume_hint(store, run.id, voice), err=True)
        raise
    except Exception as error:
        ended = store.runs.get(run.id)
        if ended is None or ended.state is not RunState.COMPLETE:  # else only the output was lost
            error.add_note(_resume_hint(store, run.id))
        raise
    seconds = _NEAREST_SECONDS if time_limit is None else min(_NEAREST_SECONDS, time_limit / 2)
    if seconds >= _MIN_SECONDS and not found:
        # Print on stderr what is found if one constraint is relaxed, and how long the themes take.
        nearest = nearest_problems(options, run.seed, seconds)
        for line in chain(nearest_lines(nearest, seconds, voice), theme_lines(options.wishes.themes, voice)):
            click.echo(line, err=True)
    ended = store.runs.get(run.id)
    if ended is not None and ended.totals.rejections.get(Rejection.FAILED):
        return 1
    return 0 if state is RunState.COMPLETE else UNFINISHED


def method_line(options: ComposingOptions, voice: Voice) -> str | None:
    """How natural problems are composed, and why, if not from the network; None where the mate is given."""
    if not options.is_natural or options.uses_network or options.has_given_mate:
        return None
    if options.uses_local_search:
        return voice("runs.by_walk")
    has_model = options.length in SAMPLED
    why = voice("runs.no_such_walk") if has_model else voice("runs.no_network", moves=options.length)
    return voice("runs.by_reverse", why=why)


def _print_run_summary(store: Store, run_id: int, voice: Voice) -> None:
    """Print the summary on stderr: with bars on a terminal, short elsewhere."""
    run = store.runs.get(run_id)
    if run is None:
        return
    lines = long_summary_lines if Console(stderr=True).is_terminal else short_summary_lines
    for line in (*lines(run, store.runs.figures(run_id), voice), *failure_lines(run, voice)):
        click.echo(line, err=True)
    if run.state not in (RunState.COMPLETE, RunState.EXHAUSTED):
        click.echo(_resume_hint(store, run.id, voice), err=True)


def _resume_hint(store: Store, run_id: int, voice: Voice = MIXED) -> str:
    """Return how to resume the run. Errors carry it as a note, which `tsume.__main__` prints."""
    place = "" if store.name == DEFAULT_STORE else f" --db {store.name}"
    return voice("runs.to_go_on", command=f"tsume runs resume {run_id}{place}")


# --- ``tsume runs`` --------------------------------------------------------------------------------

_WIDTH = 400
"""The width of tables that do not go to a terminal: nothing is cut off."""
_ID = click.IntRange(1, MAX_NUMBER)


@click.group()
def runs() -> None:
    """List, show and resume runs of `tsume generate`."""


@runs.command("list")
@store_option
@lang_option(Voice.of("en"))
def list_runs(place: str, voice: Voice) -> None:
    """List the runs of a store: state, length, problems found, roots done, seed."""
    try:
        with Store.open(place, create=False) as store:
            found = store.runs.all()
            table = Table(box=None, pad_edge=False)
            for heading in ("id", "moves", "found", "of", "roots", "seconds"):
                table.add_column(voice(f"runs.column_{heading}"), justify="right", no_wrap=True)
            for heading in ("state", "began", "seed", "version"):
                table.add_column(voice(f"runs.column_{heading}"), no_wrap=True)
            for run in found:
                totals = run.totals
                texts = (
                    state_text(run, voice),
                    _time_text(run.started_at),
                    str(run.seed),
                    stored_value_excerpt(run.version),
                )
                numbers = (run.id, run.moves, totals.found, run.count, totals.next_root, round(totals.elapsed))
                table.add_row(*map(str, numbers), *map(Text, texts))
            console = Console(highlight=False)
            if not console.is_terminal:
                console.width = _WIDTH
            console.print(table)
    except StoreError as error:
        raise click.ClickException(str(error)) from None


@runs.command("show")
@click.argument("run", metavar="ID", type=_ID)
@store_option
@lang_option(Voice.of("en"))
def show_run(run: int, place: str, voice: Voice) -> None:
    """Show a run: its options, its problems, and why candidates were rejected."""
    try:
        with Store.open(place, create=False) as store:
            found = _run_with_id(store, run)
            recipe = "" if found.recipe is None else voice("runs.recipe", recipe=found.recipe)
            asked = {"count": found.count, "moves": found.moves, "seed": found.seed, "version": found.version}
            end = voice("runs.not_ended")
            if found.ended_at is not None:
                end = voice("runs.ended", moment=_time_text(found.ended_at))
            began, roots = _time_text(found.started_at), found.totals.next_root
            for line in (
                run_head_line(found, voice),
                voice("runs.asked", recipe=recipe, **asked),
                *request_lines(found.options, voice),
                voice("runs.began", began=began, end=end, roots=roots),
                *run_account_lines(found, voice),
                *problem_figure_lines(store.runs.figures(run), voice),
            ):
                click.echo(line)
    except StoreError as error:
        raise click.ClickException(str(error)) from None


@runs.command()
@click.argument("run", metavar="ID", type=_ID)
@jobs_option
@scheduler_options
@time_options
@store_option
@lang_option(Voice.of("en"))
@jsonl_option("problem")
@verbose_option
@click.pass_context
@memory_errors
def resume(
    context: click.Context,
    run: int,
    jobs: int,
    scheduler: Scheduler | None,
    time_limit: float | None,
    place: str,
    voice: Voice,
    jsonl: bool,
    verbose: bool,
) -> None:
    """Resume a run that was stopped or killed.

    It ends with the same problems as a run that was never stopped. The version and the recipe of
    tsume must be those with which the run was started, since others find other problems.
    """
    try:
        with Store.open(place, create=False) as store:
            found = _run_with_id(store, run)
            if found.state is RunState.MERGED:
                raise click.ClickException(
                    f"run {found.id} came from another store: resume it there and merge that store again"
                )
            if found.totals.found >= found.count:
                if found.state is not RunState.COMPLETE:  # killed after the last problem
                    store.runs.finish(found.id, RunState.COMPLETE, found.totals.next_root, found.totals)
                text = voice("runs.finished", id=found.id, found=found.totals.found, count=found.count)
                click.echo(text, err=True)
                return
            options = _run_options(found)
            store.runs.reopen(run)
            status = continue_run(
                store, found, options, voice,
                jobs=jobs, scheduler=scheduler, time_limit=time_limit, jsonl=jsonl, verbose=verbose,
            )  # fmt: skip
    except (CollectionError, StoreError) as error:
        raise click.ClickException(str(error)) from None
    context.exit(status)


def _run_with_id(store: Store, run: int) -> StoredRun:
    found = store.runs.get(run)
    if found is None:
        raise click.ClickException(f"{store.name}: no run {run}")
    return found


def _run_options(run: StoredRun) -> ComposingOptions:
    if not run.resumable:
        raise click.ClickException(f"run {run.id} was made by a version without resumable runs: start a new run")
    if run.version != __version__:
        raise click.ClickException(
            f"run {run.id} was started by tsume {stored_value_excerpt(run.version)}; this is {__version__}, "
            "which finds other problems: start a new run"
        )
    if run.recipe != GENERATOR_VERSION:
        begun_with = "unknown" if run.recipe is None else run.recipe
        raise click.ClickException(
            f"run {run.id} was started with generator version {begun_with}; this is {GENERATOR_VERSION}, "
            "which finds other problems: start a new run"
        )
    try:
        return ComposingOptions.from_dict(run.options)
    except (TypeError, ValueError, AttributeError) as error:
        raise click.ClickException(f"the options of run {run.id} are unreadable: {error}") from None


def _time_text(moment: Any) -> str:
    return f"{moment.astimezone():%Y-%m-%d %H:%M:%S}"
