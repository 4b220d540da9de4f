# SPDX-License-Identifier: GPL-3.0-or-later
"""Expressions."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tsume.browser.translation.attributes import attribute
from tsume.browser.translation.augmented import operation
from tsume.browser.translation.calls import call
from tsume.browser.translation.comprehensions import Comprehensions
from tsume.browser.translation.literals import Untranslatable, number_literal, text_literal
from tsume.browser.translation.modules import External
from tsume.browser.translation.parameters import captured, parameters
from tsume.browser.translation.signatures import signature_of
from tsume.browser.translation.targets import index as positionin
from tsume.browser.translation.targets import place
from tsume.browser.translation.writer import Context

_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "$eq",
    ast.NotEq: "$ne",
    ast.Lt: "$lt",
    ast.LtE: "$le",
    ast.Gt: "$gt",
    ast.GtE: "$ge",
}
_BOOLEAN_CALLS = frozenset(External(f"builtins.{name}") for name in ("isinstance", "any", "all", "bool"))


def expression(node: ast.expr, context: Context) -> str:
    """An expression as JavaScript."""
    found = _WRITERS.get(type(node))
    if found is None:
        raise Untranslatable(f"{ast.unparse(node)} ({type(node).__name__})")
    return found(node, context)


def condition(node: ast.expr, context: Context) -> str:
    """An expression of which only the truth matters."""
    if isinstance(node, ast.BoolOp):
        sign = " && " if isinstance(node.op, ast.And) else " || "
        return f"({sign.join(condition(one, context) for one in node.values)})"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return f"!{condition(node.operand, context)}"
    text = expression(node, context)
    return text if _is_boolean(node, context) else f"$t({text})"


def _is_boolean(node: ast.expr, context: Context) -> bool:
    if isinstance(node, ast.Compare):
        return all(isinstance(one, ast.Is | ast.IsNot | ast.In | ast.NotIn) for one in node.ops) or (
            len(node.ops) == 1
        )
    return (isinstance(node, ast.Constant) and isinstance(node.value, bool)) or (
        isinstance(node, ast.Call) and context.static(node.func) in _BOOLEAN_CALLS
    )


def _constant(node: ast.Constant, _context: Context) -> str:
    value = node.value
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return number_literal(value)
    if isinstance(value, str):
        return text_literal(value)
    raise Untranslatable(f"the constant {value!r}")


def _name(node: ast.Name, context: Context) -> str:
    return context.name(node.id)


def _binary(node: ast.BinOp, context: Context) -> str:
    return f"{operation(node.op)}({expression(node.left, context)}, {expression(node.right, context)})"


def _unary(node: ast.UnaryOp, context: Context) -> str:
    if isinstance(node.op, ast.Not):
        return f"!{condition(node.operand, context)}"
    if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant) and node.operand.value:
        return f"-{expression(node.operand, context)}"
    function = {ast.USub: "$neg", ast.Invert: "$invert", ast.UAdd: "$pos"}[type(node.op)]
    return f"{function}({expression(node.operand, context)})"


def _boolean(node: ast.BoolOp, context: Context) -> str:
    if all(_is_boolean(one, context) for one in node.values[:-1]):
        sign = " && " if isinstance(node.op, ast.And) else " || "
        return f"({sign.join(expression(one, context) for one in node.values)})"
    *first, last = node.values
    text = expression(last, context)
    for one in reversed(first):
        temporary = context.temporaries.new()
        value = f"$t({temporary} = {expression(one, context)})"
        text = (
            f"({value} ? {text} : {temporary})"
            if isinstance(node.op, ast.And)
            else f"({value} ? {temporary} : {text})"
        )
    return text


def _compare(node: ast.Compare, context: Context) -> str:
    left = expression(node.left, context)
    parts = []
    for position, (operator, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
        text = expression(right, context)
        if position < len(node.ops) - 1:
            temporary = context.temporaries.new()
            text, following = f"({temporary} = {text})", temporary
        else:
            following = ""
        if isinstance(operator, ast.In | ast.NotIn) and isinstance(right, ast.Call | ast.GeneratorExp):
            text += ", true"  # nothing else holds the container
        parts.append(_comparison(operator, left, text))
        left = following
    return parts[0] if len(parts) == 1 else f"({' && '.join(parts)})"


def _comparison(operator: ast.cmpop, left: str, right: str) -> str:
    if isinstance(operator, ast.Is | ast.IsNot):
        sign = "==" if right == "null" else "==="
        return f"({left} {sign if isinstance(operator, ast.Is) else '!' + sign[1:]} {right})"
    if isinstance(operator, ast.In):
        return f"$in({left}, {right})"
    if isinstance(operator, ast.NotIn):
        return f"!$in({left}, {right})"
    return f"{_COMPARISONS[type(operator)]}({left}, {right})"


def _conditional(node: ast.IfExp, context: Context) -> str:
    test = condition(node.test, context)
    return f"({test} ? {expression(node.body, context)} : {expression(node.orelse, context)})"


def _items(nodes: list[ast.expr], context: Context) -> str:
    return ", ".join(
        f"...$iter({expression(one.value, context)})"
        if isinstance(one, ast.Starred)
        else expression(one, context)
        for one in nodes
    )


def _array(node: ast.Tuple | ast.List, context: Context) -> str:
    return f"[{_items(node.elts, context)}]"


def _set(node: ast.Set, context: Context) -> str:
    return f"$set_of([{_items(node.elts, context)}])"


def _dict(node: ast.Dict, context: Context) -> str:
    parts = []
    for key, value in zip(node.keys, node.values, strict=True):
        text = expression(value, context)
        parts.append(f"...$items({text})" if key is None else f"[{expression(key, context)}, {text}]")
    return f"$dict([{', '.join(parts)}])"


def _subscript(node: ast.Subscript, context: Context) -> str:
    return f"$get({expression(node.value, context)}, {index(node.slice, context)})"


def index(node: ast.expr, context: Context) -> str:
    """What stands between brackets."""
    return positionin(node, context, expression)


def _formatted(node: ast.JoinedStr, context: Context) -> str:
    parts = [
        text_literal(str(one.value)) if isinstance(one, ast.Constant) else _placeholder(one, context)
        for one in node.values
    ]
    return f"({' + '.join(parts)})" if parts else '""'


def _placeholder(node: ast.expr, context: Context) -> str:
    assert isinstance(node, ast.FormattedValue)
    value = expression(node.value, context)
    if node.conversion == ord("r"):
        value = f"$repr({value})"
    elif node.conversion == ord("s"):
        value = f"$str({value})"
    elif node.conversion != -1:
        raise Untranslatable(f"a conversion: {ast.unparse(node)}")
    if node.format_spec is None:
        return f"$str({value})"
    return f"$format({value}, {expression(node.format_spec, context)})"


def _lambda(node: ast.Lambda, context: Context) -> str:
    if any(isinstance(one, ast.NamedExpr | ast.Yield | ast.YieldFrom) for one in ast.walk(node.body)):
        raise Untranslatable(f":= or yield in a lambda: {ast.unparse(node)}")
    if node.args.vararg or node.args.kwarg or node.args.kwonlyargs:
        raise Untranslatable(f"* in a lambda: {ast.unparse(node)}")
    inside = context.function(signature_of(node).names)
    body = expression(node.body, inside)
    declared = f"let {', '.join(inside.temporaries.names)}; " if inside.temporaries.used else ""
    defaults, defined = captured(node.args, context, expression)
    names = parameters(node.args, defaults)
    return f"({defined(f'({names}) => {{ {declared}return {body}; }}')})"


def _walrus(node: ast.NamedExpr, context: Context) -> str:
    return f"({place(node.target, context, expression)} = {expression(node.value, context)})"


def _yield(node: ast.Yield, context: Context) -> str:
    return f"(yield {expression(node.value, context) if node.value else 'null'})"


def _yield_from(node: ast.YieldFrom, context: Context) -> str:
    return f"(yield* $iter({expression(node.value, context)}))"


def _starred(node: ast.Starred, context: Context) -> str:
    return f"...$iter({expression(node.value, context)})"


_COMPREHENSIONS = Comprehensions(expression, condition)
_WRITERS: dict[type[ast.expr], Callable[..., str]] = {
    ast.Constant: _constant, ast.Name: _name, ast.BinOp: _binary,
    ast.UnaryOp: _unary, ast.BoolOp: _boolean, ast.Compare: _compare, ast.IfExp: _conditional,
    ast.Tuple: _array, ast.List: _array, ast.Set: _set, ast.Dict: _dict, ast.Subscript: _subscript,
    ast.JoinedStr: _formatted, ast.Lambda: _lambda, ast.ListComp: _COMPREHENSIONS.collected,
    ast.SetComp: _COMPREHENSIONS.collected, ast.DictComp: _COMPREHENSIONS.collected,
    ast.GeneratorExp: _COMPREHENSIONS.generator, ast.NamedExpr: _walrus, ast.Yield: _yield,
    ast.YieldFrom: _yield_from, ast.Starred: _starred,
}  # fmt: skip
_WRITERS[ast.Call] = lambda node, context: call(node, context, expression)
_WRITERS[ast.Attribute] = lambda node, context: attribute(node, context, expression)
