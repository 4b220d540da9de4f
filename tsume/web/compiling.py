# SPDX-License-Identifier: GPL-3.0-or-later
"""Work of other processes while the server already answers: compiling kernels, building the solver."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence


async def finished(command: Sequence[str]) -> None:
    """Wait for a process; it ends if the task is cancelled. It shows its progress on stderr.

    Its standard input is a pipe to which nothing is written (`tsume.child_processes.child_command`).

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
