# SPDX-License-Identifier: GPL-3.0-or-later
"""The plot of Sekine's experiment: work with the weight against work without it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure

from tsume.papers.scatter import draw_diagonals
from tsume.papers.sekine.experiment import PLAIN, WEIGHT, SekineRow


def plot(rows: Sequence[SekineRow], jobs: Sequence[int], path: Path) -> None:
    """Write a PNG (or what the path's ending asks for) with a panel for each number of workers.

    A point is a problem; below the diagonal the weight saved work. Raises OSError or
    ValueError if the file cannot be written so.
    """
    figure = Figure(figsize=(5 * len(jobs), 5), layout="compressed")
    panels = list(figure.subplots(1, len(jobs), squeeze=False)[0])
    for number, axes in zip(jobs, panels, strict=True):
        for length in sorted({row.length for row in rows}):
            chosen = [row for row in rows if row.length == length]
            axes.scatter(
                [row.of(PLAIN, number).to_first_mate for row in chosen],
                [row.of(WEIGHT, number).to_first_mate for row in chosen],
                s=12, label=f"{length} moves",
            )  # fmt: skip
        axes.set(xlabel="positions, weight 0", ylabel=f"positions, weight {WEIGHT}")
        axes.set_title("1 worker" if number == 1 else f"{number} workers")
        axes.legend()
    draw_diagonals(panels)
    figure.savefig(path, dpi=120)
