# SPDX-License-Identifier: GPL-3.0-or-later
"""Merging stores: list all copies, then write the missing ones to the destination."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import islice

from db.errors import StoreError
from db.notebook import Notebook, NotebookEdit
from db.problem_rows import Addition
from db.selection import ProblemSelection
from db.store import Store, replace_problems
from db.stored_problem import StoredProblem
from tsume.files.exported import HASH, problem_fields
from tsume.merging.copies import DESTINATION, CopyTable, MergeStep, ProblemCopy
from tsume.merging.notebooks import (
    composers_record_of_copies,
    copies_by_notebook_age,
    merged_notebook,
    without_parent,
)
from tsume.merging.ranks import DIGEST, RootRanks, copy_rank
from tsume.merging.runs import RunIds, merge_runs, run_identity
from tsume_rules.position import Position

_AT_ONCE = 500
"""Copies recorded, and problems written, at once."""
_OPEN = 32
"""Stores that are open at once."""

VersionAndRecipe = tuple[str, int | None]
"""Version and recipe of a problem; the recipe is None for imported and old ones."""


@dataclass
class MergeCounts:
    """The numbers of new problems, of replaced ones, and of those that only got user data.

    What had no room or place: ``tags``, characters of ``notes``, and ``versions``, which would be versions
    of themselves.
    """

    new: int = 0
    replaced: int = 0
    noted: int = 0
    tags: int = 0
    notes: int = 0
    versions: int = 0


class StorePool:
    """The destination and the shards by number; a limited number is open at once."""

    def __init__(self, stores: Sequence[Store]) -> None:
        self._stores = stores
        self._open: dict[int, None] = {}

    def __getitem__(self, number: int) -> Store:
        self._open.pop(number, None)
        self._open[number] = None
        if len(self._open) > _OPEN:
            oldest = next(one for one in self._open if one != DESTINATION)
            del self._open[oldest]
            self._stores[oldest].close()
        return self._stores[number]

    def __iter__(self) -> Iterator[tuple[int, Store]]:
        return ((number, self[number]) for number in range(len(self._stores)))


@dataclass
class MergeInventory:
    """Lists the copies of all stores; ``made`` counts versions and recipes in each store."""

    copies: CopyTable
    made: dict[int, Counter[VersionAndRecipe]] = field(default_factory=dict)

    def add_store(self, number: int, store: Store, problems: Iterable[StoredProblem]) -> None:
        """Add the problems of a store, sorted by id."""
        identities = {run.id: run_identity(run) for run in store.runs.all()}
        found = self.made.setdefault(number, Counter())
        places, left = RootRanks(), iter(problems)
        while part := list(islice(left, _AT_ONCE)):
            found.update((one.version, one.provenance.recipe if one.provenance else None) for one in part)
            noted = [
                _copy_of_problem(number, one, places.of(one), identities.get(one.run_id or 0)) for one in part
            ]
            self.copies.add(noted)
            pairs = zip(noted, part, strict=True)
            self.copies.add_versions(
                (copy.rank, number, one.id) for copy, one in pairs if one.notebook.parent is not None
            )


def _copy_of_problem(store: int, problem: StoredProblem, place: int, run: object) -> ProblemCopy:
    told = f"{problem_fields(problem)[HASH]} {run}"
    digest = sha256(told.encode()).hexdigest()[:DIGEST]
    written = without_parent(problem.notebook) != Notebook() or problem.record is not None
    return ProblemCopy(problem.canonical, copy_rank(problem, place, digest), store, problem.id, written)


class Merger:
    """Executes steps, several in each transaction; an interrupted merge can be repeated."""

    def __init__(self, stores: StorePool) -> None:
        self._stores = stores
        self._runs: RunIds = {}
        self.merged = MergeCounts()
        self.done = 0
        """Steps done."""

    @property
    def name(self) -> str:
        """The destination's name."""
        return self._stores[DESTINATION].name

    def written(self, steps: Iterable[MergeStep]) -> Iterator[MergeStep]:
        """Write the runs, then take steps in their order; gives back each that is done. Raises StoreError."""
        shards = ((number, store) for number, store in self._stores if number != DESTINATION)
        runs = ((number, run) for number, store in shards for run in store.runs.all())
        self._runs = merge_runs(self._stores[DESTINATION], runs)
        left = iter(steps)
        while part := list(islice(left, _AT_ONCE)):
            self._merge_steps(part)
            self.done += len(part)
            yield from part

    def _merge_steps(self, steps: list[MergeStep]) -> None:
        problems = self._problems(steps)
        new: list[Addition] = []
        replacements: list[tuple[int, Addition]] = []
        edits: list[tuple[int, NotebookEdit]] = []
        for step in steps:
            addition = self._addition(step, problems)
            there = None if step.stored is None else problems[DESTINATION, step.stored]
            if there is None:
                new.append(addition)
                continue
            if step.store != DESTINATION or addition.problem.record != there.record:
                replacements.append((there.id, addition))
            if edit := _notebook_edit(there.notebook, addition.notebook):
                edits.append((there.id, edit))
            self.merged.noted += bool(edit) and step.store == DESTINATION
        self._write(new, replacements, edits)

    def _write(
        self,
        new: list[Addition],
        replacements: list[tuple[int, Addition]],
        edits: list[tuple[int, NotebookEdit]],
    ) -> None:
        destination = self._stores[DESTINATION]
        if new:
            self.merged.new += sum(one.is_new for one in destination.add_all(new))
        if replacements:
            replace_problems(destination, replacements)
            self.merged.replaced += len(replacements)
        for number, edit in edits:
            destination.edit([number], edit)

    def _problems(self, steps: list[MergeStep]) -> dict[tuple[int, int], StoredProblem]:
        """All problems of the steps, by store and id."""
        wanted: dict[int, set[int]] = {}
        for step in steps:
            there = () if step.stored is None else ((DESTINATION, step.stored),)
            written = ((one.store, one.id) for one in step.written)
            for store, number in ((step.store, step.id), *written, *there):
                wanted.setdefault(store, set()).add(number)
        found: dict[tuple[int, int], StoredProblem] = {}
        for store, numbers in sorted(wanted.items()):
            for problem in _problems_by_id(self._stores[store], sorted(numbers)):
                found[store, problem.id] = problem
        return found

    def _addition(self, step: MergeStep, problems: dict[tuple[int, int], StoredProblem]) -> Addition:
        """The copy that stays, with the user data of all; the destination's own comes first."""
        kept = problems[step.store, step.id]
        written = [(one, problems[one.store, one.id]) for one in step.written]
        own = [problem for one, problem in written if one.store == DESTINATION]
        others = copies_by_notebook_age(
            [(one.order, problem) for one, problem in written if one.store != DESTINATION]
        )
        record = kept.record if kept.record is not None else composers_record_of_copies([*own, *others])
        run_id = kept.run_id
        if step.store != DESTINATION and run_id is not None:
            run_id = self._runs.get((step.store, run_id))
        notebook, tags, notes = merged_notebook([one.notebook for one in (*own, *others)])
        self.merged.tags += tags
        self.merged.notes += notes
        return Addition(replace(kept.problem, record=record), notebook, kept.version, run_id)

    def link_versions(self, versions: Iterable[list[tuple[int, int]]]) -> None:
        """Set parents of problems from the shards where the destination has none."""
        destination = self._stores[DESTINATION]
        for copies in versions:
            links = set(filter(None, map(self._link_of, copies)))
            for number, parent in sorted(links)[:1]:  # of copies that are alike
                there = destination.get(number)
                if there is not None and there.notebook.parent is None and number != parent:
                    self.merged.versions += not _is_linked(destination, number, parent)

    def _link_of(self, place: tuple[int, int]) -> tuple[int, int] | None:
        """The ids in the destination of a shard's problem and of its parent."""
        store, number = place
        if store == DESTINATION:
            return None
        (child,) = _problems_by_id(self._stores[store], [number])
        parent = self._stores[store].get(child.notebook.parent or 0)
        if parent is None:
            return None
        into = self._stores[DESTINATION]
        return _stored_id_of(into, child.position), _stored_id_of(into, parent.position)


def _problems_by_id(store: Store, numbers: Sequence[int]) -> Iterator[StoredProblem]:
    """Playable problems. Raises StoreError, also for a deleted one."""
    found = 0
    for problem in store.find(ProblemSelection(ids=numbers)):
        found += 1
        yield store.playable(problem)
    if found != len(numbers):
        raise StoreError(f"{store.name}: problems were removed during the merge")


def _stored_id_of(store: Store, position: Position) -> int:
    number = store.id_of(position)
    if number is None:
        raise StoreError(f"{store.name}: problems were removed during the merge")
    return number


def _is_linked(store: Store, number: int, parent: int) -> bool:
    """Set the parent of a problem, unless that makes a cycle."""
    try:
        store.edit([number], NotebookEdit(parent=parent, moves=True))
    except StoreError:
        return False
    return True


def _notebook_edit(there: Notebook, wanted: Notebook) -> NotebookEdit | None:
    """The edit that turns a notebook into another one; None if they agree."""
    texts = {
        name: getattr(wanted, name)
        for name in ("title", "author", "source", "notes")
        if getattr(wanted, name) != getattr(there, name)
    }
    tags = tuple(tag for tag in wanted.tags if tag not in there.tags)
    return NotebookEdit(**texts, tags=tags) if texts or tags else None
