"""The program of a page's worker: what is translated, and what stands for the rest."""

from __future__ import annotations

from tsume.browser.translation.modules import Global
from tsume.browser.translation.program import Program

START = Global("tsume.web.work.in_browser", "start")
ANSWER = Global("tsume.web.work.in_browser", "answer")
"""Where the program begins."""
_ABSENT = (
    "solver.engines.dfpn.learned",
    "solver.engines.dfpn.team.HelperThreads",
    "solver.engines.iterative",
    "solver.judging.cross",
    "tsume.parallel",
    "tsume.services.engines.iterative_engine",
    "tsume.services.engines.make_engine",
    "tsume.services.saved_search",
    "tsume.web.work.results.json_bytes",
    "tsume.web.work.trees.compressed",
)
"""Threads, other engines, saved states, and results as bytes: the worker never comes to them."""
REPLACED = {
    "tsume.warmup.warm_up": "() => null",
    "tsume.warmup.KernelPart": "{}",
    "db.errors.store_place_name": "$str",
    "db.notebook.is_unprintable": "$is_unprintable",
    "tsume.formats.addresses.address_parts": "$address_parts",
    "tsume.formats.csv_line.csv_rows": "$csv_rows",
    "tsume.formats.json_text.json_excerpt": "$json_excerpt",
    "tsume.formats.json_text.json_value": "$json_value",
}
"""Kernels are compiled beforehand; modules of the standard library that read texts (`runtime/reading.js`)."""
_COMPUTED = ("generator.likeness.model.stored_models",)
"""Functions called beforehand, as they read files."""


def worker_program() -> Program:
    """The program of the worker."""
    return Program([START, ANSWER], _ABSENT, REPLACED, _COMPUTED)
