# SPDX-License-Identifier: GPL-3.0-or-later
"""Scatter plots of the experiments: one way of doing it against another, a point for each problem."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes


def draw_diagonals(panels: Sequence[Axes]) -> None:
    """Give all panels the same logarithmic axes and a diagonal: below it the second way took less."""
    for axes in panels:
        axes.set(xscale="log", yscale="log")
    ends = [end for axes in panels for end in (*axes.get_xlim(), *axes.get_ylim())]
    low, high = min(ends), max(ends)
    for axes in panels:
        axes.plot((low, high), (low, high), color="grey", linewidth=0.8)
        axes.set(xlim=(low, high), ylim=(low, high), aspect="equal")
