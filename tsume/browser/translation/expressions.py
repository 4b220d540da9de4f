"""Expressions."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable

from tsume.browser.translation.calls import call
from tsume.browser.translation.literals import Untranslatable, integer
from tsume.browser.translation.modules import External
from tsume.browser.translation.names import local_name, target_names
from tsume.browser.translation.signatures import signature_of
from tsume.browser.translation.writer import Context

_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "$add", ast.Sub: "$sub", ast.Mult: "$mul", ast.Div: "$div", ast.FloorDiv: "$floordiv",
    ast.Mod: "$mod", ast.Pow: "$pow", ast.BitAnd: "$and", ast.BitOr: "$or", ast.BitXor: "$xor",
    ast.LShift: "$shl", ast.RShift: "$shr",
}  # fmt: skip
_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Eq: "$eq",
    ast.NotEq: "$ne",
    ast.Lt: "$lt",
    ast.LtE: "$le",
    ast.Gt: "$gt",
    ast.GtE: "$ge",
}
_BOOLEAN_CALLS = frozenset(("isinstance", "any", "all", "bool"))


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
    return text if _is_boolean(node) else f"$t({text})"


def _is_boolean(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Compare)
        or (isinstance(node, ast.Constant) and isinstance(node.value, bool))
        or (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _BOOLEAN_CALLS)
    )


def binary(operator: ast.operator, left: str, right: str) -> str:
    """An operation on two values."""
    return f"{_OPERATORS[type(operator)]}({left}, {right})"


def _constant(node: ast.Constant, _context: Context) -> str:
    value = node.value
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return integer(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    raise Untranslatable(f"the constant {value!r}")


def _name(node: ast.Name, context: Context) -> str:
    return context.name(node.id)


def _attribute(node: ast.Attribute, context: Context) -> str:
    found = context.static(node)
    if found is not None:
        return context.static_text(found)
    outer = context.static(node.value)
    if isinstance(outer, External) and outer.name in ("builtins.str", "builtins.int", "builtins.list"):
        return f"$method({json.dumps(node.attr)})"
    owner = expression(node.value, context)
    if node.attr in context.signatures.method_names or node.attr in ("append", "get", "index"):
        return f"$attr({owner}, {json.dumps(node.attr)})"  # a method as a value, bound to its object
    if node.attr == "__name__":
        return f"$class_name({owner})"
    return f"{owner}.{node.attr}"


def _binary(node: ast.BinOp, context: Context) -> str:
    return binary(node.op, expression(node.left, context), expression(node.right, context))


def _unary(node: ast.UnaryOp, context: Context) -> str:
    if isinstance(node.op, ast.Not):
        return f"!{condition(node.operand, context)}"
    if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        return f"-{expression(node.operand, context)}"
    function = {ast.USub: "$neg", ast.Invert: "$invert", ast.UAdd: "$pos"}[type(node.op)]
    return f"{function}({expression(node.operand, context)})"


def _boolean(node: ast.BoolOp, context: Context) -> str:
    if all(map(_is_boolean, node.values[:-1])):
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
    for number, (operator, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
        text = expression(right, context)
        if number < len(node.ops) - 1:
            temporary = context.temporaries.new()
            text, following = f"({temporary} = {text})", temporary
        else:
            following = ""
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
    if isinstance(node, ast.Slice):
        bounds = (node.lower, node.upper, node.step)
        texts = ["null" if one is None else expression(one, context) for one in bounds]
        return f"new Slice({', '.join(texts)})"
    if isinstance(node, ast.Tuple):
        return f"[{', '.join(index(one, context) for one in node.elts)}]"
    return expression(node, context)


def _formatted(node: ast.JoinedStr, context: Context) -> str:
    parts = [
        json.dumps(one.value, ensure_ascii=False)
        if isinstance(one, ast.Constant)
        else _placeholder(one, context)
        for one in node.values
    ]
    return f"({' + '.join(parts)})" if parts else '""'


def _placeholder(node: ast.expr, context: Context) -> str:
    assert isinstance(node, ast.FormattedValue)
    value = expression(node.value, context)
    if node.conversion == ord("r"):
        value = f"$repr({value})"
    if node.format_spec is None:
        return f"$str({value})"
    return f"$format({value}, {expression(node.format_spec, context)})"


def _lambda(node: ast.Lambda, context: Context) -> str:
    signature = signature_of(node)
    inside = context.function(signature.names)
    body = expression(node.body, inside)
    declared = f"let {', '.join(inside.temporaries.names)}; " if inside.temporaries.used else ""
    captured = [default for default in node.args.defaults if isinstance(default, ast.Name)]
    if captured:  # lambda x, k=k: the value of now
        given = ", ".join(expression(one, context) for one in captured)
        outer = ", ".join(f"${one.id}" for one in captured)
        text = parameters(_with_captured_defaults(node.args), context.inner(f"${one.id}" for one in captured))
        return f"(({outer}) => ({text}) => {{ {declared}return {body}; }})({given})"
    names = parameters(node.args, context)
    return f"(({names}) => {{ {declared}return {body}; }})"


def _with_captured_defaults(given: ast.arguments) -> ast.arguments:
    defaults = [
        ast.Name(f"${one.id}", one.ctx) if isinstance(one, ast.Name) else one for one in given.defaults
    ]
    return ast.arguments(given.posonlyargs, given.args, given.vararg, [], [], None, defaults)


def parameters(given: ast.arguments, context: Context, *, method: bool = False) -> str:
    """The parameters of a function; absent ones take their defaults."""
    plain = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(plain) - len(given.defaults)) + list(given.defaults)
    pairs = [*zip(plain, defaults, strict=True)][1 if method else 0 :]
    if given.vararg:
        texts = [_parameter(one.arg, default, context) for one, default in pairs]
        return ", ".join([*texts, f"...{local_name(given.vararg.arg)}"])
    pairs += zip(given.kwonlyargs, given.kw_defaults, strict=True)
    texts = [_parameter(one.arg, default, context) for one, default in pairs]
    if given.kwarg:
        texts.append(f"{local_name(given.kwarg.arg)} = $dict([])")
    return ", ".join(texts)


def _parameter(name: str, default: ast.expr | None, context: Context) -> str:
    text = local_name(name)
    return text if default is None else f"{text} = {expression(default, context)}"


def _comprehension(node: ast.ListComp | ast.SetComp | ast.DictComp, context: Context) -> str:
    if isinstance(node, ast.DictComp):
        element: Callable[[Context], str] = lambda inside: (  # noqa: E731
            f"$r.set_({expression(node.key, inside)}, {expression(node.value, inside)});"
        )
        start = "$dict([])"
    else:
        elt = node.elt
        add = "push" if isinstance(node, ast.ListComp) else "add"
        element = lambda inside: f"$r.{add}({expression(elt, inside)});"  # noqa: E731
        start = "[]" if isinstance(node, ast.ListComp) else "$set_of([])"
    return f"(() => {{ const $r = {start}; {_loops(node.generators, element, context)} return $r; }})()"


def _generator(node: ast.GeneratorExp, context: Context) -> str:
    first = expression(node.generators[0].iter, context)
    elt = node.elt
    loops = _loops(node.generators, lambda inside: f"yield {expression(elt, inside)};", context, "$source")
    return f"(function* ($source) {{ {loops} }})($iter({first}))"


def _loops(
    generators: list[ast.comprehension], element: Callable[[Context], str], context: Context, source: str = ""
) -> str:
    if not generators:
        return element(context)
    first, *rest = generators
    inside = context.inner(target_names(first.target))
    over = source or f"$iter({expression(first.iter, context)})"
    tests = "".join(f"if (!{condition(one, inside)}) continue; " for one in first.ifs)
    body = _loops(rest, element, inside)
    return f"for (const {pattern(first.target, inside)} of {over}) {{ {tests}{body} }}"


def pattern(target: ast.expr, context: Context) -> str:
    """A target of an assignment that JavaScript can take apart by itself."""
    if isinstance(target, ast.Tuple | ast.List):
        return f"[{', '.join(pattern(one, context) for one in target.elts)}]"
    if isinstance(target, ast.Starred):
        return f"...{pattern(target.value, context)}"
    if isinstance(target, ast.Attribute):
        return f"{expression(target.value, context)}.{target.attr}"
    return expression(target, context)


def _walrus(node: ast.NamedExpr, context: Context) -> str:
    return f"({expression(node.target, context)} = {expression(node.value, context)})"


def _yield(node: ast.Yield, context: Context) -> str:
    return f"(yield {expression(node.value, context) if node.value else 'null'})"


def _yield_from(node: ast.YieldFrom, context: Context) -> str:
    return f"(yield* $iter({expression(node.value, context)}))"


def _starred(node: ast.Starred, context: Context) -> str:
    return f"...$iter({expression(node.value, context)})"


_WRITERS: dict[type[ast.expr], Callable[..., str]] = {
    ast.Constant: _constant, ast.Name: _name, ast.Attribute: _attribute, ast.BinOp: _binary,
    ast.UnaryOp: _unary, ast.BoolOp: _boolean, ast.Compare: _compare, ast.IfExp: _conditional,
    ast.Tuple: _array, ast.List: _array, ast.Set: _set, ast.Dict: _dict, ast.Subscript: _subscript,
    ast.JoinedStr: _formatted, ast.Lambda: _lambda, ast.ListComp: _comprehension, ast.SetComp: _comprehension,
    ast.DictComp: _comprehension, ast.GeneratorExp: _generator, ast.NamedExpr: _walrus, ast.Yield: _yield,
    ast.YieldFrom: _yield_from, ast.Starred: _starred,
}  # fmt: skip
_WRITERS[ast.Call] = lambda node, context: call(node, context, expression)
