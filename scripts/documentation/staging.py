# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages of a language as a folder for Sphinx: links lead to pages of the site, in its language."""

from __future__ import annotations

import posixpath
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from scripts.documentation.markdown import with_links
from scripts.documentation.pages import DOCS, ROOT, Page, pages, target_path
from scripts.documentation.reference import reference_page
from scripts.documentation.sections import REFERENCE, navigation

LOCALES = Path(__file__).parent / "locales"
PICTURES = {".png", ".svg"}
UNTRANSLATED = "```{note}\nこのページはまだ日本語になっていません。英語で表示しています。\n```\n"
REST = "\n```{note}\nここから先の節は、まだ日本語になっていません。英語で表示しています。\n```\n\n"
_OTHER_LANGUAGE = re.compile(r"^\[[^]]*\]\([\w.]+\.md\)\n\n", re.MULTILINE)
"""The link at the head of a page to its translation: the site has a switch."""
_PART = {"en": ": {}", "ja": "「{}」"}
"""How the text of a link names a section of a page."""
_PATH = re.compile(r"`?[\w./-]+\.md`?")
_IMAGE = re.compile(r'(<img\s[^>]*?src=")(?:docs/)?')


@dataclass(frozen=True)
class Staging:
    """Writes the pages of a language into a folder."""

    folder: Path
    language: str

    def write(self) -> None:
        """Write all pages, the reference, the pictures, and files that links name."""
        known = pages()
        for page in set(known.values()):
            self._write(page.name, self.page_text(page, known))
        self._write(REFERENCE, reference_page(self.language))
        shutil.copytree(LOCALES, self.folder / LOCALES.name)
        for path in DOCS.rglob("*"):
            if path.suffix in PICTURES:
                self._copy(path, path.relative_to(DOCS).as_posix())

    def page_text(self, page: Page, known: dict[str, Page]) -> str:
        """The text of a page in the site."""
        text = _OTHER_LANGUAGE.sub("", self._in_language(page))
        text = with_links(text, lambda words, target: self._link(page, known, words, target))
        text = _IMAGE.sub(r"\1", text)
        names = {one.name for one in known.values()} | {REFERENCE}
        return text + (navigation(names, self.language) if page.name == "index" else _subpages(page, names))

    def _in_language(self, page: Page) -> str:
        text = page.text(self.language)
        if self.language == "en":
            return text
        if page.translation is None:
            first, _, others = text.partition("\n")
            return f"{first}\n\n{UNTRANSLATED}{others}"
        rest = page.rest()
        return text + REST + rest if rest else text

    def _link(self, page: Page, known: dict[str, Page], words: str, target: str) -> tuple[str, str]:
        """A link: to a page by its name, to the heading of that language, other files copied."""
        path, _, anchor = target.partition("#")
        found = known.get(target_path(page, path)) if path else page
        if found is None:
            return words, self._file(page, target_path(page, path))
        heading = found.heading(anchor, self.language) if anchor else None
        if _PATH.fullmatch(words):
            words = found.title(self.language) + (
                _PART[self.language].format(heading.text) if heading else ""
            )
        to = posixpath.relpath(f"{found.name}.md", posixpath.dirname(page.name) or ".") if path else ""
        return words, f"{to}#{heading.anchor}" if heading else to

    def _file(self, page: Page, path: str) -> str:
        name = posixpath.join("files", posixpath.basename(path))
        self._copy(ROOT / path, name)
        return posixpath.relpath(name, posixpath.dirname(page.name) or ".")

    def _copy(self, path: Path, name: str) -> None:
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, self.folder / name)

    def _write(self, name: str, text: str) -> None:
        path = self.folder / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _subpages(page: Page, names: set[str]) -> str:
    """The table of contents of a page that is the index of a folder."""
    folder, _, name = page.name.rpartition("/")
    if not folder or name != "index":
        return ""
    below = sorted(one.removeprefix(f"{folder}/") for one in names if one.startswith(f"{folder}/"))
    listed = "\n".join(one for one in below if one != "index")
    return f"\n```{{toctree}}\n:hidden:\n\n{listed}\n```\n"
