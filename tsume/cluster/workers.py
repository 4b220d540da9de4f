# SPDX-License-Identifier: GPL-3.0-or-later
"""Workers for a scheduler: processes of this machine with one thread each, restarted when they die."""

from __future__ import annotations

import asyncio
import logging
import signal
from typing import Any

import dask.config
from distributed import Nanny, Security

from tsume.cluster.build import build_of_this_process, build_token
from tsume.warmup import KernelPart, warm_up

SETTINGS: dict[str, Any] = {
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
    "distributed.worker.daemon": True,
}
"""Without a profiler; workers are not killed for memory, which they limit themselves."""


def serve_scheduler(address: str, jobs: int, security: Security | None, name: str | None = None) -> None:
    """Compile the kernels, then work for a scheduler until it closes or a signal arrives."""
    warm_up(KernelPart.GENERATOR)
    resources = {build_token(build_of_this_process()): 1.0}
    with dask.config.set(SETTINGS):
        asyncio.run(_serve_until_closed(address, jobs, security, resources, name))


async def _serve_until_closed(
    address: str, jobs: int, security: Security | None, resources: dict[str, float], name: str | None
) -> None:
    logging.getLogger("distributed").setLevel(logging.WARNING)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    nannies = [
        Nanny(
            address, nthreads=1, memory_limit=0, security=security, resources=resources, config=SETTINGS,
            name=None if name is None else f"{name}-{index}",
        )
        for index in range(jobs)
    ]  # fmt: skip
    try:
        await asyncio.gather(*nannies)
        ended = [asyncio.ensure_future(nanny.finished()) for nanny in nannies]
        await asyncio.wait([*ended, asyncio.ensure_future(stop.wait())], return_when=asyncio.FIRST_COMPLETED)
    finally:
        await asyncio.gather(*(nanny.close(timeout=5) for nanny in nannies), return_exceptions=True)
