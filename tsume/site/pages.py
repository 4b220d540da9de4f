# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of a site: problems, lists, the first page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from jinja2 import Environment

from db.stored_problem import StoredProblem
from tsume import __version__
from tsume.language.catalogue import Language
from tsume.language.voice import theme_choices, theme_name
from tsume.site.addresses import (
    COMPOSE,
    FEED,
    LICENCE,
    MANIFEST,
    OFFLINE,
    PROGRAM_LICENCE,
    TRAINING,
    WORKER,
    RelativeAddresses,
    problem_file,
)
from tsume.site.licence import licence_texts, program_licence
from tsume.site.lists import ProblemListing, list_file, problem_counts_by_length, problem_counts_by_theme
from tsume.site.options import SiteOptions
from tsume.web.answers import answer_fields
from tsume.web.compose_help import compose_help
from tsume.web.templates import (
    mate_in,
    problem_description,
    problem_summary,
    rendered_template,
    template_environment,
)


def problem_page(
    options: SiteOptions,
    language: Language,
    problem: StoredProblem,
    following: int | None,
) -> str:
    """The page of a problem; ``following`` is the next one's id."""
    return _site_page(
        options, language, problem_file(problem.id), "problem_page.html",
        problem=problem_summary(problem, language),
        next=following,
        described=problem_description(problem, language),
        answer=answer_fields(problem, None, language),
    )  # fmt: skip


def training_page(options: SiteOptions, language: Language, problems: Sequence[StoredProblem]) -> str:
    """The page for training with ``problems``."""
    themes = sorted((theme_name(language, tag), tag) for tag in problem_counts_by_theme(problems))
    return _site_page(
        options, language, TRAINING, "training_page.html", themes=[(tag, name) for name, tag in themes]
    )


def compose_page(options: SiteOptions, language: Language) -> str:
    """The page for composing."""
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
    """The page on licences."""
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
        """A page of a list, from 1."""
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
