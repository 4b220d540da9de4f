# SPDX-License-Identifier: GPL-3.0-or-later
"""A page of docs/papers as a paper in PDF: pandoc translates its Markdown, typst sets it. Nothing is fetched.

The page begins with its title and the abstract; its sections carry their numbers. A paragraph that begins
with *Figure 1.* after a picture, or with *Table 1.* before a table, is the caption.
"""

from __future__ import annotations

import os
import posixpath
import re
import shutil
import tempfile
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from scripts.documentation.build import CannotBuildPages
from scripts.documentation.markdown import headings, with_links
from scripts.documentation.pages import DOCS, ROOT
from tsume import __version__
from tsume.diagrams.typesetting import write_pdf

PAPERS = ("exact_lengths",)
"""The pages that are papers."""
AUTHOR = "tsume contributors"
REPOSITORY = "https://github.com/tsume-shogi/tsume"

_TEMPLATE = Path(__file__).with_name("paper.typ")
_LESS = ("citations", "example_lists", "fancy_lists", "subscript", "superscript", "smart")
_DIALECT = "-".join(("markdown+lists_without_preceding_blankline", *_LESS))
"""Pandoc's Markdown, without marks that mean something else on a page."""
_OPTIONS = ["--shift-heading-level-by=-1", "--columns=1000"]
"""Columns of tables are as wide as their text if no line is longer than that."""
_FIGURE = re.compile(
    r'^<img src="(?P<file>[^"]+)" alt="(?P<words>[^"]+)"[^>]*>\n\n\*Figure \d+\.\* (?P<caption>(?:.+\n)+)',
    re.MULTILINE,
)
_TABLE = re.compile(r"^\*Table \d+\.\* (?P<caption>(?:.+\n)+)\n(?P<table>(?:\|.*\n)+)", re.MULTILINE)
_SECTION = re.compile(r"^## ", re.MULTILINE)
_NO_MARKS = str.maketrans(dict.fromkeys('\\"'))


def build_paper(name: str, folder: Path) -> Path:
    """Write a paper as PDF into a folder, which is made if it is missing; returns its path.

    Raises `CannotBuildPages` if pandoc or typst is not installed.
    """
    for module, package in (("pypandoc", "pypandoc-binary"), ("typst", "typst")):
        if find_spec(module) is None:
            raise CannotBuildPages(f"needs {package}: pip install 'tsume-shogi[docs]'")
    page = DOCS / "papers" / f"{name}.md"
    folder.mkdir(parents=True, exist_ok=True)
    output = folder / f"{name}.pdf"
    with tempfile.TemporaryDirectory() as made:
        source = Path(made, "main.typ")
        source.write_text(typst_source(page), encoding="utf-8")
        shutil.copy(_TEMPLATE, made)
        for picture in [*page.parent.glob("*.png"), *page.parent.glob("*.svg")]:
            shutil.copy(picture, made)
        created = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
        write_pdf(source, output, created, universal=False)
    return output


def typst_source(page: Path) -> str:
    """The source of a paper for typst."""
    text = with_links(page.read_text(encoding="utf-8"), lambda words, to: (words, _address(page, to)))
    title, rest = headings(text)[0].text, text.partition("\n")[2]
    place = _SECTION.search(rest)
    if place is None:
        raise ValueError(f"{page.name} has no sections")
    abstract, body = rest[: place.start()], rest[place.start() :]
    note = f"Documentation of tsume {__version__}, {REPOSITORY}"
    return (
        '#import "paper.typ": horizontalrule, paper\n'
        f'#show: paper.with(title: "{title.translate(_NO_MARKS)}", author: "{AUTHOR}", '
        f'note: "{note}", abstract: [\n{_typst(abstract)}\n])\n\n{_typst(body)}'
    )


def _address(page: Path, target: str) -> str:
    """Where a link of the page leads from a PDF: sections stay, files are those of the repository."""
    path, mark, anchor = target.partition("#")
    if not path:
        return target
    folder = page.parent.relative_to(ROOT).as_posix()
    return f"{REPOSITORY}/blob/main/{posixpath.normpath(posixpath.join(folder, path))}{mark}{anchor}"


def _typst(text: str) -> str:
    """Markdown as markup of typst, headings one level higher."""
    text = _FIGURE.sub(_figure, text)
    text = _TABLE.sub(lambda found: f"{found['table']}\n: {_one_line(found['caption'])}\n", text)
    pandoc = import_module("pypandoc")
    made = pandoc.convert_text(text, "typst", format=_DIALECT, extra_args=_OPTIONS)
    return str(made)


def _figure(found: re.Match[str]) -> str:
    return f'![{_one_line(found["caption"])}]({found["file"]}){{alt="{found["words"]}" width=100%}}\n'


def _one_line(text: str) -> str:
    return " ".join(text.split())
