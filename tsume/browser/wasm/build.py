# SPDX-License-Identifier: GPL-3.0-or-later
"""Building the module of the kernels, or reading it from the cache."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import llvmlite

from tsume.browser.wasm.entries import kernel_named
from tsume.browser.wasm.linker import link, linker_command
from tsume.browser.wasm.pages import memory_pages
from tsume.progress import compiling_progress
from tsume_rules.kernel.cache import kernel_sources_hash, use_kernel_cache

STACK_BYTES = 1 << 19
"""The module's stack. It grows downwards to address 0: when it is full, the module traps."""
_NEUTRAL = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_DISABLE_JIT": "0"}


@dataclass(frozen=True)
class KernelModule:
    """A WebAssembly module, and what its callers must know of it.

    ``manifest`` (JSON) has

    - ``entries``: by qualified name ``export`` (the name of the exported function), ``arguments`` (pairs of
      name and type) and ``returns`` (a type); types as in `tsume.browser.wasm.signatures.described_type`;
    - ``records``: by qualified name ``size`` and ``fields``: offset, type and shape of each;
    - ``memory``: ``pages`` (of 64 KiB) that the module needs itself, ``stack_bytes`` of these for its stack.
    """

    wasm: bytes
    manifest: dict[str, Any]


def build_module(kernels: Iterable[str], records: Iterable[str] = ()) -> KernelModule:
    """Compile kernels, named with their modules, and all that they call, to one WebAssembly module.

    ``records``: record dtypes for the manifest besides those that entries take. The result is cached with the
    compiled kernels; the first time takes about a minute, with progress on stderr. Raises `NoLinker`,
    `ValueError` if a name is not a kernel's, and `RuntimeError` if a part fails.
    """
    wanted = {"kernels": sorted(set(kernels)), "records": sorted(set(records))}
    stored = _stored_file(wanted)
    if stored is not None:
        with suppress(OSError, ValueError, KeyError):
            return _read(stored)
    for kernel in wanted["kernels"]:
        kernel_named(kernel)
    linker_command()
    module = _built(wanted)
    if stored is not None:
        with suppress(OSError):
            _write(stored, module)
    return module


def _built(wanted: dict[str, list[str]]) -> KernelModule:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with compiling_progress(len(wanted["kernels"]) + 1) as advance:
            _run("lowering", folder, wanted, advance)
            _run("compiling", folder, wanted, lambda: None)
            manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
            exports = [entry["export"] for entry in manifest["entries"].values()]
            wasm = link(folder / "kernels.o", exports, STACK_BYTES)
            advance()
    manifest["memory"] = {"pages": memory_pages(wasm), "stack_bytes": STACK_BYTES}
    return KernelModule(wasm, manifest)


def _run(step: str, folder: Path, wanted: dict[str, list[str]], advance: Any) -> None:
    """Run a step in a process of its own: `lowering` changes numba, and both take much memory."""
    command = [sys.executable, "-m", f"tsume.browser.wasm.{step}", str(folder)]
    environment = {**os.environ, **_NEUTRAL, "NUMBA_CACHE_DIR": str(folder / "numba")}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    errors = folder / "errors.txt"
    with errors.open("w", encoding="utf-8") as log, subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, env=environment
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError):
            process.stdin.write(json.dumps(wanted) + "\n")
            process.stdin.flush()  # it stays open: the process ends when it is closed
        for _ in process.stdout:
            advance()
    if process.returncode:
        raise RuntimeError(
            f"{step} the kernels for the browser failed:\n{errors.read_text(encoding='utf-8')}"
        )


# --- cache --------------------------------------------------------------------------------


def _stored_file(wanted: dict[str, list[str]]) -> Path | None:
    folder = use_kernel_cache()
    return folder / f"browser-{_sources_hash(wanted)}.wasm" if folder else None


def _sources_hash(wanted: dict[str, list[str]]) -> str:
    digest = hashlib.sha256(f"{kernel_sources_hash()} {llvmlite.__version__} {json.dumps(wanted)}".encode())
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _read(stored: Path) -> KernelModule:
    manifest = json.loads(stored.with_suffix(".json").read_text(encoding="utf-8"))
    return KernelModule(stored.read_bytes(), manifest)


def _write(stored: Path, module: KernelModule) -> None:
    """The manifest last and each file in one step: what can be read is complete."""
    for suffix, content in (
        (".wasm", module.wasm),
        (".json", json.dumps(module.manifest, separators=(",", ":")).encode()),
    ):
        part = stored.with_suffix(f"{suffix}.{os.getpid()}")
        part.write_bytes(content)
        part.replace(stored.with_suffix(suffix))
