# SPDX-License-Identifier: GPL-3.0-or-later
"""What classes must not have: it has no counterpart in JavaScript, or another meaning there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tsume.browser.translation.literals import Untranslatable
from tsume.browser.translation.modules import External, Global
from tsume.browser.translation.signatures import decorators, field_nodes
from tsume.browser.translation.writer import Context

_CLASS_DECORATORS = frozenset(("dataclass", "final", "unique", "runtime_checkable"))
_METHOD_DECORATORS = frozenset(
    (
        "property",
        "cached_property",
        "classmethod",
        "staticmethod",
        "contextmanager",
        "abstractmethod",
        "override",
    )
)
_OPERATORS = (
    "eq", "lt", "le", "gt", "ge", "add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "and", "rand", "or",
    "ror", "xor", "rxor", "neg", "invert",
)  # fmt: skip
_METHODS = (
    "init", "post_init", "str", "repr", "len", "iter", "getitem", "setitem", "delitem", "contains", "call",
    "bool", "enter", "exit",
)  # fmt: skip
_SPECIAL = frozenset(f"__{name}__" for name in (*_OPERATORS, *_METHODS))
"""Special methods that the runtime calls."""
UNUSED = frozenset(("__getstate__", "__setstate__", "__reduce__", "__sizeof__"))
"""Special methods that a program does not call itself; they are left out."""
_FORBIDDEN = frozenset(("constructor", "prototype", "__proto__", "caller", "arguments"))
"""Names that members of classes cannot have in JavaScript."""
_STATIC = frozenset(("name", "length", "call", "apply", "bind"))
"""Names that functions of JavaScript have themselves."""


def check_class(node: ast.ClassDef, context: Context) -> None:
    """Raise `Untranslatable` if a class would be another in JavaScript."""
    for fault in _faults(node, context):
        raise Untranslatable(f"class {node.name}: {fault}")


def _faults(node: ast.ClassDef, context: Context) -> Iterator[str]:
    for name, decorator in decorators(node).items():
        if name not in _CLASS_DECORATORS:
            yield f"the decorator {ast.unparse(decorator)}"
    if node.keywords:
        yield "keywords of the class"
    for one in node.body:
        yield from _statement_faults(one)
    yield from _name_faults(node)
    if is_dataclass(node):
        yield from _field_faults(node)
    bases = context.signatures.bases(Global(context.module, node.name))
    if not any(isinstance(base, External) and base.name.startswith("enum.") for base in bases):
        yield from _scope_faults(node)
    for base in bases:
        if isinstance(base, External) and base.name in _BUILT_IN:
            yield f"the base {base.name}"


_BUILT_IN = frozenset(
    ("dict", "list", "set", "frozenset", "tuple", "str", "int", "float", "bool", "type", "bytes")
)


def is_dataclass(node: ast.ClassDef) -> bool:
    """Whether a class is a data class."""
    return "dataclass" in decorators(node)


def _statement_faults(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef):
        names = [name for name in decorators(node) if name not in _METHOD_DECORATORS]
        if names:
            yield f"the decorator {names[0]} of {node.name}"
    elif isinstance(node, ast.Assign):
        if len(node.targets) > 1 or not isinstance(node.targets[0], ast.Name):
            yield ast.unparse(node)
    elif isinstance(node, ast.Expr):
        if not isinstance(node.value, ast.Constant):
            yield ast.unparse(node)
    elif not isinstance(node, ast.AnnAssign | ast.Pass):
        yield f"line {node.lineno}: {type(node).__name__}"


def _name_faults(node: ast.ClassDef) -> Iterator[str]:
    seen: set[str] = set()
    for one in node.body:
        name = getattr(one, "name", "")
        if name in seen and name:
            yield f"{name} is defined twice"
        seen.add(name)
        if name.startswith("__") and name.endswith("__") and name not in _SPECIAL | UNUSED:
            yield f"the method {name}"
        if name in _STATIC and isinstance(one, ast.FunctionDef) and _is_static(one):
            yield f"the name {name}"
    for member in _member_names(node):
        if member in _FORBIDDEN:
            yield f"the name {member}"
        if member.startswith("__") and not member.endswith("__"):
            yield f"the private name {member}"


def _is_static(node: ast.FunctionDef) -> bool:
    return bool({"classmethod", "staticmethod"} & set(decorators(node)))


def _member_names(node: ast.ClassDef) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.FunctionDef):
            yield inner.name
        elif (
            isinstance(inner, ast.Attribute)
            and isinstance(inner.value, ast.Name)
            and inner.value.id == "self"
        ):
            yield inner.attr
    yield from _class_names(node)


def _class_names(node: ast.ClassDef) -> Iterator[str]:
    for one in node.body:
        targets = (
            one.targets
            if isinstance(one, ast.Assign)
            else [one.target]
            if isinstance(one, ast.AnnAssign)
            else []
        )
        for target in targets:
            if isinstance(target, ast.Name):
                yield target.id


def _scope_faults(node: ast.ClassDef) -> Iterator[str]:
    """Names of the class itself are not in sight in JavaScript."""
    own = {*_class_names(node), *(one.name for one in node.body if isinstance(one, ast.FunctionDef))}
    for one in node.body:
        for part in _evaluated_parts(one):
            for name in ast.walk(part):
                if isinstance(name, ast.Name) and name.id in own:
                    yield f"{name.id} is used where the class is defined"


def _evaluated_parts(node: ast.stmt) -> list[ast.expr]:
    if isinstance(node, ast.FunctionDef):
        return [one for one in (*node.args.defaults, *node.args.kw_defaults) if one is not None]
    value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
    return [value] if value is not None else []


_DATACLASS_OPTIONS = frozenset(("frozen", "order", "eq", "slots", "kw_only"))
_FIELD_OPTIONS = frozenset(("default", "default_factory", "init", "repr", "compare", "hash", "kw_only"))


def _field_faults(node: ast.ClassDef) -> Iterator[str]:
    for name, value in options(node).items():
        if name not in _DATACLASS_OPTIONS or not isinstance(value, ast.Constant):
            yield f"the option {name}"
    for name, default in field_nodes(node):
        if isinstance(default, ast.Call) and is_field(default):
            for option in default.keywords:
                if option.arg not in _FIELD_OPTIONS:
                    yield f"the option {option.arg} of {name}"
    for one in node.body:
        if isinstance(one, ast.AnnAssign) and ast.unparse(one.annotation).startswith(("InitVar", "KW_ONLY")):
            yield ast.unparse(one)


def options(node: ast.ClassDef) -> dict[str, ast.expr]:
    """The options of a data class."""
    found = decorators(node).get("dataclass")
    return {one.arg or "**": one.value for one in found.keywords} if isinstance(found, ast.Call) else {}


def has_option(node: ast.ClassDef, name: str, otherwise: bool) -> bool:
    """The value of an option of a data class."""
    value = options(node).get(name)
    return bool(value.value) if isinstance(value, ast.Constant) else otherwise


def is_field(node: ast.expr) -> bool:
    """Whether a default is a call of ``field``."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "field"


def field_option(default: ast.expr | None, name: str) -> ast.expr | None:
    """An option of a field."""
    if not isinstance(default, ast.Call) or not is_field(default):
        return None
    return next((one.value for one in default.keywords if one.arg == name), None)


def is_off(default: ast.expr | None, name: str) -> bool:
    """Whether an option of a field is false."""
    value = field_option(default, name)
    return isinstance(value, ast.Constant) and value.value is False
