# SPDX-License-Identifier: GPL-3.0-or-later
"""Statistics of a data set, collected while it is written."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from db.stored_problem import StoredProblem
from solver.results import Grade
from tsume.dataset.columns import FEATURES

MOST_NAMES = 100
"""The most authors that are named."""


@dataclass
class LengthCounts:
    """The problems of one length: how many, with how many stars, the sum of their scores."""

    problems: int = 0
    stars: Counter[int] = field(default_factory=Counter)
    score: float = 0.0

    @property
    def mean_score(self) -> float:
        """The mean of the scores."""
        return self.score / max(1, self.problems)


@dataclass
class DatasetCounts:
    """All problems of a set.

    ``searched`` counts the numbers of plies up to which second solutions were looked for, ``made`` seed,
    length, version and recipe of composed problems, ``runs`` the ids of the runs in the store;
    ``no_column`` the features that have no column. ``example`` is the first of the longest ones.
    """

    lengths: dict[int, LengthCounts] = field(default_factory=dict)
    grades: Counter[Grade] = field(default_factory=Counter)
    searched: Counter[int | None] = field(default_factory=Counter)
    made: Counter[tuple[int, int, str, int | None]] = field(default_factory=Counter)
    runs: Counter[int] = field(default_factory=Counter)
    judged_by: Counter[str] = field(default_factory=Counter)
    themes: Counter[str] = field(default_factory=Counter)
    authors: set[str] = field(default_factory=set)
    no_column: Counter[str] = field(default_factory=Counter)
    composed: int = 0
    example: StoredProblem | None = None

    @property
    def problems(self) -> int:
        """How many there are."""
        return sum(one.problems for one in self.lengths.values())

    @property
    def imported(self) -> int:
        """How many no run composed."""
        return self.problems - self.composed

    def add(self, problem: StoredProblem) -> None:
        """Count a problem."""
        of_length = self.lengths.setdefault(problem.length, LengthCounts())
        of_length.problems += 1
        of_length.stars[problem.difficulty.stars] += 1
        of_length.score += problem.difficulty.score
        self.grades[problem.grade] += 1
        self.searched[problem.searched] += 1
        self.judged_by[problem.version] += 1
        self.themes.update(problem.themes)
        self.no_column.update(problem.difficulty.features.keys() - _FEATURES)
        if problem.notebook.author and len(self.authors) < MOST_NAMES:
            self.authors.add(problem.notebook.author)
        if problem.run_id is not None:
            self.runs[problem.run_id] += 1
        if (made := problem.provenance) is not None:
            self.composed += 1
            self.made[made.seed, problem.length, made.version, made.recipe] += 1
        if self.example is None or problem.length > self.example.length:
            self.example = problem


_FEATURES = frozenset(FEATURES)
