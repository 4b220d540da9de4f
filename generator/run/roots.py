# SPDX-License-Identifier: GPL-3.0-or-later
"""A run: roots one after the other, or by a pool of processes, results in order.

The roots' results come in the order of their indices, and what a root knows of earlier ones depends on its index alone
(`generator.run.novelty`): the same seed, options and version give the same problems for any number of processes.
"""

from __future__ import annotations

import errno
import math
import sys
import time
import traceback
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import count, islice
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol

import numpy as np

from generator.acceptance import KNOWN_AGAIN, MAX_FAILED_ROOTS, Rejection, RootsFailedError, failure_name, failure_of
from generator.acceptance.pipeline import Proof
from generator.constraints.options import SAMPLED, ComposingOptions, Style
from generator.constraints.problem import ProblemConstraints
from generator.problem import Problem
from generator.run.composer import Composer, RootResult
from generator.run.novelty import (
    FoundKeys,
    KeyIndex,
    KnownKeysView,
    end_of_batch_of_root,
    first_root_of_needed_batch,
    known_keys_view,
)
from generator.run.processes import WorkerProcess, started_processes
from generator.theme_names import ThemeDetail
from tsume_rules.position import Hand, Position
from tsume_rules.sfen import format_sfen, parse_sfen

# --- worker pools: processes of this machine that compose chunks of roots --------------------------
#
# A chunk is a few consecutive roots of one batch. Its size does not change the results: it is chosen so that
# composing a chunk takes longer than sending it.

_CHUNK_SECONDS = 1.0
"""Seconds that a chunk takes in a process of this machine, and the longest delay of a problem."""


@dataclass(frozen=True)
class RunJob:
    """What a pool composes: the arguments of a `Composer`."""

    seed: int
    options: ComposingOptions
    version: str
    proof: Proof | None = None


@dataclass(frozen=True)
class Chunk:
    """``number`` roots of one batch from ``first`` on."""

    first: int
    number: int

    @property
    def roots(self) -> range:
        """The indices of the roots."""
        return range(self.first, self.first + self.number)


class WorkerPool(Protocol):
    """Composes chunks and returns them in any order. ``size``: the number of processes; ``chunk_seconds``: how long a
    chunk should take."""

    size: int
    chunk_seconds: float

    def capacity(self) -> int:
        """Return how many more chunks can be submitted now."""

    def submit(self, chunk: Chunk, finds: FoundKeys) -> None:
        """Submit a chunk; ``finds`` has all that its roots may know."""

    def collect(self, seconds: float | None) -> list[list[RootResult]]:
        """Return the results of finished chunks; waits for one for at most ``seconds``. Raises
        `generator.run.processes.WorkerLostError`, and what a proof raised."""


PoolFactory = Callable[[RunJob], AbstractContextManager[WorkerPool]]
"""Makes a pool for a job; it is closed at the end of the block, and unfinished chunks are cancelled."""


class WorkerState:
    """The state of one worker: a composer, and the finds of earlier roots."""

    def __init__(self, job: RunJob) -> None:
        self._job = job
        self._composer = self._new_composer()
        self._known = KeyIndex()

    def _new_composer(self) -> Composer:
        job = self._job
        return Composer(job.seed, job.options, job.version, job.proof)

    def add_known_keys(self, roots: np.ndarray, keys: np.ndarray) -> None:
        """Add finds of earlier roots."""
        self._known.add(roots, keys)

    def compose_chunk(self, chunk: Chunk) -> list[RootResult]:
        """Return the results of a chunk."""
        return [self.root(index, known_keys_view(index, self._known)) for index in chunk.roots]

    def root(self, index: int, known: KnownKeysView) -> RootResult:
        """The result of a root. An error, a bug, is a result without problems, unless memory is out."""
        try:
            return self._composer.root(index, known)
        except MemoryError:
            raise
        except Exception as error:
            self._composer = self._new_composer()  # whatever state the error left behind
            counts = Counter({"roots": 1, Rejection.FAILED.value: 1, failure_name(index, error): 1})
            return RootResult(index, [], counts, failure="".join(traceback.format_exception(error)))


class _RootWorker(WorkerProcess):
    def __init__(self, job: RunJob) -> None:
        super().__init__(_compose_chunks, job)
        self.busy = False
        self._sent = 0

    def submit(self, chunk: Chunk, finds: FoundKeys) -> None:
        """Send a chunk with the finds it may know, as far as they were not sent before."""
        end = first_root_of_needed_batch(chunk.first)
        unsent = finds.keys_of_roots(self._sent, end)
        self._sent = max(self._sent, end)
        self.busy = True
        self.send((chunk, *unsent))

    def results(self) -> list[RootResult]:
        """Wait for the results of its chunk."""
        results: list[RootResult] = self.receive()
        self.busy = False
        return results


class LocalPool:
    """A pool of processes of this machine."""

    chunk_seconds = _CHUNK_SECONDS

    def __init__(self, workers: list[_RootWorker]) -> None:
        self.size = len(workers)
        self._workers = workers

    def capacity(self) -> int:
        """Return how many more chunks can be submitted now."""
        return sum(not worker.busy for worker in self._workers)

    def submit(self, chunk: Chunk, finds: FoundKeys) -> None:
        """Send a chunk to an idle process."""
        next(worker for worker in self._workers if not worker.busy).submit(chunk, finds)

    def collect(self, seconds: float | None) -> list[list[RootResult]]:
        """Return the results of finished chunks; waits for one for at most ``seconds``."""
        busy = [worker for worker in self._workers if worker.busy]
        ready = wait([worker.pipe for worker in busy], seconds)
        return [worker.results() for worker in busy if worker.pipe in ready]


def local_pool(jobs: int) -> PoolFactory:
    """Return a factory of pools of ``jobs`` processes of this machine."""

    @contextmanager
    def made(job: RunJob) -> Iterator[WorkerPool]:
        with started_processes(jobs, partial(_RootWorker, job)) as processes:
            yield LocalPool(processes)

    return made


def _compose_chunks(pipe: Connection, job: RunJob) -> None:
    try:
        state = WorkerState(job)
    except MemoryError:
        sys.exit(errno.ENOMEM)
    with suppress(EOFError, OSError):  # the parent is gone
        while True:
            chunk, roots, keys = pipe.recv()
            state.add_known_keys(roots, keys)
            pipe.send(state.compose_chunk(chunk))


# --- a run: the results of its roots in order ------------------------------------------------------

_AHEAD = 16
"""Chunks for each process that may be done before an earlier one is."""
_LONGEST_WAIT = 3600.0
_YIELD_SECONDS = 1.0
"""Seconds between two yields of results, at least."""


def compose_root_ranges(
    job: RunJob,
    pool_factory: PoolFactory | None,
    first: int = 0,
    deadline: float | None = None,
    finds: FoundKeys | None = None,
    alone: float = 0.0,
) -> Generator[list[RootResult]]:
    """Yield the results of the roots ``first``, ``first`` + 1, ... in order, some at a time.

    They are composed by this process for ``alone`` seconds, then by the pool that is made; None: by this process, which
    knows no deadline. A pool's results come about once a second. ``finds``: what roots before ``first`` found. If
    natural problems are asked for, those that repeat an earlier one of the run are left out. The results never end
    unless there is a ``deadline`` (by `time.monotonic`): unfinished roots are then cancelled. ``job.proof``, a
    module's function, is called with each problem in the process that composed it; a root in which it raises fails.
    Raises `generator.run.processes.WorkerLostError` and `RootsFailedError`.
    """
    finds = finds or FoundKeys()
    if pool_factory is None:
        state, failed = WorkerState(job), 0
        for index in count(first):
            result = state.root(index, known_keys_view(index, finds.known))
            failed = _failed_roots(failed, result)
            yield [_without_repeated_problems(result, finds, job.options)]
        return
    if alone:
        end = min(time.monotonic() + alone, math.inf if deadline is None else deadline)
        composer = Composer(job.seed, job.options, job.version, job.proof)
        with suppress(Exception):  # a root that fails is composed again by the pool, which tells of it
            for result in compose_until(composer, end, finds=finds, first=first):
                first = result.index + 1
                yield [result]
        del composer
    if deadline is None or time.monotonic() < deadline:
        with pool_factory(job) as pool:
            yield from _results_in_order(pool, first, deadline, finds, job.options)


def compose_alone(composer: Composer, first: int = 0, finds: FoundKeys | None = None) -> Iterator[RootResult]:
    """Yield the results of the roots from ``first`` on, one after the other in this process; ``finds`` grow. What a
    root raises is passed on."""
    finds = finds or FoundKeys()
    for index in count(first):
        yield _without_repeated_problems(
            composer.root(index, known_keys_view(index, finds.known)), finds, composer.options
        )


def compose_until(
    composer: Composer,
    end: float,
    look: Callable[[], None] = lambda: None,
    finds: FoundKeys | None = None,
    first: int = 0,
) -> Iterator[RootResult]:
    """As `compose_alone`, until a moment by `time.monotonic`. The root under way is given up then. While one is
    composed, ``look`` is called every few milliseconds; what it raises is passed on."""

    def check() -> None:
        look()
        if time.monotonic() > end:
            raise _TimeIsUp

    roots = compose_alone(composer, first, finds)
    with suppress(_TimeIsUp):
        while True:
            with composer.watched(check):
                check()
                root = next(roots)
            yield root


class _TimeIsUp(Exception):
    """No more time to compose."""


def _failed_roots(before: int, result: RootResult) -> int:
    """Return how many roots up to this one failed in succession, ``before`` without it."""
    failed = before + 1 if result.failure else 0
    if failed == MAX_FAILED_ROOTS:
        raise RootsFailedError(f"{failed} roots in succession failed; the last one, {failure_of(result.counts)}")
    return failed


def _without_repeated_problems(result: RootResult, finds: FoundKeys, options: ComposingOptions) -> RootResult:
    """Return a root's result, noted in ``finds``, without natural problems that repeat an earlier one.

    Those are counted as rejected, and among them as known from other roots.
    """
    kept, repeated = finds.without_repeats(result.index, result.problems, unique=options.is_natural)
    number = len(result.problems) - len(kept)
    repeats = Counter({Rejection.SAME_PROBLEM.value: number, KNOWN_AGAIN: number})
    counts = result.counts + repeats if number else result.counts
    return replace(result, problems=kept, repeated=repeated, counts=counts)


def _results_in_order(
    pool: WorkerPool, first: int, deadline: float | None, finds: FoundKeys, options: ComposingOptions
) -> Iterator[list[RootResult]]:
    """Yield the results in order, some at a time; what ends them is passed on after those that are ready."""
    ready: list[RootResult] = []
    done: dict[int, list[RootResult]] = {}
    wanted = upcoming = first
    failed, yield_at = 0, 0.0
    pace = _ChunkPace(pool.chunk_seconds)
    try:
        while True:
            while pool.capacity() and len(done) < _AHEAD * pool.size and first_root_of_needed_batch(upcoming) <= wanted:
                left = end_of_batch_of_root(upcoming) - upcoming
                chunk = Chunk(upcoming, min(pace.chunk_size, 1 + left // (2 * pool.size), left))
                pool.submit(chunk, finds)
                upcoming += chunk.number
            times = [at for at in (yield_at if ready else None, deadline) if at is not None]
            wait = min(max(0.0, min(times) - time.monotonic()), _LONGEST_WAIT) if times else None
            for results in pool.collect(wait):
                done[results[0].index] = results
                pace.record_times(results)
            while wanted in done:
                results = done.pop(wanted)
                for result in results:
                    failed = _failed_roots(failed, result)
                ready += [_without_repeated_problems(result, finds, options) for result in results]
                wanted += len(results)
            now = time.monotonic()
            is_over = deadline is not None and now >= deadline
            if ready and (is_over or now >= yield_at):
                handed_out, ready = ready, []
                yield handed_out
                yield_at = time.monotonic() + _YIELD_SECONDS
            if is_over:
                return
    except (KeyboardInterrupt, RootsFailedError):
        if ready:
            yield ready
        raise


class _ChunkPace:
    """How many roots make a chunk that takes a number of seconds, by those that were composed last."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._last: deque[tuple[int, float]] = deque(maxlen=32)

    def record_times(self, results: list[RootResult]) -> None:
        """Note how long a chunk took."""
        self._last.append((len(results), sum(sum(result.seconds.values()) for result in results)))

    @property
    def chunk_size(self) -> int:
        """The roots of the next chunk; one as long as nothing is known."""
        roots, seconds = (sum(column) for column in zip(*self._last, strict=True)) if self._last else (0, 1.0)
        return max(1, int(self._seconds * roots / max(seconds, 1e-6)))


# --- options with one constraint less: they show which constraint prevents problems ----------------

_TABLE_BITS = 18
_NOT_ALONE = ("themes", "theme_details", "picture", "known")
"""Constraints that are given up with a theme, or never: what is known rejects next to nothing."""
_ASKED = ("wishes", "starts", "grade", "style", "floor", "final", "exact", "around", "fixed")


@dataclass(frozen=True)
class Relaxation:
    """The options with one constraint less.

    ``name``: a field of `ProblemConstraints` that is given up, or ``exact``, ``style`` (free instead of
    natural), ``length`` (another), ``start_hand`` (any instead), ``start_piece`` (none, any or elsewhere).
    ``value``: its value, of several themes one; the other length; the piece and its square.
    """

    name: str
    value: Any
    options: ComposingOptions


def relaxations(options: ComposingOptions) -> Iterator[Relaxation]:
    """Yield each thing that may be given up by itself, constraints first, given pieces last."""
    for name, value, constraints in _fewer_constraints(options.wishes):
        yield Relaxation(name, value, _with_options(options, wishes=constraints))
    if options.exact:
        yield Relaxation("exact", True, _with_options(options, exact=False))
    if options.is_natural:
        yield Relaxation("style", Style.FREE, _with_options(options, style=Style.FREE))
    for length in (options.length - 2, options.length + 2):
        is_given = options.starts or (options.around and length not in SAMPLED)
        if length >= 1 and not is_given and options.wishes.contradiction(length) is None:
            yield Relaxation("length", length, _with_options(options, length))
    if not options.around:
        return
    given = parse_sfen(options.around).position
    if given.attacker_hand:
        any_hand = format_sfen(Position.completed(given.board, Hand()))
        yield Relaxation("start_hand", given.attacker_hand, _with_options(options, around=any_hand))
    for square in options.fixed:
        fixed = tuple(other for other in options.fixed if other != square)
        piece = given.board[square]
        if piece is not None and fixed:
            yield Relaxation("start_piece", (piece, square), _with_options(options, fixed=fixed))


def _fewer_constraints(constraints: ProblemConstraints) -> Iterator[tuple[str, Any, ProblemConstraints]]:
    for theme in constraints.themes:
        others = tuple(one for one in constraints.themes if one != theme)
        picture = None if theme == "picture" else constraints.picture
        details = tuple(text for text in constraints.theme_details if ThemeDetail.parse(text).tag != theme)
        yield "themes", theme, replace(constraints, themes=others, theme_details=details, picture=picture)
    if constraints.picture is not None and "picture" not in constraints.themes:
        yield "picture", constraints.picture, replace(constraints, picture=None)
    for name, nothing in asdict(ProblemConstraints()).items():
        value = getattr(constraints, name)
        if name not in _NOT_ALONE and value != nothing:
            without: dict[str, Any] = {name: nothing}
            yield name, value, replace(constraints, **without)


def _with_options(options: ComposingOptions, length: int | None = None, **other: Any) -> ComposingOptions:
    asked = {name: getattr(options, name) for name in _ASKED}
    return ComposingOptions.of(length or options.length, **{**asked, **other, "table_bits": _TABLE_BITS})


def problems_of_relaxations(
    options: ComposingOptions, seed: int, version: str, seconds: float, proof: Proof | None = None
) -> Iterator[tuple[Relaxation, Problem]]:
    """Yield a problem for each relaxation that gives one soon; all of them have ``seconds`` together."""
    tried = list(relaxations(options))
    end = time.monotonic() + seconds
    for number, one in enumerate(tried):
        share = (end - time.monotonic()) / (len(tried) - number)
        roots = compose_until(Composer(seed, one.options, version, proof), time.monotonic() + share)
        some = islice(roots, one.options.pass_of_roots)
        found = next((problem for root in some for problem in root.problems), None)
        if found is not None:
            yield one, found
