# SPDX-License-Identifier: GPL-3.0-or-later
"""Composing by local search: what comes of it is correct as far as the margin goes, and needs all it has."""

from collections.abc import Iterator
from functools import cache
from itertools import count

import numpy as np
import pytest

from generator.acceptance.pipeline import CandidateValidator
from generator.candidate import Candidate
from generator.constraints.options import ComposingOptions, Style
from generator.constraints.position import PositionConstraints
from generator.constraints.problem import ProblemConstraints, count_defenders, has_promoted, key_kinds
from generator.kernel import traits
from generator.kernel.traits import ATTACKERS, DEFENDERS, HANDS, KINGS, OFFSET, PLACES, RANKS, TRAITS
from generator.likeness import LikenessModel, model_for_length
from generator.local_search.kernel.walk import draw_likely_position
from generator.local_search.search import (
    AGAINST,
    REPAIR_EDITS,
    PositionSampler,
    ThemeTarget,
    biased_model,
    nodes_for_length,
    walk_towards_themes,
)
from generator.run.composer import Composer
from generator.themes import THEMES
from generator.themes.purposes import LineProbe
from solver.engines.dfpn.engine import DfPnEngine
from solver.engines.iterative.engine import IterativeEngine
from solver.judging.given import contains_line
from solver.solving.tree import all_turns
from tests import naive
from tests.candidates import (
    assert_exact_lengths,
    assert_lines_mate,
    assert_no_second_solution,
    assert_the_slow_twin_agrees,
    grown,
    plain_model,
    rates,
    root_of,
    shown,
    traits_of,
)
from tests.generator.kernel.twins import line_traits, position_traits
from tests.positions import assert_sane, in_bytes
from tsume_rules.kernel.tables import SQUARE
from tsume_rules.moves import parse_move
from tsume_rules.packed import PackedPosition, pack, start_faults, unpack
from tsume_rules.position import HAND_KINDS, Kind, Position
from tsume_rules.sfen import format_sfen, parse_sfen

MARGIN = 2
PARTS, STEPS = 4, 60
TRIES = {3: 16, 5: 24, 7: 24}
"""How many starts are tried, by length."""


def sampler(seed: int) -> PositionSampler:
    return PositionSampler(DfPnEngine(table_bits=16), np.array([seed], dtype=np.uint64))


def walked(n: int, seed: int, tries: int, model: LikenessModel) -> Iterator[list[Candidate]]:
    """Starts that were found, each with what walks from it came to."""
    made = sampler(seed)
    for _ in range(tries):
        start = made.draw_start(n, REPAIR_EDITS, model)
        if start is not None:
            yield [start, *made.walks(start, PARTS, STEPS, model)]


@cache
def candidates() -> tuple[Candidate, ...]:
    """Starts and what came of them, of 3, 5 and 7 plies."""
    return tuple(
        candidate for n, tries in TRIES.items() for walk in walked(n, n, tries, plain_model()) for candidate in walk
    )


def flat(walks: list[list[Candidate]]) -> list[tuple[bytes, tuple[int, ...]]]:
    return [(in_bytes(candidate.packed), candidate.line) for walk in walks for candidate in walk]


# --- what is found ---------------------------------------------------------------------------------
def test_candidates_have_one_solution_of_exactly_their_length() -> None:
    lengths = [candidate.length for candidate in candidates()]
    assert min(lengths.count(n) for n in TRIES) > 10
    assert_exact_lengths(candidates())
    assert_the_slow_twin_agrees([candidate for candidate in candidates() if candidate.length == 3][:25])
    assert_lines_mate(candidates())
    assert_no_second_solution(candidates(), MARGIN)


def test_candidates_are_legal_and_have_a_best_line_that_leaves_nothing_in_hand() -> None:
    for candidate in candidates():
        assert_sane(candidate.packed)
        assert start_faults(unpack(candidate.packed)) == [], shown(candidate)
        assert contains_line(root_of(candidate), candidate.line), shown(candidate)
        assert not any(any(turn.final_leftovers) for turn in all_turns(root_of(candidate))), shown(candidate)


def test_hardly_any_has_a_needless_piece() -> None:
    """Pieces are tried once each, so one may stay that became needless when a later one was taken off."""
    validator = CandidateValidator(DfPnEngine(table_bits=16))
    needless = [
        shown(candidate)
        for candidate in candidates()
        if validator.minimised(candidate.packed, candidate.line) != unpack(candidate.packed)
    ]
    assert len(needless) <= len(candidates()) / 25, needless


# --- how it is found -------------------------------------------------------------------------------
def test_a_start_that_is_not_found_is_none() -> None:
    alone = np.zeros(TRAITS)  # a king without any other piece
    alone[[KINGS, ATTACKERS, DEFENDERS, *(HANDS + 20 * kind for kind in HAND_KINDS)]] = 1
    assert sampler(1).draw_start(3, REPAIR_EDITS, LikenessModel.of_any_opening(np.zeros(TRAITS), alone)) is None
    found = [sampler(seed).draw_start(5, 0, plain_model()) for seed in range(12)]
    assert None in found
    start = grown(3)[0]
    assert list(sampler(1).walks(start, 3, 0, plain_model())) == []
    assert list(sampler(1).walks(start, 0, STEPS, plain_model())) == []


@pytest.mark.parametrize("n", [3, 5])
def test_the_same_state_gives_the_same_results(n: int) -> None:
    """An engine with a full table may run out of nodes elsewhere; a new or emptied one does not."""
    one, again, other = (flat(list(walked(n, seed, 8, plain_model()))) for seed in (5, 5, 6))
    assert one == again
    assert one != other


def test_an_emptied_engine_is_as_a_new_one() -> None:
    engine, state = DfPnEngine(table_bits=16), np.zeros(1, dtype=np.uint64)
    made, found = PositionSampler(engine, state), []
    for seed in (9, 4, 9):
        engine.forget()
        state[0] = seed
        starts = [made.draw_start(3, REPAIR_EDITS, plain_model()) for _ in range(4)]
        found.append(flat([[start, *made.walks(start, 2, STEPS, plain_model())] for start in starts if start]))
    assert found[0] == found[2] != found[1]


def test_what_was_given_is_not_changed_later() -> None:
    """The kernels work in the same arrays each time."""
    made, then = sampler(2), []
    kept = [start for _ in range(12) if (start := made.draw_start(3, REPAIR_EDITS, plain_model()))]
    then += flat([kept])
    for start in list(kept):
        for candidate in made.walks(start, PARTS, STEPS, plain_model()):
            kept.append(candidate)
            then += flat([[candidate]])
    assert len(kept) > 20
    assert flat([kept]) == then


def test_walks_come_to_other_positions_with_other_pieces_and_lines() -> None:
    walks = list(walked(3, 1, 12, plain_model()))
    for walk in walks:
        assert walk[1:], shown(walk[0])
        families = [candidate.family for candidate in walk[1:]]
        assert families == sorted(set(families))
        assert max(families) < PARTS
    assert len({candidate.line for walk in walks for candidate in walk}) > 2 * len(walks)


def test_a_walk_may_begin_with_a_grown_position() -> None:
    made, reached = sampler(3), 0
    twin = IterativeEngine(table_bits=16)
    for start in grown(3)[:8]:
        before = in_bytes(start.packed)
        for candidate in made.walks(start, 2, STEPS, plain_model()):
            assert candidate.length == 3
            assert twin.mates(candidate.packed, 3), shown(candidate)
            assert contains_line(root_of(candidate), candidate.line), shown(candidate)
            reached += 1
        assert in_bytes(start.packed) == before
    assert reached > 4


def test_a_walk_goes_on_to_what_the_model_calls_likely() -> None:
    values = np.random.default_rng(1).normal(0, 0.5, TRAITS)
    model = LikenessModel.of_any_opening(values, rates())
    before, after = [], []
    for walk in walked(3, 1, 24, model):
        before.append(float(traits_of(walk[0]) @ values))
        after.append(float(traits_of(walk[-1]) @ values))
    assert len(before) > 8
    assert np.mean(after) > np.mean(before) + 1


def test_longer_problems_have_more_nodes_up_to_a_bound() -> None:
    nodes = [nodes_for_length(n) for n in range(1, 40, 2)]
    assert nodes == sorted(nodes)
    assert nodes[0] > 0
    assert nodes[-1] == nodes[-2]


# --- The biased model: what is wished costs nothing, what is not wished costs ----------------------

FLAT = LikenessModel.of_any_opening(np.zeros(TRAITS), np.ones(TRAITS))
BOARDS = [
    "9/8k/6+S2/6G2/9/9/9/9/9", "7+lk/9/6S2/9/9/9/9/9/9", "5gnkl/6g1p/4R4/4B4/9/9/9/9/9",
    "4k4/9/9/9/9/9/9/9/9", "7nk/5G1ps/7+R1/9/9/9/9/9/9", "7nk/5G1ps/7+r1/9/9/9/9/9/9",
]  # fmt: skip


def position_of(board: str) -> Position:
    return parse_sfen(f"{board} b G 1").position


def test_where_no_trait_is_wished_the_model_stays() -> None:
    for wishes in ({}, {"defenders": 0}, {"one_finish": True}, {"hand": "-"}, {"stars": 2}):
        assert biased_model(FLAT, ProblemConstraints.from_dict(wishes), 5) is FLAT, wishes


def test_missing_defenders_and_promoted_pieces_cost() -> None:
    for position in map(position_of, BOARDS):
        found = position_traits(position)
        for fewest in (1, 2, 3, 5):
            model = biased_model(FLAT, ProblemConstraints(defenders=fewest), 5)
            missing = max(0, fewest - count_defenders(position))
            assert sum(model.values[trait] * n for trait, n in found.items()) == -AGAINST * missing
        model = biased_model(FLAT, ProblemConstraints(no_promoted=True), 5)
        cost = sum(model.values[trait] * n for trait, n in found.items())
        assert bool(cost < 0) is has_promoted(position)
        assert any(model.rates[trait] == 0 for trait in found) is has_promoted(position)


def test_another_first_move_costs() -> None:
    """In lines of up to three moves the traits tell just what is wished."""
    for sfen, line in (
        ("9/2b6/kS7/lp7/2P6/9/9/9/9 b GS2rb3g2s4n3l16p 1", "S*8b 9c8c G*9c"),
        ("8S/5R1Bk/5r3/8p/9/9/9/9/9 b b4g3s4n4l17p 1", "2b1c+ 1b1c 4b2b+"),
        ("9/8k/6+S2/6G2/9/9/9/9/9 b 2r2b3g3s4n4l18p 1", "3d2c 1b1a 2c2b"),
        ("7kn/5G3/7G1/9/9/9/9/9/9 b 2r2b2g4s3n4l18p 1", "4b3a"),
        ("8k/6G2/7B1/9/9/9/9/9/9 b G 1", "G*1b"),
        ("7lk/6G2/8S/9/9/9/9/9/9 b G 1", "G*1b 1a1b 3b2b"),
    ):
        position, moves = parse_sfen(sfen).position, tuple(map(parse_move, line.split()))
        shown_traits, kinds = line_traits(position, moves), key_kinds(position, moves)
        for key in ("quiet", "drop", "sacrifice"):
            model = biased_model(FLAT, ProblemConstraints(key=key), len(moves))
            cost = sum(model.values[trait] * n for trait, n in shown_traits.items())
            begun = sum(model.opening[trait] * n for trait, n in shown_traits.items())
            assert (bool(cost == 0), bool(begun == 0)) == (key in kinds, key in kinds), (line, key)


def test_a_number_that_people_never_have_is_drawn_if_wished() -> None:
    rates = np.zeros(TRAITS)
    rates[DEFENDERS + 2] = 1.0
    model = biased_model(LikenessModel.of_any_opening(np.zeros(TRAITS), rates), ProblemConstraints(defenders=9), 5)
    assert np.flatnonzero(model.rates[DEFENDERS : DEFENDERS + 40]).tolist() == [9]


def test_problems_are_as_wished_and_the_style_stays() -> None:
    wishes = ProblemConstraints(no_promoted=True, defenders=2, one_finish=True)
    options = ComposingOptions.of(3, wishes=wishes, style=Style.NATURAL)
    assert options.uses_local_search
    composer = Composer(1, options, "test")
    problems = next(found for index in count() if (found := composer.root(index).problems))
    assert all(wishes.allow(problem) for problem in problems)
    assert Composer(1, options, "test").root(problems[0].provenance.index).problems == problems  # type: ignore[union-attr]


# --- Nearness to a purpose: 1 where a theme of answers has it, less where it has not ---------------

BY_FEWEST = ("interposition", "moved-interposition", "chuai", "given-interposition")


def test_a_purpose_is_reached_where_nothing_is_in_the_way() -> None:
    engine = DfPnEngine(table_bits=16)
    values = []
    for candidate in [*found(("interposition",), 400), *found(("moved-interposition",), 200)]:
        for tag in candidate.shown_themes(BY_FEWEST):
            probe = LineProbe(engine, candidate.replayed, candidate.readable[1])
            purpose, nearness = THEMES[tag].purpose, THEMES[tag].nearness
            assert purpose is not None
            assert nearness is not None
            values.append(nearness(probe))
            assert (values[-1] == 1.0) == purpose(probe)
    assert 1.0 in values
    assert all(theme.purpose is not None for theme in THEMES.values() if theme.nearness is not None)


# --- Walks that look for themes: what they give shows all of them and is sound ---------------------

N = 3


def found(themes: tuple[str, ...], tries: int = 200, parts: int = 20) -> list[Candidate]:
    engine = DfPnEngine(table_bits=16)
    sampler = PositionSampler(engine, np.array([3], dtype=np.uint64))
    target = ThemeTarget(engine, themes)
    model = model_for_length(N).with_any_opening()
    starts = [sampler.draw_start(N, REPAIR_EDITS, model) for _ in range(tries)]
    return [
        candidate
        for start in starts
        if start is not None
        for candidate in walk_towards_themes(sampler, start, target, parts, model)
    ]


@pytest.mark.parametrize("themes", [("sacrifice",), ("sacrifice", "decoy"), ("decoy",)])
def test_all_themes_show_and_the_position_is_sound(themes: tuple[str, ...]) -> None:
    candidates = found(themes, 400)
    assert len(candidates) > 5
    assert all(candidate.shown_themes(themes) == set(themes) for candidate in candidates)
    assert_exact_lengths(candidates[::5])
    assert_lines_mate(candidates[::5])
    assert_no_second_solution(candidates[::5], 2)


def test_themes_that_are_wished_rank_higher() -> None:
    target = ThemeTarget(DfPnEngine(table_bits=16), ("chuai", "sacrifice"))
    for candidate in found(("sacrifice",), 100):
        shown = candidate.shown_themes({"chuai", "sacrifice"})
        assert len(shown) * 10 <= target.rank(candidate) < (len(shown) + 1) * 10
        assert (target.rank(candidate) >= target.enough_rank) == (len(shown) == 2)
    # a theme shown by another piece is not promising
    target = ThemeTarget(DfPnEngine(table_bits=16), ("sacrifice",), ("sacrifice:G",))
    ranks = [(one.replayed.turns[0].check.kind, target.rank(one)) for one in found(("sacrifice",))]
    assert len({kind for kind, _ in ranks}) > 1
    assert all((rank >= target.promising_rank) == (kind == Kind.GOLD) for kind, rank in ranks)


# --- Drawn positions: legal, of pieces where people put them, and mates in exactly n plies ---------

EMPTY = "8k/9/9/9/9/9/9/9/9 b - 1"
MAX_TRIES, NODES = 3000, 1000
NOTHING = PositionConstraints().packed()


def drawn(
    n: int, number: int, tries: int = MAX_TRIES, start: str = EMPTY, seed: int = 0
) -> Iterator[tuple[int, PackedPosition]]:
    """``number`` draws, one after the other, each with the number of positions it took."""
    engine, state = DfPnEngine(table_bits=16), np.array([seed], dtype=np.uint64)
    packed = pack(parse_sfen(start).position)
    for _ in range(number):
        taken = int(draw_likely_position(engine.arena(packed), n, tries, NODES, rates(), state, NOTHING))
        yield taken, packed.copy()


def positions(n: int, number: int) -> list[Position]:
    """Positions that were drawn, without a draw that found none."""
    return [unpack(packed) for taken, packed in drawn(n, number) if taken]


@pytest.mark.parametrize("n", [1, 3])
def test_the_slow_twin_finds_a_mate_of_the_same_length(n: int) -> None:
    found = positions(n, 10)
    assert len(found) > 4
    for position in found:
        assert naive.length(format_sfen(position), n) == n, format_sfen(position)


def test_the_other_engine_finds_mates_in_five() -> None:
    engine, found = IterativeEngine(table_bits=16), positions(5, 20)
    assert len(found) > 3
    for position in found:
        packed = pack(position)
        assert engine.mates(packed, 5), format_sfen(position)
        assert not engine.mates(packed, 3), format_sfen(position)


def test_they_are_legal() -> None:
    for n in (1, 3, 5):
        for taken, packed in drawn(n, 8):
            assert 0 <= taken <= MAX_TRIES
            assert_sane(packed)
            assert not taken or start_faults(unpack(packed)) == []


def test_pieces_stand_where_people_put_them() -> None:
    out = np.zeros(TRAITS, dtype=np.int64)
    for position in positions(3, 10):
        found = set(out[: traits.position_traits(pack(position), out, 0)].tolist())
        for trait in found:
            of_place = OFFSET <= trait < RANKS or KINGS <= trait < HANDS + 8 * 20
            assert not of_place or rates()[trait] > 0, (format_sfen(position), trait)
            assert not OFFSET <= trait < RANKS or (trait - OFFSET) % PLACES < PLACES - 1


def test_the_king_stands_on_the_right() -> None:
    """Its mirror images are as likely, so they are not drawn."""
    for _, packed in drawn(3, 20):
        assert SQUARE[int(packed.king[1])] // 9 <= 4


def test_draws_are_repeatable() -> None:
    others = [format_sfen(unpack(candidate.packed)) for candidate in grown(3)[:4]]
    expected = [(taken, in_bytes(packed)) for taken, packed in drawn(3, 3)]
    for start in others:
        assert [(taken, in_bytes(packed)) for taken, packed in drawn(3, 3, start=start)] == expected
    one, other = ([in_bytes(packed) for _, packed in drawn(3, 3, seed=seed)] for seed in (1, 2))
    assert one != other
    assert [taken for taken, _ in drawn(1, 2, tries=0)] == [0, 0]
    assert {taken for taken, _ in drawn(3, 20, tries=1)} == {0, 1}
