# SPDX-License-Identifier: GPL-3.0-or-later
"""What a few seeds give, pinned: a change of it must raise `generator.problem.GENERATOR_VERSION`."""

from __future__ import annotations

import hashlib
from itertools import islice

from generator.constraints.options import ComposingOptions, Style
from generator.constraints.problem import ProblemConstraints
from generator.problem import GENERATOR_VERSION, Problem
from generator.run.roots import compose_roots
from tsume_rules.sfen import format_sfen

SEED = 5
ROOTS = [
    (ComposingOptions.of(3), 24),
    (ComposingOptions.of(5), 24),
    (ComposingOptions.of(5, wishes=ProblemConstraints(themes=("king-lure",), max_pieces=12)), 8),
    (ComposingOptions.of(3, style=Style.NATURAL), 24),
]
GIVEN = (16, "412b93da62f04be6")
"""The recipe, and the digest of what it gives."""


def in_full(problem: Problem) -> str:
    """All that the seed decides of a problem; numbers to the digits on which every machine agrees."""
    line = " ".join(move.usi for move in problem.line)
    numbers = f"{problem.difficulty.score:.6f} {problem.difficulty.stars} {problem.quality:.6f}"
    return f"{format_sfen(problem.position)} {line} {numbers} {' '.join(problem.themes)}\n"


def test_a_seed_gives_the_same_problems_as_long_as_the_recipe_is_the_same() -> None:
    problems = [
        in_full(problem)
        for options, number in ROOTS
        for result in islice(compose_roots(SEED, options, "test"), number)
        for problem in result.problems
    ]
    digest = hashlib.sha256("".join(problems).encode()).hexdigest()[:16]
    assert (GENERATOR_VERSION, digest) == GIVEN, (
        "A seed gives other problems, scores or themes than before. If that is intended, raise "
        "GENERATOR_VERSION in generator/problem.py by one and set GIVEN to "
        f'(GENERATOR_VERSION, "{digest}") here.'
    )
