# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole program in JavaScript: the definitions that its entry points reach, each after what it needs."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import numpy as np

from browser.translation.classes import class_definition
from browser.translation.modules import (
    Binding,
    Global,
    ModuleName,
    Modules,
    Untranslatable,
    classes_in,
    constant,
    literal,
    one_line_function,
)
from browser.translation.signatures import Signatures
from browser.translation.statements import function_definition, module_statement
from browser.translation.writer import Context
from tsume_rules.kernel.compile import JitKernel


class Program:
    """The program that some functions of the project begin.

    ``absent``: qualified names, or modules, that the program refers to and never uses; each becomes a value
    that raises when it is used. ``replaced``: JavaScript for qualified names. ``computed``: functions without
    arguments that are called now; their results are part of the program.
    """

    def __init__(
        self,
        entries: list[Global],
        absent: tuple[str, ...] = (),
        replaced: dict[str, str] | None = None,
        computed: tuple[str, ...] = (),
    ) -> None:
        self._replaced = replaced or {}
        self._computed = computed
        self.modules = Modules((*absent, *self._replaced))
        self.entries = entries
        self._results: dict[Global, Any] = {}
        self._written: set[ast.stmt] = set()
        self._reached = list(self._reach(entries))
        self._numbers = {name: number for number, name in enumerate(self.sources)}
        self._signatures = Signatures(self.modules, self._reached)

    @property
    def sources(self) -> list[str]:
        """The modules of the definitions."""
        return sorted({one.module for one in self._reached})

    @property
    def kernels(self) -> list[str]:
        """The kernels called, by qualified name."""
        return [one.qualified for one in self._taken() if isinstance(self._value(one), JitKernel)]

    @property
    def records(self) -> list[str]:
        """The types of records used, likewise."""
        return [one.qualified for one in self._taken() if isinstance(self._value(one), np.dtype)]

    def _taken(self) -> Iterator[Global]:
        """The definitions that are values of kernel modules."""
        for one in self._reached:
            if not self.modules.is_absent(one) and not self._nodes(one):
                yield one

    def _value(self, one: Global) -> Any:
        """The value of a definition in Python."""
        return getattr(self.modules.module(one.module).values, one.name)

    def script(self) -> str:
        """The definitions in order; a line before each module's says where they are from."""
        context = Context(self.modules, self._signatures, self.js_name)
        self._written.clear()
        parts: list[str] = []
        module = ""
        for one in self._in_order():
            if one.module != module:
                module = one.module
                parts.append(f"// {module}")
            parts.append(self._definition(one, context))
        return "\n".join(parts) + "\n"

    def js_name(self, one: Global) -> str:
        """The name of a definition in the script."""
        return f"{one.name}${self._numbers[one.module]}"

    def _reach(self, entries: list[Global]) -> Iterator[Global]:
        todo = list(entries)
        seen: set[Global] = set()
        while todo:
            one = todo.pop()
            if one in seen:
                continue
            seen.add(one)
            yield one
            todo += self.needs(one)

    def needs(self, one: Global) -> list[Global]:
        """The definitions that a definition refers to."""
        if self.modules.is_absent(one):
            return []
        if one.qualified in self._computed:
            kinds = sorted(classes_in(self._result(one)), key=lambda kind: kind.__qualname__)
            return [Global(kind.__module__, kind.__name__) for kind in kinds]
        nodes = self._nodes(one)
        return [found for node in nodes for found in self._references(one, node)]

    def _nodes(self, one: Global) -> list[ast.stmt]:
        module = self.modules.module(one.module)
        if not module.is_kernel:
            return module.definitions[one.name]
        function = one_line_function(self._value(one))
        return [function] if function else []

    def _references(self, one: Global, node: ast.AST) -> Iterator[Global]:
        for inner in runtime_nodes(node):
            found: Binding | None = None
            if isinstance(inner, ast.Name):
                found = self.modules.binding(one.module, inner.id, one.name)
            elif isinstance(inner, ast.Attribute) and isinstance(inner.value, ast.Name):
                outer = self.modules.binding(one.module, inner.value.id, one.name)
                if isinstance(outer, ModuleName):
                    found = self.modules.binding(outer.module, inner.attr)
            if isinstance(found, Global):
                yield found

    def _in_order(self) -> list[Global]:
        """What runs as the program starts comes after all that it may need then."""
        placed: dict[Global, None] = {}
        for one in sorted(self._reached, key=lambda one: (one.module, self._line(one))):
            self._place(one, placed, set())
        return list(placed)

    def _place(self, one: Global, placed: dict[Global, None], waiting: set[Global]) -> None:
        if one in placed or one in waiting:
            return
        waiting.add(one)
        for needed in self._needed_first(one):
            self._place(needed, placed, waiting)
        placed[one] = None

    def _needed_first(self, one: Global) -> list[Global]:
        """Of functions nothing, of classes what stands outside their methods, of values all they lead to."""
        if self._is_function(one):
            return []
        node = self._signatures.class_node(one)
        if node is None:
            return self._led_to(one)
        bases = [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]
        outside = [*bases, *(part for part in node.body if not isinstance(part, ast.FunctionDef))]
        return [found for part in outside for found in self._references(one, part)]

    def _led_to(self, one: Global) -> list[Global]:
        found: dict[Global, None] = {}
        todo = self.needs(one)
        while todo:
            needed = todo.pop()
            if needed != one and needed not in found:
                found[needed] = None
                todo += self.needs(needed)
        return list(found)

    def _is_function(self, one: Global) -> bool:
        if self.modules.is_absent(one):
            return True
        nodes = self._nodes(one)
        return bool(nodes) and isinstance(nodes[0], ast.FunctionDef) and not nodes[0].decorator_list

    def _line(self, one: Global) -> int:
        nodes = [] if self.modules.is_absent(one) else self._nodes(one)
        return nodes[0].lineno if nodes else 0

    def _definition(self, one: Global, context: Context) -> str:
        name = self.js_name(one)
        if one.qualified in self._replaced:
            return f"const {name} = {self._replaced[one.qualified]};"
        if self.modules.is_absent(one):
            return f'const {name} = $absent("{one.qualified}");'
        if one.qualified in self._computed:
            return f"const {name} = () => {constant(self._result(one), self._class_name)};"
        module = self.modules.module(one.module)
        nodes = self._nodes(one)
        if not nodes:
            return f"const {name} = {literal(self._value(one), one.qualified)};"
        if module.loose and not module.is_kernel:
            raise Untranslatable(f"{one.module}, line {module.loose[0].lineno}: a statement of the top level")
        if len(nodes) > 1:
            raise Untranslatable(f"{one.qualified} is defined more than once")
        here = context.of_module(one.module, one.name)
        try:
            return "\n".join(self._statement(node, here, name) for node in nodes if self._is_new(node))
        except Untranslatable as error:
            raise Untranslatable(f"{one.qualified}, line {nodes[0].lineno}: {error}") from None

    def _result(self, one: Global) -> Any:
        """The result of a function that is called now."""
        if one not in self._results:
            self._results[one] = self._value(one)()
        return self._results[one]

    def _class_name(self, kind: type) -> str:
        return self.js_name(Global(kind.__module__, kind.__name__))

    def _is_new(self, node: ast.stmt) -> bool:
        """Whether a statement was not written yet: one that defines several names comes up for each."""
        if node in self._written:
            return False
        self._written.add(node)
        return True

    def _statement(self, node: ast.stmt, context: Context, name: str) -> str:
        if isinstance(node, ast.ClassDef):
            return class_definition(node, context, name)
        if isinstance(node, ast.FunctionDef):
            return function_definition(node, context, name)
        return module_statement(node, context)


def _of_runtime(node: ast.AST, field: str, value: Any) -> Any:
    """The part of a field that exists at run time: neither the type of a cast nor those of generic bases."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "cast":
        return node.args[1:] if field == "args" else value
    if isinstance(node, ast.ClassDef) and field == "bases":
        return [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]
    return value


def runtime_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a tree that exist at run time: without annotations and assertions."""
    yield node
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "type_comment") or isinstance(node, ast.Assert):
            continue
        value = _of_runtime(node, field, value)  # noqa: PLW2901
        for child in value if isinstance(value, list) else [value]:
            if (
                isinstance(child, ast.If)
                and isinstance(child.test, ast.Name)
                and child.test.id == "TYPE_CHECKING"
            ):
                continue
            if isinstance(child, ast.AST):
                yield from runtime_nodes(child)
