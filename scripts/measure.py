# SPDX-License-Identifier: GPL-3.0-or-later
"""Measurements of the generator and the solver. Run through `scripts/bench`."""

from __future__ import annotations

import click

from scripts.measuring.agreement import agree
from scripts.measuring.certificates import certify
from scripts.measuring.classics import classics
from scripts.measuring.commands import commands
from scripts.measuring.contest import solve
from scripts.measuring.contrasts import contrasts
from scripts.measuring.likeness import likeness
from scripts.measuring.nearest import nearest
from scripts.measuring.perft import perft
from scripts.measuring.scaling import scaling
from scripts.measuring.stage_costs import stages
from scripts.measuring.theme_times import themes
from scripts.measuring.throughput import generate
from scripts.measuring.trees import tree


@click.group()
def bench() -> None:
    """Measure after warm-up, in one process; docs/benchmarks.md says what and how."""


for command in (
    solve, perft, classics, agree, certify, generate, stages, themes, scaling, likeness, contrasts, nearest,
    tree, commands,
):  # fmt: skip
    bench.add_command(command)


if __name__ == "__main__":
    bench()
