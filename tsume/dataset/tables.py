# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems as Parquet files, separate for each length."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq

from db.stored_problem import StoredProblem
from tsume.dataset.columns import COLUMNS, DatasetColumn
from tsume.files.made_folder import FolderDraft

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
        self._end_shard()
        for number, name in enumerate(self._shards):
            path = self._draft.path(name)
            final = f"{self._folder}/train-{number:05}-of-{len(self._shards):05}.parquet"
            size = path.stat().st_size
            path.rename(self._draft.path(final))
            self._draft.add(final, size)
            self.sizes.files += size

    def discard(self) -> None:
        """Close the file that is being written, which is of no use any more."""
        if self._writer is not None:
            self._writer.close()

    def _pack_batch(self) -> None:
        if not self._waiting:
            return
        batch = _record_batch(self._waiting)
        self._waiting = []
        self._batches.append(batch)
        self._rows += batch.num_rows
        self.sizes.rows += batch.num_rows
        self.sizes.memory += batch.nbytes
        if self._rows >= ROWS_PER_GROUP:
            self._write_row_group()

    def _write_row_group(self) -> None:
        """Write a row group."""
        if not self._batches:
            return
        if self._writer is None:
            self._writer = self._open_writer()
        self._writer.write_table(pa.Table.from_batches(self._batches), row_group_size=self._rows)
        self._in_shard += self._rows
        self._batches, self._rows = [], 0
        if self._in_shard >= ROWS_PER_SHARD:
            self._end_shard()

    def _open_writer(self) -> pq.ParquetWriter:
        name = f"{self._folder}/{len(self._shards)}"
        self._shards.append(name)
        return pq.ParquetWriter(self._draft.path(name), SCHEMA, compression="zstd", compression_level=9)

    def _end_shard(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._writer, self._in_shard = None, 0


def _record_batch(problems: list[StoredProblem]) -> pa.RecordBatch:
    """Problems as columns."""
    arrays = [_column_array(column, problems) for column in COLUMNS]
    return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)


def _column_array(column: DatasetColumn, problems: list[StoredProblem]) -> pa.Array:
    try:
        return pa.array(list(_column_values(column, problems)), _TYPES[column.kind])
    except (pa.ArrowException, ValueError, OverflowError) as error:
        raise UnwritableValue(f"{column.name} of a problem cannot be written: {error}") from None


def _column_values(column: DatasetColumn, problems: list[StoredProblem]) -> Iterator[object]:
    return map(column.value, problems)
