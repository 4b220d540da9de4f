"""``tsume generate``"""

from __future__ import annotations

import secrets
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from typing import TYPE_CHECKING

import click

from db.errors import StoreError
from db.store import Store
from generator.problem import Problem
from rules.sfen import format_sfen
from tsume import __version__
from tsume.commands.options import MOST, memory_option, number, store_option
from tsume.output import print_json, print_line
from tsume.progress import RunProgress
from tsume.proofread import proofread

if TYPE_CHECKING:
    from generator.compose import RootResult

_SAVE_SECONDS = 5.0
_MOST_DIGITS = 100


def _odd(_context: click.Context, _parameter: click.Parameter, value: int) -> int:
    if value % 2 == 0:
        raise click.BadParameter(f"a mate has an odd number of moves, not {value}")
    return value


def _not_too_long(_context: click.Context, _parameter: click.Parameter, value: int | None) -> int | None:
    if value is not None and value >= 10**_MOST_DIGITS:
        raise click.BadParameter(f"at most {_MOST_DIGITS} digits")
    return value


@click.command()
@click.option(
    "-m",
    "--moves",
    type=click.IntRange(1, 99),
    required=True,
    callback=_odd,
    help="The length of the problems in moves (plies), odd.",
)
@click.option(
    "-n", "--count", type=click.IntRange(1, MOST), default=10, show_default=True, help="How many problems."
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    callback=_not_too_long,
    help="Fixes what is found; drawn at random if not given.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1, 256),
    default=1,
    show_default=True,
    help="How many processes; the problems are the same for any number.",
)
@memory_option
@store_option
@click.option(
    "--time-limit",
    type=click.FloatRange(0, min_open=True),
    callback=number,
    metavar="SEC",
    help="Stop after so many seconds with what there is (exit status 3).",
)
@click.option("--jsonl", is_flag=True, help="Print one JSON object a problem.")
@click.pass_context
def generate(
    context: click.Context,
    moves: int,
    count: int,
    seed: int | None,
    jobs: int,
    memory: int,
    place: str,
    time_limit: float | None,
    jsonl: bool,
) -> None:
    """Compose problems and store them.

    Each problem is proved correct, scored, stored and printed as it is found.
    --memory holds for each of the processes; with another, a seed may give other problems.
    """
    from generator.run import WorkerLostError

    seed = secrets.randbelow(2**32) if seed is None else seed
    try:
        with Store.open(place) as store:
            run = _Run(store, moves, count, seed, jobs, memory, jsonl)
            complete = run.go(time_limit)
    except (StoreError, WorkerLostError) as error:
        raise click.ClickException(str(error)) from None
    if not complete:
        click.echo(f"time limit of {time_limit:g} s reached with {run.found} of {count} problems", err=True)
    context.exit(0 if complete else 3)


class _Run:
    """One run: results from the roots go to the store, to stdout, to the progress display."""

    def __init__(
        self, store: Store, moves: int, count: int, seed: int, jobs: int, memory: int, jsonl: bool
    ) -> None:
        self._store = store
        self._moves = moves
        self._count = count
        self._seed = seed
        self._jobs = jobs
        self._memory = memory
        self._jsonl = jsonl
        self._counts: Counter[str] = Counter()
        self.found = 0

    def go(self, time_limit: float | None) -> bool:
        """Run to the number of problems asked for; False if time ran out before."""
        from generator.compose import Options
        from generator.run import run
        from solver.difficulty import SCORER_BYTES
        from solver.engine import table_bits_within

        bits = table_bits_within((self._memory << 20) - SCORER_BYTES)
        options = Options(self._moves, table_bits=bits)
        run_id = self._store.start_run(
            seed=self._seed,
            moves=self._moves,
            count=self._count,
            version=__version__,
            options=options.record(),
        )
        deadline = None if time_limit is None else time.monotonic() + time_limit
        try:
            with (
                closing(run(self._seed, options, __version__, self._jobs, deadline=deadline)) as results,
                RunProgress(self._count, time_limit, self._seed) as progress,
            ):
                return self._take(results, run_id, deadline, progress)
        finally:
            self._save(run_id, final=True)

    def _take(
        self,
        results: Iterable[RootResult],
        run_id: int,
        deadline: float | None,
        progress: RunProgress,
    ) -> bool:
        saved = time.monotonic()
        for result in results:
            self._counts.update(result.counts)
            for problem in result.problems:
                self._keep(problem, run_id)
                if self.found >= self._count:
                    return True
            progress.update(self.found, self._counts)
            if deadline is not None and time.monotonic() >= deadline:
                return False
            if time.monotonic() - saved > _SAVE_SECONDS:
                self._save(run_id)
                saved = time.monotonic()
        return False

    def _keep(self, problem: Problem, run_id: int) -> None:
        """Store and print a problem unless it, or its mirror image, is stored already."""
        from generator.reasons import Rejection

        proofread(problem)
        number = self._store.add(problem, run_id)
        if number is None:
            self._counts[Rejection.DUPLICATE] += 1
            return
        self.found += 1
        sfen = format_sfen(problem.position)
        line = [move.usi for move in problem.line]
        if not self._jsonl:
            print_line(f"{sfen} moves {' '.join(line)}")
            return
        assert problem.provenance is not None
        print_json(
            sfen=sfen, length=problem.length, line=line, score=problem.difficulty.score,
            stars=problem.difficulty.stars, seed=self._seed, index=problem.provenance.index, id=number,
        )  # fmt: skip

    def _save(self, run_id: int, *, final: bool = False) -> None:
        from generator.reasons import Rejection

        rejections = {reason.value: self._counts[reason] for reason in Rejection if self._counts[reason]}
        save = self._store.finish_run if final else self._store.record_progress
        save(run_id, self._counts["candidates"], rejections)
