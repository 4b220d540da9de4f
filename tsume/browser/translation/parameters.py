# SPDX-License-Identifier: GPL-3.0-or-later
"""Parameters of functions, and their defaults, which are evaluated once."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping

from tsume.browser.translation.literals import Untranslatable
from tsume.browser.translation.modules import External, Global
from tsume.browser.translation.names import local_name
from tsume.browser.translation.targets import Write
from tsume.browser.translation.writer import Context

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
