# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a scheduler answers, checked before Dask starts to retry in the background."""

from __future__ import annotations

import asyncio
import logging
import socket
import time

from distributed import Security
from distributed.comm.addressing import get_address_host_port
from distributed.core import rpc

_ANSWER_SECONDS = 5.0
_PAUSE = 0.25


class NoSchedulerError(Exception):
    """No scheduler answers at an address; the message is one line."""


def require_scheduler(address: str, security: Security | None = None, wait: float = 0.0) -> None:
    """Raise `NoSchedulerError` unless a scheduler answers within a few seconds.

    If nothing listens, which is known at once, it retries for ``wait`` seconds.
    """
    for logger in ("distributed", "asyncio"):  # asyncio tells of tasks that Ctrl-C ended
        logging.getLogger(logger).setLevel(logging.CRITICAL)  # errors are raised here
    until = time.monotonic() + wait
    try:
        while not _is_listening(address) and time.monotonic() < until:
            time.sleep(_PAUSE)
        with socket.create_connection(get_address_host_port(address, strict=True), _ANSWER_SECONDS):
            pass
        kind = asyncio.run(_server_kind(address, security))
    except (OSError, TimeoutError, ValueError, RuntimeError, TypeError, OverflowError) as error:
        why = " ".join(str(error).split()) or type(error).__name__
        raise NoSchedulerError(f"{address}: the scheduler does not respond ({why})") from None
    if kind != "Scheduler":
        raise NoSchedulerError(f"{address}: not a scheduler (it is a {kind})")


def _is_listening(address: str) -> bool:
    try:
        with socket.create_connection(get_address_host_port(address, strict=True), _ANSWER_SECONDS):
            return True
    except ConnectionRefusedError:
        return False


async def _server_kind(address: str, security: Security | None) -> str:
    """Dask's name for what answers."""
    arguments = (security or Security()).get_connection_args("client")
    async with rpc(address, timeout=_ANSWER_SECONDS, connection_args=arguments) as server:
        identity = await asyncio.wait_for(server.identity(), _ANSWER_SECONDS)
    return str(identity.get("type"))
