# SPDX-License-Identifier: GPL-3.0-or-later
"""All files of a site: pages, data, feed and sitemap, and what makes it installable."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from importlib.resources import files as package_files
from xml.sax.saxutils import escape

import rcssmin
import rjsmin

from db.stored_problem import StoredProblem
from tsume.diagrams.svg import icon_png, png_images
from tsume.language.catalogue import Language, phrase
from tsume.parallel.ordered_map import ordered_map
from tsume.site import pages
from tsume.uses.trees import ReplyTreeBuilder
from tsume.web import templates
from tsume.web.solver_scripts import NETWORK
from tsume_rules.sfen import format_sfen

# --- the Atom feed (RFC 4287) and the sitemap of a site with a known URL ---------------------------

_NEWEST = 50
"""Problems in a feed."""
_MAX_ADDRESSES = 50_000
"""Addresses in one sitemap, the limit of sitemaps.org."""
_MAPS = "http://www.sitemaps.org/schemas/sitemap/0.9"
_HEAD = '<?xml version="1.0" encoding="utf-8"?>\n'


def feeds(options: pages.SiteOptions, problems: Sequence[StoredProblem]) -> Iterator[tuple[str, str]]:
    """Yield the feed of each language: the problems stored last, without their answers."""
    newest = sorted(problems, key=lambda one: (one.created_at, one.id), reverse=True)[:_NEWEST]
    for language in options.languages:
        yield options.folder(language) + pages.FEED, _feed(options, language, newest)


def _feed(options: pages.SiteOptions, language: Language, problems: Sequence[StoredProblem]) -> str:
    at = _base_address(options, language)
    entries = []
    for problem in problems:
        page, picture = at + pages.problem_file(problem.id), at + pages.diagram_file(problem.id)
        title, author = templates.feed_title(problem, language), problem.notebook.author
        entries.append(templates.FeedEntry(page, page, title, problem.created_at, picture, author))
    title = options.title or phrase(language, "page.title")
    return templates.atom_feed(language, title, (at, at + pages.FEED, at), problems[0].created_at, entries)


def sitemaps(
    options: pages.SiteOptions, problems: Sequence[StoredProblem], lists: Sequence[pages.ProblemListing]
) -> Iterator[tuple[str, str]]:
    """Yield the addresses of all pages: one sitemap, or several with an index."""
    addresses = [
        _base_address(options, language) + (file if file != pages.INDEX else "")
        for language in options.languages
        for file in [
            pages.TRAINING,
            pages.GAMES,
            pages.COMPOSE,
            *(listing.file(page) for listing in lists for page in range(1, listing.pages + 1)),
            *(pages.problem_file(problem.id) for problem in problems),
        ]
    ]
    parts = [addresses[at : at + _MAX_ADDRESSES] for at in range(0, len(addresses), _MAX_ADDRESSES)]
    if len(parts) == 1:
        yield "sitemap.xml", _sitemap_xml("urlset", "url", addresses)
        return
    names = [f"sitemap-{number}.xml" for number in range(1, len(parts) + 1)]
    for name, part in zip(names, parts, strict=True):
        yield name, _sitemap_xml("urlset", "url", part)
    yield "sitemap.xml", _sitemap_xml("sitemapindex", "sitemap", [f"{options.url}{name}" for name in names])


def _sitemap_xml(whole: str, part: str, addresses: Sequence[str]) -> str:
    lines = "".join(f"<{part}><loc>{escape(address)}</loc></{part}>\n" for address in addresses)
    return f'{_HEAD}<{whole} xmlns="{_MAPS}">\n{lines}</{whole}>\n'


def _base_address(options: pages.SiteOptions, language: Language) -> str:
    return (options.url or "") + options.folder(language)


# --- what makes a site installable and useful without a network: manifest, icons, service worker ---

_ICON_SIZES = (192, 512)
_BACKGROUND = "#fffdf7"
"""Behind the icon while the site starts: the paper of page.css."""


def manifest_file(options: pages.SiteOptions) -> tuple[str, str]:
    """Return the web app manifest, in the first language."""
    language = options.languages[0]
    name = options.title or phrase(language, "page.title")
    icons = [
        {"src": f"{pages.STATIC}/icon.svg", "sizes": "any", "type": "image/svg+xml"},
        *(
            {"src": _icon_file(size), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
            for size in _ICON_SIZES
            for purpose in ("any", "maskable")
        ),
    ]
    manifest = {
        "name": name,
        "short_name": name,
        "lang": language,
        "start_url": pages.INDEX,
        "scope": ".",
        "display": "standalone",
        "background_color": _BACKGROUND,
        "theme_color": _BACKGROUND,
        "icons": icons,
    }
    return pages.MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=1) + "\n"


def service_worker_file(options: pages.SiteOptions, static: Iterable[str], version: str) -> tuple[str, str]:
    """The service worker of a site with this version; ``static`` are the names of the files of all pages."""
    folders = [options.folder(language) for language in options.languages]
    kept = [
        folder + page
        for folder in folders
        for page in (pages.INDEX, pages.TRAINING, pages.GAMES, pages.COMPOSE, pages.OFFLINE)
    ]
    # kept for the time without a network before a page has asked for them
    files = (name for name in static if name.endswith((".js", ".css", ".svg")) and not name.endswith(f"/{NETWORK}"))
    used = [pages.static_address(options, name) for name in files]
    site = json.dumps(
        {"version": version, "folders": folders, "offline": pages.OFFLINE, "files": [*kept, *used]}, ensure_ascii=False
    )
    script = (package_files("tsume.site") / "static" / pages.WORKER).read_text(encoding="utf-8")
    strict = '"use strict";\n'
    return pages.WORKER, script.replace(strict, f"{strict}const TSUME_SITE = {site};\n", 1)


class ContentVersion:
    """The version of some files: a hash of their names and contents, in their order."""

    def __init__(self, files: Iterable[tuple[str, str | bytes]] = ()) -> None:
        self._hash = sha256()
        for name, content in files:
            self.add(name, content)

    def add(self, name: str, content: str | bytes) -> None:
        """Count in a file."""
        data = content.encode() if isinstance(content, str) else content
        self._hash.update(f"{name}\0{len(data)}\0".encode() + data)

    @property
    def text(self) -> str:
        """That of the files so far."""
        return self._hash.hexdigest()[:12]


def _icon_file(size: int) -> str:
    return f"{pages.STATIC}/icon-{size}.png"


# --- all files of a site ---------------------------------------------------------------------------

_OF_SERVER = (
    "api.css", "classes.js", "collection.js", "compose_server.js", "persons.js", "problem_saver.js", "requests.js",
    "trainer_server.js", "tree_request.js",
)  # fmt: skip
"""Files of the board that a site does not copy."""
_OWN = ("site.css", "install.js", "later_trainer.js", "list_order.js")

File = tuple[str, str | bytes]
"""A path relative to the site's folder, and the content."""


@dataclass(frozen=True)
class ProblemJob:
    """The job for the files of one problem; ``following`` is the next problem's id."""

    options: pages.SiteOptions
    problem: StoredProblem
    following: int | None


def problem_files(builder: ReplyTreeBuilder, job: ProblemJob) -> list[File]:
    """Return the page of a problem, its diagrams and its reply tree in each language."""
    from tsume.uses.commenting import comment_on_tree

    options, problem = job.options, job.problem
    tree = pages.problem_tree(builder, problem)
    remarks = [] if tree is None else comment_on_tree(builder.engine, problem.position, tree)
    found: list[File] = []
    for language in options.languages:
        folder = options.folder(language)
        page = pages.problem_page(options, language, problem, job.following, remarks)
        drawn = templates.diagram(format_sfen(problem.position), language)
        found += [
            (folder + pages.problem_file(problem.id), page),
            (folder + pages.diagram_file(problem.id), drawn),
            (folder + pages.tree_file(problem.id), pages.tree_script(problem, tree, language)),
        ]
        if options.previews:
            found.append((folder + pages.preview_file(problem.id), png_images([drawn], 1.0)[0]))
    return found


def all_problem_files(
    options: pages.SiteOptions, problems: Sequence[StoredProblem], jobs: int | None
) -> Iterator[list[File]]:
    """The files of each problem, in their order, by ``jobs`` processes; None: as many as are worth it."""
    numbers = [problem.id for problem in problems]
    pairs = zip(problems, [*numbers[1:], None], strict=True)
    work = [ProblemJob(options, problem, after) for problem, after in pairs]
    make = partial(partial, problem_files, pages.site_tree_builder())
    with closing(ordered_map(make, work, jobs)) as made:
        yield from made


def shared_site_files(options: pages.SiteOptions, problems: Sequence[StoredProblem]) -> Iterator[File]:
    """Everything but the problems and the static files: lists, licence, feed, map, manifest."""
    lists = list(pages.problem_listings(problems))
    for language in options.languages:
        lists_in = pages.ListPages(options, language, problems)
        for listing in lists:
            for page in range(1, listing.pages + 1):
                yield options.folder(language) + listing.file(page), lists_in.page(listing, page)
        for file, content in pages.single_pages(options, language, problems):
            yield options.folder(language) + file, content
    yield manifest_file(options)
    yield ".nojekyll", ""
    if options.url is not None:
        yield from feeds(options, problems)
        yield from sitemaps(options, problems, lists)


def minified(name: str, text: str) -> str:
    """Return a script or a style sheet without comments and needless spaces; any other file as it is."""
    if name.endswith(".js"):
        return str(rjsmin.jsmin(text))
    return str(rcssmin.cssmin(text)) if name.endswith(".css") else text


def static_files(
    options: pages.SiteOptions, problems: Sequence[StoredProblem], solver: Mapping[str, str | bytes]
) -> Iterator[File]:
    """Scripts, styles and pictures of all pages; ``solver`` are the scripts of the solver, by name."""
    for size in _ICON_SIZES:
        yield _icon_file(size), icon_png(size)
    shared = [path.name for path in sorted(templates.STATIC.iterdir()) if path.name not in _OF_SERVER]
    for room, names in (("tsume.web", shared), ("tsume.site", _OWN)):
        for name in names:
            written = (package_files(room) / "static" / name).read_text(encoding="utf-8")
            yield f"{pages.STATIC}/{name}", minified(name, written)
    yield f"{pages.STATIC}/pieces.js", templates.pieces_script()
    yield f"{pages.STATIC}/piece_sets.js", templates.piece_sets_script()
    for language in options.languages:
        yield f"{pages.STATIC}/words.{language}.js", templates.words_script((language,))
        yield f"{pages.STATIC}/training_words.{language}.js", templates.training_words_script((language,))
        yield f"{pages.STATIC}/compose_words.{language}.js", templates.compose_words_script((language,))
    for name, content in solver.items():
        yield f"{pages.STATIC}/{name}", content
    yield f"{pages.STATIC}/days.js", pages.daily_problems_script(problems)
    yield f"{pages.STATIC}/problems.js", pages.problems_script(problems, options.languages)
    if text := pages.program_licence():
        yield f"{pages.STATIC}/{pages.PROGRAM_LICENCE}", text
