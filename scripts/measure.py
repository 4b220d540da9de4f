# SPDX-License-Identifier: GPL-3.0-or-later
"""Measurements of the generator and the solver. Run through `scripts/bench`."""

from __future__ import annotations

import click

from scripts.measuring.command_times import commands, games, site, start, tree
from scripts.measuring.composing import generate, scaling, stages, themes
from scripts.measuring.contest import perft, solve
from scripts.measuring.resemblance import contrasts, likeness, nearest
from scripts.measuring.searches import agree, certify, classics, judge


@click.group()
def bench() -> None:
    """Measure after warm-up, in one process; docs/benchmarks.md says what and how."""


for command in (
    solve, perft, classics, agree, certify, judge, generate, stages, themes, scaling, likeness, contrasts, nearest,
    tree, start, commands, games, site,
):  # fmt: skip
    bench.add_command(command)


if __name__ == "__main__":
    bench()
