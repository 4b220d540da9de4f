# SPDX-License-Identifier: GPL-3.0-or-later
"""Classes: data classes, named tuples, enumerations, exceptions and plain ones."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from browser.translation.assignments import is_fixed
from browser.translation.expressions import expression
from browser.translation.modules import External, Global, Untranslatable, constant
from browser.translation.signatures import decorators, field_nodes, is_keyword_only, signature_of
from browser.translation.statements import body, evaluated, function
from browser.translation.writer import ERASED_BASES, Context, external_text, is_generator, local_name

# ---------------------------------------------------------------------------------------------------
#
# What classes must not have: it has no counterpart in JavaScript, or another meaning there.

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


# --- classes ---------------------------------------------------------------------------------------


def class_definition(node: ast.ClassDef, context: Context, name: str) -> str:
    """A class and what is said of it."""
    check_class(node, context)
    return _Class(node, context, name).text()


class _Class:
    def __init__(self, node: ast.ClassDef, context: Context, name: str) -> None:
        self._node, self._context, self._name = node, context, name
        self._global = Global(context.module, node.name)
        self._kinds = decorators(node)
        bases = context.signatures.bases(self._global)
        self._bases = [one for one in bases if not isinstance(one, External) or one.name not in ERASED_BASES]

    def text(self) -> str:
        if any(isinstance(one, External) and one.name.startswith("enum.") for one in self._bases):
            return self._enum()
        named_tuple = External("typing.NamedTuple") in self._bases
        has_fields = is_dataclass(self._node) or named_tuple
        members = [self._method(one) for one in self._methods()]
        after = [self._constant(one) for one in self._node.body if isinstance(one, ast.Assign)]
        after += [
            self._constant(ast.Assign([one.target], one.value))
            for one in self._node.body
            if isinstance(one, ast.AnnAssign)
            and one.value
            and (not has_fields or ast.unparse(one.annotation).startswith("ClassVar"))
        ]
        if has_fields:
            members.insert(0, self._constructor())
            after.insert(0, self._described("namedtuple" if named_tuple else "dataclass"))
        else:
            after.insert(0, f"$describe({self._name}, {json.dumps(self._parameters())});")
        after += [self._static_of_instances(one) for one in self._methods()]
        after += self._method_parameters()
        base = self._base()
        return f"class {self._name} extends {base} {{\n{chr(10).join(members)}\n}}\n" + "\n".join(
            filter(None, after)
        )

    def _methods(self) -> list[ast.FunctionDef]:
        found = (one for one in self._node.body if isinstance(one, ast.FunctionDef))
        return [one for one in found if one.name not in UNUSED]

    def _base(self) -> str:
        bases = [one for one in self._bases if one != External("typing.NamedTuple")]
        if len(bases) > 1:
            raise Untranslatable(f"several bases of {self._node.name}")
        if not bases:
            return "$NamedTuple" if self._bases else "$Object"
        (base,) = bases
        if isinstance(base, Global):
            return self._context.js_name(base)
        return external_text(base.name if "." in base.name else f"builtins.{base.name}")

    def _parameters(self) -> list[str]:
        signature = self._context.signatures.of(self._global)
        return signature.described if signature else []

    # --- data classes -----------------------------------------------------------------------------

    def _fields(self) -> list[tuple[str, ast.expr | None, str]]:
        """The fields with their defaults, and the module whose names a default uses."""
        found: dict[str, tuple[ast.expr | None, str]] = {}
        for one in reversed(self._lineage()):
            node = self._context.signatures.class_node(one)
            for name, default in field_nodes(node) if node else []:
                found[name] = default, one.module
        return [(name, default, module) for name, (default, module) in found.items()]

    def _fields_in_order_of_parameters(self) -> list[tuple[str, ast.expr | None, str]]:
        return sorted(self._fields(), key=lambda one: is_keyword_only(one[1]))

    def _lineage(self) -> list[Global]:
        found = [self._global]
        for one in found:
            found += [base for base in self._context.signatures.bases(one) if isinstance(base, Global)]
        return found

    def _constructor(self) -> str:
        if any(one.name == "__init__" for one in self._methods()):
            return ""
        given, lines = [], []
        for name, default, module in self._fields_in_order_of_parameters():
            local = local_name(name)
            text = self._default(default, module)
            if is_off(default, "init"):
                lines.append(f"this.{name} = {text};" if text is not None else "")
                continue
            given.append(local if text is None else f"{local} = {text}")
            lines.append(f"this.{name} = {local};")
        after = " this.__post_init__();" if self._has_post_init() else ""
        return f"__init__({', '.join(given)}) {{ {' '.join(filter(None, lines))}{after} }}"

    def _has_post_init(self) -> bool:
        nodes = [self._context.signatures.class_node(one) for one in self._lineage()]
        return any(
            isinstance(one, ast.FunctionDef) and one.name == "__post_init__"
            for node in nodes if node for one in node.body
        )  # fmt: skip

    def _default(self, default: ast.expr | None, module: str) -> str | None:
        context = self._context.of_module(module)
        factory = field_option(default, "default_factory")
        if factory is not None:
            return f"$call({expression(factory, context)})"
        if default is not None and is_field(default):
            default = field_option(default, "default")
        if default is None:
            return None
        if not is_fixed(default, context) and not self._is_frozen(default, context):
            raise Untranslatable(f"a default that is evaluated once: {ast.unparse(default)}")
        return expression(default, context)

    def _is_frozen(self, default: ast.expr, context: Context) -> bool:
        """Whether a default is a new object that nothing changes, whose identity hardly matters."""
        found = context.static(default.func) if isinstance(default, ast.Call) else None
        node = context.signatures.class_node(found) if isinstance(found, Global) else None
        return node is not None and is_dataclass(node) and has_option(node, "frozen", False)

    def _described(self, kind: str) -> str:
        fields = self._fields()
        names = json.dumps([name for name, _, _ in fields])
        own = any(one.name == "__init__" for one in self._methods())
        given = (
            self._parameters()
            if own
            else [
                name
                for name, default, _ in self._fields_in_order_of_parameters()
                if not is_off(default, "init")
            ]
        )
        if kind == "namedtuple":
            return f"$namedtuple_fields({self._name}, {names}, {json.dumps(given)});"
        options = {
            "compared": [name for name, default, _ in fields if not is_off(default, "compare")],
            "shown": [name for name, default, _ in fields if not is_off(default, "repr")],
            "has_eq": has_option(self._node, "eq", True),
            "has_key": has_option(self._node, "frozen", False),
            "has_order": has_option(self._node, "order", False),
        }
        return f"$dataclass_fields({self._name}, {names}, {json.dumps(given)}, {json.dumps(options)});"

    # --- members ----------------------------------------------------------------------------------

    def _method(self, node: ast.FunctionDef) -> str:
        kinds = decorators(node)
        name = node.name
        given = [*node.args.posonlyargs, *node.args.args]
        owner = given[0].arg if given and "staticmethod" not in kinds else ""
        if "cached_property" in kinds or "property" in kinds:
            inner = self._plain(node, owner)
            if "property" in kinds:
                return f"get {name}() {{ {inner} }}"
            return (
                f"get {name}() {{ return this.{name} = (() => {{ {inner} }})(); }}\n"
                f'set {name}($value) {{ $store(this, "{name}", $value); }}'
            )
        static = "static " if {"classmethod", "staticmethod"} & set(kinds) else ""
        if "contextmanager" in kinds or "cache" in kinds or "lru_cache" in kinds:
            if "contextmanager" not in kinds:
                raise Untranslatable(f"a cached method: {name}")
            text = function(node, self._context, method=True, owner=owner)
            return f"{static}{name}(...$given) {{ return $managed({text}.apply(this, $given)); }}"
        star = "*" if is_generator(node) else ""
        text = function(node, self._context, method=bool(owner), owner=owner)
        return static + star + name + text.removeprefix(f"function{star} ")

    def _plain(self, node: ast.FunctionDef, owner: str) -> str:
        return body(node.body, self._context, [], owner)

    def _static_of_instances(self, node: ast.FunctionDef) -> str:
        """Instances, too, have the methods of the class."""
        if not {"classmethod", "staticmethod"} & set(decorators(node)):
            return ""
        call = f"function (...$given) {{ return this.constructor.{node.name}(...$given); }}"
        return f"{self._name}.prototype.{node.name} = {call};"

    def _method_parameters(self) -> list[str]:
        """Parameters of methods, for keywords that are known only at run time."""
        found = []
        for node in self._methods():
            if node.name == "__init__":
                continue
            kinds = decorators(node)
            if "property" in kinds or "cached_property" in kinds:
                continue
            described = json.dumps(signature_of(node, method="staticmethod" not in kinds).described)
            found.append(f"{self._name}.prototype.{node.name}.$p = {described};")
            if {"classmethod", "staticmethod"} & set(kinds):
                found.append(f"{self._name}.{node.name}.$p = {described};")
        return found

    def _constant(self, node: ast.Assign) -> str:
        (target,) = node.targets
        assert isinstance(target, ast.Name)
        if target.id in ("__slots__", "__match_args__"):
            return ""
        return f'$class_value({self._name}, "{target.id}", {evaluated(node.value, self._context)});'

    # --- enumerations -----------------------------------------------------------------------------

    def _enum(self) -> str:
        """The members are those of the class in Python."""
        if len(self._bases) > 1 or any(one.name == "__init__" for one in self._methods()):
            raise Untranslatable(f"the enumeration {self._node.name} with another base or a constructor")
        (base,) = self._bases
        kind: Any = getattr(import_module(self._context.module), self._node.name)
        members = [self._method(one) for one in self._methods()]
        values = ", ".join(
            f"[{json.dumps(name)}, {constant(member.value)}]" for name, member in kind.__members__.items()
        )
        assert isinstance(base, External)
        static = [self._static_of_instances(one) for one in self._methods()]
        after = "\n".join(filter(None, [*static, *self._method_parameters()]))
        return (
            f"class {self._name} extends {external_text(base.name)} {{\n{chr(10).join(members)}\n}}\n"
            f"$enum_members({self._name}, [{values}]);\n{after}"
        )
