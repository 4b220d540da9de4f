# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels that a wheel carries compiled: which file fits this machine, and what it holds.

A compiled wheel has one file for each processor level, which was filled from numba's cache by
`scripts/wheels`. Its first line is JSON: the build that it fits, the processor level, the complete parts
(`tsume.warmup`), and the offset and the size of each kernel. The kernels follow as numba pickles them.
Nothing is written here: a kernel that no file has is compiled to the user's cache.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import platform
import sys
from collections.abc import Mapping, Set
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

from tsume_rules.kernel.cache import kernel_sources_hash

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
        """The compiled kernel for a signature; None if the file does not have it."""
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
    """Whether the wheel carries all kernels of a part for this machine."""
    kernels = precompiled_kernels()
    return kernels is not None and part in kernels.parts


def fitting_kernels(folder: Path, features: Set[str], build: Mapping[str, str]) -> PrecompiledKernels | None:
    """Of the files that fit a processor and a build, the one that uses most of the processor's features."""
    files = (_read_header(path) for path in sorted(folder.glob(f"*{_SUFFIX}")))
    fitting = (one for one in files if one.build == build and PROCESSOR_LEVELS[one.processor] <= features)
    return max(fitting, key=lambda one: len(PROCESSOR_LEVELS[one.processor]), default=None)


def current_build() -> dict[str, str]:
    """What must be the same where kernels are compiled and where they run, besides the processor."""
    return {
        "python": f"{sys.implementation.cache_tag}{getattr(sys, 'abiflags', '')}",
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "numpy": np.__version__.split(".")[0],
        "system": f"{sys.platform}-{platform.machine()}",
        "sources": kernel_sources_hash(),
    }


def processor_features() -> frozenset[str]:
    """The features of this processor that numba would use, as LLVM names them."""
    try:
        features = llvm.get_host_cpu_features()
    except RuntimeError:  # LLVM does not know this kind of processor
        return frozenset()
    usable = config.ENABLE_AVX  # type: ignore[attr-defined]
    return frozenset(
        name for name, there in features.items() if there and (usable or not name.startswith("avx"))
    )


def is_numba_set() -> bool:
    """Whether the user asks numba for other code than it compiles by default."""
    asked = (config.CPU_NAME, config.CPU_FEATURES, config.BOUNDSCHECK, config.DISABLE_JIT)  # type: ignore[attr-defined]
    variables = {name for name in os.environ if name.startswith("NUMBA_")}
    return any(asked) or not variables <= _NEUTRAL_VARIABLES


def write_kernels(
    folder: Path, processor: str, parts: Set[str], kernels: Mapping[tuple[Any, Any], bytes]
) -> Path:
    """Write pickled kernels, by function and signature, to a file for this build and a processor level."""
    places, offset = {}, 0
    for (function, kinds), stored in kernels.items():
        places[_kernel_key(function, kinds)] = (offset, len(stored))
        offset += len(stored)
    header = {"processor": processor, "build": current_build(), "parts": sorted(parts), "places": places}
    path = folder / f"{processor}{_SUFFIX}"
    path.write_bytes(b"\n".join([json.dumps(header).encode(), b"".join(kernels.values())]))
    return path


def _read_header(path: Path) -> PrecompiledKernels:
    with path.open("rb") as file:
        header = json.loads(file.readline())
        start = file.tell()
    places = {key: (start + offset, size) for key, (offset, size) in header["places"].items()}
    return PrecompiledKernels(path, header["processor"], header["build"], frozenset(header["parts"]), places)


def _kernel_key(function: Any, kinds: Any) -> str:
    """A short name of a function and a signature or a tuple of argument types."""
    text = f"{function.__module__}.{function.__qualname__} {kinds}"
    return hashlib.sha256(text.encode()).hexdigest()[:24]
