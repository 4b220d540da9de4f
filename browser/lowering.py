# SPDX-License-Identifier: GPL-3.0-or-later
"""Two steps from kernels to an object file for wasm32, each in a process of its own.

``python -m browser.lowering lower FOLDER`` lowers kernels to LLVM IR that no optimisation for this machine
has touched. The names of kernels and records come as a line of JSON on stdin, which is then kept open. Numba
is changed for it: what it lowers is neither optimised nor compiled nor cached, and no kernel can be called.
``kernels.ll`` and ``manifest.json`` are written to the folder; stdout gets a line for each kernel.

``python -m browser.lowering compile FOLDER`` makes ``kernels.o`` of them: everything but the entries
internal, optimised.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
from numba.core import codegen, cpu
from numba.core.registry import CPUDispatcher

from tsume.child_processes import exit_when_stdin_closes
from tsume_rules.kernel import compile as kernel_compile
from tsume_rules.kernel.compile import JitKernel, KernelUnit

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals,+simd128"
"""What all browsers of the last years have; no threads. Vectors make the layers of the generator's network as
quick as native code."""
_WITHOUT_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_UNIT_SYMBOL = re.compile(r"@tsume\.([\w.]+)")


def main() -> None:
    """Run the step of the command line."""
    step, folder = sys.argv[1], Path(sys.argv[2])
    wanted = json.loads(sys.stdin.readline())
    exit_when_stdin_closes()
    if step == "lower":
        lower_kernels(folder, wanted["kernels"], wanted["records"])
    else:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        exports = {entry["export"] for entry in manifest["entries"].values()}
        text = (folder / "kernels.ll").read_text(encoding="utf-8")
        (folder / "kernels.o").write_bytes(object_code(text, exports))


# --- lowering --------------------------------------------------------------------------------------

_libraries: list[_NeutralLibrary] = []
"""All that numba lowered in this process: each function once."""


class _NeutralLibrary(codegen.JITCodeLibrary):
    """Code that is neither linked nor optimised nor compiled."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)  # type: ignore[no-untyped-call]
        _libraries.append(self)

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def finalize(self) -> None:
        self._finalized = True


def turn_off_optimisation() -> None:
    """Let numba only lower, neither optimise, compile nor cache; call it before any kernel is imported."""
    target: Any = cpu.CPUContext
    target.get_executable = lambda *_: [].append  # numba's key for callers: another object each time
    kernel: Any = JitKernel
    kernel.enable_caching = kernel.load_units_below = lambda _kernel: None
    codegen.JITCPUCodegen._library_class = _NeutralLibrary
    kernel_compile._OPTIONS.update(_WITHOUT_WRAPPERS)


def lower_kernels(folder: Path, names: list[str], records: list[str]) -> None:
    """Lower kernels, all units that they call, directly or through others, and entries for the kernels."""
    turn_off_optimisation()
    from browser.kernels import add_entry_function, argument_types, kernel_name, kernel_named, manifest_of

    kernels = [kernel_named(name) for name in names]
    called = list(kernels)
    for kernel in called:
        called += [one for one in kernel.called() if one not in called]
    results: dict[str, Any] = {}
    for kernel in dict.fromkeys([*(one for one in called if isinstance(one, KernelUnit)), *kernels]):
        arguments = argument_types(kernel)
        if isinstance(kernel, KernelUnit):
            CPUDispatcher.compile(kernel, kernel.declared)
        else:
            kernel.compile(arguments)
        results[kernel_name(kernel)] = kernel.overloads[arguments]
        print(kernel_name(kernel), flush=True)
    exported = {name: f"e{number}" for number, name in enumerate(names)}
    context = next(iter(results.values())).target_context
    library = context.codegen().create_library("entries")
    module = library.create_ir_module("entries")
    for name, export in exported.items():
        add_entry_function(context, module, export, results[name])
    library.add_ir_module(module)
    functions = {name: result.fndesc.llvm_func_name for name, result in results.items()}
    signatures = {name: results[name].signature for name in names}
    (folder / "kernels.ll").write_text(linked_text(functions), encoding="utf-8")
    (folder / "manifest.json").write_text(json.dumps(manifest_of(exported, signatures, records)), encoding="utf-8")


def linked_text(functions: dict[str, str]) -> str:
    """Return all IR as one text, in which calls of units' symbols call the ``functions`` of the units.

    Also without prefetching, which WebAssembly does not have: what computes addresses for it falls away.
    """
    whole = llvm.parse_assembly("")
    for library in _libraries:
        whole.link_in(library._final_module, preserve=True)
    text = _UNIT_SYMBOL.sub(lambda match: f"@{functions[match[1]]}", str(whole))
    defined = set(re.findall(r"^define [^@]*@([\w.]+)", text, re.MULTILINE))
    lines = []
    for line in text.splitlines():
        declared = re.match(r"declare [^@]*@([\w.]+)", line)
        if not (declared and declared[1] in defined) and "@llvm.prefetch" not in line:
            lines.append(line.replace(" = common ", " = weak "))
    return "\n".join(lines)


# --- compiling -------------------------------------------------------------------------------------


def object_code(text: str, exports: Iterable[str]) -> bytes:
    """Return the object file of a module of IR; only the functions named in ``exports`` can be called.

    Raises RuntimeError if something is left that exists only inside a running Python.
    """
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE)
    machine = target.create_target_machine(cpu="mvp", features=FEATURES, opt=3)
    layout = f'target datalayout = "{machine.target_data}"\ntarget triple = "{TRIPLE}"\n'
    text = re.sub(r"^target .*\n", "", text, flags=re.MULTILINE)
    text = text.replace(" = internal constant ", " = internal unnamed_addr constant ")
    module: Any = llvm.parse_assembly(layout + text)
    module.verify()
    for one in [*module.functions, *module.global_variables]:
        if not one.is_declaration and one.name not in exports:
            one.linkage = "internal"
    optimise(module, machine)
    left = [one.name for one in module.global_variables if one.name.startswith("numba.dynamic")]
    left += [one.name for one in module.functions if one.is_declaration and not one.name.startswith("llvm.")]
    if left:
        raise RuntimeError(f"kernels for the browser use {', '.join(left)[:400]}")
    return bytes(machine.emit_object(module))


def optimise(module: Any, machine: Any) -> None:
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


if __name__ == "__main__":
    main()
