# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of the repository and their translations."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from scripts.documentation.markdown import Heading, headings, title
from scripts.documentation.sections import TITLES

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
TOP = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
"""Pages that are not in docs/."""
RENAMED = {"search": "mate-search"}
"""Names in the site of pages whose own name is that of a page by Sphinx."""


@dataclass(frozen=True)
class Page:
    """A page: its name in the site, such as ``papers/index``, and its file in English."""

    name: str
    path: Path

    @cached_property
    def translation(self) -> Path | None:
        """The file in Japanese, if there is one."""
        path = self.path.with_suffix(".ja.md")
        return path if path.exists() else None

    def text(self, language: str = "en") -> str:
        """The text in a language, in English if there is no other."""
        path = self.translation if language == "ja" and self.translation else self.path
        return path.read_text(encoding="utf-8")

    def headings(self, language: str) -> list[Heading]:
        """The headings that the page has in the site: those of a translation, then what it leaves out."""
        original = headings(self.text())
        if language == "en" or self.translation is None:
            return original
        translated = headings(self.text(language))
        return translated + original[len(translated) :]

    def title(self, language: str) -> str:
        """The title in the navigation, by default the first heading."""
        return TITLES.get(self.name, {}).get(language) or title(self.text(language))

    def heading(self, anchor: str, language: str) -> Heading:
        """The heading in a language that has this anchor in any. Raises LookupError if there is none.

        Translations have the headings of the original in the same order, up to where they stop.
        """
        for spelling in (language, "en", "ja"):
            for place, one in enumerate(self.headings(spelling)):
                if one.anchor == anchor:
                    return self.headings(language)[place]
        raise LookupError(f"{self.path.name} has no heading {anchor}")

    def rest(self) -> str:
        """What a translation leaves out: the English text from the heading at which it stops."""
        original, translated = headings(self.text()), headings(self.text("ja"))
        return self.text()[original[len(translated)].start :] if len(translated) < len(original) else ""


def pages() -> dict[str, Page]:
    """All pages by the path of their file in the repository, in English and in Japanese."""
    found: dict[str, Page] = {}
    for path in [*(ROOT / name for name in TOP), *sorted(DOCS.rglob("*.md"))]:
        if path.name.endswith(".ja.md"):
            continue
        base = DOCS if path.is_relative_to(DOCS) else ROOT
        name = path.relative_to(base).with_suffix("").as_posix()
        page = Page(RENAMED.get(name, name) if base == DOCS else name.lower(), path)
        for one in (path, page.translation):
            if one is not None:
                found[one.relative_to(ROOT).as_posix()] = page
    return found


def target_path(page: Page, target: str) -> str:
    """The path in the repository to which a link of a page leads."""
    folder = page.path.parent.relative_to(ROOT).as_posix()
    return posixpath.normpath(posixpath.join(folder, target))
