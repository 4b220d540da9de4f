# SPDX-License-Identifier: GPL-3.0-or-later
"""The YAML front matter of a data card, for dataset hubs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from tsume.dataset.columns import COLUMNS
from tsume.dataset.options import DatasetOptions
from tsume.dataset.tables import FileSizes

ALL = "all"
"""The configuration that has the problems of all lengths."""
TERMS = "LICENSE"
"""The file with terms that are not a licence known to hubs."""
_TAGS = ("shogi", "tsume-shogi", "puzzles", "games", "tsume")


def config_name(length: int) -> str:
    """The configuration of a length, and the folder of its files."""
    return f"mate{length}"


def front_matter(options: DatasetOptions, title: str, sizes: Mapping[int, FileSizes]) -> str:
    """The head of the card, with its fences; ``sizes`` are by length."""
    total = FileSizes()
    for one in sizes.values():
        total.rows, total.memory, total.files = (
            total.rows + one.rows, total.memory + one.memory, total.files + one.files,
        )  # fmt: skip
    configs = [(ALL, "mate*", total)] if len(sizes) > 1 else []
    configs += [(config_name(length), config_name(length), sizes[length]) for length in sorted(sizes)]
    lines = [
        "---",
        f"pretty_name: {_yaml_text(title)}",
        *_licence_yaml(options),
        "language:", f"- {options.language}",
        "tags:", *(f"- {tag}" for tag in _TAGS),
        "size_categories:", f"- {_yaml_text(size_category(total.rows))}",
        "configs:",
        *(line for name, folder, _ in configs for line in _config_yaml(name, folder, configs[0][0])),
        "dataset_info:", *(line for name, _, size in configs for line in _dataset_info_yaml(name, size)),
        "---",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def size_category(rows: int) -> str:
    """The size category of a number of rows, as hubs write it."""
    steps = [1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000]
    names = ["1K", "10K", "100K", "1M", "10M", "100M", "1B"]
    place = next((at for at, step in enumerate(steps) if rows < step), len(steps))
    if place == 0:
        return f"n<{names[0]}"
    return f"n>{names[-1]}" if place == len(steps) else f"{names[place - 1]}<n<{names[place]}"


def _licence_yaml(options: DatasetOptions) -> Iterator[str]:
    if options.licence is None:
        yield "license: unknown"
    elif options.licence_name is not None:
        yield f"license: {options.licence_name}"
    else:
        yield from ("license: other", "license_name: own-terms", f"license_link: {TERMS}")


def _config_yaml(name: str, folder: str, first: str) -> Iterator[str]:
    yield f"- config_name: {name}"
    if name == first:
        yield "  default: true"
    yield from ("  data_files:", "  - split: train", f"    path: {_yaml_text(f'{folder}/train-*.parquet')}")


def _dataset_info_yaml(name: str, size: FileSizes) -> Iterator[str]:
    yield from (f"- config_name: {name}", "  features:")
    for column in COLUMNS:
        yield f"  - name: {column.name}"
        yield "    list: string" if column.kind == "strings" else f"    dtype: {column.kind}"
    yield from ("  splits:", "  - name: train", f"    num_bytes: {size.memory}")
    yield from (f"    num_examples: {size.rows}", f"  download_size: {size.files}")
    yield f"  dataset_size: {size.memory}"


def _yaml_text(text: str) -> str:
    """A text as YAML: a JSON string is valid YAML."""
    return json.dumps(text, ensure_ascii=False)
