# SPDX-License-Identifier: GPL-3.0-or-later
"""The program of a page's worker: what is translated, and what stands for the rest."""

from __future__ import annotations

from tsume.browser.translation.modules import Global
from tsume.browser.translation.program import Program

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
    "tsume.diagrams.arrows.arrow_drawing",
    "tsume.diagrams.font_glyphs.font_glyph",
    "tsume.diagrams.move_marks.move_marks",
    "tsume.parallel",
    "tsume.services.engines.iterative_engine",
    "tsume.services.engines.make_engine",
    "tsume.services.saved_search",
    "tsume.web.work.results.json_bytes",
    "tsume.web.work.trees.compressed",
)
"""Threads, other engines, saved states, results as bytes, the font, and what its diagrams do not have."""
REPLACED = {
    "generator.learned.network.stored_conditions": "$stored_conditions",
    "generator.learned.network.stored_network": "$stored_network",
    "generator.problem_keys.key_hash": "(text) => `#${text}`",
    "tsume.collection.keys.collection_keys": "() => new $Set()",
    "tsume.services.proofread.proofread": "null",
    "tsume.warmup.warm_up": "() => null",
    "tsume.warmup.KernelPart": "{}",
    "db.errors.store_place_name": "$str",
    "db.notebook.is_unprintable": "$is_unprintable",
    "tsume.formats.addresses.unquoted": "$unquoted",
    "tsume.formats.csv_line.csv_rows": "$csv_rows",
    "tsume.formats.json_text.json_excerpt": "$json_excerpt",
    "tsume.formats.json_text.json_value": "$json_value",
}
"""Kernels are compiled beforehand; modules of the standard library that read texts (`runtime/reading.js`);
the collection, which is not in the program."""
COMPUTED = (
    "generator.likeness.model.stored_trees",
    "generator.likeness.model.stored_models",
    "tsume.diagrams.diagram_glyphs.diagram_glyphs",
    "tsume.diagrams.font_glyphs.font_units",
)
"""Functions called beforehand, as they read files."""


def worker_program() -> Program:
    """The program of the worker."""
    return Program([START, ANSWER, EVENTS], ABSENT, REPLACED, COMPUTED)
