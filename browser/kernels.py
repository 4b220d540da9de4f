# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernels as one WebAssembly module, built or read from the cache.

Numba types and lowers the kernels as ever; what it makes of them before its own optimisation is free of any
processor. All of it is linked once, optimised and compiled for wasm32 (`browser.lowering`), and linked to a
module here. Each entry is a function of one address, at which its arguments lie (`browser.entries`).
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import llvmlite

from browser.entries import kernel_named
from tsume.progress import compiling_progress
from tsume_rules.kernel.cache import kernel_sources_hash, use_kernel_cache

ROOT = Path(__file__).parent.parent
STACK_BYTES = 1 << 19
"""The module's stack. It grows downwards to address 0: when it is full, the module traps."""
_NEUTRAL = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_DISABLE_JIT": "0"}
_SOURCES = ("kernels.py", "entries.py", "lowering.py")


@dataclass(frozen=True)
class KernelModule:
    """A WebAssembly module, and what its callers must know of it.

    ``manifest`` (JSON) has

    - ``entries``: by qualified name ``export`` (the name of the exported function), ``arguments`` (pairs of
      name and type) and ``returns`` (a type); types as in `browser.entries.described_type`;
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
        with suppress(OSError, ValueError):
            manifest = json.loads(stored.with_suffix(".json").read_text(encoding="utf-8"))
            return KernelModule(stored.read_bytes(), manifest)
    for kernel in wanted["kernels"]:
        kernel_named(kernel)
    linker_command()
    module = compiled_module(wanted)
    if stored is not None:
        manifest = json.dumps(module.manifest, separators=(",", ":")).encode()
        with suppress(OSError):  # the manifest last, and each file in one step: what can be read is complete
            for suffix, content in ((".wasm", module.wasm), (".json", manifest)):
                part = stored.with_suffix(f"{suffix}.{os.getpid()}")
                part.write_bytes(content)
                part.replace(stored.with_suffix(suffix))
    return module


def _stored_file(wanted: dict[str, list[str]]) -> Path | None:
    """Return where the cache has the module, named after all that it is made from; None without a cache."""
    folder = use_kernel_cache()
    digest = hashlib.sha256(f"{kernel_sources_hash()} {llvmlite.__version__} {json.dumps(wanted)}".encode())
    for name in _SOURCES:
        digest.update((Path(__file__).parent / name).read_bytes())
    return folder / f"browser-{digest.hexdigest()[:16]}.wasm" if folder else None


def compiled_module(wanted: dict[str, list[str]]) -> KernelModule:
    """Build the module, without the cache."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with compiling_progress(len(wanted["kernels"]) + 1) as advance:
            _run("lower", folder, wanted, advance)
            _run("compile", folder, wanted, lambda: None)
            manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
            exports = [entry["export"] for entry in manifest["entries"].values()]
            wasm = link(folder / "kernels.o", exports)
            advance()
    manifest["memory"] = {"pages": memory_pages(wasm), "stack_bytes": STACK_BYTES}
    return KernelModule(wasm, manifest)


def _run(step: str, folder: Path, wanted: dict[str, list[str]], advance: Callable[[], None]) -> None:
    """Run a step of `browser.lowering` in a process of its own: it changes numba and takes much memory."""
    command = [sys.executable, "-m", "browser.lowering", step, str(folder)]
    environment = {**os.environ, **_NEUTRAL, "NUMBA_CACHE_DIR": str(folder / "numba")}
    environment["PYTHONPATH"] = os.pathsep.join(str(Path(path).absolute()) for path in sys.path if path)
    errors = folder / "errors.txt"
    with errors.open("w", encoding="utf-8") as log, subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, cwd=ROOT,
        env=environment,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError):
            process.stdin.write(json.dumps(wanted) + "\n")
            process.stdin.flush()  # it stays open: the process ends when it is closed
        for _ in process.stdout:
            advance()
    if process.returncode:
        said = errors.read_text(encoding="utf-8")
        raise RuntimeError(f"the kernels for the browser cannot be compiled ({step}):\n{said}")


# --- the linker: `wasm-ld` of LLVM, of any version, or that of the Python package ``ziglang`` -------

IMPORTED = ("exp", "log")
"""Functions of real numbers that a module imports (`browser/runtime/kernels.js`)."""
_VERSIONS = range(30, 10, -1)
"""Versions of LLVM whose linker may be installed under its own name only (Debian: lld-19)."""


class NoLinker(RuntimeError):
    """There is no linker for WebAssembly."""

    def __init__(self) -> None:
        super().__init__(
            "no linker for WebAssembly: install wasm-ld (Debian: apt install lld) or `pip install ziglang`"
        )


def linker_command() -> list[str]:
    """Return how the linker is called. Raises `NoLinker`."""
    for name in ("wasm-ld", *(f"wasm-ld-{version}" for version in _VERSIONS)):
        if found := shutil.which(name):
            return [found]
    if find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "wasm-ld"]
    raise NoLinker


def link(object_file: Path, exports: list[str]) -> bytes:
    """Return the module of an object file. Raises `NoLinker`, or RuntimeError with the linker's message."""
    target, imported = object_file.with_suffix(".wasm"), object_file.with_suffix(".imports")
    imported.write_text("\n".join(IMPORTED), encoding="ascii")
    command = [
        *linker_command(), "--no-entry", "--gc-sections", "--import-memory", "--strip-all", "-O2",
        f"--allow-undefined-file={imported}", "--stack-first", "-z", f"stack-size={STACK_BYTES}",
        *(f"--export={name}" for name in [*exports, "__heap_base"]), str(object_file), "-o", str(target),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the linker for WebAssembly failed: {done.stderr.strip()}")
    return target.read_bytes()


# --- how much memory a module asks for (WebAssembly core specification, binary format, imports) -----

_HEADER_BYTES, _IMPORT_SECTION = 8, 2
_FUNCTION, _MEMORY, _WITH_MAXIMUM = 0, 2, 1


def memory_pages(wasm: bytes) -> int:
    """Return the least number of pages (64 KiB) of the memory that a module imports.

    Raises ValueError if it imports anything but functions and one memory that is not shared.
    """
    at = _HEADER_BYTES
    while at < len(wasm) and wasm[at] != _IMPORT_SECTION:
        size, at = _number(wasm, at + 1)
        at += size
    if at >= len(wasm):
        raise ValueError("the module imports no memory")
    _, at = _number(wasm, at + 1)
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
            at = _number(wasm, at)[1] if has_maximum else at
        elif kind == _FUNCTION:
            at = _number(wasm, at)[1]
        else:
            raise ValueError("the module imports more than functions and a memory that is not shared")
    if len(found) != 1:
        raise ValueError("the module does not import one memory")
    return found[0]


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return an unsigned number (LEB128) and the place after it."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return value, at
