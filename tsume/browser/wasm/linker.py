# SPDX-License-Identifier: GPL-3.0-or-later
"""The WebAssembly linker: `wasm-ld` of LLVM, of any version, or that of the Python package ``ziglang``."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

IMPORTED = ("exp", "log")
"""Functions of real numbers that a module imports (`tsume/browser/runtime/kernels.js`)."""

_VERSIONS = range(30, 10, -1)
"""Versions of LLVM whose linker may be installed under its own name only (Debian: lld-19)."""


class NoLinker(RuntimeError):
    """There is no linker for WebAssembly."""

    def __init__(self) -> None:
        super().__init__(
            "no linker for WebAssembly: install wasm-ld (Debian: apt install lld) or `pip install ziglang`"
        )


def linker_command() -> list[str]:
    """How the linker is called. Raises `NoLinker`."""
    for name in ("wasm-ld", *(f"wasm-ld-{version}" for version in _VERSIONS)):
        if found := shutil.which(name):
            return [found]
    if find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "wasm-ld"]
    raise NoLinker


def link(object_file: Path, exports: list[str], stack_bytes: int) -> bytes:
    """The module of an object file. Raises `NoLinker`, or RuntimeError with what the linker says."""
    target, imported = object_file.with_suffix(".wasm"), object_file.with_suffix(".imports")
    imported.write_text("\n".join(IMPORTED), encoding="ascii")
    command = [
        *linker_command(), "--no-entry", "--gc-sections", "--import-memory", "--strip-all", "-O2",
        f"--allow-undefined-file={imported}", "--stack-first", "-z", f"stack-size={stack_bytes}",
        *(f"--export={name}" for name in [*exports, "__heap_base"]), str(object_file), "-o", str(target),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the linker for WebAssembly failed: {done.stderr.strip()}")
    return target.read_bytes()
