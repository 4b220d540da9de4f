# SPDX-License-Identifier: GPL-3.0-or-later
"""The plots of Kaneko2005: each position a point, a method against plain df-pn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.figure import Figure

from tsume.papers.kaneko2005.experiment import METHODS, PLAIN, QUANTITIES, KanekoRow
from tsume.papers.scatter import draw_diagonals

_COLUMNS = 4
_UNITS = {"time": "seconds"}


def plot(sets: Mapping[str, Sequence[KanekoRow]], extension: str, quantity: str, path: Path) -> None:
    """Write a PNG (or what the path's ending asks for) with a panel for each method but plain df-pn.

    ``sets``: the rows of each set of positions by its name. Below the diagonal the method
    took less of the quantity (one of `QUANTITIES`) than plain df-pn; failures are left out.
    Raises OSError or ValueError if the file cannot be written so.
    """
    others = [method for method in METHODS if method != PLAIN]
    figure = Figure(figsize=(3.4 * _COLUMNS, 7), layout="compressed")
    panels = list(figure.subplots(2, _COLUMNS, sharex=True, sharey=True).flat)
    for method, axes in zip(others, panels, strict=False):
        for name, rows in sets.items():
            points = _points(rows, method, extension, quantity)
            axes.scatter([x for x, _ in points], [y for _, y in points], s=4, alpha=0.5, label=name)
        axes.set_title(method)
    *drawn, last = panels
    draw_diagonals(drawn)
    last.axis("off")
    last.legend(*figure.axes[0].get_legend_handles_labels(), loc="center", markerscale=3)
    unit = _UNITS.get(quantity, quantity)
    figure.supxlabel(f"{unit}, {PLAIN}")
    figure.supylabel(f"{unit}, the method")
    figure.savefig(path, dpi=100)


def _points(
    rows: Sequence[KanekoRow], method: str, extension: str, quantity: str
) -> list[tuple[float, float]]:
    """Plain df-pn's figure and the method's, of each position that both decided."""
    index = QUANTITIES.index(quantity)
    chosen = [row for row in rows if row.extension == extension and row.mates is not None]
    plain = {row.sfen: row.quantities[index] for row in chosen if row.method == PLAIN}
    return [
        (plain[row.sfen] or 1, row.quantities[index] or 1)  # 0 has no place on a logarithmic scale
        for row in chosen
        if row.method == method and row.sfen in plain
    ]
