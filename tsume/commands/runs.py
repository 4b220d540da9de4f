# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume runs``, and the session that works on a run, which `tsume generate` shares.

Also what goes with composing: ``tsume worker`` and ``tsume themes``.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from db.errors import BusyRunError, StoreError, stored_value_excerpt
from db.runs import RunState, StoredRun
from db.store import Store
from generator.acceptance import Rejection, RootsFailedError
from generator.constraints.options import SAMPLED, ComposingOptions
from generator.problem import GENERATOR_VERSION, Problem
from generator.run.processes import WorkerLostError
from generator.theme_names import NAMES, TIMES
from tsume import __version__
from tsume.commands import options
from tsume.extras import require_extra
from tsume.language.catalogue import MIXED, Voice
from tsume.progress import RunProgress
from tsume.reports import runs as texts
from tsume.reports.notation import problem_line
from tsume.uses.composing import compose_into_store, composed_fields, nearest_problems

if TYPE_CHECKING:
    from distributed import Security

    from generator.run.roots import PoolFactory

# --- ``--scheduler`` and the files of TLS ----------------------------------------------------------

_SCHEMES = ("tcp://", "tls://", "ws://", "wss://")


@dataclass(frozen=True)
class Scheduler:
    """A Dask scheduler: its address, and the files by which TLS identifies both sides, None without TLS."""

    address: str
    ca: str | None = None
    certificate: str | None = None
    key: str | None = None

    def security(self) -> Security | None:
        """Return the TLS settings for Dask, None without TLS. Raises `tsume.extras.MissingExtra`."""
        require_extra("cluster")
        from distributed import Security

        given = {"tls_ca_file": self.ca, "tls_client_cert": self.certificate, "tls_client_key": self.key,
                 "tls_worker_cert": self.certificate, "tls_worker_key": self.key}  # fmt: skip
        files = {name: file for name, file in given.items() if file is not None}
        return Security(require_encryption=True, **files) if files else None

    def require(self, wait: float = 0.0) -> None:
        """Raise `click.ClickException` if it does not answer, or nothing listens for ``wait`` seconds."""
        security = self.security()
        from tsume.cluster import NoSchedulerError, require_scheduler

        try:
            require_scheduler(self.address, security, wait)
        except NoSchedulerError as error:
            raise click.ClickException(str(error)) from None

    def pool(self) -> PoolFactory:
        """Return the factory of a pool of its workers. Raises `tsume.extras.MissingExtra`."""
        security = self.security()
        from tsume.cluster import cluster_pool

        return cluster_pool(self.address, security)


def checked_scheduler_address(address: str) -> str:
    """Return the address of a scheduler. Raises `click.BadParameter` for an invalid one."""
    if not address.startswith(_SCHEMES) or not address.split("://", 1)[1]:
        raise click.BadParameter(f"{address[:80]!r} is not the address of a scheduler, such as tcp://host:8786")
    return address


def _tls_option(name: str, text: str) -> Callable[[options.F], options.F]:
    return click.option(f"--tls-{name}", type=click.Path(exists=True, dir_okay=False), help=f"TLS: {text} (PEM).")


_TLS = (
    _tls_option("ca", "certificate authority that both sides trust"),
    _tls_option("cert", "certificate of this side"),
    _tls_option("key", "key of this side"),
)


def _asked_scheduler(
    scheduler: str | None, tls_ca: str | None, tls_cert: str | None, tls_key: str | None
) -> Scheduler | None:
    if scheduler is None:
        if tls_ca or tls_cert or tls_key:
            raise click.UsageError("--tls-ca, --tls-cert and --tls-key need --scheduler")
        return None
    if options.is_option_given("jobs"):
        raise click.UsageError("--jobs is for this machine; use `tsume worker --jobs` on the workers of the scheduler")
    found = Scheduler(checked_scheduler_address(scheduler), tls_ca, tls_cert, tls_key)
    found.require()
    return found


_SCHEDULER_HELP = "Compose on the workers of a Dask scheduler (tcp://host:8786); `tsume worker` starts them."
scheduler_options = options.grouped_options(
    "scheduler", _asked_scheduler, *_TLS, click.option("--scheduler", metavar="ADDRESS", help=_SCHEDULER_HELP)
)
"""``--scheduler`` and TLS: the command gets ``scheduler``, None if it is not given."""


# --- what ``generate`` and ``runs resume`` share: work on a run, and its summary -------------------

_NEAREST_SECONDS, _MIN_SECONDS = 8.0, 1.0
"""Seconds for hints after a run that found nothing: at most, and at least."""
UNFINISHED = 3
"""The exit status when a run was out of time, or exhausted, before all problems were found."""


def continue_run(
    store: Store,
    run: StoredRun,
    wanted: ComposingOptions,
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
    store.report_outages(partial(click.echo, err=True))
    if (method := composing_method_line(wanted, voice)) is not None:
        click.echo(method, err=True)
    deadline = None if time_limit is None else time.monotonic() + time_limit
    pool = None if scheduler is None else scheduler.pool()
    progress = RunProgress(
        run.count, texts.run_request_text(run, voice), voice, found=run.totals.found, deadline=deadline, verbose=verbose
    )

    def on_stored(problem: Problem, number: int) -> None:
        if jsonl:
            options.print_json(**composed_fields(problem), id=number)
        else:
            options.print_line(problem_line(problem))

    try:
        state, found = compose_into_store(
            store, run, wanted, on_stored, progress, jobs=jobs, pool=pool, deadline=deadline
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
        nearest = texts.relaxed_problem_lines(nearest_problems(wanted, run.seed, seconds), seconds, voice)
        times = (f"{voice.theme(one)}: {texts.theme_time_text(one, voice)}" for one in wanted.wishes.themes)
        for line in chain(nearest, times):
            click.echo(line, err=True)
    ended = store.runs.get(run.id)
    if ended is not None and ended.totals.rejections.get(Rejection.FAILED):
        return 1
    return 0 if state is RunState.COMPLETE else UNFINISHED


def composing_method_line(wanted: ComposingOptions, voice: Voice) -> str | None:
    """How natural problems are composed, and why, if not from the network; None where the mate is given."""
    if not wanted.is_natural or wanted.uses_network or wanted.has_given_mate:
        return None
    if wanted.uses_local_search:
        return voice("runs.by_walk")
    has_model = wanted.length in SAMPLED
    why = voice("runs.no_such_walk") if has_model else voice("runs.no_network", moves=wanted.length)
    return voice("runs.by_reverse", why=why)


def _print_run_summary(store: Store, run_id: int, voice: Voice) -> None:
    """Print the summary on stderr: with bars on a terminal, short elsewhere."""
    run = store.runs.get(run_id)
    if run is None:
        return
    lines = texts.long_summary_lines if Console(stderr=True).is_terminal else texts.short_summary_lines
    for line in (*lines(run, store.runs.figures(run_id), voice), *texts.failure_lines(run, voice)):
        click.echo(line, err=True)
    if run.state not in (RunState.COMPLETE, RunState.EXHAUSTED):
        click.echo(_resume_hint(store, run.id, voice), err=True)


def _resume_hint(store: Store, run_id: int, voice: Voice = MIXED) -> str:
    """Return how to resume the run. Errors carry it as a note, which `tsume.__main__` prints."""
    place = "" if store.name == options.DEFAULT_STORE else f" --db {store.name}"
    return voice("runs.to_go_on", command=f"tsume runs resume {run_id}{place}")


# --- ``tsume runs`` --------------------------------------------------------------------------------

_ID = click.IntRange(1, options.MAX_NUMBER)


@click.group()
def runs() -> None:
    """List, show and resume runs of `tsume generate`."""


@runs.command("list")
@options.store_option
@options.lang_option(Voice.of("en"))
def list_runs(place: str, voice: Voice) -> None:
    """List the runs of a store: state, length, problems found, roots done, seed."""
    with Store.open(place, create=False) as store:
        found = store.runs.all()
        table = Table(box=None, pad_edge=False)
        for heading in ("id", "moves", "found", "of", "roots", "seconds"):
            table.add_column(voice(f"runs.column_{heading}"), justify="right", no_wrap=True)
        for heading in ("state", "began", "seed", "version"):
            table.add_column(voice(f"runs.column_{heading}"), no_wrap=True)
        for run in found:
            totals = run.totals
            began, version = _time_text(run.started_at), stored_value_excerpt(run.version)
            words = (texts.state_text(run, voice), began, str(run.seed), version)
            numbers = (run.id, run.moves, totals.found, run.count, totals.next_root, round(totals.elapsed))
            table.add_row(*map(str, numbers), *map(Text, words))
        options.table_console().print(table)


@runs.command("show")
@click.argument("run", metavar="ID", type=_ID)
@options.store_option
@options.lang_option(Voice.of("en"))
def show_run(run: int, place: str, voice: Voice) -> None:
    """Show a run: its options, its problems, and why candidates were rejected."""
    with Store.open(place, create=False) as store:
        found = _run_with_id(store, run)
        recipe = "" if found.recipe is None else voice("runs.recipe", recipe=found.recipe)
        asked = {"count": found.count, "moves": found.moves, "seed": found.seed, "version": found.version}
        end = voice("runs.not_ended")
        if found.ended_at is not None:
            end = voice("runs.ended", moment=_time_text(found.ended_at))
        began, roots = _time_text(found.started_at), found.totals.next_root
        for line in (
            texts.run_head_line(found, voice),
            voice("runs.asked", recipe=recipe, **asked),
            *texts.run_constraint_lines(found.options, voice),
            voice("runs.began", began=began, end=end, roots=roots),
            *texts.run_statistics_lines(found, voice),
            *texts.problem_figure_lines(store.runs.figures(run), voice),
        ):
            click.echo(line)


@runs.command()
@click.argument("run", metavar="ID", type=_ID)
@options.composing_jobs_option
@scheduler_options
@options.time_options
@options.store_option
@options.lang_option(Voice.of("en"))
@options.jsonl_option("problem")
@options.verbose_option
@options.memory_errors_reported
def resume(run: int, place: str, voice: Voice, **working: Any) -> None:
    """Resume a run that was stopped or killed.

    It ends with the same problems as a run that was never stopped. The version and the recipe of
    tsume must be those with which the run was started, since others find other problems.
    """
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
        wanted = _run_options(found)
        store.runs.reopen(run)
        status = continue_run(store, found, wanted, voice, **working)
    raise click.exceptions.Exit(status)


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


# --- ``tsume worker``, ``tsume themes`` -------------------------------------------------------------


@click.command()
@click.argument("address")
@click.option(
    "-j", "--jobs", type=click.IntRange(1, 1024), default=1, show_default=True,
    help="Number of processes; each composes one chunk of roots at a time.",
)  # fmt: skip
@click.option(
    "--wait", type=click.FloatRange(0), default=2.0, show_default=True, callback=options.reject_nan, metavar="SEC",
    help="How long to wait for a scheduler that is not running yet.",
)  # fmt: skip
@options.grouped_options("tls", lambda tls_ca, tls_cert, tls_key: (tls_ca, tls_cert, tls_key), *_TLS)
@options.memory_errors_reported
def worker(address: str, jobs: int, wait: float, tls: tuple[str | None, str | None, str | None]) -> None:
    """Compose on this machine's processors for `tsume generate --scheduler`.

    ADDRESS is the address of a scheduler, such as tcp://host:8786 (`dask scheduler` starts one). A process
    that crashes is restarted. The worker stops when the scheduler does, or on Ctrl-C.
    """
    scheduler = Scheduler(checked_scheduler_address(address), *tls)
    security = scheduler.security()
    scheduler.require(wait)
    from tsume.cluster import serve_scheduler

    try:
        serve_scheduler(scheduler.address, jobs, security)
    except (OSError, TimeoutError) as error:
        raise click.ClickException(
            f"{address}: the scheduler does not respond ({' '.join(str(error).split())})"
        ) from None


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...", callback=options.parse_themes)
@options.lang_option(Voice.of("en"))
@options.jsonl_option("theme")
def themes(names: tuple[str, ...], voice: Voice, jsonl: bool) -> None:
    """List all themes, or the given ones: tag, Japanese and English name, meaning, composing time.

    ``--theme`` takes a tag or either name, regardless of case, spaces and hyphens. The time is that within
    which one process on a free processor nearly always composes a natural problem of the length given.
    """
    for name in map(NAMES.__getitem__, names or NAMES):
        taken = TIMES.get(name.tag)
        if jsonl:
            options.print_json(
                tag=name.tag, japanese=name.japanese, english=name.english, meaning=name.meaning,
                length=taken and taken.length, seconds=taken and taken.seconds,
                within=taken and taken.within,
            )  # fmt: skip
        else:
            meaning = name.japanese_meaning if voice.words == "ja" else name.meaning
            click.echo(f"{name.tag}  {name.japanese}  {name.english}\n    {meaning}")
            time = voice("nearest.alone", time=texts.theme_time_text(name.tag, voice))
            click.echo(f"    {time}")
