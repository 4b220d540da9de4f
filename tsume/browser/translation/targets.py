# SPDX-License-Identifier: GPL-3.0-or-later
"""Targets of assignments: names, attributes, items, and values that are taken apart."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tsume.browser.translation.literals import Untranslatable
from tsume.browser.translation.modules import Global
from tsume.browser.translation.writer import Context

Write = Callable[[ast.expr, Context], str]


def assignment(target: ast.expr, value: str, context: Context, write: Write) -> str:
    """A value assigned to a target; the value is evaluated before what the target consists of."""
    if isinstance(target, ast.Subscript):
        return f"$put({value}, {write(target.value, context)}, {index(target.slice, context, write)});"
    if isinstance(target, ast.Tuple | ast.List):
        return _unpacking(target, value, context, write)
    if isinstance(target, ast.Attribute) and not isinstance(target.value, ast.Name):
        temporary = context.temporaries.new()
        return f"{temporary} = {value}; {place(target, context, write)} = {temporary};"
    return f"{place(target, context, write)} = {value};"


def place(target: ast.expr, context: Context, write: Write) -> str:
    """A name or an attribute as the left side of an assignment."""
    if isinstance(target, ast.Attribute):
        owner = context.static(target.value)
        is_class = isinstance(owner, Global) and context.signatures.class_node(owner) is not None
        if is_class or (isinstance(target.value, ast.Name) and target.value.id == "cls"):
            raise Untranslatable(f"an attribute of a class is assigned: {ast.unparse(target)}")
        return f"{write(target.value, context)}.{target.attr}"
    if not isinstance(target, ast.Name) or not context.is_local(target.id):
        raise Untranslatable(f"{ast.unparse(target)} is assigned")
    return write(target, context)


def _unpacking(target: ast.Tuple | ast.List, value: str, context: Context, write: Write) -> str:
    starred = [number for number, one in enumerate(target.elts) if isinstance(one, ast.Starred)]
    parts = [one.value if isinstance(one, ast.Starred) else one for one in target.elts]
    size = len(parts)
    text = (
        f"$unpack_rest({value}, {starred[0]}, {size - 1 - starred[0]})"
        if starred
        else f"$unpack({value}, {size})"
    )
    if parts and all(map(_is_plain, parts)):
        return f"[{', '.join(place(one, context, write) for one in parts)}] = {text};"
    temporary = context.temporaries.new()
    inner = (assignment(one, f"{temporary}[{number}]", context, write) for number, one in enumerate(parts))
    return " ".join((f"{temporary} = {text};", *inner))


def _is_plain(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) or (
        isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name)
    )


def index(node: ast.expr, context: Context, write: Write) -> str:
    """What stands between brackets."""
    if isinstance(node, ast.Slice):
        bounds = (node.lower, node.upper, node.step)
        texts = ["null" if one is None else write(one, context) for one in bounds]
        return f"new Slice({', '.join(texts)})"
    if isinstance(node, ast.Tuple):
        return f"[{', '.join(index(one, context, write) for one in node.elts)}]"
    return write(node, context)
