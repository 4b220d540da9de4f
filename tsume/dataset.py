# SPDX-License-Identifier: GPL-3.0-or-later
"""A data set as a folder: tables, the data card with its front matter, runs."""

from __future__ import annotations

import json
import re
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Literal

import pyarrow as pa
import pyarrow.parquet as pq

from db.notebook import printable_note
from db.runs import StoredRun
from db.stored_problem import StoredProblem
from generator.theme_names import NAMES
from solver.results import BLEMISHES, FEATURES, REMARKS, Grade
from tsume import __version__
from tsume.files.writing import FolderDraft, OutputFolderKind
from tsume.language.catalogue import Language, Voice

# --- the columns of a data set: name, type and value -----------------------------------------------

Kind = Literal["string", "strings", "bool", "int8", "int32", "int64", "float64"]


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


def _of_scale(name: str, kind: Kind) -> DatasetColumn:
    return DatasetColumn(name, kind, lambda problem: problem.difficulty.scale_fields(problem.length)[name])


COLUMNS = (
    DatasetColumn("id", "int64", lambda problem: problem.id),
    DatasetColumn("sfen", "string", lambda problem: problem.sfen),
    DatasetColumn("line", "strings", lambda problem: [move.usi for move in problem.line]),
    DatasetColumn("length", "int32", lambda problem: problem.length),
    DatasetColumn("score", "float64", lambda problem: problem.difficulty.score),
    _of_scale("rating", "int32"),
    _of_scale("stars", "int8"),
    _of_scale("rank_in_length", "int8"),
    _of_scale("proof_tree", "int64"),
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
        self.close_shard()
        for number, name in enumerate(self._shards):
            path = self._draft.path(name)
            final = f"{self._folder}/train-{number:05}-of-{len(self._shards):05}.parquet"
            size = path.stat().st_size
            path.rename(self._draft.path(final))
            self._draft.add(final, size)
            self.sizes.files += size

    def close_shard(self) -> None:
        """Close the file that is being written, if there is one; the next row group begins another."""
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
        """Write the waiting batches to the shard, and close it if it has `ROWS_PER_SHARD` then."""
        if not self._batches:
            return
        if self._writer is None:
            name = f"{self._folder}/{len(self._shards)}"
            self._shards.append(name)
            self._writer = pq.ParquetWriter(self._draft.path(name), SCHEMA, compression="zstd", compression_level=9)
        self._writer.write_table(pa.Table.from_batches(self._batches), row_group_size=self._rows)
        self._in_shard += self._rows
        self._batches, self._rows = [], 0
        if self._in_shard >= ROWS_PER_SHARD:
            self.close_shard()


# --- statistics of a data set, collected while it is written ---------------------------------------

MAX_NAMES = 100
"""The most authors that are named."""


@dataclass
class LengthCounts:
    """The problems of one length: how many, with how many stars, the sum of their scores."""

    problems: int = 0
    stars: Counter[int] = field(default_factory=Counter)
    score: float = 0.0


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
        if problem.notebook.author and len(self.authors) < MAX_NAMES:
            self.authors.add(problem.notebook.author)
        if problem.run_id is not None:
            self.runs[problem.run_id] += 1
        if (made := problem.provenance) is not None:
            self.composed += 1
            self.made[made.seed, problem.length, made.version, made.recipe] += 1
        if self.example is None or problem.length > self.example.length:
            self.example = problem


_FEATURES = frozenset(FEATURES)


# --- the options of a data set: language, title and terms ------------------------------------------

_KNOWN = frozenset({
    "apache-2.0", "cc-by-2.0", "cc-by-2.5", "cc-by-3.0", "cc-by-4.0", "cc-by-nc-2.0", "cc-by-nc-3.0",
    "cc-by-nc-4.0", "cc-by-nc-nd-3.0", "cc-by-nc-nd-4.0", "cc-by-nc-sa-2.0", "cc-by-nc-sa-3.0",
    "cc-by-nc-sa-4.0", "cc-by-nd-4.0", "cc-by-sa-3.0", "cc-by-sa-4.0", "cc0-1.0", "cdla-permissive-1.0",
    "cdla-permissive-2.0", "cdla-sharing-1.0", "gfdl", "gpl-3.0", "mit", "odbl", "odc-by", "pddl",
    "unlicense", "wtfpl",
})  # fmt: skip
"""Licences by the names that hubs of data sets give them."""
_ALSO = {"cc0": "cc0-1.0", "odbl-1.0": "odbl", "odc-by-1.0": "odc-by", "pddl-1.0": "pddl"}


@dataclass(frozen=True)
class DatasetOptions:
    """``language`` is that of the data card. ``title`` may be empty: then the set has the usual one.

    ``licence`` is the name of a licence or the terms themselves; None where nothing is said of them.
    """

    language: Language = "en"
    title: str = ""
    licence: str | None = None

    @property
    def licence_name(self) -> str | None:
        """The identifier of the licence on hubs, None for other terms: ``cc-by-4.0`` for ``CC BY 4.0``."""
        words = re.sub(r"[\s_]+", "-", (self.licence or "").strip().lower())
        name = _ALSO.get(words, words)
        return name if name in _KNOWN else None

    @property
    def terms(self) -> str | None:
        """The text of the licence file; None for a known licence or without terms."""
        if self.licence is None or self.licence_name is not None:
            return None
        return self.licence.strip() + "\n"


# --- the YAML front matter of a data card, for dataset hubs ----------------------------------------

ALL = "all"
"""The configuration that has the problems of all lengths."""
TERMS = "LICENSE"
"""The file with terms that are not a licence known to hubs."""
_TAGS = ("shogi", "tsume-shogi", "puzzles", "games", "tsume")


def config_name(length: int) -> str:
    """Return the configuration of a length, and the folder of its files."""
    return f"mate{length}"


def front_matter(options: DatasetOptions, title: str, sizes: Mapping[int, FileSizes]) -> str:
    """Return the head of the card, with its fences; ``sizes`` are by length."""
    sums = (sum(getattr(one, name) for one in sizes.values()) for name in ("rows", "memory", "files"))
    total = FileSizes(*sums)
    configs = [(ALL, "mate*", total)] if len(sizes) > 1 else []
    configs += [(config_name(length), config_name(length), sizes[length]) for length in sorted(sizes)]
    licence = [f"license: {options.licence_name or 'unknown'}"]
    if options.terms is not None:
        licence = ["license: other", "license_name: own-terms", f"license_link: {TERMS}"]
    lines = [
        "---", f"pretty_name: {_yaml_text(title)}", *licence,
        "language:", f"- {options.language}",
        "tags:", *(f"- {tag}" for tag in _TAGS),
        "size_categories:", f"- {_yaml_text(size_category(total.rows))}",
        "configs:",
    ]  # fmt: skip
    for number, (name, folder, _) in enumerate(configs):
        lines += [f"- config_name: {name}", *(["  default: true"] if number == 0 else [])]
        path = _yaml_text(f"{folder}/train-*.parquet")
        lines += ["  data_files:", "  - split: train", f"    path: {path}"]
    lines.append("dataset_info:")
    for name, _, size in configs:
        lines += [f"- config_name: {name}", "  features:"]
        for column in COLUMNS:
            kind = "    list: string" if column.kind == "strings" else f"    dtype: {column.kind}"
            lines += [f"  - name: {column.name}", kind]
        lines += ["  splits:", "  - name: train", f"    num_bytes: {size.memory}"]
        lines += [f"    num_examples: {size.rows}", f"  download_size: {size.files}"]
        lines.append(f"  dataset_size: {size.memory}")
    return "\n".join([*lines, "---"]) + "\n"


def size_category(rows: int) -> str:
    """Return the size category of a number of rows, as hubs write it."""
    steps = [1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000]
    names = ["1K", "10K", "100K", "1M", "10M", "100M", "1B"]
    place = bisect(steps, rows)
    if place == 0:
        return f"n<{names[0]}"
    return f"n>{names[-1]}" if place == len(steps) else f"{names[place - 1]}<n<{names[place]}"


def _yaml_text(text: str) -> str:
    """Return a text as YAML: a JSON string is valid YAML."""
    return json.dumps(text, ensure_ascii=False)


# --- the data card of a data set -------------------------------------------------------------------

RUNS = "runs.jsonl"
"""The file with the options of the runs."""
_MAX_RUNS = 50
"""Rows of the table of runs; the file has them all."""


def data_card(options: DatasetOptions, counts: DatasetCounts, sizes: Mapping[int, FileSizes], *, has_runs: bool) -> str:
    """Return the text of README.md. ``has_runs``: there is a file of the runs beside it."""
    say = Voice.of(options.language)
    title = options.title or say("dataset.title")
    problem = counts.example
    assert problem is not None
    config = config_name(max(sizes, key=lambda length: sizes[length].rows))
    paragraphs = [
        f"# {_markdown_text(title)}",
        say("dataset.head", number=f"{counts.problems:,}"),
        say("dataset.head_sizes"),
        *_tables_of_numbers(say, counts, sizes),
        say("dataset.head_reading"),
        say("dataset.reading"),
        _READING.format(config=config),
        say("dataset.head_example"),
        f"```\n{problem.sfen}\n{' '.join(move.usi for move in problem.line)}\n```",
        say("dataset.notation"),
        say("dataset.head_proofs"),
        *_proofs(say, counts),
        say("dataset.head_columns"),
        *_tables_of_words(say, counts),
        say("dataset.head_origin"),
        *_origin(say, options, counts, has_runs=has_runs),
    ]
    return front_matter(options, title, sizes) + "\n" + "\n\n".join(paragraphs) + "\n"


_READING = """\
```python
from datasets import load_dataset  # pip install datasets
problems = load_dataset("PATH", "{config}", split="train")

import pandas  # pip install pandas pyarrow
problems = pandas.read_parquet("PATH/{config}")

import duckdb  # pip install duckdb
hardest = duckdb.sql("FROM 'PATH/mate*/*.parquet' ORDER BY score DESC LIMIT 10")
```"""


def _tables_of_numbers(say: Voice, counts: DatasetCounts, sizes: Mapping[int, FileSizes]) -> Iterator[str]:
    rows = [
        (f"`{config_name(length)}`", length, f"{one.problems:,}", f"{one.score / one.problems:.1f}",
         *(f"{one.stars[stars]:,}" for stars in range(1, 6)), f"{sizes[length].files / 1e6:.2f}")
        for length, one in sorted(counts.lengths.items())
    ]  # fmt: skip
    heads = [*say("dataset.size_heads").split("|"), *("★" * stars for stars in range(1, 6)), "MB"]
    yield _markdown_table(heads, rows, "lrrrrrrrrr")
    yield say("dataset.all_of_them", config=ALL) if len(rows) > 1 else say("dataset.one_length")


def _proofs(say: Voice, counts: DatasetCounts) -> Iterator[str]:
    yield say("dataset.proved")
    grades = ((Grade.PERFECT, "dataset.perfect"), (Grade.SOUND, "dataset.sound"))
    yield "\n".join(say(text, number=f"{counts.grades[grade]:,}") for grade, text in grades if counts.grades[grade])
    yield say("dataset.futile")
    at_any_length = counts.searched[None]
    plies = [number for number in counts.searched if number is not None]
    yield say("dataset.searched", number=f"{at_any_length:,}")
    if bounded := counts.problems - at_any_length:
        yield say("dataset.searched_to", number=f"{bounded:,}", least=min(plies), most=max(plies))


def _tables_of_words(say: Voice, counts: DatasetCounts) -> Iterator[str]:
    """Yield the tables of columns, features, and the values of the columns of words; themes that occur."""
    columns = []
    for one in COLUMNS:
        if not one.name.startswith("feature_"):
            kind = "list of string" if one.kind == "strings" else one.kind
            columns.append((f"`{one.name}`", kind, say(f"dataset.column_{one.name}")))
    yield _markdown_table(say("dataset.column_heads").split("|"), columns)
    yield say("dataset.head_features")
    yield say("dataset.features")
    features = ((f"`feature_{name}`", say(f"dataset.feature_{name}")) for name in FEATURES)
    yield _markdown_table(say("dataset.feature_heads").split("|"), features)
    yield say("dataset.head_words")
    themes = []
    for tag, number in sorted(counts.themes.items(), key=lambda one: (-one[1], one[0])):
        if (name := NAMES.get(tag)) is None:  # of another version
            themes.append((_markdown_text(tag), f"{number:,}", "", ""))
        elif say.words == "ja":
            themes.append((f"`{tag}`", f"{number:,}", name.japanese, name.japanese_meaning))
        else:
            themes.append((f"`{tag}`", f"{number:,}", name.english, name.meaning))
    if themes:
        yield _markdown_table(say("dataset.theme_heads").split("|"), themes, "lrll")
    blemishes = ((f"`{name}`", say(f"blemishes.{name}")) for name in BLEMISHES)
    yield _markdown_table(say("dataset.blemish_heads").split("|"), blemishes)
    remarks = ((f"`{name}`", say(f"remarks.{name}")) for name in REMARKS.names)
    yield _markdown_table(say("dataset.remark_heads").split("|"), remarks)


def _origin(say: Voice, options: DatasetOptions, counts: DatasetCounts, *, has_runs: bool) -> Iterator[str]:
    """Yield who composed and judged the problems, what the set lacks, and its licence."""
    if counts.composed:
        yield say("dataset.composed", number=f"{counts.composed:,}")
        made = sorted(counts.made.items(), key=lambda one: (*one[0][:3], one[0][3] or 0))
        rows = (
            (seed, length, _markdown_text(version), "–" if recipe is None else recipe, f"{number:,}")
            for (seed, length, version, recipe), number in made[:_MAX_RUNS]
        )
        yield _markdown_table(say("dataset.origin_heads").split("|"), rows, "rrlrr")
        if len(made) > _MAX_RUNS:
            yield say("dataset.more_runs", number=len(made) - _MAX_RUNS)
        if has_runs:
            yield say("dataset.again", file=RUNS)
    if counts.imported:
        yield say("dataset.imported", number=f"{counts.imported:,}")
    judges = (f"tsume {_markdown_text(one)} ({number:,})" for one, number in sorted(counts.judged_by.items()))
    yield say("dataset.made_by", program=f"tsume {__version__}", judges=say.listed(judges))
    yield say("dataset.head_limits")
    yield say("dataset.limits")
    yield say("dataset.head_licence")
    if options.licence is None:
        yield say("dataset.no_terms")
    elif options.licence_name is not None:
        yield say("dataset.licence", name=options.licence_name)
    else:
        yield say("dataset.terms", file=TERMS)
    if counts.composed:
        versions = say.listed(sorted({_markdown_text(version) for _, _, version, _ in counts.made}))
        yield say("site.composed", number=f"{counts.composed:,}", versions=versions)
    if counts.imported:
        yield say("site.by_people", number=f"{counts.imported:,}")
    if counts.authors:
        yield say("site.authors", names=say.listed(sorted(map(_markdown_text, counts.authors))))


def _markdown_text(text: str) -> str:
    return re.sub(r"([\\`*_{}\[\]<>|#])", r"\\\1", printable_note(text))


def _markdown_table(heads: Iterable[str], rows: Iterable[Iterable[object]], aligned: str = "") -> str:
    """Return a table in Markdown; ``aligned`` has ``r`` for each column of numbers."""
    heads = list(heads)
    rules = ["---:" if at < len(aligned) and aligned[at] == "r" else "---" for at in range(len(heads))]
    cells = [heads, rules, *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


# --- a data set as a folder ------------------------------------------------------------------------

DATASET = OutputFolderKind("data set", ".tsume-dataset")


def write_tables(draft: FolderDraft, problems: Iterable[StoredProblem]) -> tuple[DatasetCounts, dict[int, FileSizes]]:
    """Write problems; return their statistics, and the sizes of the tables by length.

    Raises `tsume.dataset.UnwritableValue` and OSError.
    """
    counts = DatasetCounts()
    by_length: dict[int, LengthShards] = {}
    try:
        for problem in problems:
            if problem.length not in by_length:
                by_length[problem.length] = LengthShards(draft, config_name(problem.length))
            by_length[problem.length].add(problem)
            counts.add(problem)
        for _, files in sorted(by_length.items()):
            files.close()
        return counts, {length: files.sizes for length, files in by_length.items()}
    finally:
        for files in by_length.values():
            files.close_shard()


def write_card_and_runs(
    draft: FolderDraft,
    options: DatasetOptions,
    counts: DatasetCounts,
    sizes: dict[int, FileSizes],
    runs: Iterable[StoredRun],
) -> None:
    """Write the data card, the runs, and the terms where they need a file. Raises OSError."""
    told = ""
    for run in runs:
        fields = {
            "seed": str(run.seed), "moves": run.moves, "count": run.count, "version": run.version,
            "recipe": run.recipe, "problems": counts.runs[run.id], "options": run.options,
        }  # fmt: skip
        told += json.dumps(fields, ensure_ascii=False) + "\n"
    if told:
        draft.write(RUNS, told)
    if options.terms is not None:
        draft.write(TERMS, options.terms)
    draft.write("README.md", data_card(options, counts, sizes, has_runs=bool(told)))
