# SPDX-License-Identifier: GPL-3.0-or-later
"""The modules of a program: what each name at their top level stands for."""

from __future__ import annotations

import ast
import inspect
import json
import math
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from tsume_rules.kernel.compile import JitKernel, KernelUnit

# ---------------------------------------------------------------------------------------------------
#
# Values of kernel modules as JavaScript expressions: constants, tables, types of records, kernels.

_SAFE = 2**53 - 1
"""The largest integer that is a number in JavaScript; larger ones are BigInt."""
_SHORT = 20
"""Longer lists of real numbers are written as tables."""


class Untranslatable(Exception):
    """There is no JavaScript for something; the message says for what and where."""


def number_literal(value: float) -> str:
    """An integer or a float."""
    if isinstance(value, int):
        return str(value) if abs(value) <= _SAFE else f"{value}n"
    if math.isnan(value):
        return "NaN"
    return repr(value) if math.isfinite(value) else "Infinity" if value > 0 else "-Infinity"


def text_literal(value: str) -> str:
    """A text."""
    return json.dumps(value, ensure_ascii=any(map(_is_surrogate, value)))


def _is_surrogate(character: str) -> bool:
    return "\ud800" <= character <= "\udfff"


def literal(value: Any, name: str) -> str:
    """A value that a kernel module defines under a qualified name."""
    if isinstance(value, JitKernel):
        return f"$kernel({json.dumps(name)})"
    if isinstance(value, np.dtype):
        return f"$record_type({json.dumps(name)})"
    if isinstance(value, type) and hasattr(value, "_fields"):
        return f"$namedtuple({json.dumps(value.__name__)}, {json.dumps(list(value._fields))})"
    return constant(value)


def constant(value: Any, class_name: Callable[[type], str] | None = None) -> str:
    """A number, a text, a tuple, a table, a dictionary, or a data class by the name of its class."""
    if value is None:
        return "null"
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, Enum):
        raise Untranslatable(f"the member {value!r} of an enumeration as a constant")
    if isinstance(value, int | np.integer):
        return number_literal(int(value))
    if isinstance(value, float | np.floating):
        return number_literal(float(value))
    if isinstance(value, str):
        return text_literal(value)
    if isinstance(value, list) and len(value) > _SHORT and all(isinstance(one, float) for one in value):
        return f"{_array(np.array(value))}.tolist()"
    if isinstance(value, tuple | list):
        return f"[{', '.join(constant(one, class_name) for one in value)}]"
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, dict):
        pairs = (f"[{constant(key, class_name)}, {constant(one, class_name)}]" for key, one in value.items())
        return f"$dict([{', '.join(pairs)}])"
    if is_dataclass(value) and class_name is not None:
        parts = [constant(getattr(value, one.name), class_name) for one in fields(value)]
        return f"new {class_name(type(value))}({', '.join(parts)})"
    raise Untranslatable(f"a constant of type {type(value).__name__}")


def classes_in(value: Any) -> set[type]:
    """The data classes within a value."""
    if isinstance(value, dict):
        return set().union(*map(classes_in, value.values()))
    if isinstance(value, tuple | list):
        return set().union(*map(classes_in, value))
    return {type(value)} if is_dataclass(value) else set()


def _array(value: np.ndarray) -> str:
    """A table, exactly; of real numbers in the shortest digits that give the same in a lower precision."""
    if value.dtype != np.float64:
        return f"numpy.array({_rows(value)}, numpy.{value.dtype.name})"
    for lower in (np.float16, np.float32):
        with np.errstate(over="ignore"):
            short = value.astype(lower)
        if np.array_equal(short, value):
            return f"numpy.widened({_rows(short)}, {np.finfo(lower).nmant})"
    return f"numpy.array({_rows(value)}, numpy.float64)"


def _rows(values: Any) -> str:
    if isinstance(values, np.ndarray):
        return f"[{','.join(map(_rows, values))}]"
    return str(values) if isinstance(values, np.floating) else constant(values).removesuffix(".0")


def one_line_function(kernel: Any) -> ast.FunctionDef | None:
    """The source of a kernel that is one expression of its integers: quicker translated than called."""
    if not isinstance(kernel, JitKernel) or isinstance(kernel, KernelUnit):
        return None
    tree = ast.parse(textwrap.dedent(inspect.getsource(kernel.py_func))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    body = [one for one in tree.body if not _is_docstring(one)]
    if len(body) != 1 or not isinstance(body[0], ast.Return) or body[0].value is None:
        return None
    simple = (ast.BinOp, ast.Compare, ast.Name, ast.Constant, ast.operator, ast.cmpop, ast.expr_context)
    tree.decorator_list = []
    return tree if all(isinstance(node, simple) for node in ast.walk(body[0].value)) else None


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


# --- the modules of a program ----------------------------------------------------------------------

ROOT = Path(__file__).parents[2]
_OWN = ("tsume_rules", "solver", "generator", "tsume", "db", "tests")


def _defines_nothing(statement: ast.stmt) -> bool:
    """Whether a statement is an import, documentation, a declaration, or imports for types only."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    if isinstance(statement, ast.AnnAssign):
        return statement.value is None
    if isinstance(statement, ast.If):
        return isinstance(statement.test, ast.Name) and statement.test.id == "TYPE_CHECKING"
    return isinstance(statement, ast.Import | ast.ImportFrom)


@dataclass(frozen=True)
class Global:
    """A name at the top level of a module of the project."""

    module: str
    name: str

    @property
    def qualified(self) -> str:
        """The name with its module."""
        return f"{self.module}.{self.name}"


@dataclass(frozen=True)
class ModuleName:
    """A name that stands for a module of the project."""

    module: str


@dataclass(frozen=True)
class External:
    """A name of another library, such as ``functools.partial``."""

    name: str


Binding = Global | ModuleName | External


@dataclass
class Module:
    """A module of the project: its top level and the names that it imports, also inside functions."""

    name: str
    source: str
    definitions: dict[str, list[ast.stmt]] = field(default_factory=dict)
    imports: dict[str, Binding] = field(default_factory=dict)
    inner_imports: dict[str, dict[str, Binding]] = field(default_factory=dict)
    """What functions and classes import for themselves, by their names."""
    loose: list[ast.stmt] = field(default_factory=list)
    """Statements of the top level that define no name: they are not translated."""

    def __post_init__(self) -> None:
        tree = ast.parse(self.source)
        for statement in tree.body:
            self._define(statement)
            name = getattr(statement, "name", "")
            imports = self.inner_imports.setdefault(name, {}) if name else self.imports
            for node in ast.walk(statement):
                self._import(node, imports)

    @property
    def is_kernel(self) -> bool:
        """Whether the module is compiled: its values are taken from it, not its source."""
        return "kernel" in self.name.split(".")

    @cached_property
    def values(self) -> Any:
        """The imported module."""
        return import_module(self.name)

    def _define(self, statement: ast.stmt) -> None:
        names = _defined(statement)
        for name in names:
            self.definitions.setdefault(name, []).append(statement)
        if not names and not _defines_nothing(statement):
            self.loose.append(statement)

    def _import(self, node: ast.AST, imports: dict[str, Binding]) -> None:
        if isinstance(node, ast.Import):
            found = {one.asname or one.name: _module_or_external(one.name) for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            module = node.module
            found = {one.asname or one.name: _imported(module, one.name) for one in node.names}
        else:
            return
        for name, binding in found.items():
            if imports.setdefault(name, binding) != binding:
                raise Untranslatable(f"{self.name}, line {node.lineno}: {name} stands for different things")


def _defined(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    if isinstance(statement, ast.Assign):
        names = [node for target in statement.targets for node in ast.walk(target)]
        return [node.id for node in names if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and statement.value:
        return [statement.target.id]
    return []


def source_file(module: str) -> Path | None:
    """The source of a module of the project; None if it is no module, or another's."""
    if module.split(".", maxsplit=1)[0] not in _OWN:
        return None
    path = ROOT.joinpath(*module.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


def _module_or_external(name: str) -> Binding:
    return ModuleName(name) if source_file(name) else External(name)


def _imported(module: str, name: str) -> Binding:
    if source_file(f"{module}.{name}"):
        return ModuleName(f"{module}.{name}")
    return Global(module, name) if source_file(module) else External(f"{module}.{name}")


class Modules:
    """The modules of a program, read when they are first asked for."""

    def __init__(self, absent: tuple[str, ...] = ()) -> None:
        self._read: dict[str, Module] = {}
        self._absent = absent

    def module(self, name: str) -> Module:
        """A module by its name."""
        if name not in self._read:
            path = source_file(name)
            if path is None:
                raise LookupError(name)
            self._read[name] = Module(name, path.read_text(encoding="utf-8"))
        return self._read[name]

    @property
    def read(self) -> list[Module]:
        """Those read so far."""
        return list(self._read.values())

    def is_absent(self, found: Global) -> bool:
        """Whether a definition has no translation and is never used where the program runs."""
        full = found.qualified
        return any(full == one or full.startswith(f"{one}.") for one in self._absent)

    def binding(self, module: str, name: str, within: str = "") -> Binding | None:
        """What a name means in a module, within one of its definitions; imports are followed to theirs."""
        if self.is_absent(Global(module, name)):
            return Global(module, name)
        here = self.module(module)
        own = here.inner_imports.get(within, {}).get(name)
        if own:
            return self.followed(own)
        if name in here.definitions:
            return Global(module, name)
        found = here.imports.get(name)
        return self.followed(found) if found else None

    def alias(self, module: str, name: str) -> ast.expr | None:
        """What is assigned to a name of the top level, followed through imports."""
        found = self.binding(module, name)
        if not isinstance(found, Global) or self.is_absent(found):
            return None
        nodes = self.module(found.module).definitions[found.name]
        return nodes[0].value if isinstance(nodes[0], ast.Assign) else None

    def followed(self, found: Binding) -> Binding | None:
        """The definition behind a binding."""
        if isinstance(found, Global):
            return self.binding(found.module, found.name)
        return found
