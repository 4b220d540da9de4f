# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of the worker program: what is translated, its runtime, and the module of the kernels."""

from __future__ import annotations

from tsume.browser import runtime
from tsume.browser.build import CannotBuild, WorkerParts
from tsume.browser.translation.modules import Global
from tsume.browser.translation.program import Program
from tsume.browser.wasm.build import NoLinker, build_module, linker_command

# --- the program of a page's worker: what is translated, and what stands for the rest --------------

START = Global("tsume.web.work.in_browser", "start")
ANSWER = Global("tsume.web.work.in_browser", "answer")
EVENTS = Global("tsume.web.work.in_browser", "events")
"""Where the program begins."""
ABSENT = (
    "solver.engines.dfpn.memory.read_learned",
    "solver.engines.dfpn.memory.write_learned",
    "solver.engines.dfpn.team.HelperThreads",
    "solver.engines.iterative",
    "solver.judging.cross",
    "tsume.diagrams.svg.arrow_drawing",
    "tsume.diagrams.glyphs.font_glyph",
    "tsume.diagrams.pieces.move_marks",
    "tsume.parallel",
    "tsume.uses.engines.iterative_engine",
    "tsume.uses.engines.make_engine",
    "tsume.uses.saved_search",
    "tsume.web.work.results.json_bytes",
    "tsume.web.work.trees.compressed",
)
"""Threads, other engines, saved states, results as bytes, the font, and what its diagrams do not have."""
REPLACED = {
    "generator.learned.network.stored_conditions": "$stored_conditions",
    "generator.learned.network.stored_network": "$stored_network",
    "generator.problem_keys.key_hash": "(text) => `#${text}`",
    "tsume.collection.problems.collection_keys": "() => new $Set()",
    "tsume.uses.proofread.proofread": "null",
    "tsume.warmup.warm_up": "() => null",
    "tsume.warmup.KernelPart": "{}",
    "db.errors.store_place_name": "$str",
    "db.notebook.is_unprintable": "$is_unprintable",
    "tsume.formats.addresses.unquoted": "$unquoted",
    "tsume.formats.text.csv_rows": "$csv_rows",
    "tsume.formats.text.json_excerpt": "$json_excerpt",
    "tsume.formats.text.json_value": "$json_value",
}
"""Kernels are compiled beforehand; modules of the standard library that read texts (`runtime/reading.js`);
the collection, which is not in the program."""
COMPUTED = (
    "generator.likeness.model.stored_trees",
    "generator.likeness.model.stored_models",
    "tsume.diagrams.glyphs.diagram_glyphs",
    "tsume.diagrams.glyphs.font_units",
)
"""Functions called beforehand, as they read files."""


def worker_program() -> Program:
    """The program of the worker."""
    return Program([START, ANSWER, EVENTS], ABSENT, REPLACED, COMPUTED)


# --- the parts of the worker program ---------------------------------------------------------------

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
