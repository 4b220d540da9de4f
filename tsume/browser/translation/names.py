"""Names: what a function assigns, and how names are written in JavaScript."""

from __future__ import annotations

import ast
from collections.abc import Iterator

RESERVED = frozenset((
    "arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger", "default",
    "delete", "do", "else", "enum", "eval", "export", "extends", "false", "finally", "for", "function",
    "if", "implements", "import", "in", "instanceof", "interface", "let", "new", "null", "package",
    "private", "protected", "public", "return", "static", "super", "switch", "this", "throw", "true", "try",
    "typeof", "undefined", "var", "void", "while", "with", "yield", "NaN", "Infinity", "Object", "Array",
    "Map", "Set", "Symbol", "Math", "JSON", "String", "Number", "BigInt", "Boolean", "Error", "numpy",
    "WebAssembly", "performance", "Slice",
))  # fmt: skip
"""What a local variable may not be called in JavaScript, or hides."""


def local_name(name: str) -> str:
    """The JavaScript name of a local variable."""
    return f"{name}_" if name in RESERVED else name


def assigned_names(body: list[ast.stmt]) -> list[str]:
    """The names that the statements of a function bind, in order, without those of inner functions."""
    found: dict[str, None] = {}
    for statement in body:
        for name in _bound_in(statement):
            found.setdefault(name)
    return list(found)


def _bound_in(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
        return
    if isinstance(node, ast.Lambda):
        return
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    if isinstance(node, ast.ExceptHandler) and node.name:
        yield node.name
    if isinstance(node, ast.MatchAs) and node.name:
        yield node.name
    if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        for inner in ast.walk(node):  # only what := binds belongs to the function
            if isinstance(inner, ast.NamedExpr) and isinstance(inner.target, ast.Name):
                yield inner.target.id
        return
    for child in ast.iter_child_nodes(node):
        yield from _bound_in(child)


def target_names(target: ast.expr) -> list[str]:
    """The names that a target of an assignment binds."""
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]


def is_generator(function: ast.FunctionDef) -> bool:
    """Whether a function yields."""
    return any(_yields(statement) for statement in function.body)


def _yields(node: ast.AST) -> bool:
    if isinstance(node, ast.Yield | ast.YieldFrom):
        return True
    if isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
        return False
    return any(_yields(child) for child in ast.iter_child_nodes(node))
