# SPDX-License-Identifier: GPL-3.0-or-later
"""The figures of docs/papers/exact_lengths.md, from the numbers in its tables.

`python -m scripts.documentation.paper_figures` draws them again.
"""

from __future__ import annotations

import re
from pathlib import Path

from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager

from scripts.documentation.pages import DOCS
from tsume.diagrams.glyphs import FAMILY, font_path

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
    """The rows of a table of the page, its header first, without marks."""
    found = re.search(rf"^\*Table {number}\.\* (?:.+\n)+\n((?:\|.*\n)+)", text, re.MULTILINE)
    if found is None:
        raise ValueError(f"there is no table {number}")
    rows = [line.strip("|").split("|") for line in found[1].splitlines() if not line.startswith("|--")]
    return [[cell.replace("*", "").strip() for cell in row] for row in rows]


def draw(folder: Path) -> None:
    """Write both figures into a folder."""
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
    draw(PAGE.parent)
