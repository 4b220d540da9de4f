# SPDX-License-Identifier: GPL-3.0-or-later
"""What rests on a repetition, kept to the letter: against exhaustion, on random graphs with hands."""

from __future__ import annotations

import os
import random

import pytest

from tests.solver.engines.linked import FOREVER, Game, LinkedSearch, random_game

NUMBER = int(os.environ.get("TSUME_TEST_GRAPHS", "1500"))


@pytest.mark.parametrize("forgetful", [False, True])
def test_answers_are_those_of_exhaustion(forgetful: bool) -> None:
    """Many questions to one table, in any order, with and without a bound."""
    rng = random.Random(19)
    won = lost = 0
    for _ in range(NUMBER):
        game = random_game(rng)
        lengths, search = game.lengths(), LinkedSearch(game, forgetful=rng if forgetful else None)
        for _ in range(12):
            root, n = rng.choice(game.nodes()), rng.choice((FOREVER, rng.randint(0, 12)))
            expected = lengths.get(root, FOREVER) <= n if n < FOREVER else root in lengths
            assert search.wins(root, n) == expected, (game, root, n)
            won, lost = won + expected, lost + (not expected)
    assert min(won, lost) > NUMBER


def test_forgetting_what_a_loss_rests_on_is_wrong() -> None:
    """So these graphs would show it."""
    rng = random.Random(19)
    assert any(_errs(random_game(rng), rng) for _ in range(NUMBER))


def _errs(game: Game, rng: random.Random) -> bool:
    lengths, search = game.lengths(), LinkedSearch(game, exactly=False)
    roots = [rng.choice(game.nodes()) for _ in range(12)]
    return any(search.wins(root) != (root in lengths) for root in roots)
