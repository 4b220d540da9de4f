# SPDX-License-Identifier: GPL-3.0-or-later
"""Parameters of functions and methods, by which arguments with keywords find their places."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from browser.translation.modules import External, Global, Modules

# ---------------------------------------------------------------------------------------------------
#
# Kinds of values: which targets of ``+=`` and the like are lists, sets or dictionaries.

LIST, TUPLE, SET, FROZENSET, DICT, PLAIN = "list", "tuple", "set", "frozenset", "dict", "plain"
UNKNOWN = ""
_ANNOTATIONS = {
    "list": LIST, "tuple": TUPLE, "set": SET, "frozenset": FROZENSET, "dict": DICT, "int": PLAIN,
    "float": PLAIN,
    "str": PLAIN, "bool": PLAIN,
}  # fmt: skip
_CALLS = {**_ANNOTATIONS, "sorted": LIST, "len": PLAIN, "round": PLAIN, "abs": PLAIN}
_DISPLAYS: dict[type[ast.expr], str] = {
    ast.List: LIST, ast.ListComp: LIST, ast.Tuple: TUPLE, ast.Set: SET, ast.SetComp: SET, ast.Dict: DICT,
    ast.DictComp: DICT, ast.JoinedStr: PLAIN, ast.Compare: PLAIN,
}  # fmt: skip


Alias = Callable[[str], ast.expr | None]
"""The type that a name stands for in annotations; None if it is no alias."""


def of_annotation(annotation: ast.expr, alias: Alias) -> str:
    """The kind of the values that an annotation allows."""
    base = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    if not isinstance(base, ast.Name):
        return UNKNOWN
    meant = alias(base.id)
    return _ANNOTATIONS.get(base.id, object_of(base.id)) if meant is None else of_annotation(meant, alias)


def object_of(name: str) -> str:
    """The kind of the objects of a class, by its name in the module."""
    return f"object {name}"


def class_name(kind: str) -> str | None:
    """The class of a kind of objects; None if it is of another kind."""
    return kind.removeprefix("object ") if kind.startswith("object ") else None


def of_value(node: ast.expr) -> str:
    """The kind of an expression."""
    if isinstance(node, ast.Constant):
        return PLAIN if isinstance(node.value, int | float | str) else UNKNOWN
    if isinstance(node, ast.Call):
        return _CALLS.get(node.func.id, UNKNOWN) if isinstance(node.func, ast.Name) else UNKNOWN
    if isinstance(node, ast.BinOp):
        kinds = {of_value(node.left), of_value(node.right)}
        return next((one for one in (LIST, TUPLE) if one in kinds), agreed(kinds))
    if isinstance(node, ast.UnaryOp):
        return of_value(node.operand)
    return _DISPLAYS.get(type(node), UNKNOWN)


def agreed(kinds: Iterable[str]) -> str:
    """The kind that all are of."""
    found = set(kinds)
    return found.pop() if len(found) == 1 else UNKNOWN


def local_kinds(arguments: ast.arguments | None, statements: list[ast.stmt], alias: Alias) -> dict[str, str]:
    """The kinds of a function's variables, by its annotations or else by what is assigned first."""
    declared: dict[str, str] = {}
    assigned: dict[str, list[str]] = {}
    for one in _plain_arguments(arguments):
        if one.annotation:
            declared[one.arg] = of_annotation(one.annotation, alias)
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                declared[node.target.id] = of_annotation(node.annotation, alias)
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    for name, value in _pairs(target, node.value):
                        assigned.setdefault(name, []).append(of_value(value) if value else UNKNOWN)
    return {name: agreed(found) for name, found in assigned.items()} | declared


def _plain_arguments(given: ast.arguments | None) -> list[ast.arg]:
    return [*given.posonlyargs, *given.args, *given.kwonlyargs] if given else []


def assigned_attributes(node: ast.ClassDef) -> list[tuple[str, str]]:
    """The attributes that the methods of a class assign, and the kind of each value."""
    found = []
    for inner in ast.walk(node):
        if isinstance(inner, ast.Assign):
            for target in inner.targets:
                parts = target.elts if isinstance(target, ast.Tuple) else [target]
                values = inner.value.elts if isinstance(inner.value, ast.Tuple) else [inner.value]
                known = len(values) == len(parts)
                found += [
                    (one.attr, of_value(values[number]) if known else UNKNOWN)
                    for number, one in enumerate(parts)
                    if isinstance(one, ast.Attribute)
                ]
    return found


def _pairs(target: ast.expr, value: ast.expr | None) -> list[tuple[str, ast.expr | None]]:
    if isinstance(target, ast.Name):
        return [(target.id, value)]
    if not isinstance(target, ast.Tuple | ast.List):
        return []
    values: list[ast.expr | None] = [None] * len(target.elts)
    if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts):
        values = list(value.elts)
    return [pair for one, its in zip(target.elts, values, strict=True) for pair in _pairs(one, its)]


# --- parameters of functions and methods -----------------------------------------------------------


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
                kind = of_annotation(inner.annotation, lambda name: self._modules.alias(one.module, name))
                self._attribute_kinds[name].append(kind)
                self._kinds_of[one][name] = kind
        for name, kind in assigned_attributes(node):
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
        return agreed(self._attribute_kinds.get(name, [UNKNOWN]))

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
