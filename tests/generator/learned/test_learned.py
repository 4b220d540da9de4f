# SPDX-License-Identifier: GPL-3.0-or-later
"""The network's kernels against NumPy, and what they draw."""

from itertools import count
from pathlib import Path

import numpy as np
import pytest

from generator.candidate import EMPTY
from generator.constraints.options import ComposingOptions, Style, WalkOptions
from generator.constraints.position import PositionConstraints, position_constraints
from generator.constraints.problem import ProblemConstraints
from generator.kernel.positions import exponential, logarithm
from generator.kernel.traits import DEFENDERS, PIECES
from generator.learned import search
from generator.learned.kernel.network import (
    HAND_PIECE,
    KING_SQUARE,
    MAX_CONDITIONS,
    OPTIONS,
    PIECE,
    PIECE_CODES,
    PLACE,
    PLACE_FILES,
    PLACE_RANKS,
    Network,
    draw_learned_position,
)
from generator.learned.search import (
    CONDITIONS,
    SOUND,
    Decision,
    DecisionReader,
    LearnedSampler,
    NotWritable,
    Step,
    asked_counts,
    conditions_of,
    has_line_conditions,
    network_shapes,
    scratch_for,
    stored_conditions,
    stored_network,
    theme_conditions,
    write_network,
)
from generator.likeness import model_for_length
from generator.local_search.search import PositionSampler, favouring_counts
from generator.run.composer import Composer
from generator.theme_names import NAMES
from generator.themes import THEMES
from solver.engines.dfpn.engine import DfPnEngine
from tests.naive import length as naive_length
from tsume_rules.moves import parse_move
from tsume_rules.packed import PackedPosition, pack, start_faults, unpack
from tsume_rules.position import Position, Side
from tsume_rules.sfen import format_sfen, parse_sfen

PLIES = 5


def small_network(seed: int = 1) -> Network:
    rng = np.random.default_rng(seed)
    shapes = network_shapes(24, 16, 8)
    return Network(*(rng.normal(0, 0.3, shapes[name]).astype(np.float32) for name in Network._fields))


def drawn(network: Network, number: int, seed: int = 7) -> list[Position]:
    pos: PackedPosition = pack(parse_sfen(EMPTY).position)
    state = np.array([seed], dtype=np.uint64)
    scratch, nothing = scratch_for(network), np.zeros(0, dtype=np.int64)
    positions = []
    for _ in range(number):
        draw_learned_position(pos, PLIES, nothing, network, state, scratch)
        positions.append(unpack(pos.copy(), Side.ATTACKER))
    return positions


def chance_by_numpy(network: Network, step: Step, decision: Decision) -> float:
    """The chance of the option that a decision took, in double precision and by matrices."""
    w = {name: array.astype(np.float64) for name, array in network._asdict().items()}
    one = np.maximum(w["first"][step.features].sum(axis=0) + w["first_bias"], 0)
    two = np.maximum(one @ w["second"] + w["second_bias"], 0)
    if decision.kind == PIECE:
        small = (
            two @ w["piece_hidden"] + w["piece_bias"] + w["piece_place"][decision.place]
            + w["piece_state"][decision.state] + w["piece_rank"][decision.rank]
        )  # fmt: skip
        outputs = np.maximum(small, 0) @ w["piece"] + w["piece_out_bias"]
    else:
        head = {KING_SQUARE: "king", HAND_PIECE: "hand", PLACE: "place"}[decision.kind]
        outputs = two @ w[head] + w[f"{head}_bias"]
    chances = np.where(decision.allowed, np.exp(outputs - outputs.max()), 0)
    return float(chances[decision.option] / chances.sum())


def test_positions_and_pieces_come_as_often_as_their_decisions_say() -> None:
    """The first decisions of drawn positions have the frequencies that NumPy computes."""
    network = small_network()
    positions = drawn(network, 3_000)
    reader = DecisionReader()
    kings = np.zeros(45)
    for position in positions:
        kings[position.king(Side.DEFENDER) or 0] += 1
    (step, *_) = reader.steps(pack(positions[0]), PLIES)
    (taken,) = step.decisions
    expected = np.array(
        [
            chance_by_numpy(network, step, Decision(KING_SQUARE, option, taken.allowed))
            for option in range(int(OPTIONS[KING_SQUARE]))
        ]
    )
    deviations = (kings - 3_000 * expected) / np.sqrt(3_000 * expected * (1 - expected))
    assert expected.sum() == pytest.approx(1)
    assert np.abs(deviations).max() < 4.5
    # Of all decisions that were drawn, as many took a likely option as their chances add up to.
    network = small_network(2)
    for kind in (HAND_PIECE, PLACE, PIECE):
        likely, spread, met = 0.0, 0.0, 0
        for position in drawn(network, 250):
            for step in reader.steps(pack(position), PLIES):
                for decision in step.decisions:
                    if decision.kind == kind:
                        first = int(np.flatnonzero(decision.allowed)[0])
                        chance = chance_by_numpy(
                            network, step, Decision(
                                kind, first, decision.allowed, decision.place, decision.state, decision.rank
                            ),
                        )  # fmt: skip
                        likely += chance
                        spread += chance * (1 - chance)
                        met += decision.option == first
        assert abs(met - likely) < 4.5 * np.sqrt(spread) + 1e-9


def test_the_chances_of_a_decision_are_those_of_numpy() -> None:
    """Those of the last decision of a position, whose sums were carried on from decision to decision."""
    network, reader, nothing = small_network(5), DecisionReader(), np.zeros(0, dtype=np.int64)
    pos: PackedPosition = pack(parse_sfen(EMPTY).position)
    scratch, state = scratch_for(network), np.array([4], dtype=np.uint64)
    for _ in range(50):
        draw_learned_position(pos, PLIES, nothing, network, state, scratch)
        step = reader.steps(pos, PLIES)[-1]
        (last,) = step.decisions
        options = np.flatnonzero(last.allowed)
        expected = [chance_by_numpy(network, step, Decision(PLACE, int(one), last.allowed)) for one in options]
        chances = scratch.chances[: len(options)] / scratch.chances[: len(options)].sum()
        assert np.array_equal(scratch.options[: len(options)], options)
        assert chances == pytest.approx(expected, rel=1e-4)


def test_a_seed_draws_the_same_legal_positions() -> None:
    """Right numbers of pieces, no two pawns on a file, no dead pieces; the king is not in check."""
    for position in drawn(small_network(3), 300):
        assert not start_faults(position)
        assert format_sfen(parse_sfen(format_sfen(position)).position) == format_sfen(position)
    first, second = drawn(small_network(), 20), drawn(small_network(), 20)
    assert first == second
    assert drawn(small_network(), 20, seed=8) != first


def test_the_exponential_and_the_logarithm_are_those_of_the_library() -> None:
    for x in np.linspace(-86, 0, 500):
        assert float(exponential(float(x))) == pytest.approx(float(np.exp(x)), rel=1e-12)
    assert exponential(-100.0) == 0
    for x in np.exp(np.linspace(-60, 60, 500)):
        assert float(logarithm(float(x))) == pytest.approx(float(np.log(x)), rel=1e-14, abs=1e-15)


def test_reading_a_position_gives_the_decisions_that_write_it() -> None:
    for position in drawn(small_network(4), 100):
        packed = pack(position)
        steps = DecisionReader().steps(packed, PLIES)
        decisions = [one for step in steps for one in step.decisions]
        king = decisions[0].option
        placed = [
            (
                king // 9 + int(PLACE_FILES[one.place]),
                king % 9 + int(PLACE_RANKS[one.place]),
                int(PIECE_CODES[one.option]),
            )
            for one in decisions
            if one.kind == PIECE
        ]
        board = {
            (sq // 9, sq % 9): piece for sq, piece in enumerate(position.board) if piece is not None and sq != king
        }
        assert {(file, rank) for file, rank, _ in placed} == set(board)
        assert all((code < 16) == (board[file, rank].side is Side.ATTACKER) for file, rank, code in placed)
        held = [one.option + 1 for one in decisions if one.kind == HAND_PIECE][:-1]
        assert [held.count(kind) for kind in range(1, 8)] == list(position.attacker_hand.counts)


def test_a_position_that_cannot_be_written_is_refused() -> None:
    for board in ("k8/9/1P7/9/9/9/9/9/9", "8k/9/7P1/9/9/9/9/9/K8"):
        with pytest.raises(NotWritable):
            DecisionReader().steps(pack(parse_sfen(f"{board} b G2r2b3g4s4n4l17p 1").position), PLIES)


def test_a_network_on_disk_is_the_same_in_half_precision(tmp_path: Path) -> None:
    path = tmp_path / "network.npz"
    network = small_network()
    write_network(network, {3: [(1, 2), (3, 4, 100)]}, path)
    assert [conditions.tolist() for conditions in stored_conditions(3, path)] == [[1, 2], [3, 4, 100]]
    assert len(stored_conditions(5, path)) == 0
    for name, array in stored_network(path)._asdict().items():
        assert np.array_equal(array, getattr(network, name).astype(np.float16).astype(np.float32))


# --- What a root asks of the network, and the walk that follows ------------------------------------

SACRIFICE = "6Gnl/6pkp/9/7S1/9/9/9/9/9 b GS2r2b2g2s3n3l16p 1"


def test_conditions_count_what_a_problem_has() -> None:
    position = parse_sfen(SACRIFICE).position
    line = tuple(parse_move(usi) for usi in ("S*3c", "2a3c", "G*2a"))
    starts = np.cumsum([0, *(condition.values for condition in CONDITIONS)])
    conditions = conditions_of(position, line)
    counted = np.array(conditions[: len(CONDITIONS)]) - starts[:-1]
    found = dict(zip((one.name for one in CONDITIONS), counted, strict=True))
    assert found["defenders"] == 4
    assert found["pieces"] == 9 - CONDITIONS[1].least
    assert found["checking pieces captured at once"] == 1
    assert found["answers not by the king"] == 1
    assert found["checks that capture"] == 0
    assert found["sort of the first check"] == 0  # a drop
    assert found["sort of the last check"] == 0  # a gold is dropped
    assert found["two last moves"] == 0
    assert set(theme_conditions(["sacrifice", "decoy"])) < set(conditions)
    assert SOUND in conditions
    assert SOUND not in conditions_of(position, line, sound=False)


def test_the_conditions_of_themes_do_not_depend_on_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    fitted = {
        tag: name.condition for tag, name in NAMES.items() if name.condition is not None
    }  # a network that is fitted again may know more
    assert (fitted["sacrifice"], fitted["long-drop"], fitted["decoy"], fitted["few-pieces"]) == (60, 68, 83, 100)
    assert len({*fitted.values(), SOUND}) == len(fitted) + 1
    assert sum(condition.values for condition in CONDITIONS) <= min(fitted.values())
    assert max(*fitted.values(), SOUND) < MAX_CONDITIONS
    # A theme that the network does not know is no condition, neither of what is drawn nor of what is met.
    monkeypatch.delitem(search._THEMES, "decoy")
    assert theme_conditions(["sacrifice", "decoy"]) == (60,)
    position = parse_sfen("6Gnl/6pkp/9/7S1/9/9/9/9/9 b GS2r2b2g2s3n3l16p 1").position
    line = tuple(map(parse_move, ("S*3c", "2a3c", "G*2a")))
    assert fitted["decoy"] not in conditions_of(position, line)
    assert 60 in conditions_of(position, line)
    assert asked_counts(conditions_of(position, line)) == (4, 9)


@pytest.mark.parametrize("length", [3, 5, 7, 9])
def test_published_conditions_are_known_for_each_length(length: int) -> None:
    stored = stored_conditions(length)
    assert len(stored) > 100
    counts = np.array([asked_counts(one) for one in stored])
    assert 2.5 < counts[:, 0].mean() < 5
    assert 7 < counts[:, 1].mean() < 12


def test_a_model_biased_to_counts_costs_each_piece_too_many_or_too_few() -> None:
    model = model_for_length(5)
    lost = model.values - favouring_counts(model, 3, 8).values
    assert np.allclose(lost[DEFENDERS : DEFENDERS + 6], [6, 4, 2, 0, 2, 4])
    assert np.allclose(lost[PIECES + 6 : PIECES + 11], [4, 2, 0, 2, 4])
    assert np.count_nonzero(lost) == 39 + 40


def test_positions_are_drawn_until_one_mates_in_time() -> None:
    """Every position that the sampler returns mates in exactly so many plies."""
    state = np.array([3], dtype=np.uint64)
    sampler = LearnedSampler(DfPnEngine(table_bits=16), state, stored_network())
    for _ in range(8):
        packed, number = sampler.draw(3, 5_000, 1_000, stored_conditions(3)[0])
        assert packed is not None
        assert 1 <= number <= 5_000
        assert naive_length(format_sfen(unpack(packed, Side.ATTACKER)), 3) == 3


def test_a_line_is_of_the_kind_asked_for_if_it_has_the_same_features() -> None:
    position = parse_sfen(SACRIFICE).position
    line = tuple(parse_move(usi) for usi in ("S*3c", "2a3c", "G*2a"))
    asked = list(conditions_of(position, line))
    assert has_line_conditions(asked, position, line)
    asked[3] += 1  # one more piece captured at once
    assert has_line_conditions(asked, position, line)
    asked[3] -= 2
    assert not has_line_conditions(asked, position, line)


def test_a_position_has_a_line_even_with_second_solutions() -> None:
    """A line as long as the mate, if nothing is left in the hand at its end."""
    engine, length = DfPnEngine(table_bits=16), 3
    sampler = PositionSampler(engine, np.array([1], dtype=np.uint64))
    two_keys = "7nl/7k1/9/6G2/9/9/9/9/9 b 2G2r2bg4s3n3l18p 1"
    assert naive_length(two_keys, length) == length
    found = sampler.with_line(pack(parse_sfen(two_keys).position), length, 10_000)
    assert found is not None
    assert len(found.line) == length
    spare = "7nl/7k1/9/6G2/9/9/9/9/9 b 2GP2r2bg4s3n3l17p 1"
    assert naive_length(spare, length) == length
    assert sampler.with_line(pack(parse_sfen(spare).position), length, 10_000) is None


def test_themes_are_asked_of_the_network() -> None:
    options = ComposingOptions.of(5, style=Style.NATURAL, wishes=ProblemConstraints(themes=("sacrifice",)))
    assert options.uses_network
    problems = next(found for index in count() if (found := Composer(3, options, "test").root(index).problems))
    assert all("sacrifice" in problem.themes for problem in problems)


@pytest.mark.parametrize("theme", [name for name in THEMES if name != "picture"])
def test_themes_that_constrain_positions_are_left_to_the_walk_that_meets_them(theme: str) -> None:
    options = ComposingOptions.of(5, style=Style.NATURAL, wishes=ProblemConstraints(themes=(theme,)))
    assert options.uses_local_search
    assert options.uses_network is (position_constraints(options) == PositionConstraints())


def test_a_root_gives_the_same_problems_again() -> None:
    options = ComposingOptions.of(3, style=Style.NATURAL)
    assert options.uses_network
    index, found = next(
        (index, found) for index in count() if (found := Composer(2, options, "test").root(index).problems)
    )
    assert Composer(2, options, "test").root(index).problems == found
    assert all(problem.length == 3 for problem in found)


@pytest.mark.parametrize("options", [
    ComposingOptions.of(3),
    ComposingOptions.of(13, style=Style.NATURAL),
    ComposingOptions.of(3, style=Style.NATURAL, wishes=ProblemConstraints(max_pieces=6)),
    ComposingOptions.of(3, style=Style.NATURAL, wishes=ProblemConstraints(defenders=2)),
    WalkOptions.of(3, style=Style.NATURAL),
])  # fmt: skip
def test_restricted_problems_are_composed_without_the_network(options: ComposingOptions) -> None:
    assert not options.uses_network


def test_without_the_network_walks_are_as_long_as_from_other_draws() -> None:
    walked = WalkOptions.of(3, style=Style.NATURAL)
    restricted = ComposingOptions.of(3, style=Style.NATURAL, wishes=ProblemConstraints(defenders=2))
    assert walked.uses_local_search
    steps = (restricted.unseen, restricted.kept, restricted.steps)
    assert (walked.unseen, walked.kept, walked.steps) == steps
