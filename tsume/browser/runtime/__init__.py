# SPDX-License-Identifier: GPL-3.0-or-later
"""What translated Python runs on in a browser: classic scripts, to be read in this order in one scope."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent
SCRIPTS = (
    "exceptions",
    "numbers",
    "bits",
    "conversions",
    "comparison",
    "keys",
    "iteration",
    "sequences",
    "items",
    "views",
    "dictionaries",
    "counter",
    "sets",
    "calls",
    "attributes",
    "classes",
    "named_tuples",
    "enums",
    "contexts",
    "texts",
    "string_methods",
    "methods",
    "iterators",
    "heaps",
    "library",
    "patterns",
    "reading",
    "dtypes",
    "array_memory",
    "arrays",
    "array_access",
    "numpy",
    "array_functions",
    "sorting",
    "random",
    "kernel_memory",
    "kernels",
    "network",
)
"""Their names without suffix, each after those that it needs when it is read."""


def source() -> str:
    """All scripts, one after the other."""
    return "\n".join((_FOLDER / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS)
