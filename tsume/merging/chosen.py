# SPDX-License-Identifier: GPL-3.0-or-later
"""Copying some problems of a store into a new one, with their runs, themes and notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from db.selection import ProblemSelection
from db.store import Store
from tsume.merging.copies import AnnotatedCopy, MergeStep
from tsume.merging.merge import Merger, StorePool

_SOURCE = 1


def copy_problems(source: Store, destination: Store, problem_ids: Sequence[int]) -> None:
    """Copy the problems with these ids, in their order, into an empty store.

    A problem stays a version of another one if that is copied too. Raises `db.errors.StoreError`.
    """
    merger = Merger(StorePool([destination, source]))
    for _ in merger.written(_copying_steps(problem_ids)):
        pass
    merger.link_versions(_versions_among(source, problem_ids))


def _copying_steps(problem_ids: Iterable[int]) -> Iterator[MergeStep]:
    for number in problem_ids:
        yield MergeStep("", _SOURCE, number, None, (AnnotatedCopy(_SOURCE, number, 0),))


def _versions_among(source: Store, problem_ids: Sequence[int]) -> list[list[tuple[int, int]]]:
    """The copies whose parents are copied too."""
    copied = set(problem_ids)
    found = source.find(ProblemSelection(ids=problem_ids))
    return [[(_SOURCE, problem.id)] for problem in found if problem.notebook.parent in copied]
