# SPDX-License-Identifier: GPL-3.0-or-later
"""Sugyan2018, section "df-pn アルゴリズムによる探索": df-pn as it is usually written, and nothing else.

It answers whether there is a mate. It knows no length, no futile interposition and no repetition; what the text then
has to add is what its examples are about. The recursion is that of Nagai2002: at a node the best child by the mover's
number (phi) is searched until it passes the thresholds. Any game of two will do, so that tests can give it graphs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from textwrap import fill
from typing import Generic, Protocol, TypeVar

import click

from solver.engines.dfpn.engine import DfPnEngine
from solver.explaining.explainer import explain
from solver.explaining.explanation import Explanation, Proof, Try
from solver.judging.judge import Judge
from solver.results import Difficulty, Interposition, Judgement, Limits, Mate
from solver.scoring.difficulty import Scorer
from solver.solving.solve import solve
from tsume.commands.options import memory_errors_reported, print_line
from tsume.formats.diagram import text_diagram
from tsume.progress import with_progress_bar
from tsume.reports.explanation import explanation_lines
from tsume_rules.kernel.state import do
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
    """One search. ``repeated`` counts how often it came back to a node of its own path."""

    def __init__(self, game: AndOrGame[Node, GameMove], most: int) -> None:
        self._game = game
        self._most = most
        self._numbers: dict[Node, tuple[int, int]] = {}
        self._children: dict[Node, Sequence[tuple[GameMove, Node]]] = {}
        self._path: list[Node] = []
        self.expanded = 0
        self.repeated = 0

    def proves(self, root: Node) -> bool:
        """Return whether the attacker wins. Raises `OutOfNodes` when it does not come to an end."""
        self._search(root, INFINITE, INFINITE)
        if 0 not in self._of(root):  # counted twice and twice again, a number has passed all bounds
            raise OutOfNodes
        return self._of(root)[0] == 0

    # --- the search: (pn, dn) of each node, 1 and 1 where it is new ---------------------

    def _of(self, node: Node) -> tuple[int, int]:
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
            numbers = [self._of(child) for _, child in self._moves(node)]
            least = min((pair[mine] for pair in numbers), default=INFINITE)
            total = min(sum(pair[other] for pair in numbers), INFINITE)
            pn, dn = self._numbers[node] = (least, total) if mine == 0 else (total, least)
            if pn >= most_pn or dn >= most_dn or 0 in (pn, dn):
                break
            # Search the child with the least number until it passes the runner-up or a threshold.
            most = (most_pn, most_dn)
            ranked = sorted((self._of(child)[mine], i) for i, (_, child) in enumerate(self._moves(node)))
            best = self._moves(node)[ranked[0][1]][1]
            runner_up = ranked[1][0] if len(ranked) > 1 else INFINITE
            limits = [0, 0]
            limits[mine] = min(most[mine], runner_up + 1)
            limits[other] = min(INFINITE, most[other] - self._numbers[node][other] + self._of(best)[other])
            self._search(best, limits[0], limits[1])
        self._path.pop()

    def _moves(self, node: Node) -> Sequence[tuple[GameMove, Node]]:
        if node not in self._children:
            self._children[node] = self._game.children(node)
        return self._children[node]

    def answer(self, node: Node, above: frozenset[Node] = frozenset()) -> list[GameMove]:
        """Return the line of the proof: the check proved first, the answer that lasts longest in it."""
        proved = [(move, child) for move, child in self._moves(node) if self._of(child)[0] == 0 and child not in above]
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
        self.position = parse_sfen(sfen).position
        self.packed = pack(self.position)
        self._engine = DfPnEngine(table_bits=_TABLE_BITS)

    def judged(self) -> Judgement:
        """Return the judge's verdict (`tsume check`)."""
        self._engine.forget()
        return Judge(self._engine).judge(self.position)

    def explained(self) -> tuple[Judgement, Explanation]:
        """Return the verdict and the explanation (`tsume explain`)."""
        judgement = self.judged()
        return judgement, explain(self._engine, self.position, judgement.line, only_answers=True)

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

    def plain(self, *line: str) -> str:
        """What plain df-pn says after a line."""
        game = _ShogiGame()
        search: PaperDfPn[_Node, int] = PaperDfPn(game, PLAIN_NODES)
        root = _node(self._after(line), attacker=len(line) % 2 == 0)
        try:
            if not search.proves(root):
                return "no mate"
        except OutOfNodes:
            return "goes round in circles" if search.repeated else "no answer"
        return usi_line_text(tuple(unpack_move(code) for code in search.answer(root)))

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


class _ShogiGame:
    """Every check and every answer, in the fixed order; no interposition is futile."""

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
        return found


# --- Sugyan2018: a df-pn solver's answers, and what had to be added to make solutions of them ------
#
# The text is a series of articles (memo.sugyan.com: "逆算方式による詰将棋の問題生成プログラム",
# 2017-11; "df-pnアルゴリズムを用いた詰将棋Solverによる最善解・余詰の導出", 2018-02-25; two on a
# solver in Rust, 2021-11 and 2021-12-10) with two programs, their tests and their bug
# reports (github.com/sugyan/shogi, github.com/sugyan/tsumeshogi-solver). It has no numbered
# sections: an example names the article, report or test it is taken from. Each is put to
# this program, and where the text speaks of plain df-pn to that as well
# (`papers.sugyan2018`). docs/papers/sugyan2018.md walks through them.

SHORTEST = "8k/6R2/5b3/8G/9/8+R/9/9/9 b b3g4s4n4l18p 1"
ENDLESS = "7+P1/5R1s1/6ks1/9/5L1p1/9/9/9/9 b R2b4g2s4n3l16p 1"
FUTILE = "9/9/6P2/9/4B4/9/6R2/7k+p/9 b Grb3g4s4n4l16p 1"
EFFECTIVE = "9/9/3pp4/+r2k1p3/2L1+p4/2+R6/B8/B8/9 b 4g4s4n3l14p 1"
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
    """What an example came to; ``explained`` and ``difficulty`` where it is about them."""

    findings: tuple[ExampleFinding, ...]
    explained: tuple[Judgement, Explanation] | None = None
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


def _shortest(questions: ExampleQueries) -> ExampleOutcome:
    judged = questions.judged()
    cooks = ", ".join(" ".join(move.usi for move in line) for line in judged.cooks)
    return ExampleOutcome((
        ExampleFinding("plain df-pn's answer", "", questions.plain(), "mate in 5: 1d2c 1a2a 1f1a 2a1a 2c1b"),
        ExampleFinding("length of the shortest mate", "3", str(questions.solved().length)),
        ExampleFinding(
            "the best line", "", usi_line_text(questions.solved().line), "mate in 3: 1d2c 4c1f 3b1b+"
        ),
        ExampleFinding("a correct problem", "yes", f"no, cooked by {cooks}" if cooks else "yes",
                "no, cooked by 3b3a+ P*2a 1d2c 4c1f 2c2b",
                "a second solution is a cook here however long it is"),
    ))  # fmt: skip


def _endless(questions: ExampleQueries) -> ExampleOutcome:
    return ExampleOutcome((
        ExampleFinding("plain df-pn after 4b4d+", "goes round in circles", questions.plain("4b4d+")),
        ExampleFinding("a mate after 4b4d+, at any length", "no", _yes(questions.mates_ever("4b4d+"))),
        ExampleFinding("the best line", "mate in 3: R*3d 3c3d 4b4d+", usi_line_text(questions.solved().line)),
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
        ExampleFinding("answers that refute 7e7c+", "",
                _squares(_try_with_move(questions.explained()[1], "7e7c+")), "a drop on 8f"),
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


def _explained(questions: ExampleQueries) -> ExampleOutcome:
    judgement, explanation = questions.explained()
    found = _try_with_move(explanation, "7e7c+")
    proof = found.proof if found else None
    return ExampleOutcome((
        ExampleFinding("told to the end", "", _yes(explanation.complete), "yes"),
        ExampleFinding("tells how 7e7c+ fails", "", _squares(found), "a drop on 8f"),
        ExampleFinding("and that it fails for good", "", _yes(proof is Proof.ANY_LENGTH), "yes"),
    ), explained=(judgement, explanation))  # fmt: skip


def _scored(questions: ExampleQueries) -> ExampleOutcome:
    here, easy = questions.scored(3), ExampleQueries(EASY).scored(3)
    return ExampleOutcome((
        ExampleFinding("score", "", _stars(here), "37.37 **"),
        ExampleFinding("score of the first mate in 3 of the text's tests", "", _stars(easy), "20.11 **"),
        ExampleFinding(
            "the one that 98 of 183 got wrong scores higher", "yes", _yes(here.score > easy.score)
        ),
    ), difficulty=here)  # fmt: skip


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"


def _stars(difficulty: Difficulty) -> str:
    return f"{difficulty.score:.2f} {'*' * difficulty.stars}"


def _try_with_move(explanation: Explanation, usi: str) -> Try | None:
    return next((one for one in explanation.turns[0].tries if one.check.usi == usi), None)


def _squares(found: Try | None) -> str:
    """Return the answers that refute a check: drops on a square, and moves."""
    if found is None:
        return "not told"
    answers = found.refutations or (found.answer,)
    names = (f"a drop on {a.usi[-2:]}" if a.drop else a.usi for a in answers)
    return ", ".join(dict.fromkeys(names))


_TESTS = "github.com/sugyan/shogi, logic/problem/generator/testdata/isValidProblem"
EXAMPLES = {example.name: example for example in (
    PaperExample("shortest", "The line of a proof is not the best line", SHORTEST,
            "The article of 2018-02-25, which shows it in another position; this one is "
            f"{_TESTS}/3_08_true.csa",
            "df-pn proves that there is a mate, not the shortest: its answer has 5 plies where the best line "
            "has 3. So the best line is looked for among the moves that were proved.", _shortest),
    PaperExample("endless", "The disproof that never ended", ENDLESS,
            "The article of 2021-12-10 and github.com/sugyan/tsumeshogi-solver/issues/2",
            "After 4b4d+ the search went round for ever: 3c3b 4d4a 3b3c 4a4d 3c3b ...", _endless),
    PaperExample("futile", "Interpositions that change nothing", FUTILE,
            "github.com/sugyan/tsumeshogi-solver/issues/20",
            "Three plies are right; the text's solver printed 11, drops between included.", _futile),
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
    PaperExample("explained", "What tsume explain tells of it", EFFECTIVE, "As for effective",
            "The text's programs print the best line. Which checks fail, and how, they do not tell.",
            _explained),
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
NAMES = ("shortest", "endless", "futile", "effective", "cook", "explained", "scored")


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
        if outcome.explained is not None:
            text = explanation_lines(*outcome.explained, parse_sfen(example.sfen), "en", every_try=False)
            print_line("\n".join(["", *text]))
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
