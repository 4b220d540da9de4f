# SPDX-License-Identifier: GPL-3.0-or-later
"""Collects kernels compiled for one processor level in a file for a wheel.

`scripts.wheels` runs this after `tsume warmup`, in a process whose environment names the processor
(NUMBA_CPU_NAME, NUMBA_CPU_FEATURES) and the folder of compiled code (NUMBA_CACHE_DIR). The file has the
units and the kernels that Python calls: those which the examples of `tsume.warmup` load. The others were
linked into these.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from numba.core.serialize import dumps

from tsume.warmup import KernelPart, run_example
from tsume_rules.kernel.cache import kernel_sources, write_kernels
from tsume_rules.kernel.compile import JitKernel, KernelUnit

_ROOT = Path(__file__).parents[1]
_LIBRARY, _TYPE_ANNOTATION = 0, 6
"""Members of a compiled function as numba stores it (`CompileResult._reduce`)."""


def compiled_kernels() -> dict[tuple[Any, Any], bytes]:
    """The units, and the kernels that were loaded in this process, pickled, by function and signature."""
    return {
        (kernel.py_func, kinds): _pickled(_reduced(stored, isinstance(kernel, KernelUnit)))
        for kernel in _kernels()
        if kernel.overloads or isinstance(kernel, KernelUnit)
        for kinds, stored in kernel.stored_code().items()
    }


def _kernels() -> Iterator[JitKernel]:
    """All kernels, in the order of their modules."""
    for path in kernel_sources():
        name = ".".join(path.relative_to(_ROOT).with_suffix("").parts).removesuffix(".__init__")
        for value in vars(import_module(name)).values():
            if isinstance(value, JitKernel) and value.py_func.__module__ == name:
                yield value


def _pickled(stored: tuple[Any, ...]) -> bytes:
    return bytes(dumps(stored))  # type: ignore[no-untyped-call]


def _reduced(stored: Any, is_unit: bool) -> tuple[Any, ...]:
    """A compiled function without what nobody reads.

    That is the listing of its types, which names paths of this machine, and the LLVM code of a unit. From
    that numba would link the unit into its callers, but they know only its address.
    """
    members = list(stored)
    members[_TYPE_ANNOTATION] = ""
    name, kind, (code, linkable) = members[_LIBRARY]
    members[_LIBRARY] = name, kind, (code, _without_bodies(linkable) if is_unit else linkable)
    return tuple(members)


def _without_bodies(bitcode: bytes) -> bytes:
    """A module that only names what another defines: numba looks up no other addresses."""
    module = llvm.parse_bitcode(bitcode)
    functions = (one.name for one in module.functions if not one.is_declaration)
    variables = (one.name for one in module.global_variables if not one.is_declaration)
    lines = [f'define void @"{name}"() {{ ret void }}' for name in functions]
    lines += [f'@"{name}" = global i8 0' for name in variables]
    return bytes(llvm.parse_assembly("\n".join(lines)).as_bitcode())


def main() -> None:
    """Write the file to the folder that is the only argument."""
    for part in KernelPart:
        run_example(part)
    parts = {part.value for part in KernelPart}
    write_kernels(Path(sys.argv[1]), os.environ["NUMBA_CPU_NAME"], parts, compiled_kernels())


if __name__ == "__main__":
    main()
