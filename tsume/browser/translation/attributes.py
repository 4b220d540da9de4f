# SPDX-License-Identifier: GPL-3.0-or-later
"""Attributes: values of modules, of classes and of objects; methods as values are bound to their objects."""

from __future__ import annotations

import ast
import json

from tsume.browser.translation.externals import BUILTIN_METHODS
from tsume.browser.translation.literals import Untranslatable
from tsume.browser.translation.modules import External, Global
from tsume.browser.translation.targets import Write
from tsume.browser.translation.writer import Context

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
