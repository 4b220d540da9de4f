# SPDX-License-Identifier: GPL-3.0-or-later
"""``tsume list``"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, starmap
from typing import Any

import click
from rich.cells import cell_len

from db.errors import StoreError
from db.notebook import printable_note
from db.selection import ProblemSelection
from db.store import Store
from db.stored_problem import StoredProblem
from db.training.records import PlayedRating
from solver.results import Grade
from tsume.commands.options import jsonl_option, lang_option, selection_options, store_option
from tsume.commands.output import print_lines
from tsume.files.exported import problem_text
from tsume.language.voice import Voice
from tsume.training.ratings import RatedProblem, problems_with_ratings, rating_fields

_COLUMNS = ("id", "moves", "score", "stars", "quality", "rating", "plays", "grade", "title", "sfen")
_SELDOM = ("rating", "plays", "grade", "title")
"""Columns that are there if the first lines need them."""
_TEXTS = ("stars", "grade", "title", "sfen")
"""Columns that begin at the left."""
_LEAST = {"id": 7, "score": 6}
"""Characters of a column at least, where more lines may follow."""
_LOOKED_AT = 50
"""Lines that are looked at before the first one is printed."""


@click.command("list")
@store_option
@selection_options
@lang_option(Voice.of("en"))
@jsonl_option("problem")
def list_(place: str, voice: Voice, jsonl: bool, wanted: ProblemSelection) -> None:
    """List stored problems."""
    try:
        with Store.open(place, create=False) as store:
            problems = problems_with_ratings(store, wanted)
            print_lines(starmap(rated_text, problems) if jsonl else problem_table(problems, voice))
    except StoreError as error:
        raise click.ClickException(str(error)) from None


def rated_text(problem: StoredProblem, played: PlayedRating | None, **more: Any) -> str:
    """A problem as JSON; its rating if it was played, and ``more``, behind what `tsume import` reads."""
    text, fields = problem_text(problem), {**(rating_fields(played) if played else {}), **more}
    return f"{text[:-1]}, {json.dumps(fields)[1:]}" if fields else text


def problem_table(problems: Iterable[RatedProblem], voice: Voice) -> Iterator[str]:
    """A heading, and a line for each problem as soon as it is read."""
    stream = iter(problems)
    first = list(islice(stream, _LOOKED_AT))
    layout = _TableLayout([_problem_cells(*one, voice) for one in first], voice)
    yield click.style(layout.heading, bold=True)
    for one in chain(first, stream):
        yield layout.line(_problem_cells(*one, voice))


def _problem_cells(problem: StoredProblem, played: PlayedRating | None, voice: Voice) -> dict[str, str]:
    """What a line says of a problem, by column; its grade only if it is not perfect."""
    perfect = problem.grade is Grade.PERFECT
    rating = {} if played is None else rating_fields(played)
    return {
        "id": str(problem.id),
        "moves": str(problem.length),
        "score": f"{problem.difficulty.score:.2f}",
        "stars": "★" * problem.difficulty.stars,
        "quality": f"{problem.quality:.1f}",
        **{name: str(rating.get(name, "")) for name in ("rating", "plays")},
        "grade": "" if perfect else voice(f"grades.{problem.grade.value}"),
        "title": printable_note(problem.notebook.title),
        "sfen": problem.sfen,
    }


class _TableLayout:
    """The columns and their widths, chosen by the lines that come first.

    A later value that is wider widens its line; a seldom one without a column stands at its line's end.
    """

    def __init__(self, first: Sequence[Mapping[str, str]], voice: Voice) -> None:
        self._perfect = voice(f"grades.{Grade.PERFECT.value}")
        least = _LEAST if len(first) == _LOOKED_AT else {}
        headings = {
            name: voice(f"problems.column_{name}")
            for name in _COLUMNS
            if name not in _SELDOM or any(row[name] for row in first)
        }
        self._widths = {
            name: max(least.get(name, 0), *map(cell_len, (heading, *(row[name] for row in first))))
            for name, heading in headings.items()
        }
        self.heading = self.line({**dict.fromkeys(_SELDOM, ""), **headings})

    def line(self, cells: Mapping[str, str]) -> str:
        """A line of the table."""
        told = [self._filled(name, cells[name], width) for name, width in self._widths.items()]
        others = [cells[name] for name in _SELDOM if cells[name] and name not in self._widths]
        return "  ".join([*told, *others]).rstrip()

    def _filled(self, name: str, text: str, width: int) -> str:
        if name == "grade":
            text = text or self._perfect
        space = " " * (width - cell_len(text))
        return f"{text}{space}" if name in _TEXTS else f"{space}{text}"
