# SPDX-License-Identifier: GPL-3.0-or-later
"""What `scripts/wheels` calls a wheel, and for which processors it compiles."""

from __future__ import annotations

import platform
import sys
import sysconfig
from pathlib import Path

import click
import pytest

from scripts import wheels
from scripts.wheels import processor_levels, wheel_tag


@pytest.mark.parametrize(
    ("system", "machine", "expected"),
    [
        ("linux-x86_64", "x86_64", "manylinux_2_17_x86_64"),
        ("linux-aarch64", "aarch64", "manylinux_2_17_aarch64"),
        ("macosx-11.0-arm64", "arm64", "macosx_11_0_arm64"),
        ("macosx-10.13-universal2", "arm64", "macosx_10_13_arm64"),
        ("win-amd64", "AMD64", "win_amd64"),
    ],
)
def test_the_tag_names_python_and_platform(
    system: str, machine: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sysconfig, "get_platform", lambda: system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert wheel_tag() == f"{python}-{python}{getattr(sys, 'abiflags', '')}-{expected}"


@pytest.mark.parametrize(
    ("machine", "expected"),
    [
        ("x86_64", ["x86-64-v2", "x86-64-v3"]),
        ("AMD64", ["x86-64-v2", "x86-64-v3"]),
        ("aarch64", ["generic"]),
        ("arm64", ["generic"]),
    ],
)
def test_the_levels_are_those_of_the_architecture(
    machine: str, expected: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platform, "machine", lambda: machine)
    assert processor_levels() == expected


def test_code_that_this_processor_cannot_run_is_not_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wheels, "processor_features", lambda: frozenset({"avx"}))
    with pytest.raises(click.ClickException, match="lacks avx2, bmi"):
        wheels.compile_kernels(tmp_path, "x86-64-v3")
