# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems as Parquet files, separate for each length: columns, files, statistics."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Literal

import pyarrow as pa
import pyarrow.parquet as pq

from db.stored_problem import StoredProblem
from solver.results import Grade
from tsume.files.writing import FolderDraft

# --- the columns of a data set: name, type and value -----------------------------------------------

Kind = Literal["string", "strings", "bool", "int8", "int32", "int64", "float64"]

FEATURES = (
    "length", "pieces", "log_proof_tree", "log_peak_proof_number", "log_refutation_work", "hardest_try",
    "refutation_depth", "checks_per_turn", "answers_per_check", "king_freedom", "open_squares", "sacrifices",
    "quiet_moves", "non_promotions", "distant_drops", "captures", "resistance", "tries", "surprise",
)  # fmt: skip
"""The features that have a column (docs/difficulty.md): fixed, so that all files share one schema."""


@dataclass(frozen=True)
class DatasetColumn:
    """A column; ``value`` returns None if unknown."""

    name: str
    kind: Kind
    value: Callable[[StoredProblem], Any]


def _of_notebook(name: str) -> DatasetColumn:
    return DatasetColumn(name, "string", lambda problem: getattr(problem.notebook, name) or None)


def _of_provenance(name: str, field: str) -> DatasetColumn:
    value = attrgetter(field)
    return DatasetColumn(name, "int64", lambda problem: problem.provenance and value(problem.provenance))


def _of_features(name: str) -> DatasetColumn:
    return DatasetColumn(f"feature_{name}", "float64", lambda problem: problem.difficulty.features.get(name))


COLUMNS = (
    DatasetColumn("id", "int64", lambda problem: problem.id),
    DatasetColumn("sfen", "string", lambda problem: problem.sfen),
    DatasetColumn("line", "strings", lambda problem: [move.usi for move in problem.line]),
    DatasetColumn("length", "int32", lambda problem: problem.length),
    DatasetColumn("score", "float64", lambda problem: problem.difficulty.score),
    DatasetColumn("stars", "int8", lambda problem: problem.difficulty.stars),
    DatasetColumn("quality", "float64", lambda problem: problem.quality),
    DatasetColumn("themes", "strings", lambda problem: problem.themes),
    DatasetColumn("grade", "string", lambda problem: problem.grade.value),
    DatasetColumn("blemishes", "strings", lambda problem: problem.blemishes.blemish_names),
    DatasetColumn("remarks", "strings", lambda problem: problem.remarks.names),
    DatasetColumn("searched", "int64", lambda problem: problem.searched),
    DatasetColumn("same_when_counted", "bool", lambda problem: problem.same_when_counted),
    # Counted in the SFEN: parsing it would take as long as all other columns.
    DatasetColumn("board_pieces", "int8", lambda one: sum(map(str.isalpha, one.sfen.split(" ", 1)[0]))),
    DatasetColumn(
        "hand_pieces", "int8",
        lambda one: sum(int(number or 1) for number in re.findall(r"(\d*)[A-Z]", one.sfen.split(" ")[2])),
    ),
    *map(_of_notebook, ("title", "author", "source")),
    DatasetColumn("version_of", "int64", lambda problem: problem.notebook.parent),
    # A text: a seed may have 128 bits.
    DatasetColumn("seed", "string", lambda problem: problem.provenance and str(problem.provenance.seed)),
    _of_provenance("root_index", "index"),
    _of_provenance("recipe", "recipe"),
    DatasetColumn("version", "string", lambda problem: problem.version),
    *map(_of_features, FEATURES),
)  # fmt: skip
"""Personal notes and tags are not exported."""


# --- problems as Parquet files, separate for each length -------------------------------------------

ROWS_PER_SHARD = 2_000_000
ROWS_PER_GROUP = 20_000
"""Rows written and read at once; each length keeps at most as many in memory."""
_ROWS_AT_ONCE = 250
"""Problems of a length that wait to become columns, which need a fifth of their memory."""
_TYPES = {
    "string": pa.string(), "strings": pa.list_(pa.string()), "bool": pa.bool_(), "int8": pa.int8(),
    "int32": pa.int32(), "int64": pa.int64(), "float64": pa.float64(),
}  # fmt: skip
SCHEMA = pa.schema([(column.name, _TYPES[column.kind]) for column in COLUMNS])
"""The same for every file of every set."""


class UnwritableValue(ValueError):
    """A problem has a value that its column does not hold."""


@dataclass
class FileSizes:
    """The rows of one length, their bytes in memory and in files."""

    rows: int = 0
    memory: int = 0
    files: int = 0


class LengthShards:
    """Takes the problems of one length and writes them in shards."""

    def __init__(self, draft: FolderDraft, folder: str) -> None:
        self._draft = draft
        self._folder = folder
        self._waiting: list[StoredProblem] = []
        self._batches: list[pa.RecordBatch] = []
        self._rows = 0
        self._in_shard = 0
        self._shards: list[str] = []
        self._writer: pq.ParquetWriter | None = None
        self.sizes = FileSizes()

    def add(self, problem: StoredProblem) -> None:
        """Take a problem. Raises `UnwritableValue` and OSError."""
        self._waiting.append(problem)
        if len(self._waiting) >= _ROWS_AT_ONCE:
            self._pack_batch()

    def close(self) -> None:
        """Write the remaining rows, and name the shards. Raises as `add` does."""
        self._pack_batch()
        self._write_row_group()
        self.discard()
        for number, name in enumerate(self._shards):
            path = self._draft.path(name)
            final = f"{self._folder}/train-{number:05}-of-{len(self._shards):05}.parquet"
            size = path.stat().st_size
            path.rename(self._draft.path(final))
            self._draft.add(final, size)
            self.sizes.files += size

    def discard(self) -> None:
        """Close the file that is being written."""
        if self._writer is not None:
            self._writer.close()
        self._writer, self._in_shard = None, 0

    def _pack_batch(self) -> None:
        if not self._waiting:
            return
        arrays = []
        for column in COLUMNS:
            try:
                arrays.append(pa.array(list(map(column.value, self._waiting)), _TYPES[column.kind]))
            except (pa.ArrowException, ValueError, OverflowError) as error:
                raise UnwritableValue(f"{column.name} of a problem cannot be written: {error}") from None
        batch = pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)
        self._waiting = []
        self._batches.append(batch)
        self._rows += batch.num_rows
        self.sizes.rows += batch.num_rows
        self.sizes.memory += batch.nbytes
        if self._rows >= ROWS_PER_GROUP:
            self._write_row_group()

    def _write_row_group(self) -> None:
        if not self._batches:
            return
        if self._writer is None:
            name = f"{self._folder}/{len(self._shards)}"
            self._shards.append(name)
            self._writer = pq.ParquetWriter(
                self._draft.path(name), SCHEMA, compression="zstd", compression_level=9
            )
        self._writer.write_table(pa.Table.from_batches(self._batches), row_group_size=self._rows)
        self._in_shard += self._rows
        self._batches, self._rows = [], 0
        if self._in_shard >= ROWS_PER_SHARD:
            self.discard()


# --- statistics of a data set, collected while it is written ---------------------------------------

MOST_NAMES = 100
"""The most authors that are named."""


@dataclass
class LengthCounts:
    """The problems of one length: how many, with how many stars, the sum of their scores."""

    problems: int = 0
    stars: Counter[int] = field(default_factory=Counter)
    score: float = 0.0

    @property
    def mean_score(self) -> float:
        """The mean of the scores."""
        return self.score / max(1, self.problems)


@dataclass
class DatasetCounts:
    """All problems of a set.

    ``searched`` counts the numbers of plies up to which second solutions were looked for, ``made`` seed,
    length, version and recipe of composed problems, ``runs`` the ids of the runs in the store;
    ``no_column`` the features that have no column. ``example`` is the first of the longest ones.
    """

    lengths: dict[int, LengthCounts] = field(default_factory=dict)
    grades: Counter[Grade] = field(default_factory=Counter)
    searched: Counter[int | None] = field(default_factory=Counter)
    made: Counter[tuple[int, int, str, int | None]] = field(default_factory=Counter)
    runs: Counter[int] = field(default_factory=Counter)
    judged_by: Counter[str] = field(default_factory=Counter)
    themes: Counter[str] = field(default_factory=Counter)
    authors: set[str] = field(default_factory=set)
    no_column: Counter[str] = field(default_factory=Counter)
    composed: int = 0
    example: StoredProblem | None = None

    @property
    def problems(self) -> int:
        """How many there are."""
        return sum(one.problems for one in self.lengths.values())

    @property
    def imported(self) -> int:
        """How many no run composed."""
        return self.problems - self.composed

    def add(self, problem: StoredProblem) -> None:
        """Count a problem."""
        of_length = self.lengths.setdefault(problem.length, LengthCounts())
        of_length.problems += 1
        of_length.stars[problem.difficulty.stars] += 1
        of_length.score += problem.difficulty.score
        self.grades[problem.grade] += 1
        self.searched[problem.searched] += 1
        self.judged_by[problem.version] += 1
        self.themes.update(problem.themes)
        self.no_column.update(problem.difficulty.features.keys() - _FEATURES)
        if problem.notebook.author and len(self.authors) < MOST_NAMES:
            self.authors.add(problem.notebook.author)
        if problem.run_id is not None:
            self.runs[problem.run_id] += 1
        if (made := problem.provenance) is not None:
            self.composed += 1
            self.made[made.seed, problem.length, made.version, made.recipe] += 1
        if self.example is None or problem.length > self.example.length:
            self.example = problem


_FEATURES = frozenset(FEATURES)
