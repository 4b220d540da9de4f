"""A data set as a folder."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from db.runs import StoredRun
from db.stored_problem import StoredProblem
from tsume.dataset.card import RUNS, card
from tsume.dataset.counts import Counts
from tsume.dataset.front_matter import TERMS, config_of
from tsume.dataset.options import DatasetOptions
from tsume.dataset.tables import FileSizes, LengthFiles
from tsume.files.made_folder import Draft, FolderKind

DATASET = FolderKind("data set", ".tsume-dataset")


def write_tables(draft: Draft, problems: Iterable[StoredProblem]) -> tuple[Counts, dict[int, FileSizes]]:
    """Write problems; returns their statistics, and the sizes of the tables by length.

    Raises `tsume.dataset.tables.UnwritableValue` and OSError.
    """
    counts = Counts()
    with _closing({}) as by_length:
        for problem in problems:
            if problem.length not in by_length:
                by_length[problem.length] = LengthFiles(draft, config_of(problem.length))
            by_length[problem.length].add(problem)
            counts.add(problem)
        for _, files in sorted(by_length.items()):
            files.close()
        return counts, {length: files.sizes for length, files in by_length.items()}


@contextmanager
def _closing(by_length: dict[int, LengthFiles]) -> Iterator[dict[int, LengthFiles]]:
    """Close all files, also after an error."""
    try:
        yield by_length
    finally:
        for files in by_length.values():
            files.discard()


def write_texts(
    draft: Draft,
    options: DatasetOptions,
    counts: Counts,
    sizes: dict[int, FileSizes],
    runs: Iterable[StoredRun],
) -> None:
    """Write the data card, the runs, and the terms where they need a file. Raises OSError."""
    told = "".join(json.dumps(_run_fields(run, counts), ensure_ascii=False) + "\n" for run in runs)
    if told:
        draft.write(RUNS, told)
    if options.terms is not None:
        draft.write(TERMS, options.terms)
    draft.write("README.md", card(options, counts, sizes, has_runs=bool(told)))


def _run_fields(run: StoredRun, counts: Counts) -> dict[str, object]:
    return {
        "seed": str(run.seed),
        "moves": run.moves,
        "count": run.count,
        "version": run.version,
        "recipe": run.recipe,
        "problems": counts.runs[run.id],
        "options": run.options,
    }
