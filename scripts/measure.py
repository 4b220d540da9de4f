# SPDX-License-Identifier: GPL-3.0-or-later
"""Measurements of the generator and the solver. Run through `scripts/bench`."""

from __future__ import annotations

import click

from scripts.measuring.ablations import ablations
from scripts.measuring.agreement import agree
from scripts.measuring.batches import batches
from scripts.measuring.board import board
from scripts.measuring.browser import browser
from scripts.measuring.certificates import certify
from scripts.measuring.classics import classics
from scripts.measuring.commands import commands
from scripts.measuring.contest import solve
from scripts.measuring.contrasts import contrasts
from scripts.measuring.descent import descent
from scripts.measuring.enriching import enrich
from scripts.measuring.likeness import likeness
from scripts.measuring.long_certificates import lengths
from scripts.measuring.mending import mend
from scripts.measuring.nearest import nearest
from scripts.measuring.perft import perft
from scripts.measuring.players import players
from scripts.measuring.printing import print_
from scripts.measuring.scaling import scaling
from scripts.measuring.sites import site
from scripts.measuring.stage_costs import stages
from scripts.measuring.stores import store
from scripts.measuring.theme_times import themes
from scripts.measuring.throughput import generate
from scripts.measuring.trees import tree
from scripts.measuring.usi import usi
from scripts.measuring.variety import variety
from scripts.measuring.wishes import wishes
from scripts.measuring.writers import writers


@click.group()
def bench() -> None:
    """Measure after warm-up, in one process; docs/benchmarks.md says what and how."""


for command in (
    solve, perft, generate, stages, wishes, variety, likeness, contrasts, nearest, mend, enrich, tree, print_,
    site, store, classics, board, browser, players, commands, batches, scaling, writers, agree, themes,
    certify, lengths, usi, ablations, descent,
):  # fmt: skip
    bench.add_command(command)


if __name__ == "__main__":
    bench()
