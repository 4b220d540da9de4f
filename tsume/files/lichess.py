# SPDX-License-Identifier: GPL-3.0-or-later
"""Problems as CSV with the columns of lichess's puzzle database (docs/publishing.md says what differs)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from db.stored_problem import StoredProblem
from tsume.formats.csv_line import csv_line

COLUMNS = (
    "PuzzleId", "FEN", "Moves", "Rating", "RatingDeviation", "Popularity", "NbPlays", "Themes", "GameUrl",
    "OpeningTags",
)  # fmt: skip
UNPLAYED_DEVIATION = 500
"""lichess's deviation of a puzzle that has not been played yet."""
_MOST_MOVES = 5
"""lichess names mates in up to so many of the solver's moves."""
_BY_MOVES = {1: "oneMove", 2: "short", 3: "long"}


@dataclass(frozen=True)
class PuzzleRating:
    """The rating of a puzzle and the number of its plays."""

    rating: int
    deviation: int = UNPLAYED_DEVIATION
    plays: int = 0


def lichess_lines(problems: Iterable[tuple[StoredProblem, PuzzleRating]]) -> Iterator[str]:
    """The lines of the file, its heading first."""
    yield csv_line(COLUMNS)
    for problem, rating in problems:
        moves = " ".join(move.usi for move in problem.line)
        numbers = (rating.rating, rating.deviation, 0, rating.plays)
        themes = " ".join(lichess_themes(problem.length, problem.themes))
        yield csv_line((problem.id, problem.sfen, moves, *numbers, themes, "", ""))


def lichess_themes(length: int, tags: Iterable[str]) -> list[str]:
    """The themes as lichess writes words: its own for the length, then those of the problem."""
    moves = (length + 1) // 2
    mate = ["mate", f"mateIn{moves}"] if moves <= _MOST_MOVES else ["mate"]
    return [*mate, _BY_MOVES.get(moves, "veryLong"), *map(_camel_case, tags)]


def _camel_case(tag: str) -> str:
    """``promotion-sacrifice``: ``promotionSacrifice``."""
    return re.sub(r"-+(\w?)", lambda found: found[1].upper(), tag)
