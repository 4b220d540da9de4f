# SPDX-License-Identifier: GPL-3.0-or-later
"""Kinds of values: which targets of ``+=`` and the like are lists, sets or dictionaries."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

LIST, TUPLE, SET, FROZENSET, DICT, PLAIN = "list", "tuple", "set", "frozenset", "dict", "plain"
UNKNOWN = ""
_ANNOTATIONS = {
    "list": LIST, "tuple": TUPLE, "set": SET, "frozenset": FROZENSET, "dict": DICT, "int": PLAIN,
    "float": PLAIN,
    "str": PLAIN, "bool": PLAIN,
}  # fmt: skip
_CALLS = {**_ANNOTATIONS, "sorted": LIST, "len": PLAIN, "round": PLAIN, "abs": PLAIN}
_DISPLAYS: dict[type[ast.expr], str] = {
    ast.List: LIST, ast.ListComp: LIST, ast.Tuple: TUPLE, ast.Set: SET, ast.SetComp: SET, ast.Dict: DICT,
    ast.DictComp: DICT, ast.JoinedStr: PLAIN, ast.Compare: PLAIN,
}  # fmt: skip


Alias = Callable[[str], ast.expr | None]
"""The type that a name stands for in annotations; None if it is no alias."""


def of_annotation(annotation: ast.expr, alias: Alias) -> str:
    """The kind of the values that an annotation allows."""
    base = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    if not isinstance(base, ast.Name):
        return UNKNOWN
    meant = alias(base.id)
    return _ANNOTATIONS.get(base.id, object_of(base.id)) if meant is None else of_annotation(meant, alias)


def object_of(name: str) -> str:
    """The kind of the objects of a class, by its name in the module."""
    return f"object {name}"


def class_name(kind: str) -> str | None:
    """The class of a kind of objects; None if it is of another kind."""
    return kind.removeprefix("object ") if kind.startswith("object ") else None


def of_value(node: ast.expr) -> str:
    """The kind of an expression."""
    if isinstance(node, ast.Constant):
        return PLAIN if isinstance(node.value, int | float | str) else UNKNOWN
    if isinstance(node, ast.Call):
        return _CALLS.get(node.func.id, UNKNOWN) if isinstance(node.func, ast.Name) else UNKNOWN
    if isinstance(node, ast.BinOp):
        kinds = {of_value(node.left), of_value(node.right)}
        return next((one for one in (LIST, TUPLE) if one in kinds), agreed(kinds))
    if isinstance(node, ast.UnaryOp):
        return of_value(node.operand)
    return _DISPLAYS.get(type(node), UNKNOWN)


def agreed(kinds: Iterable[str]) -> str:
    """The kind that all are of."""
    found = set(kinds)
    return found.pop() if len(found) == 1 else UNKNOWN


def local_kinds(arguments: ast.arguments | None, statements: list[ast.stmt], alias: Alias) -> dict[str, str]:
    """The kinds of a function's variables, by its annotations or else by what is assigned first."""
    declared: dict[str, str] = {}
    assigned: dict[str, list[str]] = {}
    for one in _plain_arguments(arguments):
        if one.annotation:
            declared[one.arg] = of_annotation(one.annotation, alias)
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                declared[node.target.id] = of_annotation(node.annotation, alias)
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    for name, value in _pairs(target, node.value):
                        assigned.setdefault(name, []).append(of_value(value) if value else UNKNOWN)
    return {name: agreed(found) for name, found in assigned.items()} | declared


def _plain_arguments(given: ast.arguments | None) -> list[ast.arg]:
    return [*given.posonlyargs, *given.args, *given.kwonlyargs] if given else []


def assigned_attributes(node: ast.ClassDef) -> list[tuple[str, str]]:
    """The attributes that the methods of a class assign, and the kind of each value."""
    found = []
    for inner in ast.walk(node):
        if isinstance(inner, ast.Assign):
            for target in inner.targets:
                parts = target.elts if isinstance(target, ast.Tuple) else [target]
                values = inner.value.elts if isinstance(inner.value, ast.Tuple) else [inner.value]
                known = len(values) == len(parts)
                found += [
                    (one.attr, of_value(values[number]) if known else UNKNOWN)
                    for number, one in enumerate(parts)
                    if isinstance(one, ast.Attribute)
                ]
    return found


def _pairs(target: ast.expr, value: ast.expr | None) -> list[tuple[str, ast.expr | None]]:
    if isinstance(target, ast.Name):
        return [(target.id, value)]
    if not isinstance(target, ast.Tuple | ast.List):
        return []
    values: list[ast.expr | None] = [None] * len(target.elts)
    if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts):
        values = list(value.elts)
    return [pair for one, its in zip(target.elts, values, strict=True) for pair in _pairs(one, its)]
