# SPDX-License-Identifier: GPL-3.0-or-later
"""Names: what a function assigns, and how names are written in JavaScript."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_WORDS = """
    arguments async await break case catch class const continue debugger default delete do else enum eval
    export extends false finally for function get if implements import in instanceof interface let new null
    of package private protected public return set static super switch this throw true try typeof undefined
    var void while with yield NaN Infinity
"""
RUNTIME_NAMES = ("Slice", "numpy")
"""What translated code calls without a $ at the beginning, so that a local variable could hide it."""
RESERVED = frozenset((*_WORDS.split(), *RUNTIME_NAMES))
"""Names that local variables of JavaScript cannot have, or that mean something else there."""


def local_name(name: str) -> str:
    """The JavaScript name of a local variable; no name of Python has a $."""
    return f"{name}$" if name in RESERVED else name


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


def nonlocal_names(body: list[ast.stmt]) -> set[str]:
    """The names that the statements of a function declare as those of a function around it."""
    found: set[str] = set()
    for statement in body:
        found |= _nonlocal_in(statement)
    return found


def _nonlocal_in(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Nonlocal):
        return set(node.names)
    if isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
        return set()
    return set().union(*map(_nonlocal_in, ast.iter_child_nodes(node)))


def is_held(node: ast.expr) -> bool:
    """Whether something else holds the value of an expression: it is not closed if it is an iterator."""
    return isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.NamedExpr)
