# SPDX-License-Identifier: GPL-3.0-or-later
"""Classes: data classes, named tuples, enumerations, exceptions and plain ones."""

from __future__ import annotations

import ast
import json
from importlib import import_module
from typing import Any

from tsume.browser.translation.class_rules import (
    UNUSED,
    check_class,
    field_option,
    has_option,
    is_dataclass,
    is_field,
    is_off,
)
from tsume.browser.translation.expressions import expression
from tsume.browser.translation.externals import ERASED_BASES
from tsume.browser.translation.literals import Untranslatable, constant
from tsume.browser.translation.modules import External, Global
from tsume.browser.translation.names import is_generator, local_name
from tsume.browser.translation.parameters import is_fixed
from tsume.browser.translation.signatures import decorators, field_nodes, is_keyword_only, signature_of
from tsume.browser.translation.statements import body, evaluated, function
from tsume.browser.translation.writer import Context, external_text


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
