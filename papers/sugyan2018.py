# SPDX-License-Identifier: GPL-3.0-or-later
"""Sugyan2018, section "df-pn アルゴリズムによる探索": df-pn as it is usually written, and nothing else.

It answers whether there is a mate. It knows no length, no futile interposition and no repetition; what the text then
has to add is what its examples are about. The recursion is that of Nagai2002: at a node the best child by the mover's
number (phi) is searched until it passes the thresholds. Any game of two will do, so that tests can give it graphs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cache
from textwrap import fill
from typing import Generic, Protocol, TypeVar

import click

from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.judge import Judge
from solver.results import Difficulty, Interposition, Judgement, Limits, Mate
from solver.scoring.difficulty import Scorer
from solver.solving.solve import solve
from tsume.commands.options import memory_errors_reported, print_line
from tsume.formats.diagram import text_diagram
from tsume.progress import with_progress_bar
from tsume_rules.kernel.state import do, dropped, target_of
from tsume_rules.moves import Move, parse_move
from tsume_rules.packed import PackedPosition, legal_checks, legal_evasions, pack, pack_move, record_after, unpack_move
from tsume_rules.position import Position, Side
from tsume_rules.sfen import parse_sfen

INFINITE = 1 << 40
_DEEPEST = 300

GameMove = TypeVar("GameMove")
Move_co = TypeVar("Move_co", covariant=True)
Node = TypeVar("Node", bound=Hashable)


class AndOrGame(Protocol[Node, Move_co]):
    """An AND/OR graph, unfolded as it is searched."""

    def is_attacker(self, node: Node) -> bool:
        """Return whether the attacker is to move: an OR node."""

    def children(self, node: Node) -> Sequence[tuple[Move_co, Node]]:
        """Return the moves and where they lead; a side without a move has lost."""


class OutOfNodes(Exception):
    """The search was ended before it had an answer."""


class PaperDfPn(Generic[Node, GameMove]):
    """One search. ``repeated`` counts how often it came back to a node of its own path.

    ``infinite``: with a number as large as this a node counts as decided (the text's 4096, "別解を探す").
    """

    def __init__(self, game: AndOrGame[Node, GameMove], most: int, infinite: int = INFINITE) -> None:
        self._game = game
        self._most = most
        self._infinite = infinite
        self._numbers: dict[Node, tuple[int, int]] = {}
        self._children: dict[Node, Sequence[tuple[GameMove, Node]]] = {}
        self._path: list[Node] = []
        self.expanded = 0
        self.repeated = 0

    def proves(self, root: Node) -> bool:
        """Return whether the attacker wins. Raises `OutOfNodes` when it does not come to an end."""
        self._search(root, self._infinite, self._infinite)
        if (
            0 not in self.numbers(root) and self._infinite == INFINITE
        ):  # a number has passed all bounds: counted too often
            raise OutOfNodes
        return self.numbers(root)[0] == 0

    # --- the search: (pn, dn) of each node, 1 and 1 where it is new ---------------------

    def numbers(self, node: Node) -> tuple[int, int]:
        """Return proof and disproof number of a node."""
        return self._numbers.get(node, (1, 1))

    def _search(self, node: Node, most_pn: int, most_dn: int) -> None:
        if self.expanded >= self._most or len(self._path) >= _DEEPEST:
            raise OutOfNodes
        self.expanded += 1
        self.repeated += node in self._path
        self._path.append(node)
        while True:
            # OR: the least pn, the sum of dn. AND: the other way round.
            mine, other = (0, 1) if self._game.is_attacker(node) else (1, 0)
            numbers = [self.numbers(child) for _, child in self._moves(node)]
            least = min((pair[mine] for pair in numbers), default=self._infinite)
            total = min(sum(pair[other] for pair in numbers), self._infinite)
            pn, dn = self._numbers[node] = (least, total) if mine == 0 else (total, least)
            if pn >= most_pn or dn >= most_dn or 0 in (pn, dn):
                break
            # Search the child with the least number until it passes the runner-up or a threshold.
            most = (most_pn, most_dn)
            ranked = sorted((self.numbers(child)[mine], i) for i, (_, child) in enumerate(self._moves(node)))
            best = self._moves(node)[ranked[0][1]][1]
            runner_up = ranked[1][0] if len(ranked) > 1 else self._infinite
            limits = [0, 0]
            limits[mine] = min(most[mine], runner_up + 1)
            limits[other] = min(self._infinite, most[other] - self._numbers[node][other] + self.numbers(best)[other])
            self._search(best, limits[0], limits[1])
        self._path.pop()

    def _moves(self, node: Node) -> Sequence[tuple[GameMove, Node]]:
        if node not in self._children:
            self._children[node] = self._game.children(node)
        return self._children[node]

    def decided(self, root: Node) -> set[tuple[Node, GameMove, Node]]:
        """Return the moves to decided nodes, in the part of the graph that decides the root ("評価・解説")."""
        found: set[tuple[Node, GameMove, Node]] = set()
        waiting, seen = [root], {root}
        while waiting:
            node = waiting.pop()
            for move, child in self._moves(node) if node in self._children else ():
                if 0 in self.numbers(child):
                    found.add((node, move, child))
                    waiting += [child] * (child not in seen)
                    seen.add(child)
        return found

    def answer(self, node: Node, above: frozenset[Node] = frozenset()) -> list[GameMove]:
        """Return the line of the proof: the check proved first, the answer that lasts longest in it."""
        proved = [
            (move, child) for move, child in self._moves(node) if self.numbers(child)[0] == 0 and child not in above
        ]
        if self._game.is_attacker(node):
            proved = proved[:1]
        lines = ([move, *self.answer(child, above | {node})] for move, child in proved)
        return max(lines, key=len, default=[])


# --- what the examples of Sugyan2018 ask: of this program, and of plain df-pn on the same position ---

PLAIN_NODES = 20_000
"""So many nodes plain df-pn may expand."""
_TABLE_BITS = 20


class ExampleQueries:
    """One position and all that is asked about it, with engines whose tables were emptied."""

    def __init__(self, sfen: str) -> None:
        self.sfen = sfen
        self.position = parse_sfen(sfen).position
        self.packed = pack(self.position)
        self._engine = DfPnEngine(table_bits=_TABLE_BITS)

    def judged(self) -> Judgement:
        """Return the judge's verdict (`tsume check`)."""
        self._engine.forget()
        return Judge(self._engine).judge(self.position)

    def solved(self, interposition: Interposition = Interposition.NARROW) -> Mate:
        """Return the shortest mate and its best line (`tsume solve`)."""
        engine = DfPnEngine(table_bits=_TABLE_BITS, interposition=interposition)
        result = solve(self.position, Limits(), engine)
        assert isinstance(result, Mate)
        return result

    def scored(self, length: int) -> Difficulty:
        """Return the difficulty (`tsume score`)."""
        return Scorer().score(self.position, length)

    def mates_ever(self, *line: str) -> bool:
        """Return whether the attacker mates at any length after a line in USI."""
        self._engine.forget()
        return self._engine.mates_ever(self._after(line), attacker=len(line) % 2 == 0)

    def is_mate(self, *line: str) -> bool:
        """Return whether the defender is mated after a line."""
        return self._engine.is_mated(self._after(line), 0)

    def is_longest(self, length: int, check: str, answer: str) -> bool:
        """Return whether an answer to a check that mates in exactly ``length`` plies lasts as long as any."""
        answers = self._engine.longest_defences(self._after((check,)), length - 1)
        return pack_move(parse_move(answer)) in answers

    def plain(self, infinite: int = INFINITE) -> str:
        """What plain df-pn says."""
        search: PaperDfPn[_Node, int] = PaperDfPn(_ShogiGame(), PLAIN_NODES, infinite)
        root = _node(self.packed, attacker=True)
        try:
            if not search.proves(root):
                return "no mate"
        except OutOfNodes:
            return (
                "goes round in circles" if search.repeated else f"no end, pn {search.numbers(root)[0]}, no repetition"
            )
        return usi_line_text(tuple(unpack_move(code) for code in search.answer(root)))

    def tree(self) -> dict[str, str]:
        """Return the checks and the answers to each, in USI, in the order of the text."""
        game = _ShogiGame()
        return {
            unpack_move(check).usi: " ".join(unpack_move(answer).usi for answer, _ in game.children(after))
            for check, after in game.children(_node(self.packed, attacker=True))
        }

    def decided_nodes(self) -> tuple[int, int]:
        """Return how many nodes plain df-pn decides, and how many if all drops of a node on a cell are one."""
        search: PaperDfPn[_Node, int] = PaperDfPn(_ShogiGame(), PLAIN_NODES)
        root = _node(self.packed, attacker=True)
        search.proves(root)
        found = search.decided(root)
        drops = {(node, target_of(move)) for node, move, _ in found if dropped(move)}
        thinned = {child for _, move, child in found if not dropped(move)}
        return len({child for _, _, child in found}), len(thinned) + len(drops)

    def author_line(self, length: int) -> tuple[int, ...]:
        """Return the best line within ``length`` plies by the text's rules, drops left over at the end not counted.

        The attacker: the shortest, with pieces left; the defender: the longest, without ("最善経路の探索"). A drop
        that is taken at once and whose piece is in hand at the end is no answer ("合駒問題").
        """
        engine = DfPnEngine(table_bits=_TABLE_BITS, interposition=Interposition.COUNT_ALL)

        @cache
        def best(played: tuple[int, ...]) -> tuple[int, ...]:
            node, lines = record_after(self.packed, played), list[tuple[int, int, tuple[int, ...]]]()
            attacks = len(played) % 2 == 0
            for move in (legal_checks if attacks else legal_evasions)(node):
                if attacks and not engine.is_mated(record_after(node, (move,)), length - len(played) - 1):
                    continue
                line = (move, *best((*played, move)))
                hand = record_after(self.packed, (*played, *line)).hand[int(Side.ATTACKER)]
                taken = not attacks and dropped(move) and target_of(line[1]) == target_of(move)
                if not (taken and hand[dropped(move)]):
                    lines.append((len(line), -int(hand.sum()), line))
            return (min if attacks else max)(lines, default=(0, 0, ()))[2]

        return best(())

    def _after(self, line: tuple[str, ...]) -> PackedPosition:
        return record_after(self.packed, tuple(pack_move(parse_move(usi)) for usi in line))


def usi_line_text(line: tuple[Move, ...]) -> str:
    """Return a mate and its line, as text."""
    return f"mate in {len(line)}: {' '.join(move.usi for move in line)}"


# --- shogi as plain df-pn sees it ------------------------------------------------------------------


@dataclass(frozen=True)
class _Node:
    """A position by board, hands and turn."""

    name: tuple[bytes, bytes, bool]
    packed: PackedPosition = field(compare=False)


def _node(packed: PackedPosition, *, attacker: bool) -> _Node:
    return _Node((packed.board.tobytes(), packed.hand.tobytes(), attacker), packed)


_STEPS = ((0, -1), (0, 1), (1, 0), (-1, 0), (1, -1), (-1, -1), (1, 1), (-1, 1))
"""Steps of columns from the left and of ranks, as the text's trees have them."""


def _place_in_text(usi: str) -> tuple[object, ...]:
    """Return the place of a move in the trees of the text: pieces row by row, promotions first, drops last."""
    if "*" in usi:
        return 1, usi
    column, to_column = (9 - int(usi[i]) for i in (0, 2))
    rank, to_rank = (ord(usi[i]) - ord("a") for i in (1, 3))
    step = (to_column - column, to_rank - rank)
    return 0, rank, column, _STEPS.index(step) if step in _STEPS else len(_STEPS), not usi.endswith("+"), usi


class _ShogiGame:
    """Every check and every answer, in the order of the text's trees; no interposition is futile."""

    def is_attacker(self, node: _Node) -> bool:
        return node.name[2]

    def children(self, node: _Node) -> list[tuple[int, _Node]]:
        attacker = self.is_attacker(node)
        moves = (legal_checks if attacker else legal_evasions)(node.packed)
        side = Side.ATTACKER if attacker else Side.DEFENDER
        found = []
        for move in moves:
            copy = node.packed.copy()
            do(copy, move, int(side))
            found.append((move, _node(copy, attacker=not attacker)))
        return sorted(found, key=lambda pair: _place_in_text(unpack_move(pair[0]).usi))


# --- Sugyan2018: a df-pn solver's answers, and what had to be added to make solutions of them ------
#
# The text is a series of articles (memo.sugyan.com: "逆算方式による詰将棋の問題生成プログラム",
# 2017-11; "df-pnアルゴリズムを用いた詰将棋Solverによる最善解・余詰の導出", 2018-02-25; two on a
# solver in Rust, 2021-11 and 2021-12-10) with two programs, their tests and their bug
# reports (github.com/sugyan/shogi, github.com/sugyan/tsumeshogi-solver). It has no numbered
# sections: an example names the article, report or test it is taken from. Each is put to
# this program, and where the text speaks of plain df-pn to that as well
# (`papers.sugyan2018`). docs/papers/sugyan2018.md walks through them.

TREE = "9/9/4p1G+R1/5k2P/9/3S5/9/9/9 b r2b3g3s4n4l16p 1"
ENDLESS = "1G2k1+s2/2R6/3L5/9/9/9/9/9/9 b Pr2b3g3s4n3l17p 1"
CEILING = 4096
"""The text's largest number ("2^12 (= 4096) くらいの値")."""
FUTILE = "9/9/6P2/9/4B4/9/6R2/7k+p/9 b Grb3g4s4n4l16p 1"
EFFECTIVE = "9/9/3pp4/+r2k1p3/2L1+p4/2+R6/B8/B8/9 b 4g4s4n3l14p 1"
LATE = "7p1/9/2l5k/9/9/5+R3/9/3+B1R3/9 b b4g4s4n3l17p 1"
COOK = "6k2/9/4+RG3/9/9/9/9/9/9 b R2b3g4s4n4l18p 1"
EASY = "7kl/9/6+P1p/9/9/9/9/9/9 b S2r2b4g3s4n3l16p 1"


@dataclass(frozen=True)
class ExampleFinding:
    """One thing looked at: what the text says of it ("" for nothing) and what came out here.

    ``expected`` is what should come out; None: what the text says. ``why`` tells why the two may differ.
    """

    what: str
    text: str
    here: str
    expected: str | None = None
    why: str = ""

    @property
    def as_expected(self) -> bool:
        """Return whether it came out as it should."""
        return self.here == (self.text if self.expected is None else self.expected)

    @property
    def agrees(self) -> bool:
        """Return whether the text and this program say the same, as far as the text says anything."""
        return self.text in ("", self.here)


@dataclass(frozen=True)
class ExampleOutcome:
    """What an example came to; ``difficulty`` where it is about that."""

    findings: tuple[ExampleFinding, ...]
    difficulty: Difficulty | None = None

    @property
    def as_expected(self) -> bool:
        """Return whether all came out as it should."""
        return all(finding.as_expected for finding in self.findings)


@dataclass(frozen=True)
class PaperExample:
    """An example of the text; ``source`` says where it is from, ``says`` what is said of it."""

    name: str
    title: str
    sfen: str
    source: str
    says: str
    examine: Callable[[ExampleQueries], ExampleOutcome] = field(repr=False)

    @property
    def position(self) -> Position:
        """Where it begins."""
        return parse_sfen(self.sfen).position


# --- the examples ----------------------------------------------------------------------------------


_FIRST_TREE = {
    "3c4c": "4d3e 4d4e 4d5d", "3c3d": "4d4e 4d5d", "2c3d": "", "6f5e": "4d5e 4d3e 4d4e",
    "2c2d": "4d4e P*3d L*3d N*3d S*3d G*3d B*3d R*3d",
}  # fmt: skip
"""The first tree of the article."""


def _tree(questions: ExampleQueries) -> ExampleOutcome:
    def told(moves: str) -> str:
        return " ".join(sorted(moves.split())) or "none: mate"

    tree = questions.tree()
    return ExampleOutcome((
        ExampleFinding("the checks", told(" ".join(_FIRST_TREE)), told(" ".join(tree))),
        *(ExampleFinding(f"answers to {one}", told(moves), told(tree[one])) for one, moves in _FIRST_TREE.items()),
        ExampleFinding("plain df-pn's answer", "mate in 1: 2c3d", questions.plain()),
    ))  # fmt: skip


def _shortest(questions: ExampleQueries) -> ExampleOutcome:
    return ExampleOutcome((
        ExampleFinding("plain df-pn's answer", "mate in 5: S*3b 2a1b 3b2c+ 1b2a 3c3b", questions.plain()),
        ExampleFinding("the best line", "mate in 3: S*3b 2a1b 3c2c", usi_line_text(questions.solved().line)),
    ))  # fmt: skip


def _endless(questions: ExampleQueries) -> ExampleOutcome:
    return ExampleOutcome((
        ExampleFinding(f"plain df-pn, {PLAIN_NODES:,} nodes", "", questions.plain(), "no end, pn 35010, no repetition"),
        ExampleFinding(f"plain df-pn, numbers from {CEILING} on infinite", "no mate", questions.plain(CEILING)),
        ExampleFinding("a mate at any length (check search)", "no", _yes(questions.mates_ever())),
    ))  # fmt: skip


def _futile(questions: ExampleQueries) -> ExampleOutcome:
    counted = questions.solved(Interposition.COUNT_ALL)
    readings = questions.judged().readings
    return ExampleOutcome((
        ExampleFinding("the best line", "mate in 3: G*3i 2h1i 3g1g", usi_line_text(questions.solved().line)),
        ExampleFinding("length with every drop counted", "11", str(counted.length), "9",
                "the text's program played futile drops, but not the shortest mate with them"),
        ExampleFinding("length by the narrow, purist and wide reading", "",
                f"{readings.narrow} {readings.purist} {readings.wide}" if readings else "", "3 3 3"),
    ))  # fmt: skip


DIFFERENT = ("4k4/5s3/2+P1+S4/1R7/9/9/9/9/9 b r2b4g2s4n4l17p 1", "9/8g/8k/6B2/7+R1/3B5/9/9/9 b r3g4s4n4l18p 1")
"""Two on which the text's rule and the three readings differ."""


def _criterion(questions: ExampleQueries) -> ExampleOutcome:
    findings = []
    for sfen, plies, by_text, by_readings in (
        (questions.sfen, 7, 7, "5 5 3"), (DIFFERENT[0], 7, 5, "3 5 3"), (DIFFERENT[1], 3, 3, "3 3 1"),
    ):  # fmt: skip
        one = ExampleQueries(sfen)
        line, readings = one.author_line(plies), one.judged().readings
        lengths = f"{readings.narrow} {readings.purist} {readings.wide}" if readings else ""
        findings.append(ExampleFinding(f"{sfen.split()[0]}: by the text's rule", "", str(len(line)), str(by_text)))
        findings.append(ExampleFinding("  by the narrow, purist and wide reading", "", lengths, by_readings))
    return ExampleOutcome(tuple(findings))


def _effective(questions: ExampleQueries) -> ExampleOutcome:
    readings = questions.judged().readings
    best = usi_line_text(questions.solved().line)
    return ExampleOutcome((
        ExampleFinding("the best line", "mate in 3: 7e7b+ N*8f 7f7c", best, "mate in 3: 7e7b+ 9d9g 7f7c",
                "one of several longest defences"),
        ExampleFinding("N*8f lasts as long as any defence to 7e7b+", "yes",
                _yes(questions.is_longest(3, "7e7b+", "N*8f"))),
        ExampleFinding("7e7c+ 9d9g 7f7d is mate", "yes", _yes(questions.is_mate("7e7c+", "9d9g", "7f7d"))),
        ExampleFinding("7e7c+ 6d5d 7f5f is mate", "yes", _yes(questions.is_mate("7e7c+", "6d5d", "7f5f"))),
        ExampleFinding("a mate after 7e7c+, at any length", "no", _yes(questions.mates_ever("7e7c+"))),
        ExampleFinding("length by the narrow, purist and wide reading", "",
                f"{readings.narrow} {readings.purist} {readings.wide}" if readings else "", "3 3 3"),
    ))  # fmt: skip


def _cook(questions: ExampleQueries) -> ExampleOutcome:
    judged = questions.judged()
    cooks = [" ".join(move.usi for move in line) for line in judged.cooks]
    named = "R*3b 3a2a 5c5a"
    return ExampleOutcome((
        ExampleFinding("a correct problem", "no", _yes(judged.correct)),
        ExampleFinding("what is wrong", "", " ".join(judged.defects.names), "COOK"),
        ExampleFinding("the second solution", named, named if named in cooks else " / ".join(cooks)),
        ExampleFinding("the best line", "", usi_line_text(judged.line), "mate in 3: 5c4b 3a2a R*3a"),
    ))  # fmt: skip


def _scored(questions: ExampleQueries) -> ExampleOutcome:
    here, easy = questions.scored(3), ExampleQueries(EASY).scored(3)
    return ExampleOutcome((
        ExampleFinding("rating", "", _stars(here), "1347 **"),
        ExampleFinding("rating of the first mate in 3 of the text's tests", "", _stars(easy), "1002 **"),
        ExampleFinding("nodes that plain df-pn decides for it; drops on a cell as one", "",
                "{}; {}".format(*questions.decided_nodes()), "423; 301"),
        ExampleFinding("for the first mate in 3", "", "{}; {}".format(*ExampleQueries(EASY).decided_nodes()), "5; 5"),
        ExampleFinding(
            "the one that 98 of 183 got wrong is rated higher", "yes", _yes(here.score > easy.score)
        ),
    ), difficulty=here)  # fmt: skip


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"


def _stars(difficulty: Difficulty) -> str:
    return f"{difficulty.rating:.0f} {'*' * difficulty.stars}"


_TESTS = "github.com/sugyan/shogi, logic/problem/generator/testdata/isValidProblem"
EXAMPLES = {example.name: example for example in (
    PaperExample("tree", "The first tree", TREE,
            "The article of 2018-02-25, AND/OR Tree; the position, a picture there, has exactly these moves",
            "Five checks, with the answers to each; ▲3四竜 mates, so nothing else need be looked at.", _tree),
    PaperExample("shortest", "The line of a proof is not the best line", EASY,
            "The article of 2018-02-25, df-pn Solverの特徴・制約; the position is "
            f"{_TESTS}/3_01_true.csa, whose moves are those of the tree there",
            "df-pn proves that there is a mate, not the shortest: its answer has 5 plies where the best line "
            "has 3. So the best line is looked for among the moves that were proved.", _shortest),
    PaperExample("endless", "The disproof that never ended", ENDLESS,
            "The article of 2018-02-25, whose position is a picture; this one is from random ones",
            "Nodes that are reached from one another raise each other's numbers and thresholds for ever. With 4096 "
            "as infinity the numbers come to it, and that is taken for no mate.", _endless),
    PaperExample("futile", "Interpositions that change nothing", FUTILE,
            "github.com/sugyan/tsumeshogi-solver/issues/20",
            "Three plies are right; the text's solver printed 11, drops between included.", _futile),
    PaperExample("criterion", "A drop is futile if its piece is left over at the end", LATE,
            "The article of 2018-02-25, 合駒問題; positions that this project collected, where readings differ",
            "A drop that is taken at once and whose piece is in hand at the end does not count.", _criterion),
    PaperExample("effective", "The futile interposition that is none (新たなる殺意)", EFFECTIVE,
            "The articles of 2018-02-25 and 2021-11 and the README of "
            "github.com/sugyan/tsumeshogi-solver. The problem: 行き詰まり (Yukizumari), Tsume-Shogi Paradise "
            "397, March 1989, Kanju prize; of its solvers tell book.mynavi.jp/shogi/detail/id=77804 and "
            "Enpedia (新たなる殺意)",
            "A mate in 3, with N*8f as an answer. When it was set, 98 of 183 solutions sent in were wrong: "
            "7e7c+ is the trap. It mates after 9d9g and 6d5d, and a drop between looks futile.", _effective),
    PaperExample("cook", "A second solution", COOK,
            f"github.com/sugyan/shogi/issues/12; its picture was not at hand, this position is "
            f"{_TESTS}/3_15_false.csa, added with the mending",
            "The text's generator gave it out as a problem; R*3b 3a2a 5c5a mates too.", _cook),
    PaperExample("scored", "How hard is it", EFFECTIVE, "As for effective",
            "The text's generator scores a problem by the size of its search tree, moves with the same "
            "answers counted once.", _scored),
)}  # fmt: skip
"""All examples by name, in the order of the walk."""


def examine_example(example: PaperExample) -> ExampleOutcome:
    """What an example comes to here."""
    return example.examine(ExampleQueries(example.sfen))


# --- ``scripts/papers sugyan``: the examples of Sugyan2018, put to this program ----------------------

_COLUMNS = 100
NAMES = ("tree", "shortest", "endless", "futile", "criterion", "effective", "cook", "scored")


@click.command()
@click.pass_context
@click.option("--example", "names", multiple=True, type=click.Choice(NAMES), help="Only this example; repeatable.")
@memory_errors_reported
def sugyan(context: click.Context, names: tuple[str, ...]) -> None:
    """Sugyan's examples: the answer of a plain df-pn solver, and what turns it into a solution.

    Prints for each example what the text says, what this program says, and whether they agree. Exits
    with status 1 if a result differs from docs/papers/sugyan2018.md.
    """
    chosen = [EXAMPLES[name] for name in NAMES if name in (names or NAMES)]
    unexpected = 0
    for example, outcome in with_progress_bar(((one, examine_example(one)) for one in chosen), len(chosen)):
        print_line(f"{example.name}: {example.title}\n")
        print_line(f"{text_diagram(example.position)}\n\nsfen {example.sfen}")
        print_line(_folded_text(f"From: {example.source}"))
        print_line(_folded_text(f"The text: {example.says}"))
        for finding in outcome.findings:
            # Print a result, and that of the text if it differs.
            beside = "" if not finding.text else ", as in the text" if finding.agrees else ""
            print_line(f"- {finding.what}: {finding.here}{beside}")
            if not finding.agrees:
                print_line(f"    the text: {finding.text}" + (f" ({finding.why})" if finding.why else ""))
            if not finding.as_expected:
                print_line(f"    NOT AS EXPECTED: {finding.text if finding.expected is None else finding.expected}")
        if outcome.difficulty is not None:
            print_line("")
            for name, value in outcome.difficulty.features.items():
                if value:
                    print_line(f"  {name:24}{value:8.2f}")
        print_line("")
        unexpected += not outcome.as_expected
    context.exit(1 if unexpected else 0)


def _folded_text(text: str) -> str:
    return fill(text, _COLUMNS, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
