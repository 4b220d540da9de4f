"""`scripts/fit`: fit constants on published problems."""

from __future__ import annotations

import click

from scripts.fitting.main_line import main_line


@click.group()
def fit() -> None:
    """Fit constants of the program on published problems."""


fit.add_command(main_line)

if __name__ == "__main__":
    fit()
