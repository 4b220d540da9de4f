# SPDX-License-Identifier: GPL-3.0-or-later
"""The check search on random graphs with cycles, against exhaustion (see test_repetition.py)."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass, field
from functools import cache
from itertools import count

import pytest

from solver.engines.dfpn.unbounded_search import CheckSearch
from tests.solver.engines.graphs import Graph, GraphSearch, repetition_ignored, repetition_stored_as_loss, winning_nodes

NUMBER = int(os.environ.get("TSUME_TEST_GRAPHS", "5000"))


def random_graph(rng: random.Random) -> Graph:
    size = rng.randint(3, 14)
    attacker = tuple(rng.random() < 0.5 for _ in range(size))
    successors = tuple(
        tuple(rng.sample(range(size), min(size, rng.choice((0, 1, 1, 2, 2, 3, 4))))) for _ in range(size)
    )
    return Graph(attacker, successors)


def tangled_graph(rng: random.Random) -> Graph:
    """A larger graph, dense or sparse, with few terminal nodes: almost every path can enter a cycle."""
    size = rng.randint(3, 30)
    share = rng.choice((0.35, 0.5, 0.65))
    degrees = rng.choice(((0, 1, 1, 2, 2, 3), (1, 1, 2, 2, 2, 3, 3), (0,) + (1, 2, 3) * 6, (0, 1, 2, 3, 4, 6)))
    return Graph(
        tuple(rng.random() < share for _ in range(size)),
        tuple(tuple(rng.sample(range(size), min(size, rng.choice(degrees)))) for _ in range(size)),
    )


def test_the_check_search_agrees_with_exhaustion_on_random_graphs() -> None:
    rng = random.Random(7)
    for _ in range(NUMBER):
        graph = random_graph(rng)
        won = winning_nodes(graph)
        search = CheckSearch(GraphSearch(graph))
        assert [search.wins(root) for root in (0, 1, 2)] == [root in won for root in (0, 1, 2)], graph


def test_the_check_search_agrees_with_exhaustion_on_tangled_graphs() -> None:
    rng = random.Random(8)
    for _ in range(NUMBER):
        graph = tangled_graph(rng)
        roots = list(range(len(graph.attacker)))
        rng.shuffle(roots)
        search = CheckSearch(GraphSearch(graph))
        assert {root for root in roots if search.wins(root)} == winning_nodes(graph), graph


def test_repetition_kept_as_a_loss_or_ignored_yields_false_answers_of_one_kind() -> None:
    rng = random.Random(7)
    graphs = [random_graph(rng) for _ in range(5000)]
    won = [0 in winning_nodes(graph) for graph in graphs]
    for wrong, truth in ((repetition_stored_as_loss, True), (repetition_ignored, False)):
        found = set(zip(won, (wrong(graph, 0) for graph in graphs), strict=True))
        assert (truth, not truth) in found
        assert (not truth, truth) not in found


def test_a_loss_by_the_first_path_is_a_win_by_the_second() -> None:
    """The attacker enters a cycle at 1; at 2 the cycle has a way out that 1 does not need."""
    attacker = (True, False, True, False, False)
    successors = ((1, 3), (2,), (1, 4), (2,), ())
    graph = Graph(attacker, successors)
    assert winning_nodes(graph) == {0, 1, 2, 3, 4}
    assert CheckSearch(GraphSearch(graph)).wins(0)


# --- a slow twin of how the search for long works keeps what rests on a repetition -----------------

FOREVER = 10**6
Node = tuple[int, int]
"""A board and the attacker's hand."""


@dataclass(frozen=True)
class Game:
    """``attacker``: whether he moves on a board; ``moves``: the boards moved to, and what his hand gains.

    Only the attacker's moves cost him pieces (a negative gain), which he must have. Who cannot move has lost.
    """

    attacker: tuple[bool, ...]
    moves: tuple[tuple[tuple[int, int], ...], ...]
    largest: int

    def nodes(self) -> list[Node]:
        return [(board, hand) for board in range(len(self.moves)) for hand in range(self.largest + 1)]

    def successors(self, node: Node) -> list[Node]:
        board, hand = node
        return [(to, min(hand + gain, self.largest)) for to, gain in self.moves[board] if hand + gain >= 0]

    def lengths(self) -> dict[Node, int]:
        """By exhaustion: within how many plies the attacker wins; nodes that he does not win are missing."""
        lengths: dict[Node, int] = {}
        for n in range(len(self.nodes()) + 1):  # no longer ones: each shorter length has a node
            new = {node: n for node in self.nodes() if node not in lengths and self._wins(node, lengths, n)}
            lengths |= new
        return lengths

    def _wins(self, node: Node, lengths: dict[Node, int], n: int) -> bool:
        within = [lengths.get(to, FOREVER) < n for to in self.successors(node)]
        return any(within) if self.attacker[node[0]] else all(within)


def random_game(rng: random.Random) -> Game:
    """The attacker moves on about half of the boards; moves lead from side to side."""
    number, largest = rng.randint(3, 8), rng.randint(0, 2)
    attacker = tuple(i % 2 == 0 for i in range(number))
    sides = [[i for i in range(number) if attacker[i] == side] for side in (False, True)]
    moves = []
    for board in range(number):
        others = sides[not attacker[board]]
        gains = (-1, 0, 0) if attacker[board] else (0, 0, 1)
        moves.append(tuple((rng.choice(others), rng.choice(gains)) for _ in range(rng.randint(0, 3))))
    return Game(attacker, tuple(moves), largest)


@dataclass(eq=False)
class Link:
    """A head's link: pending with its place on the path, asleep, or settled.

    ``up`` is the link of the last head above when it was left.
    """

    place: int
    state: str = "pending"
    least: int = 0
    exact: Link | None = None
    up: Link | None = None


@dataclass(frozen=True)
class Entry:
    """What is known of a board: won with this hand or more within ``length`` plies, or lost with less."""

    won: bool
    hand: int
    length: int
    link: Link | None = None
    least: int = 0


@dataclass
class Frame:
    """A node on the path."""

    node: Node
    way: tuple[object, ...]
    link: Link | None = None


@dataclass(frozen=True)
class Outcome:
    """Decided for ``length`` plies; a loss rests on the frames from ``least`` to ``taint``, 0: on none."""

    won: bool
    length: int
    taint: int = 0
    least: int = 0


@dataclass
class LinkedSearch:
    """Answers many questions with one table.

    ``forgetful``: half of the sleeping links are lost, as from a table with too few places. A link is woken
    only if that of the head above is there. ``exactly`` False is known to be wrong: no loss has a link.
    """

    game: Game
    exactly: bool = True
    forgetful: random.Random | None = None
    _table: dict[int, list[Entry]] = field(default_factory=dict)
    _asleep: dict[tuple[object, ...], Link] = field(default_factory=dict)
    _path: list[Frame] = field(default_factory=list)

    def wins(self, root: Node, n: int = FOREVER) -> bool:
        """Whether the attacker wins within ``n`` plies, by looking one move deeper each time."""
        for left in count():
            found = self._visit(root, n, left)
            if found:
                return found.won
        raise AssertionError

    def _visit(self, node: Node, n: int, left: int) -> Outcome | None:
        board, hand = node
        known = self._known(node, n)
        if known:
            return known
        if self.game.attacker[board]:
            for place, frame in enumerate(self._path, start=1):
                if frame.node[0] == board and frame.node[1] >= hand:
                    frame.link = frame.link or Link(place)
                    return Outcome(False, n, place, place)
        successors = self.game.successors(node)
        if n == 0:
            return Outcome(not successors and not self.game.attacker[board], 0)
        if not left:
            return None
        self._enter(node, n)
        found = self._decided(node, successors, n, left - 1)
        return self._left(found)

    def _enter(self, node: Node, n: int) -> None:
        way = (*(self._path[-1].way if self._path else (n,)), node)
        link = self._asleep.get(way)
        if link and (link.state != "asleep" or (link.up and link.up.state != "pending")):
            link = None
        if link:
            link.state = "pending"
        self._path.append(Frame(node, way, link))

    def _decided(self, node: Node, successors: list[Node], n: int, left: int) -> Outcome | None:
        mover_wins = self.game.attacker[node[0]]
        below = n if n == FOREVER else n - 1
        outcomes: list[Outcome | None] = []
        for to in successors:
            found = self._visit(to, below, left)
            if found and found.won == mover_wins:
                return Outcome(mover_wins, min(found.length + 1, FOREVER), found.taint, found.least)
            outcomes.append(found)
        settled = [one for one in outcomes if one]
        if len(settled) < len(outcomes):
            return None
        lengths = [one.length + 1 for one in settled]
        if not mover_wins:
            return Outcome(True, max(lengths, default=0))
        tainted = [one for one in settled if one.taint]
        return Outcome(
            False,
            min([*lengths, FOREVER]),
            max((one.taint for one in tainted), default=0),
            min((one.least for one in tainted), default=0),
        )

    def _left(self, found: Outcome | None) -> Outcome | None:
        frame = self._path.pop()
        place = len(self._path) + 1
        last = next((i for i in range(len(self._path), 0, -1) if self._path[i - 1].link), 0)
        if found and not found.won and found.taint == place:
            if found.least == place:
                found = Outcome(False, found.length)
            else:
                found = Outcome(False, found.length, last, found.least)
        below = self._path[found.taint - 1].link if found and found.taint else None
        if frame.link:
            frame.link.up = self._path[last - 1].link if last else None
            if found and not found.won:
                frame.link.state = "settled"
                frame.link.exact = below
                frame.link.least = found.least if found.taint else 0
            else:
                frame.link.state = "asleep"
                self._asleep[frame.way] = frame.link
                if self.forgetful and self.forgetful.random() < 0.5:
                    del self._asleep[frame.way]
        if found:
            board, hand = frame.node
            entry = Entry(found.won, hand, found.length, below if self.exactly else None, found.least)
            self._table.setdefault(board, []).append(entry)
        return found

    def _known(self, node: Node, n: int) -> Outcome | None:
        board, hand = node
        for entry in self._table.get(board, ()):
            if entry.won and entry.length <= n and hand >= entry.hand:
                return Outcome(True, entry.length)
            if not entry.won and entry.length >= n and hand <= entry.hand:
                rests = _rests_on(entry)
                if rests:
                    return Outcome(False, entry.length, *rests)
        return None


def _rests_on(entry: Entry) -> tuple[int, int] | None:
    """The last and the first place on which a loss rests, 0 and 0: on none; None: it does not hold here."""
    link, least = entry.link, entry.least
    while link:
        if link.state == "asleep":
            return None
        if link.state == "pending":
            return link.place, least
        if least == link.place:
            least, link = link.least, link.exact
        else:
            least, link = min(least, link.least or least), link.up
    return 0, 0


# --- what rests on a repetition, against exhaustion, on random graphs with hands -------------------

GAMES = int(os.environ.get("TSUME_TEST_GRAPHS", "1500"))


@pytest.mark.parametrize("forgetful", [False, True])
def test_answers_are_those_of_exhaustion(forgetful: bool) -> None:
    """Many questions to one table, in any order, with and without a bound."""
    rng = random.Random(19)
    won = lost = 0
    for _ in range(GAMES):
        game = random_game(rng)
        lengths, search = game.lengths(), LinkedSearch(game, forgetful=rng if forgetful else None)
        for _ in range(12):
            root, n = rng.choice(game.nodes()), rng.choice((FOREVER, rng.randint(0, 12)))
            expected = lengths.get(root, FOREVER) <= n if n < FOREVER else root in lengths
            assert search.wins(root, n) == expected, (game, root, n)
            won, lost = won + expected, lost + (not expected)
    assert min(won, lost) > GAMES


def test_forgetting_what_a_loss_rests_on_is_wrong() -> None:
    """So these graphs would show it."""
    rng = random.Random(19)
    assert any(_errs(random_game(rng), rng) for _ in range(GAMES))


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
    for _ in range(GAMES):
        search = CheckedSearch(random_game(rng))
        for _ in range(6):
            root, search.n = rng.choice(search.game.nodes()), rng.randint(1, 12)
            search.wins(root, search.n)
        losses, longer = losses + search.losses, longer + search.longer
    assert losses > longer > 0
    if os.environ.get("TSUME_TEST_GRAPHS"):
        print(losses, longer)
