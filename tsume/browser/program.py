"""The program of a page's worker: what is translated, and what stands for the rest."""

from __future__ import annotations

from tsume.browser.translation.modules import Global
from tsume.browser.translation.program import Program

START = Global("tsume.web.work.in_browser", "start")
ANSWER = Global("tsume.web.work.in_browser", "answer")
EVENTS = Global("tsume.web.work.in_browser", "events")
"""Where the program begins."""
_ABSENT = (
    "db",
    "generator.learned",
    "generator.motifs.search.MotifSearch",
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
_REPLACED = {
    "generator.motifs.search.motif_for": "() => null",
    "generator.problem_keys.key_hash": "(text) => `#${text}`",
    "tsume.services.proofread.proofread": "null",
    "tsume.warmup.warm_up": "() => null",
    "tsume.warmup.KernelPart": "{}",
}
"""Kernels are compiled beforehand."""
_COMPUTED = ("generator.likeness.choice.stored_trees", "generator.likeness.model.stored_models")
"""Functions called beforehand, as they read files."""


def worker_program() -> Program:
    """The program of the worker."""
    return Program([START, ANSWER, EVENTS], _ABSENT, _REPLACED, _COMPUTED)
