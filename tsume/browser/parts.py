"""The parts of the worker program: translated code with its runtime, and the module of the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tsume.browser import runtime
from tsume.browser.program import ANSWER, EVENTS, START, worker_program
from tsume.browser.translation.modules import source_file
from tsume.browser.wasm.build import build_module
from tsume.browser.wasm.linker import NoLinker

_FRAME = """/** @type {{Kernels}} */
let $kernels;
/** @type {{{{answer: (kind: string, fields: any) => any, events: (kind: string, fields: any) => any}}}} */
let $queries;

function start({{ memory, module }}) {{
  $kernels = loadKernels(module, TSUME_MANIFEST, {{ limit: memory * 2 ** 20 }});
  $queries = $program(memory);
}}

function answer(kind, fields) {{
  return $plain($queries.answer(kind, $from_plain(fields)));
}}

function* events(kind, fields) {{
  for (const event of $queries.events(kind, $from_plain(fields))) yield $plain(event);
}}

function $program($memory) {{
const $kernel = (name) => $kernels.get(name);
const $record_type = (name) => recordType(name);
{program}
{start}($memory);
return {{ answer: {answer}, events: {events} }};
}}
"""


class CannotBuild(ValueError):
    """The files for browsers cannot be built on this machine; the message says what is missing."""


@dataclass(frozen=True)
class WorkerParts:
    """The parts of the worker program; only the frame (worker/worker.js) is not among them.

    ``scripts``, one after the other, define three functions: ``start({memory, module})``, which may return a
    promise, ``answer(kind, fields)``, and ``events(kind, fields)``, which returns an iterable. They find
    ``manifest`` as the constant ``TSUME_MANIFEST``. ``module`` is the WebAssembly module.
    """

    scripts: Sequence[str]
    module: bytes
    manifest: dict[str, Any] = field(default_factory=dict)


def worker_parts() -> WorkerParts:
    """Build the parts from the sources; raise `CannotBuild` without a linker."""
    program = worker_program()
    names = {one.name: program.js_name(one) for one in (START, ANSWER, EVENTS)}
    script = _FRAME.format(program=program.script(), **names)
    try:
        module = build_module(program.kernels, program.records)
    except NoLinker as error:
        raise CannotBuild(str(error)) from None
    return WorkerParts([runtime.source(), script], module.wasm, module.manifest)


def translated_sources() -> list[Path]:
    """The files outside of this package and of the kernels that the parts are made from."""
    files = map(source_file, worker_program().sources)
    return [file for file in files if file is not None]
