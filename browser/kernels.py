# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernels as one WebAssembly module, built or read from the cache.

Numba types and lowers the kernels as ever; what it makes of them before its own optimisation is free of any
processor. All of it is linked once, optimised and compiled for wasm32 (`browser.lowering`), and linked to a
module here. Each entry is a function of one address, at which its arguments lie (`browser.kernels`).
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import llvmlite
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.np import arrayobj

from solver.engines.dfpn.kernel.arena import ARENA, SEARCH, Arena
from tsume.progress import compiling_progress
from tsume_rules.kernel.cache import kernel_sources_hash, use_kernel_cache
from tsume_rules.kernel.compile import INTEGERS, JitKernel, KernelUnit, plain_kernel_type, struct, structs
from tsume_rules.kernel.state import POSITION, POSITION_TYPE

# --- the entries of the module: kernels by name, the types of their arguments, the layouts of records ---

_PACKAGES = ("tsume_rules.", "solver.", "generator.")
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
    "positions": structs(POSITION),
    "out": INTEGERS,
    "lengths": INTEGERS,
    "codes": types.Array(types.int8, 1, "C"),
    "hands": types.Array(types.int8, 2, "C"),
    "box": _BOX,
}
"""The argument types of kernels that are not units, by the names of their parameters; others are integers."""


def kernel_name(kernel: JitKernel) -> str:
    """Return the qualified name of a kernel."""
    return f"{kernel.py_func.__module__}.{kernel.py_func.__name__}"


def kernel_named(name: str) -> JitKernel:
    """Return the kernel of a qualified name. Raises ValueError if there is none."""
    module, _, attribute = name.rpartition(".")
    found = getattr(import_module(module), attribute, None)
    if not isinstance(found, JitKernel):
        raise ValueError(f"{name} is not a kernel")
    return found


def argument_types(kernel: JitKernel) -> tuple[types.Type, ...]:
    """Return the types of a kernel's arguments: those declared of a unit, else those of `_TYPE_OF`."""
    if isinstance(kernel, KernelUnit):
        return tuple(kernel.declared.args)
    names = argument_names(kernel)
    return tuple(plain_kernel_type(_TYPE_OF.get(name, types.int64)) for name in names)


def argument_names(kernel: JitKernel) -> list[str]:
    """Return the names of a kernel's parameters."""
    return list(inspect.signature(kernel.py_func).parameters)


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
    return module.startswith(_PACKAGES) and "kernel" in module.split(".")[:-1]


# --- the manifest: what callers must know of entries and records ------------------------------------


def manifest_of(exported: Mapping[str, str], signatures: Mapping[str, Any], records: Iterable[str]) -> dict[str, Any]:
    """Return the entries and the records; of the latter those that are wanted or that an entry takes.

    ``exported``: the names of the exported functions; ``signatures``: numba's, both by qualified names.
    """
    layouts = record_layouts(records)
    names = {struct(layout): name for name, layout in reversed(layouts.items())}
    used = set(records)

    def record_name(kind: Any) -> str:
        used.add(names[kind])
        return names[kind]

    described = {}
    for name, export in exported.items():
        given = zip(argument_names(kernel_named(name)), signatures[name].args, strict=True)
        described[name] = {
            "export": export,
            "arguments": [[argument, described_type(kind, record_name)] for argument, kind in given],
            "returns": described_type(signatures[name].return_type, record_name),
        }
    return {"entries": described, "records": {name: described_record(layouts[name]) for name in sorted(used)}}


def described_type(kind: Any, record_name: Callable[[Any], str]) -> Any:
    """Return a type as the manifest has it: a name, or a list that begins with record, array or tuple."""
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
            return ["tuple", *(["", described_type(member, record_name)] for member in tuple_member_types(kind))]
        case types.Integer() | types.Float():
            return str(kind)
        case types.Boolean():
            return "bool"
        case types.NoneType():
            return "none"
    raise TypeError(f"entries cannot take or return {kind}")


def tuple_member_types(kind: Any) -> list[Any]:
    """Return the types of a tuple's members."""
    return list(kind.types)


def described_record(layout: np.dtype[Any]) -> dict[str, Any]:
    """Return the layout of a record, for the manifest: its size, and (offset, type, shape) of each field."""
    fields = {}
    for name, (kind, offset, *_) in (layout.fields or {}).items():
        element, shape = kind.subdtype or (kind, ())
        fields[name] = [offset, element.name, list(shape)]
    return {"size": layout.itemsize, "fields": fields}


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


def argument_places(kind: Any) -> int:
    """Return how many places an argument takes."""
    match kind:
        case types.NoneType():
            return 0
        case types.Array():
            return (int(kind.ndim) + 2) // 2
        case types.BaseTuple():
            return sum(argument_places(member) for member in tuple_member_types(kind))
    return 1


def add_entry_function(context: Any, module: Any, name: str, compiled: Any) -> None:
    """Add the function of an entry to a module: it calls a compiled kernel."""
    callee, signature = context.declare_function(module, compiled.fndesc), compiled.signature
    function = ir.Function(module, ir.FunctionType(_I32, [_BYTE.as_pointer()]), name)
    builder = ir.IRBuilder(function.append_basic_block())
    block = _Block(context, builder, function.args[0])
    given = [block.read(kind) for kind in signature.args]
    returned = signature.return_type
    status, result = context.call_conv.call_function(builder, callee, returned, signature.args, given)
    block.write_results(returned, result)
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
            return context.make_tuple(builder, kind, [self.read(member) for member in tuple_member_types(kind)])
        at, self._at = self._at, self._at + PLACE * argument_places(kind)
        if isinstance(kind, types.Array):
            return self._array(kind, at)
        return builder.load(self._pointer(at, context.get_value_type(kind)))

    def write_results(self, kind: Any, result: Any) -> None:
        """Write what a kernel returned, from the block's start."""
        several = isinstance(kind, types.BaseTuple)
        for number, member in enumerate(tuple_member_types(kind) if several else [kind]):
            if isinstance(member, types.NoneType):
                continue
            value = self._builder.extract_value(result, number) if several else result
            if isinstance(member, types.Boolean):
                value = self._builder.zext(value, _I64)
            self._builder.store(value, self._pointer(number * PLACE, value.type))

    def _array(self, kind: Any, at: int) -> Any:
        """Return an array in the order of C: its address and lengths lie there, its strides follow."""
        context, builder = self._context, self._builder
        array = _arrays.make_array(kind)(context, builder)
        lengths = range(at + _HALF, at + _HALF * (kind.ndim + 1), _HALF)
        shape = [builder.zext(builder.load(self._pointer(place, _I32)), _I64) for place in lengths]
        data = builder.load(self._pointer(at, array.data.type))
        size = ir.Constant(_I64, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
        strides = [size]
        for length in reversed(shape[1:]):
            strides.insert(0, builder.mul(strides[0], length))
        _arrays.populate_array(array, data, shape, strides, size, meminfo=None)
        return array._getvalue()

    def _pointer(self, at: int, kind: Any) -> Any:
        place = self._builder.gep(self._address, [ir.Constant(_I32, at)])
        return self._builder.bitcast(place, kind.as_pointer())


# ---------------------------------------------------------------------------------------------------

ROOT = Path(__file__).parent.parent
STACK_BYTES = 1 << 19
"""The module's stack. It grows downwards to address 0: when it is full, the module traps."""
_NEUTRAL = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_DISABLE_JIT": "0"}
_SOURCES = ("kernels.py", "lowering.py")


@dataclass(frozen=True)
class KernelModule:
    """A WebAssembly module, and what its callers must know of it.

    ``manifest`` (JSON) has

    - ``entries``: by qualified name ``export`` (the name of the exported function), ``arguments`` (pairs of
      name and type) and ``returns`` (a type); types as in `browser.kernels.described_type`;
    - ``records``: by qualified name ``size`` and ``fields``: offset, type and shape of each;
    - ``memory``: ``pages`` (of 64 KiB) that the module needs itself, ``stack_bytes`` of these for its stack.
    """

    wasm: bytes
    manifest: dict[str, Any]


def build_module(kernels: Iterable[str], records: Iterable[str] = ()) -> KernelModule:
    """Compile kernels, named with their modules, and all that they call, to one WebAssembly module.

    ``records``: record dtypes for the manifest besides those that entries take. The result is cached with the
    compiled kernels; the first time takes about a minute, with progress on stderr. Raises `NoLinker`,
    `ValueError` if a name is not a kernel's, and `RuntimeError` if a part fails.
    """
    wanted = {"kernels": sorted(set(kernels)), "records": sorted(set(records))}
    stored = _stored_file(wanted)
    if stored is not None:
        with suppress(OSError, ValueError):
            manifest = json.loads(stored.with_suffix(".json").read_text(encoding="utf-8"))
            return KernelModule(stored.read_bytes(), manifest)
    for kernel in wanted["kernels"]:
        kernel_named(kernel)
    linker_command()
    module = compiled_module(wanted)
    if stored is not None:
        manifest = json.dumps(module.manifest, separators=(",", ":")).encode()
        with suppress(OSError):  # the manifest last, and each file in one step: what can be read is complete
            for suffix, content in ((".wasm", module.wasm), (".json", manifest)):
                part = stored.with_suffix(f"{suffix}.{os.getpid()}")
                part.write_bytes(content)
                part.replace(stored.with_suffix(suffix))
    return module


def _stored_file(wanted: dict[str, list[str]]) -> Path | None:
    """Return where the cache has the module, named after all that it is made from; None without a cache."""
    folder = use_kernel_cache()
    digest = hashlib.sha256(f"{kernel_sources_hash()} {llvmlite.__version__} {json.dumps(wanted)}".encode())
    for name in _SOURCES:
        digest.update((Path(__file__).parent / name).read_bytes())
    return folder / f"browser-{digest.hexdigest()[:16]}.wasm" if folder else None


def compiled_module(wanted: dict[str, list[str]]) -> KernelModule:
    """Build the module, without the cache."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with compiling_progress(len(wanted["kernels"]) + 1) as advance:
            _run("lower", folder, wanted, advance)
            _run("compile", folder, wanted, lambda: None)
            manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
            exports = [entry["export"] for entry in manifest["entries"].values()]
            wasm = link(folder / "kernels.o", exports)
            advance()
    manifest["memory"] = {"pages": memory_pages(wasm), "stack_bytes": STACK_BYTES}
    return KernelModule(wasm, manifest)


def _run(step: str, folder: Path, wanted: dict[str, list[str]], advance: Callable[[], None]) -> None:
    """Run a step of `browser.lowering` in a process of its own: it changes numba and takes much memory."""
    command = [sys.executable, "-m", "browser.lowering", step, str(folder)]
    environment = {**os.environ, **_NEUTRAL, "NUMBA_CACHE_DIR": str(folder / "numba")}
    environment["PYTHONPATH"] = os.pathsep.join(str(Path(path).absolute()) for path in sys.path if path)
    errors = folder / "errors.txt"
    with errors.open("w", encoding="utf-8") as log, subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, cwd=ROOT,
        env=environment,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError):
            process.stdin.write(json.dumps(wanted) + "\n")
            process.stdin.flush()  # it stays open: the process ends when it is closed
        for _ in process.stdout:
            advance()
    if process.returncode:
        said = errors.read_text(encoding="utf-8")
        raise RuntimeError(f"the kernels for the browser cannot be compiled ({step}):\n{said}")


# --- the linker: `wasm-ld` of LLVM, of any version, or that of the Python package ``ziglang`` -------

IMPORTED = ("exp", "log")
"""Functions of real numbers that a module imports (`browser/runtime/kernels.js`)."""
_VERSIONS = range(30, 10, -1)
"""Versions of LLVM whose linker may be installed under its own name only (Debian: lld-19)."""


class NoLinker(RuntimeError):
    """There is no linker for WebAssembly."""

    def __init__(self) -> None:
        super().__init__(
            "no linker for WebAssembly: install wasm-ld (Debian: apt install lld) or `pip install ziglang`"
        )


def linker_command() -> list[str]:
    """Return how the linker is called. Raises `NoLinker`."""
    for name in ("wasm-ld", *(f"wasm-ld-{version}" for version in _VERSIONS)):
        if found := shutil.which(name):
            return [found]
    if find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "wasm-ld"]
    raise NoLinker


def link(object_file: Path, exports: list[str]) -> bytes:
    """Return the module of an object file. Raises `NoLinker`, or RuntimeError with the linker's message."""
    target, imported = object_file.with_suffix(".wasm"), object_file.with_suffix(".imports")
    imported.write_text("\n".join(IMPORTED), encoding="ascii")
    command = [
        *linker_command(), "--no-entry", "--gc-sections", "--import-memory", "--strip-all", "-O2",
        f"--allow-undefined-file={imported}", "--stack-first", "-z", f"stack-size={STACK_BYTES}",
        *(f"--export={name}" for name in [*exports, "__heap_base"]), str(object_file), "-o", str(target),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the linker for WebAssembly failed: {done.stderr.strip()}")
    return target.read_bytes()


# --- how much memory a module asks for (WebAssembly core specification, binary format, imports) -----

_HEADER_BYTES, _IMPORT_SECTION = 8, 2
_FUNCTION, _MEMORY, _WITH_MAXIMUM = 0, 2, 1


def memory_pages(wasm: bytes) -> int:
    """Return the least number of pages (64 KiB) of the memory that a module imports.

    Raises ValueError if it imports anything but functions and one memory that is not shared.
    """
    at = _HEADER_BYTES
    while at < len(wasm) and wasm[at] != _IMPORT_SECTION:
        size, at = _number(wasm, at + 1)
        at += size
    if at >= len(wasm):
        raise ValueError("the module imports no memory")
    _, at = _number(wasm, at + 1)
    count, at = _number(wasm, at)
    found = []
    for _ in range(count):
        for _ in range(2):  # the names of the module and of the field
            length, at = _number(wasm, at)
            at += length
        kind, at = wasm[at], at + 1
        if kind == _MEMORY and wasm[at] <= _WITH_MAXIMUM:
            has_maximum = wasm[at] == _WITH_MAXIMUM
            pages, at = _number(wasm, at + 1)
            found.append(pages)
            at = _number(wasm, at)[1] if has_maximum else at
        elif kind == _FUNCTION:
            at = _number(wasm, at)[1]
        else:
            raise ValueError("the module imports more than functions and a memory that is not shared")
    if len(found) != 1:
        raise ValueError("the module does not import one memory")
    return found[0]


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Return an unsigned number (LEB128) and the place after it."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            return value, at
