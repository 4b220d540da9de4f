"""Which problems of some stores make the collection."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from db.selection import ProblemSelection
from db.store import Store
from generator.problem import Problem
from solver.results import Grade
from tsume.collection.keys import natural_key_hashes
from tsume.collection.levels import COUNTS, in_levels
from tsume.collection.lines import CollectionProblem
from tsume.files.inputs import PositionInputs
from tsume_rules.sfen import format_sfen
from tsume_rules.symmetry import canonical_sfen


def chosen_collection(stores: Iterable[Path], known: Iterable[Path]) -> list[CollectionProblem]:
    """The problems of the collection in its order, each with its level."""
    chosen = {format_sfen(one.problem.position): one for one in _chosen(stores, _Seen.of_files(known))}
    scores = ((one.problem.length, one.problem.difficulty.score, sfen) for sfen, one in chosen.items())
    return [
        CollectionProblem(chosen[sfen].problem, level, chosen[sfen].version)
        for sfen, level in in_levels(scores).items()
    ]


def _chosen(stores: Iterable[Path], seen: _Seen) -> Iterator[CollectionProblem]:
    """The perfect problems of the best quality, as many as are wanted of each length, no two alike."""
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
