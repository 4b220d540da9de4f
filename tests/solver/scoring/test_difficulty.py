# SPDX-License-Identifier: GPL-3.0-or-later
from __future__ import annotations

import pytest

from solver.engines.dfpn.engine import DfPnEngine
from solver.limits import LimitReached
from solver.results import Difficulty, Limits, MateBounds
from solver.scoring import difficulty
from solver.scoring.difficulty import BASE, STEPS_OF_LENGTH, WEIGHTS, Scorer, star_steps, stars_of
from solver.scoring.prooftree import TreeSize, measure_line, measure_proof_tree
from solver.solving.deepening import LAST_RAISED, search_length
from solver.solving.tree import TreeBuilder
from tests.places import ROOT
from tsume_rules.packed import legal_checks, line_played, pack
from tsume_rules.sfen import canonical, parse_sfen

PROBLEMS = [
    ("8k/9/8P/8L/9/9/9/9/9 b 2r2b4g4s4n3l17p 1", 1),
    ("9/9/6S2/8k/9/7R1/9/9/9 b r2b4g3s4n4l18p 1", 3),
    ("9/6S1k/9/7L1/9/9/9/9/9 b 2r2b4g3s4n3l18p 1", 3),
    ("9/9/8k/9/9/7R1/9/9/9 b Gr2b3g4s4n4l18p 1", 5),
    ("6G1k/9/8P/8S/8L/9/9/9/9 b 2r2b3g3s4n3l17p 1", 5),
]


def scored(scorer: Scorer, sfen: str, length: int) -> Difficulty:
    return scorer.score(parse_sfen(sfen).position, length)


@pytest.fixture(scope="module")
def fresh() -> list[Difficulty]:
    return [scored(Scorer(), sfen, length) for sfen, length in PROBLEMS]


def test_mirror_images_score_the_same(fresh: list[Difficulty]) -> None:
    scorer = Scorer()
    for (sfen, length), expected in zip(PROBLEMS, fresh, strict=True):
        assert scorer.score(parse_sfen(sfen).position.mirrored, length) == expected


def test_the_score_does_not_depend_on_what_was_scored_before(fresh: list[Difficulty]) -> None:
    used = Scorer()
    backwards = [scored(used, sfen, length) for sfen, length in reversed(PROBLEMS)]
    assert backwards[::-1] == fresh


def test_a_generous_limit_changes_nothing_and_a_tight_one_is_said(fresh: list[Difficulty]) -> None:
    sfen, length = PROBLEMS[-1]
    scorer = Scorer()
    with pytest.raises(LimitReached):
        scorer.score(parse_sfen(sfen).position, length, Limits(nodes=3))
    assert scorer.score(parse_sfen(sfen).position, length, Limits(nodes=1_000_000)) == fresh[-1]


def test_the_score_is_the_weighted_sum_and_the_stars_follow_it(fresh: list[Difficulty]) -> None:
    for (_, length), found in zip(PROBLEMS, fresh, strict=True):
        assert set(found.features) >= set(WEIGHTS)
        total = BASE + sum(weight * found.features[name] for name, weight in WEIGHTS.items())
        assert found.score == round(total, 2)
        assert found.stars == stars_of(found.score, length)


def test_stars_compare_problems_of_one_length() -> None:
    for length, steps in STEPS_OF_LENGTH.items():
        assert star_steps(length) == steps
        assert list(steps) == sorted(steps)
        around = [steps[0] - 0.01, *steps]
        assert [stars_of(score, length) for score in around] == [1, 2, 3, 4, 5]


def test_lengths_without_published_problems_have_steps_too() -> None:
    longest = max(STEPS_OF_LENGTH)
    for length in (2, 4, 30, 701):
        steps = star_steps(length)
        assert list(steps) == sorted(steps)
    assert star_steps(3) < star_steps(4) < star_steps(5)
    assert star_steps(longest) < star_steps(longest + 2) < star_steps(longest + 200)


def test_features_say_what_they_are_called(fresh: list[Difficulty]) -> None:
    for (sfen, length), found in zip(PROBLEMS, fresh, strict=True):
        assert found.features["length"] == length
        assert found.features["pieces"] == parse_sfen(sfen).position.piece_count()
    assert fresh[2].features["non_promotions"] == 0
    assert fresh[4].features["sacrifices"] == 1  # 1c1b+ is taken
    assert fresh[3].features["captures"] == 0
    assert fresh[0].features["open_squares"] == 2
    for found in fresh:
        assert found.features["hardest_try"] <= found.features["log_refutation_work"]


def test_every_feature_and_weight_is_documented() -> None:
    path = ROOT / "docs" / "difficulty.md"
    if not path.exists():
        pytest.skip(f"no {path.name} yet")
    text = path.read_text(encoding="utf-8")
    for name, weight in WEIGHTS.items():
        assert f"| `{name}` | {weight} |" in text
    for length, steps in STEPS_OF_LENGTH.items():
        assert f"| {length} | {' | '.join(map(str, steps))} |" in text


def test_features_without_a_weight_are_documented(fresh: list[Difficulty]) -> None:
    path = ROOT / "docs" / "difficulty.md"
    if not path.exists():
        pytest.skip(f"no {path.name} yet")
    text = path.read_text(encoding="utf-8")
    for name in set(fresh[0].features) - set(WEIGHTS):
        assert f"| `{name}` | – |" in text


def test_the_proof_tree_of_a_mate_in_one() -> None:
    record = pack(parse_sfen(PROBLEMS[0][0]).position)
    assert measure_proof_tree(DfPnEngine(table_bits=12), record, 1) == TreeSize(
        turns=1, checks=2, defences=1, answers=0
    )


def test_tree_sizes_add_up() -> None:
    assert TreeSize(1, 2, 3, 4) + TreeSize(10, 20, 30, 40) == TreeSize(11, 22, 33, 44)
    assert TreeSize(1, 2, 3, 4).nodes == 4


# --- long works, here short ones measured alike -----------------------------------------------


def test_long_works_have_the_same_features(fresh: list[Difficulty], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(difficulty, "LONGEST_FITTED", 0)
    scorer = Scorer()
    for (sfen, length), short in zip(PROBLEMS, fresh, strict=True):
        found = scored(scorer, sfen, length)
        assert list(found.features) == list(short.features)
        by_search = {"log_peak_proof_number", "checks_per_turn", "log_proof_tree", "answers_per_check"}
        assert all(found.features[name] == short.features[name] for name in {*short.features} - by_search)
        assert scorer.score(parse_sfen(sfen).position.mirrored, length) == found
        assert scored(Scorer(), sfen, length) == found


def test_the_search_for_the_length_of_a_long_work_serves_its_score(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(difficulty, "LONGEST_FITTED", 0)
    for sfen, length in PROBLEMS:
        engine = DfPnEngine(table_bits=16)
        record, position = pack(canonical(parse_sfen(sfen).position)), parse_sfen(sfen).position
        search_length(engine, record, Limits(), since=MateBounds(LAST_RAISED))
        found = Scorer(for_long_works=engine).score(position, length, is_searched=True)
        assert found == Scorer(for_long_works=engine).score(position, length)


def test_a_limit_ends_the_score_of_a_long_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(difficulty, "LONGEST_FITTED", 0)
    sfen, length = PROBLEMS[-1]
    with pytest.raises(LimitReached):
        Scorer(for_long_works=DfPnEngine()).score(parse_sfen(sfen).position, length, Limits(nodes=3))


def test_the_main_line_alone_counts_its_own_turns() -> None:
    for sfen, length in PROBLEMS:
        record, engine = pack(parse_sfen(sfen).position), DfPnEngine(table_bits=16)
        line = TreeBuilder(engine, complete=False, order=int).line(record, length)
        size = measure_line(engine, record, line, length)
        checks = 0
        for ply in range(0, length, 2):
            with line_played(record, line[:ply]):
                checks += len(legal_checks(record))
        turns = (length + 1) // 2
        assert (size.turns, size.defences, size.answered) == (turns, turns, turns - 1)
        assert size.checks == checks
        assert size.answers >= turns - 1
