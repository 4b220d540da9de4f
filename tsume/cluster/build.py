# SPDX-License-Identifier: GPL-3.0-or-later
"""What two machines must have in common to find the same problems.

NumPy guarantees equal random numbers only for equal builds, and compiled kernels may round differently on
processors with other features. All of it is compared before a worker gets work.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from importlib import import_module
from typing import Any


def build_of_this_process() -> dict[str, str]:
    """What determines the problems that this process finds, by name."""
    import numba
    import numpy as np

    from generator.problem import GENERATOR_VERSION
    from tsume import __version__
    from tsume_rules.kernel.cache import kernel_sources_hash

    return {
        "tsume": __version__,
        "recipe": str(GENERATOR_VERSION),
        "kernels": kernel_sources_hash(),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "processor": _processor_features(),
        "numpy's processor features": _numpy_features(),
    }


def build_token(of: Mapping[str, str]) -> str:
    """A short name of a build, the same for builds that find the same problems."""
    text = "\n".join(f"{name}={value}" for name, value in sorted(of.items()))
    return f"tsume-{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def build_differences(ours: Mapping[str, str], theirs: Mapping[str, str]) -> list[str]:
    """The differences between two builds in words; of long lists only what one of them lacks."""
    return [
        _build_difference(name, ours.get(name, "none"), theirs.get(name, "none"))
        for name in sorted({*ours, *theirs})
        if ours.get(name) != theirs.get(name)
    ]


def _build_difference(name: str, here: str, there: str) -> str:
    ours, theirs = set(here.split()), set(there.split())
    if max(len(ours), len(theirs)) == 1:
        return f"{name} {there} there, {here} here"
    only = [f"{' '.join(sorted(some))} only {place}" for some, place in
            ((theirs - ours, "there"), (ours - theirs, "here")) if some]  # fmt: skip
    return f"{name}: {', '.join(only)}"


def _processor_features() -> str:
    """What kernels are compiled for: in the wheel, and by Numba, which NUMBA_CPU_NAME etc. may tell."""
    from llvmlite import binding
    from numba import config

    from tsume_rules.kernel.cache import precompiled_kernels

    if config.CPU_NAME is not None:  # type: ignore[attr-defined]
        return f"{config.CPU_NAME} {config.CPU_FEATURES or ''}".strip()  # type: ignore[attr-defined]
    has = binding.get_host_cpu_features()
    kernels = precompiled_kernels()
    from_wheel = [f"wheel:{kernels.processor}"] if kernels else []
    names = sorted(name for name, there in has.items() if there)
    return " ".join([*from_wheel, binding.get_host_cpu_name(), *names])


def _numpy_features() -> str:
    """The enabled processor features for which NumPy has its own loops."""
    try:
        umath: Any = import_module("numpy._core._multiarray_umath")
    except ImportError:  # before NumPy 2
        umath = import_module("numpy.core._multiarray_umath")
    enabled = umath.__cpu_features__
    return " ".join(sorted(name for name in umath.__cpu_dispatch__ if enabled.get(name))) or "none"
