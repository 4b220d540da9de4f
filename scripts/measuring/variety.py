# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench variety`: how much composed problems differ."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence

import click

from generator.constraints.options import ComposingOptions
from generator.constraints.problem import ProblemConstraints
from generator.line_keys import frame_key, line_key
from generator.problem import Problem
from generator.run.composer import Composer
from generator.themes import THEMES
from scripts.measuring.patterns import close_pattern, final_key
from scripts.measuring.timed_roots import VERSION, compose_for, warm_up
from tsume_rules.play import position_after_all

_BAR = 50


@click.command()
@click.option("--moves", default=7, show_default=True)
@click.option("--count", "number", default=1000, show_default=True, type=click.IntRange(1))
@click.option("--seed", default=1, show_default=True)
@click.option("--distinct-lines", is_flag=True, help="Wish for lines that are all different.")
def variety(moves: int, number: int, seed: int, distinct_lines: bool) -> None:
    """Lines, final positions, themes, quality and scores of composed problems."""
    problems = compose(
        ComposingOptions.of(moves, wishes=ProblemConstraints(distinct_lines=distinct_lines)), number, seed
    )
    print(f"{len(problems)} problems of {moves} moves")
    _print_patterns(problems)
    _print_themes(problems)
    for name, values, width in (
        ("quality", [problem.quality for problem in problems], 10.0),
        ("score", [problem.difficulty.score for problem in problems], 5.0),
        ("stars", [float(problem.difficulty.stars) for problem in problems], 1.0),
        ("pieces", [float(problem.position.piece_count()) for problem in problems], 1.0),
    ):
        _print_histogram(name, values, width)


def compose(options: ComposingOptions, number: int, seed: int) -> list[Problem]:
    """The first ``number`` problems of a seed."""
    warm_up(options)
    problems: list[Problem] = []
    for _, result in compose_for(Composer(seed, options, VERSION), math.inf):
        problems += result.problems
        if len(problems) >= number:
            break
    return problems[:number]


def _print_patterns(problems: Sequence[Problem]) -> None:
    finals = [position_after_all(problem.position, problem.line) for problem in problems]
    _print_kinds("first move and final position", [frame_key(one.position, one.line) for one in problems])
    _print_kinds("final position", [final_key(final) for final in finals])
    _print_kinds("squares around the mated king", [close_pattern(final) for final in finals])
    _print_kinds("line", [line_key(problem.line) for problem in problems])


def _print_kinds(name: str, values: Sequence[Hashable]) -> None:
    kinds = Counter(values)
    ((most, times),) = kinds.most_common(1)
    print(f"  {name}: {len(kinds)} distinct; the most frequent {100 * times / len(values):.1f}%: {most}")


def _print_themes(problems: Sequence[Problem]) -> None:
    times = Counter(theme for problem in problems for theme in problem.themes)
    print(
        "  themes: " + ", ".join(f"{name} {times[name]}" for name in sorted(THEMES, key=lambda t: -times[t]))
    )
    missing = [name for name in THEMES if not times[name]]
    print(f"  themes that do not occur: {', '.join(missing) or 'none'}")


def _print_histogram(name: str, values: Sequence[float], width: float) -> None:
    bins = Counter(math.floor(value / width) for value in values)
    print(f"  {name}: mean {sum(values) / len(values):.2f}, {min(values):g} to {max(values):g}")
    for step in range(min(bins), max(bins) + 1):
        bar = "#" * round(_BAR * bins[step] / max(bins.values()))
        print(f"    {step * width:>5g} {bins[step]:>5} {bar}")
