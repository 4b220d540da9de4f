# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiling kernels while the server already answers."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence


async def finished(command: Sequence[str]) -> None:
    """Wait for a process; it ends if the task is cancelled. It shows its progress on stderr.

    Its standard input is a pipe to which nothing is written (`tsume.warmup.warm_up_command`).

    Ctrl-C does not reach it: the server decides when it ends.
    """
    process = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.PIPE, start_new_session=True
    )
    try:
        await process.wait()
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()
