# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/fit`: fit constants on published problems."""

from __future__ import annotations

import click

from scripts.fitting.difficulty import difficulty, main_line, surprise
from scripts.fitting.learned import iterate, learned, turns
from scripts.fitting.likeness import choice, collection, likeness
from scripts.fitting.quality import quality, rating


@click.group()
def fit() -> None:
    """Fit constants of the program on published problems."""


for command in (
    main_line, choice, collection, likeness, learned, iterate, turns, difficulty, quality, rating, surprise,
):  # fmt: skip
    fit.add_command(command)

if __name__ == "__main__":
    fit()
