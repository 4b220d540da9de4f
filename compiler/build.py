# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds libraries of kernels: targets, object code from LLVM's intermediate code, linking, each part by a process."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from compiler.interface import IN_BLOCK, NATIVE, calls_module, import_kernels, with_called_units
from tsume.child_processes import child_command, exclusive_file_lock
from tsume.progress import compiling_progress
from tsume_rules.kernel.compile import Kernel, kernels

# --- what kernels are compiled for -----------------------------------------------------------------

_V3 = ("avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave")
"""What x86-64-v3 has that v2 lacks, as LLVM names it."""


@dataclass(frozen=True)
class Target:
    """A kind of machine."""

    triple: str
    processor: str
    features: str = ""
    prefix: str = NATIVE
    """That of the functions which a library for it exports."""

    @property
    def name(self) -> str:
        """What it is called on a command line."""
        return f"{self.triple}:{self.processor}"

    @property
    def file(self) -> str:
        """The name of the library's file."""
        if self.triple.startswith("wasm"):
            return "kernels.wasm"
        suffix = ".dll" if "windows" in self.triple else ".dylib" if "apple" in self.triple else ".so"
        return f"kernels-{self.processor}{suffix}"


WASM = Target(
    "wasm32-unknown-unknown", "mvp", "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals,+simd128", IN_BLOCK
)
"""What all browsers of the last years have; no threads. Vectors make the layers of the generator's network as quick as
native code."""
_X86 = ("x86-64-v2", "x86-64-v3")
PLATFORMS: dict[str, tuple[Target, ...]] = {
    "manylinux_2_17_x86_64": tuple(Target("x86_64-unknown-linux-gnu", one) for one in _X86),
    "manylinux_2_17_aarch64": (Target("aarch64-unknown-linux-gnu", "generic"),),
    "macosx_11_0_x86_64": tuple(Target("x86_64-apple-macosx11.0.0", one) for one in _X86),
    "macosx_11_0_arm64": (Target("arm64-apple-macosx11.0.0", "apple-m1"),),
    "win_amd64": tuple(Target("x86_64-pc-windows-msvc", one) for one in _X86),
}
"""The targets of each platform that has a wheel, by the wheel's tag."""

TARGETS = {one.name: one for targets in PLATFORMS.values() for one in targets} | {WASM.name: WASM}


def platform_here() -> str:
    """Return the name of this machine's platform. Raises RuntimeError if none is known."""
    system = {"linux": "manylinux", "darwin": "macosx", "win32": "win"}.get(sys.platform, sys.platform)
    machine = platform.machine().lower()
    machines = ("x86_64", "amd64") if machine in ("x86_64", "amd64") else (machine, "arm64")
    for name in PLATFORMS:
        if name.startswith(system) and name.endswith(machines):
            return name
    raise RuntimeError(f"kernels cannot be compiled for {sys.platform} on {platform.machine()}")


def target_here() -> Target:
    """Return the target that suits this machine's processor best."""
    targets = PLATFORMS[platform_here()]
    if len(targets) > 1:
        features = llvm.get_host_cpu_features()
        return targets[all(features.get(one) for one in _V3)]
    return targets[0]


# --- object code -----------------------------------------------------------------------------------

_MEMORY = """
define hidden ptr @memset(ptr %to, i32 %value, i64 %size) #1 {
start:
  %byte = trunc i32 %value to i8
  %empty = icmp eq i64 %size, 0
  br i1 %empty, label %end, label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %loop ]
  %place = getelementptr i8, ptr %to, i64 %i
  store i8 %byte, ptr %place
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %size
  br i1 %done, label %end, label %loop
end:
  ret ptr %to
}
define hidden ptr @memmove(ptr %to, ptr %from, i64 %size) #1 {
start:
  %empty = icmp eq i64 %size, 0
  br i1 %empty, label %end, label %some
some:
  %forward = icmp ult ptr %to, %from
  br i1 %forward, label %up, label %down
up:
  %i = phi i64 [ 0, %some ], [ %next, %up ]
  %source = getelementptr i8, ptr %from, i64 %i
  %byte = load i8, ptr %source
  %target = getelementptr i8, ptr %to, i64 %i
  store i8 %byte, ptr %target
  %next = add nuw i64 %i, 1
  %done = icmp eq i64 %next, %size
  br i1 %done, label %end, label %up
down:
  %j = phi i64 [ %size, %some ], [ %before, %down ]
  %before = sub i64 %j, 1
  %above = getelementptr i8, ptr %from, i64 %before
  %high = load i8, ptr %above
  %aim = getelementptr i8, ptr %to, i64 %before
  store i8 %high, ptr %aim
  %last = icmp eq i64 %before, 0
  br i1 %last, label %end, label %down
end:
  ret ptr %to
}
define hidden ptr @memcpy(ptr %to, ptr %from, i64 %size) #1 {
  %end = call ptr @memmove(ptr %to, ptr %from, i64 %size)
  ret ptr %to
}
define hidden void @bzero(ptr %to, i64 %size) #1 {
  %end = call ptr @memset(ptr %to, i32 0, i64 %size)
  ret void
}
define hidden void @__bzero(ptr %to, i64 %size) #1 {
  %end = call ptr @memset(ptr %to, i32 0, i64 %size)
  ret void
}
@_fltused = hidden global i32 0
attributes #1 = { nounwind "no-builtins" }
"""
"""What LLVM expects of a C library (the last two on macOS), so that none is needed; linkers for Windows ask for
``_fltused``."""
_LEVEL = """
define i32 @processor_level() #0 {
  ret i32 0
}
attributes #0 = { nounwind }
"""
_CPUID = '{ i32, i32, i32, i32 } asm sideeffect "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx}"'
_X86_LEVEL = f"""
define i32 @processor_level() #0 {{
start:
  %one = call {_CPUID}(i32 1, i32 0)
  %features = extractvalue {{ i32, i32, i32, i32 }} %one, 2
  %has2 = and i32 %features, {sum(1 << bit for bit in (0, 9, 13, 19, 20, 23))}
  %is2 = icmp eq i32 %has2, {sum(1 << bit for bit in (0, 9, 13, 19, 20, 23))}
  br i1 %is2, label %two, label %none
two:
  %has3 = and i32 %features, {sum(1 << bit for bit in (12, 22, 27, 28, 29))}
  %is3 = icmp eq i32 %has3, {sum(1 << bit for bit in (12, 22, 27, 28, 29))}
  br i1 %is3, label %more, label %only2
more:
  %zero = call {_CPUID}(i32 0, i32 0)
  %leaves = extractvalue {{ i32, i32, i32, i32 }} %zero, 0
  %has7 = icmp uge i32 %leaves, 7
  br i1 %has7, label %seven, label %only2
seven:
  %leaf7 = call {_CPUID}(i32 7, i32 0)
  %extended = extractvalue {{ i32, i32, i32, i32 }} %leaf7, 1
  %avx2 = and i32 %extended, {sum(1 << bit for bit in (3, 5, 8))}
  %leaf8 = call {_CPUID}(i32 -2147483647, i32 0)
  %amd = extractvalue {{ i32, i32, i32, i32 }} %leaf8, 2
  %lzcnt = and i32 %amd, 32
  %saved = call {{ i32, i32 }} asm sideeffect "xgetbv", "={{ax}},={{dx}},{{cx}}"(i32 0)
  %states = extractvalue {{ i32, i32 }} %saved, 0
  %state = and i32 %states, 6
  %sum1 = or i32 %avx2, %lzcnt
  %sum2 = shl i32 %state, 16
  %sum = or i32 %sum1, %sum2
  %all = icmp eq i32 %sum, {sum(1 << bit for bit in (3, 5, 8)) | 32 | 6 << 16}
  br i1 %all, label %three, label %only2
three:
  ret i32 3
only2:
  ret i32 2
none:
  ret i32 1
}}
attributes #0 = {{ nounwind "target-cpu"="x86-64" "target-features"="+sse2" }}
"""
"""The microarchitecture level (System V ABI for x86-64, table 3.1), by what the instruction cpuid says."""


def object_code(text: str, target: Target, symbols: Collection[str]) -> bytes:
    """Return the object file of one part of the kernels; the functions named in ``symbols`` can be called.

    Raises RuntimeError if something is left that exists only inside a running Python.
    """
    machine = _machine(target)
    text = text.replace(f"@{target.prefix}", "@").replace(" = internal constant ", " = internal unnamed_addr constant ")
    if target is WASM:  # prefetching does not exist there: what computes addresses for it falls away
        text = re.sub(r"^.*@llvm\.prefetch.*\n", "", text, flags=re.MULTILINE)
    module = _parsed(text, machine, target)
    for one in [*module.functions, *module.global_variables]:
        if one.is_declaration or one.name in symbols:
            continue
        if one.name.startswith("unit."):  # another part may call it
            one.visibility = "hidden"
        else:
            one.linkage = "internal"
    _optimise(module, machine)
    left = [one.name for one in module.global_variables if one.name.startswith("numba.dynamic")]
    allowed = ("llvm.", "unit.")
    left += [one.name for one in module.functions if one.is_declaration and not one.name.startswith(allowed)]
    if left:
        raise RuntimeError(f"kernels use {', '.join(left)[:400]}")
    return bytes(machine.emit_object(module))


def common_code(target: Target) -> bytes:
    """Return the object file of what every native library has besides kernels, such as its processor's level."""
    machine = _machine(target)
    level = _X86_LEVEL if target.triple.startswith("x86_64") else _LEVEL
    module = _parsed(_MEMORY + level, machine, target)
    _optimise(module, machine)
    return bytes(machine.emit_object(module))


def _machine(target: Target) -> Any:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_asmparser()
    reloc = "default" if target is WASM else "pic"
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.processor, features=target.features, opt=3, reloc=reloc, codemodel="small"
    )


def _parsed(text: str, machine: Any, target: Target) -> Any:
    layout = f'target datalayout = "{machine.target_data}"\ntarget triple = "{target.triple}"\n'
    module = llvm.parse_assembly(layout + re.sub(r"^target .*\n", "", text, flags=re.MULTILINE))
    module.verify()
    return module


def _optimise(module: Any, machine: Any) -> None:
    """Optimise a module by LLVM's pipeline; passes around it merge what is equal and remove what is dead."""
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = True
    options.slp_vectorization = False
    builder = llvm.create_pass_builder(machine, options)
    first = llvm.create_new_module_pass_manager()
    first.add_constant_merge_pass()
    first.add_global_dead_code_eliminate_pass()
    first.run(module, builder)
    builder.getModulePassManager().run(module, builder)
    last = llvm.create_new_module_pass_manager()
    last.add_merge_functions_pass()
    last.add_constant_merge_pass()
    last.add_global_dead_code_eliminate_pass()
    last.run(module, builder)


# --- linking: by LLVM's linkers, of any version, those of the Python package ``ziglang``, or the system's ---

STACK_BYTES = 1 << 19
"""The stack of a WebAssembly module. It grows downwards to address 0: when it is full, the module traps."""
_VERSIONS = range(30, 10, -1)
"""Versions of LLVM whose linkers may be installed under their own names only (Debian: lld-19)."""


class NoLinker(RuntimeError):
    """There is no linker for a target."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no linker: install {name} (Debian: apt install lld) or `pip install ziglang`")


def linker_command(name: str) -> list[str]:
    """Return how a linker of LLVM is called, such as ``wasm-ld``. Raises `NoLinker`."""
    for one in (name, *(f"{name}-{version}" for version in _VERSIONS)):
        if found := shutil.which(one):
            return [found]
    if find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", name]
    raise NoLinker(name)


def link(objects: Sequence[Path], target: Target, symbols: Sequence[str], file: Path) -> None:
    """Link object files to a library. Raises `NoLinker`, or RuntimeError with the linker's message."""
    command = [*linker_of(target), *map(str, objects)]
    if "windows" in target.triple:
        command += [f"/out:{file}", *(f"/export:{name}" for name in (*symbols, "processor_level"))]
    else:
        command += ["-o", str(file)]
    if target is WASM:
        command += [f"--export={name}" for name in (*symbols, "__heap_base")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the linker failed: {done.stderr.strip()[:2000]}")


def linker_of(target: Target) -> list[str]:
    """Return how libraries for a target are linked, but for what they export. Raises `NoLinker`."""
    if target is WASM:
        options = ["--no-entry", "--gc-sections", "--import-memory", "--strip-all", "-O2", "--stack-first"]
        return [*linker_command("wasm-ld"), *options, "-z", f"stack-size={STACK_BYTES}"]
    if "windows" in target.triple:
        return [*linker_command("lld-link"), "/dll", "/noentry", "/nodefaultlib"]
    system = shutil.which("cc") if target in PLATFORMS[platform_here()] else None
    if "apple" in target.triple:
        options = ["-platform_version", "macos", "11.0", "11.0", "-undefined", "dynamic_lookup"]
        return [system, "-shared"] if system else [
            *linker_command("ld64.lld"), "-dylib", "-arch", target.triple.partition("-")[0], *options
        ]  # fmt: skip
    try:
        return [*linker_command("ld.lld"), "-shared", "--gc-sections", "-s", "-z", "defs"]
    except NoLinker:
        if system is None:
            raise
        return [system, "-shared", "-nostdlib", "-s", "-Wl,-z,defs"]


# --- building: the parts of a library at once, each in a process ------------------------------------

PARTS = 2
"""Fixed, so that the code does not depend on the machine that compiles it."""


def build_library(library: str, folder: Path, wanted: Sequence[Target]) -> None:
    """Build a library for some targets into a folder, unless another process has done so meanwhile.

    ``calls.py`` is written last: a folder that has it is complete. Raises `NoLinker`, and RuntimeError if a
    part fails.
    """
    names = [target.file for target in wanted]
    waiting = partial(print, "another process compiles the kernels; waiting for it", file=sys.stderr)
    with exclusive_file_lock(folder.parent / "compiling.lock", waiting):
        if all((folder / name).exists() for name in ("calls.py", *names)):
            return
        exported = import_kernels(library)
        with tempfile.TemporaryDirectory(dir=folder.parent) as place:
            build_files(library, exported, wanted, Path(place))
            folder.mkdir(exist_ok=True)
            for name in names:
                Path(place, name).replace(folder / name)
            calls = Path(place, "calls.py")
            calls.write_text(calls_module(exported), encoding="utf-8")
            calls.replace(folder / "calls.py")


def build_files(library: str, exported: Sequence[Kernel], wanted: Sequence[Target], folder: Path) -> None:
    """Build a file for each target, with functions for these kernels, into a folder. Raises as `build_library`."""
    for target in wanted:
        linker_of(target)
    symbols = [kernel.symbol for kernel in exported]
    names = [kernel.name for kernel in with_called_units(exported)]
    with compiling_progress(len(names) + PARTS * len(wanted)) as advance:
        _run_parts(library, names, symbols, wanted, folder, advance)
    for target in wanted:
        objects = [folder / f"{part}-{target.file}.o" for part in range(PARTS)]
        if target is not WASM:
            objects.append(folder / f"common-{target.file}.o")
            objects[-1].write_bytes(common_code(target))
        link(objects, target, symbols, folder / target.file)


def _run_parts(
    library: str,
    names: list[str],
    symbols: list[str],
    wanted: Sequence[Target],
    folder: Path,
    advance: Callable[[], None],
) -> None:
    """Run a process for each part. Each changes Numba and takes much memory, and ends with this one."""
    neutral = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_DISABLE_JIT": "0"}
    task = {"library": library, "kernels": names, "symbols": symbols, "folder": str(folder)}
    task["targets"] = [target.name for target in wanted]
    with ExitStack() as started:
        errors = [started.enter_context(Path(folder, f"errors-{part}").open("w+")) for part in range(PARTS)]
        processes = []
        for part in range(PARTS):
            command = child_command(__name__, build_part.__name__, json.dumps({**task, "part": part}))
            assert command is not None, "a frozen program has no sources"
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors[part], text=True,
                env={**os.environ, **neutral},
            )  # fmt: skip
            processes.append(started.enter_context(process))
            started.callback(process.kill)

        def count(process: Any) -> None:
            for _ in process.stdout:
                advance()

        threads = [threading.Thread(target=count, args=(process,)) for process in processes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for process, said in zip(processes, errors, strict=True):
            if process.wait():
                said.seek(0)
                raise RuntimeError(f"the kernels cannot be compiled:\n{said.read()}")


def build_part(text: str) -> None:
    """Compile a part of a library's kernels to an object file for each target; the task is JSON."""
    task: dict[str, Any] = json.loads(text)
    from compiler import lowering

    lowering.change_numba()
    import_kernels(task["library"])
    mine = [kernels[name] for name in task["kernels"][task["part"] :: PARTS]]
    lowered = lowering.lowered_text(mine, lambda name: print(name, flush=True))
    for name in task["targets"]:
        target = TARGETS[name]
        code = object_code(lowered, target, set(task["symbols"]))
        Path(task["folder"], f"{task['part']}-{target.file}.o").write_bytes(code)
        print(name, flush=True)
