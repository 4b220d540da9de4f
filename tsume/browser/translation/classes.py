"""Classes: data classes, named tuples, enumerations, exceptions and plain ones."""

from __future__ import annotations

import ast
import json
from importlib import import_module
from typing import Any

from tsume.browser.translation.expressions import expression
from tsume.browser.translation.externals import ERASED_BASES
from tsume.browser.translation.literals import Untranslatable, constant
from tsume.browser.translation.modules import External, Global
from tsume.browser.translation.names import is_generator, local_name
from tsume.browser.translation.signatures import decorators, field_nodes, signature_of
from tsume.browser.translation.statements import body, function
from tsume.browser.translation.writer import Context, external_text


def class_definition(node: ast.ClassDef, context: Context, name: str) -> str:
    """A class and what is said of it."""
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
        members = [self._method(one) for one in self._node.body if isinstance(one, ast.FunctionDef)]
        after = [self._constant(one) for one in self._node.body if isinstance(one, ast.Assign)]
        after += [
            self._constant(ast.Assign([one.target], one.value))
            for one in self._node.body
            if isinstance(one, ast.AnnAssign)
            and one.value
            and ast.unparse(one.annotation).startswith("ClassVar")
        ]
        if "dataclass" in self._kinds or named_tuple:
            members.insert(0, self._constructor())
            after.insert(0, self._described("namedtuple" if named_tuple else "dataclass"))
        else:
            after.insert(0, f"$describe({self._name}, {json.dumps(self._parameters())});")
        after += map(self._static_of_instances, self._methods())
        after += self._method_parameters()
        head = f"class {self._name} extends {self._base()} {{"
        return "\n".join(filter(None, [head, *members, "}", *after]))

    def _methods(self) -> list[ast.FunctionDef]:
        return [one for one in self._node.body if isinstance(one, ast.FunctionDef)]

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

    def _fields(self) -> list[tuple[str, ast.expr | None, Global]]:
        """The fields with their defaults, and the class whose names a default uses."""
        found: dict[str, tuple[ast.expr | None, Global]] = {}
        for one in reversed(self._lineage()):
            node = self._context.signatures.class_node(one)
            for name, default in field_nodes(node) if node else []:
                found[name] = default, one
        return [(name, default, owner) for name, (default, owner) in found.items()]

    def _lineage(self) -> list[Global]:
        found = [self._global]
        for one in found:
            found += [base for base in self._context.signatures.bases(one) if isinstance(base, Global)]
        return found

    def _constructor(self) -> str:
        if any(isinstance(one, ast.FunctionDef) and one.name == "__init__" for one in self._node.body):
            return ""
        given, lines = [], []
        for name, default, owner in self._fields():
            text, made = self._default(default, owner)
            local = local_name(name)
            given.append(local if text is None else f"{local} = {text}")
            lines.append(f"this.{name} = {made or local};" if made else f"this.{name} = {local};")
        after = " this.__post_init__();" if self._has_post_init() else ""
        return f"__init__({', '.join(given)}) {{ {' '.join(lines)}{after} }}"

    def _has_post_init(self) -> bool:
        nodes = [self._context.signatures.class_node(one) for one in self._lineage()]
        return any(
            isinstance(one, ast.FunctionDef) and one.name == "__post_init__"
            for node in nodes if node for one in node.body
        )  # fmt: skip

    def _default(self, default: ast.expr | None, owner: Global) -> tuple[str | None, str | None]:
        context = self._context.of_definition(owner)
        if (
            isinstance(default, ast.Call)
            and isinstance(default.func, ast.Name)
            and default.func.id == "field"
        ):
            options = {one.arg: one.value for one in default.keywords}
            if "default_factory" in options:
                factory = expression(options["default_factory"], context)
                return f"$call({factory})", None
            if "init" in options:
                return None, expression(options["default"], context) if "default" in options else "null"
            return (expression(options["default"], context), None) if "default" in options else (None, None)
        return (None, None) if default is None else (expression(default, context), None)

    def _described(self, kind: str) -> str:
        fields = json.dumps([name for name, _, _ in self._fields()])
        order = "order=True" in (ast.unparse(one) for one in self._kinds.values()) or any(
            "order=True" in ast.unparse(one) for one in self._kinds.values()
        )
        own = any(isinstance(one, ast.FunctionDef) and one.name == "__init__" for one in self._node.body)
        parameters = json.dumps(self._parameters()) if own else fields
        return f"${kind}_fields({self._name}, {fields}, {parameters}, {str(order).lower()});"

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
        name = f"{self._name}.{node.name}"
        return f"{self._name}.prototype.{node.name} = (...$given) => {name}(...$given);"

    def _method_parameters(self) -> list[str]:
        """The parameters of methods, by which keywords find their places where only the object is known."""
        found = []
        for node in self._methods():
            kinds = decorators(node)
            if node.name == "__init__" or "property" in kinds or "cached_property" in kinds:
                continue
            where = "" if {"classmethod", "staticmethod"} & set(kinds) else ".prototype"
            described = signature_of(node, method="staticmethod" not in kinds).described
            if described:
                found.append(f"{self._name}{where}.{node.name}.$p = {json.dumps(described)};")
        return found

    def _constant(self, node: ast.Assign) -> str:
        (target,) = node.targets
        assert isinstance(target, ast.Name)
        if target.id in ("__slots__", "__match_args__"):
            return ""
        value = expression(node.value, self._context.function(()))
        return f'$class_value({self._name}, "{target.id}", {value});'

    # --- enumerations -----------------------------------------------------------------------------

    def _enum(self) -> str:
        """The members are those of the class in Python."""
        kind: Any = getattr(import_module(self._context.module), self._node.name)
        (base,) = self._bases
        members = [self._method(one) for one in self._node.body if isinstance(one, ast.FunctionDef)]
        values = ", ".join(
            f"[{json.dumps(name)}, {constant(member.value)}]" for name, member in kind.__members__.items()
        )
        assert isinstance(base, External)
        after = "\n".join(self._method_parameters())
        return (
            f"class {self._name} extends {external_text(base.name)} {{\n{chr(10).join(members)}\n}}\n"
            f"$enum_members({self._name}, [{values}]);\n{after}"
        )
