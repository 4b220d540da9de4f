# SPDX-License-Identifier: GPL-3.0-or-later
"""From a root to problems: the same every time, every one correct and as wished."""

import json
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from generator.acceptance import Rejection, RootStatistics
from generator.acceptance.pipeline import CandidateValidator, SoundCandidateValidator
from generator.candidate import Candidate
from generator.constraints.options import SAMPLED, ComposingOptions, Effort, Style, WalkOptions
from generator.constraints.position import has_given_pieces
from generator.constraints.problem import KingRegion, ProblemConstraints
from generator.problem import GENERATOR_VERSION, Problem, Provenance, line_key
from generator.problem_keys import key_hash
from generator.quality import appraise
from generator.reverse.extender import TESTED, Stage
from generator.run.composer import Composer, RootResult
from generator.run.roots import problems_of_relaxations, relaxations
from generator.themes.table import ThemeProver
from solver.engines.dfpn.engine import DfPnEngine
from solver.judging.judge import Judge
from solver.results import Defect, Grade
from tests import naive
from tests.generator.finds import compose_roots, knowing
from tsume_rules.moves import parse_move
from tsume_rules.packed import pack, pack_move
from tsume_rules.position import Kind, Side, parse_square
from tsume_rules.sfen import canonical, format_sfen, parse_sfen

LENGTHS = (1, 3, 5, 7)
ROOTS = {1: 12, 3: 8, 5: 12, 7: 16}
AT_AN_ANSWER = (Rejection.LONGER_DEFENCE, Rejection.SHORTER_DEFENCE, Rejection.OTHER_DEFENCE)
AT_A_CANDIDATE = (
    Rejection.ALREADY_SEEN, Rejection.MATE_IN_ONE, Rejection.MATE_IN_THREE, Rejection.SHORTER_MATE,
    Rejection.SECOND_MATE,
)  # fmt: skip
OF_FINALISTS = ("finalists", "problems", Rejection.NOT_CORRECT, Rejection.GREY, Rejection.LEFTOVER)
COUNTED = {*Rejection, "roots", "candidates", "defences", "finalists", "problems"}


@pytest.fixture(scope="module")
def results() -> dict[int, list[RootResult]]:
    """A few roots of each length, composed in order."""
    return {
        length: list(islice(compose_roots(3, ComposingOptions(length), "test"), ROOTS[length])) for length in LENGTHS
    }


def composed(options: ComposingOptions, roots: int, seed: int = 3) -> list[Problem]:
    composer = Composer(seed, options, "test")
    return [problem for index in range(roots) for problem in composer.root(index).problems]


def all_problems(results: dict[int, list[RootResult]]) -> list[Problem]:
    return [problem for of_length in results.values() for result in of_length for problem in result.problems]


# --- the same every time ---------------------------------------------------------------------------
@pytest.mark.parametrize("length", LENGTHS)
def test_a_root_does_not_depend_on_those_before(length: int, results: dict[int, list[RootResult]]) -> None:
    fruitful = [result.index for result in results[length] if result.problems][-2:]
    assert fruitful
    backwards = Composer(3, ComposingOptions(length), "test")
    for index in (*reversed(fruitful), 0, *fruitful):
        assert backwards.root(index) == results[length][index]


def test_nor_where_nodes_run_out_all_the_time() -> None:
    options = ComposingOptions(5, effort=Effort(nodes=20, parent_nodes=500), judge_nodes=300)
    used = Composer(3, options, "test")
    in_order = [used.root(index) for index in range(5)]
    assert any(result.counts[Rejection.UNRESOLVED] for result in in_order)
    assert [Composer(3, options, "test").root(index) for index in range(5)] == in_order


def test_seeds_differ_and_problems_have_their_provenance(results: dict[int, list[RootResult]]) -> None:
    other = Composer(4, ComposingOptions(3), "test")
    assert [other.root(i).counts for i in range(3)] != [result.counts for result in results[3][:3]]
    for result in results[5]:
        for problem in result.problems:
            provenance = problem.provenance
            assert provenance is not None
            assert provenance == Provenance(3, result.index, "test", GENERATOR_VERSION)


# --- correct ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("length", LENGTHS)
def test_every_problem_is_correct_canonical_and_minimal(length: int, results: dict[int, list[RootResult]]) -> None:
    problems = [problem for result in results[length] for problem in result.problems]
    assert problems
    for problem in problems:
        judgement = Judge().judge(problem.position, length)
        assert judgement.correct, judgement
        assert not judgement.remarks & Defect.LEFTOVER_IN_VARIATION
        assert problem.judgement.searched is None  # no second solution at any length
        assert judgement.line == problem.line
        assert len(problem.line) == problem.length == length
        assert problem.position == canonical(problem.position)


def test_the_slow_twin_agrees(results: dict[int, list[RootResult]]) -> None:
    for problem in [problem for result in results[3] for problem in result.problems][:8]:
        sfen = format_sfen(problem.position)
        assert naive.length(sfen, 3) == 3
        key, answer = problem.line[:2]
        mating = naive.mating_moves(sfen, 3)
        assert key.usi in mating
        if mating != {key.usi}:  # promoted or not, it is captured at once
            assert {usi.removesuffix("+") for usi in mating} == {key.usi.removesuffix("+")}
            assert answer.target == key.target


def test_problems_are_appraised(results: dict[int, list[RootResult]]) -> None:
    prover = ThemeProver(DfPnEngine(table_bits=14))
    for problem in all_problems(results):
        assert problem.themes == prover.themes(problem.position, problem.line)
        assert problem.quality == appraise(problem.position, problem.line).quality


# --- what is counted -------------------------------------------------------------------------------
@pytest.mark.parametrize("length", LENGTHS)
def test_counts_add_up(length: int, results: dict[int, list[RootResult]]) -> None:
    for result in results[length]:
        counts = result.counts
        assert counts["roots"] == 1
        assert counts["problems"] == len(result.problems) <= ComposingOptions(length).per_root
        assert counts["candidates"] >= sum(counts[reason] for reason in AT_A_CANDIDATE)
        assert counts["defences"] >= sum(counts[reason] for reason in AT_AN_ANSWER)
        assert (
            ComposingOptions(length).finalists
            >= counts["finalists"]
            >= sum(counts[name] for name in OF_FINALISTS if name != "finalists")
        )
        assert set(counts) <= COUNTED
        assert all(number > 0 for number in counts.values())


def test_each_finalist_is_a_problem_or_has_a_reason(results: dict[int, list[RootResult]]) -> None:
    """In one move only finalists are rejected for these reasons, except SAME_LINE, which has others too."""
    for counts in (result.counts for result in results[1]):
        refused = sum(number for name, number in counts.items() if name in set(Rejection)) - sum(
            counts[name] for name in (Rejection.NO_FINAL, Rejection.NO_WAY_BACK, Rejection.SAME_LINE)
        )
        missing = counts["finalists"] - counts["problems"] - refused
        assert 0 <= missing <= counts[Rejection.SAME_LINE]


def test_a_walk_gives_one_problem_and_few_of_its_positions_are_examined() -> None:
    options = WalkOptions.of(3, style=Style.NATURAL)
    composer = Composer(3, options, "test")
    found = [composer.root(index) for index in range(8, 32)]
    assert any(result.problems for result in found)
    for result in found:
        counts = result.counts
        assert len(result.problems) <= options.per_root == 1
        assert counts["finalists"] <= options.finalists < options.kept
        seen = (counts[Rejection.UNLIKELY], counts["finalists"], counts[Rejection.SAME_PROBLEM])
        assert max(seen[:2]) <= counts["candidates"] <= sum(seen)


def test_a_walk_gives_one_problem_whatever_is_asked_for() -> None:
    for asked in (
        {"themes": ["double-king"]}, {"themes": ["decoy"]}, {"max_pieces": 8}, {"hand": "GS"},
        {"region": "edge"}, {"one_finish": True}, {"key": "drop"},
    ):  # fmt: skip
        for length in SAMPLED[::2]:
            wishes = ProblemConstraints.from_dict(asked)
            options = ComposingOptions.of(length, style=Style.NATURAL, wishes=wishes)
            assert options.uses_local_search
            assert options.per_root == 1
    for length in (3, 5, 7, 9):  # what suits walks does not change what grows
        assert ComposingOptions.of(length).per_root > 1
        assert ComposingOptions.of(length, style=Style.NATURAL, per_root=5).per_root == 5


def test_a_natural_problem_repeats_no_manoeuvre(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.acceptance.pipeline.repeats_manoeuvre", lambda _line: True)
    counts = accept_stored_problem(Composer(3, ComposingOptions.of(3, style=Style.NATURAL), "test"))
    assert (counts[Rejection.REPEATED], counts["problems"]) == (1, 0)


def accept_stored_problem(composer: Composer) -> Counter[str]:
    """The counts of the tests of a problem of the collection."""
    position = parse_sfen("7pk/5r3/7B1/9/6B2/9/9/9/9 b G 1").position
    line = tuple(pack_move(parse_move(usi)) for usi in ("3e4d", "4b4d", "G*1b"))
    statistics = RootStatistics()
    candidate = Candidate(pack(position), 3, line, 0)
    deque(composer._acceptance.problems([candidate], Provenance(3, 0, "test"), statistics), maxlen=0)
    return statistics.counts


def test_the_tests_of_the_growth_are_counted_over_all_roots() -> None:
    composer = Composer(3, ComposingOptions(5), "test")
    found = [composer.root(index).counts for index in range(4)]
    assert sum(counts["candidates"] for counts in found) == composer.tally[Stage.NEW, TESTED]
    assert sum(counts["defences"] for counts in found) == composer.tally[Stage.ANSWER_HOLDS, TESTED]
    assert composer.nodes > 0


def test_how_many_are_kept() -> None:
    few = (
        ComposingOptions(3, per_root=1),
        ComposingOptions(3, per_final=1, finals=2),
        ComposingOptions(3, finalists=1),
    )
    for options in (*few, ComposingOptions(3, beam=1)):
        composer = Composer(3, options, "test")
        numbers = [len(composer.root(index).problems) for index in range(16)]
        most = min(options.per_root, options.per_final * options.finals, options.finalists)
        assert 0 < max(numbers) <= most


# --- wishes ----------------------------------------------------------------------------------------
def kinds_of(problem: Problem) -> set[Kind]:
    on_board = {piece.kind.base for piece in problem.position.board if piece is not None}
    return (on_board | set(problem.position.attacker_hand)) - {Kind.KING}


def king_of(problem: Problem) -> int:
    king = problem.position.king(Side.DEFENDER)
    assert king is not None
    return king


WISHES: dict[str, tuple[int, ProblemConstraints, Callable[[Problem], bool]]] = {
    "pieces": (3, ProblemConstraints(max_pieces=4), lambda p: p.position.piece_count() <= 4),
    "hand": (3, ProblemConstraints(hand="G"), lambda p: format_sfen(p.position).split()[2].startswith("G")),
    "no hand": (3, ProblemConstraints(hand="-"), lambda p: not p.position.attacker_hand),
    "only": (3, ProblemConstraints(only="RGS"), lambda p: kinds_of(p) <= {Kind.ROOK, Kind.GOLD, Kind.SILVER}),
    "without": (3, ProblemConstraints(without="PR"), lambda p: not kinds_of(p) & {Kind.PAWN, Kind.ROOK}),
    "corner": (3, ProblemConstraints(region="corner"), lambda p: KingRegion.CORNER.contains_king(king_of(p))),
    "edge": (3, ProblemConstraints(region="edge"), lambda p: KingRegion.EDGE.contains_king(king_of(p))),
    "centre": (3, ProblemConstraints(region="centre"), lambda p: KingRegion.CENTRE.contains_king(king_of(p))),
    "theme": (5, ProblemConstraints(themes=("sacrifice",)), lambda p: "sacrifice" in p.themes),
    "themes": (
        5, ProblemConstraints(themes=("decoy", "sacrifice")),
        lambda p: {"decoy", "sacrifice"} <= set(p.themes)
    ),
    "stars": (3, ProblemConstraints(stars=2), lambda p: p.difficulty.stars == 2),
    "hard": (5, ProblemConstraints(min_score=40.0), lambda p: p.difficulty.score >= 40),
    "easy": (3, ProblemConstraints(max_score=27.0), lambda p: p.difficulty.score <= 27),
    "quality": (3, ProblemConstraints(min_quality=30.0), lambda p: p.quality >= 30),
}  # fmt: skip


def some(options: ComposingOptions) -> list[Problem]:
    """Problems of as many roots as it takes."""
    composer = Composer(3, options, "test")
    found: list[Problem] = []
    for index in range(80):
        found += composer.root(index).problems
        if len(found) >= 8:
            break
    return found


@pytest.mark.parametrize("name", WISHES)
def test_wishes_are_fulfilled(name: str) -> None:
    length, wishes, holds = WISHES[name]
    problems = some(ComposingOptions.of(length, wishes=wishes))
    assert problems
    for problem in problems:
        assert holds(problem), format_sfen(problem.position)
        assert wishes.allow(problem)
        assert problem.length == length
    for problem in problems[:3]:
        assert Judge().judge(problem.position, length).correct


def test_without_the_wish_there_are_others(results: dict[int, list[RootResult]]) -> None:
    """Otherwise the tests of the wishes would show nothing."""
    problems = all_problems(results)
    assert [name for name, (_, _, holds) in WISHES.items() if all(map(holds, problems))] == []


# --- lines that are known --------------------------------------------------------------------------
def fruitful(options: ComposingOptions) -> tuple[int, RootResult]:
    """A root with several problems."""
    composer = Composer(3, options, "test")
    return next((i, found) for i in range(50) if len((found := composer.root(i)).problems) > 1)


def test_no_line_is_given_twice_by_a_root(results: dict[int, list[RootResult]]) -> None:
    for result in (result for of_length in results.values() for result in of_length):
        assert len(set(result.lines)) == len(result.lines)
        assert result.lines == [key_hash(line_key(problem.line)) for problem in result.problems]


def test_known_lines_are_not_given_if_lines_must_differ() -> None:
    options = ComposingOptions(3, ProblemConstraints(distinct_lines=True))
    index, found = fruitful(options)
    later = Composer(3, options, "test").root(index, knowing(found.lines))
    assert not set(later.lines) & set(found.lines)
    assert later.counts[Rejection.SAME_LINE] > found.counts[Rejection.SAME_LINE]


def has_equal_defences(problem: Problem) -> bool:
    judgement = Judge(DfPnEngine(table_bits=16)).judge(problem.position)
    return Defect.EQUAL_DEFENCES in judgement.remarks


def test_otherwise_they_are_given_only_if_there_is_no_other() -> None:
    options = replace(ComposingOptions(3), finalists=40, per_root=20, per_final=20)
    index, found = next(  # with several best lines a new one may turn out to be a known problem
        (i, root)
        for i in range(50)
        if len((root := Composer(3, options, "test").root(i)).problems) > 1
        and not any(has_equal_defences(problem) for problem in root.problems)
    )
    later = Composer(3, options, "test").root(index, knowing(found.lines[:1]))
    assert later.lines
    assert found.lines[0] not in later.lines
    lines = set(found.lines)
    while (later := Composer(3, options, "test").root(index, knowing(lines))).lines and not set(later.lines) <= lines:
        lines |= set(later.lines)
    assert len(later.problems) <= 1  # at most one with a known line


def test_a_composer_forgets_what_a_root_knew() -> None:
    options = ComposingOptions(3, ProblemConstraints(distinct_lines=True))
    index, found = fruitful(options)
    composer = Composer(3, options, "test")
    composer.root(index, knowing(found.lines))
    assert composer.root(index) == found
    index, found = fruitful(ComposingOptions(3))  # lines that nobody found change nothing
    assert Composer(3, ComposingOptions(3), "test").root(index, knowing([0])) == found


# --- options ---------------------------------------------------------------------------------------
def test_options_come_back_from_a_dict() -> None:
    wishes = ProblemConstraints(
        max_pieces=7, hand="R2P", only="RPG", without="L", themes=("decoy", "block"), min_score=1.5,
        max_score=20.0, stars=3, min_quality=40.0, region="edge", no_promoted=True,
    )  # fmt: skip
    effort = Effort(1, 2, 3, 4, 5, 6, 7, 8)
    for options in (
        ComposingOptions(3), ComposingOptions(9, wishes, ("a", "b"), 1, 2, 0.5, 3, 4, 5, effort, 9, 10),
        ComposingOptions(5, grade=Grade.SOUND, style=Style.NATURAL),
    ):  # fmt: skip
        stored = options.to_dict()
        assert ComposingOptions.from_dict(json.loads(json.dumps(stored))) == options
        assert ComposingOptions.from_dict(stored) == options
        assert stored == options.to_dict()
    by_name = ComposingOptions(3).to_dict()
    assert by_name.pop("style") == "free"  # runs stored before there were styles
    assert ComposingOptions.from_dict(by_name).style is Style.FREE


# --- the last judgement ---------------------------------------------------------------------------
@pytest.mark.parametrize("grade", [Grade.PERFECT, Grade.SOUND])
def test_a_problem_is_judged_last_from_an_empty_table(grade: Grade, monkeypatch: pytest.MonkeyPatch) -> None:
    """Themes and scores come after it, each from an empty table as well."""
    events: list[str] = []
    for kind, name in ((DfPnEngine, "forget"), (CandidateValidator, "judge"), (SoundCandidateValidator, "judge")):
        real = kind.__dict__[name]

        def noted(one: Any, *arguments: Any, real: Any = real, name: str = name) -> Any:
            if name == "judge" or one is composer._acceptance.judging:
                events.append(name)
            return real(one, *arguments)

        monkeypatch.setattr(kind, name, noted)
    composer = Composer(3, ComposingOptions.of(3, style=Style.NATURAL, grade=grade, judge_nodes=200_000), "test")
    assert accept_stored_problem(composer)["problems"] == 1
    last = max(place for place, name in enumerate(events) if name == "judge")
    assert events[last - 1] == "forget"


# --- What is asked for with one thing less: which these are, and what is found then ----------------

HALF = "8l/7k1/5R3/9/9/9/9/9/9 b GS 1"
NEVER = ProblemConstraints(themes=("few-pieces",), defenders=6)
"""A problem of few pieces has fewer of the defender alone."""


def names(options: ComposingOptions) -> list[tuple[str, object]]:
    return [(one.name, one.value) for one in relaxations(options)]


def around(**other: object) -> ComposingOptions:
    fixed = tuple(map(parse_square, ("1a", "2b", "4c")))
    return ComposingOptions.of(5, around=HALF, fixed=fixed, style=Style.NATURAL, **other)


def test_every_wish_is_given_up_by_itself() -> None:
    wishes = ProblemConstraints(themes=("chuai", "switchback"), max_pieces=8, key="quiet", no_promoted=True)
    options = ComposingOptions.of(7, wishes=wishes, style=Style.NATURAL)
    found = names(options)
    assert found[:2] == [("themes", "chuai"), ("themes", "switchback")]
    assert sorted(name for name, _ in found[2:]) == [
        "key", "length", "length", "max_pieces", "no_promoted", "style",
    ]  # fmt: skip
    without = {one.value: one.options for one in relaxations(options) if one.name == "themes"}
    assert without["chuai"].wishes == replace(wishes, themes=("switchback",))
    assert without["chuai"].length == 7
    assert without["chuai"].style is Style.NATURAL


def test_each_given_piece_is_and_the_given_hand() -> None:
    found = names(around())
    assert [name for name, _ in found] == [
        "style", "length", "length", "start_hand", "start_piece", "start_piece", "start_piece",
    ]  # fmt: skip
    assert [format(value) for name, value in found if name == "length"] == ["3", "7"]
    by_square = {one.value[1]: one.options for one in relaxations(around()) if one.name == "start_piece"}
    assert by_square[parse_square("1a")].fixed == tuple(map(parse_square, ("2b", "4c")))
    (freed,) = [one.options for one in relaxations(around()) if one.name == "start_hand"]
    assert not parse_sfen(freed.around).position.attacker_hand
    assert parse_sfen(freed.around).position.board == parse_sfen(HALF).position.board


def test_no_length_is_tried_that_cannot_be() -> None:
    hand = ComposingOptions.of(5, wishes=ProblemConstraints(hand="GGG"))
    assert [one.value for one in relaxations(hand) if one.name == "length"] == [7]
    mates = ComposingOptions.of(1)
    assert [one.value for one in relaxations(mates) if one.name == "length"] == [3]
    extended = ComposingOptions.of(5, starts=("8k/6S2/9/7L1/6B2/9/9/9/9 b 2rb4g3s4n3l18p 1",))
    assert not [one for one in relaxations(extended) if one.name == "length"]


def test_what_is_found_is_as_asked_but_for_one_thing() -> None:
    options = ComposingOptions.of(3, wishes=NEVER, style=Style.NATURAL)
    relaxation, problem = next(problems_of_relaxations(options, 1, "test", 300.0))
    assert relaxation.name in ("themes", "defenders")
    assert relaxation.options.wishes.allow(problem)
    assert not options.wishes.allow(problem)
    sfen = format_sfen(problem.position)
    assert naive.length(sfen, 3) == 3
    assert naive.mating_moves(sfen, 3) == {problem.line[0].usi}


def test_given_pieces_stay_but_for_one() -> None:
    never = around(wishes=ProblemConstraints(max_pieces=5))
    for relaxation, problem in problems_of_relaxations(never, 1, "test", 5.0):
        assert has_given_pieces(relaxation.options, problem.position, problem.line)


def test_a_search_for_what_there_is_not_ends() -> None:
    wishes = ProblemConstraints(themes=("chuai", "focal-sacrifice", "double-king"))
    assert not list(problems_of_relaxations(ComposingOptions.of(9, wishes=wishes, style=Style.NATURAL), 1, "test", 0.5))
