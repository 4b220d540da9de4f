# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench themes`: how soon problems with each theme come, and at which length soonest."""

from __future__ import annotations

from collections.abc import Sequence

import click

from generator.constraints.options import ComposingOptions, Style
from generator.constraints.problem import ProblemConstraints
from generator.figures import is_figure
from generator.run.composer import Composer
from generator.theme_names import NAMES
from generator.theme_times import TRIED
from scripts.measuring.timed_roots import VERSION, compose_for, warm_up


@click.command()
@click.option("--seconds", default=float(TRIED.seconds), show_default=True, help="For each theme and length.")
@click.option("--count", "number", default=5, show_default=True, type=click.IntRange(1))
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
def themes(tags: tuple[str, ...], seconds: float, number: int, seed: int, lengths: str, every: bool) -> None:
    """CPU seconds to the first and to the last of some natural problems with each theme, or picture:NAME.

    A line for each theme and length: number found, seconds to the first, to the last asked for.
    """
    each = [int(length) for length in lengths.split(",")]
    for length in each:
        warm_up(ComposingOptions.of(length, style=Style.NATURAL))
    for tag in tags or NAMES:
        for length in each:
            if tag in NAMES and length < NAMES[tag].shortest:
                continue
            times = _times(_constraints(tag), length, seed, number, seconds)
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
    wishes: ProblemConstraints, length: int, seed: int, number: int, seconds: float
) -> Sequence[float]:
    """When problems were found, in CPU seconds of one process from the start of its first root."""
    options = ComposingOptions.of(length, wishes=wishes, style=Style.NATURAL)
    found: list[float] = []
    for spent, result in compose_for(Composer(seed, options, VERSION), seconds):
        found += [spent] * len(result.problems)
        if len(found) >= number:
            break
    return found
