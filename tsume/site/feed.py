# SPDX-License-Identifier: GPL-3.0-or-later
"""The Atom feed (RFC 4287) and the sitemap of a site with a known URL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from db.notebook import printable_note
from db.stored_problem import StoredProblem
from tsume.language.catalogue import Language, phrase
from tsume.site.addresses import COMPOSE, FEED, INDEX, TRAINING, diagram_file, problem_file
from tsume.site.lists import ProblemListing
from tsume.site.options import SiteOptions
from tsume.web.templates import mate_in

_NEWEST = 50
"""Problems in a feed."""
_MOST_ADDRESSES = 50_000
"""Addresses in one sitemap, the limit of sitemaps.org."""
_MAPS = "http://www.sitemaps.org/schemas/sitemap/0.9"
_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'


def feeds(options: SiteOptions, problems: Sequence[StoredProblem]) -> Iterator[tuple[str, str]]:
    """The feed of each language: the problems stored last, without their answers."""
    newest = sorted(problems, key=lambda one: (one.created_at, one.id), reverse=True)[:_NEWEST]
    for language in options.languages:
        yield options.folder(language) + FEED, _feed(options, language, newest)


def _feed(options: SiteOptions, language: Language, problems: Sequence[StoredProblem]) -> str:
    at = _base_address(options, language)
    title = options.title or phrase(language, "web.title")
    return "".join(
        [
            _HEAD,
            f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{language}">\n',
            f"<title>{escape(title)}</title>\n<id>{escape(at)}</id>\n<updated>{_feed_time(problems[0])}</updated>\n",
            f'<link rel="self" type="application/atom+xml" href={quoteattr(at + FEED)}/>\n',
            f'<link rel="alternate" type="text/html" href={quoteattr(at)}/>\n',
            "<author><name>tsume</name></author>\n",
            *(_feed_entry(at, language, problem) for problem in problems),
            "</feed>\n",
        ]
    )


def _feed_entry(at: str, language: Language, problem: StoredProblem) -> str:
    page, notebook = at + problem_file(problem.id), problem.notebook
    number = phrase(language, "web.number", id=problem.id)
    title = " ".join(
        filter(None, [number, printable_note(notebook.title), mate_in(problem.length, language)])
    )
    stars = "★" * problem.difficulty.stars
    image = f"<img src={quoteattr(at + diagram_file(problem.id))} alt={quoteattr(title)}/>"
    author = (
        f"<author><name>{escape(printable_note(notebook.author))}</name></author>" if notebook.author else ""
    )
    return (
        f"<entry><title>{escape(f'{title} {stars}')}</title><id>{escape(page)}</id>"
        f"<link href={quoteattr(page)}/><updated>{_feed_time(problem)}</updated>{author}"
        f'<content type="html">{escape(f"<p>{image}</p>")}</content></entry>\n'
    )


def _feed_time(problem: StoredProblem) -> str:
    return problem.created_at.strftime("%Y-%m-%dT%H:%M:%SZ")


def sitemaps(
    options: SiteOptions, problems: Sequence[StoredProblem], lists: Sequence[ProblemListing]
) -> Iterator[tuple[str, str]]:
    """The addresses of all pages: one sitemap, or several with an index."""
    pages = [
        _base_address(options, language) + (file if file != INDEX else "")
        for language in options.languages
        for file in [
            TRAINING,
            COMPOSE,
            *(listing.file(page) for listing in lists for page in range(1, listing.pages + 1)),
            *(problem_file(problem.id) for problem in problems),
        ]
    ]
    parts = [pages[at : at + _MOST_ADDRESSES] for at in range(0, len(pages), _MOST_ADDRESSES)]
    if len(parts) == 1:
        yield "sitemap.xml", _sitemap_xml("urlset", "url", pages)
        return
    names = [f"sitemap-{number}.xml" for number in range(1, len(parts) + 1)]
    for name, part in zip(names, parts, strict=True):
        yield name, _sitemap_xml("urlset", "url", part)
    yield "sitemap.xml", _sitemap_xml("sitemapindex", "sitemap", [f"{options.url}{name}" for name in names])


def _sitemap_xml(whole: str, part: str, addresses: Sequence[str]) -> str:
    lines = "".join(f"<{part}><loc>{escape(address)}</loc></{part}>\n" for address in addresses)
    return f'{_HEAD}<{whole} xmlns="{_MAPS}">\n{lines}</{whole}>\n'


def _base_address(options: SiteOptions, language: Language) -> str:
    return (options.url or "") + options.folder(language)
