# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench themes`: how soon problems with each theme come, and at which length soonest."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing

import click

from generator.constraints.options import ComposingOptions, Style
from generator.constraints.problem import ProblemConstraints
from generator.figures import is_figure
from generator.run.roots import compose_root_ranges
from generator.run.worker_pool import RunJob, local_pool
from generator.theme_names import NAMES
from generator.theme_times import TRIED
from scripts.measuring.timed_roots import VERSION, warm_up


@click.command()
@click.option("--seconds", default=float(TRIED.seconds), show_default=True, help="For each theme and length.")
@click.option("--count", "number", default=5, show_default=True, type=click.IntRange(1))
@click.option("--jobs", default=2, show_default=True, type=click.IntRange(1))
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--moves",
    "lengths",
    default=",".join(map(str, TRIED.lengths)),
    show_default=True,
    help="Lengths, tried in order.",
)
@click.option("--all", "every", is_flag=True, help="Every length, not only until one gives all problems.")
@click.argument("tags", nargs=-1)
def themes(
    tags: tuple[str, ...], seconds: float, number: int, jobs: int, seed: int, lengths: str, every: bool
) -> None:
    """Seconds to the first and to the last of some natural problems with each theme, or picture:NAME.

    A line for each theme and length: number found, seconds to the first, to the last asked for.
    """
    each = [int(length) for length in lengths.split(",")]
    for length in each:
        warm_up(ComposingOptions.of(length, style=Style.NATURAL))
    for tag in tags or NAMES:
        for length in each:
            if tag in NAMES and length < NAMES[tag].shortest:
                continue
            times = _times(_constraints(tag), length, seed, jobs, number, seconds)
            first = f"{times[0]:.1f}" if times else "-"
            last = f"{times[number - 1]:.1f}" if len(times) >= number else f">{seconds:.0f}"
            print(f"{tag:24} {length:2}  {len(times):3}  {first:>6}  {last:>6}", flush=True)
            if len(times) >= number and not every:
                break


def _constraints(tag: str) -> ProblemConstraints:
    name, _, picture = tag.partition(":")
    if name == "picture" and picture:
        return ProblemConstraints(themes=() if is_figure(picture) else ("picture",), picture=picture)
    return ProblemConstraints(themes=(tag,))


def _times(
    wishes: ProblemConstraints, length: int, seed: int, jobs: int, number: int, seconds: float
) -> Sequence[float]:
    """When problems were found, in seconds from the start of the pool's first root."""
    options = ComposingOptions.of(length, wishes=wishes, style=Style.NATURAL)
    job = RunJob(seed, options, VERSION)
    started = time.monotonic()
    found: list[float] = []
    with closing(compose_root_ranges(job, local_pool(jobs), deadline=started + seconds)) as parts:
        for part in parts:
            found += [time.monotonic() - started] * sum(len(result.problems) for result in part)
            if len(found) >= number:
                break
    return found
