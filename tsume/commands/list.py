"""``tsume list``"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from db.errors import StoreError
from db.notebook import printable
from db.selection import Selection
from db.store import Store
from db.stored_problem import StoredProblem
from solver.results import Grade
from tsume.commands.options import jsonl_option, lang_option, selection_options, store_option
from tsume.language.voice import Voice
from tsume.output import print_json
from tsume.reports.notebook import notebook_fields

_WIDTH = 400
"""The width of a table that does not go to a terminal: nothing is cut off."""


@click.command("list")
@store_option
@selection_options
@lang_option(Voice.of("en"))
@jsonl_option("problem")
def list_(place: str, voice: Voice, jsonl: bool, wanted: Selection) -> None:
    """List stored problems."""
    try:
        with Store.open(place, create=False) as store:
            problems = store.find(wanted)
            if jsonl:
                for problem in problems:
                    print_json(**problem_fields(problem))
            else:
                _print_table(problems, voice)
    except StoreError as error:
        raise click.ClickException(str(error)) from None


def problem_fields(problem: StoredProblem) -> dict[str, Any]:
    """A stored problem as JSON fields."""
    made = problem.provenance
    return {
        "id": problem.id,
        "sfen": problem.sfen,
        "length": problem.length,
        "line": [move.usi for move in problem.line],
        "score": problem.difficulty.score,
        "stars": problem.difficulty.stars,
        "themes": list(problem.themes),
        "quality": problem.quality,
        "grade": problem.grade.value,
        "blemishes": [blemish.name for blemish in problem.blemishes],
        "features": problem.difficulty.features,
        "searched": problem.searched,
        "notes": list(problem.notes),
        "seed": made.seed if made else None,
        "index": made.index if made else None,
        "version": problem.version,
        **notebook_fields(problem.notebook),
    }


def _print_table(found: Iterable[StoredProblem], voice: Voice) -> None:
    """A line for each problem; the grade stands there if one is not perfect, the title if one has any."""
    problems = list(found)
    graded = any(problem.grade is not Grade.PERFECT for problem in problems)
    titled = any(problem.notebook.title for problem in problems)
    table = Table(box=None, pad_edge=False)
    for heading in ("id", "moves", "score", "stars", "quality"):
        table.add_column(
            voice(f"problems.column_{heading}"), justify="left" if heading == "stars" else "right"
        )
    if graded:
        table.add_column(voice("problems.column_grade"), no_wrap=True)
    if titled:
        table.add_column(voice("problems.column_title"), no_wrap=True)
    table.add_column(voice("problems.column_sfen"), no_wrap=True, overflow="ignore")
    for problem in problems:
        stars = "★" * problem.difficulty.stars
        score = f"{problem.difficulty.score:.2f}"
        quality = f"{problem.quality:.1f}"
        grade = [voice(f"grades.{problem.grade.value}")] if graded else []
        title = [Text(printable(problem.notebook.title))] if titled else []
        table.add_row(
            str(problem.id), str(problem.length), score, stars, quality, *grade, *title, problem.sfen
        )
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _WIDTH
    console.print(table, soft_wrap=not console.is_terminal)
