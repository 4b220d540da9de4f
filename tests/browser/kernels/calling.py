# SPDX-License-Identifier: GPL-3.0-or-later
"""Which kernels and record dtypes Python modules call: an independent reading of their imports."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy as np

from compiler.interface import is_in_kernel_package, module_tree
from tsume_rules.kernel.compile import kernel_of


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
        for home, name, value in _imported(module_tree(module)):
            kernel = kernel_of(value)
            if kernel and kernel.returns:
                kernels.add(kernel.name)
            elif isinstance(value, np.dtype) and value.fields:
                records.add(f"{home}.{name}")
    return Called(sorted(kernels), sorted(records))


def _imported(tree: ast.Module) -> Iterator[tuple[str, str, Any]]:
    """(module, name, value) of each name that a module uses from a kernel module."""
    kernel_modules: dict[str, ModuleType] = {}
    for node in ast.walk(tree):
        if not (isinstance(node, ast.ImportFrom) and node.module):
            continue
        for alias in node.names:
            inner = f"{node.module}.{alias.name}"
            if is_in_kernel_package(node.module):
                yield node.module, alias.name, getattr(import_module(node.module), alias.name)
            elif is_in_kernel_package(inner) and find_spec(inner):
                kernel_modules[alias.asname or alias.name] = import_module(inner)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            home = kernel_modules.get(node.value.id)
            if home is not None and hasattr(home, node.attr):
                yield home.__name__, node.attr, getattr(home, node.attr)
