# SPDX-License-Identifier: GPL-3.0-or-later
"""How kernels are compiled: each once, large ones separately from their callers.

Two properties of numba make the first compilation slow. It compiles a function again for each integer type and each
constant it is called with; therefore integers and booleans enter every kernel as `int64` (only keys are `uint64`), see
`plain_kernel_type`. And it links the functions that a function calls into it and optimises them again; therefore a
kernel that is large or called from many places is a *unit*: its types are declared, it is compiled by itself, and its
callers know only its address, see `KernelUnit`. Units do not depend on one another, so several processes can compile
them at once (`tsume.warmup`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import cached_property
from types import SimpleNamespace
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core import types
from numba.core.caching import FunctionCache, NullCache
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.runtime.nrt import rtsys
from numba.core.typing.templates import make_concrete_template, signature

from tsume_rules.kernel.cache import precompiled_kernels

_OPTIONS: dict[str, Any] = {"nopython": True, "boundscheck": None, "nogil": True, "error_model": "numpy", "_nrt": False}

int64 = types.int64
uint64 = types.uint64
void = types.none
INTEGERS = types.Array(types.int64, 1, "C")
"""An array of integers: moves or other numbers, scratch space."""
NUMBERS = types.Array(types.float64, 1, "C")
"""An array of real numbers."""
PAIR = types.UniTuple(types.int64, 2)
TRIPLE = types.UniTuple(types.int64, 3)


def struct(layout: np.dtype[Any]) -> Any:
    """Return the numba type of one element of a structured array."""
    return numba.typeof(np.zeros(1, dtype=layout).view(np.recarray)[0])


def structs(layout: np.dtype[Any]) -> Any:
    """Return the numba type of a one-dimensional structured array."""
    return numba.typeof(np.zeros(1, dtype=layout).view(np.recarray))


units: list[KernelUnit] = []
"""All units of the modules imported so far."""


def plain_kernel_type(kind: types.Type) -> types.Type:
    """Return the type with which an argument of a type enters a kernel."""
    kind = types.unliteral(kind)
    if kind == types.boolean or (isinstance(kind, types.Integer) and kind != types.uint64):
        return types.int64
    return kind


class UserCache(FunctionCache):
    """Numba's cache of a function, read without what only compiling needs.

    Numba first loads all that it can compile (a third of a command's start); code that is stored
    needs its runtime only. What is not stored is compiled as ever, which loads the rest.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the stored code for a signature; None if there is none."""
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)

    def entries(self) -> dict[Any, Any]:
        """Return all that is stored, by signature. The cache was filled for one processor."""
        files = self._cache_file
        return {key[0]: files._load_data(name) for key, name in files._load_index().items()}


class StoredCode(NullCache):
    """The code of a function from the wheel or, if the wheel lacks it, from the user's cache."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @cached_property
    def user_cache(self) -> UserCache:
        """The user's cache, in a folder that is created."""
        return UserCache(self._function)

    @property
    def cache_path(self) -> Any:
        """The folder of the user's cache."""
        return self.user_cache.cache_path

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the stored code for a signature; None if there is none."""
        kernels = precompiled_kernels()
        if kernels is not None:
            rtsys.initialize(target_context)
            found = kernels.load(self._function, sig, target_context)
            if found is not None:
                return found
        return self.user_cache.load_overload(sig, target_context)

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store compiled code in the user's cache."""
        self.user_cache.save_overload(sig, data)

    def flush(self) -> None:
        """Empty the user's cache."""
        self.user_cache.flush()


class JitKernel(CPUDispatcher):
    """A numba function that is compiled for plain types only (see `plain_kernel_type`)."""

    def enable_caching(self) -> None:
        """Keep compiled code on disk."""
        self._cache = self._stored = StoredCode(self.py_func)

    def stored_code(self) -> dict[Any, Any]:
        """Return what the user's cache has, by signature, as numba stores it."""
        return self._stored.user_cache.entries()

    def compile(self, sig: Any) -> Any:
        """Return the compiled function for these argument types, from the cache if possible."""
        return self._compiled(tuple(plain_kernel_type(kind) for kind in sig))

    @global_compiler_lock  # another thread may be loading the same units
    def _compiled(self, kinds: tuple[types.Type, ...]) -> Any:
        known: Any = self.overloads.get(kinds)
        if known is not None:
            return known.entry_point
        self.load_units_below()
        return super().compile(kinds)

    def load_units_below(self) -> None:
        """Register the addresses of all units that this kernel calls."""
        for kernel in self._linked():
            for called in kernel.called():
                if isinstance(called, KernelUnit):
                    called.load()

    @property
    def size(self) -> int:
        """Bytes of Python bytecode to compile: the function's and that of the kernels linked into it."""
        return sum(len(kernel.py_func.__code__.co_code) for kernel in self._linked())

    def _linked(self) -> list[JitKernel]:
        """This kernel and those it calls, directly or through others, except units."""
        found = [self]
        for kernel in found:
            found += [one for one in kernel.called() if not isinstance(one, KernelUnit) and one not in found]
        return found

    def called(self) -> Iterator[JitKernel]:
        """Yield the kernels that the function refers to."""
        names = self.py_func.__globals__
        for name in self.py_func.__code__.co_names:
            value = names.get(name)
            if isinstance(value, JitKernel):
                yield value


class KernelUnit(JitKernel):
    """A kernel with declared types that is compiled separately from its callers.

    Callers call a symbol, which gets the kernel's address when the unit is loaded. The units that a kernel calls are
    loaded before it (`JitKernel.compile`): an unknown symbol would end the process.
    """

    def __init__(self, function: Callable[..., Any], returns: types.Type, given: dict[str, types.Type]) -> None:
        super().__init__(py_func=function, targetoptions=_OPTIONS)
        names = list(inspect.signature(function).parameters)
        unknown = set(given) - set(names)
        if unknown:
            raise TypeError(f"{function.__name__} has no parameter {', '.join(sorted(unknown))}")
        self.declared = signature(returns, *(given.get(name, types.int64) for name in names))
        self.symbol = f"tsume.{function.__module__}.{function.__qualname__}"
        self._loaded = False
        self._declared = False
        self._arguments = names

    @global_compiler_lock
    def compile(self, _sig: Any) -> Any:
        """Return the compiled function for the declared types, whatever the argument types."""
        known: Any = self.overloads.get(self.declared.args)
        if known is not None:
            return known.entry_point
        self.load_units_below()
        compiled = CPUDispatcher.compile(self, self.declared)
        self.disable_compile()  # a call from Python then converts its arguments instead of coming here
        return compiled

    @global_compiler_lock
    def load(self) -> None:
        """Compile the unit, or load it from the cache, and register its address."""
        if self._loaded:
            return
        self.compile(self.declared)
        result: Any = self.overloads[self.declared.args]
        address = result.library.get_pointer_to_function(result.fndesc.llvm_func_name)
        llvm.add_symbol(self.symbol, address)
        self._loaded = True  # last: interrupted before, it is loaded again, and no caller misses its symbol

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return what numba needs to compile a caller: the declared types, not the function."""
        template = make_concrete_template(self.symbol, key=self.symbol, signatures=[self.declared])
        return template, inspect.signature(self.py_func), args, kws

    def get_overload(self, _sig: Any) -> Any:
        """Return the key of the unit's calling convention: its symbol."""
        if not self._declared:
            self._declared = True
            called = SimpleNamespace(
                mangled_name=self.symbol, restype=self.declared.return_type, argtypes=self.declared.args,
                args=self._arguments, noalias=False, inline=False,
            )  # fmt: skip
            self.targetctx.insert_user_function(self.symbol, called)
        return self.symbol


def unit(returns: types.Type = types.int64, **given: types.Type) -> Callable[[Callable[..., Any]], Any]:
    """Compile a kernel separately from its callers; parameters not ``given`` a type are int64."""

    def compiled(function: Callable[..., Any]) -> Any:
        if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
            return function
        kernel = KernelUnit(function, returns, given)
        kernel.enable_caching()
        units.append(kernel)
        return kernel

    return compiled


def _compiled_kernel(function: Callable[..., Any], **options: Any) -> Any:
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return function
    kernel = JitKernel(py_func=function, targetoptions={**_OPTIONS, **options})
    kernel.enable_caching()
    return kernel


def jit(function: Callable[..., Any]) -> Any:
    """Compile a kernel: nopython mode, cached on disk, without the interpreter lock.

    Also without numba's reference counting (``_nrt``), whose atomic counters used a third of
    the search's time: kernels create no arrays, and the caller keeps alive those it passes.
    """
    return _compiled_kernel(function)


def jit_inline(function: Callable[..., Any]) -> Any:
    """As `jit`, inlined into callers: for parts of hot kernels, too small to be worth a call."""
    return _compiled_kernel(function, inline="always")
