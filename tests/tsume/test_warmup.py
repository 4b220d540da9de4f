"""Compiling in another process."""

from __future__ import annotations

import asyncio
import subprocess
import sys

from tsume.warmup import KernelPart, is_warm, warm_up, warm_up_command
from tsume.web.compiling import finished


def test_the_command_compiles_the_parts() -> None:
    warm_up(KernelPart.ENGINE)
    command = warm_up_command(KernelPart.ENGINE)
    assert command is not None
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0
    assert is_warm(KernelPart.ENGINE)


def test_a_process_ends_with_the_task_that_waits_for_it() -> None:
    async def cancelled() -> None:
        code = "import sys, time; sys.stdin.read(); time.sleep(1000)"
        task = asyncio.create_task(finished([sys.executable, "-c", code]))
        await asyncio.sleep(0.5)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()

    asyncio.run(cancelled())
