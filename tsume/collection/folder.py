# SPDX-License-Identifier: GPL-3.0-or-later
"""The folder of the collection: in the repository, or in the installed package."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from tsume.collection.lines import CollectionError, CollectionProblem, collection_line, read_collection_line

PROBLEMS, SUMS = "problems.jsonl", "SHA256SUMS"
_INSTALLED = Path(__file__).parent / "data"
_IN_REPOSITORY = Path(__file__).parents[2] / "collection"


def collection_folder() -> Path:
    """The folder from which the collection is read."""
    return _INSTALLED if _INSTALLED.is_dir() else _IN_REPOSITORY


def read_collection(folder: Path | None = None) -> list[CollectionProblem]:
    """The problems of the collection in its order. Nothing is proved again: the file must have its checksum.

    Raises `CollectionError`.
    """
    return read_collection_text(checked_text(folder or collection_folder()))


def collection_size() -> int:
    """How many problems the collection has; 0 if there is none."""
    try:
        return len(checked_text(collection_folder()).splitlines())
    except CollectionError:
        return 0


def read_collection_text(text: str) -> list[CollectionProblem]:
    """The problems of the text of a collection. Raises `CollectionError`."""
    return [
        read_collection_line(line, f"{PROBLEMS}, line {number}")
        for number, line in enumerate(text.splitlines(), start=1)
    ]


def checked_text(folder: Path) -> str:
    """The text of the collection. Raises `CollectionError` if it is not there or not as it was written."""
    try:
        data = (folder / PROBLEMS).read_bytes()
        recorded = (folder / SUMS).read_text(encoding="ascii")
        text = data.decode()
    except (OSError, ValueError) as error:
        raise CollectionError(f"the collection cannot be read: {error}") from None
    if recorded != _sums(data):
        raise CollectionError(f"{folder / PROBLEMS}: its checksum is not that of {SUMS}")
    return text


def write_collection(folder: Path, problems: Iterable[CollectionProblem]) -> None:
    """Write the problems and their checksum."""
    data = "".join(f"{collection_line(one)}\n" for one in problems).encode()
    (folder / PROBLEMS).write_bytes(data)
    (folder / SUMS).write_bytes(_sums(data).encode())


def _sums(data: bytes) -> str:
    """The checksum as ``sha256sum --check`` reads it."""
    return f"{hashlib.sha256(data).hexdigest()}  {PROBLEMS}\n"
