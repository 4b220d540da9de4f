# SPDX-License-Identifier: GPL-3.0-or-later
"""The two views of a problem, on small positions; lines need not be solutions to be described."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import exp, log
from pathlib import Path

import numpy as np
import pytest

from generator import likeness as module
from generator.kernel.traits import TRAITS
from generator.likeness import (
    LEAF,
    PERCENTS,
    BoostedTrees,
    Features,
    LikenessModel,
    ModelError,
    choice_features,
    likeness_of,
    line_features,
    model_for_length,
    placement_features,
    shape_and_line,
    shape_features,
    stored_models,
    stored_trees,
    traits_of_line,
    traits_of_position,
    traits_of_problem,
    trees_for_length,
    write_models,
    write_trees,
)
from generator.replay import replay_line
from tests.generator.themes.examples import EXAMPLES
from tsume_rules.moves import Move, parse_move
from tsume_rules.packed import pack, pack_move
from tsume_rules.position import Position
from tsume_rules.sfen import parse_sfen

Example = tuple[Position, tuple[Move, ...]]


def example(sfen: str, line: str) -> Example:
    return parse_sfen(sfen).position, tuple(map(parse_move, line.split()))


HOME = example("7nl/7k1/9/7P1/9/9/9/9/9 b G 1", "G*2c")
SACRIFICE = example("8k/9/9/9/9/9/9/9/9 b 2G 1", "G*1b 1a1b G*1c")
DOUBLE_CHECK = example("8k/9/8N/9/8L/9/9/9/9 b G 1", "1c2a+ 1a2a G*2b")
INTERPOSITION = example("8k/9/9/9/9/9/9/9/9 b RG 1", "R*1e P*1b 1e1b+")
IN_THE_MIDDLE = example("4k4/9/3PP4/9/9/9/9/9/9 b G 1", "G*5b")
PROBLEMS = (HOME, SACRIFICE, DOUBLE_CHECK, INTERPOSITION, IN_THE_MIDDLE)


def has(features: Features, expected: Mapping[str, float]) -> None:
    assert {name: features[name] for name in expected} == expected


@pytest.mark.parametrize(("position", "line"), PROBLEMS)
def test_a_mirror_image_has_the_same_features(position: Position, line: tuple[Move, ...]) -> None:
    mirrored = tuple(move.mirrored for move in line)
    assert shape_and_line(position, line) == shape_and_line(position.mirrored, mirrored)
    assert placement_features(position) == placement_features(position.mirrored)


def test_shape_and_line_has_the_same_names_for_all_problems() -> None:
    found = [shape_and_line(*each) for each in PROBLEMS]
    assert len({tuple(features) for features in found}) == 1
    assert all(math.isfinite(value) for features in found for value in features.values())
    position, line = SACRIFICE
    assert not set(shape_features(position)) & set(line_features(replay_line(position, line)))


def test_pieces_squares_and_checks_at_the_start_are_counted() -> None:
    has(shape_features(HOME[0]), {
        "pieces": 5, "attackers": 1, "defenders": 2, "attacker pawn": 1, "defender knight": 1,
        "defender pawn": 0, "defender kinds": 2, "attacker's king": 0, "hand": 1, "hand gold": 1,
        "hand rook": 0,
        "king file from edge": 2, "king rank": 2, "king from corner": 1, "empty beside king": 6,
        "defenders beside king": 2, "attackers beside king": 0, "attacked beside king": 1, "flights": 5,
        "attacker farthest": 2, "defender farthest": 1, "defender mean distance": 1, "defenders near": 2,
        "height": 4, "width": 2, "lowest rank": 4, "pieces above king": 2,
        "checks": 7, "checks by drop": 5, "checks by move": 2, "checks that take": 0,
    })  # fmt: skip


def test_form_is_what_a_game_might_leave() -> None:
    has(shape_features(HOME[0]), {"lance at home": 1, "knight at home": 1, "lances and knights at home": 2})
    elsewhere = parse_sfen("6nl1/7k1/9/7P1/9/9/9/9/9 b G 1").position
    has(shape_features(elsewhere), {"lances and knights at home": 0})
    facing = parse_sfen("8k/9/7p1/9/9/9/7P1/9/9 b G 1").position
    has(shape_features(facing), {"pawns facing": 1, "defender pawns on ranks 3, 4": 1, "attackers on ranks 7 to 9": 1})


def test_who_can_be_taken_and_who_is_guarded() -> None:
    position = parse_sfen("8k/7s1/7S1/7P1/9/9/9/9/9 b G 1").position
    has(
        shape_features(position),
        {"attackers attacked": 1, "attackers guarded": 1, "defenders attacked": 1, "defenders guarded": 1},
    )


def test_the_moves_of_a_line_are_counted() -> None:
    has(shape_and_line(*SACRIFICE), {
        "drops": 2, "drops gold": 2, "key is drop": 1, "key drops gold": 1, "key moves gold": 0,
        "key distance": 1, "key is sacrifice": 1, "sacrifices": 1, "big sacrifices": 0,
        "sacrifices of drops": 1, "king takes": 1, "king moves": 0, "king's displacement": 1,
        "king's squares": 2, "squares of checks": 2, "captures": 0,
        "heuristic piece-taken": 1, "heuristic taken-by-piece": 0,
        "end: attackers": 1, "end: hand": 0, "end: attackers beside king": 1,
    })  # fmt: skip
    has(shape_and_line(*DOUBLE_CHECK), {
        "key moves knight": 1, "key promotes": 1, "key discovers": 1, "key way": 2, "double checks": 1,
        "discovered checks": 1, "promotions": 1, "non-promotions": 0, "last is drop": 1, "last drops gold": 1,
        "end: attackers that never moved": 1,
    })  # fmt: skip
    has(shape_and_line(*INTERPOSITION), {
        "distant drops": 1, "distant checks": 1, "key distance": 4, "drops between": 1, "moves between": 0,
        "captures": 1, "recaptures": 1, "last takes": 1, "last promotes": 1, "same piece again": 1,
        "pieces that check": 1, "end: hand": 2,
    })  # fmt: skip


def test_a_move_without_promotion_counts_only_where_it_could_promote() -> None:
    declined = example("8k/9/9/7S1/9/9/9/9/9 b G 1", "2d2c")
    has(shape_and_line(*declined), {"non-promotions": 1, "key stays unpromoted": 1})
    far_below = example("9/9/9/9/8k/9/9/7S1/9 b G 1", "2h2g")
    has(shape_and_line(*far_below), {"non-promotions": 0})


def test_pieces_stand_at_offsets_from_the_king_on_the_right() -> None:
    assert placement_features(HOME[0]) == {
        "king on 22": 1.0, "king file": 2, "king rank": 2, "hand gold": 1, "attacker pawn at +0+2": 1.0,
        "defender knight at +0-1": 1.0, "defender lance at -1-1": 1.0,
    }  # fmt: skip
    # a king in the middle has most pieces on its right
    has(placement_features(IN_THE_MIDDLE[0]), {"king file": 5, "attacker pawn at -1+2": 1.0})


# --- choosing by likeness --------------------------------------------------------------------------

TREES = BoostedTrees(
    names=["pieces", "hand"],
    #        a tree of three leaves                    one of a single leaf
    feature=[0, LEAF, 1, LEAF, LEAF, LEAF],
    threshold=[5.5, 0.0, 0.5, 0.0, 0.0, 0.0],
    below=[1, 0, 3, 0, 0, 0],
    above=[2, 0, 4, 0, 0, 0],
    value=[0.0, 1.0, 0.0, 0.25, -2.0, 0.125],
    roots=[0, 5],
    base=0.5,
    level=1.0,
)
"""Whether there are more than five pieces, and if so, whether any is in hand."""


@pytest.fixture
def _forgetful() -> Iterator[None]:
    """What a test stores is forgotten after it."""
    caches = trees_for_length.cache_clear, model_for_length.cache_clear
    for clear in caches:
        clear()
    yield
    for clear in caches:
        clear()


def test_the_values_of_all_trees_and_the_base_add_up() -> None:
    for pieces, hand, value in (
        (3, 0, 1.0), (5.5, 9, 1.0), (6, 0, 0.25), (6, 0.5, 0.25), (6, 1, -2.0), (40, 18, -2.0)
    ):  # fmt: skip
        assert TREES.log_ratio({"pieces": pieces, "hand": hand, "other": 1.0}) == 0.5 + value + 0.125
    assert TREES.log_ratio({}) == 0.5 + 1.0 + 0.125, "a missing feature counts as 0"
    assert TREES.log_ratio({"pieces": 7}) == 0.5 + 0.25 + 0.125
    assert BoostedTrees([], [], [], [], [], [], [], -3.0, 0.0).log_ratio({"pieces": 1}) == -3.0


def test_the_chance_is_the_ratio_up_to_the_level() -> None:
    for example in EXAMPLES:
        ratio = TREES.log_ratio(choice_features(example.position, example.line))
        chance = TREES.probability_published(example.position, example.line)
        assert 0 < chance <= 1
        assert log(chance) == pytest.approx(min(0, ratio - 1.0))
        assert replace(TREES, level=ratio).probability_published(example.position, example.line) == 1
        assert replace(TREES, level=ratio + 2).probability_published(example.position, example.line) == pytest.approx(
            exp(-2)
        )
        for level in (-1000.0, 1000.0):
            assert 0 <= replace(TREES, level=level).probability_published(example.position, example.line) <= 1
    assert len({TREES.probability_published(example.position, example.line) for example in EXAMPLES}) > 1


def test_the_features_are_those_of_both_views() -> None:
    example = EXAMPLES[0]
    one, other = shape_and_line(example.position, example.line), placement_features(example.position)
    found = choice_features(example.position, example.line)
    assert set(found) == {*one, *other}
    assert all(found[name] == value for name, value in {**one, **other}.items())


def test_trees_are_read_as_they_were_written(tmp_path: Path) -> None:
    """The values here are eighths, which single precision keeps; thresholds are kept as they are."""
    longer = replace(TREES, names=["king on 21", "hand"], threshold=[0.1] * 6, level=-0.75)
    file = tmp_path / "trees.npz"
    assert stored_trees(file) == {}
    write_trees({11: longer, 3: TREES}, file)
    assert stored_trees(file) == {3: TREES, 11: longer}


@pytest.mark.usefixtures("_forgetful")
def test_the_nearest_length_is_used_and_of_two_the_shorter(monkeypatch: pytest.MonkeyPatch) -> None:
    trees = {7: replace(TREES, level=7.0), 3: replace(TREES, level=3.0)}
    monkeypatch.setattr(module, "stored_trees", lambda: trees)
    for length, nearest in ((1, 3), (5, 3), (7, 7), (9, 7), (31, 7)):
        assert trees_for_length(length) is trees[nearest]
    trees_for_length.cache_clear()
    monkeypatch.setattr(module, "stored_trees", dict)
    assert trees_for_length(3) is None
    models = {n: random_model(n) for n in (13, 3, 7)}
    monkeypatch.setattr(module, "stored_models", lambda: models)
    for length, nearest in ((1, 3), (3, 3), (5, 3), (7, 7), (9, 7), (11, 13), (15, 13), (31, 13)):
        assert model_for_length(length) is models[nearest]


def test_the_generators_own_trees_can_be_used() -> None:
    """There may be none yet."""
    for trees in stored_trees().values():
        for example in EXAMPLES:
            assert 0 <= trees.probability_published(example.position, example.line) <= 1


# --- Likeness: the place of a problem among published ones, and the file that holds what it takes ---

POSITION = parse_sfen("8k/9/8P/9/9/9/9/9/9 b 2G 1").position
LINE: tuple[Move, ...] = tuple(map(parse_move, ("G*2b", "1a2b", "G*2c")))


def sum_of_values(model: LikenessModel) -> float:
    """The sum for the example."""
    traits = traits_of_problem(pack(POSITION), tuple(map(pack_move, LINE)))
    return float(model.values[traits].sum())


@pytest.mark.parametrize(
    ("above", "likeness"), [(-9, 0), (0, 0), (5, 5), (7.5, 8), (50, 50), (99, 99), (100, 100), (120, 100)]
)
def test_likeness_is_interpolated_between_the_ranks(
    above: float, likeness: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = model_for_length(3)
    here = replace(model, ranks=sum_of_values(model) - above + np.array(PERCENTS))
    monkeypatch.setattr("generator.likeness.model_for_length", {3: here}.get)
    assert likeness_of(POSITION, LINE) == likeness


def test_mirror_images_are_alike() -> None:
    mirrored = tuple(move.mirrored for move in LINE)
    assert likeness_of(POSITION.mirrored, mirrored) == likeness_of(POSITION, LINE)


def test_the_ranks_of_a_model_are_those_of_its_problems() -> None:
    model = LikenessModel.of_any_opening(np.zeros(TRAITS), np.zeros(TRAITS)).with_ranks(np.arange(200.0, -1.0, -1.0))
    assert np.allclose(model.ranks, [2 * percent for percent in PERCENTS])
    for stored in stored_models().values():
        assert stored.ranks.shape == (len(PERCENTS),)
        assert (np.diff(stored.ranks) >= 0).all()


def test_models_are_read_as_they_are_written(tmp_path: Path) -> None:
    """In half precision; what was read is written unchanged."""
    file, made = tmp_path / "values.npz", {7: random_model(1), 3: random_model(2)}
    write_models(made, file)
    assert set(stored_models(file)) == {3, 7}
    for length, model in stored_models(file).items():
        assert model.values.dtype == model.rates.dtype == np.float64
        assert np.allclose(model.values, made[length].values, rtol=2**-11, atol=0.0051)
        assert np.allclose(model.rates, made[length].rates, rtol=2**-11, atol=5.1e-6)
    for written in (stored_models(), stored_models(file), dict[int, LikenessModel]()):
        write_models(written, tmp_path / "some.npz")
        read = stored_models(tmp_path / "some.npz")
        assert read.keys() == written.keys()
        for length, model in read.items():
            for name in ("values", "rates", "ranks"):
                assert np.array_equal(getattr(model, name), getattr(written[length], name))


def test_a_model_without_ranks_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "old.npz"
    np.savez(path, allow_pickle=False, **{"5": np.zeros(TRAITS), "rates 5": np.zeros(TRAITS)})
    with pytest.raises(ModelError, match=r"old\.npz has no opening 5, level 5, ranks 5"):
        stored_models(path)


def test_a_line_may_be_longer_than_any_before() -> None:
    """The king goes to and fro between checks of a rook; nobody counts how often."""
    position = parse_sfen("k8/9/9/9/9/9/9/9/8R b - 1").position
    turn = ("9a9b", "1a1b", "9b9a", "1b1a")
    line = tuple(map(parse_move, ("1i1a", *turn * 300)))
    short = traits_of_line(pack(position), tuple(map(pack_move, line[:3])))
    assert len(traits_of_line(pack(position), tuple(map(pack_move, line)))) > len(line)
    assert traits_of_line(pack(position), tuple(map(pack_move, line[:3]))).tolist() == short.tolist()


def test_the_traits_of_a_position_are_those_it_has_with_any_line() -> None:
    alone = traits_of_position(pack(POSITION))
    together = traits_of_problem(pack(POSITION), tuple(map(pack_move, LINE)))
    assert list(together[: len(alone)]) == list(alone)
    assert 0 < len(alone) < len(together)


# --- The model of what people compose: its file, and which length's model is used ------------------


def random_model(seed: int) -> LikenessModel:
    random = np.random.default_rng(seed)
    values, rates, opening = random.normal(0, 2, (3, TRAITS))
    return LikenessModel(values, abs(rates), opening, 1.5, np.sort(random.normal(0, 9, len(PERCENTS))))


def test_the_generators_own_models_fit_the_traits() -> None:
    models = stored_models()
    assert models
    for length, model in models.items():
        assert length % 2
        assert model.values.shape == model.rates.shape == (TRAITS,)
        assert np.isfinite(model.values).all()
        assert np.isfinite(model.rates).all()
        assert (model.rates >= 0).all()
    assert model_for_length(min(models)) is model_for_length(min(models))
