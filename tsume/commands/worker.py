# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume worker``"""

from __future__ import annotations

import click

from tsume.commands.cluster_options import Scheduler, require_address, tls_options
from tsume.commands.options import memory_errors, not_nan


@click.command()
@click.argument("address")
@click.option(
    "-j", "--jobs", type=click.IntRange(1, 1024), default=1, show_default=True,
    help="Number of processes; each composes one chunk of roots at a time.",
)  # fmt: skip
@click.option(
    "--wait", type=click.FloatRange(0), default=2.0, show_default=True, callback=not_nan, metavar="SEC",
    help="How long to wait for a scheduler that is not running yet.",
)  # fmt: skip
@tls_options
@memory_errors
def worker(
    address: str, jobs: int, wait: float, tls_ca: str | None, tls_cert: str | None, tls_key: str | None
) -> None:
    """Compose on this machine's processors for `tsume generate --scheduler`.

    ADDRESS is the address of a scheduler, such as tcp://host:8786 (`dask scheduler` starts one). A process
    that crashes is restarted. The worker stops when the scheduler does, or on Ctrl-C.
    """
    scheduler = Scheduler(require_address(address), tls_ca, tls_cert, tls_key)
    security = scheduler.security()
    scheduler.require(wait)
    from tsume.cluster.workers import serve_scheduler

    try:
        serve_scheduler(scheduler.address, jobs, security)
    except (OSError, TimeoutError) as error:
        raise click.ClickException(
            f"{address}: the scheduler does not respond ({' '.join(str(error).split())})"
        ) from None
