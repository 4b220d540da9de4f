# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernels as one WebAssembly module, built or read from the cache (`compiler`)."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from compiler.build import STACK_BYTES, WASM, build_files, linker_of
from compiler.interface import manifest_of
from tsume_rules.kernel.compile import PROGRAM, Kernel, cache_folder, kernel_of, library_hash


def kernel_named(name: str) -> Kernel:
    """Return the kernel of a qualified name. Raises ValueError if there is none that Python calls."""
    module, _, attribute = name.rpartition(".")
    kernel = kernel_of(getattr(import_module(module), attribute, None))
    if kernel is None or kernel.returns is None:
        raise ValueError(f"{name} is not a kernel that Python calls")
    return kernel


@dataclass(frozen=True)
class KernelModule:
    """A WebAssembly module, and what its callers must know of it.

    ``manifest`` (JSON) has

    - ``entries``: by qualified name ``export`` (the name of the exported function), ``arguments`` (pairs of
      name and type) and ``returns`` (a type); types as in `compiler.interface.manifest_of`;
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
    called = [kernel_named(name) for name in sorted(set(kernels))]
    manifest = manifest_of(called, sorted(set(records)))
    linker_of(WASM)
    stored = _stored_file([kernel.name for kernel in called])
    wasm = None
    if stored is not None:
        with suppress(OSError):
            wasm = stored.read_bytes()
    if wasm is None:
        with tempfile.TemporaryDirectory() as folder:
            build_files(PROGRAM, called, [WASM], Path(folder))
            wasm = Path(folder, WASM.file).read_bytes()
        if stored is not None:
            with suppress(OSError):  # in one step: what can be read is complete
                part = stored.with_suffix(f".{os.getpid()}")
                part.write_bytes(wasm)
                part.replace(stored)
    manifest["memory"] = {"pages": memory_pages(wasm), "stack_bytes": STACK_BYTES}
    return KernelModule(wasm, manifest)


def _stored_file(names: list[str]) -> Path | None:
    """Return where the cache has the module, named after all that it is made from; None without a cache."""
    folder = cache_folder()
    wanted = hashlib.sha256(f"{library_hash(PROGRAM)} {json.dumps(names)}".encode()).hexdigest()[:16]
    return folder / f"browser-{wanted}.wasm" if folder else None


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
