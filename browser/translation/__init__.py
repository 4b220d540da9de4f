# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole program in JavaScript: the definitions that its entry points reach, each after what it needs."""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import Any

import numpy as np

from browser.translation.classes import class_definition
from browser.translation.context import Context, constant
from browser.translation.expressions import expression
from browser.translation.modules import Global, Modules, Signatures, Untranslatable, is_for_types
from browser.translation.statements import function_definition, module_statement
from tsume_rules.kernel.compile import kernel_of


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
        self._results: dict[Global, Any] = {}
        self._reached = self._followed(entries)
        modules = sorted({one.module for one in self._reached})
        self._numbers = {name: number for number, name in enumerate(modules)}
        self._signatures = Signatures(self.modules, self._reached)

    @property
    def kernels(self) -> list[str]:
        """The kernels called, by qualified name."""
        return [one.qualified for one in self._taken() if kernel_of(self._value(one))]

    @property
    def records(self) -> list[str]:
        """The types of records used, likewise."""
        return [one.qualified for one in self._taken() if isinstance(self._value(one), np.dtype)]

    def _taken(self) -> list[Global]:
        """Return the definitions that are values of kernel modules."""
        return [one for one in self._reached if not self.modules.is_absent(one) and not self._nodes(one)]

    def _value(self, one: Global) -> Any:
        return getattr(self.modules.module(one.module).values, one.name)

    def _result(self, one: Global) -> Any:
        if one not in self._results:
            self._results[one] = self._value(one)()
        return self._results[one]

    # --- which definitions there are, and what each needs -----------------------------------------

    def needs(self, one: Global) -> list[Global]:
        """Return the definitions that a definition refers to."""
        if self.modules.is_absent(one):
            return []
        if one.qualified in self._computed:
            kinds = sorted(classes_in(self._result(one)), key=lambda kind: kind.__qualname__)
            return [Global(kind.__module__, kind.__name__) for kind in kinds]
        return [found for node in self._nodes(one) for found in self._references(one, node)]

    def _followed(self, todo: list[Global]) -> list[Global]:
        found: dict[Global, None] = {}
        todo = list(todo)
        while todo:
            one = todo.pop()
            if one not in found:
                found[one] = None
                todo += self.needs(one)
        return list(found)

    def _nodes(self, one: Global) -> list[ast.stmt]:
        """Return the source of a definition; none of what is taken from a kernel module as it is."""
        module = self.modules.module(one.module)
        if not module.is_kernel:
            return module.definitions[one.name]
        function = one_line_function(self._value(one))
        return [function] if function else []

    def _references(self, one: Global, node: ast.AST) -> Iterator[Global]:
        for inner in runtime_nodes(node):
            found = self.modules.named(one.module, inner, one.name)
            if isinstance(found, Global):
                yield found

    # --- the order of the definitions -------------------------------------------------------------

    def _in_order(self) -> list[Global]:
        """Return the definitions: what runs as the program starts comes after all that it may need then."""
        placed: dict[Global, None] = {}
        waiting: set[Global] = set()

        def place(one: Global) -> None:
            if one not in placed and one not in waiting:
                waiting.add(one)
                for needed in self._needed_first(one):
                    place(needed)
                placed[one] = None

        def position(one: Global) -> tuple[str, int]:
            nodes = [] if self.modules.is_absent(one) else self._nodes(one)
            return one.module, nodes[0].lineno if nodes else 0

        for one in sorted(self._reached, key=position):
            waiting.clear()
            place(one)
        return list(placed)

    def _needed_first(self, one: Global) -> list[Global]:
        """Of functions nothing, of classes what stands outside their methods, of values all they lead to."""
        nodes = [] if self.modules.is_absent(one) else self._nodes(one)
        is_function = any(isinstance(node, ast.FunctionDef) and not node.decorator_list for node in nodes[:1])
        if self.modules.is_absent(one) or is_function:
            return []
        node = self._signatures.class_node(one)
        if node is None:
            return [found for found in self._followed(self.needs(one)) if found != one]
        bases = [base.value if isinstance(base, ast.Subscript) else base for base in node.bases]
        outside = [*bases, *(part for part in node.body if not isinstance(part, ast.FunctionDef))]
        return [found for part in outside for found in self._references(one, part)]

    # --- the script -------------------------------------------------------------------------------

    def js_name(self, one: Global) -> str:
        """Return the name of a definition in the script."""
        return f"{one.name}${self._numbers[one.module]}"

    def script(self) -> str:
        """Return the definitions in order; a line before each module's says where they are from."""
        context = Context(self.modules, self._signatures, self.js_name, expression)
        written: set[ast.stmt] = set()
        parts: list[str] = []
        module = ""
        for one in self._in_order():
            if one.module != module:
                module = one.module
                parts.append(f"// {module}")
            parts.append(self._definition(one, context, written))
        return "\n".join(parts) + "\n"

    def _definition(self, one: Global, context: Context, written: set[ast.stmt]) -> str:
        """Write a definition; a statement that defines several names is written once."""
        name = self.js_name(one)
        if one.qualified in self._replaced:
            return f"const {name} = {self._replaced[one.qualified]};"
        if self.modules.is_absent(one):
            return f'const {name} = $absent("{one.qualified}");'
        if one.qualified in self._computed:
            result = self._result(one)
            text = constant(result, lambda kind: self.js_name(Global(kind.__module__, kind.__name__)))
            return f"const {name} = () => {text};"
        module, nodes = self.modules.module(one.module), self._nodes(one)
        if not nodes:
            return f"const {name} = {kernel_value(self._value(one), one.qualified)};"
        if module.loose and not module.is_kernel:
            raise Untranslatable(f"{one.module}, line {module.loose[0].lineno}: a statement of the top level")
        if len(nodes) > 1:
            raise Untranslatable(f"{one.qualified} is defined more than once")
        (node,) = nodes
        if node in written:
            return ""
        written.add(node)
        here = context.of_module(one.module, one.name)
        try:
            if isinstance(node, ast.ClassDef):
                return class_definition(node, here, name)
            if isinstance(node, ast.FunctionDef):
                return f"const {name} = {function_definition(node, here)};"
            return module_statement(node, here)
        except Untranslatable as error:
            raise Untranslatable(f"{one.qualified}, line {node.lineno}: {error}") from None


# --- what is taken from Python: values of kernel modules, and what exists at run time --------------


def kernel_value(value: Any, name: str) -> str:
    """Write a value that a kernel module defines under a qualified name."""
    if kernel_of(value):
        return f"$kernel({json.dumps(name)})"
    if isinstance(value, np.dtype):
        return f"$record_type({json.dumps(name)})"
    if isinstance(value, type) and hasattr(value, "_fields"):
        return f"$namedtuple({json.dumps(value.__name__)}, {json.dumps(list(value._fields))})"
    return constant(value)


def one_line_function(value: Any) -> ast.FunctionDef | None:
    """Return the source of a kernel that is one expression of integers: quicker translated than called."""
    kernel = kernel_of(value)
    if kernel is None or kernel.is_unit:
        return None
    tree = ast.parse(textwrap.dedent(inspect.getsource(kernel.function))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    tree.decorator_list = []
    simple = (ast.BinOp, ast.Compare, ast.IfExp, ast.Name, ast.Constant, ast.operator, ast.cmpop, ast.expr_context)
    match tree.body:
        case [ast.Expr(ast.Constant()), ast.Return(ast.expr() as value)] | [ast.Return(ast.expr() as value)]:
            return tree if all(isinstance(node, simple) for node in ast.walk(value)) else None
    return None


def classes_in(value: Any) -> set[type]:
    """Return the data classes within a value."""
    if isinstance(value, dict):
        return set().union(*map(classes_in, value.values()))
    if isinstance(value, tuple | list):
        return set().union(*map(classes_in, value))
    return {type(value)} if is_dataclass(value) else set()


def runtime_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a tree that exist at run time: no annotations, assertions, and types of casts."""
    yield node
    if isinstance(node, ast.Assert):
        return
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "type_comment"):
            continue
        children = value if isinstance(value, list) else [value]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "cast":
            children = children[1:] if field == "args" else children
        elif isinstance(node, ast.ClassDef) and field == "bases":  # generic ones
            children = [base.value if isinstance(base, ast.Subscript) else base for base in children]
        for child in children:
            if isinstance(child, ast.AST) and not is_for_types(child):
                yield from runtime_nodes(child)
