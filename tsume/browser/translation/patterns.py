"""Patterns of ``match``: classes, values, alternatives, names."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tsume.browser.translation.literals import Untranslatable
from tsume.browser.translation.names import local_name
from tsume.browser.translation.writer import Context

Write = Callable[[ast.expr, Context], str]


def matches(node: ast.pattern, subject: str, context: Context, write: Write) -> tuple[str, str]:
    """The test of a pattern, and the statements that bind its names."""
    if isinstance(node, ast.MatchValue):
        return f"$eq({subject}, {write(node.value, context)})", ""
    if isinstance(node, ast.MatchSingleton):
        return f"{subject} === {'null' if node.value is None else str(node.value).lower()}", ""
    if isinstance(node, ast.MatchAs):
        test, bindings = matches(node.pattern, subject, context, write) if node.pattern else ("true", "")
        return test, bindings + (f"{local_name(node.name)} = {subject}; " if node.name else "")
    if isinstance(node, ast.MatchOr):
        parts = [matches(one, subject, context, write)[0] for one in node.patterns]
        return f"({' || '.join(parts)})", ""
    if isinstance(node, ast.MatchClass) and not node.patterns:
        tests = [f"$isinstance({subject}, [{write(node.cls, context)}])"]
        bindings = ""
        for name, inner in zip(node.kwd_attrs, node.kwd_patterns, strict=True):
            test, bound = matches(inner, f"{subject}.{name}", context, write)
            tests.append(test)
            bindings += bound
        return f"({' && '.join(tests)})", bindings
    raise Untranslatable(f"the pattern {ast.unparse(node)}")
