"""Where everything is in the folder, and the relative addresses from one page to another."""

from __future__ import annotations

from dataclasses import dataclass
from posixpath import dirname, relpath

from tsume.language.catalogue import Language
from tsume.site.options import SiteOptions

INDEX, LICENCE, FEED = "index.html", "licence.html", "feed.xml"
STATIC = "static"
PROGRAM_LICENCE = "GPL-3.txt"
"""The licence of the scripts and styles, beside them."""


def problem_file(number: int) -> str:
    """The page of a problem, from the folder of its language."""
    return f"problems/{number}.html"


def diagram_file(number: int) -> str:
    """The diagram of a problem, from the folder of its language."""
    return f"problems/{number}.svg"


def tree_file(number: int) -> str:
    """The tree of a problem, from the folder of the site: it speaks all its languages."""
    return f"trees/{number}.js"


@dataclass(frozen=True)
class RelativeAddresses:
    """Addresses from a page, ``page`` in the folder of ``language``, to what else is in a site."""

    options: SiteOptions
    language: Language
    page: str

    @property
    def home(self) -> str:
        """The first page."""
        return self.file(INDEX)

    def static(self, name: str) -> str:
        """A script, a style or a picture of all pages."""
        return self._to(f"{STATIC}/{name}")

    def problem(self, number: int) -> str:
        """The page of a problem."""
        return self.file(problem_file(number))

    def diagram(self, number: int) -> str:
        """The diagram of a problem."""
        return self.file(diagram_file(number))

    def tree(self, number: int) -> str:
        """The tree of a problem."""
        return self._to(tree_file(number))

    def file(self, name: str) -> str:
        """A file in the folder of the language."""
        return self._to(self.options.folder(self.language) + name)

    def in_language(self, language: Language) -> str:
        """The same page in a language of the site."""
        return self._to(self.options.folder(language) + self.page)

    def absolute(self, language: Language) -> str:
        """The same page in a language, absolute where it is known where the site will be."""
        name = self.options.folder(language) + self.page
        return self.in_language(language) if self.options.url is None else self.options.url + name

    def _to(self, name: str) -> str:
        return relpath(name, dirname(self.options.folder(self.language) + self.page) or ".")
