# SPDX-License-Identifier: GPL-3.0-or-later
"""The collection in a store."""

from __future__ import annotations

from collections.abc import Sequence

from db.notebook import Notebook
from db.problem_rows import Addition
from db.selection import ProblemSelection
from db.store import Store
from tsume.collection.folder import read_collection
from tsume.collection.levels import TAG, level_tag
from tsume.collection.lines import CollectionProblem

SOURCE = "tsume, first collection"
"""The source of its problems in a store."""
IN_COLLECTION = ProblemSelection(tags=(TAG,))
"""The problems of a store that came from the collection."""


def add_collection(store: Store, problems: Sequence[CollectionProblem] | None = None) -> list[int]:
    """Store the problems of the collection, in its order; returns the ids of those that are new.

    Each has a tag for its level. Problems that are stored already remain as they are. Raises
    `tsume.collection.lines.CollectionError` and `db.errors.StoreError`.
    """
    additions = [_addition(one) for one in (read_collection() if problems is None else problems)]
    return [added.id for added in store.add_all(additions) if added.is_new]


def _addition(one: CollectionProblem) -> Addition:
    notebook = Notebook(source=SOURCE, tags=(TAG, level_tag(one.level)))
    return Addition(one.problem, notebook, one.version)
