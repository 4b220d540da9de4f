# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench scaling`: how much quicker many workers are than one, by simulation.

What is simulated is `generator.run.roots`: batches, chunks, the order of the results, and one parent that
hands out chunks and stores what comes back, one thing after the other. How long roots take is measured here
first.
"""

from __future__ import annotations

import heapq
from collections import deque
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from statistics import mean, pstdev

import click

from generator.constraints.options import ComposingOptions, Style
from generator.run.batches import end_of_batch_of_root, first_root_of_needed_batch
from generator.run.composer import Composer
from scripts.measuring.timed_roots import VERSION, compose_for, warm_up

_AHEAD, _EACH = 16, 2
"""As in `generator.run.roots` and `tsume.cluster.pool`."""


@dataclass(frozen=True)
class Costs:
    """Processor seconds: of the parent for a chunk and for a problem, and between a worker's chunks."""

    chunk: float
    problem: float
    pause: float


@dataclass(frozen=True)
class Outcome:
    """How a simulated run went."""

    speed_up: float
    parent: float
    """The share of the time for which the parent is busy."""
    chunks: int


def simulated(
    seconds: list[float],
    problems: float,
    workers: int,
    roots: int,
    costs: Costs,
    wished: float,
    seed: int = 1,
) -> Outcome:
    """Run ``roots`` whose times are drawn from ``seconds``, with so many problems each, by ``workers``.

    ``wished``: the seconds that a chunk should take.
    """
    drawn = Random(seed).choices(seconds, k=roots)
    per_chunk = max(1, int(wished / mean(seconds)))
    done: dict[int, int] = {}
    busy: list[tuple[float, int, int]] = []
    """When a chunk comes back, its first root, its size."""
    free = deque([0.0] * workers * _EACH)
    lane = [0.0] * workers
    """When each worker is done with what it has: a worker composes its chunks one after the other."""
    heapq.heapify(lane)
    now = parent_busy = parent_spent = 0.0
    upcoming = wanted = chunks = 0
    while wanted < roots:
        while (
            free
            and upcoming < roots
            and len(done) < _AHEAD * workers
            and first_root_of_needed_batch(upcoming) <= wanted
        ):
            left = min(end_of_batch_of_root(upcoming), roots) - upcoming
            size = min(per_chunk, 1 + left // (2 * workers), left)
            parent_busy = max(parent_busy, now) + costs.chunk
            parent_spent += costs.chunk
            free.popleft()
            begins = max(heapq.heappop(lane), parent_busy) + costs.pause
            ends = begins + sum(drawn[upcoming : upcoming + size])
            heapq.heappush(lane, ends)
            heapq.heappush(busy, (ends, upcoming, size))
            upcoming += size
            chunks += 1
        now, first, size = heapq.heappop(busy)
        free.append(now)
        done[first] = size
        while wanted in done:
            size = done.pop(wanted)
            wanted += size
            spent = costs.problem * problems * size
            parent_busy = max(parent_busy, now) + spent
            parent_spent += spent
        now = max(now, parent_busy) if parent_busy - now > wished else now
    end = max(now, parent_busy)
    return Outcome(sum(drawn) / end, parent_spent / end, chunks)


@click.command()
@click.option("-m", "--moves", multiple=True, type=int, default=(3, 5, 7), show_default=True)
@click.option("--style", type=click.Choice([style.value for style in Style]), default="natural")
@click.option("--workers", multiple=True, type=int, default=(16, 100, 500, 1000, 4000), show_default=True)
@click.option("--roots", multiple=True, type=int, default=(10_000, 100_000), show_default=True)
@click.option("--measured", default=60.0, show_default=True, help="Seconds for which roots are timed.")
@click.option("--chunk", default=10.0, show_default=True, help="Seconds that a chunk should take.")
@click.option("--per-chunk", default=0.004, show_default=True, help="The parent's seconds for a chunk.")
@click.option("--per-problem", default=0.0015, show_default=True, help="The parent's seconds for a problem.")
@click.option("--pause", default=0.005, show_default=True, help="A worker's seconds between two chunks.")
def scaling(
    moves: tuple[int, ...], style: str, workers: tuple[int, ...], roots: tuple[int, ...], measured: float,
    chunk: float, per_chunk: float, per_problem: float, pause: float,
) -> None:  # fmt: skip
    """Time some roots, then simulate runs of many by many workers."""
    costs = Costs(per_chunk, per_problem, pause)
    for length in moves:
        seconds, problems = _timed(ComposingOptions.of(length, style=Style(style)), measured)
        average = mean(seconds)
        rate = problems / average * 3600
        click.echo(
            f"{length} moves: {len(seconds)} roots, {average:.2f} s each, variation "
            f"{pstdev(seconds) / average:.2f}, {problems:.2f} problems each, {rate:.0f} an hour and core, "
            f"{1e6 / rate:.0f} core hours for a million"
        )
        for number in roots:
            for pool in workers:
                found = simulated(seconds, problems, pool, number, costs, chunk)
                told = f"{found.speed_up:.0f} times as fast, parent busy {found.parent:.1%}"
                click.echo(f"  {number} roots, {pool} workers: {told}, {found.chunks} chunks")


def _timed(options: ComposingOptions, measured: float) -> tuple[list[float], float]:
    """The processor seconds of roots, and how many problems one gives."""
    warm_up(options)
    composer = Composer(1, options, VERSION)
    ends, problems = [0.0], 0
    for spent, result in compose_for(composer, measured):
        ends.append(spent)
        problems += len(result.problems)
    seconds = [end - begin for begin, end in pairwise(ends)]
    return seconds, problems / len(seconds)
