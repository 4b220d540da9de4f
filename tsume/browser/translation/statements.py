"""Statements and functions."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterable

from tsume.browser.translation.expressions import (
    binary,
    condition,
    expression,
    index,
    parameters,
    pattern,
)
from tsume.browser.translation.literals import Untranslatable
from tsume.browser.translation.modules import External
from tsume.browser.translation.names import assigned_names, is_generator, local_name, target_names
from tsume.browser.translation.patterns import matches
from tsume.browser.translation.signatures import decorators, signature_of
from tsume.browser.translation.writer import Context


def module_statement(node: ast.stmt, context: Context) -> str:
    """An assignment at the top level."""
    if isinstance(node, ast.AnnAssign):
        node = ast.Assign([node.target], node.value or ast.Constant(None))
    if not isinstance(node, ast.Assign):
        raise Untranslatable(ast.unparse(node))
    inside = context.function(())
    text = expression(node.value, inside)
    declared = "".join(f"let {name}; " for name in inside.temporaries.names)
    (target,) = node.targets
    return (
        f"{declared}const {pattern(target, inside)} = {text};"
        if not declared
        else (f"const {pattern(target, context)} = (() => {{ {declared}return {text}; }})();")
    )


def function_definition(node: ast.FunctionDef, context: Context, name: str) -> str:
    """A function of the top level, or one inside another, as a declaration."""
    text = function(node, context)
    described = json.dumps(signature_of(node).described)
    applied = _decorated(node, context)
    if applied is None:
        return f"const {name} = $fn({described}, {text});"
    return f"const {name} = $fn({described}, {applied}({text}));"


def _decorated(node: ast.FunctionDef, context: Context) -> str | None:
    kinds = decorators(node)
    if not kinds:
        return None
    (decorator,) = kinds.values()
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return expression(called, context)


def function(node: ast.FunctionDef, context: Context, *, method: bool = False, owner: str = "self") -> str:
    """A function expression."""
    signature = signature_of(node)
    star = "*" if is_generator(node) else ""
    rest = _rest_prologue(node)
    given = parameters(node.args, context, method=method)
    lines = body(node.body, context, [*signature.names, *_stars(node)], owner if method else "")
    return f"function{star} ({given}) {{ {rest}{lines} }}"


def body(statements: list[ast.stmt], context: Context, given: list[str], this: str = "") -> str:
    """The body of a function: its variables, then its statements. ``this``: what ``this`` is called."""
    outer = {name for one in statements if isinstance(one, ast.Nonlocal) for name in one.names}
    assigned = [name for name in assigned_names(statements) if name not in given and name not in outer]
    inside = context.function([*given, *assigned, *([this] if this else [])], _lists(statements))
    text = "\n".join(statement(one, inside) for one in statements)
    names = [*map(local_name, assigned), *inside.temporaries.names]
    declared = f"let {', '.join(names)};\n" if names else ""
    own = f"const {this} = this; " if this and _mentions(statements, this) else ""
    return f"{own}{declared}{text}"


def _mentions(statements: list[ast.stmt], name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for one in statements for node in ast.walk(one))


def _stars(node: ast.FunctionDef) -> list[str]:
    return [one.arg for one in (node.args.vararg, node.args.kwarg) if one]


def _rest_prologue(node: ast.FunctionDef) -> str:
    """Keywords of a function that also takes any number of arguments."""
    if not node.args.vararg or not (node.args.kwarg or node.args.kwonlyargs):
        return ""
    if node.args.kwonlyargs or node.args.kwarg is None:
        raise Untranslatable(f"{node.name}: * with named keywords")
    return f"const {local_name(node.args.kwarg.arg)} = $taken_keywords({local_name(node.args.vararg.arg)}); "


def _lists(statements: list[ast.stmt]) -> list[str]:
    """Local names that begin as lists."""
    found = []
    for statement_ in statements:
        for node in ast.walk(statement_):
            if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation).startswith("list["):
                found += target_names(node.target)
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.List | ast.ListComp):
                found += [one.id for one in node.targets if isinstance(one, ast.Name)]
    return found


def statement(node: ast.stmt, context: Context) -> str:
    """A statement as JavaScript."""
    found = _WRITERS.get(type(node))
    if found is None:
        raise Untranslatable(f"{ast.unparse(node)} ({type(node).__name__})")
    return found(node, context)


def block(statements: Iterable[ast.stmt], context: Context) -> str:
    """Statements in braces."""
    return "{\n" + "\n".join(statement(one, context) for one in statements) + "\n}"


def _expression(node: ast.Expr, context: Context) -> str:
    if isinstance(node.value, ast.Constant):  # a docstring
        return ""
    return f"{expression(node.value, context)};"


def _return(node: ast.Return, context: Context) -> str:
    return f"return {expression(node.value, context) if node.value else 'null'};"


def _assign(node: ast.Assign, context: Context) -> str:
    value = expression(node.value, context)
    if len(node.targets) == 1:
        return assignment(node.targets[0], value, context)
    temporary = context.temporaries.new()
    return f"{temporary} = {value}; " + " ".join(assignment(one, temporary, context) for one in node.targets)


def assignment(target: ast.expr, value: str, context: Context) -> str:
    """A value assigned to a target."""
    if isinstance(target, ast.Subscript):
        return f"$put({expression(target.value, context)}, {index(target.slice, context)}, {value});"
    if isinstance(target, ast.Tuple | ast.List):
        return _unpacking(target, value, context)
    return f"{pattern(target, context)} = {value};"


def _unpacking(target: ast.Tuple | ast.List, value: str, context: Context) -> str:
    starred = [number for number, one in enumerate(target.elts) if isinstance(one, ast.Starred)]
    is_simple = not any(isinstance(one, ast.Subscript) for one in ast.walk(target) if one is not target)
    if is_simple and (not starred or starred == [len(target.elts) - 1]):
        return f"{pattern(target, context)} = $iter({value});"
    temporary = context.temporaries.new()
    after = len(target.elts) - 1 - starred[0] if starred else 0
    text = f"{temporary} = $unpacked({value}, {starred[0] if starred else len(target.elts)}, {after});"
    for number, one in enumerate(target.elts):
        inner = one.value if isinstance(one, ast.Starred) else one
        text += " " + assignment(inner, f"{temporary}[{number}]", context)
    return text


def _annotated(node: ast.AnnAssign, context: Context) -> str:
    return assignment(node.target, expression(node.value, context), context) if node.value else ""


def _augmented(node: ast.AugAssign, context: Context) -> str:
    value = expression(node.value, context)
    target = node.target
    if isinstance(node.op, ast.Add) and _is_list(target, context):
        return f"$extend({expression(target, context)}, {value});"
    if isinstance(target, ast.Subscript):
        owner, place = context.temporaries.new(), context.temporaries.new()
        text = f"{owner} = {expression(target.value, context)}; {place} = {index(target.slice, context)}; "
        return text + f"$put({owner}, {place}, {binary(node.op, f'$get({owner}, {place})', value)});"
    old = pattern(target, context)
    return f"{old} = {binary(node.op, old, value)};"


def _is_list(target: ast.expr, context: Context) -> bool:
    if isinstance(target, ast.Attribute):
        return target.attr in context.signatures.list_attributes
    return isinstance(target, ast.Name) and target.id in context.lists


def _if(node: ast.If, context: Context) -> str:
    if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return ""
    text = f"if ({condition(node.test, context)}) {block(node.body, context)}"
    return f"{text} else {block(node.orelse, context)}" if node.orelse else text


def _for(node: ast.For, context: Context) -> str:
    if node.orelse:
        raise Untranslatable(f"for ... else: {ast.unparse(node.iter)}")
    over = expression(node.iter, context)
    iterator = "$kept" if isinstance(node.iter, ast.Name | ast.Attribute) else "$iter"
    inside = block(node.body, context)
    if isinstance(node.target, ast.Name):
        return f"for ({expression(node.target, context)} of {iterator}({over})) {inside}"
    temporary = context.temporaries.new()
    first = assignment(node.target, temporary, context)
    return f"for ({temporary} of {iterator}({over})) {{ {first}\n{inside} }}"


def _while(node: ast.While, context: Context) -> str:
    if node.orelse:
        raise Untranslatable("while ... else")
    return f"while ({condition(node.test, context)}) {block(node.body, context)}"


def _with(node: ast.With, context: Context) -> str:
    text = block(node.body, context)
    for item in reversed(node.items):
        manager, failed = context.temporaries.new(), context.temporaries.new()
        entered = f"$enter({manager})"
        first = assignment(item.optional_vars, entered, context) if item.optional_vars else f"{entered};"
        text = (
            f"{{ const {manager} = {expression(item.context_expr, context)}; let {failed} = false; {first}\n"
            f"try {text} catch ($e) {{ {failed} = true; if (!$exit({manager}, $e)) throw $e; }} "
            f"finally {{ if (!{failed}) $exit({manager}, null); }} }}"
        )
    return text


def _try(node: ast.Try, context: Context) -> str:
    before, flag = "", ""
    inner = block(node.body, context)
    if node.orelse:
        flag = context.temporaries.new()
        before = f"{flag} = false; "
        inner = f"{{ {inner} {flag} = true; }}"
    text = f"{before}try {inner}"
    if node.handlers:
        text += f" catch ($e) {{ {_handlers(node.handlers, context)} }}"
    if node.orelse:
        orelse = f" if ({flag}) {block(node.orelse, context)}"
        if not node.finalbody:
            return text + orelse
        text = f"try {{ {text}{orelse} }}"
    if node.finalbody:
        text += f" finally {block(node.finalbody, context)}"
    return text


def _handlers(handlers: list[ast.ExceptHandler], context: Context) -> str:
    text = "throw $e;"
    for one in reversed(handlers):
        name = f"{local_name(one.name)} = $e; " if one.name else ""
        inside = f"{{ {name}{block(one.body, context)} }}"
        if one.type is None:
            text = inside
        else:
            kinds = one.type.elts if isinstance(one.type, ast.Tuple) else [one.type]
            names = ", ".join(expression(kind, context) for kind in kinds)
            text = f"if ($isinstance($e, [{names}])) {inside} else {{ {text} }}"
    return text


def _raise(node: ast.Raise, context: Context) -> str:
    if node.exc is None:
        return "throw $e;"
    return f"throw $raised({expression(node.exc, context)});"


def _delete(node: ast.Delete, context: Context) -> str:
    texts = []
    for target in node.targets:
        if not isinstance(target, ast.Subscript):
            raise Untranslatable(ast.unparse(node))
        texts.append(f"$delete({expression(target.value, context)}, {index(target.slice, context)});")
    return " ".join(texts)


def _inner_function(node: ast.FunctionDef, context: Context) -> str:
    described = json.dumps(signature_of(node).described)
    text = function(node, context)
    applied = _decorated(node, context)
    text = f"{applied}({text})" if applied else text
    return f"{local_name(node.name)} = $fn({described}, {text});"


def _match(node: ast.Match, context: Context) -> str:
    subject = context.temporaries.new()
    text = ""
    for case in reversed(node.cases):
        test, bindings = matches(case.pattern, subject, context, expression)
        if case.guard is not None:
            test = f"{test} && {condition(case.guard, context)}"
        inside = f"{{ {bindings}{block(case.body, context)} }}"
        text = f"if ({test}) {inside}" + (f" else {text}" if text else "")
    return f"{subject} = {expression(node.subject, context)};\n{text}"


def _nothing(_node: ast.stmt, _context: Context) -> str:
    return ""


_WRITERS: dict[type[ast.stmt], Callable[..., str]] = {
    ast.Expr: _expression, ast.Return: _return, ast.Assign: _assign, ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented, ast.If: _if, ast.For: _for, ast.While: _while, ast.With: _with, ast.Try: _try,
    ast.Raise: _raise, ast.Delete: _delete, ast.FunctionDef: _inner_function, ast.Match: _match,
    ast.Pass: _nothing, ast.Assert: _nothing, ast.Import: _nothing, ast.ImportFrom: _nothing,
    ast.Nonlocal: _nothing, ast.Break: lambda *_: "break;", ast.Continue: lambda *_: "continue;",
}  # fmt: skip

__all__ = ["External", "block", "body", "function", "function_definition", "module_statement", "statement"]
