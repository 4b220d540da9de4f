# SPDX-License-Identifier: GPL-3.0-or-later
"""Which problems of some stores make the collection."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from db.selection import ProblemSelection
from db.store import Store
from scripts.collecting.command import run_tsume
from solver.results import Grade
from tsume.collection.levels import COUNTS, LEVELS, in_levels
from tsume.collection.lines import CollectionProblem
from tsume_rules.sfen import format_sfen


def chosen_collection(stores: Sequence[Path], known: Sequence[Path]) -> list[CollectionProblem]:
    """The problems of the collection in its order, each with its level."""
    chosen = {format_sfen(one.problem.position): one for one in _chosen(stores, known)}
    scores = ((one.problem.length, one.problem.difficulty.score, sfen) for sfen, one in chosen.items())
    return [
        CollectionProblem(chosen[sfen].problem, level, chosen[sfen].version)
        for sfen, level in in_levels(scores).items()
    ]


def _chosen(stores: Sequence[Path], known: Sequence[Path]) -> list[CollectionProblem]:
    """What `tsume choose` chooses from all stores together."""
    counts = chain.from_iterable(("-n", f"{length}:{number}") for length, number in COUNTS.items())
    published = chain.from_iterable(("--known", str(path)) for path in known)
    with tempfile.TemporaryDirectory(prefix="tsume-collection-") as work:
        pool, chosen = Path(work) / "pool.db", Path(work) / "chosen.db"
        run_tsume("merge", *stores, "--db", pool)
        run_tsume(
            "choose", "--db", pool, "--out", chosen, "--grade", "perfect", "--levels", str(LEVELS),
            *counts, *published,
        )  # fmt: skip
        return list(_composed(chosen))


def _composed(path: Path) -> Iterator[CollectionProblem]:
    """The perfect problems that runs found, without levels yet."""
    with Store.open(path, create=False) as store:
        for stored in store.find(ProblemSelection(grade=Grade.PERFECT)):
            if stored.provenance is not None:
                yield CollectionProblem(stored.problem, 0, stored.version)
