# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench commands`: how many positions a second the commands work through, beyond their start."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from statistics import median

import click

from scripts.measuring.options import problem_options, shuffled
from scripts.measuring.problem_files import Lined
from scripts.measuring.processes import Finished, run, write_sfens

COMMANDS = ("solve", "check", "score", "explain")
_SHARE = {"solve": 1, "check": 2, "score": 2, "explain": 10}
"""Of how many positions a command gets one: the slower the fewer."""
_LEAST = 4
_TICK = 0.01
"""Seconds: processor time is not told more finely."""
LONG = 40.0
"""Seconds for which one process is kept busy where several are compared with it: these start more slowly."""


@dataclass(frozen=True)
class Pace:
    """Processor seconds of a command: for one position, and for ``number``."""

    number: int
    one: float
    every: float

    @property
    def a_second(self) -> float:
        """Positions a second beyond the start."""
        return (self.number - 1) / max(self.every - self.one, _TICK)


@click.command()
@problem_options
@click.option("-n", "--count", default=1000, show_default=True, type=click.IntRange(_LEAST),
              help="Positions of each length for solve; the others get fewer.")  # fmt: skip
@click.option("--command", "names", multiple=True, type=click.Choice(COMMANDS), help="Only this command.")
@click.option(
    "--repeat", default=3, show_default=True, type=click.IntRange(1), help="Runs; the median counts."
)
@click.option(
    "-j", "--jobs", default=1, show_default=True, type=click.IntRange(1),
    help="Compare so many processes with one too, by wall clock: on an idle machine.",
)  # fmt: skip
def commands(
    files: tuple[Path, ...],
    count: int,
    moves: tuple[int, ...],
    names: tuple[str, ...],
    repeat: int,
    seed: int,
    jobs: int,
) -> None:
    """Run commands on files of positions; processor time, start-up counted apart."""
    problems = shuffled(files, moves, seed)
    for length in sorted({problem.length for problem in problems}):
        chosen = [problem for problem in problems if problem.length == length][:count]
        for name in names or COMMANDS:
            some = chosen[: max(_LEAST, len(chosen) // _SHARE[name])]
            if len(some) > 1:
                paces = [_paced(name, some) for _ in range(repeat)]
                click.echo(_text(name, length, paces))
                if jobs > 1:
                    times = ceil(LONG * median(pace.a_second for pace in paces) / len(some))
                    click.echo(_speed_up(name, some * times, jobs, repeat))


def _paced(name: str, problems: list[Lined]) -> Pace:
    return Pace(len(problems), _run(name, problems[:1]).processor, _run(name, problems).processor)


def _run(name: str, problems: list[Lined], jobs: int = 1) -> Finished:
    with tempfile.TemporaryDirectory() as folder:
        file = write_sfens(Path(folder) / "problems.sfen", problems)
        return run(name, f"-j{jobs}", "-f", file)


def _speed_up(name: str, problems: list[Lined], jobs: int, repeat: int) -> str:
    """How many times as fast several processes are as one, and whether they print the same."""
    ratios, same = [], True
    for _ in range(repeat):
        by_one, by_several = _run(name, problems), _run(name, problems, jobs)
        same &= by_one.output == by_several.output
        ratios.append(by_one.seconds / by_several.seconds)
    told = "the same output" if same else "ANOTHER OUTPUT"
    return f"  {jobs} processes: {median(ratios):.2f} times as fast, {told}"


def _text(name: str, length: int, paces: Sequence[Pace]) -> str:
    rate = median(pace.a_second for pace in paces)
    start = median(pace.one for pace in paces)
    head = f"{name}, {length} moves, {paces[0].number} positions"
    return f"{head}: {rate:.0f} a second, {1000 / rate:.2f} ms each; one position {start:.2f} s"
