# SPDX-License-Identifier: GPL-3.0-or-later
"""What the pages name exists: files, links, headings, modules, themes."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from generator.themes import THEMES
from tests.places import ROOT

PAGES = sorted(
    [ROOT / name for name in ("README.md", "README.ja.md", "CONTRIBUTING.md")]
    + [*(ROOT / "docs").rglob("*.md")]
)
FILES = {"tsume.db", "tsume.js", "tsume.mjs", "tsume.d.ts"}
_ROOMS = "tsume_rules|solver|generator|db|tsume|tests|scripts|docs"
_PATH = re.compile(rf"(?<![\w/.:-])(?:{_ROOMS})/[\w./-]*\w/?(?![\w*{{])")
_NAME = re.compile(rf"`((?:{_ROOMS})(?:\.\w+)+)`")
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def prose(page: Path) -> str:
    """A page without its blocks of code."""
    return _CODE.sub("", page.read_text(encoding="utf-8"))


@each_page
def test_files_that_a_page_names_are_there(page: Path) -> None:
    named = set(_PATH.findall(_LINK.sub("]", prose(page))))
    assert sorted(path for path in named if not (ROOT / path).exists()) == []


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    links = [link for link in _LINK.findall(prose(page)) if "://" not in link]
    assert [link for link in links if not _leads_somewhere(page, link)] == []


def _leads_somewhere(page: Path, link: str) -> bool:
    name, _, heading = link.partition("#")
    target = page.parent / name if name else page
    return target.exists() and (not heading or heading in _anchors(target))


def _anchors(page: Path) -> set[str]:
    """The headings of a page, spelt as in links."""
    headings = re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@each_page
def test_modules_and_what_is_in_them_are_there(page: Path) -> None:
    names = set(_NAME.findall(prose(page))) - FILES
    assert sorted(name for name in names if not _exists(name)) == []


def _exists(name: str) -> bool:
    """Whether a dotted name is a module or something in one; fields of classes are found by annotation."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        return _holds(found, parts[end:])
    return False


def _holds(found: object, parts: list[str]) -> bool:
    for part in parts:
        if not hasattr(found, part):
            return part in getattr(found, "__annotations__", {})
        found = getattr(found, part)
    return True


@pytest.mark.parametrize("index", ["index.md", "index.ja.md"])
def test_the_index_has_every_page(index: str) -> None:
    text = prose(ROOT / "docs" / index)
    originals = {page.name for page in (ROOT / "docs").glob("*.md") if not page.name.endswith(".ja.md")}
    named = {page.replace(".ja.md", ".md") for page in re.findall(r"\(([\w.]+\.md)\)", text)}
    assert sorted(originals - named - {"index.md"}) == []


@pytest.mark.parametrize("page", ["themes.md", "glossary.md"])
def test_every_theme_has_its_row(page: str) -> None:
    text = prose(ROOT / "docs" / page)
    assert [name for name in THEMES if f"`{name}`" not in text] == []


def test_the_readme_fits_a_few_screens() -> None:
    for name in ("README.md", "README.ja.md"):
        assert len((ROOT / name).read_text(encoding="utf-8").splitlines()) <= 120
