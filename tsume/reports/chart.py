# SPDX-License-Identifier: GPL-3.0-or-later
"""The statistics of a store as a picture: ratings, quality, themes, rejections."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import wrap
from typing import Literal

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import MaxNLocator

from db.query import ProblemFigures, StoreStats
from generator.theme_names import counts_by_theme_name
from solver.results import rating_of_score
from tsume.diagrams.glyphs import FAMILY, font_path
from tsume.language.catalogue import Voice

_MAX_BARS = 12
_WIDEST_NAME = 28
_BLUE, _GREEN, _ORANGE, _RED = "#4477aa", "#228833", "#ccbb44", "#cc6677"
_GRID = "#dddddd"


def plot_stats(stats: StoreStats, figures: ProblemFigures, path: Path, voice: Voice) -> None:
    """Write the picture in the format of the path's ending, its words in the language of the voice.

    Raises OSError if the file cannot be written, ValueError if the format is unknown.
    """
    fontManager.addfont(font_path())
    with rc_context({"font.family": [FAMILY] if voice.words == "ja" else ["DejaVu Sans", FAMILY]}):
        figure = Figure(figsize=(13, 9), layout=ConstrainedLayoutEngine(w_pad=0.15, h_pad=0.12))
        FigureCanvasAgg(figure)
        figure.suptitle(voice("charts.title", problems=stats.problems, candidates=stats.candidates), fontsize=14)
        upper, lower = figure.subfigures(2, 1, squeeze=False, height_ratios=(1, 1.3), hspace=0.06)[:, 0]
        ratings, quality = upper.subplots(1, 2)
        themes, reasons = lower.subplots(1, 2)
        ratings.set_title(voice("charts.ratings"))
        ratings.set(xlabel=voice("charts.moves"), ylabel=voice("charts.rating"))
        if not _is_empty(ratings, figures.scores, voice):
            labels = [f"{length}\n(n={len(values)})" for length, values in figures.scores.items()]
            values = [list(map(rating_of_score, values)) for values in figures.scores.values()]
            drawn = ratings.boxplot(values, patch_artist=True, widths=0.6)
            ratings.set_xticks(range(1, len(labels) + 1), labels)
            for box in drawn["boxes"]:
                box.set(facecolor=_BLUE, alpha=0.6, edgecolor=_BLUE)
            for line in drawn["medians"]:
                line.set(color="black")
            for outlier in drawn["fliers"]:
                outlier.set(markersize=3, markerfacecolor=_BLUE, markeredgecolor="none", alpha=0.6)
            _hide_axis_decoration(ratings, "y")
        quality.set_title(voice("charts.quality"))
        quality.set(xlabel=voice("charts.quality_range"), ylabel=voice("charts.problems"))
        if not _is_empty(quality, figures.qualities, voice):
            quality.hist(figures.qualities, bins=20, range=(0, 100), color=_GREEN, edgecolor="white")
            quality.set_xlim(0, 100)
            quality.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
            _hide_axis_decoration(quality, "y")
        by_theme = counts_by_theme_name(stats.themes, voice.theme)
        _plot_bars(themes, voice("charts.themes"), by_theme, _ORANGE, voice)
        named = {voice.known(f"reasons.{name}", name): number for name, number in stats.rejections.items()}
        _plot_bars(reasons, voice("charts.reasons"), named, _RED, voice)
        figure.savefig(path, dpi=120)


def _plot_bars(axes: Axes, title: str, numbers: Mapping[str, int], colour: str, voice: Voice) -> None:
    """The largest numbers as horizontal bars, the largest on top, each labelled with its number."""
    listed = list(numbers.items())[:_MAX_BARS]
    cut = len(listed) < len(numbers)
    axes.set_title(voice("charts.most_frequent", title=title, number=_MAX_BARS) if cut else title)
    if _is_empty(axes, listed, voice):
        return
    names = ["\n".join(wrap(name, _WIDEST_NAME, max_lines=2)) for name, _ in listed]
    drawn = axes.barh(range(len(names)), [number for _, number in listed], color=colour)
    axes.set_yticks(range(len(names)), names, fontsize=9, linespacing=1.1)
    axes.bar_label(drawn, padding=3, fontsize=9)
    axes.invert_yaxis()
    axes.margins(x=0.12)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
    _hide_axis_decoration(axes, "x")


def _is_empty(axes: Axes, values: object, voice: Voice) -> bool:
    """Return whether there is nothing to draw; the panel then says so."""
    if values:
        return False
    axes.text(0.5, 0.5, voice("charts.none"), ha="center", va="center", color="grey", transform=axes.transAxes)
    axes.set(xticks=[], yticks=[])
    axes.spines[["top", "right", "left", "bottom"]].set_color(_GRID)
    return True


def _hide_axis_decoration(axes: Axes, direction: Literal["x", "y"]) -> None:
    """Remove the frame and draw a light grid behind the data."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis=direction, color=_GRID)
    axes.set_axisbelow(True)
