"""``tsume warmup``"""

from __future__ import annotations

import click

from tsume.warmup import Part, warm_up


@click.command()
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1, 256),
    help="How many processes compile; by default one for each processor.",
)
def warmup(jobs: int | None) -> None:
    """Compile everything now, so that no command has to compile later.

    Without this, each command compiles what it needs when it is first used. What is compiled
    already is not compiled again.
    """
    warm_up(*Part, jobs=jobs)
