# SPDX-License-Identifier: GPL-3.0-or-later
"""Long works: what they are extended from, and where the search goes on."""

import re
from dataclasses import replace
from itertools import islice
from types import SimpleNamespace

import numpy as np
import pytest

from generator.acceptance import RootStatistics
from generator.acceptance.pipeline import CandidateAcceptance
from generator.candidate import Candidate
from generator.constraints.options import LONG, REPEATED_MOTIF, SMOKE_FROM, ComposingOptions, Style
from generator.constraints.problem import ProblemConstraints
from generator.reverse import construction
from generator.reverse.construction import (
    LongConstruction,
    RepeatingConstruction,
    mates_with_three_pieces,
    merit_of_long_work,
    smoke_level,
)
from generator.run.composer import Composer
from generator.run.novelty import NOTHING
from generator.themes.predicates import repetitions_of_motif
from solver.engines.dfpn.engine import DfPnEngine
from solver.results import Grade
from tests import naive
from tests.candidates import assert_exact_lengths, assert_lines_mate, shown
from tests.places import ROOT
from tsume.collection import CORES, cores_of_long_works, read_collection
from tsume.uses.checking import Checker, CheckOptions
from tsume.uses.composing import composing_options
from tsume_rules.moves import parse_move, position_after_all
from tsume_rules.packed import legal_checks, origin_of, pack, pack_move, target_of
from tsume_rules.sfen import format_sfen, parse_sfen

STARTS = [one.problem for one in read_collection() if one.problem.length == 17][::3]
LENGTH = LONG + 2


def options(**given: object) -> ComposingOptions:
    starts = tuple(format_sfen(start.position) for start in STARTS)
    return ComposingOptions.of(LENGTH, **{"style": Style.NATURAL, "starts": starts, "beam": 30, **given})


@pytest.fixture(scope="module")
def extended() -> list[Candidate]:
    return Composer(1, options(), "test").candidates(0)


def test_given_problems_are_extended_to_the_length(extended: list[Candidate]) -> None:
    assert {one.length for one in extended} == {LENGTH}
    assert_lines_mate(extended[:20])
    assert_exact_lengths(extended[:4])
    for one in extended:
        assert one.readable[1][4:] == STARTS[one.family].line


def test_no_other_first_move_mates_as_soon(extended: list[Candidate]) -> None:
    engine = DfPnEngine(table_bits=18)
    for one in extended[:8]:
        key, mating = one.line[0], engine.mating(one.packed, legal_checks(one.packed), one.length)
        assert {(origin_of(move), target_of(move)) for move in mating} == {(origin_of(key), target_of(key))}, shown(one)


def test_the_same_root_gives_the_same_positions(extended: list[Candidate]) -> None:
    again = Composer(1, options(), "test").candidates(0)
    assert [one.line for one in again] == [one.line for one in extended]


class Tree:
    """An extender whose children are given by the family of their parent."""

    def __init__(self, children: dict[int, list[int]]) -> None:
        self.parents: list[int] = []
        self._children = children

    def children(self, parent: Candidate) -> list[Candidate]:
        self.parents.append(parent.family)
        longer = replace(parent, length=parent.length + 2)
        return [replace(longer, family=family) for family in self._children.get(parent.family, [])]


def test_where_the_longest_die_out_shorter_ones_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    given = options(beam=1, temperature=0.0)
    engine, state = DfPnEngine(table_bits=16), np.zeros(1, dtype=np.uint64)
    work = LongConstruction(engine, given, state, CandidateAcceptance(engine, given, NOTHING))
    work.begin(0, RootStatistics())
    tree = Tree({1: [10, 11], 10: [100], 11: [110]})
    start = Candidate(pack(STARTS[0].position), LENGTH - 6, (), 1)
    monkeypatch.setattr(work, "_extender", tree)
    monkeypatch.setattr(work, "_starts", lambda _: iter([start]))
    assert work.candidates(0, np.random.default_rng(1)) == []
    assert sorted(tree.parents) == [1, 10, 11, 100, 110]
    places = {family: place for place, family in enumerate(tree.parents)}
    assert places[100] + 1 == places[11] or places[110] + 1 == places[10]


def test_pieces_and_checks_cost_merit() -> None:
    one, other = (
        Candidate(pack(parse_sfen(f"{rank}/9/9/9/9/9/9/9/9 b G 1").position), 1, (), 0, checks=3)
        for rank in ("8k", "7pk")
    )
    assert merit_of_long_work(one) > merit_of_long_work(other)
    assert merit_of_long_work(one) > merit_of_long_work(replace(one, checks=4))


@pytest.mark.parametrize(
    ("length", "given", "is_long"), [(LONG - 2, {}, False), (LONG, {}, True), (LONG, {"starts": ()}, False)]
)
def test_which_runs_compose_long_works(length: int, given: dict[str, object], is_long: bool) -> None:
    made = replace(options(), length=length, **given)  # type: ignore[arg-type]
    assert made.composes_long == is_long


@pytest.mark.parametrize(("begins", "ends", "is_smoke"), [(SMOKE_FROM, 3, True), (SMOKE_FROM, 8, False), (9, 3, False)])
def test_which_runs_compose_smoke(begins: int, ends: int, is_smoke: bool) -> None:
    wishes = ProblemConstraints(min_pieces=begins, end_pieces=ends)
    assert ComposingOptions.of(LONG, wishes=wishes).composes_smoke == is_smoke


def test_natural_long_works_begin_with_problems_of_the_collection() -> None:
    cores = set(cores_of_long_works())
    assert {one.problem.length for one in read_collection() if format_sfen(one.problem.position) in cores} == set(CORES)
    for length, wishes, starts in (
        (LONG, ProblemConstraints(), cores_of_long_works()),
        (LONG - 2, ProblemConstraints(), ()),
        (LONG, ProblemConstraints(themes=("picture",)), ()),
    ):
        assert composing_options(length, wishes, 20).starts == starts


PAGE = (ROOT / "docs/long_composing.md").read_text(encoding="utf-8")
LISTED = re.findall(r"^\| (\d+) \| (?:\d+ \| )?(\d+) \| `(.+)` \|$", PAGE, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize(("length", "pieces", "sfen"), LISTED)
def test_the_works_of_the_page_are_perfect_and_the_smoke_is_sound(length: str, pieces: str, sfen: str) -> None:
    position, is_smoke = parse_sfen(sfen).position, int(pieces) >= 36
    judgement = Checker(CheckOptions(evidence=False)).judge(position, seconds=60.0)
    assert (judgement.length, judgement.grade) == (int(length), Grade.SOUND if is_smoke else Grade.PERFECT)
    last = position_after_all(position, judgement.line)
    assert not is_smoke or [sum(map(bool, one.board)) for one in (position, last)] == [int(pieces), 3]


# --- works in which a motif repeats ---------------------------------------------------------------

LANCES = parse_sfen("7+S1/8k/3r2+nL1/7Lb/7L1/7Ls/7R1/9/9 b b4g2s3n18p 1").position
ROUND = "2{}2b+ 1b1c 2b1b 1c1b "
"""Four lances come up one after another."""


def test_rounds_are_taken_back_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    given = ComposingOptions.of(17, wishes=ProblemConstraints(themes=(REPEATED_MOTIF,)))
    assert given.composes_repetitions
    rounds = tuple(map(parse_move, (3 * ROUND).format(*"cde").split()))
    last = tuple(map(parse_move, (ROUND + "2g2b+").format("f").split()))
    base = Candidate(pack(position_after_all(LANCES, rounds)), len(last), tuple(map(pack_move, last)), 0)
    engine, state = DfPnEngine(table_bits=16), np.zeros(1, dtype=np.uint64)
    work = RepeatingConstruction(engine, given, state, CandidateAcceptance(engine, given, NOTHING))
    work.begin(0, RootStatistics())
    monkeypatch.setattr(construction, "_TREES", 4)
    monkeypatch.setattr(construction, "_EDITS", 0)
    monkeypatch.setattr(work, "_bases", lambda *_: iter([base]))
    found = work.candidates(0, np.random.default_rng(1))
    assert found
    assert_lines_mate(found)
    assert_exact_lengths(found[:4])
    assert {repetitions_of_motif(one.replayed) for one in found} == {4}
    assert {one.readable[1][-5:] for one in found} == {last}


# --- smoke ---------------------------------------------------------------------------------------


def test_mates_with_three_pieces() -> None:
    found = list(islice(mates_with_three_pieces(np.random.default_rng(1), 20_000), 20))
    assert len(set(found)) == 20
    for position in found:
        assert position.piece_count() == 3
        assert naive.mated_within(naive.board_of(format_sfen(position)), 0)


@pytest.fixture(scope="module")
def smoke() -> list[Candidate]:
    wishes = ProblemConstraints(min_pieces=SMOKE_FROM, end_pieces=3)
    given = ComposingOptions.of(45, style=Style.NATURAL, grade=Grade.SOUND, wishes=wishes)
    assert given.composes_smoke
    return Composer(3, given, "test").candidates(0)


@pytest.mark.slow
def test_smoke_leaves_three_pieces(smoke: list[Candidate]) -> None:
    assert smoke
    assert_lines_mate(smoke[:20])
    for one in smoke:
        position, line = one.readable
        assert position.piece_count() >= SMOKE_FROM
        assert sum(piece is not None for piece in position_after_all(position, line).board) == 3
        assert one.length <= 45


def test_what_led_far_is_worth_more() -> None:
    rng = np.random.default_rng(1)
    checks = len(construction._FEATURES) * [0.0]
    checks[construction._FEATURES.index("checks")] = 1.0
    some = [SimpleNamespace(features=rng.normal(size=len(checks)), level=int(rng.integers(20, 24))) for _ in range(400)]
    for one in some:
        one.highest = one.level + max(0, round(2 + 2 * float(one.features @ checks)))
    weights = construction.learned_weights(some)  # type: ignore[arg-type]
    assert int(np.argmax(np.abs(weights))) == construction._FEATURES.index("checks")
    assert float(weights @ checks) > 0.5


def test_a_new_level_is_told_to_all_from_which_it_came() -> None:
    sfens = ("8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1", "8k/9/8G/9/9/9/9/9/9 b 2r2b3g4s4n4l18p 1")
    bare, fuller = (Candidate(pack(parse_sfen(sfen).position), 1, (), 0) for sfen in sfens)
    first = construction._Reached(bare, 1)
    second = construction._Reached(bare, 1, first)
    construction._Reached(fuller, 1, second).tell_ancestors()
    assert (first.highest, second.highest) == (4, 4)


def test_pawns_bring_smoke_farther_than_other_pieces() -> None:
    levels = [
        smoke_level(Candidate(pack(parse_sfen(sfen).position), 1, (), 0))
        for sfen in ("8k/9/9/9/9/9/9/9/9 b G2r2b3g4s4n4l18p 1", "8k/9/8G/9/9/9/9/9/9 b 2r2b3g4s4n4l18p 1",
                     "8k/9/8+P/9/9/9/9/9/9 b 2r2b4g4s4n4l17p 1")
    ]  # fmt: skip
    assert levels == [2, 4, 5]
