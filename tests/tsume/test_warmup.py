# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiling in advance; here everything is compiled already."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from tsume import warmup
from tsume.warmup import KernelPart
from tsume.web.compiling import finished


def compiling(stdin: int) -> subprocess.Popen[bytes]:
    """The process that compiles for another one."""
    command = warmup.warm_up_command(KernelPart.ENGINE)
    assert command is not None
    return subprocess.Popen(command, stdin=stdin, stderr=subprocess.DEVNULL)


def test_it_compiles_while_its_parent_lives() -> None:
    with compiling(subprocess.PIPE) as child:
        assert child.wait() == 0


def test_it_ends_with_its_parent() -> None:
    with compiling(subprocess.DEVNULL) as child:
        assert child.wait() == 1


def test_parts_that_the_wheel_carries_are_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[KernelPart] = []
    monkeypatch.setattr(warmup, "_warm", set())
    monkeypatch.setattr(warmup, "_is_jit_disabled", lambda: False)
    monkeypatch.setattr("tsume_rules.kernel.cache.is_compiled", lambda _part: False)
    monkeypatch.setattr("tsume_rules.kernel.cache.is_precompiled", lambda part: part == "engine")
    monkeypatch.setattr(warmup, "_compile_parts", lambda missing, **_: compiled.extend(missing))
    warmup.warm_up(KernelPart.ENGINE, KernelPart.RSEARCH)
    assert compiled == [KernelPart.RSEARCH]


def test_a_process_ends_with_the_task_that_waits_for_it() -> None:
    async def cancelled() -> None:
        code = "import sys, time; sys.stdin.read(); time.sleep(1000)"
        task = asyncio.create_task(finished([sys.executable, "-c", code]))
        await asyncio.sleep(0.5)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()

    asyncio.run(cancelled())
