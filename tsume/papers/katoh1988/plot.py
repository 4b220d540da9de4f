# SPDX-License-Identifier: GPL-3.0-or-later
"""Figure 3 of Katoh1988: leaves and cells against c."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.figure import Figure

from tsume.papers.katoh1988.experiment import KatohLine, KatohRow, figure_3, search_from_below_rows


def plot(rows: Sequence[KatohRow], path: Path) -> None:
    """Write a PNG (or what the path's ending asks for), both scales of numbers logarithmic.

    The paper's own figure 3 has no numbers to be drawn beside. Raises OSError or ValueError if
    the file cannot be written so.
    """
    figure = Figure(figsize=(10, 4.5), layout="constrained")
    above, below = figure_3(rows), search_from_below_rows(rows)
    for axes, what in zip(figure.subplots(1, 2), ("leaves", "cells"), strict=True):
        for lines, name, style in ((above, "from above", "o-"), (below, "from below", "s--")):
            axes.plot(list(lines), _figures(lines, what), style, label=name)
        if what == "cells":
            axes.plot(list(above), _figures(above, "promised"), ":", color="grey", label="bound of 4.3")
        axes.set(yscale="log", xlabel="c, depth of a list", ylabel=f"{what}, mean of the positions")
        axes.set_xticks(list(above))
        axes.grid(color="#dddddd")
        axes.legend()
    figure.savefig(path, dpi=110)


def _figures(lines: Mapping[int, KatohLine], what: str) -> list[float]:
    return [getattr(line, what) for line in lines.values()]
