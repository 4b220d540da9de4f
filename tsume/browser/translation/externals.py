# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands for the standard library, NumPy and the built-in functions in translated code."""

from __future__ import annotations

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
    "numba": "$numba", "sys": "$sys",
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

ITERATING = frozenset(
    (
        "$all", "$any", "$chain", "$enumerate", "$filter", "$islice", "$iterator", "$map", "$pairwise",
        "$takewhile", "$zip",
    )
)  # fmt: skip
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

BUILTIN_METHODS = frozenset(
    (
        "append", "extend", "insert", "pop", "remove", "index", "count", "copy", "sort", "reverse", "clear",
        "join", "split", "strip", "lstrip", "rstrip", "startswith", "endswith", "upper", "lower", "casefold",
        "replace", "partition", "rpartition", "isdigit", "isalpha", "islower", "isupper", "isascii", "format",
        "find", "rfind", "removeprefix", "removesuffix", "capitalize", "splitlines",
        "isspace", "translate", "symmetric_difference", "appendleft", "bit_length", "bit_count", "ljust",
        "rjust", "center", "zfill", "is_integer",
        "tolist", "get", "items", "keys", "values", "update", "setdefault", "add", "discard", "union",
        "intersection", "difference", "issubset", "issuperset", "isdisjoint", "popleft", "close",
    )
)  # fmt: skip
"""Methods of strings, numbers, lists and generators, which are found by a function of the runtime."""

METHOD_PARAMETERS = {"split": ("sep", "maxsplit")}
"""Parameters of such methods that are called with keywords."""

MISSING_METHODS = frozenset(
    (
        "rsplit", "title", "encode", "swapcase", "expandtabs", "maketrans", "isalnum", "isdecimal",
        "isnumeric",
        "isidentifier", "istitle", "isprintable", "format_map", "popitem", "elements", "subtract", "rotate",
        "extendleft", "intersection_update", "difference_update", "symmetric_difference_update", "to_bytes",
        "as_integer_ratio", "span", "groupdict", "expand", "cache_clear", "cache_info", "send", "throw",
        "callback",
        "pop_all", "hex", "with_traceback", "add_note",
    )
)  # fmt: skip
"""Methods of built-in types that the runtime lacks."""
