"""Which kernels the Python modules above them call, and with which argument types."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
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


@dataclass(frozen=True)
class Called:
    """What Python modules take from kernel modules, by qualified names, in order.

    Each is named after the module that defines it; record dtypes after one that they are imported from.
    """

    kernels: list[str]
    records: list[str]


def called_by(modules: Iterable[str]) -> Called:
    """The kernels and the record dtypes that modules import, inside functions too."""
    kernels, records = set[str](), set[str]()
    for module in modules:
        for home, name, value in _imported(_source(module)):
            if isinstance(value, JitKernel):
                kernels.add(name_of(value))
            elif isinstance(value, np.dtype) and value.fields:
                records.add(f"{home}.{name}")
    return Called(sorted(kernels), sorted(records))


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
    for module in sorted(filter(_is_in_kernel_package, sys.modules)):
        for attribute in _assigned_names(_source(module)):
            value = getattr(sys.modules[module], attribute, None)
            if isinstance(value, np.dtype) and value.fields:
                found.setdefault(f"{module}.{attribute}", value)
    return found


def _assigned_names(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


@cache
def _source(module: str) -> ast.Module:
    found = find_spec(module)
    if found is None or found.origin is None:
        raise ValueError(f"no module {module}")
    return ast.parse(Path(found.origin).read_text(encoding="utf-8"))


def _imported(tree: ast.Module) -> Iterator[tuple[str, str, Any]]:
    """(module, name, value) of each name that a module uses from a kernel module."""
    kernel_modules: dict[str, ModuleType] = {}
    for node in ast.walk(tree):
        if not (isinstance(node, ast.ImportFrom) and node.module):
            continue
        for alias in node.names:
            inner = f"{node.module}.{alias.name}"
            if _is_in_kernel_package(node.module):
                yield node.module, alias.name, getattr(import_module(node.module), alias.name)
            elif _is_in_kernel_package(inner) and find_spec(inner):
                kernel_modules[alias.asname or alias.name] = import_module(inner)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            home = kernel_modules.get(node.value.id)
            if home is not None and hasattr(home, node.attr):
                yield home.__name__, node.attr, getattr(home, node.attr)


def _is_in_kernel_package(module: str) -> bool:
    return module.startswith(_PACKAGES) and "kernel" in module.split(".")[:-1]
