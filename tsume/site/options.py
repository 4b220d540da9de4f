# SPDX-License-Identifier: GPL-3.0-or-later
"""The options of a site."""

from __future__ import annotations

from dataclasses import dataclass

from tsume.language.catalogue import Language

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
        """The subfolder of a language: empty or with a slash at its end."""
        return "" if language == self.languages[0] else f"{language}/"
