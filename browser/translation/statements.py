# SPDX-License-Identifier: GPL-3.0-or-later
"""Statements and functions."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterable
from dataclasses import replace

from browser.translation import assignments
from browser.translation import signatures as kinds_of
from browser.translation.assignments import augmented, captured, fixed, parameters
from browser.translation.expressions import condition, expression, index
from browser.translation.modules import External, Global, Untranslatable
from browser.translation.signatures import local_kinds, signature_of
from browser.translation.writer import (
    Context,
    assigned_names,
    is_generator,
    is_held,
    local_name,
    nonlocal_names,
)

# --- patterns of ``match``: classes, values, alternatives, names -----------------------------------

_UNCERTAIN = tuple(External(f"builtins.{name}") for name in ("float", "list", "tuple"))
Write = Callable[[ast.expr, Context], str]


def matches(node: ast.pattern, subject: str, context: Context, write: Write) -> str:
    """The test of a pattern, which binds its names: they are known in its guard."""
    if isinstance(node, ast.MatchValue):
        return f"$eq({subject}, {write(node.value, context)})"
    if isinstance(node, ast.MatchSingleton):
        return f"{subject} === {'null' if node.value is None else str(node.value).lower()}"
    if isinstance(node, ast.MatchAs):
        test = matches(node.pattern, subject, context, write) if node.pattern else "true"
        return f"({test} && ({local_name(node.name)} = {subject}, true))" if node.name else test
    if isinstance(node, ast.MatchOr):
        if any(isinstance(one, ast.MatchAs | ast.MatchStar) and one.name for one in ast.walk(node)):
            raise Untranslatable(f"names in alternatives: {ast.unparse(node)}")
        return f"({' || '.join(matches(one, subject, context, write) for one in node.patterns)})"
    if isinstance(node, ast.MatchClass) and not node.patterns:
        tests = [f"$isinstance({subject}, [{write(node.cls, context)}])"]
        if context.static(node.cls) in _UNCERTAIN:
            raise Untranslatable(f"the pattern {ast.unparse(node)}")
        for name, inner in zip(node.kwd_attrs, node.kwd_patterns, strict=True):
            tests.append(matches(inner, f"{subject}.{name}", context, write))
        return f"({' && '.join(tests)})"
    raise Untranslatable(f"the pattern {ast.unparse(node)}")


# --- statements and functions ----------------------------------------------------------------------


def module_statement(node: ast.stmt, context: Context) -> str:
    """An assignment at the top level."""
    if isinstance(node, ast.AnnAssign):
        node = ast.Assign([node.target], node.value or ast.Constant(None))
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        raise Untranslatable(ast.unparse(node))
    text = evaluated(node.value, context)
    (target,) = node.targets
    if isinstance(target, ast.Name):
        return f"const {expression(target, context)} = {text};"
    if isinstance(target, ast.Tuple) and all(isinstance(one, ast.Name) for one in target.elts):
        names = ", ".join(expression(one, context) for one in target.elts)
        return f"const [{names}] = $unpack({text}, {len(target.elts)});"
    raise Untranslatable(ast.unparse(node))


def evaluated(node: ast.expr, context: Context) -> str:
    """An expression outside of functions, with the temporaries that it needs."""
    inside = context.function(())
    text = expression(node, inside)
    declared = ", ".join(inside.temporaries.names)
    return f"(() => {{ let {declared}; return {text}; }})()" if declared else text


def function_definition(node: ast.FunctionDef, context: Context, name: str) -> str:
    """A function of the top level as a declaration."""
    described = json.dumps(signature_of(node).described)
    return f"const {name} = $fn({described}, {_decorated(node, function(node, context), context)});"


_CACHES = ("functools.cache", "functools.lru_cache")


def _decorated(node: ast.FunctionDef, text: str, context: Context) -> str:
    """A function within its decorators, of which the last is applied first."""
    for decorator in reversed(node.decorator_list):
        is_call = isinstance(decorator, ast.Call)
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        found = context.static(called)
        name = "" if found is None or isinstance(found, Global) else getattr(found, "name", "")
        if is_call and name != "functools.lru_cache":
            raise Untranslatable(f"the decorator {ast.unparse(decorator)}")
        if name in _CACHES and is_generator(node):
            raise Untranslatable(f"a cached generator: {node.name}")
        text = f"{expression(called, context)}({text})"
    return text


def function(node: ast.FunctionDef, context: Context, *, method: bool = False, owner: str = "self") -> str:
    """A function expression."""
    star = "*" if is_generator(node) else ""
    rest = _rest_prologue(node)
    if context.scopes and not method:
        defaults, defined = captured(node.args, context, expression)
    else:
        defaults, defined = fixed(node.args, context, expression), _as_it_is
    given = parameters(node.args, defaults, method=method)
    names = [*signature_of(node).names, *_stars(node)]
    lines = body(node.body, context, names, owner if method else "", node.args)
    end = "" if star or _ends(node.body) or not _has_value(node) else " return null;"
    return defined(f"function{star} ({given}) {{ {rest}{lines}{end} }}")


def _as_it_is(text: str) -> str:
    return text


def _ends(statements: list[ast.stmt]) -> bool:
    return bool(statements) and isinstance(statements[-1], ast.Return | ast.Raise)


def _has_value(node: ast.FunctionDef) -> bool:
    """Whether what a function returns may be used: None is not undefined, for which a default stands in."""
    return not (isinstance(node.returns, ast.Constant) and node.returns.value is None)


def body(
    statements: list[ast.stmt],
    context: Context,
    given: list[str],
    this: str = "",
    arguments: ast.arguments | None = None,
) -> str:
    """The body of a function: its variables, then its statements. ``this``: what ``this`` is called."""
    outer = nonlocal_names(statements)
    assigned = [name for name in assigned_names(statements) if name not in given and name not in outer]
    names = [*given, *assigned, *([this] if this else [])]
    kinds = local_kinds(arguments, statements, context.alias)
    if this:
        kinds[this] = kinds_of.object_of(context.within)
    inside = context.function(names, kinds)
    text = "\n".join(statement(one, inside) for one in statements)
    variables = [*map(local_name, assigned), *inside.temporaries.names]
    declared = f"let {', '.join(variables)};\n" if variables else ""
    own = f"const {local_name(this)} = this; " if this and _mentions(statements, this) else ""
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
    return assignments.assignment(target, value, context, expression)


def _annotated(node: ast.AnnAssign, context: Context) -> str:
    return assignment(node.target, expression(node.value, context), context) if node.value else ""


def _augmented(node: ast.AugAssign, context: Context) -> str:
    return augmented(node, context, expression)


def _assert(node: ast.Assert, _context: Context) -> str:
    if any(isinstance(one, ast.NamedExpr | ast.Yield | ast.YieldFrom) for one in ast.walk(node)):
        raise Untranslatable(f"an assertion with effects: {ast.unparse(node)}")
    return ""


def _if(node: ast.If, context: Context) -> str:
    if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return ""
    text = f"if ({condition(node.test, context)}) {block(node.body, context)}"
    return f"{text} else {block(node.orelse, context)}" if node.orelse else text


def _for(node: ast.For, context: Context) -> str:
    if node.orelse:
        raise Untranslatable(f"for ... else: {ast.unparse(node.iter)}")
    over = expression(node.iter, context)
    iterator = "$kept" if is_held(node.iter) else "$iter"
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
        inside = f"{{ {name}{block(one.body, replace(context, handles=True))} }}"
        if one.type is None:
            text = inside
        else:
            kinds = one.type.elts if isinstance(one.type, ast.Tuple) else [one.type]
            names = ", ".join(expression(kind, context) for kind in kinds)
            text = f"if ($isinstance($e, [{names}])) {inside} else {{ {text} }}"
    return text


def _raise(node: ast.Raise, context: Context) -> str:
    if node.exc is None:
        if not context.handles:
            raise Untranslatable("a raise of what another function handles")
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
    text = _decorated(node, function(node, context), context)
    return f"{local_name(node.name)} = $fn({described}, {text});"


def _match(node: ast.Match, context: Context) -> str:
    subject = context.temporaries.new()
    text = ""
    for case in reversed(node.cases):
        test = matches(case.pattern, subject, context, expression)
        if case.guard is not None:
            test = f"{test} && {condition(case.guard, context)}"
        text = f"if ({test}) {block(case.body, context)}" + (f" else {text}" if text else "")
    return f"{subject} = {expression(node.subject, context)};\n{text}"


def _nothing(_node: ast.stmt, _context: Context) -> str:
    return ""


_WRITERS: dict[type[ast.stmt], Callable[..., str]] = {
    ast.Expr: _expression, ast.Return: _return, ast.Assign: _assign, ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented, ast.If: _if, ast.For: _for, ast.While: _while, ast.With: _with, ast.Try: _try,
    ast.Raise: _raise, ast.Delete: _delete, ast.FunctionDef: _inner_function, ast.Match: _match,
    ast.Pass: _nothing, ast.Assert: _assert, ast.Import: _nothing, ast.ImportFrom: _nothing,
    ast.Nonlocal: _nothing, ast.Break: lambda *_: "break;", ast.Continue: lambda *_: "continue;",
}  # fmt: skip
