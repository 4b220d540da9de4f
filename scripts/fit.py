# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/fit`: fit constants on published problems."""

from __future__ import annotations

import click

from scripts.fitting.difficulty import difficulty, main_line, surprise
from scripts.fitting.learned import iterate, learned
from scripts.fitting.likeness import choice, collection, likeness
from scripts.fitting.quality import quality, rating


@click.group()
def fit() -> None:
    """Fit constants of the program on published problems."""


fit.add_command(main_line)
fit.add_command(choice)
fit.add_command(collection)
fit.add_command(likeness)
fit.add_command(learned)
fit.add_command(iterate)
fit.add_command(difficulty)
fit.add_command(quality)
fit.add_command(rating)
fit.add_command(surprise)

if __name__ == "__main__":
    fit()
