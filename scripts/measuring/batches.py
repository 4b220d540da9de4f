# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench batches`: what it costs that roots of growing batches know less of each other."""

from __future__ import annotations

import time
from collections import Counter
from itertools import islice

import click

from generator.acceptance.reasons import KNOWN_AGAIN
from generator.constraints.options import ComposingOptions, Style
from generator.constraints.problem import ProblemConstraints
from generator.run import batches as sizes
from generator.run.composer import Composer
from generator.run.novelty import FoundKeys
from generator.run.roots import compose_alone
from scripts.measuring.timed_roots import VERSION, warm_up

_NEVER = 10**9


@click.command()
@click.option("-m", "--moves", multiple=True, type=int, default=(3, 5), show_default=True)
@click.option("-r", "--roots", default=400, show_default=True, type=click.IntRange(1))
@click.option(
    "--share", "shares", multiple=True, type=click.IntRange(1), default=(_NEVER, 8, 4, 2, 1),
    show_default=True, help="Batch size: earlier roots divided by this; a large one keeps batches small.",
)  # fmt: skip
@click.option("--free", is_flag=True, help="The free style with distinct lines, not the natural one.")
@click.option("--seed", default=1, show_default=True)
def batches(moves: tuple[int, ...], roots: int, shares: tuple[int, ...], free: bool, seed: int) -> None:
    """Compose the same roots with batches that grow by different shares; what is new, what comes again."""
    style = Style.FREE if free else Style.NATURAL
    for length in moves:
        options = ComposingOptions.of(length, style=style, wishes=ProblemConstraints(distinct_lines=free))
        warm_up(options)
        for share in shares:
            sizes.BATCH_SHARE = share
            del sizes._starts[1:]
            click.echo(f"{length} moves, {_measured(Composer(seed, options, VERSION), roots)}")


def _measured(composer: Composer, roots: int) -> str:
    began, counts, new, found = time.process_time(), Counter[str](), 0, FoundKeys()
    for result in islice(compose_alone(composer), roots):
        counts += result.counts
        for problem in result.problems:
            new += not found.any_known(problem.keys)
            found.add(result.index, problem.keys)
    spent = time.process_time() - began
    again = counts["problems"] - new
    largest = sizes.roots_in_batch(sizes.first_root_of_batch(sizes.batch_of_root(roots)))
    return (
        f"batches of up to {largest}: {new} problems of {roots} roots in {spent:.1f} s, "
        f"{new / spent:.2f} a second; finished in vain {again} ({again / max(1, new + again):.1%}), "
        f"known in time {counts[KNOWN_AGAIN] - again}"
    )
