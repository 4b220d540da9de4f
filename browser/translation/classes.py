# SPDX-License-Identifier: GPL-3.0-or-later
"""Classes: data classes, named tuples, enumerations, exceptions and plain ones."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from browser.translation import modules
from browser.translation.context import ERASED_BASES, Context, constant, external_text, is_generator, local_name
from browser.translation.expressions import defaults_of, expression, is_unchanging
from browser.translation.statements import function_body, function_expression, top_level_expression

# --- what classes must not have: it has no counterpart in JavaScript, or another meaning there ------

_CLASS_DECORATORS = frozenset(("dataclass", "final", "unique", "runtime_checkable"))
_METHOD_DECORATORS = frozenset({
    "property", "cached_property", "classmethod", "staticmethod", "contextmanager", "abstractmethod",
    "override",
})  # fmt: skip
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
_BUILT_IN = frozenset(("dict", "list", "set", "frozenset", "tuple", "str", "int", "float", "bool", "type", "bytes"))
_DATACLASS_OPTIONS = frozenset(("frozen", "order", "eq", "slots", "kw_only"))
_FIELD_OPTIONS = frozenset(("default", "default_factory", "init", "repr", "compare", "hash", "kw_only"))


def check_class(node: ast.ClassDef, context: Context) -> None:
    """Raise `Untranslatable` if a class would be another in JavaScript."""
    here = modules.Global(context.module, node.name)
    bases = [base.name for base in context.signatures.bases(here) if isinstance(base, modules.External)]
    unknown = [one for name, one in modules.decorators(node).items() if name not in _CLASS_DECORATORS]
    faults = [
        *(f"the decorator {ast.unparse(one)}" for one in unknown),
        *(["keywords of the class"] if node.keywords else []),
        *_statement_faults(node),
        *_name_faults(node),
        *(_field_faults(node) if is_dataclass(node) else []),
        *(_scope_faults(node) if not context.signatures.is_enum(here) else []),
        *(f"the base {name}" for name in bases if name in _BUILT_IN),
    ]
    if faults:
        raise modules.Untranslatable(f"class {node.name}: {faults[0]}")


def _statement_faults(node: ast.ClassDef) -> Iterator[str]:
    for one in node.body:
        match one:
            case ast.FunctionDef():
                names = [name for name in modules.decorators(one) if name not in _METHOD_DECORATORS]
                if names:
                    yield f"the decorator {names[0]} of {one.name}"
            case ast.Assign(targets=[ast.Name()]) | ast.AnnAssign() | ast.Expr(ast.Constant()) | ast.Pass():
                pass
            case ast.Assign() | ast.Expr():
                yield ast.unparse(one)
            case _:
                yield f"line {one.lineno}: {type(one).__name__}"


def _name_faults(node: ast.ClassDef) -> Iterator[str]:
    seen: set[str] = set()
    for one in modules.methods_of(node):
        name = one.name
        if name in seen:
            yield f"{name} is defined twice"
        seen.add(name)
        if name.startswith("__") and name.endswith("__") and name not in _SPECIAL | UNUSED:
            yield f"the method {name}"
        if name in _STATIC and is_class_method(one):
            yield f"the name {name}"
    inner = list(ast.walk(node))
    members = [one.name for one in inner if isinstance(one, ast.FunctionDef)]
    members += [
        one.attr
        for one in inner
        if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id == "self"
    ]
    members += [target.id for one in node.body for target, _ in assigned_values(one)]
    for member in members:
        if member in _FORBIDDEN:
            yield f"the name {member}"
        if member.startswith("__") and not member.endswith("__"):
            yield f"the private name {member}"


def _scope_faults(node: ast.ClassDef) -> Iterator[str]:
    """Names of the class itself are not in sight in JavaScript."""
    values = [pair for one in node.body for pair in assigned_values(one)]
    own = {target.id for target, _ in values} | {one.name for one in modules.methods_of(node)}
    parts = [value for _, value in values if value is not None]
    parts += [default for one in modules.methods_of(node) for default in defaults_of(one.args)]
    for name in (name for part in parts for name in ast.walk(part)):
        if isinstance(name, ast.Name) and name.id in own:
            yield f"{name.id} is used where the class is defined"


def _field_faults(node: ast.ClassDef) -> Iterator[str]:
    for name, value in dataclass_options(node).items():
        if name not in _DATACLASS_OPTIONS or not isinstance(value, ast.Constant):
            yield f"the option {name}"
    for name, default in modules.field_nodes(node):
        if isinstance(default, ast.Call) and is_field(default):
            for option in default.keywords:
                if option.arg not in _FIELD_OPTIONS:
                    yield f"the option {option.arg} of {name}"
    for one in node.body:
        if isinstance(one, ast.AnnAssign) and ast.unparse(one.annotation).startswith(("InitVar", "KW_ONLY")):
            yield ast.unparse(one)


# --- parts of classes ------------------------------------------------------------------------------


def is_class_method(node: ast.FunctionDef) -> bool:
    """Return whether a method is one of the class."""
    return bool({"classmethod", "staticmethod"} & set(modules.decorators(node)))


def assigned_values(node: ast.stmt) -> Iterator[tuple[ast.Name, ast.expr | None]]:
    """Yield the names to which a statement assigns, with the value."""
    if isinstance(node, ast.Assign | ast.AnnAssign):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Name):
                yield target, node.value


def is_dataclass(node: ast.ClassDef) -> bool:
    """Return whether a class is a data class."""
    return "dataclass" in modules.decorators(node)


def dataclass_options(node: ast.ClassDef) -> dict[str, ast.expr]:
    """Return the options of a data class."""
    found = modules.decorators(node).get("dataclass")
    return {one.arg or "**": one.value for one in found.keywords} if isinstance(found, ast.Call) else {}


def dataclass_option(node: ast.ClassDef, name: str, otherwise: bool) -> bool:
    """Return the value of an option of a data class."""
    value = dataclass_options(node).get(name)
    return bool(value.value) if isinstance(value, ast.Constant) else otherwise


def is_field(node: ast.expr | None) -> bool:
    """Return whether a default is a call of ``field``."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "field"


def field_option(default: ast.expr | None, name: str) -> ast.expr | None:
    """Return an option of a field."""
    if not isinstance(default, ast.Call) or not is_field(default):
        return None
    return next((one.value for one in default.keywords if one.arg == name), None)


def is_field_option_false(default: ast.expr | None, name: str) -> bool:
    """Return whether an option of a field is false."""
    value = field_option(default, name)
    return isinstance(value, ast.Constant) and value.value is False


# --- classes ---------------------------------------------------------------------------------------


def class_definition(node: ast.ClassDef, context: Context, name: str) -> str:
    """Write a class and what is said of it."""
    check_class(node, context)
    return _Class(node, context, name).text()


@dataclass(frozen=True)
class _Field:
    """A field of a data class or a named tuple, and the module whose names its default uses."""

    name: str
    default: ast.expr | None
    module: str


class _Class:
    def __init__(self, node: ast.ClassDef, context: Context, name: str) -> None:
        self._node, self._context, self._name = node, context, name
        self._global = modules.Global(context.module, node.name)
        bases = context.signatures.bases(self._global)
        self._bases = [one for one in bases if not isinstance(one, modules.External) or one.name not in ERASED_BASES]
        self._methods = [one for one in modules.methods_of(node) if one.name not in UNUSED]
        self._has_init = any(one.name == "__init__" for one in self._methods)

    def text(self) -> str:
        if self._context.signatures.is_enum(self._global):
            base, members, said = self._enum()
        else:
            base, members, said = self._base(), *self._contents()
        members += [self._method(one) for one in self._methods]
        for one in filter(is_class_method, self._methods):  # instances, too, have the methods of the class
            call = f"function (...$given) {{ return this.constructor.{one.name}(...$given); }}"
            said.append(f"{self._name}.prototype.{one.name} = {call};")
        said += self._method_parameters()
        return "\n".join([f"class {self._name} extends {base} {{", "\n".join(members), "}", *said])

    def _base(self) -> str:
        bases = [one for one in self._bases if one != modules.External("typing.NamedTuple")]
        if len(bases) > 1:
            raise modules.Untranslatable(f"several bases of {self._node.name}")
        if not bases:
            return "$NamedTuple" if self._bases else "$Object"
        (base,) = bases
        if isinstance(base, modules.Global):
            return self._context.js_name(base)
        return external_text(base.name if "." in base.name else f"builtins.{base.name}")

    def _enum(self) -> tuple[str, list[str], list[str]]:
        """Return the base, no members, and the values, which are those of the class in Python."""
        if len(self._bases) > 1 or self._has_init:
            raise modules.Untranslatable(f"the enumeration {self._node.name} with another base or a constructor")
        (base,) = self._bases
        assert isinstance(base, modules.External)
        kind: Any = getattr(import_module(self._context.module), self._node.name)
        values = (f"[{json.dumps(name)}, {constant(one.value)}]" for name, one in kind.__members__.items())
        return external_text(base.name), [], [f"$enum_members({self._name}, [{', '.join(values)}]);"]

    def _contents(self) -> tuple[list[str], list[str]]:
        """Return the constructor if it is not a method, and what is said of fields and constants."""
        named_tuple = modules.External("typing.NamedTuple") in self._bases
        has_fields = is_dataclass(self._node) or named_tuple
        members, said = [], []
        if has_fields:
            fields = self._fields()
            members.append("" if self._has_init else self._constructor(fields))
            said.append(self._described("namedtuple" if named_tuple else "dataclass", fields))
        else:
            said.append(f"$describe({self._name}, {json.dumps(self._parameters())});")
        for one in sorted(self._node.body, key=lambda one: isinstance(one, ast.AnnAssign)):
            is_constant = not isinstance(one, ast.AnnAssign) or (
                not has_fields or ast.unparse(one.annotation).startswith("ClassVar")
            )
            for target, value in assigned_values(one) if is_constant else ():
                if value and target.id not in ("__slots__", "__match_args__"):
                    text = top_level_expression(value, self._context)
                    said.append(f'$class_value({self._name}, "{target.id}", {text});')
        return members, said

    def _parameters(self) -> list[str]:
        signature = self._context.signatures.of(self._global)
        return signature.described if signature else []

    # --- data classes -----------------------------------------------------------------------------

    def _fields(self) -> list[_Field]:
        """Return the fields, those of bases first."""
        lineage = [self._global]
        for one in lineage:
            lineage += [base for base in self._context.signatures.bases(one) if isinstance(base, modules.Global)]
        found: dict[str, _Field] = {}
        for one in reversed(lineage):
            node = self._context.signatures.class_node(one)
            for name, default in modules.field_nodes(node) if node else []:
                found[name] = _Field(name, default, one.module)
        return list(found.values())

    def _constructor(self, fields: list[_Field]) -> str:
        given, lines = [], []
        for one in sorted(fields, key=lambda one: modules.is_keyword_only(one.default)):
            local = local_name(one.name)
            text = self._default(one)
            if is_field_option_false(one.default, "init"):
                lines.append(f"this.{one.name} = {text};" if text is not None else "")
                continue
            given.append(local if text is None else f"{local} = {text}")
            lines.append(f"this.{one.name} = {local};")
        if self._has_post_init(self._global):
            lines.append("this.__post_init__();")
        return f"__init__({', '.join(given)}) {{ {' '.join(filter(None, lines))} }}"

    def _has_post_init(self, one: modules.Global) -> bool:
        signatures = self._context.signatures
        node = signatures.class_node(one)
        if node is not None and any(method.name == "__post_init__" for method in modules.methods_of(node)):
            return True
        bases = [base for base in signatures.bases(one) if isinstance(base, modules.Global)]
        return any(map(self._has_post_init, bases))

    def _default(self, field: _Field) -> str | None:
        """Write the default of a field, as an expression that is evaluated each time."""
        context = self._context.of_module(field.module)
        factory = field_option(field.default, "default_factory")
        if factory is not None:
            return f"$call({expression(factory, context)})"
        default = field_option(field.default, "default") if is_field(field.default) else field.default
        if default is None:
            return None
        found = context.static(default.func) if isinstance(default, ast.Call) else None
        node = context.signatures.class_node(found) if isinstance(found, modules.Global) else None
        is_frozen = node is not None and is_dataclass(node) and dataclass_option(node, "frozen", False)
        if not is_frozen and not is_unchanging(default, context):  # nothing changes what is frozen
            raise modules.Untranslatable(f"a default that is evaluated once: {ast.unparse(default)}")
        return expression(default, context)

    def _described(self, kind: str, fields: list[_Field]) -> str:
        names = json.dumps([one.name for one in fields])
        given = self._parameters()
        if not self._has_init:
            in_order = sorted(fields, key=lambda one: modules.is_keyword_only(one.default))
            given = [one.name for one in in_order if not is_field_option_false(one.default, "init")]
        if kind == "namedtuple":
            return f"$namedtuple_fields({self._name}, {names}, {json.dumps(given)});"
        told = {
            "compared": [one.name for one in fields if not is_field_option_false(one.default, "compare")],
            "shown": [one.name for one in fields if not is_field_option_false(one.default, "repr")],
            "has_eq": dataclass_option(self._node, "eq", True),
            "has_key": dataclass_option(self._node, "frozen", False),
            "has_order": dataclass_option(self._node, "order", False),
        }
        return f"$dataclass_fields({self._name}, {names}, {json.dumps(given)}, {json.dumps(told)});"

    # --- methods ----------------------------------------------------------------------------------

    def _method(self, node: ast.FunctionDef) -> str:
        kinds, name = modules.decorators(node), node.name
        given = [*node.args.posonlyargs, *node.args.args]
        owner = given[0].arg if given and "staticmethod" not in kinds else ""
        if "property" in kinds or "cached_property" in kinds:
            inner = function_body(node.body, self._context, [], owner)
            if "property" in kinds:
                return f"get {name}() {{ {inner} }}"
            return (
                f"get {name}() {{ return this.{name} = (() => {{ {inner} }})(); }}\n"
                f'set {name}($value) {{ $store(this, "{name}", $value); }}'
            )
        static = "static " if is_class_method(node) else ""
        text = function_expression(node, self._context, method=bool(owner) or "contextmanager" in kinds, owner=owner)
        if "contextmanager" in kinds:
            return f"{static}{name}(...$given) {{ return $managed({text}.apply(this, $given)); }}"
        star = "*" if is_generator(node) else ""
        return static + star + name + text.removeprefix(f"function{star} ")

    def _method_parameters(self) -> list[str]:
        found = []
        for node in self._methods:
            kinds = modules.decorators(node)
            if node.name == "__init__" or "property" in kinds or "cached_property" in kinds:
                continue
            described = json.dumps(modules.signature_of(node, method="staticmethod" not in kinds).described)
            found.append(f"{self._name}.prototype.{node.name}.$p = {described};")
            if is_class_method(node):
                found.append(f"{self._name}.{node.name}.$p = {described};")
        return found
