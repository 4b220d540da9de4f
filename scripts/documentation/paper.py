# SPDX-License-Identifier: GPL-3.0-or-later
"""A page of docs/papers as a paper in PDF: pandoc translates its Markdown, typst sets it. Nothing is fetched.

The page begins with its title and the abstract; its sections carry their numbers. A paragraph that begins
with *Figure 1.* after a picture, or with *Table 1.* before a table, is the caption.
`python -m scripts.documentation.paper` draws the figures of exact_lengths.md again.
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

from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager

from scripts.documentation import DOCS, ROOT, CannotBuildPages, headings, with_changed_links
from tsume import __version__
from tsume.diagrams.glyphs import FAMILY, font_path
from tsume.diagrams.svg import write_pdf

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
    r'^<img src="(?P<file>[^"]+)" alt="(?P<words>[^"]+)"[^>]*>\n\n\*Figure \d+\.\* (?P<caption>(?:.+\n)+)', re.MULTILINE
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
    def linked(words: str, target: str) -> tuple[str, str]:
        """Sections stay, files are those of the repository."""
        path, mark, anchor = target.partition("#")
        place = posixpath.normpath(posixpath.join(page.parent.relative_to(ROOT).as_posix(), path))
        return words, f"{REPOSITORY}/blob/main/{place}{mark}{anchor}" if path else target

    text = with_changed_links(page.read_text(encoding="utf-8"), linked)
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


def _typst(text: str) -> str:
    """Markdown as markup of typst, headings one level higher."""
    text = _FIGURE.sub(
        lambda found: f'![{_one_line(found["caption"])}]({found["file"]}){{alt="{found["words"]}" width=100%}}\n', text
    )
    text = _TABLE.sub(lambda found: f"{found['table']}\n: {_one_line(found['caption'])}\n", text)
    pandoc = import_module("pypandoc")
    made = pandoc.convert_text(text, "typst", format=_DIALECT, extra_args=_OPTIONS)
    return str(made)


def _one_line(text: str) -> str:
    return " ".join(text.split())


# --- figures of exact_lengths.md, from the numbers in its tables -----------------------------------

PAGE = DOCS / "papers" / "exact_lengths.md"
NODES = "exact_lengths_nodes.png"
ABLATIONS = "exact_lengths_ablations.png"
_BLUE, _RED, _GRID = "#4477aa", "#cc6677", "#dddddd"
_GREY = "#bbbbbb"
_COLOURS = (_BLUE, "#228833", "#aa7700", _RED, "#aa3377")
_MARKS = "osDv^"
_APART = 0.14
"""The distance of the points of two problems, in lines."""
_DPI = 150


def table(text: str, number: int) -> list[list[str]]:
    """Return the rows of a table of the page, its header first, without marks."""
    found = re.search(rf"^\*Table {number}\.\* (?:.+\n)+\n((?:\|.*\n)+)", text, re.MULTILINE)
    if found is None:
        raise ValueError(f"there is no table {number}")
    rows = [line.strip("|").split("|") for line in found[1].splitlines() if not line.startswith("|--")]
    return [[cell.replace("*", "").strip() for cell in row] for row in rows]


def draw_plots(folder: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    fontManager.addfont(font_path())
    with rc_context({"font.family": ["DejaVu Sans", FAMILY], "font.size": 9}):
        # Nodes to the first mate, then to the proof, a line for each problem.
        rows = table(text, 1)
        path = folder / NODES
        problems = rows[1:]
        names = [f"{row[0]} ({row[4]})" for row in problems]
        first = [float(row[3]) for row in problems]
        last = [float(row[6]) for row in problems]
        figure = Figure(figsize=(7, 4.2), layout="compressed")
        axes = figure.subplots()
        axes.hlines(range(len(names)), first, last, color=_GREY, linewidth=2, zorder=2)
        axes.plot(first, names, "o", color=_BLUE, label="first mate", zorder=3)
        axes.plot(last, names, "s", color=_RED, label="shortest mate proved", zorder=3)
        axes.set(xscale="log", xlim=(0.3, 1000), xlabel="nodes (millions)")
        axes.invert_yaxis()
        _finish(figure, path)
        _draw_ablations(table(text, 2), folder / ABLATIONS)


def _draw_ablations(rows: list[list[str]], path: Path) -> None:
    """Nodes relative to the search with all techniques; a triangle where the length was not proved."""
    problems, variants = rows[0][1:], rows[2:]
    base = [_number(cell) for cell in rows[1][1:]]
    figure = Figure(figsize=(7, 4.4), layout="compressed")
    axes = figure.subplots()
    for place, problem in enumerate(problems):
        measured = [(line, row[1 + place]) for line, row in enumerate(variants) if row[1 + place]]
        for is_open in (False, True):
            points = [(line, _number(cell)) for line, cell in measured if cell.startswith(">") == is_open]
            axes.plot(
                [value / base[place] for _, value in points],
                [line + (place - (len(problems) - 1) / 2) * _APART for line, _ in points],
                ">" if is_open else _MARKS[place % len(_MARKS)],
                color=_COLOURS[place % len(_COLOURS)],
                label=None if is_open else problem,
            )
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set(xscale="log", xlabel="relative nodes")
    axes.set_xticks([0.5, 1, 2, 5, 10], ["0.5", "1", "2", "5", "10"])
    axes.set_xticks([], minor=True)
    axes.set_yticks(range(len(variants)), [row[0] for row in variants])
    axes.invert_yaxis()
    _finish(figure, path)


def _number(cell: str) -> float:
    return float(cell.lstrip("> "))


def _finish(figure: Figure, path: Path) -> None:
    axes = figure.axes[0]
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="x", color=_GRID)
    axes.set_axisbelow(True)
    axes.legend(frameon=False, fontsize=8, ncols=5, loc="lower center", bbox_to_anchor=(0.4, 1.0))
    figure.savefig(path, dpi=_DPI)


if __name__ == "__main__":
    draw_plots(PAGE.parent)
