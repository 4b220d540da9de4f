# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of kernel modules as JavaScript expressions: constants, tables, types of records, kernels."""

from __future__ import annotations

import ast
import inspect
import json
import math
import textwrap
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

import numpy as np

from tsume_rules.kernel.compile import JitKernel, KernelUnit

_SAFE = 2**53 - 1
"""The largest integer that is a number in JavaScript; larger ones are BigInt."""
_SHORT = 20
"""Longer lists of real numbers are written as tables."""


class Untranslatable(Exception):
    """There is no JavaScript for something; the message says for what and where."""


def number_literal(value: float) -> str:
    """An integer or a float."""
    if isinstance(value, int):
        return str(value) if abs(value) <= _SAFE else f"{value}n"
    if math.isnan(value):
        return "NaN"
    return repr(value) if math.isfinite(value) else "Infinity" if value > 0 else "-Infinity"


def text_literal(value: str) -> str:
    """A text."""
    return json.dumps(value, ensure_ascii=any(map(_is_surrogate, value)))


def _is_surrogate(character: str) -> bool:
    return "\ud800" <= character <= "\udfff"


def literal(value: Any, name: str) -> str:
    """A value that a kernel module defines under a qualified name."""
    if isinstance(value, JitKernel):
        return f"$kernel({json.dumps(name)})"
    if isinstance(value, np.dtype):
        return f"$record_type({json.dumps(name)})"
    if isinstance(value, type) and hasattr(value, "_fields"):
        return f"$namedtuple({json.dumps(value.__name__)}, {json.dumps(list(value._fields))})"
    return constant(value)


def constant(value: Any, class_name: Callable[[type], str] | None = None) -> str:
    """A number, a text, a tuple, a table, a dictionary, or a data class by the name of its class."""
    if value is None:
        return "null"
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, Enum):
        raise Untranslatable(f"the member {value!r} of an enumeration as a constant")
    if isinstance(value, int | np.integer):
        return number_literal(int(value))
    if isinstance(value, float | np.floating):
        return number_literal(float(value))
    if isinstance(value, str):
        return text_literal(value)
    if isinstance(value, list) and len(value) > _SHORT and all(isinstance(one, float) for one in value):
        return f"{_array(np.array(value))}.tolist()"
    if isinstance(value, tuple | list):
        return f"[{', '.join(constant(one, class_name) for one in value)}]"
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, dict):
        pairs = (f"[{constant(key, class_name)}, {constant(one, class_name)}]" for key, one in value.items())
        return f"$dict([{', '.join(pairs)}])"
    if is_dataclass(value) and class_name is not None:
        parts = [constant(getattr(value, one.name), class_name) for one in fields(value)]
        return f"new {class_name(type(value))}({', '.join(parts)})"
    raise Untranslatable(f"a constant of type {type(value).__name__}")


def classes_in(value: Any) -> set[type]:
    """The data classes within a value."""
    if isinstance(value, dict):
        return set().union(*map(classes_in, value.values()))
    if isinstance(value, tuple | list):
        return set().union(*map(classes_in, value))
    return {type(value)} if is_dataclass(value) else set()


def _array(value: np.ndarray) -> str:
    """A table, exactly; of real numbers in the shortest digits that give the same in a lower precision."""
    if value.dtype != np.float64:
        return f"numpy.array({_rows(value)}, numpy.{value.dtype.name})"
    for lower in (np.float16, np.float32):
        with np.errstate(over="ignore"):
            short = value.astype(lower)
        if np.array_equal(short, value):
            return f"numpy.widened({_rows(short)}, {np.finfo(lower).nmant})"
    return f"numpy.array({_rows(value)}, numpy.float64)"


def _rows(values: Any) -> str:
    if isinstance(values, np.ndarray):
        return f"[{','.join(map(_rows, values))}]"
    return str(values) if isinstance(values, np.floating) else constant(values).removesuffix(".0")


def one_line_function(kernel: Any) -> ast.FunctionDef | None:
    """The source of a kernel that is one expression of its integers: quicker translated than called."""
    if not isinstance(kernel, JitKernel) or isinstance(kernel, KernelUnit):
        return None
    tree = ast.parse(textwrap.dedent(inspect.getsource(kernel.py_func))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    body = [one for one in tree.body if not _is_docstring(one)]
    if len(body) != 1 or not isinstance(body[0], ast.Return) or body[0].value is None:
        return None
    simple = (ast.BinOp, ast.Compare, ast.Name, ast.Constant, ast.operator, ast.cmpop, ast.expr_context)
    tree.decorator_list = []
    return tree if all(isinstance(node, simple) for node in ast.walk(body[0].value)) else None


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
