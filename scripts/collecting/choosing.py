# SPDX-License-Identifier: GPL-3.0-or-later
"""Which problems of some stores make the collection."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

import click

from db.selection import ProblemSelection
from db.store import Store
from generator.problem import Problem
from scripts.collecting.command import run_tsume
from solver.results import Grade
from tsume.cli import cli
from tsume.collection.keys import natural_key_hashes
from tsume.collection.levels import COUNTS, LEVELS, in_levels
from tsume.collection.lines import CollectionProblem
from tsume.files.inputs import PositionInputs
from tsume_rules.sfen import format_sfen
from tsume_rules.symmetry import canonical_sfen


def chosen_collection(stores: Sequence[Path], known: Sequence[Path]) -> list[CollectionProblem]:
    """The problems of the collection in its order, each with its level."""
    has_command = "choose" in cli.list_commands(click.Context(cli))
    choose = _chosen_by_command if has_command else _chosen_by_quality
    chosen = {format_sfen(one.problem.position): one for one in choose(stores, known)}
    scores = ((one.problem.length, one.problem.difficulty.score, sfen) for sfen, one in chosen.items())
    return [
        CollectionProblem(chosen[sfen].problem, level, chosen[sfen].version)
        for sfen, level in in_levels(scores).items()
    ]


def _chosen_by_command(stores: Sequence[Path], known: Sequence[Path]) -> list[CollectionProblem]:
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


def _chosen_by_quality(stores: Sequence[Path], known: Sequence[Path]) -> Iterator[CollectionProblem]:
    """The perfect problems of the best quality, as many as are wanted of each length, no two alike.

    Stands in for `tsume choose`.
    """
    seen = _Seen.of_files(known)
    found = [one for path in stores for one in _composed(path)]
    found.sort(key=lambda one: (-one.problem.quality, format_sfen(one.problem.position)))
    wanted = dict(COUNTS)
    for one in found:
        if wanted.get(one.problem.length) and seen.add(one.problem):
            wanted[one.problem.length] -= 1
            yield one


def _composed(path: Path) -> Iterator[CollectionProblem]:
    """The perfect problems that runs found, without levels yet."""
    with Store.open(path, create=False) as store:
        for stored in store.find(ProblemSelection(grade=Grade.PERFECT)):
            if stored.provenance is not None:
                yield CollectionProblem(stored.problem, 0, stored.version)


class _Seen:
    """Positions and keys of problems that may not come again."""

    def __init__(self) -> None:
        self._positions: set[str] = set()
        self._keys: set[int] = set()

    @classmethod
    def of_files(cls, paths: Iterable[Path]) -> _Seen:
        """Those of published problems; of a problem without a line the position alone."""
        seen, files = cls(), tuple(map(str, paths))
        for entry in PositionInputs((), files) if files else ():
            if entry.parsed is not None:
                seen._positions.add(canonical_sfen(entry.parsed.position))
        return seen

    def add(self, problem: Problem) -> bool:
        """Note a problem; returns whether it is like none before."""
        position, keys = canonical_sfen(problem.position), set(natural_key_hashes(problem))
        if position in self._positions or not self._keys.isdisjoint(keys):
            return False
        self._positions.add(position)
        self._keys |= keys
        return True
