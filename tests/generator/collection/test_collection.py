# SPDX-License-Identifier: GPL-3.0-or-later
"""The choice of a collection: as a plain greedy one, spread over features, in any order of the problems."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from generator import collection
from generator.likeness import shape_and_line
from scripts.fit import fit
from scripts.fitting.quality import RATINGS
from tests.candidates import grown
from tests.sampling import attacks
from tsume_rules.moves import parse_move
from tsume_rules.sfen import canonical_sfen, parse_sfen

POSITIONS = list(attacks(200, seed="collection"))
"""All different: their pieces alone make none of them like another."""


def candidate(number: int, rng: random.Random) -> collection.CollectionCandidate:
    """A problem of random merit, with few features that many have and many that few have."""
    themes = rng.sample(("sacrifice", "decoy", "block", "chuai"), k=rng.randint(1, 3))
    shares = [(("theme", theme), 1 / len(themes)) for theme in themes]
    shares += [(("king", str(int(rng.expovariate(0.3)))), 1.0), (("hand", rng.choice("GGGGS")), 1.0)]
    position = POSITIONS[number]
    return collection.CollectionCandidate(
        number, position, (parse_move("G*5b"),), rng.uniform(0, 100), rng.gauss(50, 10), tuple(shares),
        np.array([rng.gauss(0.3, 1) for _ in range(3)]), (), f"{canonical_sfen(position)} {number}",
    )  # fmt: skip


def candidates(number: int, seed: int) -> list[collection.CollectionCandidate]:
    rng = random.Random(seed)
    return [candidate(index, rng) for index in range(number)]


def worth(problems: Sequence[collection.CollectionCandidate]) -> float:
    """The worth of a set by the definition."""
    shares: Counter[collection.Feature] = Counter()
    for problem in problems:
        for feature, share in problem.shares:
            shares[feature] += share  # type: ignore[assignment]
    points = sum(collection.FEATURE_POINTS[kind] * sqrt(share) for (kind, _), share in shares.items())
    points += sum(problem.merit for problem in problems)
    return points - collection.DISTANCE_POINTS * products(problems) / (len(problems) + collection.FEW)


def products(problems: Sequence[collection.CollectionCandidate]) -> float:
    """Those of the deviations of all pairs of problems."""
    return sum(2.0 * float(one.deviations @ other.deviations) for one, other in combinations(problems, 2))


def plain_greedy(
    problems: Sequence[collection.CollectionCandidate], levels: Sequence[int], quotas: Sequence[int]
) -> list[int]:
    """All problems that may be taken are evaluated each time."""
    taken: list[int] = []
    left = list(quotas)
    while len(taken) < min(sum(quotas), len(problems)):
        free = [i for i in range(len(problems)) if i not in taken]
        allowed = [i for i in free if left[levels[i]] > 0] or free
        now = [problems[i] for i in taken]
        best = max(allowed, key=lambda i: worth([*now, problems[i]]))
        left[levels[best]] -= 1
        taken.append(best)
    return taken


@pytest.mark.parametrize("quotas", [[8], [3, 2, 3], [1, 0, 9], [40, 1, 1]])
@pytest.mark.parametrize("seed", range(4))
def test_the_choice_is_that_of_a_plain_greedy_one(seed: int, quotas: list[int]) -> None:
    problems = candidates(40, seed)
    levels = collection.quantile_levels([(one.score, one.sfen) for one in problems], len(quotas))
    choice = collection.DiverseChoice(problems, levels, lambda _: True, lambda _: None)
    choice.take(dict(enumerate(quotas)))
    assert sorted(choice.chosen) == sorted(plain_greedy(problems, levels, quotas))


def chosen(
    problems: Sequence[collection.CollectionCandidate], number: int, shares: Sequence[float] = (1,)
) -> collection.ChosenGroup:
    return collection.CollectionChooser([problems], lambda _: False).choose(problems, number, shares)


def ids(group: collection.ChosenGroup) -> list[int]:
    return [one.problem.id for one in group.chosen]


@pytest.mark.parametrize("shares", [(1,), (1, 1, 1, 1, 1), (1, 3, 0, 2)])
def test_the_order_of_problems_makes_no_difference(shares: Sequence[float]) -> None:
    problems = candidates(100, 1)
    first = ids(chosen(problems, 30, shares))
    for seed in range(3):
        shuffled = problems.copy()
        random.Random(seed).shuffle(shuffled)
        assert ids(chosen(shuffled, 30, shares)) == first


def test_the_chosen_show_more_than_the_best_do() -> None:
    problems = candidates(200, 2)
    best = sorted(problems, key=lambda one: -one.merit)[:25]
    found = [one.problem for one in chosen(problems, 25).chosen]
    assert worth(found) > worth(best)
    assert products(found) < products(best)
    kings = [{feature for one in some for feature, _ in one.shares if feature[0] == "king"} for some in (found, best)]
    assert len(kings[0]) > len(kings[1])
    middle = sum(one.merit for one in problems) / len(problems)
    assert sum(one.merit for one in found) / len(found) > middle


def test_each_level_has_its_share_and_easy_ones_come_first() -> None:
    group = chosen(candidates(200, 3), 30, (1, 2, 2, 1))
    assert Counter(one.level for one in group.chosen) == {0: 5, 1: 10, 2: 10, 3: 5}
    scores = [one.problem.score for one in group.chosen]
    assert scores == sorted(scores)
    assert [one.level for one in group.chosen] == sorted(one.level for one in group.chosen)


def test_all_are_chosen_if_there_are_too_few() -> None:
    assert len(chosen(candidates(7, 4), 30, (1, 1, 1, 1, 1)).chosen) == 7
    assert chosen([], 30, (1, 1)).chosen == ()
    assert len(chosen(candidates(10, 5), 9, (5, 1)).chosen) == 9


@given(st.integers(0, 10_000), st.lists(st.integers(0, 9), min_size=1, max_size=8).filter(any))
def test_quotas_sum_up_and_are_near_their_shares(number: int, shares: list[int]) -> None:
    quotas = collection.level_quotas(number, shares)
    assert sum(quotas) == number
    assert all(abs(quota - number * share / sum(shares)) < 1 for quota, share in zip(quotas, shares, strict=True))


# --- what is alike ---------------------------------------------------------------------------
def real(number: int, sfen: str, line: str, merit: float = 50.0) -> collection.CollectionCandidate:
    position = parse_sfen(sfen).position
    moves = tuple(map(parse_move, line.split()))
    found = collection.collection_candidate(number, position, moves, (), score=float(number), difficulty={})
    return replace(found, merit=merit)


def test_problems_that_are_alike_are_left_out() -> None:
    problems = [
        real(1, "9/8k/6+S2/6G2/9/9/9/9/9 b - 1", "3d2c 1b1a 2c2b"),
        real(2, "9/k8/2+S6/2G6/9/9/9/9/9 b - 1", "7d8c 9b9a 8c8b", merit=60),
        real(3, "9/8k/6+S2/6G2/9/7P1/9/9/9 b - 1", "3d2c 1b1a 2c2b"),
        real(4, "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b S 1", "4b3a+ 2b3a S*2b 3a2b 4d4b"),
    ]
    group = chosen(problems, 4)
    assert ids(group) == [2, 4]
    assert group.alike.total() == 2
    assert group.candidates == 4
    # what is chosen of one length excludes what is alike of another
    one = [real(1, "9/8k/6+S2/6G2/9/9/9/9/9 b - 1", "3d2c 1b1a 2c2b")]
    other = [real(2, "9/k8/2+S6/2G6/9/1P7/9/9/9 b - 1", "7d8c 9b9a 8c8b")]
    chooser = collection.CollectionChooser([one, other], lambda _: False)
    assert ids(chooser.choose(one, 1)) == [1]
    group = chooser.choose(other, 1)
    assert ids(group) == []
    assert group.alike.total() == 1


def test_known_problems_are_left_out() -> None:
    problems = candidates(20, 6)
    known = ids(chosen(problems, 5))
    group = collection.CollectionChooser([problems], lambda one: one.id in known).choose(problems, 15)
    assert not set(ids(group)) & set(known)
    assert (len(group.chosen), group.known) == (15, 5)


# --- features --------------------------------------------------------------------------------
def test_a_mirror_image_has_the_same_features_deviations_and_rating() -> None:
    for found in (*grown(3, 20, seed=3)[:10], *grown(5, 20, seed=3)[:10]):
        position, line = found.readable
        both = (position, line), (position.mirrored, tuple(move.mirrored for move in line))
        first, other = (collection.collection_features(*one, ("decoy",)) for one in both)
        assert first == other
        away, far = (collection.deviations_from_published(shape_and_line(*one), found.length) for one in both)
        assert (away == far).all()
        assert away.any()
        rating, same = (collection.rating_features(*one, (), {}, shape_and_line(*one)) for one in both)
        assert rating == same


def test_the_features_of_a_problem() -> None:
    one = real(1, "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b S 1", "4b3a+ 2b3a S*2b 3a2b 4d4b")
    features = {kind: value for (kind, value), _ in one.shares}
    assert features["theme"] == "none"
    assert (features["key"], features["key_square"]) == ("B=!", "1,-1")
    assert (features["mate"], features["hand"]) == ("+R 2,0", "S")
    assert features["king"] == features["mate_square"]
    assert {kind for (kind, _), _ in one.shares} == set(collection.FEATURE_POINTS) - {"level"}
    position, line = grown(3, 20, seed=3)[0].readable
    shares = collection.collection_features(position, line, ("decoy", "sacrifice", "decoy"))
    assert [one for one in shares if one[0][0] == "theme"] == [
        (("theme", "decoy"), 0.5), (("theme", "sacrifice"), 0.5),
    ]  # fmt: skip


# --- What published problems have: counted, written, read, and how far problems are from it --------


def test_deviations_are_counted_from_the_mean() -> None:
    counted = collection.PublishedFeatures.of([{"a": 0.0, "b": 2.0}, {"b": 2.0, "a": 4.0}])
    assert counted.deviations({"a": 2.0, "b": 2.0}).tolist() == [0, 0]
    far, rare = counted.deviations({"a": 6.0, "b": 3.0})
    assert far == pytest.approx(2, abs=0.02)
    assert 5 < rare < 6  # no published problem has another number of b
    shape = shape_and_line(parse_sfen("8k/9/8P/9/9/9/9/9/9 b G 1").position, (parse_move("G*1b"),))
    nearest = collection.published_features()[3].deviations(shape)
    assert (collection.deviations_from_published(shape, 1) == nearest).all()


def test_what_is_written_is_read(tmp_path: Path) -> None:
    file = tmp_path / "published.npz"
    collection.write_published_features(collection.published_features(), file)
    with np.load(file) as data:
        for length, one in collection.published_features().items():
            assert data["names"].tolist() == list(one.names)
            assert (data[f"{length} means"] == one.means).all()
            assert (data[f"{length} spreads"] == one.spreads).all()


def test_the_features_are_those_of_the_program() -> None:
    for found in grown(3, 5, seed=1):
        names = set(shape_and_line(*found.readable))
        assert all(set(one.names) == names for one in collection.published_features().values())


def test_the_command_counts_published_problems(tmp_path: Path) -> None:
    file, output = tmp_path / "published.txt", tmp_path / "counted.npz"
    file.write_text("9/8k/6+N2/9/6N2/9/9/9/9 b 2r2b4g4s2n4l18p 1 moves 3e2c+ 1b1a 2c2b\n", encoding="utf-8")
    done = CliRunner().invoke(fit, ["collection", str(file), "-m", "3", "-o", str(output)])
    assert (done.exit_code, done.stdout) == (0, "3 moves: 1 problems\n")
    with np.load(output) as data:
        assert data["3 means"].shape == data["names"].shape


# --- rating ----------------------------------------------------------------------------------------

PLAIN = "7nl/5B1k1/6Ppp/5+R3/9/9/9/9/9 b S 1", "4b3a+ 2b3a S*2b 3a2b 4d4b"
TWO_LAST_MOVES = "8k/9/7G1/9/9/9/9/9/9 b G 1", "G*1b"


def features(problem: tuple[str, str], **difficulty: float) -> dict[str, float]:
    sfen, line = problem
    position, moves = parse_sfen(sfen).position, tuple(map(parse_move, line.split()))
    shape = shape_and_line(position, moves)
    return collection.rating_features(position, moves, ("decoy", "block", "decoy"), difficulty, shape)


def test_what_counts() -> None:
    found = features(PLAIN, captures=1.0, surprise=2.5, resistance=9.0)
    assert set(found) == set(collection.NAMES)
    assert (found["themes"], found["captures"], found["surprise"], found["tries"]) == (2, 1, 2.5, 0)
    assert found["two_last_moves"] == 0
    assert features(TWO_LAST_MOVES)["two_last_moves"] == 1


def test_the_rating_is_a_weighted_sum() -> None:
    weights = np.arange(len(collection.NAMES), dtype=np.float64)
    model = collection.RatingModel(weights, np.array([1.0, 10.0]))
    found = dict.fromkeys(collection.NAMES, 0.0) | {collection.NAMES[1]: 3.0, collection.NAMES[2]: 0.5}
    assert model.relative_rating(found, np.array([0.1, 0.2])) == pytest.approx(3 + 1 + 0.1 + 2)
    stored = collection.stored_rating_model()
    assert stored.weights.shape == (len(collection.NAMES),)
    assert all(stored.deviation_weights.shape == one.means.shape for one in collection.published_features().values())


def test_the_command_prints_the_weights(tmp_path: Path) -> None:
    lines = [line for line in RATINGS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    some, output = tmp_path / "ratings.tsv", tmp_path / "rating.npz"
    some.write_text("\n".join(lines[:40]) + "\n", encoding="utf-8")
    done = CliRunner().invoke(fit, ["rating", str(some), "-o", str(output)], catch_exceptions=False)
    assert done.exit_code == 0
    first, *others = done.stdout.splitlines()
    assert first.startswith("40 ratings; problems not fitted to: ")
    assert [line.split()[0] for line in others[-len(collection.NAMES) :]] == list(collection.NAMES)
    with np.load(output) as data:
        assert data["weights"].shape == (len(collection.NAMES),)
