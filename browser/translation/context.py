# SPDX-License-Identifier: GPL-3.0-or-later
"""What all of the translation shares: names and constants in JavaScript, and where a piece of code stands."""

from __future__ import annotations

import ast
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import Enum
from typing import Any

import numpy as np

from browser.translation.modules import Binding, External, Global, ModuleName, Modules, Signatures, Untranslatable

# --- names: what a function assigns, and how names are written in JavaScript -----------------------

_WORDS = """
    arguments async await break case catch class const continue debugger default delete do else enum eval
    export extends false finally for function get if implements import in instanceof interface let new null
    of package private protected public return set static super switch this throw true try typeof undefined
    var void while with yield NaN Infinity
"""
RUNTIME_NAMES = ("Slice", "numpy")
"""What translated code calls without a $ at the beginning, so that a local variable could hide it."""
RESERVED = frozenset((*_WORDS.split(), *RUNTIME_NAMES))
"""Names that local variables of JavaScript cannot have, or that mean something else there."""


def local_name(name: str) -> str:
    """Return the JavaScript name of a local variable; no name of Python has a $."""
    return f"{name}$" if name in RESERVED else name


def nodes_outside_functions(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield all nodes of a function's statements but those inside functions and classes there.

    Of comprehensions, which are functions too, only the targets of := belong to the function.
    """
    for node in nodes:
        yield node
        if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            yield from (inner.target for inner in ast.walk(node) if isinstance(inner, ast.NamedExpr))
        elif not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda):
            yield from nodes_outside_functions(ast.iter_child_nodes(node))


def assigned_names(body: list[ast.stmt]) -> list[str]:
    """Return the names that the statements of a function bind, in order."""
    found: dict[str, None] = {}
    for node in nodes_outside_functions(body):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.setdefault(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef | ast.ExceptHandler | ast.MatchAs) and node.name:
            found.setdefault(node.name)
    return list(found)


def nonlocal_names(body: list[ast.stmt]) -> set[str]:
    """Return the names that the statements of a function declare as those of a function around it."""
    return {name for node in nodes_outside_functions(body) if isinstance(node, ast.Nonlocal) for name in node.names}


def is_generator(function: ast.FunctionDef) -> bool:
    """Return whether a function yields."""
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in nodes_outside_functions(function.body))


def target_names(target: ast.expr) -> list[str]:
    """Return the names that a target of an assignment binds."""
    return [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]


def is_held_elsewhere(node: ast.expr) -> bool:
    """Return whether something else holds the value of an expression: an iterator is not closed then."""
    return isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.NamedExpr)


# --- constants ---------------------------------------------------------------------------------------

_SAFE = 2**53 - 1
"""The largest integer that is a number in JavaScript; larger ones are BigInt."""
_SHORT = 20
"""Longer lists of real numbers are written as tables."""


def constant(value: Any, class_name: Callable[[type], str] | None = None) -> str:
    """Write a number, a text, a tuple, a table, a dictionary, or a data class by the name of its class."""
    match value:
        case None:
            return "null"
        case bool() | np.bool_():
            return "true" if value else "false"
        case Enum():
            raise Untranslatable(f"the member {value!r} of an enumeration as a constant")
        case int() | np.integer():
            return str(int(value)) if abs(int(value)) <= _SAFE else f"{int(value)}n"
        case float() | np.floating():
            if math.isnan(value):
                return "NaN"
            return repr(float(value)) if math.isfinite(value) else "Infinity" if value > 0 else "-Infinity"
        case str():
            return json.dumps(value, ensure_ascii=any("\ud800" <= sign <= "\udfff" for sign in value))
        case list() if len(value) > _SHORT and all(isinstance(one, float) for one in value):
            return f"{_table(np.array(value))}.tolist()"
        case tuple() | list():
            return f"[{', '.join(constant(one, class_name) for one in value)}]"
        case np.ndarray():
            return _table(value)
        case dict():
            pairs = (constant(pair, class_name) for pair in value.items())
            return f"$dict([{', '.join(pairs)}])"
    if is_dataclass(value) and class_name is not None:
        parts = [constant(getattr(value, one.name), class_name) for one in fields(value)]
        return f"new {class_name(type(value))}({', '.join(parts)})"
    raise Untranslatable(f"a constant of type {type(value).__name__}")


def _table(value: np.ndarray) -> str:
    """Write a table exactly: real numbers in the shortest digits that give the same in a lower precision."""
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


# --- what stands for the standard library, NumPy and the built-in functions ---------------------------

BUILTINS = {
    "abs": "$abs", "all": "$all", "any": "$any", "bool": "$bool", "dict": "$dict_of", "divmod": "$divmod",
    "enumerate": "$enumerate", "filter": "$filter", "float": "$float", "frozenset": "$set_of",
    "getattr": "$getattr", "id": "$id", "int": "$int", "isinstance": "$isinstance",
    "iter": "$iterator", "len": "$len", "list": "$list_of", "map": "$map", "max": "$max", "min": "$min",
    "next": "$next", "range": "$range", "repr": "$repr", "reversed": "$reversed", "round": "$round",
    "set": "$set_of", "sorted": "$sorted", "str": "$str", "sum": "$sum", "tuple": "$tuple_of",
    "type": "$type", "zip": "$zip", "object": "$Object",
}  # fmt: skip
"""Built-in functions, by name; a tuple is an array as a list is."""
EXCEPTIONS = (
    "Exception", "BaseException", "ValueError", "KeyError", "IndexError", "TypeError", "RuntimeError",
    "LookupError", "StopIteration", "OverflowError", "ZeroDivisionError", "NotImplementedError",
    "ArithmeticError", "AssertionError", "RecursionError",
)  # fmt: skip
"""Built-in exceptions; the runtime has a class ``$ValueError`` for ``ValueError``, and so on."""
EXTERNALS = {
    "array.array": "$array", "bisect.bisect_left": "$bisect_left", "bisect.bisect_right": "$bisect_right",
    "collections.Counter": "$Counter", "collections.defaultdict": "$defaultdict",
    "collections.deque": "$deque", "contextlib.ExitStack": "$ExitStack", "contextlib.closing": "$closing",
    "contextlib.contextmanager": "$contextmanager", "contextlib.nullcontext": "$nullcontext",
    "contextlib.suppress": "$suppress", "dataclasses.asdict": "$asdict", "dataclasses.fields": "$fields",
    "dataclasses.replace": "$replace", "enum.Enum": "$Enum", "enum.Flag": "$Flag", "enum.IntEnum": "$IntEnum",
    "enum.StrEnum": "$StrEnum", "functools.cache": "$cache", "functools.lru_cache": "$cache",
    "functools.partial": "$partial", "functools.reduce": "$reduce", "heapq.heappop": "$heappop",
    "heapq.heappush": "$heappush", "itertools.chain": "$chain", "itertools.combinations": "$combinations",
    "itertools.count": "$count", "itertools.islice": "$islice", "itertools.pairwise": "$pairwise",
    "itertools.takewhile": "$takewhile", "itertools.product": "$product",
    "json": "$json", "math": "$math", "numpy": "numpy", "operator.or_": "$or", "re": "$re", "time": "$time",
    "time.monotonic": "$time.monotonic", "typing.cast": "$cast", "unicodedata": "$unicodedata",
    "sys": "$sys",
}  # fmt: skip
"""What the runtime has for imported names."""
EXTERNAL_CLASSES = frozenset(
    ("$Counter", "$defaultdict", "$deque", "$ExitStack", "$closing", "$nullcontext", "$suppress")
)
"""Those of them that are classes."""
ERASED_BASES = frozenset(("abc.ABC", "typing.Protocol", "typing.Generic", "object"))
"""Bases without anything at run time."""
MEMBERS = {
    "json": ("dumps", "loads"),
    "math": (
        "inf", "pi", "e", "log", "log2", "log10", "log1p", "exp", "sqrt", "tanh", "floor", "ceil", "isfinite",
        "isnan", "prod", "fsum",
    ),
    "re": ("ASCII", "compile", "match", "fullmatch", "search", "findall", "sub"),
    "sys": ("setrecursionlimit", "getrecursionlimit"),
    "time": ("monotonic", "perf_counter", "process_time", "time"),
    "unicodedata": ("normalize",),
    "itertools.chain": ("from_iterable",),
}  # fmt: skip
"""What the runtime has of modules and classes."""
ITERATING = frozenset({
    "$all", "$any", "$chain", "$enumerate", "$filter", "$islice", "$iterator", "$map", "$pairwise",
    "$takewhile", "$zip",
})  # fmt: skip
"""Functions that may leave an iterator unfinished: one that the program still holds is not closed then."""
KEYWORD_OPTIONS = frozenset(("$sorted", "$min", "$max", "$zip", "$enumerate", "$sum", "$list_sort"))
"""Functions of the runtime that take keywords as one object, their last argument."""
PARAMETERS = {
    "numpy.zeros": ("shape", "dtype"), "numpy.empty": ("shape", "dtype"), "numpy.array": ("values", "dtype"),
    "numpy.bincount": ("values", "weights", "minlength"), "numpy.full": ("shape", "value", "dtype"),
    "$re.sub": ("pattern", "repl", "string", "count", "flags"),
    "$round": ("number", "ndigits"), "$int": ("x", "base"), "$count": ("start", "step"),
}  # fmt: skip
"""Parameters of functions of the runtime that are called with keywords."""
BUILTIN_METHODS = frozenset({
    "append", "extend", "insert", "pop", "remove", "index", "count", "copy", "sort", "reverse", "clear",
    "join", "split", "strip", "lstrip", "rstrip", "startswith", "endswith", "upper", "lower", "casefold",
    "replace", "partition", "rpartition", "isdigit", "isalpha", "islower", "isupper", "isascii", "format",
    "find", "rfind", "removeprefix", "removesuffix", "capitalize", "splitlines",
    "isspace", "translate", "symmetric_difference", "appendleft", "bit_length", "bit_count", "ljust",
    "rjust", "center", "zfill", "is_integer",
    "tolist", "get", "items", "keys", "values", "update", "setdefault", "add", "discard", "union",
    "intersection", "difference", "issubset", "issuperset", "isdisjoint", "popleft", "close",
})  # fmt: skip
"""Methods of strings, numbers, lists and generators, which are found by a function of the runtime."""
METHOD_PARAMETERS = {"split": ("sep", "maxsplit")}
"""Parameters of such methods that are called with keywords."""
MISSING_METHODS = frozenset({
    "rsplit", "title", "encode", "swapcase", "expandtabs", "maketrans", "isalnum", "isdecimal",
    "isnumeric", "isidentifier", "istitle", "isprintable", "format_map", "popitem", "elements",
    "subtract", "rotate", "extendleft", "intersection_update", "difference_update",
    "symmetric_difference_update", "to_bytes", "as_integer_ratio", "span", "groupdict", "expand",
    "cache_clear", "cache_info", "send", "throw", "callback", "pop_all", "hex", "with_traceback",
    "add_note",
})  # fmt: skip
"""Methods of built-in types that the runtime lacks."""


# --- the state of a translation --------------------------------------------------------------------


@dataclass
class Temporaries:
    """Names of a function's temporary variables, each used once."""

    used: int = 0

    def new(self) -> str:
        """Return another name."""
        self.used += 1
        return f"${self.used}"

    @property
    def names(self) -> list[str]:
        """All of them."""
        return [f"${number}" for number in range(1, self.used + 1)]


@dataclass(frozen=True)
class Context:
    """Where a piece of code stands.

    ``writer`` writes an expression. ``within`` is the definition of the top level that is written. ``scopes``
    are the local names, of the innermost function last; ``kinds`` say of some what they are. ``handles``:
    whether an exception is being handled here, which ``raise`` alone raises again.
    """

    modules: Modules
    signatures: Signatures
    js_name: Callable[[Global], str]
    writer: Callable[[ast.expr, Context], str]
    module: str = ""
    within: str = ""
    scopes: tuple[frozenset[str], ...] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
    handles: bool = False
    temporaries: Temporaries = field(default_factory=Temporaries)

    def of_module(self, name: str, within: str = "") -> Context:
        """Return the top level of a module; ``within`` is the name of the definition that is written."""
        return Context(self.modules, self.signatures, self.js_name, self.writer, name, within)

    def write(self, node: ast.expr) -> str:
        """Write an expression that stands here."""
        return self.writer(node, self)

    def inner(self, names: Iterable[str]) -> Context:
        """Return a scope inside this one with names of its own; the temporaries stay the function's."""
        own = frozenset(names)
        kinds = {name: kind for name, kind in self.kinds.items() if name not in own}
        return replace(self, scopes=(*self.scopes, own), kinds=kinds)

    def function(self, names: Iterable[str], kinds: Mapping[str, str] | None = None) -> Context:
        """Return the scope of a function inside this one."""
        inside = self.inner(names)
        known = {**inside.kinds, **(kinds or {})}
        return replace(inside, kinds=known, handles=False, temporaries=Temporaries())

    def is_local(self, name: str) -> bool:
        """Return whether a name is local to a function around."""
        return any(name in scope for scope in self.scopes)

    def binding(self, name: str) -> Binding | None:
        """Return what a name that is not local stands for; None for built-in names."""
        return None if self.is_local(name) else self.modules.binding(self.module, name, self.within)

    def alias(self, name: str) -> ast.expr | None:
        """Return the type that a name stands for, if it is an alias of one."""
        return None if self.is_local(name) else self.modules.alias(self.module, name)

    def static(self, node: ast.expr) -> Binding | None:
        """Return what an expression stands for if that is known without running it: a name, or a module's."""
        if isinstance(node, ast.Name):
            found = self.binding(node.id)
            if found is None and not self.is_local(node.id):
                return External(f"builtins.{node.id}")
            return found
        if isinstance(node, ast.Attribute):
            outer = self.static(node.value)
            if isinstance(outer, ModuleName):
                return self.modules.binding(outer.module, node.attr)
            if isinstance(outer, External) and outer.name in EXTERNALS:
                return External(f"{outer.name}.{node.attr}")
        return None

    def static_text(self, found: Binding) -> str:
        """Write a name known without running."""
        if isinstance(found, Global):
            return self.js_name(found)
        if isinstance(found, ModuleName):
            raise Untranslatable(f"the module {found.module} as a value")
        return external_text(found.name)

    def name(self, name: str) -> str:
        """Write a name."""
        if self.is_local(name):
            return local_name(name)
        found = self.modules.binding(self.module, name, self.within)
        return self.static_text(found) if found else external_text(f"builtins.{name}")


def external_text(name: str) -> str:
    """Write a name of another library."""
    if name in EXTERNALS:
        return EXTERNALS[name]
    first, _, rest = name.rpartition(".")
    if first == "builtins":
        if rest in BUILTINS:
            return BUILTINS[rest]
        if rest in EXCEPTIONS:
            return f"${rest}"
    elif first in EXTERNALS and rest in MEMBERS.get(first, (rest,)):
        return f"{EXTERNALS[first]}.{rest}"
    raise Untranslatable(f"{name} has no counterpart")
