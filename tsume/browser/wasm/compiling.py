# SPDX-License-Identifier: GPL-3.0-or-later
"""From neutral IR to an object file for wasm32: everything but the entries internal, optimised.

Run as a process of its own (``python -m tsume.browser.wasm.compiling FOLDER``) after `lowering`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

from tsume.child_processes import end_with_input

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals,+simd128"
"""What all browsers of the last years have; no threads. Vectors make the layers of the generator's network as
quick as native code."""


def object_code(text: str, exports: Iterable[str]) -> bytes:
    """The object file of a module of IR; only the functions named in ``exports`` can be called."""
    machine = _target_machine()
    module = _parsed(text, machine)
    _make_internal(module, set(exports))
    _optimise(module, machine)
    _check(module)
    return bytes(machine.emit_object(module))


def _target_machine() -> Any:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE)
    return target.create_target_machine(cpu="mvp", features=FEATURES, opt=3)


def _parsed(text: str, machine: Any) -> Any:
    layout = f'target datalayout = "{machine.target_data}"\ntarget triple = "{TRIPLE}"\n'
    text = re.sub(r"^target .*\n", "", text, flags=re.MULTILINE)
    module = llvm.parse_assembly(
        layout + text.replace(" = internal constant ", " = internal unnamed_addr constant ")
    )
    module.verify()
    return module


def _make_internal(module: Any, exports: set[str]) -> None:
    for one in [*module.functions, *module.global_variables]:
        if not one.is_declaration and one.name not in exports:
            one.linkage = "internal"


def _optimise(module: Any, machine: Any) -> None:
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


def _check(module: Any) -> None:
    """Raise RuntimeError if something is left that exists only inside a running Python."""
    left = [one.name for one in module.global_variables if one.name.startswith("numba.dynamic")]
    left += [one.name for one in module.functions if one.is_declaration and not one.name.startswith("llvm.")]
    if left:
        raise RuntimeError(f"kernels for the browser use {', '.join(left)[:400]}")


def main() -> None:
    """Compile the IR in the folder."""
    sys.stdin.readline()
    end_with_input()
    folder = Path(sys.argv[1])
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    exports = [entry["export"] for entry in manifest["entries"].values()]
    text = (folder / "kernels.ll").read_text(encoding="utf-8")
    (folder / "kernels.o").write_bytes(object_code(text, exports))


if __name__ == "__main__":
    main()
