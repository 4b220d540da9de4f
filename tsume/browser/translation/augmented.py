# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators that change their target: either its value, or the list, set or dictionary that it is."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tsume.browser.translation.kinds import DICT, FROZENSET, LIST, PLAIN, SET, TUPLE, class_name
from tsume.browser.translation.literals import Untranslatable
from tsume.browser.translation.modules import Global
from tsume.browser.translation.targets import Write, index, place
from tsume.browser.translation.writer import Context

OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "$add", ast.Sub: "$sub", ast.Mult: "$mul", ast.Div: "$div", ast.FloorDiv: "$floordiv",
    ast.Mod: "$mod", ast.Pow: "$pow", ast.BitAnd: "$and", ast.BitOr: "$or", ast.BitXor: "$xor",
    ast.LShift: "$shl", ast.RShift: "$shr",
}  # fmt: skip
"""Functions of the runtime."""


def operation(operator: ast.operator) -> str:
    """The function of an operator."""
    found = OPERATORS.get(type(operator))
    if found is None:
        raise Untranslatable(f"the operator {type(operator).__name__}")
    return found


def augmented(node: ast.AugAssign, context: Context, write: Write) -> str:
    """``target += value`` and the like: the target is read before the value is evaluated."""
    value = write(node.value, context)
    if isinstance(node.target, ast.Subscript):
        owner, key = context.temporaries.new(), context.temporaries.new()
        before = f"{owner} = {write(node.target.value, context)}; "
        before += f"{key} = {index(node.target.slice, context, write)}; "
        changed = _changed(node, "", context)
        return f"{before}$put({changed(f'$get({owner}, {key})', value)}, {owner}, {key});"
    if isinstance(node.target, ast.Attribute) and not isinstance(node.target.value, ast.Name):
        place(node.target, context, write)
        owner = context.temporaries.new()
        old, before = f"{owner}.{node.target.attr}", f"{owner} = {write(node.target.value, context)}; "
    else:
        old, before = place(node.target, context, write), ""
    kind = _kind(node.target, context)
    if kind == LIST and isinstance(node.op, ast.Add):
        return f"{before}$extend({old}, {value});"
    if kind in (SET, DICT):
        return f"{before}$renew({old}, {operation(node.op)}({old}, {value}));"
    return f"{before}{old} = {_changed(node, kind, context)(old, value)};"


def _changed(node: ast.AugAssign, kind: str, _context: Context) -> Callable[[str, str], str]:
    operator = operation(node.op)
    if kind == LIST:
        raise Untranslatable(f"a list changes: {ast.unparse(node)}")
    if kind in (PLAIN, TUPLE, FROZENSET):
        return lambda old, value: f"{operator}({old}, {value})"
    return lambda old, value: f"$changed({operator}, {old}, {value})"


def _kind(target: ast.expr, context: Context) -> str:
    if isinstance(target, ast.Attribute):
        return _attribute_kind(target, context)
    return context.kinds.get(target.id, "") if isinstance(target, ast.Name) else ""


def _attribute_kind(target: ast.Attribute, context: Context) -> str:
    name = class_name(context.kinds.get(target.value.id, "")) if isinstance(target.value, ast.Name) else None
    found = context.binding(name) if name else None
    if isinstance(found, Global):
        return context.signatures.attribute_kind_of(found, target.attr)
    return context.signatures.attribute_kind(target.attr)
