# SPDX-License-Identifier: GPL-3.0-or-later
"""Patterns of ``match``: classes, values, alternatives, names."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tsume.browser.translation.literals import Untranslatable
from tsume.browser.translation.modules import External
from tsume.browser.translation.names import local_name
from tsume.browser.translation.writer import Context

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
