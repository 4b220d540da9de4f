# SPDX-License-Identifier: GPL-3.0-or-later
"""What ``generate`` and ``runs resume`` share: work on a run, and its summary."""

from __future__ import annotations

import time
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

import click
from rich.console import Console

from db.errors import BusyRunError, StoreError
from db.runs import RunState, StoredRun
from db.store import Store
from generator.acceptance.reasons import Rejection, RootsFailedError
from generator.constraints.options import SAMPLED
from generator.problem import Problem
from generator.run.processes import WorkerLostError
from tsume.commands.cluster_options import Scheduler
from tsume.commands.options import DEFAULT_STORE
from tsume.commands.output import print_json, print_line
from tsume.language.voice import MIXED, Voice
from tsume.progress import RunProgress
from tsume.reports.nearest import nearest_lines, theme_lines
from tsume.reports.notation import problem_line
from tsume.services.composing import compose_into_store, composed_fields, nearest_problems
from tsume.summary import asked_text, failure_lines, long_summary_lines, short_summary_lines
from tsume.warmup import KernelPart, warm_up

if TYPE_CHECKING:
    from generator.constraints.options import ComposingOptions

_NEAREST_SECONDS, _LEAST_SECONDS = 8.0, 1.0
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
    on_stored = _print_json if jsonl else _print_line
    pool = None if scheduler is None else scheduler.pool()
    progress = RunProgress(
        run.count, asked_text(run, voice), voice, found=run.totals.found, deadline=deadline, verbose=verbose
    )
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
    if seconds >= _LEAST_SECONDS and not found:
        _report_nearest_problems(run, options, seconds, voice)
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


def _report_nearest_problems(run: StoredRun, options: ComposingOptions, seconds: float, voice: Voice) -> None:
    """Print on stderr what is found if one constraint is relaxed, and how long the themes take."""
    found = nearest_problems(options, run.seed, seconds)
    for line in chain(nearest_lines(found, seconds, voice), theme_lines(options.wishes.themes, voice)):
        click.echo(line, err=True)


def _print_line(problem: Problem, _number: int) -> None:
    print_line(problem_line(problem))


def _print_json(problem: Problem, number: int) -> None:
    print_json(**composed_fields(problem), id=number)


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
    """How to resume the run. Errors carry it as a note, which `tsume.__main__` prints."""
    place = "" if store.name == DEFAULT_STORE else f" --db {store.name}"
    return voice("runs.to_go_on", command=f"tsume runs resume {run_id}{place}")
