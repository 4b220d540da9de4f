# SPDX-License-Identifier: GPL-3.0-or-later
"""A slow twin of how the search for long works keeps what rests on a repetition, on graphs with hands.

`solver.engines.dfpn.kernel.repetition` and `rests_on` of the table, with objects instead of numbers. The game
is a small graph: boards, and the attacker's hand as a number of pieces. Larger hands have more moves
and are no worse, so what is known of one hand says something of others (dominance).
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import count

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
