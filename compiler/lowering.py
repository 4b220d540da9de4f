# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels lowered to LLVM's intermediate code, which no optimisation for this machine has touched.

Numba is changed for it, so this needs a process of its own (`compiler.build`), in which what stands for a kernel is
Numba's function, which cannot be called.

Two properties of Numba make compiling slow. It compiles a function again for each integer type and each constant that
it is called with; therefore integers and booleans enter every kernel as `int64`. And it types what a function calls
whenever it types the function; therefore a unit has declared types, and callers know only its name.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba.core import codegen, cpu, types
from numba.core.cgutils import get_or_insert_function
from numba.core.registry import CPUDispatcher
from numba.core.typing.templates import make_concrete_template, signature
from numba.extending import intrinsic
from numba.np import arrayobj

from compiler.interface import IN_BLOCK, NATIVE
from tsume_rules.kernel import compile as declarations
from tsume_rules.kernel.compile import Array, Kernel, Record, Scalar, Tuple, Type

_I32, _I64, _BYTE = ir.IntType(32), ir.IntType(64), ir.IntType(8)
_OPTIONS: dict[str, Any] = {
    "nopython": True, "boundscheck": None, "nogil": True, "error_model": "numpy", "_nrt": False,
    "no_cpython_wrapper": True, "no_cfunc_wrapper": True,
}  # fmt: skip
"""Also without Numba's reference counting (``_nrt``): kernels create no arrays, callers keep alive those they pass."""


# --- Numba's types and functions -------------------------------------------------------------------


def numba_type(kind: Type) -> Any:
    """Return Numba's type of a declared one."""
    match kind:
        case Scalar(name):
            return types.boolean if name == "bool" else getattr(types, name)
        case Record(layout):
            return numba.typeof(np.zeros(1, dtype=layout).view(np.recarray)[0])
        case Array(Record(layout), 1):
            return numba.typeof(np.zeros(1, dtype=layout).view(np.recarray))
        case Array(element, dimensions):
            return types.Array(numba_type(element), dimensions, "C")
        case Tuple(members, None):
            return types.Tuple([numba_type(one) for one in members])
        case Tuple(members, named):
            return types.NamedTuple([numba_type(one) for one in members], named)
    raise TypeError(f"{kind} is no type")


def plain_type(kind: types.Type) -> types.Type:
    """Return the type with which an argument of a type enters a kernel."""
    kind = types.unliteral(kind)
    if kind == types.boolean or (isinstance(kind, types.Integer) and kind != types.uint64):
        return types.int64
    return kind


class Dispatcher(CPUDispatcher):
    """Numba's function of a kernel: compiled for plain types only."""

    def __init__(self, kernel: Kernel) -> None:
        inline = {"inline": "always"} if kernel.is_inline else {}
        super().__init__(py_func=kernel.function, targetoptions={**_OPTIONS, **inline})
        self.kernel = kernel

    def compile(self, sig: Any) -> Any:
        """Return the compiled function for these argument types."""
        return super().compile(tuple(plain_type(kind) for kind in sig))


class UnitDispatcher(Dispatcher):
    """A kernel whose callers know its declared types and its name, not the function."""

    def __init__(self, kernel: Kernel) -> None:
        super().__init__(kernel)
        self.declared = declared_signature(kernel)
        self.symbol = f"unit.{kernel.name}"
        self._is_inserted = False

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return what Numba needs to compile a caller: the declared types, not the function."""
        template = make_concrete_template(self.symbol, key=self.symbol, signatures=[self.declared])
        return template, inspect.signature(self.py_func), args, kws

    def get_overload(self, _sig: Any) -> Any:
        """Return the key of the unit's calling convention: its symbol."""
        if not self._is_inserted:
            self._is_inserted = True
            called = SimpleNamespace(
                mangled_name=self.symbol, restype=self.declared.return_type, argtypes=self.declared.args,
                args=list(self.kernel.arguments), noalias=False, inline=False,
            )  # fmt: skip
            self.targetctx.insert_user_function(self.symbol, called)
        return self.symbol


def declared_signature(kernel: Kernel) -> Any:
    """Return Numba's signature of the declared types."""
    assert kernel.returns is not None
    return signature(numba_type(kernel.returns), *map(numba_type, kernel.arguments.values()))


_dispatchers: dict[str, Dispatcher] = {}


def made_dispatcher(kernel: Kernel) -> Any:
    """Return what stands for a kernel while kernels are lowered."""
    if kernel.is_intrinsic:
        return INTRINSICS[kernel.name]
    made = UnitDispatcher(kernel) if kernel.is_unit else Dispatcher(kernel)
    _dispatchers[kernel.name] = made
    return made


# --- the instructions that kernels use by name (`tsume_rules.kernel.compile.intrinsic`) --------------

_INTEGERS = types.Array(types.int64, 1, "C")


@intrinsic
def lowest(_typing: Any, _bits: Any) -> Any:
    """The number of zeros below the lowest bit."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@intrinsic
def size(_typing: Any, _bits: Any) -> Any:
    """The number of bits."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


def _address(context: Any, builder: Any, array: Any) -> Any:
    """Return a pointer to an element; ``array``: an array and an index."""
    return builder.gep(context.make_array(_INTEGERS)(context, builder, array[0]).data, [array[1]])


@intrinsic
def exchange(_typing: Any, _shared: Any, _place: Any, _value: Any) -> Any:
    """Write an element and return what it was, in one step."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.atomic_rmw("xchg", _address(context, builder, arguments), arguments[2], "acquire")

    return types.int64(_INTEGERS, types.int64, types.int64), generate


@intrinsic
def put(_typing: Any, _shared: Any, _place: Any, _value: Any) -> Any:
    """Write an element; earlier accesses stay before it."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        builder.store_atomic(arguments[2], _address(context, builder, arguments), "release", 8)
        return arguments[2]

    return types.int64(_INTEGERS, types.int64, types.int64), generate


@intrinsic
def get(_typing: Any, _shared: Any, _place: Any) -> Any:
    """Read an element that another thread may be writing."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.load_atomic(_address(context, builder, arguments), "monotonic", 8, typ=_I64)

    return types.int64(_INTEGERS, types.int64), generate


@intrinsic
def fetch(_typing: Any, packed: Any) -> Any:
    """Tell the processor that a record is read soon."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        number, pointer = ir.IntType(32), ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [pointer, number, number, number])
        function = get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        read, keep, data = (ir.Constant(number, value) for value in (0, 3, 1))
        builder.call(function, [builder.bitcast(arguments[0], pointer), read, keep, data])
        return ir.Constant(_I64, 0)

    return types.int64(packed), generate


INTRINSICS: dict[str, Any] = {
    "tsume_rules.kernel.attacks.lowest": lowest,
    "tsume_rules.kernel.attacks.size": size,
    "solver.engines.dfpn.kernel.table._exchange": exchange,
    "solver.engines.dfpn.kernel.table._put": put,
    "solver.engines.dfpn.kernel.table._get": get,
    "solver.engines.dfpn.kernel.table._fetch": fetch,
}


# --- lowering --------------------------------------------------------------------------------------

_libraries: list[_NeutralLibrary] = []
"""All that Numba lowered in this process: each function once."""


class _NeutralLibrary(codegen.JITCodeLibrary):
    """Code that is neither linked nor optimised nor compiled."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        _libraries.append(self)

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        self._finalized = True


def change_numba() -> None:
    """Let Numba only lower, neither optimise nor compile; call it before any kernel is imported."""
    target: Any = cpu.CPUContext
    target.get_executable = lambda *_: [].append  # Numba's key for callers: another object each time
    codegen.JITCPUCodegen._library_class = _NeutralLibrary
    declarations.make_dispatcher = made_dispatcher


def lowered_text(exported: Sequence[Kernel], advance: Callable[[str], None]) -> str:
    """Return the code of kernels, of what they call except units, and of the functions that a library exports."""
    results: dict[str, Any] = {}
    wrong = []
    for kernel in exported:
        dispatcher, declared = _dispatchers[kernel.name], declared_signature(kernel)
        CPUDispatcher.compile(dispatcher, declared if kernel.is_unit else declared.args)
        result: Any = dispatcher.overloads[declared.args]
        results[kernel.name] = result
        if result.signature.return_type != declared.return_type:
            wrong.append(f"{kernel.name} returns {result.signature.return_type}, not {declared.return_type}")
        advance(kernel.name)
    if wrong:
        raise TypeError("; ".join(wrong))
    context = next(iter(results.values())).target_context
    library = context.codegen().create_library("entries")
    module = library.create_ir_module("entries")
    for kernel in exported:
        add_native_entry(context, module, NATIVE + kernel.symbol, results[kernel.name])
        add_block_entry(context, module, IN_BLOCK + kernel.symbol, results[kernel.name])
    library.add_ir_module(module)
    return _linked_text({f"unit.{name}": result.fndesc.llvm_func_name for name, result in results.items()})


def _linked_text(functions: dict[str, str]) -> str:
    """Return all code as one text, in which the functions of units have the names that callers know."""
    whole = llvm.parse_assembly("")
    for library in _libraries:
        whole.link_in(library._final_module, preserve=True)
    names = {mangled: symbol for symbol, mangled in functions.items()}
    text = re.sub(r"@([\w.]+)", lambda match: f"@{names.get(match[1], match[1])}", str(whole))
    defined = set(re.findall(r"^define [^@]*@([\w.]+)", text, re.MULTILINE))
    lines = []
    for line in text.splitlines():
        declared = re.match(r"declare [^@]*@([\w.]+)", line)
        if not (declared and declared[1] in defined):
            lines.append(line.replace(" = common ", " = weak "))
    return "\n".join(lines)


# --- the functions that a library exports, see `compiler.interface` ---------------------------------

_arrays: Any = arrayobj
PLACE = 8
"""Bytes of a place."""


def add_native_entry(context: Any, module: Any, name: str, compiled: Any) -> None:
    """Add a function that takes the arguments one by one and returns the result."""
    callee, declared = context.declare_function(module, compiled.fndesc), compiled.signature
    several = isinstance(declared.return_type, types.BaseTuple)
    pointer = _BYTE.as_pointer()
    given = [pointer] if several else []
    for kind in declared.args:
        is_address = isinstance(kind, types.Array | types.Record | types.BaseTuple)
        given.append(pointer if is_address else context.get_value_type(kind))
        given += [_I64] * kind.ndim if isinstance(kind, types.Array) else []
    is_nothing = isinstance(declared.return_type, types.NoneType)
    returned = context.get_value_type(declared.return_type) if not (several or is_nothing) else ir.VoidType()
    is_boolean = isinstance(declared.return_type, types.Boolean)
    function = ir.Function(module, ir.FunctionType(_I64 if is_boolean else returned, given), name)
    builder = ir.IRBuilder(function.append_basic_block())
    arguments = iter(function.args[1:] if several else function.args)
    values = [_native_value(context, builder, kind, arguments) for kind in declared.args]
    status, result = context.call_conv.call_function(builder, callee, declared.return_type, declared.args, values)
    with builder.if_then(status.is_error, likely=False):  # an index out of bounds, in a library that checks them
        builder.call(module.declare_intrinsic("llvm.trap", (), ir.FunctionType(ir.VoidType(), [])), [])
        builder.unreachable()
    if several:
        _Block(context, builder, function.args[0]).write_results(declared.return_type, result)
    if several or is_nothing:
        builder.ret_void()
    else:
        builder.ret(builder.zext(result, _I64) if is_boolean else result)


def _native_value(context: Any, builder: Any, kind: Any, arguments: Iterator[Any]) -> Any:
    """Return the value of an argument."""
    first = next(arguments)
    if isinstance(kind, types.Array):
        data = builder.bitcast(first, context.get_data_type(kind.dtype).as_pointer())
        return _array(context, builder, kind, data, [next(arguments) for _ in range(kind.ndim)])
    if isinstance(kind, types.BaseTuple):
        return _Block(context, builder, first).read(kind)
    return builder.bitcast(first, context.get_value_type(kind)) if isinstance(kind, types.Record) else first


def add_block_entry(context: Any, module: Any, name: str, compiled: Any) -> None:
    """Add a function that takes the address of the arguments and returns Numba's status, 0 if all went well."""
    callee, declared = context.declare_function(module, compiled.fndesc), compiled.signature
    function = ir.Function(module, ir.FunctionType(_I32, [_BYTE.as_pointer()]), name)
    builder = ir.IRBuilder(function.append_basic_block())
    block = _Block(context, builder, function.args[0])
    given = [block.read(kind) for kind in declared.args]
    status, result = context.call_conv.call_function(builder, callee, declared.return_type, declared.args, given)
    block.write_results(declared.return_type, result)
    builder.ret(status.code)


class _Block:
    """The memory at which arguments and results lie, read from its start."""

    def __init__(self, context: Any, builder: Any, address: Any) -> None:
        self._context, self._builder, self._address = context, builder, address
        self._at = 0

    def read(self, kind: Any) -> Any:
        """Return the value of the next argument."""
        context, builder = self._context, self._builder
        if isinstance(kind, types.NoneType):
            return context.get_dummy_value()
        if isinstance(kind, types.BaseTuple):
            return context.make_tuple(builder, kind, [self.read(member) for member in _members(kind)])
        if isinstance(kind, types.Array):
            data = builder.load(self._next(context.get_data_type(kind.dtype).as_pointer()))
            return _array(context, builder, kind, data, [builder.load(self._next(_I64)) for _ in range(kind.ndim)])
        return builder.load(self._next(context.get_value_type(kind)))

    def write_results(self, kind: Any, result: Any) -> None:
        """Write what a kernel returned, from the block's start."""
        several = isinstance(kind, types.BaseTuple)
        for number, member in enumerate(_members(kind) if several else [kind]):
            if isinstance(member, types.NoneType):
                continue
            value = self._builder.extract_value(result, number) if several else result
            if isinstance(member, types.Boolean):
                value = self._builder.zext(value, _I64)
            self._builder.store(value, self._pointer(number * PLACE, value.type))

    def _next(self, kind: Any) -> Any:
        self._at += PLACE
        return self._pointer(self._at - PLACE, kind)

    def _pointer(self, at: int, kind: Any) -> Any:
        place = self._builder.gep(self._address, [ir.Constant(_I32, at)])
        return self._builder.bitcast(place, kind.as_pointer())


def _members(kind: Any) -> list[Any]:
    return list(kind.types)


def _array(context: Any, builder: Any, kind: Any, data: Any, shape: list[Any]) -> Any:
    """Return an array in the order of C: its strides follow from its lengths."""
    array = _arrays.make_array(kind)(context, builder)
    size = ir.Constant(_I64, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
    strides = [size]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    _arrays.populate_array(array, data, shape, strides, size, meminfo=None)
    return array._getvalue()
