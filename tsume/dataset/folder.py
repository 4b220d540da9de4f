# SPDX-License-Identifier: GPL-3.0-or-later
"""A data set as a folder."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from db.runs import StoredRun
from db.stored_problem import StoredProblem
from tsume.dataset.card import RUNS, data_card
from tsume.dataset.counts import DatasetCounts
from tsume.dataset.front_matter import TERMS, config_name
from tsume.dataset.options import DatasetOptions
from tsume.dataset.tables import FileSizes, LengthShards
from tsume.files.made_folder import FolderDraft, MadeFolderKind

DATASET = MadeFolderKind("data set", ".tsume-dataset")


def write_tables(
    draft: FolderDraft, problems: Iterable[StoredProblem]
) -> tuple[DatasetCounts, dict[int, FileSizes]]:
    """Write problems; returns their statistics, and the sizes of the tables by length.

    Raises `tsume.dataset.tables.UnwritableValue` and OSError.
    """
    counts = DatasetCounts()
    with _closing_files({}) as by_length:
        for problem in problems:
            if problem.length not in by_length:
                by_length[problem.length] = LengthShards(draft, config_name(problem.length))
            by_length[problem.length].add(problem)
            counts.add(problem)
        for _, files in sorted(by_length.items()):
            files.close()
        return counts, {length: files.sizes for length, files in by_length.items()}


@contextmanager
def _closing_files(by_length: dict[int, LengthShards]) -> Iterator[dict[int, LengthShards]]:
    """Close all files, also after an error."""
    try:
        yield by_length
    finally:
        for files in by_length.values():
            files.discard()


def write_card_and_runs(
    draft: FolderDraft,
    options: DatasetOptions,
    counts: DatasetCounts,
    sizes: dict[int, FileSizes],
    runs: Iterable[StoredRun],
) -> None:
    """Write the data card, the runs, and the terms where they need a file. Raises OSError."""
    told = "".join(json.dumps(_run_fields(run, counts), ensure_ascii=False) + "\n" for run in runs)
    if told:
        draft.write(RUNS, told)
    if options.terms is not None:
        draft.write(TERMS, options.terms)
    draft.write("README.md", data_card(options, counts, sizes, has_runs=bool(told)))


def _run_fields(run: StoredRun, counts: DatasetCounts) -> dict[str, object]:
    return {
        "seed": str(run.seed),
        "moves": run.moves,
        "count": run.count,
        "version": run.version,
        "recipe": run.recipe,
        "problems": counts.runs[run.id],
        "options": run.options,
    }
