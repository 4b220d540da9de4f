# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of a site: problems, lists, the first page, the terms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Literal

from jinja2 import Environment

from db.notebook import printable_note
from db.stored_problem import StoredProblem
from tsume import __version__
from tsume.language.catalogue import Language, phrase
from tsume.language.voice import theme_choices, theme_name
from tsume.site.folder import (
    COMPOSE,
    FEED,
    INDEX,
    LICENCE,
    MANIFEST,
    OFFLINE,
    PER_PAGE,
    PROGRAM_LICENCE,
    TRAINING,
    WORKER,
    RelativeAddresses,
    SiteOptions,
    problem_file,
)
from tsume.web.templates import (
    answer_fields,
    compose_help,
    mate_in,
    problem_description,
    problem_summary,
    rendered_template,
    template_environment,
)

# --- the lists of a site, in pages: all problems, by length, by theme ------------------------------

Kind = Literal["all", "moves", "theme"]
_NEAR = 2
"""Pages linked on each side of a page, besides the first and the last."""


@dataclass(frozen=True)
class ProblemListing:
    """Some of the problems in an order: as they were selected, or ``easy``, the lowest score first.

    ``value`` is the length of lists by length, the tag of lists by theme, empty for the list of all.
    """

    kind: Kind
    value: str
    easy: bool
    problems: Sequence[StoredProblem]

    @property
    def pages(self) -> int:
        """How many pages the list has."""
        return -(-len(self.problems) // PER_PAGE)

    def on(self, page: int) -> Sequence[StoredProblem]:
        """Return the problems on a page, from 1."""
        return self.problems[(page - 1) * PER_PAGE : page * PER_PAGE]

    @property
    def name(self) -> str:
        """The name of the list in addresses."""
        return list_name(self.kind, self.value, easy=self.easy)

    def file(self, page: int = 1) -> str:
        """Return the file of a page, from the folder of its language."""
        return list_file(self.kind, self.value, page, easy=self.easy)

    def near(self, page: int) -> list[int]:
        """Return the pages linked from a page, itself included; 0 stands for a gap."""
        told = {1, self.pages, *range(max(1, page - _NEAR), min(self.pages, page + _NEAR) + 1)}
        found: list[int] = []
        for number in sorted(told):
            if found and number > found[-1] + 1:
                found.append(0)
            found.append(number)
        return found


def list_file(kind: Kind, value: str, page: int = 1, *, easy: bool) -> str:
    """Return the file of a page of a list, from the folder of its language."""
    name = list_name(kind, value, easy=easy) + (f"-{page}" if page > 1 else "")
    return INDEX if name == "all" else f"lists/{name}.html"


def list_name(kind: Kind, value: str, *, easy: bool) -> str:
    """Return the name of a list in addresses: ``moves-5-easy``."""
    return "-".join([kind, *([value] if value else []), *(["easy"] if easy and kind != "theme" else [])])


def listings(problems: Sequence[StoredProblem]) -> Iterator[ProblemListing]:
    """Yield all lists: of all problems and of each length in both orders, of each theme the easiest first."""
    easiest = easiest_first(problems)
    for length in [None, *problem_counts_by_length(problems)]:
        for found, easy in ((problems, False), (easiest, True)):
            if length is None:
                yield ProblemListing("all", "", easy, found)
            else:
                yield ProblemListing(
                    "moves", str(length), easy, [one for one in found if one.length == length]
                )
    for tag in problem_counts_by_theme(problems):
        yield ProblemListing("theme", tag, True, [one for one in easiest if tag in one.themes])


def easiest_first(problems: Sequence[StoredProblem]) -> list[StoredProblem]:
    """Problems in the order of their scores."""
    return sorted(problems, key=lambda one: (one.difficulty.score, one.id))


def problem_counts_by_length(problems: Sequence[StoredProblem]) -> dict[int, int]:
    """Return how many problems there are of each length, the shortest first."""
    found = [problem.length for problem in problems]
    return {length: found.count(length) for length in sorted(set(found))}


def problem_counts_by_theme(problems: Sequence[StoredProblem]) -> dict[str, int]:
    """Return how many problems have each theme, by tag."""
    found = [tag for problem in problems for tag in problem.themes]
    return {tag: found.count(tag) for tag in sorted(set(found))}


# --- the terms of a site's problems, scripts and fonts ---------------------------------------------

_FILE = "LICENSE"


def licence_texts(options: SiteOptions, language: Language, problems: Sequence[StoredProblem]) -> list[str]:
    """Return the paragraphs of the licence page."""

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
    """Return the licence of the program's scripts and styles; None if its file is missing."""
    beside = Path(__file__).parents[2] / _FILE
    if beside.is_file():
        return beside.read_text(encoding="utf-8")
    try:
        return distribution("tsume-shogi").read_text(f"licenses/{_FILE}")
    except PackageNotFoundError:
        return None


# --- the pages of a site ---------------------------------------------------------------------------


def problem_page(
    options: SiteOptions,
    language: Language,
    problem: StoredProblem,
    following: int | None,
) -> str:
    """Return the page of a problem; ``following`` is the next one's id."""
    return _site_page(
        options, language, problem_file(problem.id), "problem_page.html",
        problem=problem_summary(problem, language),
        next=following,
        described=problem_description(problem, language),
        answer=answer_fields(problem, None, language),
    )  # fmt: skip


def training_page(options: SiteOptions, language: Language, problems: Sequence[StoredProblem]) -> str:
    """Return the page for training with ``problems``."""
    themes = sorted((theme_name(language, tag), tag) for tag in problem_counts_by_theme(problems))
    return _site_page(
        options, language, TRAINING, "training_page.html", themes=[(tag, name) for name, tag in themes]
    )


def compose_page(options: SiteOptions, language: Language) -> str:
    """Return the page for composing."""
    return _site_page(
        options,
        language,
        COMPOSE,
        "compose_page.html",
        help=compose_help(language),
        themes=theme_choices(language),
    )


def offline_page(options: SiteOptions, language: Language) -> str:
    """Return the page to which the service worker leads instead of one that it has not kept."""
    return _site_page(options, language, OFFLINE, "offline.html")


def licence_page(options: SiteOptions, language: Language, problems: Sequence[StoredProblem]) -> str:
    """Return the page on licences."""
    return _site_page(
        options, language, LICENCE, "licence.html",
        texts=licence_texts(options, language, problems),
        program_licence=PROGRAM_LICENCE if program_licence() else None,
    )  # fmt: skip


class ListPages:
    """Makes the pages of lists in a language; ``problems`` are all of the site."""

    def __init__(self, options: SiteOptions, language: Language, problems: Sequence[StoredProblem]) -> None:
        self._plan = options
        self._language = language
        self._number = len(problems)
        self._lengths = [
            (mate_in(length, language), number, list_file("moves", str(length), easy=False), str(length))
            for length, number in problem_counts_by_length(problems).items()
        ]
        self._themes = sorted(
            (theme_name(language, tag), number, list_file("theme", tag, easy=True), tag)
            for tag, number in problem_counts_by_theme(problems).items()
        )

    def page(self, listing: ProblemListing, page: int) -> str:
        """Return a page of a list, from 1."""
        return _site_page(
            self._plan, self._language, listing.file(page), "list_page.html",
            listing=listing,
            list_hash=f"#list={listing.name}",
            page=page,
            heading=self._heading(listing),
            problems=[problem_summary(problem, self._language) for problem in listing.on(page)],
            number=self._number,
            lengths=self._lengths,
            themes=self._themes,
            list_file=list_file,
            is_first=listing.kind == "all" and page == 1 and not listing.easy,
        )  # fmt: skip

    def _heading(self, listing: ProblemListing) -> str:
        if listing.kind == "moves":
            return mate_in(int(listing.value), self._language)
        return theme_name(self._language, listing.value) if listing.kind == "theme" else ""


def _site_page(options: SiteOptions, language: Language, file: str, template: str, **values: Any) -> str:
    to = RelativeAddresses(options, language, file)
    other = next((name for name in options.languages if name != language), None)
    return rendered_template(
        _templates(), template, language, to,
        options=options,
        feed=FEED,
        licence=LICENCE,
        manifest=MANIFEST,
        worker=WORKER,
        has_solver=options.has_solver,
        version=__version__,
        other=other,
        other_address=to.in_language(other) if other else None,
        **values,
    )  # fmt: skip


@lru_cache(1)
def _templates() -> Environment:
    return template_environment("tsume.site")
