# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels by their names, the types of their arguments, and the layouts of records."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numba.core import types

from solver.engines.dfpn.kernel.arena import ARENA, SEARCH, Arena
from tsume_rules.kernel.compile import INTEGERS, JitKernel, KernelUnit, plain_kernel_type, struct, structs
from tsume_rules.kernel.state import POSITION, POSITION_TYPE

_PACKAGES = ("tsume_rules.", "solver.", "generator.")
_CODES = types.Array(types.int8, 1, "C")
_HANDS = types.Array(types.int8, 2, "C")
_named_tuple: Any = types.NamedTuple
_BOX = _named_tuple(
    [
        {"pos": types.none, "search": structs(SEARCH)}.get(name, kind)
        for name, kind in zip(Arena._fields, ARENA.types, strict=True)
    ],
    Arena,
)
_TYPE_OF: dict[str, types.Type] = {
    "pos": POSITION_TYPE,
    "search": struct(SEARCH),
    "out": INTEGERS,
    "codes": _CODES,
    "hands": _HANDS,
    "positions": structs(POSITION),
    "lengths": INTEGERS,
    "box": _BOX,
}
"""The argument types of kernels that are not units, by the names of their parameters; others are integers."""


def name_of(kernel: JitKernel) -> str:
    """The qualified name of a kernel."""
    return f"{kernel.py_func.__module__}.{kernel.py_func.__name__}"


def kernel_named(name: str) -> JitKernel:
    """The kernel of a qualified name. Raises ValueError if there is none."""
    module, _, attribute = name.rpartition(".")
    found = getattr(import_module(module), attribute, None)
    if not isinstance(found, JitKernel):
        raise ValueError(f"{name} is not a kernel")
    return found


def argument_types(kernel: JitKernel) -> tuple[types.Type, ...]:
    """The types of a kernel's arguments: those declared of a unit, else those of `_TYPE_OF`."""
    if isinstance(kernel, KernelUnit):
        return tuple(kernel.declared.args)
    names = argument_names(kernel)
    return tuple(plain_kernel_type(_TYPE_OF.get(name, types.int64)) for name in names)


def argument_names(kernel: JitKernel) -> list[str]:
    """The names of a kernel's parameters."""
    return list(inspect.signature(kernel.py_func).parameters)


def record_layouts(names: Iterable[str]) -> dict[str, np.dtype[Any]]:
    """The record dtypes of these qualified names, then those that the imported kernel modules define."""
    found = {}
    for name in names:
        module, _, attribute = name.rpartition(".")
        found[name] = getattr(import_module(module), attribute)
    for module in sorted(filter(is_in_kernel_package, sys.modules)):
        for attribute in _assigned_names(module_tree(module)):
            value = getattr(sys.modules[module], attribute, None)
            if isinstance(value, np.dtype) and value.fields:
                found.setdefault(f"{module}.{attribute}", value)
    return found


def _assigned_names(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


@cache
def module_tree(module: str) -> ast.Module:
    """The source of a module, parsed."""
    found = find_spec(module)
    if found is None or found.origin is None:
        raise ValueError(f"no module {module}")
    return ast.parse(Path(found.origin).read_text(encoding="utf-8"))


def is_in_kernel_package(module: str) -> bool:
    """Whether a module is one of the kernels."""
    return module.startswith(_PACKAGES) and "kernel" in module.split(".")[:-1]
