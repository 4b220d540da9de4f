# SPDX-License-Identifier: GPL-3.0-or-later
"""Statements and functions."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable
from dataclasses import replace

from browser.translation import expressions
from browser.translation.context import Context, assigned_names, is_generator, local_name, nonlocal_names
from browser.translation.modules import External, Untranslatable, is_for_types, local_kinds, object_kind, signature_of

# --- the top level, and functions ------------------------------------------------------------------

_CACHES = ("functools.cache", "functools.lru_cache")


def module_statement(node: ast.stmt, context: Context) -> str:
    """Write an assignment at the top level."""
    if isinstance(node, ast.AnnAssign):
        node = ast.Assign([node.target], node.value or ast.Constant(None))
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        raise Untranslatable(ast.unparse(node))
    text = top_level_expression(node.value, context)
    (target,) = node.targets
    if isinstance(target, ast.Name):
        return f"const {expressions.expression(target, context)} = {text};"
    if isinstance(target, ast.Tuple) and all(isinstance(one, ast.Name) for one in target.elts):
        names = ", ".join(expressions.expression(one, context) for one in target.elts)
        return f"const [{names}] = $unpack({text}, {len(target.elts)});"
    raise Untranslatable(ast.unparse(node))


def top_level_expression(node: ast.expr, context: Context) -> str:
    """Write an expression outside of functions, with the temporaries that it needs."""
    inside = context.function(())
    text = expressions.expression(node, inside)
    declared = ", ".join(inside.temporaries.names)
    return f"(() => {{ let {declared}; return {text}; }})()" if declared else text


def function_definition(node: ast.FunctionDef, context: Context) -> str:
    """Write a function with its parameters for the runtime, within its decorators: the last comes first."""
    text = function_expression(node, context)
    for decorator in reversed(node.decorator_list):
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        found = context.static(called)
        name = found.name if isinstance(found, External) else ""
        if isinstance(decorator, ast.Call) and name != "functools.lru_cache":
            raise Untranslatable(f"the decorator {ast.unparse(decorator)}")
        if name in _CACHES and is_generator(node):
            raise Untranslatable(f"a cached generator: {node.name}")
        text = f"{expressions.expression(called, context)}({text})"
    return f"$fn({json.dumps(signature_of(node).described)}, {text})"


def function_expression(node: ast.FunctionDef, context: Context, *, method: bool = False, owner: str = "self") -> str:
    """Write a function expression; ``owner`` is the parameter of a method that JavaScript calls ``this``.

    Defaults stand in the parameter list. Those of an inner function may differ each time that it is defined: a
    call around the function (``with_defaults``) evaluates them there.
    """
    given = node.args
    keywords = ""
    if given.vararg and (given.kwarg or given.kwonlyargs):
        if given.kwonlyargs or given.kwarg is None:
            raise Untranslatable(f"{node.name}: * with named keywords")
        keywords = f"const {local_name(given.kwarg.arg)} = $taken_keywords({local_name(given.vararg.arg)}); "
    if context.scopes and not method:
        defaults, with_defaults = expressions.inner_defaults(given, context)
    else:
        defaults, with_defaults = expressions.constant_defaults(given, context), str
    stars = [one.arg for one in (given.vararg, given.kwarg) if one]
    names = [*signature_of(node).names, *stars]
    lines = function_body(node.body, context, names, owner if method else "", given)
    star = "*" if is_generator(node) else ""
    ends = isinstance(node.body[-1], ast.Return | ast.Raise)
    returns_none = isinstance(node.returns, ast.Constant) and node.returns.value is None
    # None is not undefined, for which a default stands in: what a function returns may be an argument
    end = "" if star or ends or returns_none else " return null;"
    listed = expressions.parameters(given, defaults, method=method)
    return with_defaults(f"function{star} ({listed}) {{ {keywords}{lines}{end} }}")


def function_body(
    statements: list[ast.stmt],
    context: Context,
    given: list[str],
    this: str = "",
    arguments: ast.arguments | None = None,
) -> str:
    """Write the body of a function: its variables, then its statements. ``this``: what ``this`` is called."""
    outer = nonlocal_names(statements)
    assigned = [name for name in assigned_names(statements) if name not in given and name not in outer]
    names = [*given, *assigned, *([this] if this else [])]
    kinds = local_kinds(arguments, statements, context.alias)
    if this:
        kinds[this] = object_kind(context.within)
    inside = context.function(names, kinds)
    text = "\n".join(statement(one, inside) for one in statements)
    variables = [*map(local_name, assigned), *inside.temporaries.names]
    declared = f"let {', '.join(variables)};\n" if variables else ""
    nodes = (node for one in statements for node in ast.walk(one))
    uses_this = any(isinstance(node, ast.Name) and node.id == this for node in nodes)
    own = f"const {local_name(this)} = this; " if this and uses_this else ""
    return f"{own}{declared}{text}"


# --- statements ------------------------------------------------------------------------------------

_NOTHING = (ast.Pass, ast.Import, ast.ImportFrom, ast.Nonlocal)
_UNCERTAIN = tuple(External(f"builtins.{name}") for name in ("float", "list", "tuple"))
"""Classes that JavaScript cannot tell from others."""


def statement(node: ast.stmt, context: Context) -> str:
    """Write a statement."""
    text: str = "" if isinstance(node, _NOTHING) else _Writer(context).visit(node)
    return text


def block(statements: Iterable[ast.stmt], context: Context) -> str:
    """Write statements in braces."""
    return "{\n" + "\n".join(statement(one, context) for one in statements) + "\n}"


class _Writer(ast.NodeVisitor):
    """Writes statements of one context, each by the method of its class."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def _write(self, node: ast.expr) -> str:
        return expressions.expression(node, self._context)

    def _block(self, statements: Iterable[ast.stmt]) -> str:
        return block(statements, self._context)

    def generic_visit(self, node: ast.AST) -> str:
        raise Untranslatable(f"{ast.unparse(node)} ({type(node).__name__})")

    def visit_Break(self, _node: ast.Break) -> str:
        return "break;"

    def visit_Continue(self, _node: ast.Continue) -> str:
        return "continue;"

    def visit_Expr(self, node: ast.Expr) -> str:
        is_docstring = isinstance(node.value, ast.Constant)
        return "" if is_docstring else f"{self._write(node.value)};"

    def visit_Return(self, node: ast.Return) -> str:
        return f"return {self._write(node.value) if node.value else 'null'};"

    def visit_Assign(self, node: ast.Assign) -> str:
        value = self._write(node.value)
        if len(node.targets) == 1:
            return expressions.assignment(node.targets[0], value, self._context)
        temporary = self._context.temporaries.new()
        parts = (expressions.assignment(one, temporary, self._context) for one in node.targets)
        return f"{temporary} = {value}; " + " ".join(parts)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> str:
        return expressions.assignment(node.target, self._write(node.value), self._context) if node.value else ""

    def visit_AugAssign(self, node: ast.AugAssign) -> str:
        return expressions.augmented_assignment(node, self._context)

    def visit_Delete(self, node: ast.Delete) -> str:
        texts = []
        for target in node.targets:
            if not isinstance(target, ast.Subscript):
                raise Untranslatable(ast.unparse(node))
            texts.append(f"$delete({self._write(target.value)}, {expressions.subscript(target.slice, self._context)});")
        return " ".join(texts)

    def visit_Assert(self, node: ast.Assert) -> str:
        if any(isinstance(one, ast.NamedExpr | ast.Yield | ast.YieldFrom) for one in ast.walk(node)):
            raise Untranslatable(f"an assertion with effects: {ast.unparse(node)}")
        return ""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> str:
        return f"{local_name(node.name)} = {function_definition(node, self._context)};"

    # --- branches and loops -----------------------------------------------------------------------

    def visit_If(self, node: ast.If) -> str:
        if is_for_types(node):
            return ""
        text = f"if ({expressions.condition(node.test, self._context)}) {self._block(node.body)}"
        return f"{text} else {self._block(node.orelse)}" if node.orelse else text

    def visit_For(self, node: ast.For) -> str:
        if node.orelse:
            raise Untranslatable(f"for ... else: {ast.unparse(node.iter)}")
        over = expressions.loop_iterable(node.iter, self._context)
        inside = self._block(node.body)
        if isinstance(node.target, ast.Name):
            return f"for ({self._write(node.target)} of {over}) {inside}"
        temporary = self._context.temporaries.new()
        first = expressions.assignment(node.target, temporary, self._context)
        return f"for ({temporary} of {over}) {{ {first}\n{inside} }}"

    def visit_While(self, node: ast.While) -> str:
        if node.orelse:
            raise Untranslatable("while ... else")
        return f"while ({expressions.condition(node.test, self._context)}) {self._block(node.body)}"

    def visit_Match(self, node: ast.Match) -> str:
        subject = self._context.temporaries.new()
        text = ""
        for case in reversed(node.cases):
            test = self._matches(case.pattern, subject)
            if case.guard is not None:
                test = f"{test} && {expressions.condition(case.guard, self._context)}"
            text = f"if ({test}) {self._block(case.body)}" + (f" else {text}" if text else "")
        return f"{subject} = {self._write(node.subject)};\n{text}"

    def _matches(self, node: ast.pattern, subject: str) -> str:
        """Write the test of a pattern, which binds its names: they are known in its guard."""
        match node:
            case ast.MatchValue():
                return f"$eq({subject}, {self._write(node.value)})"
            case ast.MatchSingleton():
                return f"{subject} === {'null' if node.value is None else str(node.value).lower()}"
            case ast.MatchAs():
                test = self._matches(node.pattern, subject) if node.pattern else "true"
                return f"({test} && ({local_name(node.name)} = {subject}, true))" if node.name else test
            case ast.MatchOr():
                if any(isinstance(one, ast.MatchAs | ast.MatchStar) and one.name for one in ast.walk(node)):
                    raise Untranslatable(f"names in alternatives: {ast.unparse(node)}")
                return f"({' || '.join(self._matches(one, subject) for one in node.patterns)})"
            case ast.MatchClass(patterns=[]) if self._context.static(node.cls) not in _UNCERTAIN:
                tests = [f"$isinstance({subject}, [{self._write(node.cls)}])"]
                for name, inner in zip(node.kwd_attrs, node.kwd_patterns, strict=True):
                    tests.append(self._matches(inner, f"{subject}.{name}"))
                return f"({' && '.join(tests)})"
        raise Untranslatable(f"the pattern {ast.unparse(node)}")

    # --- exceptions and context managers ----------------------------------------------------------

    def visit_With(self, node: ast.With) -> str:
        text = self._block(node.body)
        for item in reversed(node.items):
            manager, failed = self._context.temporaries.new(), self._context.temporaries.new()
            first = f"$enter({manager});"
            if item.optional_vars:
                first = expressions.assignment(item.optional_vars, f"$enter({manager})", self._context)
            made = self._write(item.context_expr)
            text = (
                f"{{ const {manager} = {made}; let {failed} = false; {first}\n"
                f"try {text} catch ($e) {{ {failed} = true; if (!$exit({manager}, $e)) throw $e; }} "
                f"finally {{ if (!{failed}) $exit({manager}, null); }} }}"
            )
        return text

    def visit_Try(self, node: ast.Try) -> str:
        before, flag = "", ""
        inner = self._block(node.body)
        if node.orelse:
            flag = self._context.temporaries.new()
            before = f"{flag} = false; "
            inner = f"{{ {inner} {flag} = true; }}"
        text = f"{before}try {inner}"
        if node.handlers:
            text += f" catch ($e) {{ {self._handlers(node.handlers)} }}"
        if node.orelse:
            orelse = f" if ({flag}) {self._block(node.orelse)}"
            if not node.finalbody:
                return text + orelse
            text = f"try {{ {text}{orelse} }}"
        return f"{text} finally {self._block(node.finalbody)}" if node.finalbody else text

    def _handlers(self, handlers: list[ast.ExceptHandler]) -> str:
        """Write what is done about an exception: by the first handler of its class, if there is one."""
        text = "throw $e;"
        for one in reversed(handlers):
            name = f"{local_name(one.name)} = $e; " if one.name else ""
            handled = f"{{ {name}{block(one.body, replace(self._context, handles=True))} }}"
            if one.type is None:
                text = handled
            else:
                kinds = one.type.elts if isinstance(one.type, ast.Tuple) else [one.type]
                names = ", ".join(map(self._write, kinds))
                text = f"if ($isinstance($e, [{names}])) {handled} else {{ {text} }}"
        return text

    def visit_Raise(self, node: ast.Raise) -> str:
        if node.exc is not None:
            return f"throw $raised({self._write(node.exc)});"
        if not self._context.handles:
            raise Untranslatable("a raise of what another function handles")
        return "throw $e;"
