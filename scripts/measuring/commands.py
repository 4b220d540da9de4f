"""`scripts/bench commands`: how many positions a second the commands work through, beyond their start."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import click

from scripts.measuring.problem_files import Lined, read_problems
from tsume_rules.sfen import format_sfen

COMMANDS = ("solve", "check", "score", "explain")
_SHARE = {"solve": 1, "check": 5, "score": 5, "explain": 50}
"""Of how many positions a command gets one: the slower the fewer."""
_LEAST = 4


@dataclass(frozen=True)
class Pace:
    """Processor seconds of a command: for one position, and for ``number``."""

    number: int
    one: float
    every: float

    @property
    def a_second(self) -> float:
        """Positions a second beyond the start."""
        return (self.number - 1) / max(self.every - self.one, 1e-6)


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
def commands(
    files: tuple[Path, ...],
    count: int,
    moves: tuple[int, ...],
    names: tuple[str, ...],
    repeat: int,
    seed: int,
) -> None:
    """Run commands on files of positions; processor time, start-up counted apart."""
    problems = [one for one in read_problems(files) if not moves or one.length in moves]
    random.Random(seed).shuffle(problems)
    for length in sorted({problem.length for problem in problems}):
        chosen = [problem for problem in problems if problem.length == length][:count]
        for name in names or COMMANDS:
            some = chosen[: max(_LEAST, len(chosen) // _SHARE[name])]
            if len(some) > 1:
                click.echo(_text(name, length, [_paced(name, some) for _ in range(repeat)]))


def _paced(name: str, problems: Sequence[Lined]) -> Pace:
    with tempfile.TemporaryDirectory() as folder:
        one, every = Path(folder) / "one.sfen", Path(folder) / "all.sfen"
        lines = [format_sfen(problem.position) + "\n" for problem in problems]
        one.write_text(lines[0])
        every.write_text("".join(lines))
        return Pace(len(lines), _seconds(name, one), _seconds(name, every))


def _seconds(name: str, file: Path) -> float:
    """Processor seconds of a command on a file, in one process."""
    before = os.times()
    subprocess.run(
        [sys.executable, "-m", "tsume", name, "-j1", "-f", str(file)], check=False, capture_output=True
    )
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def _text(name: str, length: int, paces: Sequence[Pace]) -> str:
    rate = median(pace.a_second for pace in paces)
    start = median(pace.one for pace in paces)
    head = f"{name}, {length} moves, {paces[0].number} positions"
    return f"{head}: {rate:.0f} a second, {1000 / rate:.2f} ms each; one position {start:.2f} s"
