# SPDX-License-Identifier: GPL-3.0-or-later
"""The look of the scatter plots."""

from __future__ import annotations

from matplotlib.figure import Figure

from papers.common import draw_diagonals


def test_all_panels_have_the_same_axes_a_diagonal_and_every_point() -> None:
    panels = list(Figure().subplots(1, 2))
    panels[0].scatter([3, 5], [200, 7])
    panels[1].scatter([40], [9000])
    draw_diagonals(panels)
    limits = {limit for axes in panels for limit in (axes.get_xlim(), axes.get_ylim())}
    assert len(limits) == 1
    ((low, high),) = limits
    assert 0.3 < low <= 3
    assert 9000 <= high < 90_000
    assert all(line.get_xydata().tolist() == [[low, low], [high, high]] for a in panels for line in a.lines)
    assert {axes.get_xscale() for axes in panels} == {"log"}
