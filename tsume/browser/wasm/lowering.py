# SPDX-License-Identifier: GPL-3.0-or-later
"""Lowering kernels to LLVM IR that no optimisation for this machine has touched.

Run as a process of its own (``python -m tsume.browser.wasm.lowering FOLDER``, with the names of kernels and
records as a line of JSON on stdin, which is then kept open), because numba is changed for it: what it lowers
is kept as it is, neither optimised nor compiled nor cached, and no kernel can be called. Modules of IR and
the manifest's part about types are written to the folder; stdout gets a line for each kernel.
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

from tsume.child_processes import end_with_input
from tsume_rules.kernel import compile as kernel_compile
from tsume_rules.kernel.compile import JitKernel, KernelUnit, struct

_WITHOUT_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_UNIT_SYMBOL = re.compile(r"@tsume\.([\w.]+)")


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


def _no_executable(_context: Any, _library: Any, _descriptor: Any, _environment: Any) -> Any:
    """An object of the type of compiled functions, another one each time: numba's key for callers."""
    return [].append


def keep_neutral() -> None:
    """Change numba in this process, before any kernel is imported."""
    target: Any = cpu.CPUContext
    target.get_executable = _no_executable
    kernel: Any = JitKernel
    kernel.enable_caching = kernel.load_units_below = lambda _kernel: None
    codegen.JITCPUCodegen._library_class = _NeutralLibrary
    kernel_compile._OPTIONS.update(_WITHOUT_WRAPPERS)


def units_below(kernels: Iterable[JitKernel]) -> list[KernelUnit]:
    """The units among kernels and all that they call, directly or through others."""
    found = list(kernels)
    for kernel in found:
        found += [one for one in kernel.called() if one not in found]
    return [kernel for kernel in found if isinstance(kernel, KernelUnit)]


def lowered(kernel: JitKernel, arguments: Any) -> Any:
    """Numba's compilation result of a kernel, with its IR."""
    if isinstance(kernel, KernelUnit):
        CPUDispatcher.compile(kernel, kernel.declared)
    else:
        kernel.compile(arguments)
    return kernel.overloads[tuple(arguments)]


def _linked() -> str:
    whole = llvm.parse_assembly("")
    for library in _libraries:
        whole.link_in(library._final_module, preserve=True)
    return str(whole)


def _with_functions_for_symbols(text: str, functions: dict[str, str]) -> str:
    """IR in which calls of unit symbols call the units' functions.

    Also without prefetching, which WebAssembly does not have: what computes addresses for it falls away.
    """
    text = _UNIT_SYMBOL.sub(lambda match: f"@{functions[match[1]]}", text)
    defined = set(re.findall(r"^define [^@]*@([\w.]+)", text, re.MULTILINE))
    lines = []
    for line in text.splitlines():
        declared = re.match(r"declare [^@]*@([\w.]+)", line)
        if (declared and declared[1] in defined) or "@llvm.prefetch" in line:
            continue
        lines.append(line.replace(" = common ", " = weak "))
    return "\n".join(lines)


def main() -> None:
    """Lower the kernels named on stdin."""
    folder, wanted = Path(sys.argv[1]), json.loads(sys.stdin.readline())
    end_with_input()
    keep_neutral()
    from tsume.browser.wasm import entries

    kernels = [entries.kernel_named(name) for name in wanted["kernels"]]
    results = {}
    for kernel in dict.fromkeys([*units_below(kernels), *kernels]):
        results[entries.name_of(kernel)] = lowered(kernel, entries.argument_types(kernel))
        print(entries.name_of(kernel), flush=True)
    exported = {name: f"e{number}" for number, name in enumerate(wanted["kernels"])}
    _add_entries(exported, results)
    functions = {name: result.fndesc.llvm_func_name for name, result in results.items()}
    neutral = _with_functions_for_symbols(_linked(), functions)
    (folder / "kernels.ll").write_text(neutral, encoding="utf-8")
    manifest = _manifest(exported, results, wanted["records"])
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def _add_entries(exported: dict[str, str], results: dict[str, Any]) -> None:
    from tsume.browser.wasm.entries import add_entry

    context = next(iter(results.values())).target_context
    library = context.codegen().create_library("entries")
    module = library.create_ir_module("entries")
    for name, export in exported.items():
        add_entry(context, module, export, results[name])
    library.add_ir_module(module)


def _manifest(exported: dict[str, str], results: dict[str, Any], wanted: list[str]) -> dict[str, Any]:
    """The entries and the records; of the latter those that are wanted or that an entry takes."""
    from tsume.browser.wasm import entries

    layouts = entries.record_layouts(wanted)
    names = {struct(layout): name for name, layout in reversed(layouts.items())}
    used = set(wanted)

    def record_name(kind: Any) -> str:
        used.add(names[kind])
        return names[kind]

    described = {}
    for name, export in exported.items():
        signature = results[name].signature
        arguments = entries.argument_names(entries.kernel_named(name))
        described[name] = {
            "export": export,
            "arguments": [
                [argument, entries.described_type(kind, record_name)]
                for argument, kind in zip(arguments, signature.args, strict=True)
            ],
            "returns": entries.described_type(signature.return_type, record_name),
        }
    records = {name: entries.described_record(layouts[name]) for name in sorted(used)}
    return {"entries": described, "records": records}


if __name__ == "__main__":
    main()
