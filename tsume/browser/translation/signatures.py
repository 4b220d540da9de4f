# SPDX-License-Identifier: GPL-3.0-or-later
"""Parameters of functions and methods, by which arguments with keywords find their places."""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import dataclass

from tsume.browser.translation import kinds
from tsume.browser.translation.modules import External, Global, Modules


@dataclass(frozen=True)
class Signature:
    """The parameters of a function in order, without ``self``.

    ``rest`` is the name after ``*``, ``keywords`` that after ``**``. ``decorated`` functions return something
    else than a plain value; it makes no difference to the parameters.
    """

    names: tuple[str, ...]
    rest: str | None = None
    keywords: str | None = None

    def place(self, name: str) -> int | None:
        """The place of a parameter; None if there is none of this name."""
        return self.names.index(name) if name in self.names else None

    @property
    def described(self) -> list[str]:
        """The parameters as the runtime reads them."""
        stars = [f"*{self.rest}"] if self.rest else []
        return [*self.names, *stars, *([f"**{self.keywords}"] if self.keywords else [])]


def signature_of(function: ast.FunctionDef | ast.Lambda, *, method: bool = False) -> Signature:
    """The signature of a function as written."""
    given = function.args
    names = [one.arg for one in (*given.posonlyargs, *given.args)]
    names = names[1:] if method else names
    return Signature(
        (*names, *(one.arg for one in given.kwonlyargs)),
        given.vararg.arg if given.vararg else None,
        given.kwarg.arg if given.kwarg else None,
    )


def decorators(node: ast.FunctionDef | ast.ClassDef) -> dict[str, ast.expr]:
    """The decorators of a definition, by the last part of their names."""
    found = {}
    for one in node.decorator_list:
        called = one.func if isinstance(one, ast.Call) else one
        found[called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "?")] = one
    return found


class Signatures:
    """All signatures of a program: of functions, of classes' constructors, and of methods by name."""

    def __init__(self, modules: Modules, reached: list[Global]) -> None:
        self._modules = modules
        self._by_global: dict[Global, Signature] = {}
        self._fields: dict[Global, tuple[str, ...]] = {}
        self.methods: dict[str, list[Signature]] = defaultdict(list)
        self.method_names: set[str] = set()
        self._attribute_kinds: dict[str, list[str]] = defaultdict(list)
        self._kinds_of: dict[Global, dict[str, str]] = defaultdict(dict)
        for one in reached:
            if modules.is_absent(one) or modules.module(one.module).is_kernel:
                continue
            for node in modules.module(one.module).definitions[one.name]:
                self._read(one, node)

    def _read(self, one: Global, node: ast.stmt) -> None:
        if isinstance(node, ast.FunctionDef):
            self._by_global[one] = signature_of(node)
        elif isinstance(node, ast.ClassDef):
            self._read_attributes(one, node)
            for method in node.body:
                if isinstance(method, ast.FunctionDef):
                    self._read_method(method)

    def _read_attributes(self, one: Global, node: ast.ClassDef) -> None:
        """The kinds of attributes: annotations say them, or else what methods assign."""
        for inner in ast.walk(node):
            if isinstance(inner, ast.AnnAssign):
                target = inner.target
                name = target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
                kind = kinds.of_annotation(
                    inner.annotation, lambda name: self._modules.alias(one.module, name)
                )
                self._attribute_kinds[name].append(kind)
                self._kinds_of[one][name] = kind
        for name, kind in kinds.assigned_attributes(node):
            if name not in self._kinds_of[one]:
                self._attribute_kinds[name].append(kind)

    def attribute_kind_of(self, one: Global, name: str) -> str:
        """What an attribute of a class is, if an annotation says it."""
        if name in self._kinds_of[one]:
            return self._kinds_of[one][name]
        for base in self.bases(one):
            if isinstance(base, Global):
                return self.attribute_kind_of(base, name)
        return self.attribute_kind(name)

    def attribute_kind(self, name: str) -> str:
        """What all attributes of a name are; annotations say it, or what is assigned."""
        return kinds.agreed(self._attribute_kinds.get(name, [kinds.UNKNOWN]))

    def _read_method(self, method: ast.FunctionDef) -> None:
        found = decorators(method)
        if "property" in found or "cached_property" in found:
            return
        self.methods[method.name].append(signature_of(method, method="staticmethod" not in found))
        self.method_names.add(method.name)

    def of(self, one: Global) -> Signature | None:
        """The signature of a function, or of the constructor of a class; None if it is neither."""
        if one not in self._by_global:
            node = self.class_node(one)
            if node is None:
                return None
            self._by_global[one] = self._constructor(one, node)
        return self._by_global[one]

    def class_node(self, one: Global) -> ast.ClassDef | None:
        """The source of a class."""
        if self._modules.is_absent(one):
            return None
        nodes = self._modules.module(one.module).definitions.get(one.name, [])
        return next((node for node in nodes if isinstance(node, ast.ClassDef)), None)

    def bases(self, one: Global) -> list[Global | External]:
        """The bases of a class, those without anything at run time included."""
        node = self.class_node(one)
        found: list[Global | External] = []
        for base in node.bases if node else []:
            name = base.value if isinstance(base, ast.Subscript) else base
            if isinstance(name, ast.Name):
                bound = self._modules.binding(one.module, name.id)
                found.append(bound if isinstance(bound, Global | External) else External(name.id))
        return found

    def _constructor(self, one: Global, node: ast.ClassDef) -> Signature:
        for method in node.body:
            if isinstance(method, ast.FunctionDef) and method.name == "__init__":
                return signature_of(method, method=True)
        if self.has_fields(one):
            last = self._keyword_only_fields(one)
            return Signature(tuple(sorted(self.fields(one), key=lambda name: name in last)))
        for base in self.bases(one):
            if isinstance(base, Global):
                return self.of(base) or Signature(())
        return Signature((), "args")

    def has_fields(self, one: Global) -> bool:
        """Whether a class is a data class or a named tuple."""
        node = self.class_node(one)
        return node is not None and (
            "dataclass" in decorators(node) or External("typing.NamedTuple") in self.bases(one)
        )

    def fields(self, one: Global) -> tuple[str, ...]:
        """The fields of a data class or a named tuple, those of its bases first."""
        if one not in self._fields:
            node = self.class_node(one)
            inherited = [
                name for base in self.bases(one) if isinstance(base, Global) for name in self.fields(base)
            ]
            own = [name for name, _ in field_nodes(node)] if node else []
            self._fields[one] = tuple(dict.fromkeys([*inherited, *own]))
        return self._fields[one]

    def _keyword_only_fields(self, one: Global) -> set[str]:
        node = self.class_node(one)
        own = {name for name, default in field_nodes(node) if is_keyword_only(default)} if node else set()
        bases = [base for base in self.bases(one) if isinstance(base, Global)]
        return own.union(*map(self._keyword_only_fields, bases))

    def agreed_method(self, name: str) -> Signature | None:
        """The signature of all methods of a name if they agree on their parameters."""
        found = self.methods.get(name, [])
        return found[0] if found and all(one == found[0] for one in found) else None


def is_keyword_only(default: ast.expr | None) -> bool:
    """Whether a default is that of a field that the constructor has after those without ``kw_only``."""
    return isinstance(default, ast.Call) and any(
        one.arg == "kw_only" and isinstance(one.value, ast.Constant) and one.value.value is True
        for one in default.keywords
    )


def field_nodes(node: ast.ClassDef) -> list[tuple[str, ast.expr | None]]:
    """The fields that a data class declares, with their defaults."""
    return [
        (one.target.id, one.value)
        for one in node.body
        if isinstance(one, ast.AnnAssign)
        and isinstance(one.target, ast.Name)
        and not ast.unparse(one.annotation).startswith("ClassVar")
    ]
