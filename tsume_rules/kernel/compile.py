# SPDX-License-Identifier: GPL-3.0-or-later
"""How kernels are declared, and what Python calls: functions of a compiled library.

A kernel is a Python function over arrays and integers. All kernels are compiled ahead of time to one library for a
kind of machine (`compiler`); a running program imports neither Numba nor LLVM. Python can call the kernels whose types
are declared: they are in the library. The others are parts of these; where Python calls one of them, for
its few operations on integers, it runs as Python. So do all kernels if the environment has ``NUMBA_DISABLE_JIT=1``.
With ``NUMBA_BOUNDSCHECK=1`` a checkout has a library that ends the process at an index out of bounds.

Integers and booleans enter every kernel as `int64` (only keys are `uint64`): each is compiled once for each tuple of
types that it is called with. A *unit* is moreover compiled without its callers, which know only its types: for kernels
that are large or called from many places.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

# --- the types of what kernels take and return -----------------------------------------------------


@dataclass(frozen=True)
class Scalar:
    """A number, a boolean or nothing, by the name of its NumPy type, ``bool`` or ``none``."""

    name: str


@dataclass(frozen=True)
class Record:
    """One element of a structured array."""

    layout: np.dtype[Any]


@dataclass(frozen=True)
class Array:
    """An array in the order of C, of numbers or records."""

    element: Scalar | Record
    dimensions: int = 1
    least: tuple[int, ...] = ()
    """The least lengths of its first dimensions."""


@dataclass(frozen=True)
class Tuple:
    """A tuple, or a named tuple of a class (`named_tuple`)."""

    members: Sequence[Type]
    named: Any = None


Type = Scalar | Record | Array | Tuple

int64, uint64, float64, float32 = Scalar("int64"), Scalar("uint64"), Scalar("float64"), Scalar("float32")
int8, int16, int32, uint8 = Scalar("int8"), Scalar("int16"), Scalar("int32"), Scalar("uint8")
boolean, void = Scalar("bool"), Scalar("none")
INTEGERS = Array(int64)
"""An array of integers: moves or other numbers, scratch space."""
NUMBERS = Array(float64)
"""An array of real numbers."""
PAIR = Tuple([int64] * 2)
TRIPLE = Tuple([int64] * 3)


def record(fields: list[Any]) -> np.dtype[Any]:
    """Return the layout of a record with these fields, aligned; elements of its arrays have them as attributes."""
    return np.dtype((np.record, np.dtype(fields, align=True)))


def struct(layout: np.dtype[Any]) -> Record:
    """Return the type of one element of a structured array."""
    return Record(layout)


def structs(layout: np.dtype[Any]) -> Array:
    """Return the type of a one-dimensional structured array."""
    return Array(Record(layout))


def named_tuple(name: str, fields: str) -> Any:
    """Return a class of named tuples that kernels take; each keeps where its arrays lie."""
    module = sys._getframe(1).f_globals["__name__"]
    return type(name, (namedtuple(name, fields),), {"__module__": module, "block_type": None})


# --- kernels ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Kernel:
    """A kernel, as it was declared."""

    function: Callable[..., Any]
    returns: Type | None = None
    """None: Python does not call it."""
    given: Mapping[str, Type] = field(default_factory=dict)
    """The types of its parameters by name; the others are int64."""
    is_unit: bool = False
    is_inline: bool = False
    is_intrinsic: bool = False

    def __post_init__(self) -> None:
        unknown = self.given.keys() - self._parameters
        if unknown:
            raise TypeError(f"{self.name} has no parameter {', '.join(sorted(unknown))}")

    @property
    def name(self) -> str:
        """The qualified name."""
        return f"{self.function.__module__}.{self.function.__qualname__}"

    @property
    def symbol(self) -> str:
        """The name of the library's function."""
        return self.name.replace(".", "_")

    @property
    def arguments(self) -> dict[str, Type]:
        """The types of all parameters by name."""
        return {name: self.given.get(name, int64) for name in self._parameters}

    @property
    def _parameters(self) -> tuple[str, ...]:
        code = self.function.__code__
        return code.co_varnames[: code.co_argcount]


kernels: dict[str, Kernel] = {}
"""All kernels of the modules imported so far, by qualified name."""
is_python = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
"""Whether all kernels run as Python."""
make_dispatcher: Callable[[Kernel], Any] | None = None
"""What takes the place of kernels while they are compiled (`compiler.lowering`)."""


def kernel_of(value: Any) -> Kernel | None:
    """Return the declaration of a kernel; None of what is none."""
    found = getattr(value, "kernel", None)
    return found if isinstance(found, Kernel) else None


def unit(returns: Type = int64, **given: Type) -> Callable[[Callable[..., Any]], Any]:
    """Declare a kernel that is compiled without its callers; parameters not ``given`` a type are int64."""
    return lambda function: _declared(Kernel(function, returns, given, is_unit=True))


def jit(function: Callable[..., Any]) -> Any:
    """Declare a kernel that is part of those that call it."""
    return _declared(Kernel(function))


def jit_inline(function: Callable[..., Any]) -> Any:
    """As `jit`, inlined into callers: for parts of hot kernels, too small to be worth a call."""
    return _declared(Kernel(function, is_inline=True))


def intrinsic(function: Callable[..., Any]) -> Any:
    """Declare an instruction of the processor (`compiler.lowering`); the function says what it does, in Python."""
    return _declared(Kernel(function, is_intrinsic=True))


def export(returns: Type = int64, **given: Type) -> Callable[[Callable[..., Any]], Any]:
    """As `jit`, for a kernel that Python calls too; parameters not ``given`` a type are int64."""
    return lambda function: _declared(Kernel(function, returns, given))


def export_inline(returns: Type = int64, **given: Type) -> Callable[[Callable[..., Any]], Any]:
    """As `jit_inline`, likewise."""
    return lambda function: _declared(Kernel(function, returns, given, is_inline=True))


def _declared(kernel: Kernel) -> Any:
    """Return what stands for a kernel in its module."""
    kernels[kernel.name] = kernel
    if make_dispatcher:
        return make_dispatcher(kernel)
    called: Any = kernel.function
    if kernel.returns is not None and not is_python:
        called = library_of(called.__module__).function(kernel)
    called.kernel = kernel
    return called


# --- libraries of compiled kernels -----------------------------------------------------------------
#
# A wheel brings the kernels of the program for its platform. A checkout builds them when their sources have changed, in
# a folder of the user's cache that is named after the sources: environments share it, and folders that were unused for
# 30 days are removed. Measurements and the repeated papers have libraries of their own.
#
# A folder has a library for each level of processor that it was built for and ``calls.py``, which converts arguments
# (`compiler.interface`).

ROOT = Path(__file__).parents[2]
SHIPPED = Path(__file__).parents[1] / "compiled"
"""Only in wheels."""
PROGRAM = "tsume"
"""The library of the program itself."""
_PACKAGES = ("tsume_rules", "solver", "generator")
_UNUSED_SECONDS = 30 * 24 * 3600
_SUFFIX = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")


def packages_of(library: str) -> tuple[str, ...]:
    """Return the packages whose kernels a library has."""
    return _PACKAGES if library == PROGRAM else (library,)


def kernel_sources(library: str = PROGRAM) -> list[Path]:
    """Return all source files with kernels that a library is made of, in a fixed order."""
    packages = dict.fromkeys((*_PACKAGES, *packages_of(library)))
    found = (path for one in packages for path in (ROOT / one).rglob("*.py"))
    return sorted(path for path in found if "kernel" in (path.parent.name, path.stem))


@cache
def kernel_sources_hash(library: str = PROGRAM) -> str:
    """Return a short hash of all sources of a library."""
    return _hash_of(kernel_sources(library))


@cache
def library_hash(library: str) -> str:
    """Return a short hash of all sources of a library and of what compiles them."""
    return _hash_of([*kernel_sources(library), *sorted((ROOT / "compiler").glob("*.py"))])


def _hash_of(files: list[Path]) -> str:
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def cache_folder() -> Path | None:
    """Return the folder for what is compiled, the user's; None if none can be written."""
    base = os.environ.get("XDG_CACHE_HOME")
    # Temporary folders are shared: with the user's number, or name where there are no numbers.
    user = str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")
    own = (Path(base) if base else Path.home() / ".cache") / "tsume"
    for folder in (own, Path(tempfile.gettempdir()) / f"tsume-{user}"):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    return None


def library_of(module: str) -> Library:
    """Return the library with the kernels of a module. Raises ImportError if there is none and none can be built."""
    package = module.partition(".")[0]
    return _library(PROGRAM if package in _PACKAGES else package)


@cache
def _library(name: str) -> Library:
    """Open a library, after building it if the sources of a checkout have changed."""
    if name == PROGRAM and SHIPPED.is_dir():
        return Library(SHIPPED)
    checked = "-checked" if os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0") else ""
    wanted = f"{name}{checked}-{library_hash(name)}-{sys.platform}-{platform.machine().lower()}"
    home = cache_folder() or Path(tempfile.mkdtemp())
    folder = home / wanted
    with suppress(ImportError):  # it may also be for the newer processor of another machine
        found = Library(folder)
        with suppress(OSError):
            os.utime(folder)
        return found
    with suppress(OSError):
        for other in home.iterdir():
            if time.time() - other.stat().st_mtime > _UNUSED_SECONDS:
                shutil.rmtree(other, ignore_errors=True) if other.is_dir() else other.unlink()
    command = [sys.executable, "-m", "compiler", "library", name, str(folder)]
    path = os.pathsep.join([str(ROOT), *(str(Path(one).absolute()) for one in sys.path if one)])
    if subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, check=False).returncode:
        raise ImportError(f"the kernels of {name} could not be compiled; see above")
    return Library(folder)


class Library:
    """A library of compiled kernels."""

    def __init__(self, folder: Path) -> None:
        name = f"{__name__}.{folder.name.replace('-', '_')}"
        found = importlib.util.spec_from_file_location(name, folder / "calls.py")
        if found is None or found.loader is None or not (folder / "calls.py").exists():
            raise ImportError(f"{folder} has no library of kernels")
        self._calls = importlib.util.module_from_spec(found)
        found.loader.exec_module(self._calls)
        files = sorted(folder.glob(f"kernels-*{_SUFFIX}"))
        has = self._calls.processor_level(str(files[0]))
        fitting = [one for one in files if "x86-64-v" not in one.stem or int(one.stem[-1]) <= has]
        if not fitting:
            raise ImportError(f"{folder} has no kernels for this processor, whose x86-64 level is {has}")
        self.path = fitting[-1]
        """The file for the highest level that the processor has."""
        self._calls.open_library(str(self.path))

    def function(self, kernel: Kernel) -> Any:
        """Return the function by which Python calls a kernel."""
        made = getattr(self._calls, kernel.symbol)(*kernel.arguments.values())
        made.__module__, made.__doc__ = kernel.function.__module__, kernel.function.__doc__
        return made


# --- how arguments are checked and where they lie, for `calls.py` ----------------------------------

array_type: Any = np.ndarray.dtype.__get__
"""The dtype of an array, several times as quick as the attribute if it is an array of records; so are the next."""
array_dimensions: Any = np.ndarray.ndim.__get__
array_shape: Any = np.ndarray.shape.__get__
record_type: Any = np.generic.dtype.__get__


def layout_of(kind: Array | Record) -> np.dtype[Any]:
    """Return the dtype of a record, or of an array's elements."""
    element = kind.element if isinstance(kind, Array) else kind
    return element.layout if isinstance(element, Record) else np.dtype(element.name)


def checked_array(value: Any, kind: Array) -> Any:
    """Return an array that is of a type, if not by the very object that is its dtype. Raises TypeError if it is not."""
    described = type(value).__name__
    if isinstance(value, np.ndarray):
        shape, layout = array_shape(value), array_type(value)
        is_long = all(length >= least for length, least in zip(shape, kind.least, strict=False))
        if is_long and len(shape) == kind.dimensions and layout == layout_of(kind):
            return value
        described = f"{layout} of shape {shape}"
    least = f" of shape {kind.least} at least" if kind.least else ""
    raise TypeError(f"a kernel takes {kind.dimensions}-dimensional {layout_of(kind)}{least}, not {described}")


def checked_record(value: Any, layout: np.dtype[Any]) -> Any:
    """Return a record that has a layout, likewise."""
    if record_type(value) == layout:
        return value
    raise TypeError(f"a kernel takes a record of {layout}, not of {record_type(value)}")


def arguments_block(ffi: Any, value: Any, kind: Tuple) -> Any:
    """Return a tuple's members as they lie in memory; a named tuple keeps them for the next call.

    Each array or record is a place with its address, followed by the lengths of the array; each number is a place.
    Raises TypeError if a member is of another type.
    """
    if kind.named is not None and type(value) is not kind.named:
        raise TypeError(f"a kernel takes a tuple {kind.named.__name__}, not {type(value).__name__}")
    places: list[int] = []
    held: list[Any] = []
    _write_members(ffi, value, kind, places, held)
    block = ffi.new("int64_t[]", places)
    if kind.named is not None:
        value.block_type, value.block, value.held = kind, block, held
        return block
    return ffi.gc(block, lambda _block, _held=held: None)


def _write_members(ffi: Any, value: Any, kind: Tuple, places: list[int], held: list[Any]) -> None:
    if len(value) != len(kind.members):
        raise TypeError(f"a kernel takes a tuple of {len(kind.members)}, not of {len(value)}")
    for one, member in zip(value, kind.members, strict=True):
        match member:
            case Tuple():
                _write_members(ffi, one, member, places, held)
            case Array():
                array = checked_array(one, member)
                held.append(ffi.from_buffer("char[]", array, True))
                places += [int(ffi.cast("intptr_t", held[-1])), *array_shape(array)]
            case Record():
                held.append(ffi.from_buffer("char[]", checked_record(one, member.layout)))
                places.append(int(ffi.cast("intptr_t", held[-1])))
            case Scalar("none"):
                if one is not None:
                    raise TypeError(f"a kernel takes None, not {type(one).__name__}")
            case Scalar():
                places.append(int(one))
