# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of a release, made from the collection by the commands of tsume."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from db.store import Store
from scripts.collecting.command import run_tsume
from tsume.collection.adding import add_collection
from tsume.collection.folder import PROBLEMS, read_collection
from tsume.language.catalogue import LANGUAGES, Language

NAME = "tsume-collection-1"
"""How the names of the files begin."""
_TITLES: dict[Language, str] = {"ja": "tsume 第一集", "en": "tsume: the first collection"}
_LICENCE = "CC0 1.0"
_SECONDS = "60"
"""The time for the variations of a problem: none is to be missing."""


def publish_collection(folder: Path, target: Path) -> Iterator[Path]:
    """Make the files of a release, one after the other."""
    target.mkdir(parents=True, exist_ok=True)
    yield Path(shutil.copy(folder / PROBLEMS, target / f"{NAME}.jsonl"))
    with tempfile.TemporaryDirectory(prefix="tsume-release-") as work:
        place = Path(work) / "collection.db"
        with Store.open(place) as store:
            add_collection(store, read_collection(folder))
        for language in LANGUAGES:
            yield from _language_files(place, target, language)
        yield _archive(place, target, "site", "site", "--site-title", _TITLES["en"], "--licence", _LICENCE)
        yield _archive(place, target, "parquet", "export", "--format", "parquet", "--licence", "CC0",
                       "--set-title", _TITLES["en"])  # fmt: skip
        yield _archive(place, target, "kif", "export", "--format", "kif")


def _language_files(place: Path, target: Path, language: Language) -> Iterator[Path]:
    """The book and the cards in a language."""
    book, cards = (target / f"{NAME}.{language}.{ending}" for ending in ("pdf", "apkg"))
    title, options = _TITLES[language], ("--lang", language, "--time", _SECONDS)
    run_tsume("book", "--db", place, "-o", book, *options, "--book-title", title, "--per-page", "4")
    yield book
    run_tsume("cards", "--db", place, "-o", cards, *options, "--deck", title, "--by-length")
    yield cards


def _archive(place: Path, target: Path, name: str, *command: str) -> Path:
    """A zip file of the folder that a command makes."""
    folder = place.parent / f"{NAME}-{name}"
    run_tsume(*command, "--db", place, "-o", f"{folder}/")
    return Path(shutil.make_archive(str(target / folder.name), "zip", folder.parent, folder.name))
