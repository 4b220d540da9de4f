# SPDX-License-Identifier: GPL-3.0-or-later
"""Sugyan2018: a df-pn solver's answers, and what had to be added to make solutions of them.

The text is a series of articles (memo.sugyan.com: "逆算方式による詰将棋の問題生成プログラム",
2017-11; "df-pnアルゴリズムを用いた詰将棋Solverによる最善解・余詰の導出", 2018-02-25; two on a
solver in Rust, 2021-11 and 2021-12-10) with two programs, their tests and their bug
reports (github.com/sugyan/shogi, github.com/sugyan/tsumeshogi-solver). It has no numbered
sections: an example names the article, report or test it is taken from. Each is put to
this program, and where the text speaks of plain df-pn to that as well
(`tsume.papers.sugyan2018.dfpn`). docs/papers/sugyan2018.md walks through them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from solver.explaining.explanation import Explanation, Proof, Try
from solver.results import Difficulty, Interposition
from tsume.papers.sugyan2018.questions import ExampleQueries, Explained, usi_line_text
from tsume_rules.position import Position
from tsume_rules.sfen import parse_sfen

SHORTEST = "8k/6R2/5b3/8G/9/8+R/9/9/9 b b3g4s4n4l18p 1"
ENDLESS = "7+P1/5R1s1/6ks1/9/5L1p1/9/9/9/9 b R2b4g2s4n3l16p 1"
FUTILE = "9/9/6P2/9/4B4/9/6R2/7k+p/9 b Grb3g4s4n4l16p 1"
EFFECTIVE = "9/9/3pp4/+r2k1p3/2L1+p4/2+R6/B8/B8/9 b 4g4s4n3l14p 1"
COOK = "6k2/9/4+RG3/9/9/9/9/9/9 b R2b3g4s4n4l18p 1"
EASY = "7kl/9/6+P1p/9/9/9/9/9/9 b S2r2b4g3s4n3l16p 1"


@dataclass(frozen=True)
class ExampleFinding:
    """One thing looked at: what the text says of it ("" for nothing) and what came out here.

    ``expected`` is what should come out; None: what the text says. ``why`` tells why the two
    may differ.
    """

    what: str
    text: str
    here: str
    expected: str | None = None
    why: str = ""

    @property
    def as_expected(self) -> bool:
        """Whether it came out as it should."""
        return self.here == (self.text if self.expected is None else self.expected)

    @property
    def agrees(self) -> bool:
        """Whether the text and this program say the same, as far as the text says anything."""
        return self.text in ("", self.here)


@dataclass(frozen=True)
class ExampleOutcome:
    """What an example came to; ``explained`` and ``difficulty`` where it is about them."""

    findings: tuple[ExampleFinding, ...]
    explained: Explained | None = None
    difficulty: Difficulty | None = None

    @property
    def as_expected(self) -> bool:
        """Whether all came out as it should."""
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
                _squares(_try_with_move(questions.explained().explanation, "7e7c+")), "a drop on 8f"),
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
    explained = questions.explained()
    found = _try_with_move(explained.explanation, "7e7c+")
    proof = found.proof if found else None
    return ExampleOutcome((
        ExampleFinding("told to the end", "", _yes(explained.explanation.complete), "yes"),
        ExampleFinding("tells how 7e7c+ fails", "", _squares(found), "a drop on 8f"),
        ExampleFinding("and that it fails for good", "", _yes(proof is Proof.ANY_LENGTH), "yes"),
    ), explained=explained)  # fmt: skip


def _scored(questions: ExampleQueries) -> ExampleOutcome:
    here, easy = questions.scored(3), ExampleQueries(EASY).scored(3)
    return ExampleOutcome((
        ExampleFinding("score", "", _stars(here), "32.10 *****"),
        ExampleFinding("score of the first mate in 3 of the text's tests", "", _stars(easy), "26.34 *"),
        ExampleFinding(
            "the one that 98 of 183 got wrong scores higher", "yes", _yes(here.score > easy.score)
        ),
    ), difficulty=here)  # fmt: skip


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"


def _stars(difficulty: Difficulty) -> str:
    return f"{difficulty.score:.2f} {'*' * difficulty.stars}"


def _try_with_move(explanation: Explanation, usi: str) -> Try | None:
    """How a first check fails, as explained."""
    return next((one for one in explanation.turns[0].tries if one.check.usi == usi), None)


def _squares(found: Try | None) -> str:
    """The answers that refute a check: drops on a square, and moves."""
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
