# SPDX-License-Identifier: GPL-3.0-or-later
"""The collection and its files: problems chosen from stores, README, files of a release."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from db.selection import ProblemSelection
from db.store import Store
from solver.results import Grade
from tsume.collection.problems import (
    COUNTS,
    LEVELS,
    PROBLEMS,
    CollectionProblem,
    add_collection,
    in_levels,
    read_collection,
)
from tsume.language.catalogue import LANGUAGES, Language
from tsume_rules.sfen import format_sfen

# --- commands of tsume, run as their users do ------------------------------------------------------


def run_tsume(*arguments: str | Path) -> None:
    """Run a command; raises `subprocess.CalledProcessError` if it fails."""
    subprocess.run([sys.executable, "-m", "tsume", *map(str, arguments)], check=True)


# --- problems chosen from stores -------------------------------------------------------------------


def chosen_collection(stores: Sequence[Path], known: Sequence[Path]) -> list[CollectionProblem]:
    """The problems of the collection in its order, each with its level."""
    chosen = {format_sfen(one.problem.position): one for one in _chosen(stores, known)}
    scores = ((one.problem.length, one.problem.difficulty.score, sfen) for sfen, one in chosen.items())
    return [
        CollectionProblem(chosen[sfen].problem, level, chosen[sfen].version)
        for sfen, level in in_levels(scores).items()
    ]


def _chosen(stores: Sequence[Path], known: Sequence[Path]) -> list[CollectionProblem]:
    """What `tsume choose` chooses from all stores together."""
    counts = chain.from_iterable(("-n", f"{length}:{number}") for length, number in COUNTS.items())
    published = chain.from_iterable(("--known", str(path)) for path in known)
    with tempfile.TemporaryDirectory(prefix="tsume-collection-") as work:
        pool, chosen = Path(work) / "pool.db", Path(work) / "chosen.db"
        run_tsume("merge", *stores, "--db", pool)
        run_tsume(
            "choose", "--db", pool, "--out", chosen, "--grade", "perfect", "--levels", str(LEVELS),
            *counts, *published,
        )  # fmt: skip
        return list(_composed(chosen))


def _composed(path: Path) -> Iterator[CollectionProblem]:
    """The perfect problems that runs found, without levels yet."""
    with Store.open(path, create=False) as store:
        for stored in store.find(ProblemSelection(grade=Grade.PERFECT)):
            if stored.provenance is not None:
                yield CollectionProblem(stored.problem, 0, stored.version)


# --- the README of the collection, in two languages, with the numbers of its problems --------------

TEMPLATES = Path(__file__).parent / "templates"
_HEADS: dict[Language, str] = {
    "en": "| moves | problems | " + " | ".join(f"level {i + 1}" for i in range(LEVELS)) + " | scores |",
    "ja": "| 手数 | 題数 | " + " | ".join(f"レベル{i + 1}" for i in range(LEVELS)) + " | 難易度の点数 |",
}
_PRELIMINARY: dict[Language, str] = {
    "en": "\nThis is a preliminary set: the complete collection has {wanted} problems.\n",
    "ja": "\nこれは暫定版です。完成版は{wanted}題です。\n",
}


def readme_name(language: Language) -> str:
    """The name of a README."""
    return "README.md" if language == "en" else f"README.{language}.md"


def readme_texts(problems: Sequence[CollectionProblem]) -> dict[str, str]:
    """The READMEs by name."""
    return {readme_name(language): _readme_text(problems, language) for language in LANGUAGES}


def _readme_text(problems: Sequence[CollectionProblem], language: Language) -> str:
    template = (TEMPLATES / readme_name(language)).read_text(encoding="utf-8")
    is_complete = dict(Counter(one.problem.length for one in problems)) == COUNTS
    note = "" if is_complete else _PRELIMINARY[language].format(wanted=sum(COUNTS.values()))
    return template.format(number=len(problems), table=_table(problems, language), note=note)


def _table(problems: Sequence[CollectionProblem], language: Language) -> str:
    lengths = sorted({one.problem.length for one in problems})
    rows = [_row([one for one in problems if one.problem.length == length], length) for length in lengths]
    return "\n".join([_HEADS[language], "|" + "---|" * (LEVELS + 3), *rows])


def _row(problems: Sequence[CollectionProblem], length: int) -> str:
    levels = Counter(one.level for one in problems)
    scores = [one.problem.difficulty.score for one in problems]
    numbers = [length, len(problems), *(levels[1 + i] for i in range(LEVELS))]
    return f"| {' | '.join(map(str, numbers))} | {min(scores):.0f}-{max(scores):.0f} |"


# --- the files of a release, made from the collection by the commands of tsume ---------------------

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
