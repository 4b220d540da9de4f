# SPDX-License-Identifier: GPL-3.0-or-later
"""The runs of merged stores: the destination keeps their options and totals."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from db.runs import RunState, StoredRun, Totals
from db.store import Store

RunIds = Mapping[tuple[int, int], int]
"""The id of a run in the destination, by store number and id there."""


@dataclass
class _Run:
    """The copy of a run with the most progress, and the places of all copies."""

    furthest: StoredRun
    places: list[tuple[int, int]] = field(default_factory=list)


def merge_runs(destination: Store, runs: Iterable[tuple[int, StoredRun]]) -> RunIds:
    """Write runs, each with the number of its store, to the destination's log; existing ones are kept.

    They are marked as merged: a run continues only in the store in which it began.
    """
    found: dict[tuple[int, int, str], _Run] = {}
    for store, run in runs:
        one = found.setdefault(run_identity(run), _Run(run))
        one.places.append((store, run.id))
        one.furthest = max(one.furthest, run, key=_run_progress)
    known = {run_identity(run): run for run in destination.runs.all() if run.state is RunState.MERGED}
    ids: dict[tuple[int, int], int] = {}
    for identity, one in sorted(found.items()):
        number = _merged_run_id(destination, one.furthest, known.get(identity))
        ids |= dict.fromkeys(one.places, number)
    return ids


def run_identity(run: StoredRun) -> tuple[int, int, str]:
    """The identity of a run: seed, length, version, recipe and options."""
    options = [run.count, run.version, run.recipe or 0, run.options]
    return run.seed, run.moves, json.dumps(options, sort_keys=True)


def _run_progress(run: StoredRun) -> tuple[int, int, float]:
    return run.totals.next_root, run.totals.found, run.totals.elapsed


def _merged_run_id(destination: Store, run: StoredRun, known: StoredRun | None) -> int:
    there = known or destination.runs.start(
        seed=run.seed, moves=run.moves, count=run.count, version=run.version, recipe=run.recipe or 0,
        options=run.options,
    )  # fmt: skip
    if known is None or _run_progress(known) < _run_progress(run):
        did = run.totals
        totals = Totals(
            next_root=did.next_root, found=did.found, elapsed=did.elapsed, counters=did.counters,
            rejections=did.rejections, seconds=did.seconds,
        )  # fmt: skip
        destination.runs.finish(there.id, RunState.MERGED, there.totals.next_root, totals)
    return there.id
