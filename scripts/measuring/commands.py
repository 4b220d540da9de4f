"""`scripts/bench commands`: how many positions a second the commands work through, beyond their start."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from statistics import median

import click

from scripts.measuring.problem_files import Lined, read_problems
from tsume_rules.sfen import format_sfen

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
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("-n", "--count", default=1000, show_default=True, type=click.IntRange(_LEAST),
              help="Positions of each length for solve; the others get fewer.")  # fmt: skip
@click.option("-m", "--moves", multiple=True, type=int, help="Only this length; may be given several times.")
@click.option("--command", "names", multiple=True, type=click.Choice(COMMANDS), help="Only this command.")
@click.option(
    "--repeat", default=3, show_default=True, type=click.IntRange(1), help="Runs; the median counts."
)
@click.option("--seed", default=1, show_default=True)
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
    problems = [one for one in read_problems(files) if not moves or one.length in moves]
    random.Random(seed).shuffle(problems)
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


def _paced(name: str, problems: Sequence[Lined]) -> Pace:
    with tempfile.TemporaryDirectory() as folder:
        one, every = _file(folder, problems[:1]), _file(folder, problems)
        return Pace(len(problems), _seconds(name, one), _seconds(name, every))


def _file(folder: str, problems: Sequence[Lined]) -> Path:
    file = Path(folder) / f"{len(problems)}.sfen"
    file.write_text("".join(format_sfen(problem.position) + "\n" for problem in problems))
    return file


def _seconds(name: str, file: Path) -> float:
    """Processor seconds of a command on a file, in one process."""
    before = os.times()
    _output(name, file, 1)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def _output(name: str, file: Path, jobs: int) -> bytes:
    command = [sys.executable, "-m", "tsume", name, f"-j{jobs}", "-f", str(file)]
    return subprocess.run(command, check=False, capture_output=True).stdout


def _speed_up(name: str, problems: Sequence[Lined], jobs: int, repeat: int) -> str:
    """How many times as fast several processes are as one, and whether they print the same."""
    ratios, same = [], True
    with tempfile.TemporaryDirectory() as folder:
        file = _file(folder, problems)
        for _ in range(repeat):
            started = time.perf_counter()
            by_one = _output(name, file, 1)
            between = time.perf_counter()
            same &= _output(name, file, jobs) == by_one
            ratios.append((between - started) / (time.perf_counter() - between))
    told = "the same output" if same else "ANOTHER OUTPUT"
    return f"  {jobs} processes: {median(ratios):.2f} times as fast, {told}"


def _text(name: str, length: int, paces: Sequence[Pace]) -> str:
    rate = median(pace.a_second for pace in paces)
    start = median(pace.one for pace in paces)
    head = f"{name}, {length} moves, {paces[0].number} positions"
    return f"{head}: {rate:.0f} a second, {1000 / rate:.2f} ms each; one position {start:.2f} s"
