# SPDX-License-Identifier: GPL-3.0-or-later
"""Comprehensions and generator expressions: functions whose variables are shared by all rounds."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tsume.browser.translation.names import is_held, local_name, target_names
from tsume.browser.translation.targets import Write, assignment
from tsume.browser.translation.writer import Context

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
