# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume worker``, and the options by which a run finds its scheduler."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tsume.commands.options import memory_errors, not_nan
from tsume.extras import require_extra

if TYPE_CHECKING:
    from distributed import Security

    from generator.run.worker_pool import PoolFactory


# --- ``--scheduler`` and the files of TLS ----------------------------------------------------------

F = TypeVar("F", bound=Callable[..., Any])
_SCHEMES = ("tcp://", "tls://", "ws://", "wss://")
_FILE = click.Path(exists=True, dir_okay=False)


@dataclass(frozen=True)
class Scheduler:
    """A Dask scheduler: its address, and the files by which TLS identifies both sides, None without TLS."""

    address: str
    ca: str | None = None
    certificate: str | None = None
    key: str | None = None

    def security(self) -> Security | None:
        """Return the TLS settings for Dask, None without TLS. Raises `tsume.extras.Missing`."""
        require_extra("cluster")
        from distributed import Security

        given = {"tls_ca_file": self.ca, "tls_client_cert": self.certificate, "tls_client_key": self.key,
                 "tls_worker_cert": self.certificate, "tls_worker_key": self.key}  # fmt: skip
        files = {name: file for name, file in given.items() if file is not None}
        return Security(require_encryption=True, **files) if files else None

    def require(self, wait: float = 0.0) -> None:
        """Raise `click.ClickException` if it does not answer, or nothing listens for ``wait`` seconds."""
        security = self.security()
        from tsume.cluster import NoSchedulerError, require_scheduler

        try:
            require_scheduler(self.address, security, wait)
        except NoSchedulerError as error:
            raise click.ClickException(str(error)) from None

    def pool(self) -> PoolFactory:
        """Return the factory of a pool of its workers. Raises `tsume.extras.Missing`."""
        security = self.security()
        from tsume.cluster import cluster_pool

        return cluster_pool(self.address, security)


def require_address(address: str) -> str:
    """Return the address of a scheduler. Raises `click.BadParameter` for an invalid one."""
    if not address.startswith(_SCHEMES) or not address.split("://", 1)[1]:
        raise click.BadParameter(f"{address[:80]!r} is not the address of a scheduler, such as tcp://host:8786")
    return address


def tls_options(command: F) -> F:
    """``--tls-ca``, ``--tls-cert`` and ``--tls-key``."""
    command = click.option("--tls-key", type=_FILE, help="TLS: key of this side (PEM).")(command)
    command = click.option("--tls-cert", type=_FILE, help="TLS: certificate of this side (PEM).")(command)
    text = "TLS: certificate authority that both sides trust (PEM)."
    return click.option("--tls-ca", type=_FILE, help=text)(command)


def scheduler_options(command: F) -> F:
    """``--scheduler`` and TLS: the command gets ``scheduler``, None if it is not given."""

    @functools.wraps(command)
    def with_scheduler(
        *arguments: Any,
        scheduler: str | None,
        tls_ca: str | None,
        tls_cert: str | None,
        tls_key: str | None,
        **options: Any,
    ) -> Any:
        if scheduler is None:
            if tls_ca or tls_cert or tls_key:
                raise click.UsageError("--tls-ca, --tls-cert and --tls-key need --scheduler")
            return command(*arguments, scheduler=None, **options)
        source = click.get_current_context().get_parameter_source("jobs")
        if source is not click.core.ParameterSource.DEFAULT:
            raise click.UsageError("--jobs is for this machine; use `tsume worker --jobs` on the workers of "
                                   "the scheduler")  # fmt: skip
        found = Scheduler(require_address(scheduler), tls_ca, tls_cert, tls_key)
        found.require()
        return command(*arguments, scheduler=found, **options)

    text = "Compose on the workers of a Dask scheduler (tcp://host:8786); `tsume worker` starts them."
    return tls_options(click.option("--scheduler", metavar="ADDRESS", help=text)(with_scheduler))  # type: ignore[return-value]


# --- ``tsume worker`` ------------------------------------------------------------------------------


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
def worker(address: str, jobs: int, wait: float, tls_ca: str | None, tls_cert: str | None, tls_key: str | None) -> None:
    """Compose on this machine's processors for `tsume generate --scheduler`.

    ADDRESS is the address of a scheduler, such as tcp://host:8786 (`dask scheduler` starts one). A process
    that crashes is restarted. The worker stops when the scheduler does, or on Ctrl-C.
    """
    scheduler = Scheduler(require_address(address), tls_ca, tls_cert, tls_key)
    security = scheduler.security()
    scheduler.require(wait)
    from tsume.cluster import serve_scheduler

    try:
        serve_scheduler(scheduler.address, jobs, security)
    except (OSError, TimeoutError) as error:
        raise click.ClickException(
            f"{address}: the scheduler does not respond ({' '.join(str(error).split())})"
        ) from None
