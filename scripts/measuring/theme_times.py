"""`scripts/bench themes`: how long a problem with each theme takes, and at which length it comes soonest."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

import click

from generator.constraints.options import ComposingOptions, Style
from generator.constraints.problem import ProblemConstraints
from generator.theme_names import NAMES
from generator.theme_times import TRIED, ThemeTime
from scripts.measuring.timed_roots import warm_up
from scripts.measuring.wishes import Cell, steer

_LENGTHS = (5, 7), (3, 9), (11, 13)
"""The lengths at which most themes come, and those at which only what does not is looked for."""


@click.command()
@click.option("--seconds", default=float(TRIED.seconds), show_default=True, help="For each problem.")
@click.option("--seeds", default=2, show_default=True, type=click.IntRange(1))
@click.argument("tags", nargs=-1, type=click.Choice(list(NAMES)))
def themes(tags: tuple[str, ...], seconds: float, seeds: int) -> None:
    """The lines of `generator.theme_times.TIMES`: the length at which a theme comes soonest, CPU seconds."""
    for length in chain(*_LENGTHS):
        warm_up(ComposingOptions.of(length, style=Style.NATURAL))
    for tag in tags or NAMES:
        tried = (soonest(tag, lengths, seeds, seconds) for lengths in _LENGTHS)
        taken = next(filter(None, tried), None)
        if taken is not None:
            print(f'    "{tag}": Taken({taken.length}, {taken.seconds:.1f}),', flush=True)


def soonest(tag: str, lengths: Iterable[int], seeds: int, seconds: float) -> ThemeTime | None:
    """Where a theme comes soonest, on average over the seeds; None if it does not come with any of them."""
    found = []
    for length in lengths:
        options = ComposingOptions.of(length, wishes=ProblemConstraints(themes=(tag,)), style=Style.NATURAL)
        cell = Cell.of([steer(options, 1, seed, seconds) for seed in range(1, seeds + 1)], 1)
        if cell.found:
            found.append(ThemeTime(length, cell.seconds))
    return min(found, key=lambda taken: taken.seconds, default=None)
