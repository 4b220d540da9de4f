"""Compiling in advance."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tsume import warmup
from tsume.warmup import KernelPart


def test_the_program_of_the_process_that_compiles_runs() -> None:
    paths = json.dumps([str(place) for place in sys.path])
    with subprocess.Popen([sys.executable, "-c", warmup._CHILD, paths], stdin=subprocess.PIPE) as child:
        assert child.wait() == 0


def test_parts_that_the_wheel_carries_are_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[KernelPart] = []
    monkeypatch.setattr(warmup, "_warm", set())
    monkeypatch.setattr(warmup, "_is_jit_disabled", lambda: False)
    monkeypatch.setattr("tsume_rules.kernel.cache.is_compiled", lambda _part: False)
    monkeypatch.setattr("tsume_rules.kernel.precompiled.is_precompiled", lambda part: part == "engine")
    monkeypatch.setattr(warmup, "_compile_parts", lambda missing, **_: compiled.extend(missing))
    warmup.warm_up(KernelPart.ENGINE, KernelPart.RSEARCH)
    assert compiled == [KernelPart.RSEARCH]
