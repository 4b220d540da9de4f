# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume stats``"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from db.errors import StoreError, store_place_name, stored_value_excerpt
from db.stats import NumberSpread, ProblemFigures, StoreStats
from db.store import Store
from generator.theme_names import counts_by_theme_name
from solver.results import Grade
from tsume.commands.options import lang_option, store_option
from tsume.language.voice import Voice

_WIDTH = 1000
"""The width of a table that does not go to a terminal: nothing is cut off."""


@click.command()
@store_option
@click.option("--plot", "picture", type=click.Path(dir_okay=False), metavar="PNG",
              help="Draw scores, quality, themes and rejections as a chart in this file.")  # fmt: skip
@lang_option(Voice.of("en"))
def stats(place: str, picture: str | None, voice: Voice) -> None:
    """Show statistics of a store: problems by length, scores, quality, themes, runs, rejections."""
    try:
        with Store.open(place, create=False) as store:
            found = store.stats()
            figures = store.figures() if picture is not None else None
    except StoreError as error:
        raise click.ClickException(str(error)) from None
    if picture is not None and figures is not None:  # first: if it fails, the error is all that is printed
        _draw_stats_picture(found, figures, picture, voice)
    _print_stats(found, voice)


def _draw_stats_picture(found: StoreStats, figures: ProblemFigures, picture: str, voice: Voice) -> None:
    from tsume.reports.chart import plot_stats

    try:
        plot_stats(found, figures, Path(picture), voice)
    except OSError as error:
        raise click.ClickException(
            f"{store_place_name(picture) or '--plot'}: {error.strerror or error}"
        ) from None
    except ValueError as error:  # the ending is not a format
        raise click.ClickException(f"{store_place_name(picture) or '--plot'}: {error}") from None


def _print_stats(found: StoreStats, voice: Voice) -> None:
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _WIDTH
    counts = (_problems(found, voice), _runs(found, voice), _count_text(found.candidates, "candidate", voice))
    console.print(voice.listed(counts))
    scores = {str(length): spread for length, spread in sorted(found.by_length.items())}
    console.print(_spread_table("scores_by_length", "moves", scores, voice))
    if found.quality is not None:
        console.print(_spread_table("quality", "", {voice("statistics.all"): found.quality}, voice))
    reasons = {voice.known(f"reasons.{name}", name): number for name, number in found.rejections.items()}
    for title, heading, numbers in (
        ("themes", "theme", counts_by_theme_name(found.themes, voice.theme)),
        ("rejections", "reason", reasons),
    ):
        if numbers:
            console.print(_number_table(title, heading, numbers, voice))


def _count_text(count: int, noun: str, voice: Voice) -> str:
    return voice(f"statistics.one_{noun}" if count == 1 else f"statistics.{noun}s", number=count)


def _problems(found: StoreStats, voice: Voice) -> str:
    """How many problems there are, by grade if not all are perfect."""
    problems = _count_text(found.problems, "problem", voice)
    if set(found.grades) <= {Grade.PERFECT.value}:
        return problems
    names = {grade: voice.known(f"grades.{grade}", stored_value_excerpt(grade)) for grade in found.grades}
    grades = (
        voice("statistics.of_grade", grade=names[grade], number=number)
        for grade, number in found.grades.items()
    )
    return voice("statistics.graded", problems=problems, grades=voice.listed(grades))


def _runs(found: StoreStats, voice: Voice) -> str:
    runs = _count_text(found.runs, "run", voice)
    if not found.unfinished_runs:
        return runs
    unfinished = voice("statistics.unfinished")
    if found.runs != 1:
        unfinished = voice("statistics.some_unfinished", number=found.unfinished_runs)
    return voice("statistics.with_unfinished", runs=runs, unfinished=unfinished)


def _spread_table(title: str, first: str, rows: Mapping[str, NumberSpread], voice: Voice) -> Table:
    table = Table(title=voice(f"statistics.{title}"), box=None, title_justify="left")
    for heading in (first, "problems", "mean", "lowest", "quartile", "median", "quartile", "highest"):
        table.add_column(voice(f"statistics.column_{heading}") if heading else "", justify="right")
    for name, spread in rows.items():
        figures = (
            spread.mean, spread.minimum, spread.lower_quartile, spread.median, spread.upper_quartile,
            spread.maximum,
        )  # fmt: skip
        table.add_row(name, str(spread.number), *(f"{figure:.2f}" for figure in figures))
    return table


def _number_table(title: str, heading: str, numbers: Mapping[str, int], voice: Voice) -> Table:
    table = Table(title=voice(f"statistics.{title}"), box=None, title_justify="left")
    table.add_column(voice(f"statistics.{heading}"))
    table.add_column(voice("statistics.number"), justify="right")
    for name, number in numbers.items():
        table.add_row(Text(name), str(number))
    return table
