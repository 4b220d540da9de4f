# SPDX-License-Identifier: GPL-3.0-or-later
"""Building the module of the kernels, or reading it from the cache."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import llvmlite

from tsume.browser.wasm.entries import kernel_named
from tsume.progress import compiling_progress
from tsume_rules.kernel.cache import kernel_sources_hash, use_kernel_cache

# ---------------------------------------------------------------------------------------------------
#
# The WebAssembly linker: `wasm-ld` of LLVM, of any version, or that of the Python package ``ziglang``.

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


# --- how much memory a WebAssembly module asks for -------------------------------------------------

_IMPORTS = 2
_FUNCTION, _MEMORY = 0, 2
_HEADER_BYTES = 8
_WITH_MAXIMUM = 1


def memory_pages(wasm: bytes) -> int:
    """The least number of pages (64 KiB) of the memory that a module imports.

    Besides it may import functions. Raises ValueError if it imports anything else.
    """
    at = _HEADER_BYTES
    while at < len(wasm):
        section = wasm[at]
        size, at = _number(wasm, at + 1)
        if section == _IMPORTS:
            return _imported_memory(wasm, at)
        at += size
    raise ValueError("the module imports no memory")


def _imported_memory(wasm: bytes, at: int) -> int:
    count, at = _number(wasm, at)
    found = []
    for _ in range(count):
        for _ in range(2):  # the names of the module and of the field
            length, at = _number(wasm, at)
            at += length
        kind, at = wasm[at], at + 1
        if kind == _MEMORY and wasm[at] <= _WITH_MAXIMUM:
            has_maximum = wasm[at] == _WITH_MAXIMUM
            pages, at = _number(wasm, at + 1)
            found.append(pages)
            if has_maximum:
                at = _number(wasm, at)[1]
        elif kind == _FUNCTION:
            at = _number(wasm, at)[1]
        else:
            raise ValueError("the module imports more than functions and a memory that is not shared")
    if len(found) != 1:
        raise ValueError("the module does not import one memory")
    return found[0]


def _number(data: bytes, at: int) -> tuple[int, int]:
    """An unsigned number (LEB128) and the place after it."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return value, at


# --- building the module of the kernels, or reading it from the cache ------------------------------

STACK_BYTES = 1 << 19
"""The module's stack. It grows downwards to address 0: when it is full, the module traps."""
_NEUTRAL = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_DISABLE_JIT": "0"}


@dataclass(frozen=True)
class KernelModule:
    """A WebAssembly module, and what its callers must know of it.

    ``manifest`` (JSON) has

    - ``entries``: by qualified name ``export`` (the name of the exported function), ``arguments`` (pairs of
      name and type) and ``returns`` (a type); types as in `tsume.browser.wasm.entries.described_type`;
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
