# SPDX-License-Identifier: GPL-3.0-or-later
"""The terms of a site's problems, scripts and fonts."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from db.notebook import printable_note
from db.stored_problem import StoredProblem
from tsume import __version__
from tsume.language.catalogue import Language, phrase
from tsume.site.options import SiteOptions

_FILE = "LICENSE"


def licence_texts(options: SiteOptions, language: Language, problems: Sequence[StoredProblem]) -> list[str]:
    """The paragraphs of the licence page."""

    def say(name: str, **parts: object) -> str:
        return phrase(language, f"site.{name}", **parts)

    composed = [problem for problem in problems if problem.provenance is not None]
    by_people = [problem for problem in problems if problem.provenance is None]
    authors = sorted(
        {printable_note(problem.notebook.author) for problem in problems if problem.notebook.author}
    )
    told = [options.licence.strip()] if options.licence is not None else [say("rights")]
    if composed:
        versions = sorted({printable_note(problem.version) for problem in composed})
        told.append(say("composed", number=len(composed), versions=say("comma").join(versions)))
    if by_people:
        told.append(say("by_people", number=len(by_people)))
    if authors:
        told.append(say("authors", names=say("comma").join(authors)))
    return [*told, say("program", program=f"tsume {__version__}"), say("font")]


def program_licence() -> str | None:
    """The licence of the program's scripts and styles; None if its file is missing."""
    beside = Path(__file__).parents[2] / _FILE
    if beside.is_file():
        return beside.read_text(encoding="utf-8")
    try:
        return distribution("tsume-shogi").read_text(f"licenses/{_FILE}")
    except PackageNotFoundError:
        return None
