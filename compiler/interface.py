# SPDX-License-Identifier: GPL-3.0-or-later
"""How the functions of a library of kernels are called, from Python and from JavaScript.

A function takes the kernel's arguments one by one (natively), or one address at which they lie (WebAssembly). There,
and where a tuple's members lie, each is one or more places of 8 bytes:

    integer, real number, boolean   the value (int64, uint64 or float64)
    record                          its address
    array                           its address, then the length of each dimension
    None                            nothing
    named tuple                     its members, one after the other

Natively a record is its address, an array its address and lengths, a tuple the address of its members. A number is
returned, a tuple written to the address that is then the first argument. In WebAssembly all results lie at the
address of the arguments afterwards, each in a place of its own; a boolean is 0 or 1.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tempfile
from collections.abc import Iterable
from contextlib import redirect_stdout
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import cffi
import numpy as np

from tsume_rules.kernel.compile import (
    ROOT,
    Array,
    Kernel,
    Record,
    Scalar,
    Tuple,
    Type,
    kernel_of,
    kernel_sources,
    kernels,
    packages_of,
)

NATIVE, IN_BLOCK = "native.", "block."
"""What the names of a kernel's two functions begin with while they are compiled."""


def import_kernels(library: str) -> list[Kernel]:
    """Import all modules with kernels of a library; return the kernels that Python calls, in a fixed order."""
    for path in kernel_sources(library):
        import_module(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
    packages = packages_of(library)
    found = [one for one in kernels.values() if one.returns is not None and one.name.split(".")[0] in packages]
    return sorted(found, key=lambda one: one.name)


def with_called_units(wanted: Iterable[Kernel]) -> list[Kernel]:
    """Return kernels, and the units that they call directly or through others, in a fixed order."""
    found = {kernel.name: kernel for kernel in wanted}
    todo = list(found.values())
    seen = set(found)
    while todo:
        function = todo.pop().function
        for name in function.__code__.co_names:
            called = kernel_of(function.__globals__.get(name))
            if called is not None and called.name not in seen:
                seen.add(called.name)
                todo.append(called)
                if called.is_unit:
                    found[called.name] = called
    return [found[name] for name in sorted(found)]


# --- for Python: a module that declares the functions and converts what Python gives them -----------

_HEADER = """
from tsume_rules.kernel.compile import (
    array_dimensions, array_shape, array_type, arguments_block, checked_array, checked_record, layout_of, record_type
)

from_buffer, new = ffi.from_buffer, ffi.new
BYTES = ffi.typeof("char[]")
lib = None


def open_library(path):
    global lib
    lib = ffi.dlopen(path)


def processor_level(path):
    opened = ffi.dlopen(path)  # open during the call
    return opened.processor_level()
"""


def calls_module(exported: Iterable[Kernel]) -> str:
    """Return the source of the module by which Python calls the functions of kernels."""
    exported = list(exported)
    builder: Any = cffi.FFI()
    declared = [_c_declaration(kernel) for kernel in exported]
    builder.cdef("\n".join(["int32_t processor_level(void);", *declared]))
    builder.set_source("calls", None)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "calls.py")
        with redirect_stdout(io.StringIO()):  # it says so
            builder.emit_python_code(str(path))
        text = path.read_text(encoding="utf-8")
    return "\n\n".join([text, _HEADER, *map(_python_function, exported)])


def _c_type(kind: Type) -> str:
    match kind:
        case Scalar("float64"):
            return "double"
        case Scalar("none"):
            return "void"
        case Scalar("uint64"):
            return "uint64_t"
        case Scalar():
            return "int64_t"
    return "void *"


def _c_declaration(kernel: Kernel) -> str:
    returned = kernel.returns
    assert returned is not None
    given = ["int64_t *"] if isinstance(returned, Tuple) else []
    for kind in kernel.arguments.values():
        given.append(_c_type(kind))
        given += ["int64_t"] * (kind.dimensions if isinstance(kind, Array) else 0)
    result = "void" if isinstance(returned, Tuple) else _c_type(returned)
    return f"{result} {kernel.symbol}({', '.join(given) or 'void'});"


def _python_function(kernel: Kernel) -> str:
    """Return the source of a function that takes a kernel's argument types and returns what calls it."""
    known, given = [f"_call = lib.{kernel.symbol}"], []
    for number, (name, kind) in enumerate(kernel.arguments.items()):
        match kind:
            case Scalar():
                given.append(name)
            case Record():
                known.append(f"layout{number} = layout_of(type{number})")
                checked = f"checked_record({name}, layout{number})"
                given.append(f"from_buffer(BYTES, {name} if record_type({name}) is layout{number} else {checked})")
            case Array():
                known.append(f"layout{number} = layout_of(type{number})")
                is_known = f"array_type({name}) is layout{number} and array_dimensions({name}) == {kind.dimensions}"
                is_known += "".join(f" and array_shape({name})[{n}] >= {one}" for n, one in enumerate(kind.least))
                given.append(f"from_buffer(BYTES, {name} if {is_known} else checked_array({name}, type{number}), True)")
                given.append(f"len({name})" if kind.dimensions == 1 else f"*array_shape({name})")
            case Tuple(named=None):
                given.append(f"arguments_block(ffi, {name}, type{number})")
            case Tuple():
                known.append(f"class{number} = type{number}.named")
                is_known = f"type({name}) is class{number} and {name}.block_type is type{number}"
                given.append(f"{name}.block if {is_known} else arguments_block(ffi, {name}, type{number})")
    if isinstance(kernel.returns, Tuple):
        count = len(kernel.returns.members)
        known.append(f'results = ffi.typeof("int64_t[{count}]")')
        values = [f"_results[{n}]{_conversion(member)}" for n, member in enumerate(kernel.returns.members)]
        body = ["_results = new(results)", f"_call({', '.join(['_results', *given])})", f"return {', '.join(values)}"]
    else:
        body = [f"return _call({', '.join(given)}){_conversion(kernel.returns)}"]
    types = ", ".join(f"type{number}" for number in range(len(kernel.arguments)))
    name = re.sub(r"\W", "_", kernel.function.__name__)
    inner = "\n".join(f"        {line}" for line in body)
    return "\n".join(
        [f"def {kernel.symbol}({types}):", *(f"    {line}" for line in known),
         f"    def {name}({', '.join(kernel.arguments)}):", inner, f"    return {name}"]
    )  # fmt: skip


def _conversion(kind: Type | None) -> str:
    return " != 0" if kind == Scalar("bool") else ""


# --- for JavaScript: what callers must know of entries and records ---------------------------------

_ROOMS = ("tsume_rules.", "solver.", "generator.")


def manifest_of(exported: Iterable[Kernel], records: Iterable[str]) -> dict[str, Any]:
    """Return the entries and the records; of the latter those that are wanted or that an entry takes."""
    layouts = record_layouts(records)
    names = {id(layout): name for name, layout in reversed(layouts.items())}
    used = set(records)

    def described(kind: Type) -> Any:
        match kind:
            case Record():
                used.add(names[id(kind.layout)])
                return ["record", names[id(kind.layout)]]
            case Array():
                element = described(kind.element)
                return ["array", element if isinstance(element, str) else element[1], kind.dimensions]
            case Tuple():
                fields = kind.named._fields if kind.named else [""] * len(kind.members)
                return ["tuple", *([name, described(one)] for name, one in zip(fields, kind.members, strict=True))]
            case Scalar():
                return kind.name

    entries = {}
    for kernel in exported:
        assert kernel.returns is not None
        given = [[name, described(kind)] for name, kind in kernel.arguments.items()]
        entries[kernel.name] = {"export": kernel.symbol, "arguments": given, "returns": described(kernel.returns)}
    return {"entries": entries, "records": {name: described_record(layouts[name]) for name in sorted(used)}}


def record_layouts(names: Iterable[str]) -> dict[str, np.dtype[Any]]:
    """Return the record dtypes of qualified names, then those that the imported kernel modules define."""
    found = {}
    for name in names:
        module, _, attribute = name.rpartition(".")
        found[name] = getattr(import_module(module), attribute)
    for module in sorted(filter(is_in_kernel_package, sys.modules)):
        assignments = [node for node in module_tree(module).body if isinstance(node, ast.Assign)]
        for target in (one for node in assignments for one in node.targets if isinstance(one, ast.Name)):
            value = getattr(sys.modules[module], target.id, None)
            if isinstance(value, np.dtype) and value.fields:
                found.setdefault(f"{module}.{target.id}", value)
    return found


@cache
def module_tree(module: str) -> ast.Module:
    """Return the source of a module, parsed."""
    found = find_spec(module)
    if found is None or found.origin is None:
        raise ValueError(f"no module {module}")
    return ast.parse(Path(found.origin).read_text(encoding="utf-8"))


def is_in_kernel_package(module: str) -> bool:
    """Return whether a module is one of the kernels."""
    return module.startswith(_ROOMS) and "kernel" in module.split(".")[:-1]


def described_record(layout: np.dtype[Any]) -> dict[str, Any]:
    """Return the layout of a record, for the manifest: its size, and (offset, type, shape) of each field."""
    fields = {}
    for name, (kind, offset, *_) in (layout.fields or {}).items():
        element, shape = kind.subdtype or (kind, ())
        fields[name] = [offset, element.name, list(shape)]
    return {"size": layout.itemsize, "fields": fields}
