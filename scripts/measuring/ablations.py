# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/bench ablations`: long problems, each technique of the search left out in turn.

Most techniques have no switch, which would cost time in the kernels. Each variant is therefore a copy of the
sources with a line changed, compiled and run by a process of its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import click

from scripts.measuring.classics import Attempt
from scripts.measuring.options import FILES

ROOT = Path(__file__).parents[2]
_COPIED = ("scripts", "solver", "tsume_rules")
_RUN = "from scripts.measuring.classics import classics; classics()"
_DFPN = "solver/engines/dfpn/"


@dataclass(frozen=True)
class Change:
    """A text of a source file, below ``solver/engines/dfpn``, and what stands there in a variant."""

    file: str
    text: str
    instead: str

    def apply(self, root: Path) -> None:
        """Change the file of a copy. Raises ValueError unless it has the text exactly once."""
        path = root / _DFPN / self.file
        source = path.read_text(encoding="utf-8")
        if source.count(self.text) != 1:
            raise ValueError(f"{self.file} has {source.count(self.text)} times: {self.text}")
        path.write_text(source.replace(self.text, self.instead), encoding="utf-8")


def _method(text: str, instead: str) -> Change:
    line = "    estimate=Estimate.ANSWERS_THRICE, leaves=Leaves.LIKELIEST, sums=Sums.MIXED, loops=Loops.TCA\n"
    return Change("methods.py", line, line.replace(text, instead))


VARIANTS: dict[str, tuple[Change, ...]] = {
    "all": (),
    "disproofs that depend on a repetition are not kept": (
        Change("kernel/table.py", "if last >= NOTHING_LEFT:", "if last == -9:"),
    ),
    "links are not settled": (Change("kernel/repetition.py", "if search.dn != 0:", "if search.dn >= 0:"),),
    "links are not suspended": (
        Change("kernel/repetition.py", "if search.link_state[link] != LINK_ASLEEP or", "if link >= 0 or"),
    ),
    "no repetition with a bound": (
        Change(
            "kernel/repetition.py", "if (n != FOREVER and a.search.loops != TCA) or", "if n != FOREVER or"
        ),
    ),
    "no threshold controlling": (
        Change("kernel/search.py", "search.raised += _has_old(frame, a.kids)", "search.raised += 0"),
    ),
    "distances of earlier queries": (
        Change("kernel/table.py", "int(e.taint) if e.age == search.age else 0", "int(e.taint)"),
    ),
    "sums over all children": (_method("MIXED", "ALL"),),
    "no limit of sums": (Change("kernel/search.py", "DOUBTFUL = 1 << 16", "DOUBTFUL = 1 << 30"),),
    "initial numbers of 1": (_method("ANSWERS_THRICE", "ONES"),),
    "initial numbers without counting answers three times": (_method("ANSWERS_THRICE", "MOVES"),),
    "initial numbers of df-pn+": (_method("ANSWERS_THRICE", "PLUS"),),
    "no borrowed numbers": (
        Change("kernel/table.py", "            _borrow(search, e, hand)", "            pass"),
    ),
    "open entries for each length": (
        Change("kernel/table.py", "(e.length == n or search.loops == TCA)", "e.length == n"),
    ),
}
"""The variants by name."""


@click.command()
@click.option("--time", "seconds", default=60.0, show_default=True, help="Seconds for each position.")
@click.option("--memory", default=1024, show_default=True, help="MB for the table.")
@click.option("--variant", "names", multiple=True, type=click.Choice(list(VARIANTS)), help="Only this one.")
@FILES
def ablations(files: tuple[Path, ...], seconds: float, memory: int, names: tuple[str, ...]) -> None:
    """The positions of FILES, as for `classics`, with each technique of the search left out in turn.

    A line for each variant and position: the variant, then what `classics` prints.
    """
    paths = [str(path.resolve()) for path in files]
    for name in names or VARIANTS:
        for attempt in attempts_without(VARIANTS[name], paths, seconds, memory):
            print(f"{name}\t{attempt.line}", flush=True)


def attempts_without(
    changes: tuple[Change, ...], paths: list[str], seconds: float, memory: int
) -> list[Attempt]:
    """The results of `classics` by a copy of the sources with these changes."""
    with tempfile.TemporaryDirectory() as made:
        copy, results = Path(made, "sources"), Path(made, "results.tsv")
        for package in _COPIED:
            shutil.copytree(
                ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__", "compiled")
            )
        for change in changes:
            change.apply(copy)
        words = [sys.executable, "-c", _RUN, "--time", str(seconds), "--memory", str(memory)]
        environment = {**os.environ, "PYTHONPATH": str(copy), "NUMBA_CACHE_DIR": str(Path(made, "cache"))}
        subprocess.run(
            [*words, "--results", str(results), *paths],
            cwd=copy, env=environment, stdout=subprocess.DEVNULL, check=True,
        )  # fmt: skip
        return [Attempt.parse(line) for line in results.read_text(encoding="utf-8").splitlines()]
