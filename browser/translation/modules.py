# SPDX-License-Identifier: GPL-3.0-or-later
"""What the modules of a program say without being run: names, signatures, and kinds of values."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
_OWN = ("tsume_rules", "solver", "generator", "tsume", "db", "tests")


class Untranslatable(Exception):
    """There is no JavaScript for something; the message says for what and where."""


# --- the modules of a program: what each name at their top level stands for ------------------------


@dataclass(frozen=True)
class Global:
    """A name at the top level of a module of the project."""

    module: str
    name: str

    @property
    def qualified(self) -> str:
        """The name with its module."""
        return f"{self.module}.{self.name}"


@dataclass(frozen=True)
class ModuleName:
    """A name that stands for a module of the project."""

    module: str


@dataclass(frozen=True)
class External:
    """A name of another library, such as ``functools.partial``."""

    name: str


Binding = Global | ModuleName | External


@dataclass
class Module:
    """A module of the project: its top level and the names that it imports, also inside functions."""

    name: str
    source: str
    definitions: dict[str, list[ast.stmt]] = field(default_factory=dict)
    imports: dict[str, Binding] = field(default_factory=dict)
    inner_imports: dict[str, dict[str, Binding]] = field(default_factory=dict)
    """What functions and classes import for themselves, by their names."""
    loose: list[ast.stmt] = field(default_factory=list)
    """Statements of the top level that define no name: they are not translated."""

    def __post_init__(self) -> None:
        for statement in ast.parse(self.source).body:
            names = defined_names(statement)
            for name in names:
                self.definitions.setdefault(name, []).append(statement)
            if not names and not defines_nothing(statement):
                self.loose.append(statement)
            within = getattr(statement, "name", "")
            imports = self.inner_imports.setdefault(within, {}) if within else self.imports
            for node in ast.walk(statement):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    for name, binding in imported_names(node):
                        if imports.setdefault(name, binding) != binding:
                            place = f"{self.name}, line {node.lineno}"
                            raise Untranslatable(f"{place}: {name} stands for different things")

    @property
    def is_kernel(self) -> bool:
        """Whether the module is compiled: its values are taken from it, not its source."""
        return "kernel" in self.name.split(".")

    @cached_property
    def values(self) -> Any:
        """The imported module."""
        return import_module(self.name)


def defined_names(statement: ast.stmt) -> list[str]:
    """Return the names that a statement of the top level defines."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    if isinstance(statement, ast.Assign):
        names = [node for target in statement.targets for node in ast.walk(target)]
        return [node.id for node in names if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name) and statement.value:
        return [statement.target.id]
    return []


def defines_nothing(statement: ast.stmt) -> bool:
    """Return whether a statement is an import, documentation, a declaration, or imports for types only."""
    if isinstance(statement, ast.Expr):
        return isinstance(statement.value, ast.Constant)
    if isinstance(statement, ast.AnnAssign):
        return statement.value is None
    return is_for_types(statement) or isinstance(statement, ast.Import | ast.ImportFrom)


def is_for_types(statement: ast.AST) -> bool:
    """Return whether a statement is run by type checkers only."""
    if not isinstance(statement, ast.If):
        return False
    return isinstance(statement.test, ast.Name) and statement.test.id == "TYPE_CHECKING"


def imported_names(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Binding]]:
    """Yield the names that an import binds, and what each stands for."""
    for one in node.names:
        module = one.name if isinstance(node, ast.Import) else f"{node.module}.{one.name}"
        binding: Binding = External(module)
        if source_file(module):
            binding = ModuleName(module)
        elif isinstance(node, ast.ImportFrom) and node.module and source_file(node.module):
            binding = Global(node.module, one.name)
        yield one.asname or one.name, binding


def source_file(module: str) -> Path | None:
    """Return the source of a module of the project; None if it is no module, or another's."""
    if module.split(".", maxsplit=1)[0] not in _OWN:
        return None
    path = ROOT.joinpath(*module.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


class Modules:
    """The modules of a program, read when they are first asked for."""

    def __init__(self, absent: tuple[str, ...] = ()) -> None:
        self._read: dict[str, Module] = {}
        self._absent = absent

    def module(self, name: str) -> Module:
        """Return a module by its name."""
        if name not in self._read:
            path = source_file(name)
            if path is None:
                raise LookupError(name)
            self._read[name] = Module(name, path.read_text(encoding="utf-8"))
        return self._read[name]

    def is_absent(self, found: Global) -> bool:
        """Return whether a definition has no translation and is never used where the program runs."""
        full = found.qualified
        return any(full == one or full.startswith(f"{one}.") for one in self._absent)

    def binding(self, module: str, name: str, within: str = "") -> Binding | None:
        """Return what a name means in a module, within one of its definitions; imports are followed."""
        if self.is_absent(Global(module, name)):
            return Global(module, name)
        here = self.module(module)
        found = here.inner_imports.get(within, {}).get(name)
        if found is None and name in here.definitions:
            return Global(module, name)
        found = found or here.imports.get(name)
        return self.binding(found.module, found.name) if isinstance(found, Global) else found

    def named(self, module: str, node: ast.AST, within: str = "") -> Binding | None:
        """Return what a name, or a name of a module, means, as `binding`; None for anything else."""
        if isinstance(node, ast.Name):
            return self.binding(module, node.id, within)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            outer = self.binding(module, node.value.id, within)
            if isinstance(outer, ModuleName):
                return self.binding(outer.module, node.attr)
        return None

    def alias(self, module: str, name: str) -> ast.expr | None:
        """Return what is assigned to a name of the top level, followed through imports."""
        found = self.binding(module, name)
        if not isinstance(found, Global) or self.is_absent(found):
            return None
        nodes = self.module(found.module).definitions[found.name]
        return nodes[0].value if isinstance(nodes[0], ast.Assign) else None


# --- kinds of values: which targets of ``+=`` and the like are lists, sets or dictionaries -----------

LIST, TUPLE, SET, FROZENSET, DICT, PLAIN = "list", "tuple", "set", "frozenset", "dict", "plain"
UNKNOWN = ""
_ANNOTATIONS = {
    "list": LIST, "tuple": TUPLE, "set": SET, "frozenset": FROZENSET, "dict": DICT, "int": PLAIN,
    "float": PLAIN, "str": PLAIN, "bool": PLAIN,
}  # fmt: skip
_CALLS = {**_ANNOTATIONS, "sorted": LIST, "len": PLAIN, "round": PLAIN, "abs": PLAIN}
_DISPLAYS: dict[type[ast.expr], str] = {
    ast.List: LIST, ast.ListComp: LIST, ast.Tuple: TUPLE, ast.Set: SET, ast.SetComp: SET, ast.Dict: DICT,
    ast.DictComp: DICT, ast.JoinedStr: PLAIN, ast.Compare: PLAIN,
}  # fmt: skip
Alias = Callable[[str], ast.expr | None]
"""Gives the type that a name stands for in annotations; None if it is no alias."""


def kind_of_annotation(annotation: ast.expr, alias: Alias) -> str:
    """Return the kind of the values that an annotation allows."""
    base = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    if not isinstance(base, ast.Name):
        return UNKNOWN
    meant = alias(base.id)
    return _ANNOTATIONS.get(base.id, object_kind(base.id)) if meant is None else kind_of_annotation(meant, alias)


def object_kind(name: str) -> str:
    """Return the kind of the objects of a class, by its name in the module."""
    return f"object {name}"


def class_name(kind: str) -> str | None:
    """Return the class of a kind of objects; None if it is of another kind."""
    return kind.removeprefix("object ") if kind.startswith("object ") else None


def kind_of_value(node: ast.expr) -> str:
    """Return the kind of an expression."""
    if isinstance(node, ast.Constant):
        return PLAIN if isinstance(node.value, int | float | str) else UNKNOWN
    if isinstance(node, ast.Call):
        return _CALLS.get(node.func.id, UNKNOWN) if isinstance(node.func, ast.Name) else UNKNOWN
    if isinstance(node, ast.BinOp):
        kinds = {kind_of_value(node.left), kind_of_value(node.right)}
        return next((one for one in (LIST, TUPLE) if one in kinds), common_kind(kinds))
    if isinstance(node, ast.UnaryOp):
        return kind_of_value(node.operand)
    return _DISPLAYS.get(type(node), UNKNOWN)


def common_kind(kinds: Iterable[str]) -> str:
    """Return the kind that all are of."""
    found = set(kinds)
    return found.pop() if len(found) == 1 else UNKNOWN


def local_kinds(arguments: ast.arguments | None, statements: list[ast.stmt], alias: Alias) -> dict[str, str]:
    """Return the kinds of a function's variables, by its annotations or else by what is assigned first."""
    declared: dict[str, str] = {}
    assigned: dict[str, list[str]] = defaultdict(list)
    given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs] if arguments else []
    for one in given:
        if one.annotation:
            declared[one.arg] = kind_of_annotation(one.annotation, alias)
    for node in (node for statement in statements for node in ast.walk(statement)):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            declared[node.target.id] = kind_of_annotation(node.annotation, alias)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                for name, value in _pairs(target, node.value):
                    assigned[name].append(kind_of_value(value) if value else UNKNOWN)
    return {name: common_kind(found) for name, found in assigned.items()} | declared


def _pairs(target: ast.expr, value: ast.expr | None) -> list[tuple[str, ast.expr | None]]:
    """Return the names that an assignment binds, each with its value where that is known."""
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
        """Return the place of a parameter; None if there is none of this name."""
        return self.names.index(name) if name in self.names else None

    @property
    def described(self) -> list[str]:
        """The parameters as the runtime reads them."""
        stars = [f"*{self.rest}"] if self.rest else []
        return [*self.names, *stars, *([f"**{self.keywords}"] if self.keywords else [])]


def signature_of(function: ast.FunctionDef | ast.Lambda, *, method: bool = False) -> Signature:
    """Return the signature of a function as written."""
    given = function.args
    names = [one.arg for one in (*given.posonlyargs, *given.args)]
    names = names[1:] if method else names
    return Signature(
        (*names, *(one.arg for one in given.kwonlyargs)),
        given.vararg.arg if given.vararg else None,
        given.kwarg.arg if given.kwarg else None,
    )


def decorators(node: ast.FunctionDef | ast.ClassDef) -> dict[str, ast.expr]:
    """Return the decorators of a definition, by the last part of their names."""
    found = {}
    for one in node.decorator_list:
        called = one.func if isinstance(one, ast.Call) else one
        found[called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "?")] = one
    return found


def methods_of(node: ast.ClassDef) -> list[ast.FunctionDef]:
    """Return the methods that a class defines."""
    return [one for one in node.body if isinstance(one, ast.FunctionDef)]


class Signatures:
    """All signatures of a program: of functions, of classes' constructors, and of methods by name."""

    def __init__(self, modules: Modules, reached: list[Global]) -> None:
        self._modules = modules
        self._by_global: dict[Global, Signature] = {}
        self._fields: dict[Global, tuple[str, ...]] = {}
        self.methods: dict[str, list[Signature]] = defaultdict(list)
        self._attribute_kinds: dict[str, list[str]] = defaultdict(list)
        self._kinds_of: dict[Global, dict[str, str]] = defaultdict(dict)
        for one in reached:
            if modules.is_absent(one) or modules.module(one.module).is_kernel:
                continue
            for node in modules.module(one.module).definitions[one.name]:
                if isinstance(node, ast.FunctionDef):
                    self._by_global[one] = signature_of(node)
                elif isinstance(node, ast.ClassDef):
                    self._read_attributes(one, node)
                    for method in methods_of(node):
                        found = decorators(method)
                        if "property" not in found and "cached_property" not in found:
                            self.methods[method.name].append(signature_of(method, method="staticmethod" not in found))

    def _read_attributes(self, one: Global, node: ast.ClassDef) -> None:
        """Note the kinds of attributes: annotations say them, or else what methods assign."""
        assigned: list[tuple[str, str]] = []
        for inner in ast.walk(node):
            if isinstance(inner, ast.AnnAssign):
                target = inner.target
                name = target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
                kind = kind_of_annotation(inner.annotation, lambda name: self._modules.alias(one.module, name))
                self._attribute_kinds[name].append(kind)
                self._kinds_of[one][name] = kind
            elif isinstance(inner, ast.Assign):
                for one_target in inner.targets:
                    parts = one_target.elts if isinstance(one_target, ast.Tuple) else [one_target]
                    values = inner.value.elts if isinstance(inner.value, ast.Tuple) else [inner.value]
                    kinds = [*map(kind_of_value, values)] if len(values) == len(parts) else [UNKNOWN] * len(parts)
                    pairs = zip(parts, kinds, strict=True)
                    assigned += [(part.attr, kind) for part, kind in pairs if isinstance(part, ast.Attribute)]
        for name, kind in assigned:
            if name not in self._kinds_of[one]:
                self._attribute_kinds[name].append(kind)

    def attribute_kind_of(self, one: Global, name: str) -> str:
        """Return what an attribute of a class is, if an annotation says it."""
        if name in self._kinds_of[one]:
            return self._kinds_of[one][name]
        for base in self.bases(one):
            if isinstance(base, Global):
                return self.attribute_kind_of(base, name)
        return self.attribute_kind(name)

    def attribute_kind(self, name: str) -> str:
        """Return what all attributes of a name are; annotations say it, or what is assigned."""
        return common_kind(self._attribute_kinds.get(name, [UNKNOWN]))

    def of(self, one: Global) -> Signature | None:
        """Return the signature of a function, or of the constructor of a class; None if it is neither."""
        if one not in self._by_global:
            node = self.class_node(one)
            if node is None:
                return None
            self._by_global[one] = self._constructor(one, node)
        return self._by_global[one]

    def class_node(self, one: Global) -> ast.ClassDef | None:
        """Return the source of a class."""
        if self._modules.is_absent(one):
            return None
        nodes = self._modules.module(one.module).definitions.get(one.name, [])
        return next((node for node in nodes if isinstance(node, ast.ClassDef)), None)

    def bases(self, one: Global) -> list[Global | External]:
        """Return the bases of a class, those without anything at run time included."""
        node = self.class_node(one)
        found: list[Global | External] = []
        for base in node.bases if node else []:
            name = base.value if isinstance(base, ast.Subscript) else base
            if not isinstance(name, ast.Name | ast.Attribute):
                raise Untranslatable(f"the base {ast.unparse(base)}")
            bound = self._modules.named(one.module, name)
            found.append(bound if isinstance(bound, Global | External) else External(ast.unparse(name)))
        return found

    def _constructor(self, one: Global, node: ast.ClassDef) -> Signature:
        for method in methods_of(node):
            if method.name == "__init__":
                return signature_of(method, method=True)
        if self.has_fields(one):
            last = self._keyword_only_fields(one)
            return Signature(tuple(sorted(self.fields(one), key=lambda name: name in last)))
        for base in self.bases(one):
            if isinstance(base, Global):
                return self.of(base) or Signature(())
        return Signature((), "args")

    def is_enum(self, one: Global) -> bool:
        """Return whether a class is an enumeration."""
        return any(isinstance(base, External) and base.name.startswith("enum.") for base in self.bases(one))

    def has_fields(self, one: Global) -> bool:
        """Return whether a class is a data class or a named tuple."""
        node = self.class_node(one)
        return node is not None and (
            "dataclass" in decorators(node) or External("typing.NamedTuple") in self.bases(one)
        )

    def fields(self, one: Global) -> tuple[str, ...]:
        """Return the fields of a data class or a named tuple, those of its bases first."""
        if one not in self._fields:
            node = self.class_node(one)
            inherited = [name for base in self.bases(one) if isinstance(base, Global) for name in self.fields(base)]
            own = [name for name, _ in field_nodes(node)] if node else []
            self._fields[one] = tuple(dict.fromkeys([*inherited, *own]))
        return self._fields[one]

    def is_field(self, one: Global, name: str) -> bool:
        """Return whether a name is a field of a class: in JavaScript its default is no value of the class."""
        return self.has_fields(one) and name in self.fields(one)

    def _keyword_only_fields(self, one: Global) -> set[str]:
        node = self.class_node(one)
        own = {name for name, default in field_nodes(node) if is_keyword_only(default)} if node else set()
        bases = [base for base in self.bases(one) if isinstance(base, Global)]
        return own.union(*map(self._keyword_only_fields, bases))

    def agreed_method(self, name: str) -> Signature | None:
        """Return the signature of all methods of a name if they agree on their parameters."""
        found = self.methods.get(name, [])
        return found[0] if found and all(one == found[0] for one in found) else None


def is_keyword_only(default: ast.expr | None) -> bool:
    """Return whether a default is that of a field that the constructor has after the others."""
    return isinstance(default, ast.Call) and any(
        one.arg == "kw_only" and isinstance(one.value, ast.Constant) and one.value.value is True
        for one in default.keywords
    )


def field_nodes(node: ast.ClassDef) -> list[tuple[str, ast.expr | None]]:
    """Return the fields that a data class declares, with their defaults."""
    return [
        (one.target.id, one.value)
        for one in node.body
        if isinstance(one, ast.AnnAssign)
        and isinstance(one.target, ast.Name)
        and not ast.unparse(one.annotation).startswith("ClassVar")
    ]
