# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels by their names, the types of their arguments, and the layouts of records."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.np import arrayobj

from solver.engines.dfpn.kernel.arena import ARENA, SEARCH, Arena
from tsume_rules.kernel.compile import INTEGERS, JitKernel, KernelUnit, plain_kernel_type, struct, structs
from tsume_rules.kernel.state import POSITION, POSITION_TYPE

_PACKAGES = ("tsume_rules.", "solver.", "generator.")
_CODES = types.Array(types.int8, 1, "C")
_HANDS = types.Array(types.int8, 2, "C")
_named_tuple: Any = types.NamedTuple
_BOX = _named_tuple(
    [
        {"pos": types.none, "search": structs(SEARCH)}.get(name, kind)
        for name, kind in zip(Arena._fields, ARENA.types, strict=True)
    ],
    Arena,
)
_TYPE_OF: dict[str, types.Type] = {
    "pos": POSITION_TYPE,
    "search": struct(SEARCH),
    "out": INTEGERS,
    "codes": _CODES,
    "hands": _HANDS,
    "positions": structs(POSITION),
    "lengths": INTEGERS,
    "box": _BOX,
}
"""The argument types of kernels that are not units, by the names of their parameters; others are integers."""


def name_of(kernel: JitKernel) -> str:
    """The qualified name of a kernel."""
    return f"{kernel.py_func.__module__}.{kernel.py_func.__name__}"


def kernel_named(name: str) -> JitKernel:
    """The kernel of a qualified name. Raises ValueError if there is none."""
    module, _, attribute = name.rpartition(".")
    found = getattr(import_module(module), attribute, None)
    if not isinstance(found, JitKernel):
        raise ValueError(f"{name} is not a kernel")
    return found


def argument_types(kernel: JitKernel) -> tuple[types.Type, ...]:
    """The types of a kernel's arguments: those declared of a unit, else those of `_TYPE_OF`."""
    if isinstance(kernel, KernelUnit):
        return tuple(kernel.declared.args)
    names = argument_names(kernel)
    return tuple(plain_kernel_type(_TYPE_OF.get(name, types.int64)) for name in names)


def argument_names(kernel: JitKernel) -> list[str]:
    """The names of a kernel's parameters."""
    return list(inspect.signature(kernel.py_func).parameters)


def record_layouts(names: Iterable[str]) -> dict[str, np.dtype[Any]]:
    """The record dtypes of these qualified names, then those that the imported kernel modules define."""
    found = {}
    for name in names:
        module, _, attribute = name.rpartition(".")
        found[name] = getattr(import_module(module), attribute)
    for module in sorted(filter(is_in_kernel_package, sys.modules)):
        for attribute in _assigned_names(module_tree(module)):
            value = getattr(sys.modules[module], attribute, None)
            if isinstance(value, np.dtype) and value.fields:
                found.setdefault(f"{module}.{attribute}", value)
    return found


def _assigned_names(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets if isinstance(target, ast.Name))


@cache
def module_tree(module: str) -> ast.Module:
    """The source of a module, parsed."""
    found = find_spec(module)
    if found is None or found.origin is None:
        raise ValueError(f"no module {module}")
    return ast.parse(Path(found.origin).read_text(encoding="utf-8"))


def is_in_kernel_package(module: str) -> bool:
    """Whether a module is one of the kernels."""
    return module.startswith(_PACKAGES) and "kernel" in module.split(".")[:-1]


# --- how entries of the module are called: by an address at which their arguments lie --------------
#
# An argument is one or more places of 8 bytes, an address or a length one half of a place:
#
#     integer, real number, boolean   the value (int64, uint64 or float64)
#     record                          its address
#     array                           its address, then the length of each dimension, in halves of places
#     None                            nothing
#     named tuple                     its members, one after the other
#
# The results lie at the same address afterwards, each in a place of its own; a boolean is 0 or 1. The
# function returns numba's status, 0 if all went well.

_arrays: Any = arrayobj

PLACE = 8
"""Bytes of a place."""
_HALF = 4
_I32, _I64, _BYTE = ir.IntType(32), ir.IntType(64), ir.IntType(8)


def described_type(kind: Any, record_name: Callable[[Any], str]) -> Any:
    """A type as the manifest has it: a name, or a list that starts with "record", "array" or "tuple"."""
    match kind:
        case types.Record():
            return ["record", record_name(kind)]
        case types.Array():
            element = described_type(kind.dtype, record_name)
            return ["array", element if isinstance(element, str) else element[1], kind.ndim]
        case types.NamedTuple():
            members = zip(kind.fields, kind.types, strict=True)
            return ["tuple", *([name, described_type(member, record_name)] for name, member in members)]
        case types.BaseTuple():
            return ["tuple", *(["", described_type(member, record_name)] for member in members_of(kind))]
        case types.Integer() | types.Float():
            return str(kind)
        case types.Boolean():
            return "bool"
        case types.NoneType():
            return "none"
    raise TypeError(f"entries cannot take or return {kind}")


def members_of(kind: Any) -> Sequence[Any]:
    """The types of a tuple's members."""
    return list(kind.types)


def described_record(layout: np.dtype[Any]) -> dict[str, Any]:
    """The layout of a record, for the manifest: its size, and (offset, type, shape) of each field."""
    fields = {}
    for name, (kind, offset, *_) in (layout.fields or {}).items():
        element, shape = kind.subdtype or (kind, ())
        fields[name] = [offset, element.name, list(shape)]
    return {"size": layout.itemsize, "fields": fields}


def places_of(kind: Any) -> int:
    """How many places an argument takes."""
    match kind:
        case types.NoneType():
            return 0
        case types.Array():
            return (int(kind.ndim) + 2) // 2
        case types.BaseTuple():
            return sum(places_of(member) for member in members_of(kind))
    return 1


def add_entry(context: Any, module: Any, name: str, compiled: Any) -> None:
    """Add the function of an entry to a module: it calls a compiled kernel."""
    callee = context.declare_function(module, compiled.fndesc)
    function = ir.Function(module, ir.FunctionType(_I32, [_BYTE.as_pointer()]), name)
    builder = ir.IRBuilder(function.append_basic_block())
    block = _Block(context, builder, function.args[0])
    signature = compiled.signature
    arguments = [block.read(kind) for kind in signature.args]
    status, result = context.call_conv.call_function(
        builder, callee, signature.return_type, signature.args, arguments
    )
    block.write_results(signature.return_type, result)
    builder.ret(status.code)


class _Block:
    """The memory at which arguments and results lie, read from its start."""

    def __init__(self, context: Any, builder: Any, address: Any) -> None:
        self._context = context
        self._builder = builder
        self._address = address
        self._at = 0

    def read(self, kind: Any) -> Any:
        """The value of the next argument."""
        context, builder = self._context, self._builder
        match kind:
            case types.NoneType():
                return context.get_dummy_value()
            case types.BaseTuple():
                return context.make_tuple(builder, kind, [self.read(member) for member in members_of(kind)])
        at, self._at = self._at, self._at + PLACE * places_of(kind)
        match kind:
            case types.Record():
                return self._load(at, context.get_value_type(kind))
            case types.Array():
                return self._array(kind, at)
        return self._load(at, context.get_value_type(kind))

    def write_results(self, kind: Any, result: Any) -> None:
        """Write what a kernel returned, from the block's start."""
        several = isinstance(kind, types.BaseTuple)
        members = members_of(kind) if several else [kind]
        for number, member in enumerate(members):
            if isinstance(member, types.NoneType):
                continue
            value = self._builder.extract_value(result, number) if several else result
            if isinstance(member, types.Boolean):
                value = self._builder.zext(value, _I64)
            self._builder.store(value, self._pointer(number * PLACE, value.type))

    def _array(self, kind: Any, at: int) -> Any:
        context, builder = self._context, self._builder
        array = _arrays.make_array(kind)(context, builder)
        lengths = range(at + _HALF, at + _HALF * (kind.ndim + 1), _HALF)
        shape = [builder.zext(self._load(place, _I32), _I64) for place in lengths]
        data = array.data.type
        size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
        strides = [ir.Constant(_I64, size)]
        for length in reversed(shape[1:]):
            strides.insert(0, builder.mul(strides[0], length))
        _arrays.populate_array(
            array, self._load(at, data), shape, strides, ir.Constant(_I64, size), meminfo=None
        )
        return array._getvalue()

    def _load(self, at: int, kind: Any) -> Any:
        return self._builder.load(self._pointer(at, kind))

    def _pointer(self, at: int, kind: Any) -> Any:
        place = self._builder.gep(self._address, [ir.Constant(_I32, at)])
        return self._builder.bitcast(place, kind.as_pointer())
