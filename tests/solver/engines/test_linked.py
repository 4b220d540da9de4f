# SPDX-License-Identifier: GPL-3.0-or-later
"""What rests on a repetition, kept to the letter: against exhaustion, on random graphs with hands."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass
from functools import cache

import pytest

from tests.solver.engines.linked import FOREVER, Game, LinkedSearch, Node, Outcome, random_game

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


Heads = frozenset[tuple[Node, int]]
"""Nodes of the attacker on the path, with the plies left there."""


def wins_without(game: Game, node: Node, n: int, heads: Heads) -> bool:
    """By exhaustion: A of docs/papers/exact_lengths.md, section 2.3, the win that avoids these heads."""

    @cache
    def wins(node: Node, n: int) -> bool:
        board, hand = node
        if not game.attacker[board]:
            return all(n > 0 and wins(to, n - 1) for to in game.successors(node))
        if any(board == head[0] and hand <= head[1] and n <= plies for head, plies in heads):
            return False
        return n > 0 and any(wins(to, n - 1) for to in game.successors(node))

    return wins(node, n)


@dataclass
class CheckedSearch(LinkedSearch):
    """Compares each loss that rests on heads with exhaustion, for questions with a bound."""

    n: int = 0
    losses: int = 0
    longer: int = 0
    """For more plies than the last head has left."""

    def _left(self, found: Outcome | None) -> Outcome | None:
        node = self._path[-1].node
        found = super()._left(found)
        if found and not found.won and found.taint:
            linked = [place for place in range(found.least, found.taint + 1) if self._path[place - 1].link]
            heads = frozenset((self._path[place - 1].node, self.n - place + 1) for place in linked)
            assert not wins_without(self.game, node, found.length, heads)
            self.losses += 1
            self.longer += found.length > self.n - found.taint + 1
        return found


def test_what_a_loss_rests_on_is_what_is_said() -> None:
    """A loss may be for more plies than its last head has left, and is right even so."""
    rng = random.Random(1)
    losses = longer = 0
    for _ in range(NUMBER):
        search = CheckedSearch(random_game(rng))
        for _ in range(6):
            root, search.n = rng.choice(search.game.nodes()), rng.randint(1, 12)
            search.wins(root, search.n)
        losses, longer = losses + search.losses, longer + search.longer
    assert losses > longer > 0
    if os.environ.get("TSUME_TEST_GRAPHS"):
        print(losses, longer)
