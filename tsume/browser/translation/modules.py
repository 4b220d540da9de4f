# SPDX-License-Identifier: GPL-3.0-or-later
"""The modules of a program: what each name at their top level stands for."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from tsume.browser.translation.literals import Untranslatable

ROOT = Path(__file__).parents[3]
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
