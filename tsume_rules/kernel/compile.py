"""The one way kernels are compiled: each once, and large ones apart from those that call them.

Two habits of numba's make a first start long. It compiles a function anew for each type of
integer and for each constant it is called with. So integers and truth values are `int64`
wherever a kernel is entered (keys, and nothing else, are `uint64`), see `plain`. And
whatever a function calls is linked into it and optimised once more. So what is large or
called from many places is a *unit*: its types are declared, it is compiled by itself, and
its callers know no more than its address, see `Unit`. Units do not wait for one another,
so several processes can compile them at once (`tsume_rules.kernel.warmup`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core import types
from numba.core.registry import CPUDispatcher
from numba.core.typing.templates import make_concrete_template, signature

_OPTIONS: dict[str, Any] = {
    "nopython": True,
    "boundscheck": None,
    "nogil": True,
    "error_model": "numpy",
    "_nrt": False,
}

int64 = types.int64
uint64 = types.uint64
void = types.none
INTEGERS = types.Array(types.int64, 1, "C")
"""An array of moves, of numbers, of whatever: scratch space."""
PAIR = types.UniTuple(types.int64, 2)
TRIPLE = types.UniTuple(types.int64, 3)


def record(layout: np.dtype[Any]) -> Any:
    """The type of one record of an array of records."""
    return numba.typeof(np.zeros(1, dtype=layout).view(np.recarray)[0])


def records(layout: np.dtype[Any]) -> Any:
    """The type of an array of records."""
    return numba.typeof(np.zeros(1, dtype=layout).view(np.recarray))


units: list[Unit] = []
"""All units of the modules imported so far."""


def plain(kind: types.Type) -> types.Type:
    """The type with which an argument enters a kernel."""
    kind = types.unliteral(kind)
    if kind == types.boolean or (isinstance(kind, types.Integer) and kind != types.uint64):
        return types.int64
    return kind


class Kernel(CPUDispatcher):
    """A function of numba's that is compiled for plain types only (see `plain`)."""

    def compile(self, sig: Any) -> Any:
        """The compiled function for these types of arguments, from the cache if it is there."""
        self.load_units_below()
        return super().compile(tuple(plain(kind) for kind in sig))

    def load_units_below(self) -> None:
        """Make known the addresses of all units that are called from here."""
        for kernel in self._linked():
            for called in kernel.called():
                if isinstance(called, Unit):
                    called.load()

    @property
    def size(self) -> int:
        """How much there is to compile: the code of the function and of what is linked into it, in bytes."""
        return sum(len(kernel.py_func.__code__.co_code) for kernel in self._linked())

    def _linked(self) -> list[Kernel]:
        """This kernel and those that it calls, itself or through others, but for units."""
        found = [self]
        for kernel in found:
            found += [one for one in kernel.called() if not isinstance(one, Unit) and one not in found]
        return found

    def called(self) -> Iterator[Kernel]:
        """The kernels that the function names."""
        names = self.py_func.__globals__
        for name in self.py_func.__code__.co_names:
            value = names.get(name)
            if isinstance(value, Kernel):
                yield value


class Unit(Kernel):
    """A kernel with declared types that is compiled apart from its callers.

    These call a symbol, which is given the kernel's address when it is loaded. A caller is
    loaded after the units below it (`Kernel.compile`), for an unknown symbol ends the process.
    """

    def __init__(
        self, function: Callable[..., Any], returns: types.Type, given: dict[str, types.Type]
    ) -> None:
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

    def compile(self, _sig: Any) -> Any:
        """The compiled function, whatever it is called with: the declared types fit or none do."""
        self.load_units_below()
        return CPUDispatcher.compile(self, self.declared)

    def load(self) -> None:
        """Compile the unit, or take it from the cache, and make its address known."""
        if self._loaded:
            return
        self._loaded = True  # before it is: units may call each other in a circle
        self.compile(self.declared)
        result: Any = self.overloads[self.declared.args]
        llvm.add_symbol(self.symbol, result.library.get_pointer_to_function(result.fndesc.llvm_func_name))

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """What a caller is compiled with: the declared types, and no look at the function."""
        template = make_concrete_template(self.symbol, key=self.symbol, signatures=[self.declared])
        return template, inspect.signature(self.py_func), args, kws

    def get_overload(self, _sig: Any) -> Any:
        """The key under which a caller finds how the unit is called: by its symbol."""
        if not self._declared:
            self._declared = True
            called = SimpleNamespace(
                mangled_name=self.symbol, restype=self.declared.return_type, argtypes=self.declared.args,
                args=self._arguments, noalias=False, inline=False,
            )  # fmt: skip
            self.targetctx.insert_user_function(self.symbol, called)
        return self.symbol


def unit(returns: types.Type = types.int64, **given: types.Type) -> Callable[[Callable[..., Any]], Any]:
    """Compile a kernel apart from its callers; parameters that are not given are integers."""

    def compiled(function: Callable[..., Any]) -> Any:
        if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
            return function
        kernel = Unit(function, returns, given)
        kernel.enable_caching()
        units.append(kernel)
        return kernel

    return compiled


def _kernel(function: Callable[..., Any], **options: Any) -> Any:
    if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
        return function
    kernel = Kernel(py_func=function, targetoptions={**_OPTIONS, **options})
    kernel.enable_caching()
    return kernel


def jit(function: Callable[..., Any]) -> Any:
    """Compile a kernel: nopython mode, cached on disk, without the interpreter lock.

    Also without numba's reference counting (``_nrt``), whose atomic counters took a third of
    the search's time: kernels make no arrays, they work on those that are handed to them, and
    whoever calls keeps these alive.
    """
    return _kernel(function)


def jit_inline(function: Callable[..., Any]) -> Any:
    """The same for a part of a hot kernel that must not cost a call, or is too small for one."""
    return _kernel(function, inline="always")
