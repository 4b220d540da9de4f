# SPDX-License-Identifier: GPL-3.0-or-later
"""The files that are built, as texts: the API, the worker program, the WebAssembly module of the kernels."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from browser.translation import Program
from browser.translation.modules import Global
from compiler.build import STACK_BYTES, WASM, build_files, linker_of
from compiler.interface import manifest_of
from tsume import __version__
from tsume.web.solver_scripts import API, WORKER, neural_network_version
from tsume_rules.kernel.compile import PROGRAM, Kernel, cache_folder, kernel_of, library_hash

# --- the program of a page's worker: what is translated, and what stands for the rest --------------

START, ANSWER, EVENTS = (Global("tsume.web.work.in_browser", one) for one in ("start", "answer_query", "query_events"))
"""Where the program begins."""
ABSENT = (
    "generator.learned.backward.RefinedSearch", "generator.resemblance",
    "generator.reverse.construction.SmokeConstruction",
    "solver.engines.dfpn.memory.read_learned", "solver.engines.dfpn.memory.write_learned",
    "solver.engines.dfpn.team.HelperThreads", "solver.engines.iterative", "solver.judging.judge.cross_check",
    "tsume.diagrams.svg.arrow_drawing", "tsume.diagrams.glyphs.font_glyph", "tsume.diagrams.glyphs.move_marks",
    "tsume.parallel", "tsume.uses.engines.iterative_engine", "tsume.uses.engines.make_engine",
    "tsume.uses.games.ProblemMaker",
    "tsume.uses.solving.SavedSearch", "tsume.web.work.results.json_bytes", "tsume.web.work.trees.compressed_json",
)  # fmt: skip
"""Refined and known problems, smoke, threads, other engines, problems of games, saved states, results as bytes, the
font; what its diagrams do not have."""
REPLACED = {
    "generator.learned.search.stored_array": "$stored_array",
    "generator.learned.search.stored_network": "$stored_network",
    "generator.problem_keys.key_hash": "(text) => `#${text}`",
    "tsume.collection.collection_keys": "() => new $Set()",
    "tsume.collection.cores_of_long_works": "() => []",
    "tsume.uses.checking.proofread": "null",
    "db.errors.store_place_name": "$str",
    "db.notebook.is_unprintable": "$is_unprintable",
    "tsume.formats.addresses.percent_decoded": "$unquoted",
    "tsume.formats.text.csv_rows": "$csv_rows",
    "tsume.formats.text.json_excerpt": "$json_excerpt",
    "tsume.formats.text.json_value": "$json_value",
}
"""Kernels are compiled beforehand; modules of the standard library that read texts (`runtime/reading.js`);
the collection, which is not in the program."""
COMPUTED = (
    "generator.likeness.stored_trees", "generator.likeness.stored_models",
    "tsume.diagrams.glyphs.diagram_glyphs", "tsume.diagrams.glyphs.font_units", "tsume.diagrams.glyphs.sign_outlines",
)  # fmt: skip
"""Functions called beforehand, as they read files."""
RUNTIME = (
    "exceptions", "numbers", "bits", "conversions", "comparison", "keys", "iteration", "sequences", "items",
    "views", "dictionaries", "counter", "sets", "calls", "attributes", "classes", "named_tuples", "enums",
    "contexts", "texts", "string_methods", "methods", "iterators", "heaps", "library", "patterns",
    "reading", "dtypes", "array_memory", "arrays", "array_access", "numpy", "array_functions", "sorting",
    "random", "kernel_memory", "kernels", "network",
)  # fmt: skip
"""The scripts that translated code runs on, each after those that it needs when it is read."""
_WORKER_PROGRAM = """/** @type {{Kernels}} */
let $kernels;
/** @type {{{{
 *   answer: (kind: string, fields: any) => any, events: (kind: string, fields: any, report: any) => any,
 * }}}} */
let $queries;

function start({{ memory, module }}) {{
  $kernels = loadKernels(module, TSUME_MANIFEST, {{ limit: memory * 2 ** 20 }});
  $queries = $program(memory);
}}

function answer(kind, fields) {{
  return $plain($queries.answer(kind, $from_plain(fields)));
}}

function* events(kind, fields, report) {{
  const told = (event) => report($plain(event));
  for (const event of $queries.events(kind, $from_plain(fields), told)) yield $plain(event);
}}

function network(layout, bytes) {{
  $take_network(layout, bytes);
}}

function $program($memory) {{
const $kernel = (name) => $kernels.get(name);
const $record_type = (name) => recordType(name);
{program}
{start}($memory);
return {{ answer: {answer_query}, events: {query_events} }};
}}
"""


@dataclass(frozen=True)
class WorkerParts:
    """The parts of the worker program; only the frame (worker/worker.js) is not among them.

    ``scripts``, one after the other, define four functions: ``start({memory, module})``, which may return a promise,
    ``answer(kind, fields)``, ``events(kind, fields)``, which returns an iterable, and ``network(layout, bytes)``, which
    takes the network. They find ``manifest`` as the constant ``TSUME_MANIFEST``. ``module`` is the WebAssembly module.
    """

    scripts: Sequence[str]
    module: bytes
    manifest: dict[str, Any] = field(default_factory=dict)


def worker_parts() -> WorkerParts:
    """Build the parts from the sources. Raises `compiler.build.NoLinker` before it begins to work."""
    linker_of(WASM)
    program = Program([START, ANSWER, EVENTS], ABSENT, REPLACED, COMPUTED)
    names = {one.name: program.js_name(one) for one in (START, ANSWER, EVENTS)}
    script = _WORKER_PROGRAM.format(program=program.script(), **names)
    module = build_module(program.kernels, program.records)
    return WorkerParts([runtime_source(), script], module.wasm, module.manifest)


def runtime_source() -> str:
    """Return the scripts of the runtime, one after the other."""
    return "\n".join(_source("runtime", f"{name}.js") for name in RUNTIME)


def _source(folder: str, name: str) -> str:
    return (Path(__file__).parent / folder / name).read_text(encoding="utf-8")


# --- the files ---------------------------------------------------------------------------------------

_API_SCRIPTS = ("workers.js", "waiting.js", "pending.js", "solver.js", "tsume.js")
"""Joined, they are `API`: each uses the names of those before it."""
_COPIED = ("tsume.mjs", "tsume.d.ts", "tsume-worker.d.ts", "tsume-network.d.ts", "example.html")
_HEAD = "// tsume {version}, GPL-3.0-or-later. Built by scripts/wasm from the sources of tsume.\n"
_SOURCE = """"use strict";
const TSUME_MANIFEST = {manifest};
const TsumeProgram = (function () {{
{scripts}
return {{ start, answer, events, network }};
}})();
{frame}"""
_WORKER = """(function () {{
  const program = {{ version: {version}, source: {source}, module: {module} }};
  if (typeof module === "object" && module.exports) module.exports = program;
  else globalThis.TsumeWorker = program;
}})();
"""


def browser_files(parts: WorkerParts) -> dict[str, bytes]:
    """Return all files by name. `WORKER` and `API` have the same version, which depends on the parts."""
    digest = hashlib.sha256(parts.module)
    for text in (*parts.scripts, json.dumps(parts.manifest)):
        digest.update(text.encode())
    version = f"{__version__}+{digest.hexdigest()[:8]}"
    api = "\n".join(_source("api", name) for name in _API_SCRIPTS)
    api = api.replace("@VERSION@", version).replace("@NETWORK@", neural_network_version())
    texts = {
        WORKER: worker_script(parts.scripts, parts.module, parts.manifest, version),
        API: f'{_HEAD.format(version=version)}"use strict";\n(function () {{\n{api}}})();\n',
        **{name: _source("api", name) for name in _COPIED},
    }
    return {name: text.encode() for name, text in texts.items()}


def worker_script(scripts: Sequence[str], module: bytes, manifest: dict[str, Any], version: str) -> str:
    """Return the script that defines ``TsumeWorker``: the worker program as a text, and the module beside it.

    The program is a string, so that a page only scans it and does not parse it. All is ASCII: pages that
    are opened as files may have any encoding. The module is compressed before it becomes base64: the file
    then has half the size where nothing compresses it (pages opened as files, many servers), and where a
    server does, it is a tenth to a quarter smaller, because base64 hides repetitions.
    """
    source = _SOURCE.format(
        manifest=json.dumps(manifest), scripts="\n".join(scripts), frame=_source("worker", "worker.js")
    )
    encoded = base64.b64encode(gzip.compress(module, 9, mtime=0)).decode()
    texts = {"version": version, "source": source, "module": encoded}
    quoted = {name: json.dumps(text).replace("</", "<\\/") for name, text in texts.items()}  # for script elements
    return _HEAD.format(version=version) + _WORKER.format(**quoted)


# --- the module of the kernels, built or read from the cache (`compiler`) -----------------------------


def kernel_named(name: str) -> Kernel:
    """Return the kernel of a qualified name. Raises ValueError if there is none that Python calls."""
    module, _, attribute = name.rpartition(".")
    kernel = kernel_of(getattr(import_module(module), attribute, None))
    if kernel is None or kernel.returns is None:
        raise ValueError(f"{name} is not a kernel that Python calls")
    return kernel


@dataclass(frozen=True)
class KernelModule:
    """A WebAssembly module, and what its callers must know of it.

    ``manifest`` (JSON) has

    - ``entries``: by qualified name ``export`` (the name of the exported function), ``arguments`` (pairs of
      name and type) and ``returns`` (a type); types as in `compiler.interface.manifest_of`;
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
    called = [kernel_named(name) for name in sorted(set(kernels))]
    manifest = manifest_of(called, sorted(set(records)))
    linker_of(WASM)
    stored = _stored_file([kernel.name for kernel in called])
    wasm = None
    if stored is not None:
        with suppress(OSError):
            wasm = stored.read_bytes()
    if wasm is None:
        with tempfile.TemporaryDirectory() as folder:
            build_files(PROGRAM, called, [WASM], Path(folder))
            wasm = Path(folder, WASM.file).read_bytes()
        if stored is not None:
            with suppress(OSError):  # in one step: what can be read is complete
                part = stored.with_suffix(f".{os.getpid()}")
                part.write_bytes(wasm)
                part.replace(stored)
    manifest["memory"] = {"pages": memory_pages(wasm), "stack_bytes": STACK_BYTES}
    return KernelModule(wasm, manifest)


def _stored_file(names: list[str]) -> Path | None:
    """Return where the cache has the module, named after all that it is made from; None without a cache."""
    folder = cache_folder()
    wanted = hashlib.sha256(f"{library_hash(PROGRAM)} {json.dumps(names)}".encode()).hexdigest()[:16]
    return folder / f"browser-{wanted}.wasm" if folder else None


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
