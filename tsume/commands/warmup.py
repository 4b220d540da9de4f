# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume warmup``"""

from __future__ import annotations

import click

from tsume.warmup import KernelPart, warm_up


@click.command()
@click.option("-j", "--jobs", type=click.IntRange(1, 256), help="Number of processes; by default one per processor.")
def warmup(jobs: int | None) -> None:
    """Compile everything in advance.

    Otherwise each command compiles what it needs on first use. Compiled code is not compiled again.
    """
    warm_up(*KernelPart, jobs=jobs)
