# SPDX-License-Identifier: GPL-3.0-or-later
"""The folder of a site: its options, the paths in it, and relative addresses between pages."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from posixpath import dirname, relpath
from urllib.parse import urlencode

from tsume.files.writing import MadeFolderKind
from tsume.language.catalogue import Language

# --- the options of a site -------------------------------------------------------------------------

PER_PAGE = 48
"""Problems on a page of a list."""


@dataclass(frozen=True)
class SiteOptions:
    """``languages`` are those of the pages; the first is in the folder itself, the other in a subfolder.

    An empty ``title`` is the default one. ``url`` is the site's address, with a slash at its end, None if
    unknown. ``licence`` replaces the default text on terms. ``static_version`` is that of scripts and
    styles. ``has_solver``: these contain the solver.
    """

    languages: tuple[Language, ...] = ("ja",)
    title: str = ""
    url: str | None = None
    licence: str | None = None
    static_version: str = ""
    has_solver: bool = False

    def folder(self, language: Language) -> str:
        """Return the subfolder of a language: empty or with a slash at its end."""
        return "" if language == self.languages[0] else f"{language}/"


# --- the folder of a site --------------------------------------------------------------------------

INDEX, TRAINING, COMPOSE = "index.html", "training.html", "compose.html"
LICENCE, FEED, OFFLINE = "licence.html", "feed.xml", "offline.html"
MANIFEST, WORKER = "manifest.webmanifest", "service-worker.js"
STATIC = "static"
PROGRAM_LICENCE = "GPL-3.txt"
"""The licence of the scripts and styles, beside them."""


def problem_file(number: int) -> str:
    """Return the page of a problem, relative to the folder of its language."""
    return f"problems/{number}.html"


def diagram_file(number: int) -> str:
    """Return the diagram of a problem, relative to the folder of its language."""
    return f"problems/{number}.svg"


def tree_file(number: int) -> str:
    """Return the script with the reply tree of a problem, relative to the folder of its language."""
    return f"problems/{number}.js"


def static_address(options: SiteOptions, name: str) -> str:
    """Return the address of a file that all pages use: it changes with the contents of these files."""
    return f"{name}?v={options.static_version}" if options.static_version else name


@dataclass(frozen=True)
class RelativeAddresses:
    """Addresses relative to ``page`` in the folder of ``language``."""

    options: SiteOptions
    language: Language
    page: str

    @property
    def home(self) -> str:
        """The first page."""
        return self.file(INDEX)

    @property
    def training(self) -> str:
        """The page for training."""
        return self.file(TRAINING)

    @property
    def compose(self) -> str:
        """The page for composing."""
        return self.file(COMPOSE)

    def compose_from(self, sfen: str) -> str:
        """Return the page for composing with a position, whose verdict is not shown yet."""
        return f"{self.compose}?{urlencode({'sfen': sfen, 'quiet': 1})}"

    def static(self, name: str) -> str:
        """Return a script, a style or a picture of all pages."""
        return self.of_site(static_address(self.options, f"{STATIC}/{name}"))

    def solver(self, name: str) -> str:
        """Return a script of the solver."""
        return self.static(name)

    def of_site(self, name: str) -> str:
        """Return a file in the site's folder."""
        return self._to(name)

    def problem(self, number: int) -> str:
        """Return the page of a problem."""
        return self.file(problem_file(number))

    def diagram(self, number: int) -> str:
        """Return the diagram of a problem."""
        return self.file(diagram_file(number))

    def api(self, number: int) -> str:
        """Return the script with the reply tree of a problem: all that answers without the solver."""
        return self.file(tree_file(number))

    def line(self, number: int) -> str:
        """Return the script with the line of a problem, which is that of its tree."""
        return self.api(number)

    def file(self, name: str) -> str:
        """Return a file in the folder of the language."""
        return self._to(self.options.folder(self.language) + name)

    def in_language(self, language: Language) -> str:
        """Return the same page in a language of the site."""
        return self._to(self.options.folder(language) + self.page)

    def absolute(self, language: Language) -> str:
        """Return the same page in a language, absolute if the site's URL is known."""
        name = self.options.folder(language) + self.page
        return self.in_language(language) if self.options.url is None else self.options.url + name

    def _to(self, name: str) -> str:
        return _relative(name, dirname(self.options.folder(self.language) + self.page))


@lru_cache(4096)
def _relative(name: str, folder: str) -> str:
    return relpath(name, folder or ".")


# --- the folder of a site --------------------------------------------------------------------------

SITE = MadeFolderKind("site", ".tsume-site")
"""A folder of pages."""
