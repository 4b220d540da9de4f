# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume runs``"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from db.errors import StoreError, stored_value_excerpt
from db.runs import RunState, StoredRun
from db.store import Store
from generator.problem import GENERATOR_VERSION
from tsume import __version__
from tsume.collection.lines import CollectionError
from tsume.commands.cluster_options import Scheduler, scheduler_options
from tsume.commands.options import (
    MOST,
    jobs_option,
    jsonl_option,
    lang_option,
    memory_errors,
    store_option,
    verbose_option,
)
from tsume.commands.run_session import continue_run
from tsume.commands.time_options import time_options
from tsume.language.voice import Voice
from tsume.summary import problem_figure_lines, request_lines, run_account_lines, run_head_line, state_text

if TYPE_CHECKING:
    from generator.constraints.options import ComposingOptions

_WIDTH = 400
"""The width of tables that do not go to a terminal: nothing is cut off."""
_ID = click.IntRange(1, MOST)


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
            _print_table(store.runs.all(), voice)
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
            for line in (*_request_lines(found, voice), *run_account_lines(found, voice)):
                click.echo(line)
            for line in problem_figure_lines(store.runs.figures(run), voice):
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
            _require_same_version(found)
            if found.totals.found >= found.count:
                _refuse_finished_run(store, found, voice)
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


def _require_same_version(run: StoredRun) -> None:
    if run.state is RunState.MERGED:
        raise click.ClickException(
            f"run {run.id} came from another store: resume it there and merge that store again"
        )


def _refuse_finished_run(store: Store, run: StoredRun, voice: Voice) -> None:
    if run.state is not RunState.COMPLETE:  # killed after the last problem
        store.runs.finish(run.id, RunState.COMPLETE, run.totals.next_root, run.totals)
    text = voice("runs.finished", id=run.id, found=run.totals.found, count=run.count)
    click.echo(text, err=True)


def _run_options(run: StoredRun) -> ComposingOptions:
    from generator.constraints.options import ComposingOptions

    if not run.resumable:
        raise click.ClickException(
            f"run {run.id} was made by a version without resumable runs: start a new run"
        )
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


def _request_lines(run: StoredRun, voice: Voice) -> Iterator[str]:
    yield run_head_line(run, voice)
    recipe = "" if run.recipe is None else voice("runs.recipe", recipe=run.recipe)
    asked = {"count": run.count, "moves": run.moves, "seed": run.seed, "version": run.version}
    yield voice("runs.asked", recipe=recipe, **asked)
    yield from request_lines(run.options, voice)
    began, end = _time_text(run.started_at), _run_end_text(run, voice)
    yield voice("runs.began", began=began, end=end, roots=run.totals.next_root)


def _time_text(moment: Any) -> str:
    return f"{moment.astimezone():%Y-%m-%d %H:%M:%S}"


def _run_end_text(run: StoredRun, voice: Voice) -> str:
    if run.ended_at is None:
        return voice("runs.not_ended")
    return voice("runs.ended", moment=_time_text(run.ended_at))


def _print_table(found: list[StoredRun], voice: Voice) -> None:
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
