# SPDX-License-Identifier: GPL-3.0-or-later
"""The data card of a data set."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from db.notebook import printable_note
from generator.theme_names import NAMES
from solver.results import BLEMISHES, REMARKS, Grade
from tsume import __version__
from tsume.dataset.columns import COLUMNS, FEATURES, DatasetColumn
from tsume.dataset.counts import DatasetCounts
from tsume.dataset.front_matter import ALL, TERMS, config_name, front_matter
from tsume.dataset.options import DatasetOptions
from tsume.dataset.tables import FileSizes
from tsume.language.voice import Voice

RUNS = "runs.jsonl"
"""The file with the options of the runs."""
_MOST_RUNS = 50
"""Rows of the table of runs; the file has them all."""


def data_card(
    options: DatasetOptions, counts: DatasetCounts, sizes: Mapping[int, FileSizes], *, has_runs: bool
) -> str:
    """The text of README.md. ``has_runs``: there is a file of the runs beside it."""
    say = Voice.of(options.language)
    title = options.title or say("dataset.title")
    parts = [
        [f"# {_markdown_text(title)}", say("dataset.head", number=f"{counts.problems:,}")],
        [say("dataset.head_sizes"), *_size_tables(say, counts, sizes)],
        [say("dataset.head_reading"), *_reading_section(say, sizes)],
        [say("dataset.head_example"), *_example_section(say, counts)],
        [say("dataset.head_proofs"), *_proof_section(say, counts)],
        [
            say("dataset.head_columns"),
            _column_table(say),
            say("dataset.head_features"),
            say("dataset.features"),
            _feature_table(say),
        ],
        [say("dataset.head_words"), *_word_tables(say, counts)],
        [say("dataset.head_origin"), *_origin_section(say, counts, has_runs=has_runs)],
        [say("dataset.head_limits"), say("dataset.limits")],
        [say("dataset.head_licence"), *_licence_section(say, options, counts)],
    ]
    paragraphs = [paragraph for part in parts for paragraph in part]
    return front_matter(options, title, sizes) + "\n" + "\n\n".join(paragraphs) + "\n"


def _markdown_text(text: str) -> str:
    """A text escaped for Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>|#])", r"\\\1", printable_note(text))


def _markdown_code(word: str) -> str:
    """A word of a column."""
    return f"`{printable_note(word)}`" if word in NAMES else _markdown_text(word)


def _markdown_table(heads: Iterable[str], rows: Iterable[Iterable[object]], aligned: str = "") -> str:
    """A table in Markdown; ``aligned`` has ``r`` for each column of numbers."""
    heads = list(heads)
    rules = ["---:" if at < len(aligned) and aligned[at] == "r" else "---" for at in range(len(heads))]
    cells = [heads, rules, *([str(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def _size_tables(say: Voice, counts: DatasetCounts, sizes: Mapping[int, FileSizes]) -> Iterator[str]:
    rows = [
        (f"`{config_name(length)}`", length, f"{one.problems:,}", f"{one.mean_score:.1f}",
         *(f"{one.stars[stars]:,}" for stars in range(1, 6)), _megabytes(sizes[length].files))
        for length, one in sorted(counts.lengths.items())
    ]  # fmt: skip
    heads = [*say("dataset.size_heads").split("|"), *("★" * stars for stars in range(1, 6)), "MB"]
    yield _markdown_table(heads, rows, "lrrrrrrrrr")
    yield say("dataset.all_of_them", config=ALL) if len(rows) > 1 else say("dataset.one_length")


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.2f}"


def _reading_section(say: Voice, sizes: Mapping[int, FileSizes]) -> Iterator[str]:
    config = config_name(max(sizes, key=lambda length: sizes[length].rows))
    yield say("dataset.reading")
    yield (
        "```python\n"
        "from datasets import load_dataset  # pip install datasets\n"
        f'problems = load_dataset("PATH", "{config}", split="train")\n\n'
        "import pandas  # pip install pandas pyarrow\n"
        f'problems = pandas.read_parquet("PATH/{config}")\n\n'
        "import duckdb  # pip install duckdb\n"
        "hardest = duckdb.sql(\"FROM 'PATH/mate*/*.parquet' ORDER BY score DESC LIMIT 10\")\n"
        "```"
    )


def _example_section(say: Voice, counts: DatasetCounts) -> Iterator[str]:
    assert counts.example is not None
    problem = counts.example
    line = " ".join(move.usi for move in problem.line)
    yield f"```\n{problem.sfen}\n{line}\n```"
    yield say("dataset.notation")


def _proof_section(say: Voice, counts: DatasetCounts) -> Iterator[str]:
    yield say("dataset.proved")
    grades = ((Grade.PERFECT, "dataset.perfect"), (Grade.SOUND, "dataset.sound"))
    yield "\n".join(
        say(text, number=f"{counts.grades[grade]:,}") for grade, text in grades if counts.grades[grade]
    )
    yield say("dataset.futile")
    at_any_length = counts.searched[None]
    plies = [number for number in counts.searched if number is not None]
    bounded = counts.problems - at_any_length
    yield say("dataset.searched", number=f"{at_any_length:,}")
    if bounded:
        yield say("dataset.searched_to", number=f"{bounded:,}", least=min(plies), most=max(plies))


def _column_table(say: Voice) -> str:
    told = (column for column in COLUMNS if not column.name.startswith("feature_"))
    rows = ((f"`{one.name}`", _column_type(one), say(f"dataset.column_{one.name}")) for one in told)
    return _markdown_table(say("dataset.column_heads").split("|"), rows)


def _column_type(column: DatasetColumn) -> str:
    return "list of string" if column.kind == "strings" else column.kind


def _feature_table(say: Voice) -> str:
    rows = ((f"`feature_{name}`", say(f"dataset.feature_{name}")) for name in FEATURES)
    return _markdown_table(say("dataset.feature_heads").split("|"), rows)


def _word_tables(say: Voice, counts: DatasetCounts) -> Iterator[str]:
    """The values of the columns of words; only the themes that occur."""
    themes = sorted(counts.themes.items(), key=lambda one: (-one[1], one[0]))
    if themes:
        rows = ((_markdown_code(tag), f"{number:,}", *_theme_row(say, tag)) for tag, number in themes)
        yield _markdown_table(say("dataset.theme_heads").split("|"), rows, "lrll")
    blemishes = ((f"`{name}`", say(f"blemishes.{name}")) for name in BLEMISHES)
    yield _markdown_table(say("dataset.blemish_heads").split("|"), blemishes)
    remarks = ((f"`{name}`", say(f"remarks.{name}")) for name in REMARKS.names)
    yield _markdown_table(say("dataset.remark_heads").split("|"), remarks)


def _theme_row(say: Voice, tag: str) -> tuple[str, str]:
    """The name and meaning of a theme; empty for a tag of another version."""
    name = NAMES.get(tag)
    if name is None:
        return "", ""
    return (name.japanese, name.japanese_meaning) if say.words == "ja" else (name.english, name.meaning)


def _origin_section(say: Voice, counts: DatasetCounts, *, has_runs: bool) -> Iterator[str]:
    if counts.composed:
        yield say("dataset.composed", number=f"{counts.composed:,}")
        made = sorted(counts.made.items(), key=lambda one: (*one[0][:3], one[0][3] or 0))
        rows = (
            (seed, length, _markdown_text(version), "–" if recipe is None else recipe, f"{number:,}")
            for (seed, length, version, recipe), number in made[:_MOST_RUNS]
        )
        yield _markdown_table(say("dataset.origin_heads").split("|"), rows, "rrlrr")
        if len(made) > _MOST_RUNS:
            yield say("dataset.more_runs", number=len(made) - _MOST_RUNS)
        if has_runs:
            yield say("dataset.again", file=RUNS)
    if counts.imported:
        yield say("dataset.imported", number=f"{counts.imported:,}")
    judges = say.listed(
        f"tsume {_markdown_text(one)} ({number:,})" for one, number in sorted(counts.judged_by.items())
    )
    yield say("dataset.made_by", program=f"tsume {__version__}", judges=judges)


def _licence_section(say: Voice, options: DatasetOptions, counts: DatasetCounts) -> Iterator[str]:
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
