"""What a site is to be like."""

from __future__ import annotations

from dataclasses import dataclass

from tsume.language.catalogue import Language

PER_PAGE = 48
"""Problems on a page of a list."""


@dataclass(frozen=True)
class SiteOptions:
    """``languages`` are those of the pages, the first in the folder itself, the other in one of its own.

    ``title`` may be empty: then the site has the usual one. ``url`` is the address at which it will be, with
    a slash at its end; None where that is not known. ``licence`` is what the licence file says instead of the
    usual text.
    """

    languages: tuple[Language, ...] = ("ja",)
    title: str = ""
    url: str | None = None
    licence: str | None = None

    def folder(self, language: Language) -> str:
        """Where the pages of a language are, from the site's folder: empty or with a slash at its end."""
        return "" if language == self.languages[0] else f"{language}/"
