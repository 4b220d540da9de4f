# SPDX-License-Identifier: GPL-3.0-or-later
"""Where compiled kernels come from: the user's cache, or a wheel that carries them.

Numba's cache does not notice a change to a kernel or constant in another file, so the
name of the cache directory is a hash of all kernel sources and the numba version.
Directories unused for 30 days are removed.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping, Set
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm
import numba
import numpy as np
from numba import config
from numba.core.compiler import CompileResult

_ROOT = Path(__file__).parents[2]
_KERNEL_ROOMS = ("tsume_rules", "solver", "generator", "tsume")
_UNUSED_SECONDS = 30 * 24 * 3600


def kernel_sources() -> list[Path]:
    """Return all source files with kernels, in a fixed order."""
    return [path for room in _KERNEL_ROOMS for path in sorted((_ROOT / room).glob("**/kernel/*.py"))]


def kernel_sources_hash() -> str:
    """Return a short hash of all kernel sources and the numba version."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in kernel_sources():
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def use_kernel_cache() -> Path | None:
    """Set numba's cache directory to that of these sources; None if none can be written."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return Path(os.environ["NUMBA_CACHE_DIR"])
    base = os.environ.get("XDG_CACHE_HOME")
    folder = (Path(base) if base else Path.home() / ".cache") / "tsume"
    # Temporary folders are shared: with the user's number, or name where there are no numbers.
    user = str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    for home in (folder, Path(tempfile.gettempdir()) / f"tsume-{user}"):
        directory = home / kernel_sources_hash()
        try:
            directory.mkdir(parents=True, exist_ok=True)
            os.utime(directory)
        except OSError:
            continue
        for other in home.iterdir():
            if other != directory and time.time() - other.stat().st_mtime > _UNUSED_SECONDS:
                shutil.rmtree(other, ignore_errors=True)
        numba.config.CACHE_DIR = str(directory)  # type: ignore[attr-defined]
        return directory
    return None


def is_compiled(part: str) -> bool:
    """Whether `mark_compiled` was called for a part, with the files as they are; False without a cache."""
    note = _compiled_marker(part)
    return note is not None and note.exists()


def mark_compiled(part: str) -> None:
    """Note in the cache that a part (a name that callers choose) is fully compiled."""
    note = _compiled_marker(part)
    if note is not None:
        with suppress(OSError):
            note.parent.mkdir(parents=True, exist_ok=True)
            note.touch()


def _compiled_marker(part: str) -> Path | None:
    """Return the note's file; its name holds paths and dates, as numba recompiles when either changes."""
    directory = use_kernel_cache()
    if directory is None:
        return None
    return directory / f"{part}-{_source_dates_hash()}.compiled"


@cache
def _source_dates_hash() -> str:
    """Return a short hash of the paths, dates and sizes of all kernel sources."""
    digest = hashlib.sha256()
    for path in kernel_sources():
        found = path.stat()
        digest.update(f"{path} {found.st_mtime_ns} {found.st_size}".encode())
    return digest.hexdigest()[:16]


# ---------------------------------------------------------------------------------------------------
#
# Kernels that a wheel carries compiled: which file fits this machine, and what it holds.
#
# A compiled wheel has one file for each processor level, which was filled from numba's cache by
# `scripts/wheels`. Its first line is JSON: the build that it fits, the processor level, the complete parts
# (`tsume.warmup`), and the offset and the size of each kernel. The kernels follow as numba pickles them.
# Nothing is written here: a kernel that no file has is compiled to the user's cache.

FOLDER = Path(__file__).parents[1] / "compiled"
"""Only in compiled wheels."""
_SUFFIX = ".kernels"

_V2 = frozenset({"cx16", "sahf", "popcnt", "crc32", "sse3", "ssse3", "sse4.1", "sse4.2"})
_V3 = _V2 | frozenset({"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"})
PROCESSOR_LEVELS: dict[str, frozenset[str]] = {"generic": frozenset(), "x86-64-v2": _V2, "x86-64-v3": _V3}
"""The features, as LLVM names them, that code for a level uses and that some 64-bit processors lack."""

_NEUTRAL_VARIABLES = {"NUMBA_CACHE_DIR", "NUMBA_ENABLE_AVX", "NUMBA_NUM_THREADS", "NUMBA_THREADING_LAYER"}
"""Variables that ask for no other code, or are respected by `processor_features`."""


@dataclass(frozen=True)
class PrecompiledKernels:
    """A file of compiled kernels."""

    path: Path
    processor: str
    build: dict[str, str]
    parts: frozenset[str]
    places: dict[str, tuple[int, int]]
    """Offset and size by `_kernel_key`."""

    def load(self, kernel: Any, kinds: Any, target_context: Any) -> Any:
        """Return the compiled kernel for a signature; None if the file does not have it."""
        place = self.places.get(_kernel_key(kernel, kinds))
        if place is None:
            return None
        offset, size = place
        with self.path.open("rb") as file:
            file.seek(offset)
            stored = pickle.loads(file.read(size))
        return CompileResult._rebuild(target_context, *stored)


@cache
def precompiled_kernels() -> PrecompiledKernels | None:
    """The compiled kernels for this machine; None if there are none, or if the user asks for other code."""
    if not FOLDER.is_dir() or is_numba_set():
        return None
    return fitting_kernels(FOLDER, processor_features(), current_build())


def is_precompiled(part: str) -> bool:
    """Return whether the wheel carries all kernels of a part for this machine."""
    kernels = precompiled_kernels()
    return kernels is not None and part in kernels.parts


def fitting_kernels(folder: Path, features: Set[str], build: Mapping[str, str]) -> PrecompiledKernels | None:
    """Of the files that fit a processor and a build, the one that uses most of the processor's features."""
    fitting = []
    for path in sorted(folder.glob(f"*{_SUFFIX}")):
        with path.open("rb") as file:
            header = json.loads(file.readline())
            start = file.tell()
        places = {key: (start + offset, size) for key, (offset, size) in header["places"].items()}
        if header["build"] == build and PROCESSOR_LEVELS[header["processor"]] <= features:
            parts = frozenset(header["parts"])
            fitting.append(PrecompiledKernels(path, header["processor"], header["build"], parts, places))
    return max(fitting, key=lambda one: len(PROCESSOR_LEVELS[one.processor]), default=None)


def current_build() -> dict[str, str]:
    """Return what must be the same where kernels are compiled and where they run, besides the processor."""
    return {
        "python": f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}",
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "numpy": np.__version__.split(".")[0],
        "system": f"{sys.platform}-{platform.machine()}",
        "sources": kernel_sources_hash(),
    }


def processor_features() -> frozenset[str]:
    """Return the features of this processor that numba would use, as LLVM names them."""
    try:
        features = llvm.get_host_cpu_features()
    except RuntimeError:  # LLVM does not know this kind of processor
        return frozenset()
    usable = config.ENABLE_AVX  # type: ignore[attr-defined]
    return frozenset(name for name, there in features.items() if there and (usable or not name.startswith("avx")))


def is_numba_set() -> bool:
    """Return whether the user asks numba for other code than it compiles by default."""
    asked = (config.CPU_NAME, config.CPU_FEATURES, config.BOUNDSCHECK, config.DISABLE_JIT)  # type: ignore[attr-defined]
    variables = {name for name in os.environ if name.startswith("NUMBA_")}
    return any(asked) or not variables <= _NEUTRAL_VARIABLES


def write_kernels(folder: Path, processor: str, parts: Set[str], kernels: Mapping[tuple[Any, Any], bytes]) -> Path:
    """Write pickled kernels, by function and signature, to a file for this build and a processor level."""
    places, offset = {}, 0
    for (function, kinds), stored in kernels.items():
        places[_kernel_key(function, kinds)] = (offset, len(stored))
        offset += len(stored)
    header = {"processor": processor, "build": current_build(), "parts": sorted(parts), "places": places}
    path = folder / f"{processor}{_SUFFIX}"
    path.write_bytes(b"\n".join([json.dumps(header).encode(), b"".join(kernels.values())]))
    return path


def _kernel_key(function: Any, kinds: Any) -> str:
    """Return a short name of a function and a signature or a tuple of argument types."""
    text = f"{function.__module__}.{function.__qualname__} {kinds}"
    return hashlib.sha256(text.encode()).hexdigest()[:24]
