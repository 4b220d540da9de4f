# SPDX-License-Identifier: GPL-3.0-or-later
"""Targets of assignments: names, attributes, items, and values that are taken apart."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from browser.translation.modules import External, Global, Untranslatable
from browser.translation.signatures import DICT, FROZENSET, LIST, PLAIN, SET, TUPLE, class_name
from browser.translation.writer import Context, local_name

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


# ---------------------------------------------------------------------------------------------------
#
# Operators that change their target: either its value, or the list, set or dictionary that it is.

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


# --- parameters of functions, and their defaults, which are evaluated once -------------------------

Defaults = Mapping[ast.expr, str]


def parameters(given: ast.arguments, defaults: Defaults, *, method: bool = False) -> str:
    """The parameters of a function; absent ones take their defaults."""
    plain = [*given.posonlyargs, *given.args]
    values = [None] * (len(plain) - len(given.defaults)) + list(given.defaults)
    pairs = [*zip(plain, values, strict=True)][1 if method else 0 :]
    if not given.vararg:
        pairs += zip(given.kwonlyargs, given.kw_defaults, strict=True)
    texts = [
        local_name(one.arg) + (f" = {defaults[default]}" if default is not None else "")
        for one, default in pairs
    ]
    if given.vararg:
        texts.append(f"...{local_name(given.vararg.arg)}")
    elif given.kwarg:
        texts.append(f"{local_name(given.kwarg.arg)} = $dict([])")
    return ", ".join(texts)


def _defaults_of(given: ast.arguments) -> list[ast.expr]:
    return [one for one in (*given.defaults, *given.kw_defaults) if one is not None]


def fixed(given: ast.arguments, context: Context, write: Write) -> Defaults:
    """Defaults of a function of the top level, or of a class: they cannot tell when they are evaluated."""
    for one in _defaults_of(given):
        if not is_fixed(one, context):
            raise Untranslatable(f"a default that is evaluated once: {ast.unparse(one)}")
    return {one: write(one, context) for one in _defaults_of(given)}


def captured(given: ast.arguments, context: Context, write: Write) -> tuple[Defaults, Callable[[str], str]]:
    """Defaults of an inner function; the second part of the result evaluates them where it is defined."""
    found: dict[ast.expr, str] = {}
    values: list[str] = []
    for one in _defaults_of(given):
        if is_fixed(one, context):
            found[one] = write(one, context)
        else:
            found[one] = f"$default{len(values)}"
            values.append(write(one, context))
    if not values:
        return found, lambda text: text
    names = ", ".join(f"$default{number}" for number in range(len(values)))
    return found, lambda text: f"(({names}) => {text})({', '.join(values)})"


def is_fixed(node: ast.expr, context: Context) -> bool:
    """Whether an expression has the same value, which cannot change, whenever it is evaluated."""
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.Lambda):
        return isinstance(node.body, ast.Constant)
    if isinstance(node, ast.Call):
        is_set = context.static(node.func) == External("builtins.frozenset") and not node.keywords
        return is_set and all(is_fixed(one, context) for one in node.args)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.operand, ast.Constant)
    if isinstance(node, ast.Tuple):
        return all(is_fixed(one, context) for one in node.elts)
    if isinstance(node, ast.BinOp):  # of numbers
        parts = (node.left, node.right)
        return any(map(_is_number, parts)) and all(is_fixed(one, context) for one in parts)
    if isinstance(node, ast.Attribute) and context.static(node) is None:
        return isinstance(context.static(node.value), Global)
    return isinstance(context.static(node), Global | External)


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)
