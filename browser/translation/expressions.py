# SPDX-License-Identifier: GPL-3.0-or-later
"""Expressions."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable

from browser.translation.assignments import Write, assignment, captured, operation, parameters, place
from browser.translation.assignments import index as positionin
from browser.translation.calls import call
from browser.translation.modules import External, Global, Untranslatable, number_literal, text_literal
from browser.translation.signatures import signature_of
from browser.translation.writer import BUILTIN_METHODS, Context, is_held, local_name, target_names

# ---------------------------------------------------------------------------------------------------
#
# Attributes: values of modules, of classes and of objects; methods as values are bound to their objects.

_CLASSES_WITH_METHODS = frozenset(f"builtins.{name}" for name in ("str", "int", "list", "dict", "set"))


def attribute(node: ast.Attribute, context: Context, write: Write) -> str:
    """An attribute that is read."""
    found = context.static(node)
    if found is not None:
        return context.static_text(found)
    outer = context.static(node.value)
    if isinstance(outer, External) and outer.name in _CLASSES_WITH_METHODS and node.attr in BUILTIN_METHODS:
        return f"$method({json.dumps(node.attr)})"
    if isinstance(node.value, ast.Call) and ast.unparse(node.value) == "super()":
        return f"super.{node.attr}"
    if node.attr.startswith("__"):
        return _special(node, context, write)
    if isinstance(outer, Global):
        _check_class_value(outer, node, context)
    owner = write(node.value, context)
    if node.attr in context.signatures.method_names or node.attr in BUILTIN_METHODS:
        return f"$attr({owner}, {json.dumps(node.attr)})"
    return f"{owner}.{node.attr}"


def _special(node: ast.Attribute, context: Context, write: Write) -> str:
    if node.attr == "__class__":
        return f"$type({write(node.value, context)})"
    if node.attr == "__name__" and _is_class(node.value, context):
        return f"$class_name({write(node.value, context)})"
    raise Untranslatable(ast.unparse(node))


def _is_class(node: ast.expr, context: Context) -> bool:
    if isinstance(node, ast.Call):
        return context.static(node.func) == External("builtins.type")
    if isinstance(node, ast.Attribute):
        return node.attr == "__class__"
    return isinstance(node, ast.Name) and node.id == "cls"


def _check_class_value(owner: Global, node: ast.Attribute, context: Context) -> None:
    """The default of a field is no attribute of the class in JavaScript."""
    if context.signatures.has_fields(owner) and node.attr in context.signatures.fields(owner):
        raise Untranslatable(f"a field of the class itself: {ast.unparse(node)}")


# ---------------------------------------------------------------------------------------------------
#
# Comprehensions and generator expressions: functions whose variables are shared by all rounds.

Condition = Callable[[ast.expr, Context], str]
Element = Callable[[Context], str]


class Comprehensions:
    """Writes them; ``write`` writes an expression, ``condition`` one of which only the truth matters."""

    def __init__(self, write: Write, condition: Condition) -> None:
        self._write, self._condition = write, condition

    def collected(self, node: ast.ListComp | ast.SetComp | ast.DictComp, context: Context) -> str:
        """A list, a set or a dictionary."""
        write = self._write
        if isinstance(node, ast.DictComp):
            key, value, start = node.key, node.value, "$dict([])"
            element: Element = lambda inside: f"$r.set_({write(key, inside)}, {write(value, inside)});"  # noqa: E731
        else:
            elt, add = node.elt, "push" if isinstance(node, ast.ListComp) else "add"
            start = "[]" if isinstance(node, ast.ListComp) else "$set_of([])"
            element = lambda inside: f"$r.{add}({write(elt, inside)});"  # noqa: E731
        loops = self._loops(node.generators, element, context)
        return f"(($source) => {{ const $r = {start}; {loops} return $r; }})({self._source(node, context)})"

    def generator(self, node: ast.GeneratorExp, context: Context) -> str:
        """A generator; what it goes through first is evaluated at once."""
        elt = node.elt
        loops = self._loops(node.generators, lambda inside: f"yield {self._write(elt, inside)};", context)
        return f"(function* ($source) {{ {loops} }})({self._source(node, context)})"

    def _source(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, context: Context
    ) -> str:
        first = node.generators[0].iter
        return f"{'$kept' if is_held(first) else '$iter'}({self._write(first, context)})"

    def _loops(self, generators: list[ast.comprehension], element: Element, context: Context) -> str:
        names = dict.fromkeys(name for one in generators for name in target_names(one.target))
        inside = context.function(names)
        text = element(inside)
        for number, one in reversed(list(enumerate(generators))):
            tests = "".join(f"if (!{self._condition(test, inside)}) continue; " for test in one.ifs)
            iterator = "$kept" if is_held(one.iter) else "$iter"
            over = f"{iterator}({self._write(one.iter, inside)})" if number else "$source"
            text = self._loop(one.target, over, f"{tests}{text}", inside)
        variables = [*map(local_name, names), *inside.temporaries.names]
        return f"let {', '.join(variables)}; {text}" if variables else text

    def _loop(self, target: ast.expr, over: str, body: str, inside: Context) -> str:
        if isinstance(target, ast.Name):
            return f"for ({local_name(target.id)} of {over}) {{ {body} }}"
        first = assignment(target, "$one", inside, self._write)
        return f"for (const $one of {over}) {{ {first} {body} }}"


# --- expressions -----------------------------------------------------------------------------------

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
