# SPDX-License-Identifier: GPL-3.0-or-later
"""What a merge does with each table of a store."""

from __future__ import annotations

from db.store import Store

MERGED = frozenset(
    {
        "problems", "problem_themes", "problem_tags", "feature_sets", "runs", "rejections",
        "persons", "results", "problem_ratings", "cards", "training_runs",
    }
)  # fmt: skip
"""Tables whose content is taken over."""
LEFT = ("run_lines", "problem_trees", "sessions")
"""Tables that stay behind: with `run_lines` a run is resumed, in its own store; trees are made again when
somebody opens them; browsers sign in again."""


def rows_left(store: Store) -> dict[str, int]:
    """The numbers of rows that stay behind, by table; empty tables are omitted."""
    return {name: number for name, number in store.row_counts(LEFT).items() if number}
