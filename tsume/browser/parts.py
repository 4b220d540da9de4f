# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of the worker program: translated code with its runtime, and the module of the kernels."""

from __future__ import annotations

from tsume.browser import runtime
from tsume.browser.build import CannotBuild, WorkerParts
from tsume.browser.program import ANSWER, EVENTS, START, worker_program
from tsume.browser.wasm.build import build_module
from tsume.browser.wasm.linker import NoLinker, linker_command

_FRAME = """/** @type {{Kernels}} */
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
return {{ answer: {answer}, events: {events} }};
}}
"""


def require_linker() -> None:
    """Raise `CannotBuild` without a linker: better before minutes of work than after them."""
    try:
        linker_command()
    except NoLinker as error:
        raise CannotBuild(str(error)) from None


def worker_parts() -> WorkerParts:
    """Build the parts from the sources; raise `CannotBuild` without a linker."""
    require_linker()
    program = worker_program()
    names = {one.name: program.js_name(one) for one in (START, ANSWER, EVENTS)}
    script = _FRAME.format(program=program.script(), **names)
    module = build_module(program.kernels, program.records)
    return WorkerParts([runtime.source(), script], module.wasm, module.manifest)
